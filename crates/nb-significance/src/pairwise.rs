//! P-values of all pairs of classifiers.

use crate::holm::{PValueError, check_p_values, holm};

/// Why p-values are not those of all pairs.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PairwiseError {
    /// Not one p-value per pair.
    #[error(
        "there are {found} p-values for the {needed} pairs of {n_classifiers} classifiers; give one each"
    )]
    Length {
        /// The number of p-values.
        found: usize,
        /// The number of pairs.
        needed: usize,
        /// The number of classifiers.
        n_classifiers: usize,
    },
    /// One of them is no probability.
    #[error(transparent)]
    PValue(#[from] PValueError),
}

/// A p-value for each pair of classifiers, from whichever test.
///
/// ```
/// use nb_significance::{PairwisePValues, Zeros, pairs, wilcoxon};
///
/// // Wilcoxon's test for each pair of three classifiers over six data sets, adjusted by Holm's procedure.
/// let scores = [
///     [0.91, 0.75, 0.98, 0.66, 0.84, 0.72],
///     [0.89, 0.74, 0.94, 0.61, 0.81, 0.66],
///     [0.90, 0.72, 0.95, 0.65, 0.80, 0.67],
/// ];
/// let mut p = Vec::new();
/// for (first, second) in pairs(3) {
///     p.push(wilcoxon(&scores[first], &scores[second], Zeros::Split)?.p);
/// }
/// let adjusted = PairwisePValues::new(3, p)?.holm();
/// assert_eq!(adjusted.get(2, 0), Some(0.09375));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PairwisePValues {
    n_classifiers: usize,
    values: Vec<f64>,
}

impl PairwisePValues {
    /// From one p-value per pair in the order of [`pairs`].
    ///
    /// # Errors
    /// If their number is wrong, or one is not from 0 to 1.
    pub fn new(n_classifiers: usize, values: Vec<f64>) -> Result<Self, PairwiseError> {
        let needed = pairs(n_classifiers).count();
        if values.len() != needed {
            return Err(PairwiseError::Length { found: values.len(), needed, n_classifiers });
        }
        check_p_values(&values)?;
        Ok(Self { n_classifiers, values })
    }

    /// For values that are probabilities by construction.
    pub(crate) fn of_pairs(n_classifiers: usize, value: impl Fn(usize, usize) -> f64) -> Self {
        Self { n_classifiers, values: pairs(n_classifiers).map(|(i, j)| value(i, j)).collect() }
    }

    /// The number of classifiers.
    pub fn n_classifiers(&self) -> usize {
        self.n_classifiers
    }

    /// The p-value of a pair, in either order; nothing if there is no such pair.
    pub fn get(&self, first: usize, second: usize) -> Option<f64> {
        let (low, high) = (first.min(second), first.max(second));
        if low == high || high >= self.n_classifiers {
            return None;
        }
        // The pairs of the classifiers before `low` come first: k - 1 of the first, k - 2 of the second ...
        let before = low * (2 * self.n_classifiers - low - 1) / 2;
        self.values.get(before + high - low - 1).copied()
    }

    /// The p-values in the order of [`pairs`].
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The same pairs with p-values adjusted by Holm's procedure ([`holm`]).
    #[must_use]
    pub fn holm(&self) -> Self {
        // They have been checked.
        let values = holm(&self.values).unwrap_or_else(|_| vec![1.0; self.values.len()]);
        Self { n_classifiers: self.n_classifiers, values }
    }
}

/// All pairs of classifiers: (0, 1), (0, 2) and so on, then (1, 2).
///
/// ```
/// assert_eq!(nb_significance::pairs(3).collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 2)]);
/// ```
pub fn pairs(n_classifiers: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n_classifiers).flat_map(move |first| (first + 1..n_classifiers).map(move |second| (first, second)))
}
