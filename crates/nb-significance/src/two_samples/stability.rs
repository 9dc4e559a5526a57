//! How far apart two distributions are: population stability index and Jensen-Shannon divergence.

use super::{
    counts::{CountsError, Table},
    means::SampleMoments,
};

/// What is added to every count: Jeffreys' prior of a multinomial distribution.
const ADDED: f64 = 0.5;

/// The population stability index of two samples, `Σ_j (q_j - p_j) ln(q_j / p_j)` over categories or bins `j`
/// with the shares `p_j` in the first sample and `q_j` in the second, in nats: the divergence of Jeffreys,
/// `KL(p‖q) + KL(q‖p)`.
///
/// It is 0 for equal shares and has no upper bound. By a convention of credit scoring, below 0.1 nothing has
/// changed that matters, and from 0.25 on the change is large (Siddiqi 2006, *Credit Risk Scorecards*). Half
/// a row is added to each category that a sample has, so that empty ones have finite terms (Jeffreys' prior).
/// Two samples of `n` and `m` rows of the same distribution have an index of about `(K - 1)(1/n + 1/m)` for
/// `K` categories (Yurdakul and Naranjo 2020, *Statistical properties of the population stability index*,
/// Journal of Risk Model Validation 14): large for few rows, which is why it needs a test beside it
/// ([`homogeneity`](crate::homogeneity)).
///
/// Jeffreys 1946, *An invariant form for the prior probability in estimation problems*, Proceedings of the
/// Royal Society A 186, 453-461.
///
/// # Errors
/// If the numbers of categories differ, a count is no number from 0, or a sample has no rows.
///
/// ```
/// use nb_significance::population_stability_index;
///
/// let index = population_stability_index(&[500.0, 300.0, 200.0], &[50.0, 30.0, 20.0])?;
/// assert!(index < 0.001);
/// let index = population_stability_index(&[500.0, 300.0, 200.0], &[20.0, 30.0, 50.0])?;
/// assert!((index - 0.54).abs() < 0.01); // 0.3 ln(0.5 / 0.2) + 0.3 ln(0.5 / 0.2), and a little less
/// # Ok::<(), nb_significance::CountsError>(())
/// ```
pub fn population_stability_index(first: &[f64], second: &[f64]) -> Result<f64, CountsError> {
    let table = Table::new(first, second)?;
    let n_cells = table.cells.len() as f64;
    let terms = table.cells.iter().map(|(_, counts)| {
        let share = |sample: usize| (counts[sample] + ADDED) / (table.totals[sample] + ADDED * n_cells);
        let (p, q) = (share(0), share(1));
        (q - p) * libm::log(q / p)
    });
    Ok(terms.sum())
}

/// The Jensen-Shannon divergence of two samples, `(KL(p‖m) + KL(q‖m)) / 2` with `m = (p + q) / 2`, in nats:
/// from 0 for equal shares to `ln 2` for samples without a common category.
///
/// Lin 1991, *Divergence measures based on the Shannon entropy*, IEEE Transactions on Information Theory 37,
/// 145-151.
///
/// # Errors
/// As [`population_stability_index`].
///
/// ```
/// use nb_significance::jensen_shannon;
///
/// assert_eq!(jensen_shannon(&[3.0, 6.0], &[1.0, 2.0])?, 0.0);
/// assert_eq!(jensen_shannon(&[3.0, 0.0], &[0.0, 2.0])?, 2.0_f64.ln());
/// # Ok::<(), nb_significance::CountsError>(())
/// ```
pub fn jensen_shannon(first: &[f64], second: &[f64]) -> Result<f64, CountsError> {
    let table = Table::new(first, second)?;
    let terms = table.cells.iter().map(|(_, [a, b])| {
        let (p, q) = (a / table.totals[0], b / table.totals[1]);
        let middle = f64::midpoint(p, q);
        let part = |share: f64| if share > 0.0 { share * libm::log(share / middle) } else { 0.0 };
        part(p) + part(q)
    });
    Ok((terms.sum::<f64>() / 2.0).clamp(0.0, std::f64::consts::LN_2))
}

