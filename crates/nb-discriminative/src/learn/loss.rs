//! The negative conditional log-likelihood of rows whose scores are known.

/// Replaces the scores of rows, `n_rows × n_classes`, by the derivative of the loss with respect to them, `p - 1{class}`,
/// and returns the loss `-Σ log p(label)`, where `p` is the softmax of the scores.
pub(super) fn residuals(scores: &mut [f64], labels: &[usize], n_classes: usize) -> f64 {
    let mut loss = 0.0;
    for (scores, &label) in scores.chunks_exact_mut(n_classes).zip(labels) {
        let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let own = scores[label] - most;
        let mut total = 0.0;
        for score in scores.iter_mut() {
            *score = libm::exp(*score - most);
            total += *score;
        }
        loss += libm::log(total) - own;
        for score in scores.iter_mut() {
            *score /= total;
        }
        scores[label] -= 1.0;
    }
    loss
}

/// The loss alone.
pub(super) fn loss(scores: &[f64], labels: &[usize], n_classes: usize) -> f64 {
    residuals(&mut scores.to_vec(), labels, n_classes)
}
