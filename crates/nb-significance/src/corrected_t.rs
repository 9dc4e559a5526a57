//! The corrected resampled t-test: two classifiers over the folds of one data set.

use crate::{
    interval::Interval,
    scores::{Differences, ScoreError},
    special::{student_two_sided, student_two_sided_quantile},
};

/// Why there is no corrected resampled t-test.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CorrectedTError {
    /// The scores are no pairs.
    #[error(transparent)]
    Scores(#[from] ScoreError),
    /// The ratio of sizes is none.
    #[error("the ratio of test rows to training rows is {ratio}; it must be finite and more than 0")]
    Ratio {
        /// The ratio.
        ratio: f64,
    },
    /// The scores are not those of whole repetitions of cross-validation.
    #[error(
        "{found} scores are no whole number of repetitions of {n_folds} folds; give one score per fold, of 2 or more"
    )]
    Folds {
        /// How many scores there are.
        found: usize,
        /// The number of folds of a repetition.
        n_folds: usize,
    },
    /// The confidence level is none.
    #[error("the confidence level is {level}; it must lie between 0 and 1, such as 0.95")]
    Level {
        /// The level.
        level: f64,
    },
}

/// What the corrected resampled t-test says about first less second.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CorrectedT {
    /// The number of differences, `J`.
    pub n: usize,
    /// The ratio of test rows to training rows.
    pub test_to_train: f64,
    /// The mean of the differences, in the unit of the scores.
    pub mean_difference: f64,
    /// Its corrected standard error. It is 0 when all differences are equal up to the rounding of the
    /// scores.
    pub standard_error: f64,
    /// Mean by standard error. If all differences are equal, the limit: infinite, or 0 if they are 0.
    pub t: f64,
    /// `J - 1`.
    pub degrees_of_freedom: f64,
    /// The two-sided p-value. If all differences are equal, the limit: 0, or 1 if they are 0. A p-value of 0
    /// then says that the test has no variance to work with, not that the difference is certain.
    pub p: f64,
    /// The confidence level of the interval.
    pub level: f64,
    /// The confidence interval of the mean difference.
    pub interval: Interval,
}

/// The corrected resampled t-test of Nadeau and Bengio, for two classifiers trained and tested on the same
/// `J` random splits of one data set.
///
/// Training sets of different splits overlap, so that the differences `d_j` are not independent and the plain
/// paired t-test finds differences where there are none. With the mean `m` and the variance `s²` (divisor
/// `J - 1`) of the differences,
///
/// `t = m / √((1/J + n_test/n_train) s²)`
///
/// has about Student's distribution with `J - 1` degrees of freedom. Nadeau and Bengio 2003, *Inference for
/// the generalization error*, Machine Learning 52, 239-281, where it is called the corrected resampled
/// t-test.
///
/// `first` and `second` are the scores of the two classifiers, one per split, at least 2; `test_to_train` is
/// `n_test/n_train`; `level` is that of the confidence interval, such as 0.95.
///
/// # Errors
/// If the scores do not pair up, are fewer than 2 or have no finite difference, if the ratio is not positive
/// and finite, or if the level is not between 0 and 1.
///
/// ```
/// use nb_significance::corrected_resampled_t;
///
/// let (first, second) = ([0.81, 0.79, 0.84, 0.80, 0.82], [0.78, 0.77, 0.80, 0.79, 0.78]);
/// // A tenth of the rows was held out of each split.
/// let test = corrected_resampled_t(&first, &second, 1.0 / 9.0, 0.95)?;
/// assert!((test.mean_difference - 0.028).abs() < 1e-12);
/// assert!((test.p - 0.018_3).abs() < 1e-4);
/// assert!(test.interval.lower > 0.0);
/// # Ok::<(), nb_significance::CorrectedTError>(())
/// ```
pub fn corrected_resampled_t(
    first: &[f64],
    second: &[f64],
    test_to_train: f64,
    level: f64,
) -> Result<CorrectedT, CorrectedTError> {
    if !(test_to_train > 0.0 && test_to_train.is_finite()) {
        return Err(CorrectedTError::Ratio { ratio: test_to_train });
    }
    if !(level > 0.0 && level < 1.0) {
        return Err(CorrectedTError::Level { level });
    }
    let differences = Differences::of(first, second, 2)?;
    let n = differences.values.len();
    let moments = differences.moments();
    let inflation = (1.0 / n as f64 + test_to_train).sqrt();
    let standard_error = inflation * moments.deviation;
    let t = moments.standardized(inflation);
    let degrees_of_freedom = n as f64 - 1.0;
    let reach = student_two_sided_quantile(1.0 - level, degrees_of_freedom) * standard_error;
    Ok(CorrectedT {
        n,
        test_to_train,
        mean_difference: moments.mean,
        standard_error,
        t,
        degrees_of_freedom,
        p: student_two_sided(t, degrees_of_freedom),
        level,
        interval: Interval { lower: moments.mean - reach, upper: moments.mean + reach },
    })
}

/// The corrected resampled t-test for one or more repetitions of cross-validation with `n_folds` folds, where
/// `n_test/n_train = 1/(n_folds - 1)`.
///
/// Bouckaert and Frank 2004, *Evaluating the replicability of significance tests for comparing learning
/// algorithms*, PAKDD 2004, who recommend ten repetitions of ten folds.
///
/// `first` and `second` have one score per fold of each repetition, in any order that pairs them up.
///
/// # Errors
/// As [`corrected_resampled_t`], and if the number of scores is no multiple of `n_folds` or `n_folds` is less
/// than 2.
///
/// ```
/// use nb_significance::corrected_cross_validation_t;
///
/// let (first, second) = ([0.81, 0.79, 0.84, 0.80, 0.82], [0.78, 0.80, 0.80, 0.79, 0.78]);
/// let test = corrected_cross_validation_t(&first, &second, 5, 0.95)?;
/// assert_eq!(test.degrees_of_freedom, 4.0);
/// assert!(test.p > 0.1);
/// # Ok::<(), nb_significance::CorrectedTError>(())
/// ```
pub fn corrected_cross_validation_t(
    first: &[f64],
    second: &[f64],
    n_folds: usize,
    level: f64,
) -> Result<CorrectedT, CorrectedTError> {
    if n_folds < 2 || !first.len().is_multiple_of(n_folds) {
        return Err(CorrectedTError::Folds { found: first.len(), n_folds });
    }
    corrected_resampled_t(first, second, 1.0 / (n_folds as f64 - 1.0), level)
}
