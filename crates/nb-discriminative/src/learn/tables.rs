//! A term for every level and class, by conditional likelihood.

use super::{
    coding::Levels,
    curvature::Curvature,
    minimise::minimise,
    parts::sum_over_rows,
    row_weights::RowWeights,
    sums::{add_all_scores, add_scores, add_terms, probabilities, residuals},
    text::{Said, Text},
};
use crate::Penalty;

/// The ridge penalty on the terms of a text, as a share of that on bins and categories: a text has many, of which each row has
/// few. It is multiplied by the mean sum of squares of the counts of a row, so that their unit does not matter.
const TEXT_RIDGE: f64 = 0.1;

/// The curvature of a row counts at least as this share of what it is where all classes are equally probable: a row that is
/// fitted well now need not be so after a step.
const LEAST: f64 = 0.1;

/// What the terms of a problem share: rows, neighbours and penalties.
pub(super) struct Tables<'a> {
    pub(super) levels: &'a Levels,
    pub(super) labels: &'a [usize],
    pub(super) row_weights: RowWeights<'a>,
    pub(super) log_prior: &'a [f64],
    /// The number of levels of all columns; the terms of texts come after them.
    pub(super) n_levels: usize,
    /// The texts, and what naive Bayes says of them.
    pub(super) texts: &'a [Text],
    pub(super) said: &'a [Said],
    /// The places of the rows in the texts.
    pub(super) rows: &'a [usize],
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

    /// The ridge penalty of each level and of each term of texts, `1` being that of a level.
    pub(super) fn ridges(&self) -> Vec<f64> {
        let mut ridges = vec![1.0; self.n_levels];
        for (text, said) in self.texts.iter().zip(self.said) {
            let ridge = (TEXT_RIDGE * said.square).max(f64::MIN_POSITIVE);
            ridges.extend(std::iter::repeat_n(ridge, text.places.len()));
        }
        ridges
    }

    /// Where the terms of each text are, after those of levels.
    fn ranges_of_texts(&self) -> impl Iterator<Item = (&Text, std::ops::Range<usize>)> {
        let mut next = self.n_levels * self.n_classes();
        self.texts.iter().map(move |text| {
            let start = next;
            next += text.places.len() * self.n_classes();
            (text, start..next)
        })
    }

    /// Moves `terms` to those that minimise
    /// `-Σ w log p(y | x) + ridge Σ t² / 2 + smoothness Σ (t - t')² / 2`, over all levels and over neighbouring bins, with
    /// `log p(c | x) = log π_c + b_c + Σ_j t_{x_j, c} - log Z`, and `x_j t_{j, c}` for the count of a term of a text: penalised logistic regression on levels, started where
    /// naive Bayes is (Zaidi, Webb, Carman, Petitjean and Cerquides 2016, *`ALRn`: accelerated higher-order logistic
    /// regression*, Machine Learning 104, of which this is the first order; Eilers and Marx 1996, *Flexible smoothing with
    /// B-splines and penalties*, Statistical Science 11, for the differences).
    pub(super) fn fit(&self, terms: &mut Vec<f64>, penalty: Penalty, precision: f64) {
        let n_classes = self.n_classes();
        let (n_tables, ridges) = (terms.len() - n_classes, self.ridges());
        let of_ridges =
            ridges.iter().flat_map(|&ridge| std::iter::repeat_n(penalty.ridge * ridge, n_classes));
        let of_ridges: Vec<f64> = of_ridges.collect();
        let curvature = Curvature::new(self, self.curvature(terms), &of_ridges, penalty.smoothness);
        minimise(
            terms,
            0,
            precision,
            |values| curvature.divide(values),
            |terms, gradient| {
                let tables = &terms[..n_tables];
                let (mut value, sums) = self.sum(
                    terms,
                    |count| count,
                    |scores, labels, row_weights| residuals(scores, labels, row_weights, n_classes),
                );
                gradient.copy_from_slice(&sums);
                for ((gradient, term), ridge) in gradient.iter_mut().zip(tables).zip(&of_ridges) {
                    *gradient += ridge * term;
                    value += 0.5 * ridge * term * term;
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

    /// The sums over rows, by level and for all, of what `work` makes of their scores, and the sum of its answers. For the terms
    /// of texts it is multiplied by what `of_count` makes of counts.
    fn sum(
        &self,
        terms: &[f64],
        of_count: impl Fn(f64) -> f64 + Sync,
        work: impl Fn(&mut [f64], &[usize], RowWeights<'_>) -> f64 + Sync,
    ) -> (f64, Vec<f64>) {
        let n_classes = self.n_classes();
        let n_tables = terms.len() - n_classes;
        let (tables, offsets) = terms.split_at(n_tables);
        let base = self.log_prior.iter().zip(offsets).map(|(prior, offset)| prior + offset);
        let base: Vec<f64> = base.collect();
        sum_over_rows((self.levels.n_rows, n_classes), terms.len(), |rows, sums| {
            let mut scores = base.repeat(rows.len());
            for column in &self.levels.columns {
                add_terms(&column[rows.clone()], tables, n_classes, &mut scores);
            }
            for (text, range) in self.ranges_of_texts() {
                text.add_terms(&self.rows[rows.clone()], &tables[range], n_classes, &mut scores);
            }
            let row_weights = self.row_weights.slice(rows.clone());
            let answer = work(&mut scores, &self.labels[rows.clone()], row_weights);
            let (by_level, of_all) = sums.split_at_mut(n_tables);
            for column in &self.levels.columns {
                add_scores(&column[rows.clone()], &scores, n_classes, by_level);
            }
            for (text, range) in self.ranges_of_texts() {
                let sums = &mut by_level[range];
                text.add_scores(&self.rows[rows.clone()], &scores, n_classes, &of_count, sums);
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
        let (_, sums) = self.sum(
            terms,
            |count| count * count,
            |scores, labels, row_weights| {
                probabilities(scores, labels, n_classes);
                for score in scores.iter_mut() {
                    *score = (*score * (1.0 - *score)).max(LEAST * of_row);
                }
                row_weights.multiply(scores, n_classes);
                0.0
            },
        );
        sums
    }
}
