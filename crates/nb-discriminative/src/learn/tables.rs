//! A term for every level and class, by conditional likelihood.

use super::{
    coding::Levels,
    curvature::Curvature,
    minimise::minimise,
    parts::sum_over_rows,
    sums::{add_all_scores, add_scores, add_terms, residuals},
};
use crate::Penalty;

/// The curvature of a row counts at least as this share of what it is where all classes are equally probable: a row that is
/// fitted well now need not be so after a step.
const LEAST: f64 = 0.1;

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
    /// The number of classes.
    pub(super) fn n_classes(&self) -> usize {
        self.log_prior.len()
    }

    /// The number of terms: one per level and class, then one per class.
    #[cfg(test)]
    pub(super) fn n_terms(&self) -> usize {
        (self.n_levels + 1) * self.n_classes()
    }

    /// Moves `terms` to those that minimise
    /// `-Σ log p(y | x) + ridge Σ t² / 2 + smoothness Σ (t - t')² / 2`, over all levels and over neighbouring bins, with
    /// `log p(c | x) = log π_c + b_c + Σ_j t_{x_j, c} - log Z`: penalised logistic regression on levels, started where
    /// naive Bayes is (Zaidi, Webb, Carman, Petitjean and Cerquides 2016, *`ALRn`: accelerated higher-order logistic
    /// regression*, Machine Learning 104, of which this is the first order; Eilers and Marx 1996, *Flexible smoothing with
    /// B-splines and penalties*, Statistical Science 11, for the differences).
    pub(super) fn fit(&self, terms: &mut Vec<f64>, penalty: Penalty, precision: f64) {
        let n_classes = self.n_classes();
        let n_tables = self.n_levels * n_classes;
        let curvature = Curvature::new(self, self.curvature(terms), penalty);
        minimise(
            terms,
            0,
            precision,
            |values| curvature.divide(values),
            |terms, gradient| {
                let tables = &terms[..n_tables];
                let (mut value, sums) =
                    self.sum(terms, |scores, labels| residuals(scores, labels, n_classes));
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
            },
        );
    }

    /// The sums over rows, by level and for all, of what `work` makes of their scores, and the sum of its answers.
    fn sum(&self, terms: &[f64], work: impl Fn(&mut [f64], &[usize]) -> f64 + Sync) -> (f64, Vec<f64>) {
        let n_classes = self.n_classes();
        let n_tables = self.n_levels * n_classes;
        let (tables, offsets) = terms.split_at(n_tables);
        let base = self.log_prior.iter().zip(offsets).map(|(prior, offset)| prior + offset);
        let base: Vec<f64> = base.collect();
        sum_over_rows((self.levels.n_rows, n_classes), terms.len(), |rows, sums| {
            let mut scores = base.repeat(rows.len());
            for column in &self.levels.columns {
                add_terms(&column[rows.clone()], tables, n_classes, &mut scores);
            }
            let answer = work(&mut scores, &self.labels[rows.clone()]);
            let (by_level, of_all) = sums.split_at_mut(n_tables);
            for column in &self.levels.columns {
                add_scores(&column[rows.clone()], &scores, n_classes, by_level);
            }
            add_all_scores(&scores, of_all);
            answer
        })
    }

    /// The diagonal of the Hessian of the loss where the terms are.
    fn curvature(&self, terms: &[f64]) -> Vec<f64> {
        let n_classes = self.n_classes();
        let share = 1.0 / n_classes as f64;
        let of_row = share * (1.0 - share);
        let (_, sums) = self.sum(terms, |scores, labels| {
            let loss = residuals(scores, labels, n_classes);
            for (scores, &label) in scores.chunks_exact_mut(n_classes).zip(labels) {
                scores[label] += 1.0;
                for score in scores {
                    *score = (*score * (1.0 - *score)).max(LEAST * of_row);
                }
            }
            loss
        });
        sums
    }
}

/// What terms add to the logarithms of the prior of rows, `n_rows × n_classes`.
pub(super) fn added(terms: &[f64], levels: &Levels, n_classes: usize) -> Vec<f64> {
    let (tables, offsets) = terms.split_at(terms.len() - n_classes);
    let mut scores = offsets.repeat(levels.n_rows);
    for column in &levels.columns {
        add_terms(column, tables, n_classes, &mut scores);
    }
    scores
}
