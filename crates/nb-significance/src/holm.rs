//! Holm's procedure: many tests at once.

/// Why p-values cannot be adjusted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("p-value {index} is {value}; it must be from 0 to 1")]
#[non_exhaustive]
pub struct PValueError {
    /// Which one, counted from 0.
    pub index: usize,
    /// Its value.
    pub value: f64,
}

pub(crate) fn check_p_values(p_values: &[f64]) -> Result<(), PValueError> {
    match p_values.iter().position(|p| !(0.0..=1.0).contains(p)) {
        Some(index) => Err(PValueError { index, value: p_values[index] }),
        None => Ok(()),
    }
}

/// P-values adjusted for there being `m` of them, by Holm's step-down procedure: the smallest is multiplied
/// by `m`, the next by `m - 1` and so on, none becoming smaller than the one before or larger than 1. To call
/// those differences significant whose adjusted p-value is at most `α` is to call any wrongly with a
/// probability of at most `α`, whatever the dependence between the tests.
///
/// Holm 1979, *A simple sequentially rejective multiple test procedure*, Scandinavian Journal of Statistics
/// 6, 65-70; adjusted p-values: Wright 1992, *Adjusted p-values for simultaneous inference*, Biometrics 48,
/// 1005-1013.
///
/// # Errors
/// If a p-value is not from 0 to 1.
///
/// ```
/// use nb_significance::holm;
///
/// assert_eq!(holm(&[0.5, 0.0625, 0.25])?, [0.5, 0.1875, 0.5]);
/// # Ok::<(), nb_significance::PValueError>(())
/// ```
pub fn holm(p_values: &[f64]) -> Result<Vec<f64>, PValueError> {
    check_p_values(p_values)?;
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut before = 0.0_f64;
    for (step, &index) in order.iter().enumerate() {
        let left = (p_values.len() - step) as f64;
        before = before.max((left * p_values[index]).min(1.0));
        adjusted[index] = before;
    }
    Ok(adjusted)
}
