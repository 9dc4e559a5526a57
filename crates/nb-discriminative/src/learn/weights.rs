//! Weights of features by conditional likelihood.

use super::{
    coding::{Coding, Levels},
    counts::Contributions,
    minimise::{ROUGH, divide_by, minimise},
    parts::sum_over_rows,
    row_weights::RowWeights,
    sums::{add_all_scores, add_terms, levels::add_scores, residuals},
    text::Said,
};

/// One weight per feature, of which texts are the last, and one offset per class.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Weights {
    pub(super) of_features: Vec<f64>,
    pub(super) offsets: Vec<f64>,
}

/// The penalty on the squares of offsets, as a share of that on weights: they have a size only so that they
/// are determined.
const OFFSETS: f64 = 0.1;

/// What weights are learnt from.
pub(super) struct Problem<'a> {
    pub(super) coding: &'a Coding,
    pub(super) contributions: &'a Contributions,
    pub(super) levels: &'a Levels,
    pub(super) labels: &'a [usize],
    pub(super) row_weights: RowWeights<'a>,
    /// What is said of texts.
    pub(super) texts: &'a [Said],
}

impl Problem<'_> {
    fn n_features(&self) -> usize {
        self.levels.columns.len() + self.texts.len()
    }

    /// The weights `w ≥ 0` and offsets `b` that minimise `-Σ w log p(y | x) + penalty (Σ (w - common)² + 0.1
    /// Σ b²) / 2` with `log p(c | x) = log π_c + b_c + Σ_j w_j log p(x_j | c) - log Z` and the
    /// contributions that leave out the row itself (Zaidi, Cerquides, Carman and Webb 2013, *Alleviating
    /// naive Bayes attribute independence assumption by attribute weighting*, JMLR 14, with their
    /// conditional log-likelihood, on leave-one-out contributions). Where few rows say otherwise, all
    /// features have the `common` weight.
    pub(super) fn weights(&self, penalty: f64, common: f64, precision: f64) -> Weights {
        let (n_features, n_classes) = (self.n_features(), self.contributions.n_classes);
        let mut x = vec![common.max(0.01); n_features];
        x.resize(n_features + n_classes, 0.0);
        let mut curvature: Vec<f64> = self.spreads().into_iter().map(|spread| spread + penalty).collect();
        curvature.resize(n_features + n_classes, self.of_offset(penalty));
        minimise(&mut x, n_features, precision, divide_by(&curvature), |x, gradient| {
            let mut value = self.loss(x, gradient);
            for (entry, (gradient, x)) in gradient.iter_mut().zip(x).enumerate() {
                let (penalty, distance) =
                    if entry < n_features { (penalty, x - common) } else { (OFFSETS * penalty, *x) };
                *gradient += penalty * distance;
                value += 0.5 * penalty * distance * distance;
            }
            value
        });
        let offsets = x.split_off(n_features);
        Weights { of_features: x, offsets }
    }

    /// The one weight that all features would have, with a tenth of the penalty: naive Bayes with a
    /// temperature.
    pub(super) fn common(&self, penalty: f64) -> f64 {
        let (n_features, n_classes) = (self.n_features(), self.contributions.n_classes);
        let spread = self.spreads().iter().map(|spread| libm::sqrt(*spread)).sum::<f64>();
        let mut curvature = vec![spread * spread + OFFSETS * penalty];
        curvature.resize(1 + n_classes, self.of_offset(penalty));
        let mut x = vec![0.0; 1 + n_classes];
        x[0] = 1.0 / (n_features.max(1) as f64).sqrt();
        let (mut each, mut of_each) = (vec![0.0; n_features + n_classes], vec![0.0; n_features + n_classes]);
        minimise(&mut x, 1, ROUGH, divide_by(&curvature), |x, gradient| {
            each[..n_features].fill(x[0]);
            each[n_features..].copy_from_slice(&x[1..]);
            let mut value = self.loss(&each, &mut of_each);
            gradient[0] = of_each[..n_features].iter().sum();
            gradient[1..].copy_from_slice(&of_each[n_features..]);
            for (gradient, x) in gradient.iter_mut().zip(x) {
                *gradient += OFFSETS * penalty * x;
                value += 0.5 * OFFSETS * penalty * x * x;
            }
            value
        });
        x[0]
    }

    /// The loss of weights and offsets, and its gradient.
    pub(super) fn loss(&self, x: &[f64], gradient: &mut [f64]) -> f64 {
        let Self { coding, contributions, levels, labels, row_weights, texts } = *self;
        let (n_columns, n_classes) = (levels.columns.len(), contributions.n_classes);
        let (of_features, offsets) = x.split_at(self.n_features());
        let (of_features, of_texts) = of_features.split_at(n_columns);
        let n_tables = contributions.all.len();
        let mut weighted = vec![0.0; n_tables];
        for (range, weight) in coding.ranges(n_classes).zip(of_features) {
            for (weighted, term) in weighted[range.clone()].iter_mut().zip(&contributions.all[range]) {
                *weighted = weight * term;
            }
        }
        let base = contributions.log_prior.iter().zip(offsets).map(|(prior, offset)| prior + offset);
        let base: Vec<f64> = base.collect();
        // Of residuals: by level, of all rows, and of the own class times what leaving the row out changes.
        let n_sums = n_tables + n_classes + self.n_features();
        let (loss, sums) = sum_over_rows((levels.n_rows, n_classes), n_sums, |rows, sums| {
            let own_labels = &labels[rows.clone()];
            let scores_of = rows.start * n_classes..rows.end * n_classes;
            let mut scores = base.repeat(rows.len());
            for (text, weight) in texts.iter().zip(of_texts) {
                for (score, term) in scores.iter_mut().zip(&text.own[scores_of.clone()]) {
                    *score += weight * term;
                }
            }
            for (place, (column, &weight)) in levels.columns.iter().zip(of_features).enumerate() {
                if weight == 0.0 {
                    continue;
                }
                add_terms(&column[rows.clone()], &weighted, n_classes, &mut scores);
                contributions.for_each_left_out(place, rows.clone(), column, labels, |row, left_out| {
                    scores[row * n_classes + own_labels[row]] += weight * left_out;
                });
            }
            let loss = residuals(&mut scores, own_labels, row_weights.slice(rows.clone()), n_classes);
            let (by_level, others) = sums.split_at_mut(n_tables);
            let (of_all, of_own) = others.split_at_mut(n_classes);
            let (of_own, of_texts) = of_own.split_at_mut(n_columns);
            for (text, sum) in texts.iter().zip(of_texts) {
                let products = scores.iter().zip(&text.own[scores_of.clone()]);
                *sum += products.map(|(residual, term)| residual * term).sum::<f64>();
            }
            let columns: Vec<&[u32]> = levels.columns.iter().map(|column| &column[rows.clone()]).collect();
            add_scores(&columns, &scores, n_classes, by_level);
            for (place, (column, sum)) in levels.columns.iter().zip(of_own).enumerate() {
                contributions.for_each_left_out(place, rows.clone(), column, labels, |row, left_out| {
                    *sum += scores[row * n_classes + own_labels[row]] * left_out;
                });
            }
            add_all_scores(&scores, of_all);
            loss
        });
        let (by_level, others) = sums.split_at(n_tables);
        let (of_all, of_own) = others.split_at(n_classes);
        for ((gradient, range), own) in gradient.iter_mut().zip(coding.ranges(n_classes)).zip(of_own) {
            let products = by_level[range.clone()].iter().zip(&contributions.all[range]);
            *gradient = own + products.map(|(sum, term)| sum * term).sum::<f64>();
        }
        let n_features = self.n_features();
        gradient[n_columns..n_features].copy_from_slice(&of_own[n_columns..]);
        gradient[n_features..].copy_from_slice(of_all);
        loss
    }

    /// The curvature of offsets where all classes are equally probable.
    fn of_offset(&self, penalty: f64) -> f64 {
        let share = 1.0 / self.contributions.n_classes as f64;
        self.row_weights.total(self.levels.n_rows) * share * (1.0 - share) + OFFSETS * penalty
    }

    /// For each feature the sum over rows of the variance of its contributions over the classes, which is the
    /// curvature of the loss where all classes are equally probable.
    fn spreads(&self) -> Vec<f64> {
        let n = self.contributions.n_classes as f64;
        let of_column = |(place, column): (usize, &Vec<u32>)| {
            let spread = |(row, (&level, &label)): (usize, (&u32, &usize))| {
                let (all, own) = self.contributions.of(place, row, level, label);
                let terms =
                    || all.iter().enumerate().map(|(class, &term)| if class == label { own } else { term });
                let mean = terms().sum::<f64>() / n;
                self.row_weights.of(row) * (terms().map(|term| (term - mean).powi(2)).sum::<f64>() / n)
            };
            column.iter().zip(self.labels).enumerate().map(spread).sum()
        };
        let of_text = |text: &Said| {
            let of_row = |(row, terms): (usize, &[f64])| {
                let mean = terms.iter().sum::<f64>() / n;
                self.row_weights.of(row) * (terms.iter().map(|term| (term - mean).powi(2)).sum::<f64>() / n)
            };
            text.own.chunks_exact(self.contributions.n_classes).enumerate().map(of_row).sum()
        };
        self.levels.columns.iter().enumerate().map(of_column).chain(self.texts.iter().map(of_text)).collect()
    }
}

impl Contributions {
    /// What a level says for all classes, and what it says for the class of its own row, which is taken out.
    #[inline]
    fn of(&self, column: usize, row: usize, level: u32, label: usize) -> (&[f64], f64) {
        let start = level as usize * self.n_classes;
        (&self.all[start..start + self.n_classes], self.own(column, row, level, label))
    }
}
