//! Whether two samples have the same mean, where only their moments are known.

use crate::special::student_two_sided;

/// The moments of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleMoments {
    /// The number of values.
    pub n: f64,
    /// Their mean.
    pub mean: f64,
    /// Their variance, the mean of the squared distances from the mean (over `n`).
    pub variance: f64,
}

impl SampleMoments {
    /// The variance within two samples.
    pub(super) fn pooled_variance(&self, other: &Self) -> f64 {
        (self.n * self.variance + other.n * other.variance) / (self.n + other.n)
    }
}

/// Why two means cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeansError {
    /// A sample is too small.
    #[error("a sample has {n} values; give at least two of each")]
    TooFew {
        /// The number of its values.
        n: f64,
    },
    /// A moment is no number, or a variance is negative.
    #[error("{name} is {value}; it must be {must_be}")]
    Moment {
        /// Which.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        must_be: &'static str,
    },
}

/// What [`two_means`] finds.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct TwoMeans {
    /// The mean of the second sample less that of the first.
    pub difference: f64,
    /// The same in pooled standard deviations: Cohen's d. Infinite if no value differs from the mean of its
    /// sample, 0 without a difference.
    pub standardized: f64,
    /// The two-sided p-value of Welch's test, which lets the variances differ.
    pub p_welch: f64,
    /// The two-sided p-value of Student's test, which takes them for equal.
    pub p_student: f64,
    /// The larger of the two.
    pub p_value: f64,
}

/// Tests whether two samples have the same mean, by Welch's and by Student's t-test; the larger p-value
/// counts.
///
/// Either test alone finds differences where there are none if a sample is small and its values are skewed:
/// Welch's, where by chance all few values are (nearly) equal, as zeros often are, so that their standard
/// error is far too small; Student's, where one of the few is far away.
///
/// Student 1908, *The probable error of a mean*, Biometrika 6, 1-25; Welch 1947, *The generalization of
/// "Student's" problem when several different population variances are involved*, Biometrika 34, 28-35.
///
/// # Errors
/// If a sample has fewer than two values, or a moment is no number.
///
/// ```
/// use nb_significance::{SampleMoments, two_means};
///
/// let stored = SampleMoments { n: 1000.0, mean: 20.0, variance: 9.0 };
/// let new = SampleMoments { n: 50.0, mean: 21.5, variance: 9.0 };
/// let test = two_means(&stored, &new)?;
/// assert!((test.standardized - 0.5).abs() < 1e-12 && test.p_value < 0.002);
/// # Ok::<(), nb_significance::MeansError>(())
/// ```
pub fn two_means(first: &SampleMoments, second: &SampleMoments) -> Result<TwoMeans, MeansError> {
    for sample in [first, second] {
        let refused = |name, value, must_be| Err(MeansError::Moment { name, value, must_be });
        if !sample.n.is_finite() {
            return refused("the number of values", sample.n, "finite");
        }
        if sample.n < 2.0 {
            return Err(MeansError::TooFew { n: sample.n });
        }
        if !sample.mean.is_finite() {
            return refused("a mean", sample.mean, "finite");
        }
        if !(0.0..f64::INFINITY).contains(&sample.variance) {
            return refused("a variance", sample.variance, "a finite number from 0");
        }
    }
    let difference = second.mean - first.mean;
    let pooled = first.pooled_variance(second);
    let standardized = if difference == 0.0 { 0.0 } else { difference / pooled.sqrt() };
    // Squared standard errors of the means, with sums of squares over n - 1.
    let [a, b] = [first, second].map(|sample| sample.variance / (sample.n - 1.0));
    let degrees = (a + b) * (a + b) / (a * a / (first.n - 1.0) + b * b / (second.n - 1.0));
    let p_welch = p_value(difference, a + b, degrees);
    let degrees = first.n + second.n - 2.0;
    let unbiased = pooled * (first.n + second.n) / degrees;
    let p_student = p_value(difference, unbiased * (1.0 / first.n + 1.0 / second.n), degrees);
    Ok(TwoMeans { difference, standardized, p_welch, p_student, p_value: p_welch.max(p_student) })
}

/// The p-value of a difference with a squared standard error.
fn p_value(difference: f64, square: f64, degrees_of_freedom: f64) -> f64 {
    match (difference == 0.0, square > 0.0) {
        (true, _) => 1.0,
        (false, false) => 0.0,
        _ => student_two_sided(difference / square.sqrt(), degrees_of_freedom),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_of_a_known_table() {
        // scipy.stats.ttest_ind_from_stats(mean1=15, std1=sqrt(87.5), nobs1=13, mean2=12, std2=sqrt(39),
        // nobs2=11), from its documentation.
        let first = SampleMoments { n: 13.0, mean: 15.0, variance: 87.5 * 12.0 / 13.0 };
        let second = SampleMoments { n: 11.0, mean: 12.0, variance: 39.0 * 10.0 / 11.0 };
        let test = two_means(&first, &second).unwrap();
        assert!((test.p_student - 0.375_199_6).abs() < 1e-6, "{test:?}");
        assert!(test.p_welch < test.p_student && test.p_value == test.p_student, "{test:?}");
    }

    #[test]
    fn a_few_zeros_are_no_drift() {
        // 92 of 100 values are 0, and so are all five new ones.
        let first = SampleMoments { n: 10_000.0, mean: 1000.0, variance: 7000.0 * 7000.0 };
        let test = two_means(&first, &SampleMoments { n: 5.0, mean: 0.0, variance: 0.0 }).unwrap();
        assert!(test.p_welch < 1e-20 && test.p_value > 0.7, "{test:?}");
    }

    #[test]
    fn values_that_are_all_equal() {
        let first = SampleMoments { n: 10.0, mean: 1.0, variance: 0.0 };
        let test = two_means(&first, &SampleMoments { mean: 2.0, ..first }).unwrap();
        assert_eq!((test.p_value, test.standardized), (0.0, f64::INFINITY));
        let test = two_means(&first, &first).unwrap();
        assert_eq!((test.p_value, test.standardized), (1.0, 0.0));
        assert_eq!(two_means(&first, &SampleMoments { n: 1.0, ..first }), Err(MeansError::TooFew { n: 1.0 }));
    }
}
