//! What users know of the negative binomial family.

use crate::families::negative_binomial::{Dispersion, FittedNegativeBinomial, NegativeBinomial};
use crate::{
    families::{
        BoxedModel,
        description::{
            Columns, Described, Description, Formula, Hyper, Inspect, Outline, Parameter, ParameterName,
            Summand, Values, mean, names, parameters,
        },
    },
    model::{Likelihood, Missing},
};

static DISPERSION: Parameter = Parameter::new("dispersion", "The dispersion of negative binomial counts");

names!(Dispersion {
    PerClass = "per_class" "Each class has its own",
    Shared = "shared" "All classes share one per column",
});

impl Described for NegativeBinomial {
    fn describe() -> Description {
        Description::new("negative_binomial", Columns::Counts)
            .titled("negative binomial")
            .about("Independent, overdispersed counts", "Columns of independent, overdispersed counts")
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        vec![
            Hyper::new(&DISPERSION, &mut self.dispersion),
            Hyper::new(&parameters::SMOOTHING, &mut self.smoothing),
            Hyper::new(&parameters::RATE_PRIOR, &mut self.rate_prior),
            Hyper::new(&parameters::MISSING, &mut self.missing),
        ]
    }

    fn density(&self) -> Option<BoxedModel> {
        Some(BoxedModel::new(self.clone()))
    }

    fn summands(&self) -> Option<Vec<Summand>> {
        Some(vec![Summand::Power(1), Summand::Power(2), Summand::Missing])
    }
}

impl FittedNegativeBinomial {
    fn moments(&self, class: usize, column: usize) -> (f64, f64) {
        let (mean, dispersion) = (self.means[[class, column]], self.dispersions[[class, column]]);
        (mean, libm::sqrt(mean + dispersion * mean * mean))
    }

    /// Counts of a class and their probabilities: all that are not improbable, or where these are many, some
    /// of them, each for its neighbours.
    fn expected(&self, class: usize, column: usize) -> Vec<(f64, f64)> {
        const MOST: f64 = 2048.0;
        /// So far beyond the mean, in standard deviations, the tail of no distribution with a positive skew
        /// matters here.
        const REACH: f64 = 20.0;
        let (mean, deviation) = self.moments(class, column);
        let last = (mean + REACH * deviation).ceil();
        let step = (last / MOST).ceil().max(1.0);
        let counts = (0..=(last / step) as usize).map(|place| place as f64 * step);
        let probability = |count| step * libm::exp(self.log_likelihood(class, column, count));
        let all: Vec<_> = counts.map(|count| (count, probability(count))).collect();
        let total: f64 = all.iter().map(|(_, probability)| probability).sum();
        all.into_iter().map(|(count, probability)| (count, probability / total)).collect()
    }
}

impl Inspect for FittedNegativeBinomial {
    fn missing_cells(&self) -> Missing {
        self.missing
    }

    fn parameters(&self, column: usize) -> Vec<(ParameterName, Vec<f64>)> {
        let [means, dispersions] =
            [&self.means, &self.dispersions].map(|table| table.column(column).to_vec());
        vec![("mean".into(), means), ("dispersion".into(), dispersions)]
    }

    fn outline(&self, column: usize) -> Option<Outline> {
        let moments = (0..self.means.nrows()).map(|class| self.moments(class, column));
        Some(Outline::Counts(moments.collect()))
    }

    /// There is no closed form: sums over counts that can be expected, or over some of many.
    fn divergences(&self, column: usize, weights: &[f64]) -> Option<Vec<f64>> {
        let classes = 0..self.means.nrows();
        let of_class = classes.clone().map(|class| {
            let terms = self.expected(class, column).into_iter().map(|(count, probability)| {
                let log = |class| self.log_likelihood(class, column, count);
                // What the class cannot have is nothing to it.
                let logs = || log(class) - mean(weights, classes.clone().map(log));
                if probability > 0.0 { probability * logs() } else { 0.0 }
            });
            terms.sum()
        });
        Some(of_class.collect())
    }