/// The stability index of two normal distributions with the moments of two samples, `½ [v/w + w/v - 2 + (a -
/// b)² (1/v + 1/w)]` with means `a`, `b` and variances `v`, `w`: the same divergence as
/// [`population_stability_index`]. For equal variances it is the square of the standardized difference of the
/// means, so that 0.25 is a difference of half a standard deviation.
///
/// As half a row is added to counts, each variance is that of the sample and one more value at the distance
/// of a pooled standard deviation. The index is infinite if all values of both samples are equal but those of
/// one differ from those of the other.
///
/// Kullback and Leibler 1951, *On information and sufficiency*, Annals of Mathematical Statistics 22, 79-86.
///
/// ```
/// use nb_significance::{SampleMoments, stability_of_normals};
///
/// let first = SampleMoments { n: 1e6, mean: 20.0, variance: 4.0 };
/// let second = SampleMoments { mean: 21.0, ..first };
/// assert!((stability_of_normals(&first, &second) - 0.25).abs() < 1e-12);
/// ```
pub fn stability_of_normals(first: &SampleMoments, second: &SampleMoments) -> f64 {
    let distance = first.mean - second.mean;
    let pooled = first.pooled_variance(second);
    if pooled <= 0.0 {
        return if distance == 0.0 { 0.0 } else { f64::INFINITY };
    }
    let variance = |sample: &SampleMoments| (sample.n * sample.variance + pooled) / (sample.n + 1.0);
    let (v, w) = (variance(first), variance(second));
    0.5 * ((v - w) * (v - w) / (v * w) + distance * distance * (1.0 / v + 1.0 / w))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divergences_of_known_distributions() {
        // Shares 1/2, 1/2 and 1/4, 3/4 of a million rows: 0.25 ln 2 + 0.25 ln 1.5.
        let (first, second) = ([5e8, 5e8], [2.5e8, 7.5e8]);
        let index = population_stability_index(&first, &second).unwrap();
        assert!((index - 0.25 * 3.0_f64.ln()).abs() < 1e-7, "{index}");
        // By hand: m = 3/8, 5/8.
        let divergence = jensen_shannon(&first, &second).unwrap();
        let kl = |p: [f64; 2]| p[0] * (p[0] / 0.375).ln() + p[1] * (p[1] / 0.625).ln();
        assert!((divergence - 0.5 * (kl([0.5, 0.5]) + kl([0.25, 0.75]))).abs() < 1e-15);
    }

    #[test]
    fn categories_that_nobody_has_change_nothing() {
        let index = population_stability_index(&[5.0, 0.0, 7.0], &[3.0, 0.0, 4.0]).unwrap();
        assert_eq!(index, population_stability_index(&[5.0, 7.0], &[3.0, 4.0]).unwrap());
        assert!(population_stability_index(&[5.0, 0.0], &[0.0, 3.0]).unwrap().is_finite());
    }

    #[test]
    fn equal_values_of_both_samples() {
        let first = SampleMoments { n: 10.0, mean: 1.0, variance: 0.0 };
        assert_eq!(stability_of_normals(&first, &first), 0.0);
        assert_eq!(stability_of_normals(&first, &SampleMoments { mean: 2.0, ..first }), f64::INFINITY);
        let varying = SampleMoments { n: 100.0, mean: 1.0, variance: 4.0 };
        assert!(stability_of_normals(&first, &varying).is_finite());
    }

    #[test]
    fn what_are_no_counts_is_refused() {
        assert_eq!(
            population_stability_index(&[1.0], &[1.0, 2.0]).unwrap_err().to_string(),
            "there are 1 counts of the first sample and 2 of the second; give one per category"
        );
        assert!(matches!(jensen_shannon(&[-1.0], &[1.0]), Err(CountsError::Count { index: 0, .. })));
        assert_eq!(jensen_shannon(&[0.0], &[1.0]), Err(CountsError::NoRows));
    }
}
