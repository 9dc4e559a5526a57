//! What users know of the Bernoulli family.

use crate::families::bernoulli::{Bernoulli, FittedBernoulli};
use crate::{
    families::{
        BoxedModel,
        description::{
            Columns, Described, Description, Formula, Hyper, Inspect, Outline, Parameter, ParameterName,
            Summand, Values, mean_divergence_of_events, parameters,
        },
    },
    model::Missing,
};

static THRESHOLD: Parameter =
    Parameter::new("threshold", "Binarization threshold of Bernoulli columns").called("", "NUMBER");

impl Described for Bernoulli {
    fn describe() -> Description {
        Description::new("bernoulli", Columns::Real)
            .titled("Bernoulli")
            .about(
                "Binary: whether a number is above the threshold",
                "Binary columns: whether the number is above the threshold",
            )
            .taking_terms()
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        vec![
            Hyper::new(&parameters::SMOOTHING, &mut self.smoothing),
            Hyper::new(&THRESHOLD, &mut self.threshold),
            Hyper::new(&parameters::MISSING, &mut self.missing),
        ]
    }

    fn density(&self) -> Option<BoxedModel> {
        Some(BoxedModel::new(self.clone()))
    }

    fn summands(&self) -> Option<Vec<Summand>> {
        Some(vec![Summand::Above(self.threshold), Summand::Missing])
    }
}

impl FittedBernoulli {
    fn probabilities(&self, column: usize) -> Vec<f64> {
        self.log_probabilities().column(column).iter().map(|&log| libm::exp(log)).collect()
    }
}

impl Inspect for FittedBernoulli {
    fn missing_cells(&self) -> Missing {
        self.missing()
    }

    fn parameters(&self, column: usize) -> Vec<(ParameterName, Vec<f64>)> {
        vec![("p".into(), self.probabilities(column))]
    }

    fn outline(&self, column: usize) -> Option<Outline> {
        let up_to = self.log_complements().column(column).iter().map(|&log| libm::exp(log)).collect();
        Some(Outline::Threshold { threshold: self.threshold(), up_to, above: self.probabilities(column) })
    }

    fn divergences(&self, column: usize, weights: &[f64]) -> Option<Vec<f64>> {
        let (ones, zeros) = (self.log_probabilities(), self.log_complements());
        Some(mean_divergence_of_events([ones.column(column), zeros.column(column)], weights))
    }

    fn formula(&self, class: usize, column: usize) -> Option<Formula> {
        let at = [class, column];
        let [one, zero] = [self.log_probabilities()[at], self.log_complements()[at]].map(Formula::Number);
        Some(Formula::Above(self.threshold(), one.into(), zero.into()))
    }

    fn values(&self) -> Values {
        Values::Finite
    }
}
