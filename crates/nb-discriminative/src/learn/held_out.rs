//! The rows that are held out in turn.

use std::collections::BTreeSet;

use super::{fold::Basis, folds, row_weights::RowWeights};

/// Up to this number of rows each is held out by itself, if all folds together have no more cells than this.
const FEW_ROWS: usize = 60;
const MOST_CELLS: usize = 1 << 20;

/// Rows that are held out, each in one fold.
#[derive(Debug)]
pub(super) struct HeldOutRows {
    pub(super) rows: Vec<usize>,
    pub(super) labels: Vec<usize>,
    weights: Option<Vec<f64>>,
    /// The fold of each of them.
    pub(super) folds: Vec<usize>,
    pub(super) n_folds: usize,
}

impl HeldOutRows {
    /// Some of the rows, or all.
    pub(super) fn sample(basis: &Basis<'_>, rows: &[usize], at_most: usize, n_folds: usize) -> Self {
        let (labels, groups) = labels_and_groups(basis, rows);
        let places = folds::sample(&labels, groups.as_deref(), basis.n_classes, at_most);
        Self::new(basis, places.into_iter().map(|place| rows[place]).collect(), n_folds)
    }

    fn new(basis: &Basis<'_>, rows: Vec<usize>, n_folds: usize) -> Self {
        let (labels, groups) = labels_and_groups(basis, &rows);
        let weights = basis.row_weights.select(rows.iter().copied());
        let n_groups =
            groups.as_ref().map_or(rows.len(), |groups| groups.iter().collect::<BTreeSet<_>>().len());
        let n_cells = rows.len() * (basis.columns.features.len() + basis.columns.texts.len()).max(1);
        let of_few = if rows.len() <= FEW_ROWS { rows.len().min(MOST_CELLS / n_cells.max(1)) } else { 0 };
        let n_folds = n_folds.max(of_few).min(n_groups).max(2);
        let folds = folds::stratified(&labels, groups.as_deref(), basis.n_classes, n_folds);
        Self { rows, labels, weights, folds, n_folds }
    }

    /// For each fold the other rows, and the places of its own among all.
    pub(super) fn parts(&self) -> Vec<(Vec<usize>, Vec<usize>)> {
        let of_fold = |fold: usize| {
            let (own, others): (Vec<usize>, Vec<usize>) =
                (0..self.rows.len()).partition(|&place| self.folds[place] == fold);
            (others.into_iter().map(|place| self.rows[place]).collect(), own)
        };
        (0..self.n_folds).map(of_fold).collect()
    }

    /// A test set for a second round: the rows of the first folds, one fold at least and otherwise at most a
    /// fifth of all rows, with new folds; and all other rows.
    pub(super) fn part_of(&self, basis: &Basis<'_>, rows: &[usize], n_folds: usize) -> (Self, Vec<usize>) {
        let n_held_out = (rows.len() / 5 * self.n_folds / self.rows.len().max(1)).clamp(1, self.n_folds);
        let held_out = self.rows.iter().zip(&self.folds).filter(|(_, fold)| **fold < n_held_out);
        let held_out: Vec<usize> = held_out.map(|(row, _)| *row).collect();
        let others = rows.iter().copied().filter(|row| held_out.binary_search(row).is_err()).collect();
        (Self::new(basis, held_out, n_folds), others)
    }

    /// How much each counts.
    pub(super) fn weights(&self) -> RowWeights<'_> {
        RowWeights::of_all(self.weights.as_ref())
    }
}

/// The labels of some rows, and their groups, if rows have groups.
fn labels_and_groups(basis: &Basis<'_>, rows: &[usize]) -> (Vec<usize>, Option<Vec<usize>>) {
    let select = |all: &[usize]| rows.iter().map(|&row| all[row]).collect();
    (select(basis.labels), basis.groups.map(select))
}
