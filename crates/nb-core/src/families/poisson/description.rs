//! What users know of the Poisson family.

use crate::families::poisson::{FittedPoisson, Poisson, Term};
use crate::{
    families::{
        BoxedModel,
        description::{
            Columns, Described, Description, Formula, Hyper, Inspect, Outline, ParameterName, Summand,
            Values, mean, mean_divergence_of_events, parameters,
        },
        saddle_point::deviance,
    },
    model::Missing,
};

impl Described for Poisson {
    fn describe() -> Description {
        Description::new("poisson", Columns::Counts)
            .titled("Poisson")
            .about("Independent counts", "Columns of independent counts")
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        vec![
            Hyper::new(&parameters::SMOOTHING, &mut self.smoothing),
            Hyper::new(&parameters::RATE_PRIOR, &mut self.rate_prior),
            Hyper::new(&parameters::MISSING, &mut self.missing),
        ]
    }

    fn density(&self) -> Option<BoxedModel> {
        Some(BoxedModel::new(self.clone()))
    }

    fn summands(&self) -> Option<Vec<Summand>> {
        Some(vec![Summand::Power(1), Summand::Missing])
    }
}

impl FittedPoisson {
    /// The scores of all classes as formulas around the rate `m` of one of them, `(x - m) log(λ / m) - D(m,
    /// λ)` with the deviance `D(m, λ) = m log(m / λ) + λ - m`: up to what no class depends on they are `x
    /// log λ - λ`, which cancels for large counts. The formula of the class whose rate is `m` is an empty
    /// sum.
    pub fn centered_formulas(&self, column: usize) -> Vec<Formula> {
        let classes = 0..self.rates().nrows();
        let mut terms: Vec<Term> = classes.clone().map(|class| *self.term(class, column)).collect();
        terms.sort_by(|a, b| a.rate.0.total_cmp(&b.rate.0));
        let Some(center) = terms.get(terms.len() / 2).filter(|_| terms[0].is_usual()) else {
            return classes.filter_map(|class| self.formula(class, column)).collect();
        };
        let formula = |class| {
            let term = self.term(class, column);
            if term.rate.0 == center.rate.0 {
                return Formula::Sum(Vec::new());
            }
            let difference = Formula::Sum(vec![Formula::Cell, Formula::Number(-center.rate.0)]);
            let weight = (term.log_rate.0 - center.log_rate.0) + (term.log_rate.1 - center.log_rate.1);
            let deviance = deviance(center.rate.0, term.rate.0, term.difference(center.rate.0));
            Formula::Sum(vec![
                Formula::Product(vec![difference, Formula::Number(weight)]),
                Formula::Number(-deviance),
            ])
        };
        classes.map(formula).collect()
    }
}

impl Inspect for FittedPoisson {
    fn missing_cells(&self) -> Missing {
        self.missing()
    }

    fn parameters(&self, column: usize) -> Vec<(ParameterName, Vec<f64>)> {
        vec![("rate".into(), self.rates().column(column).to_vec())]
    }

    fn outline(&self, column: usize) -> Option<Outline> {
        let moments = self.rates().column(column).iter().map(|&rate| (rate, libm::sqrt(rate))).collect();
        Some(Outline::Counts(moments))
    }

    /// From `KL = λ (ln λ - ln λ') - λ + λ'`.
    fn divergences(&self, column: usize, weights: &[f64]) -> Option<Vec<f64>> {
        let (rates, log_rates) = (self.rates(), self.log_rates());
        let rates = rates.column(column);
        let mean = mean(weights, rates.iter().copied());
        let logs = mean_divergence_of_events([log_rates.column(column)], weights);
        Some(logs.iter().zip(rates).map(|(log, rate)| log - rate + mean).collect())
    }

    /// `x log λ - λ`.
    fn formula(&self, class: usize, column: usize) -> Option<Formula> {
        let at = [class, column];
        Some(Formula::Sum(vec![
            Formula::times_cell(self.log_rates()[at]),
            Formula::Number(0.0 - self.rates()[at]),
        ]))
    }

    fn values(&self) -> Values {
        Values::Whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NaiveBayes, Smoothing, model::Likelihood};
    use ndarray::array;

    #[test]
    fn centered_formulas_keep_the_digits_of_differences() {
        let model = Poisson { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..Poisson::default() };
        for unit in [1.0, 1e6, 1e15] {
            let step = libm::sqrt(unit).floor();
            let x = array![[3.0 * unit], [3.0 * unit + step], [3.0 * unit + 3.0 * step]];
            let classifier = NaiveBayes::new(model.clone()).fit(&x, &[0, 1, 2]).expect("fits");
            let fitted = classifier.likelihood();
            let formulas = fitted.centered_formulas(0);
            assert_eq!(formulas[1], Formula::Sum(Vec::new()));
            for count in [3.0 * unit, 3.0 * unit + 2.0 * step, 3.0 * unit + 9.0 * step] {
                for class in [0, 2] {
                    let expected =
                        fitted.log_likelihood(class, 0, count) - fitted.log_likelihood(1, 0, count);
                    let found = formulas[class].evaluate(count);
                    assert!(
                        (found - expected).abs() < 1e-13 * (1.0 + expected.abs()),
                        "{count} {found} {expected}"
                    );
                }
            }
        }
        let classifier = NaiveBayes::new(model).fit(&array![[0.0], [3.0]], &[0, 1]).expect("fits");
        let fitted = classifier.likelihood();
        assert_eq!(fitted.centered_formulas(0)[0], fitted.formula(0, 0).expect("it has one"));
    }
}
