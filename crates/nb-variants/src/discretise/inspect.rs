//! What users know of bins.

use nb_core::{
    Missing,
    description::{Inspect, Outline, ParameterName, Values},
};

use ndarray::ArrayView2;

use super::FittedBinned;

/// The probabilities of bins, by name, from their logarithms, `n_bins × n_classes`.
pub(crate) fn bin_parameters(cuts: &[f64], table: &ArrayView2<'_, f64>) -> Vec<(ParameterName, Vec<f64>)> {
    let bins = table.rows().into_iter().enumerate().map(|(bin, row)| {
        let below = bin.checked_sub(1).and_then(|below| cuts.get(below));
        let name = match (below, cuts.get(bin)) {
            (None, None) => "p(any number)".into(),
            (None, Some(cut)) => format!("p(up to {cut})"),
            (Some(below), Some(cut)) => format!("p(above {below} up to {cut})"),
            (Some(below), None) => format!("p(above {below})"),
        };
        (ParameterName::Text(name.into()), row.iter().map(|&log| libm::exp(log)).collect())
    });
    bins.collect()
}

/// The same as an outline.
pub(crate) fn bin_outline(table: &ArrayView2<'_, f64>) -> Outline {
    let bins = table.rows().into_iter().map(|row| row.iter().map(|&log| libm::exp(log)).collect());
    Outline::Bins(bins.collect())
}

impl Inspect for FittedBinned {
    fn missing_cells(&self) -> Missing {
        self.missing()
    }

    fn parameters(&self, column: usize) -> Vec<(ParameterName, Vec<f64>)> {
        let table = self.log_probabilities(column);
        table.map_or_else(Vec::new, |table| bin_parameters(self.cuts().column(column), &table))
    }

    fn outline(&self, column: usize) -> Option<Outline> {
        self.log_probabilities(column).map(|table| bin_outline(&table))
    }

    fn divergences(&self, column: usize, weights: &[f64]) -> Option<Vec<f64>> {
        self.bins.divergences(column, weights)
    }

    fn cuts(&self, column: usize) -> Option<&[f64]> {
        Some(self.cuts.column(column))
    }

    fn values(&self) -> Values {
        Values::Finite
    }
}
