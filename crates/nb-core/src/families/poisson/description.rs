//! What users know of the Poisson family.

use crate::families::poisson::{FittedPoisson, Poisson};
use crate::{
    families::{
        BoxedModel,
        description::{
            Columns, Described, Description, Formula, Hyper, Inspect, Outline, ParameterName, Summand,
            Values, mean, mean_divergence_of_events, parameters,
        },
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
