//! A term for every level and class, by conditional likelihood.

use super::{coding::Levels, loss::residuals, minimise::minimise, parts::sum_over_rows};
use crate::Penalty;

/// What the terms of a problem share: rows, neighbours and penalties.
pub(super) struct Tables<'a> {
    pub(super) levels: &'a Levels,
    pub(super) labels: &'a [usize],
    pub(super) log_prior: &'a [f64],
    /// The number of levels of all columns.
    pub(super) n_levels: usize,
    /// The pairs of levels whose terms should be near each other.
    pub(super) neighbours: &'a [(usize, usize)],
}

impl Tables<'_> {
    fn n_classes(&self) -> usize {
        self.log_prior.len()
    }

    /// The number of terms: one per level and class, then one per class.
    pub(super) fn n_terms(&self) -> usize {
        (self.n_levels + 1) * self.n_classes()
    }

    /// Moves `terms` to those that minimise
    /// `-Σ log p(y | x) + ridge Σ t² / 2 + smoothness Σ (t - t')² / 2`, over all levels and over neighbouring bins, with
    /// `log p(c | x) = log π_c + b_c + Σ_j t_{x_j, c} - log Z`: penalised logistic regression on levels, started where
    /// naive Bayes is (Zaidi, Webb, Carman, Petitjean and Cerquides 2016, *`ALRn`: accelerated higher-order logistic
    /// regression*, Machine Learning 104, of which this is the first order; Eilers and Marx 1996, *Flexible smoothing with
    /// B-splines and penalties*, Statistical Science 11, for the differences).
    pub(super) fn fit(&self, terms: &mut Vec<f64>, penalty: Penalty) {
        let n_classes = self.n_classes();
        let n_tables = self.n_levels * n_classes;
        let curvature = self.curvature(penalty);
        minimise(terms, 0, &curvature, |terms, gradient| {
            let (tables, offsets) = terms.split_at(n_tables);
            let base = self.log_prior.iter().zip(offsets).map(|(prior, offset)| prior + offset);
            let base: Vec<f64> = base.collect();
            let (mut value, sums) = sum_over_rows(self.levels.n_rows, terms.len(), |rows, sums| {
                let mut scores = base.repeat(rows.len());
                for column in &self.levels.columns {
                    add_terms(&column[rows.clone()], tables, &mut scores, n_classes);
                }
                let loss = residuals(&mut scores, &self.labels[rows.clone()], n_classes);
                for column in &self.levels.columns {
                    for (&level, residuals) in column[rows.clone()].iter().zip(scores.chunks_exact(n_classes))
                    {
                        let start = level as usize * n_classes;
                        for (sum, residual) in sums[start..start + n_classes].iter_mut().zip(residuals) {
                            *sum += residual;
                        }
                    }
                }
                for residuals in scores.chunks_exact(n_classes) {
                    for (sum, residual) in sums[n_tables..].iter_mut().zip(residuals) {
                        *sum += residual;
                    }
                }
                loss
            });
            gradient.copy_from_slice(&sums);
            for (gradient, term) in gradient.iter_mut().zip(tables) {
                *gradient += penalty.ridge * term;
                value += 0.5 * penalty.ridge * term * term;
            }
            for &(below, above) in self.neighbours {
                for class in 0..n_classes {
                    let (below, above) = (below * n_classes + class, above * n_classes + class);
                    let difference = tables[above] - tables[below];
                    gradient[above] += penalty.smoothness * difference;
                    gradient[below] -= penalty.smoothness * difference;
                    value += 0.5 * penalty.smoothness * difference * difference;
                }
            }
            value
        });
    }

    /// The diagonal of the Hessian where all classes are equally probable.
    fn curvature(&self, penalty: Penalty) -> Vec<f64> {
        let n_classes = self.n_classes();
        let share = 1.0 / n_classes as f64;
        let of_row = share * (1.0 - share);
        let mut of_levels = vec![penalty.ridge; self.n_levels];
        for column in &self.levels.columns {
            for &level in column {
                of_levels[level as usize] += of_row;
            }
        }
        for &(below, above) in self.neighbours {
            of_levels[below] += penalty.smoothness;
            of_levels[above] += penalty.smoothness;
        }
        let mut all: Vec<f64> =
            of_levels.iter().flat_map(|&each| std::iter::repeat_n(each, n_classes)).collect();
        all.resize(self.n_terms(), self.levels.n_rows as f64 * of_row);
        all
    }
}

/// Adds the terms of the levels of rows to their scores.
fn add_terms(column: &[u32], tables: &[f64], scores: &mut [f64], n_classes: usize) {
    for (&level, scores) in column.iter().zip(scores.chunks_exact_mut(n_classes)) {
        let start = level as usize * n_classes;
        for (score, term) in scores.iter_mut().zip(&tables[start..start + n_classes]) {
            *score += term;
        }
    }
}

/// What terms add to the logarithms of the prior of rows, `n_rows × n_classes`.
pub(super) fn added(terms: &[f64], levels: &Levels, n_classes: usize) -> Vec<f64> {
    let (tables, offsets) = terms.split_at(terms.len() - n_classes);
    let mut scores = offsets.repeat(levels.n_rows);
    for column in &levels.columns {
        add_terms(column, tables, &mut scores, n_classes);
    }
    scores
}