    /// Without `log x!`. With `R = r + s`, where `s` is 8 if `r` is small, so that Stirling's formula is good
    /// from `R` on: `log Γ(x + r) - log Γ(r) = x log R + (x + R - ½) log(1 + x/R) - x + δ(x + R) - δ(R) -
    /// Σ_{i<s} log((x + r + i) / (r + i))`.
    fn formula(&self, class: usize, column: usize) -> Option<Formula> {
        let at = [class, column];
        let (mean, dispersion) = (self.means[at], self.dispersions[at]);
        if dispersion == 0.0 || mean == 0.0 {
            let events = Formula::times_cell(self.log_mean(class, column));
            return Some(Formula::Sum(vec![events, Formula::Number(-mean)]));
        }
        let size = 1.0 / dispersion;
        let steps = if size < 8.0 { 8 } else { 0 };
        let large = size + f64::from(steps);
        let shifted = |by: f64| Formula::Sum(vec![Formula::Cell, Formula::Number(by)]);
        let ratio = Formula::Product(vec![Formula::Cell, Formula::Number(1.0 / large)]);
        let log_odds = libm::log(large) + libm::log(mean / (size + mean)) - 1.0;
        let constant = -size * libm::log1p(mean / size) - stirling(large);
        let mut terms = vec![
            Formula::times_cell(log_odds),
            Formula::Product(vec![shifted(large - 0.5), Formula::Ln1p(ratio.into())]),
            stirling_formula(&shifted(large)),
            Formula::Number(constant),
        ];
        if steps > 0 {
            let factors = (0..steps).map(|step| {
                let start = size + f64::from(step);
                Formula::Product(vec![shifted(start), Formula::Number(1.0 / start)])
            });
            let product = Formula::Ln(Formula::Product(factors.collect()).into());
            terms.push(Formula::Product(vec![product, Formula::Number(-1.0)]));
        }
        Some(Formula::Sum(terms))
    }

    fn values(&self) -> Values {
        Values::Whole
    }
}

/// The coefficients of `δ(z) = 1/(12 z) - 1/(360 z³) + ...`, for `z` of at least 8.
const STIRLING: [f64; 6] =
    [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360_360.0];

fn stirling(z: f64) -> f64 {
    stirling_formula(&Formula::Cell).evaluate(z)
}

/// `δ(z)` by Horner's rule in `1 / z²`.
fn stirling_formula(z: &Formula) -> Formula {
    let square = Formula::Product(vec![z.clone(), z.clone()]);
    let [first, others @ .., last] = STIRLING;
    let series = others.iter().rev().fold(Formula::Number(last), |sum, &term| {
        Formula::Sum(vec![Formula::Number(term), Formula::Quotient(sum.into(), square.clone().into())])
    });
    let series = Formula::Sum(vec![Formula::Number(first), Formula::Quotient(series.into(), square.into())]);
    Formula::Quotient(series.into(), z.clone().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::poisson::{Term, Terms};
    use ndarray::{ArrayView1, Axis};

    fn fitted(means: &[f64], dispersions: &[f64]) -> FittedNegativeBinomial {
        let terms = means.iter().map(|&mean| Term::new((mean, 0.0), || f64::NAN)).collect();
        let dispersions = ArrayView1::from(dispersions).insert_axis(Axis(1)).to_owned();
        FittedNegativeBinomial::new(Missing::Error, Terms::new(means.len(), terms), dispersions)
    }

    #[test]
    fn formulas_are_the_scores_without_the_factorial() {
        for (mean, dispersion) in
            [(3.0, 0.0), (3.0, 0.5), (0.01, 40.0), (1e4, 1e-3), (7.0, 1e-12), (2e5, 3.0)]
        {
            let fitted = fitted(&[mean], &[dispersion]);
            let formula = fitted.formula(0, 0).expect("it has one");
            for count in [0.0, 1.0, 2.0, 7.0, 8.0, 100.0, 12_345.0, 1e6] {
                let expected = fitted.log_likelihood(0, 0, count) + libm::lgamma(count + 1.0);
                let size = 1.0 + libm::lgamma(count + 1.0) + count + expected.abs();
                let found = formula.evaluate(count);
                assert!(
                    (found - expected).abs() < 1e-14 * size,
                    "{mean} {dispersion} {count}: {found} {expected}"
                );
            }
        }
    }

    #[test]
    fn divergences_are_those_of_poisson_in_the_limit() {
        let both = fitted(&[3.0, 5.0], &[0.0, 1e-9]);
        let found = both.divergences(0, &[0.5, 0.5]).expect("known");
        let expected = 0.5 * (3.0 * (3.0_f64 / 5.0).ln() + 2.0);
        assert!((found[0] - expected).abs() < 1e-6, "{found:?} {expected}");
    }
}
