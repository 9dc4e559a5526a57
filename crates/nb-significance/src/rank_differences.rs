//! Differences of average ranks after a Friedman test, with Holm's procedure.

use crate::{
    friedman::Friedman,
    holm::holm,
    pairwise::{PairwisePValues, pairs},
    special::normal_two_sided,
};

/// Why classifiers cannot be compared with a control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the control is classifier {control}, but there are only {n_classifiers}, counted from 0")]
#[non_exhaustive]
pub struct ControlError {
    /// The control.
    pub control: usize,
    /// The number of classifiers.
    pub n_classifiers: usize,
}

/// Two classifiers compared by their average ranks.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RankTest {
    /// The first classifier, counted from 0.
    pub first: usize,
    /// The second.
    pub second: usize,
    /// The average rank of the first less that of the second: negative where the first is better.
    pub difference: f64,
    /// The difference by its standard error.
    pub z: f64,
    /// The two-sided p-value by the normal distribution.
    pub p: f64,
    /// The p-value adjusted by Holm's procedure for all comparisons made together.
    pub p_holm: f64,
}

/// All pairs of classifiers, in the order of [`pairs`], by `z = (R_i - R_j) / √(k (k + 1) / (6 N))`.
///
/// Demšar 2006, *Statistical comparisons of classifiers over multiple data sets*, Journal of Machine Learning
/// Research 7, section 3.2.2; Holm's procedure for all pairs: García and Herrera 2008, *An extension on
/// "Statistical comparisons of classifiers over multiple data sets" for all pairwise comparisons*, Journal of
/// Machine Learning Research 9, 2677-2694.
///
/// ```
/// use nb_significance::{Better, friedman, rank_tests};
///
/// let log_losses = [[0.31, 0.33, 0.52], [0.75, 0.79, 0.81], [0.02, 0.05, 0.07], [0.41, 0.40, 0.47]];
/// let tests = rank_tests(&friedman(&log_losses, Better::Smaller)?);
/// assert_eq!((tests[1].first, tests[1].second), (0, 2));
/// assert!((tests[1].z + 2.474_9).abs() < 1e-4);
/// assert_eq!(tests[1].p_holm, 3.0 * tests[1].p);
/// # Ok::<(), nb_significance::FriedmanError>(())
/// ```
pub fn rank_tests(friedman: &Friedman) -> Vec<RankTest> {
    together(friedman, pairs(friedman.average_ranks.len()))
}

/// Each other classifier against one, the control, as [`rank_tests`] but with an adjustment for fewer
/// comparisons. The control is `first` in each.
///
/// # Errors
/// If there is no such classifier.
///
/// ```
/// use nb_significance::{Better, friedman, rank_tests_against};
///
/// let log_losses = [[0.31, 0.33, 0.52], [0.75, 0.79, 0.81], [0.02, 0.05, 0.07], [0.41, 0.40, 0.47]];
/// let tests = rank_tests_against(&friedman(&log_losses, Better::Smaller)?, 0)?;
/// assert_eq!(tests.len(), 2);
/// assert_eq!(tests[1].p_holm, 2.0 * tests[1].p);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rank_tests_against(friedman: &Friedman, control: usize) -> Result<Vec<RankTest>, ControlError> {
    let n_classifiers = friedman.average_ranks.len();
    if control >= n_classifiers {
        return Err(ControlError { control, n_classifiers });
    }
    let others = (0..n_classifiers).filter(|&other| other != control);
    Ok(together(friedman, others.map(|other| (control, other))))
}

/// The p-values of [`rank_tests`], adjusted by Holm's procedure, for groups and conclusions.
///
/// ```
/// use nb_significance::{Better, friedman, groups_by_p_values, rank_p_values};
///
/// let log_losses = [[0.31, 0.33, 0.52], [0.75, 0.79, 0.81], [0.02, 0.05, 0.07], [0.41, 0.40, 0.47]];
/// let test = friedman(&log_losses, Better::Smaller)?;
/// let bars = groups_by_p_values(&test.average_ranks, &rank_p_values(&test), 0.05)?;
/// assert_eq!(bars, [vec![0, 1], vec![1, 2]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rank_p_values(friedman: &Friedman) -> PairwisePValues {
    let n_classifiers = friedman.average_ranks.len();
    PairwisePValues::of_pairs(n_classifiers, |i, j| rank_test(friedman, i, j).p).holm()
}

fn together(friedman: &Friedman, pairs: impl Iterator<Item = (usize, usize)>) -> Vec<RankTest> {
    let mut tests: Vec<RankTest> = pairs.map(|(first, second)| rank_test(friedman, first, second)).collect();
    let p: Vec<f64> = tests.iter().map(|test| test.p).collect();
    // None is out of range, so that all are adjusted.
    for (test, adjusted) in tests.iter_mut().zip(holm(&p).unwrap_or_default()) {
        test.p_holm = adjusted;
    }
    tests
}

fn rank_test(friedman: &Friedman, first: usize, second: usize) -> RankTest {
    let ranks = &friedman.average_ranks;
    let difference = ranks[first] - ranks[second];
    let z = difference / rank_standard_error(ranks.len(), friedman.n_data_sets);
    let p = normal_two_sided(z);
    RankTest { first, second, difference, z, p, p_holm: p }
}

/// `√(k (k + 1) / (6 N))`, the standard error of a difference of two average ranks.
pub(crate) fn rank_standard_error(n_classifiers: usize, n_data_sets: usize) -> f64 {
    let k = n_classifiers as f64;
    (k * (k + 1.0) / (6.0 * n_data_sets as f64)).sqrt()
}
