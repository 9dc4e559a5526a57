//! The curvature of the penalised loss of terms, nearly: what minimisation divides by.

use super::tables::{Smooth, Tables};

/// The Hessian of the terms where they are, without what couples classes and columns: a tridiagonal matrix
/// for each column of numbers and class, a diagonal one for all else, decomposed as `L D Lᵀ`.
pub(super) struct Curvature<'a> {
    n_classes: usize,
    neighbours: &'a [(usize, usize)],
    smoothness: f64,
    diagonal: Vec<f64>,
}

impl<'a> Curvature<'a> {
    /// From the curvature that the rows have, `Σ p (1 - p)`, and the penalties.
    pub(super) fn new(tables: &Tables<'a>, of_rows: Vec<f64>, ridges: &[f64]) -> Self {
        let n_classes = tables.n_classes();
        let mut diagonal = of_rows;
        for (value, ridge) in diagonal.iter_mut().zip(ridges) {
            *value += ridge;
        }
        let Smooth { neighbours, penalty: smoothness } = tables.chains;
        let of_class = |level: usize| level * n_classes..(level + 1) * n_classes;
        for Smooth { neighbours, penalty } in [tables.chains, tables.grids] {
            for &(below, above) in neighbours {
                for place in of_class(below).chain(of_class(above)) {
                    diagonal[place] += penalty;
                }
            }
        }
        for &(below, above) in neighbours {
            for (below, above) in of_class(below).zip(of_class(above)) {
                diagonal[above] -= smoothness * smoothness / diagonal[below];
            }
        }
        Self { n_classes, neighbours, smoothness, diagonal }
    }

    /// Multiplies with the inverse.
    pub(super) fn divide(&self, values: &mut [f64]) {
        let of_class = |level: usize| level * self.n_classes..(level + 1) * self.n_classes;
        for &(below, above) in self.neighbours {
            for (below, above) in of_class(below).zip(of_class(above)) {
                values[above] += self.smoothness / self.diagonal[below] * values[below];
            }
        }
        for (value, diagonal) in values.iter_mut().zip(&self.diagonal) {
            *value /= diagonal;
        }
        for &(below, above) in self.neighbours.iter().rev() {
            for (below, above) in of_class(below).zip(of_class(above)) {
                values[below] += self.smoothness / self.diagonal[below] * values[above];
            }
        }
    }
}
