//! Sparse rows that wait for others.
//!
//! Adding rows to statistics costs something for every class and feature once a call, which is much where
//! there are a hundred thousand features and a batch has a thousand rows.

use datafusion::error::Result;
use nb_io::read::SparseTable;

use crate::failure::failed;

/// Rows with their labels and weights.
#[derive(Debug, Default)]
pub(super) struct Pending {
    ends: Vec<usize>,
    indices: Vec<usize>,
    values: Vec<f64>,
    labels: Vec<u32>,
    weights: Vec<f64>,
}

impl Pending {
    /// Adds rows at the end. Either all rows have weights, or none.
    pub(super) fn push(&mut self, rows: &SparseTable, labels: &[u32], weights: Option<&[f64]>) {
        let before = self.indices.len();
        self.ends.extend(rows.indptr()[1..].iter().map(|end| before + end));
        self.indices.extend_from_slice(rows.indices());
        self.values.extend_from_slice(rows.values());
        self.labels.extend_from_slice(labels);
        self.weights.extend_from_slice(weights.unwrap_or_default());
    }

    /// Whether there are so many cells that adding them costs more than the call itself.
    pub(super) fn is_enough(&self, n_features: usize, n_classes: usize) -> bool {
        self.indices.len() + self.labels.len() >= (n_features * n_classes).clamp(1 << 16, 1 << 22)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// All rows, with their labels, and their weights if they have some.
    pub(super) fn take(&mut self, n_features: usize) -> Result<(SparseTable, Vec<u32>, Option<Vec<f64>>)> {
        let Self { ends, indices, values, labels, weights } = std::mem::take(self);
        let indptr = std::iter::once(0).chain(ends).collect();
        let rows = SparseTable::new(n_features, indptr, indices, values).map_err(failed)?;
        Ok((rows, labels, (!weights.is_empty()).then_some(weights)))
    }

    /// About how many bytes there are.
    pub(super) fn size(&self) -> usize {
        16 * self.indices.capacity() + 20 * self.labels.capacity()
    }
}
