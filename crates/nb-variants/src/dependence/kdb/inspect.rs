//! What users know of single columns of k-dependence Bayes: their probabilities whatever the parents are.

use nb_core::{
    Missing,
    description::{Dependence, Inspect, Outline, ParameterName, Values, mean_divergence_of_events},
};
use ndarray::Array2;

use super::FittedKdb;
use crate::discretise::{bin_outline, bin_parameters};

impl FittedKdb {
    /// `log P(value | class)` of a column, `n_values × n_classes`, with all parents missing.
    fn log_probabilities(&self, column: usize) -> Array2<f64> {
        let n_values = self.family.counts.n_values_of(column);
        let shape = (n_values, self.tables.len());
        Array2::from_shape_fn(shape, |(value, class)| {
            self.tables[class][column][self.place(column, |_| None, value)]
        })
    }

    /// The cut points of a column of numbers.
    fn cuts_of_numbers(&self, column: usize) -> Option<&[f64]> {
        let codings = &self.family.counts.codings;
        codings.is_of_numbers(column).then(|| codings.cuts().column(column))
    }
}

/// The probabilities of each value, one for each class.
fn probabilities(table: &Array2<f64>) -> impl Iterator<Item = Vec<f64>> {
    table.rows().into_iter().map(|row| row.iter().map(|&log| libm::exp(log)).collect())
}

impl Inspect for FittedKdb {
    fn missing_cells(&self) -> Missing {
        self.family.counts.missing
    }

    fn parameters(&self, column: usize) -> Vec<(ParameterName, Vec<f64>)> {
        if column >= self.family.parents().len() {
            return Vec::new();
        }
        let table = self.log_probabilities(column);
        if let Some(cuts) = self.cuts_of_numbers(column) {
            return bin_parameters(cuts, &table.view());
        }
        let n_codes = self.family.counts.codings.n_codes(column);
        let name = |value: usize| ParameterName::Category((value < n_codes).then_some(value));
        probabilities(&table).enumerate().map(|(value, row)| (name(value), row)).collect()
    }

    fn outline(&self, column: usize) -> Option<Outline> {
        if column >= self.family.parents().len() {
            return None;
        }
        let table = self.log_probabilities(column);
        if self.cuts_of_numbers(column).is_some() {
            return Some(bin_outline(&table.view()));
        }
        let n_codes = self.family.counts.codings.n_codes(column);
        Some(Outline::Categories(probabilities(&table).take(n_codes).enumerate().collect()))
    }

    fn divergences(&self, column: usize, weights: &[f64]) -> Option<Vec<f64>> {
        let is_column = column < self.family.parents().len();
        is_column.then(|| mean_divergence_of_events(self.log_probabilities(column).rows(), weights))
    }

    fn cuts(&self, column: usize) -> Option<&[f64]> {
        Some(self.family.counts.codings.cuts().column(column))
    }

    fn dependence(&self) -> Option<Dependence> {
        Some(Dependence::Some(self.family.parents().to_vec()))
    }

    fn values(&self) -> Values {
        Values::Finite
    }
}
