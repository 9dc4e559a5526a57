//! The families of nb-core that are linear, and their terms.

use nb_core::{
    Block, BlockBuffer, FittedBernoulli, FittedBlocks, FittedCategorical, FittedComplement,
    FittedMultinomial, FittedPoisson, Likelihood, Missing, ValueError,
};
use ndarray::{ArrayView1, ArrayView2};

use crate::{ColumnTerm, FittedSharedGaussian, Linear, LinearColumn};

/// `s_c = (μ_c - m)/v (x - m) - (μ_c - m)²/2v` with `m` the middle of the class means: what is left of the
/// log-densities without `-½ log(2πv) - (x - m)²/2v`, which all classes share.
impl Linear for FittedSharedGaussian {
    fn linear_columns(&self, _n_classes: usize, _n_columns: usize) -> Vec<LinearColumn> {
        let (means, rests) = (self.means(), self.mean_rests());
        let column = |column| {
            let means = means.column(column);
            let least = means.fold(f64::INFINITY, |least, &mean| least.min(mean));
            let most = means.fold(f64::NEG_INFINITY, |most, &mean| most.max(mean));
            let center = least + (most - least) / 2.0;
            let variance = self.variances()[column];
            let differences =
                means.iter().zip(rests.column(column)).map(|(mean, rest)| (mean - center) + rest);
            let weights: Vec<f64> = differences.clone().map(|difference| difference / variance).collect();
            let constants = differences.zip(&weights).map(|(difference, weight)| -0.5 * difference * weight);
            let term = ColumnTerm::Real {
                center,
                spread: if variance.is_finite() { libm::sqrt(variance) } else { 0.0 },
                constants: constants.collect(),
                weights,
            };
            LinearColumn { term, missing: self.missing() }
        };
        (0..means.ncols()).map(column).collect()
    }
}

/// `s_c = x log θ_c`.
impl Linear for FittedMultinomial {
    fn linear_columns(&self, _n_classes: usize, n_columns: usize) -> Vec<LinearColumn> {
        counts(&self.log_probabilities(), missing_policy(self, n_columns), |_| 0.0)
    }
}

/// `s_c = x w_c`.
impl Linear for FittedComplement {
    fn linear_columns(&self, _n_classes: usize, n_columns: usize) -> Vec<LinearColumn> {
        counts(&self.weights(), missing_policy(self, n_columns), |_| 0.0)
    }
}

/// `s_c = x log λ_c - λ_c`, without `log x!`, which all classes share.
impl Linear for FittedPoisson {
    fn linear_columns(&self, _n_classes: usize, n_columns: usize) -> Vec<LinearColumn> {
        counts(&self.log_rates(), missing_policy(self, n_columns), |at| -self.rates()[at])
    }
}

/// `s_c = [x > t] (log p_c - log(1 - p_c)) + log(1 - p_c)`.
impl Linear for FittedBernoulli {
    fn linear_columns(&self, _n_classes: usize, n_columns: usize) -> Vec<LinearColumn> {
        let missing = missing_policy(self, n_columns);
        let threshold = self.threshold();
        let column = |column| {
            let below = self.log_complements().column(column).to_vec();
            let above = self.log_probabilities().column(column).to_vec();
            LinearColumn { term: ColumnTerm::Threshold { threshold, below, above }, missing }
        };
        (0..self.log_probabilities().ncols()).map(column).collect()
    }
}

/// `s_c = Σ_k [x = k] log θ_ck`: linear in one-hot features.
impl Linear for FittedCategorical {
    fn linear_columns(&self, n_classes: usize, _n_columns: usize) -> Vec<LinearColumn> {
        let n_columns = self.n_columns();
        let missing = missing_policy(self, n_columns);
        let refuses_unseen = refuses_unseen(self, n_columns);
        let column = |column| {
            let of_code = |code: usize| -> Option<Vec<f64>> {
                (0..n_classes).map(|class| self.log_probability(class, column, code)).collect()
            };
            let codes = self.codes(column).to_vec();
            let scores = codes.iter().filter_map(|&code| of_code(code)).collect();
            // No code is that large, so that only the reserved other category can answer.
            let other = of_code(usize::MAX).or_else(|| (!refuses_unseen).then(|| vec![0.0; n_classes]));
            LinearColumn { term: ColumnTerm::Categories { codes, scores, other }, missing }
        };
        (0..n_columns).map(column).collect()
    }
}

/// The terms of every block, in the columns of the whole table.
impl<F: Linear> Linear for FittedBlocks<F> {
    fn linear_columns(&self, n_classes: usize, n_columns: usize) -> Vec<LinearColumn> {
        let ignored = LinearColumn { term: ColumnTerm::Ignored, missing: Missing::Skip };
        let mut all = vec![ignored; n_columns];
        for (columns, fitted) in self.iter() {
            for (&column, term) in columns.iter().zip(fitted.linear_columns(n_classes, columns.len())) {
                if let Some(out) = all.get_mut(column) {
                    *out = term;
                }
            }
        }
        all
    }
}

/// Columns of counts, with these weights, `n_classes × n_columns`.
fn counts(
    weights: &ArrayView2<'_, f64>,
    missing: Missing,
    constant: impl Fn([usize; 2]) -> f64,
) -> Vec<LinearColumn> {
    let column = |(column, weights): (usize, ArrayView1<'_, f64>)| {
        let constants = (0..weights.len()).map(|class| constant([class, column])).collect();
        LinearColumn { term: ColumnTerm::Count { weights: weights.to_vec(), constants }, missing }
    };
    weights.columns().into_iter().enumerate().map(column).collect()
}

/// Whether a fitted family refuses a row, given by its cells.
fn check_row(fitted: &impl Likelihood, cells: impl ExactSizeIterator<Item = f64>) -> Result<(), ValueError> {
    let mut buffer = BlockBuffer::default();
    buffer.start_dense(cells.len());
    buffer.push_dense_row(cells);
    let block: Block<'_> = buffer.block();
    fitted.check(&block)
}

/// What a fitted family does with missing cells: it is asked, by a row of nothing else.
fn missing_policy(fitted: &impl Likelihood, n_columns: usize) -> Missing {
    match check_row(fitted, (0..n_columns).map(|_| f64::NAN)) {
        Ok(()) => Missing::Skip,
        Err(_) => Missing::Error,
    }
}

/// Whether a fitted family refuses codes that no training row had: it is asked, by a row with one.
fn refuses_unseen(fitted: &FittedCategorical, n_columns: usize) -> bool {
    let unseen = |codes: &[usize]| codes.iter().zip(0..).take_while(|(code, next)| **code == *next).count();
    let cells = (0..n_columns).map(|column| {
        let codes = fitted.codes(column);
        (if column == 0 { unseen(codes) } else { codes.first().copied().unwrap_or(0) }) as f64
    });
    check_row(fitted, cells).is_err()
}
