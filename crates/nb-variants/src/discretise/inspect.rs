//! What users know of bins.

use nb_core::{
    Missing,
    description::{Inspect, Outline, ParameterName, Values},
};

use super::FittedBinned;

impl Inspect for FittedBinned {
    fn missing_cells(&self) -> Missing {
        self.missing()
    }

    fn parameters(&self, column: usize) -> Vec<(ParameterName, Vec<f64>)> {
        let Some(table) = self.log_probabilities(column) else { return Vec::new() };
        let cuts = self.cuts().column(column);
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

    fn outline(&self, column: usize) -> Option<Outline> {
        let table = self.log_probabilities(column)?;
        let bins = table.rows().into_iter().map(|row| row.iter().map(|&log| libm::exp(log)).collect());
        Some(Outline::Bins(bins.collect()))
    }

    fn divergences(&self, column: usize, weights: &[f64]) -> Option<Vec<f64>> {
        self.bins.divergences(column, weights)
    }

    fn values(&self) -> Values {
        Values::Finite
    }
}
