//! The log-count ratios, from sums.

use nb_core::{
    SufficientStats,
    error::{FamilyError, FamilyProblem},
    exact::Exact,
    family::LogRatio,
};
use ndarray::Array2;

/// The range of what is added to the sums, so that products of sums neither overflow nor vanish.
pub(super) const SMALLEST_ALPHA: f64 = 1.0 / LARGEST_ALPHA;
pub(super) const LARGEST_ALPHA: f64 = (1_u64 << 60) as f64;

/// `r = log((p / |p|₁) / (q / |q|₁))` of each class against all others, `n_classes × n_columns`; of two
/// classes only that of the second against the first, `1 × n_columns`. The sums are the first part of the
/// statistics.
///
/// # Errors
/// [`FamilyError`] names a sum that is negative or too large.
pub(super) fn ratios<L: Ord + Clone>(
    stats: &SufficientStats<L>,
    alpha: f64,
) -> Result<Array2<f64>, FamilyError> {
    let (n_columns, alpha) = (stats.n_columns(), Exact::from(alpha));
    let counts: Vec<Vec<Exact>> = stats.class_sums().map(|parts| parts[0].iter().collect()).collect();
    for (class, counts) in counts.iter().enumerate() {
        if let Some(column) = counts.iter().position(Exact::is_negative) {
            let problem = FamilyProblem::Impossible { sum: counts[column].to_f64() };
            return Err(FamilyError { class, column, problem });
        }
    }
    let total = |counts: &[Exact]| counts.iter().fold(Exact::ZERO, |sum, count| &sum + count);
    let totals: Vec<Exact> = counts.iter().map(|counts| total(counts)).collect();
    let of_column: Vec<Exact> = (0..n_columns)
        .map(|column| counts.iter().fold(Exact::ZERO, |sum, counts| &sum + &counts[column]))
        .collect();
    let (all, smoothing) = (total(&of_column), alpha.times(n_columns as f64));
    let first = usize::from(counts.len() == 2);
    let mut ratios = Array2::zeros((counts.len() - first, n_columns));
    for (class, mut ratios) in (first..).zip(ratios.rows_mut()) {
        let (p_total, q_total) = (&totals[class] + &smoothing, &(&all - &totals[class]) + &smoothing);
        for (column, ratio) in ratios.iter_mut().enumerate() {
            let p = &counts[class][column] + &alpha;
            let q = &(&of_column[column] - &counts[class][column]) + &alpha;
            // One quotient of exact products keeps the digits of ratios near 1.
            *ratio = (&p * &q_total).ln_ratio(&(&q * &p_total));
            if !ratio.is_finite() {
                // Only statistics that were scaled again and again are that large.
                let problem = FamilyProblem::WeightRange { weight: of_column[column].to_f64() };
                return Err(FamilyError { class, column, problem });
            }
        }
    }
    Ok(ratios)
}
