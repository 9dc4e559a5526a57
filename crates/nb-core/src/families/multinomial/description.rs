//! What users know of the multinomial family.

use crate::families::multinomial::{FittedMultinomial, Multinomial};
use crate::{
    families::{
        BoxedModel,
        description::{
            Columns, Described, Description, Formula, Hyper, Inspect, Outline, ParameterName, Summand,
            Values, mean_divergence_of_events, parameters,
        },
    },
    model::Missing,
};

impl Described for Multinomial {
    fn describe() -> Description {
        let about = "Counts of one multinomial vector, such as words";
        Description::new("multinomial", Columns::Counts)
            .about(about, "Columns that together are the counts of one multinomial vector")
            .taking_terms()
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        vec![
            Hyper::new(&parameters::SMOOTHING, &mut self.smoothing),
            Hyper::new(&parameters::MISSING, &mut self.missing),
        ]
    }

    fn density(&self) -> Option<BoxedModel> {
        Some(BoxedModel::new(self.clone()))
    }

    fn summands(&self) -> Option<Vec<Summand>> {
        Some(vec![Summand::Power(1)])
    }
}

impl FittedMultinomial {
    fn shares(&self, column: usize) -> Vec<f64> {
        self.log_probabilities().column(column).iter().map(|&log| libm::exp(log)).collect()
    }
}

impl Inspect for FittedMultinomial {
    fn missing_cells(&self) -> Missing {
        self.missing()
    }

    fn parameters(&self, column: usize) -> Vec<(ParameterName, Vec<f64>)> {
        vec![("p".into(), self.shares(column))]
    }

    fn outline(&self, column: usize) -> Option<Outline> {
        Some(Outline::Share(self.shares(column)))
    }

    fn divergences(&self, column: usize, weights: &[f64]) -> Option<Vec<f64>> {
        Some(mean_divergence_of_events([self.log_probabilities().column(column)], weights))
    }

    fn formula(&self, class: usize, column: usize) -> Option<Formula> {
        Some(Formula::times_cell(self.log_probabilities()[[class, column]]))
    }

    fn values(&self) -> Values {
        Values::NotNegative
    }
}
