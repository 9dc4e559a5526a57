//! The families of nb-core that are linear, and their terms.

use nb_core::{
    Missing, Unseen,
    family::in_units,
    fitted::{
        FittedBernoulli, FittedBlocks, FittedCategorical, FittedComplement, FittedMultinomial, FittedPoisson,
    },
};
use ndarray::{ArrayView1, ArrayView2};

use crate::{ColumnTerm, FittedSharedGaussian, Linear, LinearColumn};

/// `s_c = (μ_c - m)/v (x - m) - (μ_c - m)²/2v` with `m` the middle of the class means: what is left of the
/// log-densities without `-½ log(2πv) - (x - m)²/2v`, which all classes share.
impl Linear for FittedSharedGaussian {
    fn linear_columns(&self, _n_classes: usize, _n_columns: usize) -> Vec<LinearColumn> {
        let (means, rests, variances) = self.parameters_in_units();
        let deviations = self.standard_deviations();
        let column = |column| {
            let unit = self.unit_exponent(column);
            let means = means.column(column);
            let least = means.fold(f64::INFINITY, |least, &mean| least.min(mean));
            let most = means.fold(f64::NEG_INFINITY, |most, &mean| most.max(mean));
            let center = least + (most - least) / 2.0;
            let variance = variances[column];
            let differences =
                means.iter().zip(rests.column(column)).map(|(mean, rest)| (mean - center) + rest);
            let weights: Vec<f64> = differences.clone().map(|difference| difference / variance).collect();
            let constants: Vec<f64> =
                differences.zip(&weights).map(|(difference, weight)| -0.5 * difference * weight).collect();
            let term = ColumnTerm::Real {
                center: in_units(center, -unit),
                spread: if variance.is_finite() { deviations[column] } else { 0.0 },
                constants,
                weights: weights.into_iter().map(|weight| in_units(weight, unit)).collect(),
            };
            LinearColumn { term, missing: self.missing() }
        };
        (0..means.ncols()).map(column).collect()
    }
}

/// `s_c = x log θ_c`.
impl Linear for FittedMultinomial {
    fn linear_columns(&self, _n_classes: usize, _n_columns: usize) -> Vec<LinearColumn> {
        counts(&self.log_probabilities(), self.missing(), |_| 0.0)
    }
}

/// `s_c = x w_c`.
impl Linear for FittedComplement {
    fn linear_columns(&self, _n_classes: usize, _n_columns: usize) -> Vec<LinearColumn> {
        counts(&self.weights(), self.missing(), |_| 0.0)
    }
}

/// `s_c = x log λ_c - λ_c`, without `log x!`, which all classes share.
impl Linear for FittedPoisson {
    fn linear_columns(&self, _n_classes: usize, _n_columns: usize) -> Vec<LinearColumn> {
        counts(&self.log_rates(), self.missing(), |at| -self.rates()[at])
    }
}

/// `s_c = [x > t] (log p_c - log(1 - p_c)) + log(1 - p_c)`.
impl Linear for FittedBernoulli {
    fn linear_columns(&self, _n_classes: usize, _n_columns: usize) -> Vec<LinearColumn> {
        let missing = self.missing();
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
        let missing = self.missing();
        let column = |column| {
            let of_code = |code: usize| -> Option<Vec<f64>> {
                (0..n_classes).map(|class| self.log_probability(class, column, code)).collect()
            };
            let codes = self.codes(column).to_vec();
            let scores = codes.iter().filter_map(|&code| of_code(code)).collect();
            // No code is that large, so that only the reserved other category can answer.
            let other = of_code(usize::MAX)
                .or_else(|| (self.unseen() != Unseen::Error).then(|| vec![0.0; n_classes]));
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
