//! A table in single precision, for the estimates of dense rows: of each entry what it differs from the mean
//! of its column.
//!
//! The means, which all classes share, tell none from another and have most of the digits. They are summed in
//! double precision, once for all classes.

use crate::kernels::linear::table::Table;

/// No difference counts as smaller, `2^-100`: so that bounds which are made of them see every value that is
/// too large for single precision, and cover what rounding takes from differences that are too small for it.
const LEAST: f64 = f64::from_bits((1023 - 100) << 52);

/// Entries less the means of their columns.
#[derive(Debug)]
pub(crate) struct Centered {
    n_classes: usize,
    /// Of each column the mean entry, and the largest size that an entry less the mean has.
    columns: Vec<[f64; 2]>,
    /// The entries less the means, column after column.
    rests: Vec<f32>,
}

impl Centered {
    /// Of a table of entries that are far from overflowing in single precision.
    pub(crate) fn new(table: &Table) -> Self {
        let (n_classes, _) = table.dim();
        let mut centered = Self { n_classes, columns: Vec::new(), rests: Vec::new() };
        centered.columns.reserve(table.dim().1);
        centered.rests.reserve(table.entries().len());
        for entries in table.entries().chunks_exact(n_classes.max(1)) {
            let mean: f64 = entries.iter().map(|entry| entry / n_classes as f64).sum();
            let mut most = LEAST;
            for entry in entries {
                let rest = entry - mean;
                most = f64::max(most, rest.abs());
                centered.rests.push(rest as f32);
            }
            centered.columns.push([mean, most]);
        }
        centered
    }

    /// From a column on, of each the mean entry and the largest size of what is left.
    pub(crate) fn columns(&self, first: usize) -> &[[f64; 2]] {
        &self.columns[first..]
    }

    /// From a column on, what is left of the entries of all classes.
    pub(crate) fn rests(&self, first: usize) -> std::slice::ChunksExact<'_, f32> {
        self.rests[first * self.n_classes..].chunks_exact(self.n_classes)
    }
}
