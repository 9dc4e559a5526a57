//! What users know of the categorical family.

use crate::families::categorical::{Categorical, FittedCategorical};
use crate::{
    families::{
        BoxedModel,
        description::{
            Columns, Described, Description, Hyper, Inspect, Outline, ParameterName, Summand, Values,
            mean_divergence_of_events, parameters,
        },
    },
    model::Missing,
};

impl Described for Categorical {
    fn describe() -> Description {
        Description::new("categorical", Columns::Categories)
            .about("Categories", "Categorical columns, even if they look numeric")
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        vec![
            Hyper::new(&parameters::CATEGORIES, &mut self.categories),
            Hyper::new(&parameters::SMOOTHING, &mut self.smoothing),
            Hyper::new(&parameters::UNSEEN, &mut self.unseen),
            Hyper::new(&parameters::MISSING, &mut self.missing),
        ]
    }

    fn density(&self) -> Option<BoxedModel> {
        Some(BoxedModel::new(self.clone()))
    }

    fn summands(&self) -> Option<Vec<Summand>> {
        Some(vec![Summand::Category])
    }
}

impl Inspect for FittedCategorical {
    fn missing_cells(&self) -> Missing {
        self.missing()
    }

    fn parameters(&self, column: usize) -> Vec<(ParameterName, Vec<f64>)> {
        let Some(table) = self.log_probabilities(column) else { return Vec::new() };
        let codes = self.codes(column);
        let rows = table.rows().into_iter().enumerate().map(|(category, row)| {
            let name = ParameterName::Category(codes.get(category).copied());
            (name, row.iter().map(|&log| libm::exp(log)).collect())
        });
        rows.collect()
    }

    fn outline(&self, column: usize) -> Option<Outline> {
        let table = self.log_probabilities(column)?;
        let categories = self.codes(column).iter().zip(table.rows());
        let probabilities =
            |row: ndarray::ArrayView1<'_, f64>| row.iter().map(|&log| libm::exp(log)).collect();
        Some(Outline::Categories(categories.map(|(&code, row)| (code, probabilities(row))).collect()))
    }

    fn divergences(&self, column: usize, weights: &[f64]) -> Option<Vec<f64>> {
        let table = self.log_probabilities(column);
        Some(table.map_or_else(
            || vec![0.0; weights.len()],
            |table| mean_divergence_of_events(table.rows(), weights),
        ))
    }

    fn values(&self) -> Values {
        Values::Codes
    }
}
