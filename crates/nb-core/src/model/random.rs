//! Drawing numbers and positions.

use rand::Rng;

/// A uniform double from `[0, 1)`, from the upper 53 bits of the generator's next word.
pub(crate) fn uniform(rng: &mut dyn Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// A position, drawn with probability proportional to its weight; the last if rounding runs past the end.
pub(crate) fn draw_index(weights: impl ExactSizeIterator<Item = f64> + Clone, rng: &mut dyn Rng) -> usize {
    let last = weights.len().saturating_sub(1);
    let mut left = uniform(rng) * weights.clone().sum::<f64>();
    let mut positive = 0;
    for (index, weight) in weights.enumerate() {
        if weight > 0.0 {
            if left < weight {
                return index;
            }
            positive = index;
        }
        left -= weight;
    }
    positive.min(last)
}
