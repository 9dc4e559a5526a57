//! Nemenyi's test: which classifiers differ in rank, all pairs at once.

use crate::{
    friedman::Friedman,
    pairwise::PairwisePValues,
    rank_differences::rank_standard_error,
    studentized_range::{StudentizedRange, StudentizedRangeError},
};
use std::f64::consts::SQRT_2;

/// Why there is no critical difference.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NemenyiError {
    /// Too few classifiers.
    #[error("there are {found} classifiers; Nemenyi's test needs at least 2")]
    Classifiers {
        /// How many there are.
        found: usize,
    },
    /// No data sets.
    #[error("there are no data sets; give at least one")]
    NoDataSets,
    /// The significance level is none.
    #[error("the significance level is {alpha}; it must lie between 0 and 1, such as 0.05")]
    Alpha {
        /// The level.
        alpha: f64,
    },
}

/// What Nemenyi's test says.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Nemenyi {
    /// The significance level.
    pub alpha: f64,
    /// The critical difference: average ranks that differ by at least as much differ significantly.
    pub critical_difference: f64,
    /// The p-value of each pair, already adjusted for all pairs.
    pub p_values: PairwisePValues,
}

/// Nemenyi's test of all pairs of classifiers after a Friedman test: the largest difference of average ranks
/// among `k` equal classifiers, by `√(k (k + 1) / (12 N))`, is about a studentised range with infinite
/// degrees of freedom.
///
/// Nemenyi 1963, *Distribution-free multiple comparisons*, thesis, Princeton University; Demšar 2006,
/// *Statistical comparisons of classifiers over multiple data sets*, Journal of Machine Learning Research 7,
/// section 3.2.2.
///
/// # Errors
/// If `alpha` is not between 0 and 1.
///
/// ```
/// use nb_significance::{Better, friedman, nemenyi};
///
/// let log_losses = [[0.31, 0.33, 0.52], [0.75, 0.79, 0.81], [0.02, 0.05, 0.07], [0.41, 0.40, 0.47]];
/// let test = nemenyi(&friedman(&log_losses, Better::Smaller)?, 0.05)?;
/// assert!((test.critical_difference - 1.657).abs() < 1e-3);
/// assert!(test.p_values.get(0, 2).is_some_and(|p| p < 0.05));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn nemenyi(friedman: &Friedman, alpha: f64) -> Result<Nemenyi, NemenyiError> {
    let ranks = &friedman.average_ranks;
    let critical_difference = critical_difference(ranks.len(), friedman.n_data_sets, alpha)?;
    let range = range_of(ranks.len())?;
    let scale = rank_standard_error(ranks.len(), friedman.n_data_sets) / SQRT_2;
    let p_values =
        PairwisePValues::of_pairs(ranks.len(), |i, j| range.tail((ranks[i] - ranks[j]).abs() / scale));
    Ok(Nemenyi { alpha, critical_difference, p_values })
}

/// Nemenyi's critical difference of the average ranks of `k` classifiers over `N` data sets,
/// `CD = q_α √(k (k + 1) / (6 N))`, with `q_α` the quantile of the studentised range by `√2`. For any `k` and
/// `α`.
///
/// # Errors
/// If there are fewer than two classifiers, no data sets, or `alpha` is not between 0 and 1.
///
/// ```
/// // Demšar's example of four classifiers over fourteen data sets, which prints 1.25.
/// let difference = nb_significance::critical_difference(4, 14, 0.05)?;
/// assert!((difference - 1.253_5).abs() < 1e-4);
/// # Ok::<(), nb_significance::NemenyiError>(())
/// ```
pub fn critical_difference(
    n_classifiers: usize,
    n_data_sets: usize,
    alpha: f64,
) -> Result<f64, NemenyiError> {
    if n_data_sets == 0 {
        return Err(NemenyiError::NoDataSets);
    }
    let q = range_of(n_classifiers)?.quantile(alpha).map_err(|error| of_range(&error))? / SQRT_2;
    Ok(q * rank_standard_error(n_classifiers, n_data_sets))
}

fn range_of(n_classifiers: usize) -> Result<StudentizedRange, NemenyiError> {
    StudentizedRange::new(n_classifiers).map_err(|error| of_range(&error))
}

fn of_range(error: &StudentizedRangeError) -> NemenyiError {
    match *error {
        StudentizedRangeError::TooFew { n_values } => NemenyiError::Classifiers { found: n_values },
        StudentizedRangeError::Tail { tail } => NemenyiError::Alpha { alpha: tail },
    }
}
