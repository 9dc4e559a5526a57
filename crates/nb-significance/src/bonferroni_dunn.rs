//! The Bonferroni-Dunn test: which classifiers differ in rank from a control.

use crate::{
    nemenyi::NemenyiError,
    rank_differences::rank_standard_error,
    special::{largest_where, normal_two_sided},
};

/// The critical difference of the average ranks of a control and each of `k - 1` other classifiers over `N`
/// data sets, by the Bonferroni-Dunn test: `CD = q √(k (k + 1) / (6 N))`, with `q` the two-sided quantile of
/// the normal distribution at `α/(k - 1)`.
///
/// Holm's procedure ([`rank_tests_against`](crate::rank_tests_against)) finds all that this finds, and more;
/// this one can be drawn beside the ranks. Dunn 1961, *Multiple comparisons among means*, Journal of the
/// American Statistical Association 56, 52-64; Demšar 2006, *Statistical comparisons of classifiers over
/// multiple data sets*, Journal of Machine Learning Research 7, section 3.2.2.
///
/// # Errors
/// If there are fewer than two classifiers, no data sets, or `alpha` is not between 0 and 1.
///
/// ```
/// // Four classifiers over fourteen data sets: 2.394 √(20/84).
/// let difference = nb_significance::critical_difference_from_control(4, 14, 0.05)?;
/// assert!((difference - 1.168).abs() < 1e-3);
/// # Ok::<(), nb_significance::NemenyiError>(())
/// ```
pub fn critical_difference_from_control(
    n_classifiers: usize,
    n_data_sets: usize,
    alpha: f64,
) -> Result<f64, NemenyiError> {
    if n_classifiers < 2 {
        return Err(NemenyiError::Classifiers { found: n_classifiers });
    }
    if n_data_sets == 0 {
        return Err(NemenyiError::NoDataSets);
    }
    if !(alpha > 0.0 && alpha < 1.0) {
        return Err(NemenyiError::Alpha { alpha });
    }
    let tail = alpha / (n_classifiers - 1) as f64;
    let quantile = largest_where(|z| normal_two_sided(z) >= tail);
    Ok(quantile * rank_standard_error(n_classifiers, n_data_sets))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SciPy 1.17: `norm.isf(alpha/2/(k - 1))`, rounded to three digits, for 2 to 10 classifiers.
    #[test]
    fn quantiles_are_those_of_scipy() {
        let table = [
            (0.05, [1.960, 2.241, 2.394, 2.498, 2.576, 2.638, 2.690, 2.734, 2.773]),
            (0.10, [1.645, 1.960, 2.128, 2.241, 2.326, 2.394, 2.450, 2.498, 2.539]),
        ];
        for (alpha, quantiles) in table {
            for (n_classifiers, expected) in (2..).zip(quantiles) {
                let found = critical_difference_from_control(n_classifiers, 10, alpha).unwrap();
                let quantile = found / rank_standard_error(n_classifiers, 10);
                assert!((quantile - expected).abs() < 6e-4, "{n_classifiers}: {quantile}, not {expected}");
            }
        }
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        assert_eq!(critical_difference_from_control(1, 9, 0.05), Err(NemenyiError::Classifiers { found: 1 }));
        assert_eq!(critical_difference_from_control(2, 0, 0.05), Err(NemenyiError::NoDataSets));
        assert_eq!(critical_difference_from_control(2, 9, 0.0), Err(NemenyiError::Alpha { alpha: 0.0 }));
    }
}
