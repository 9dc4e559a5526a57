//! Midranks.

/// Twice the midrank of each value, 2 for a single smallest one; values that lie within `rounding` of the next one
/// are tied with it. Doubled, midranks are whole numbers, and so are their sums.
pub(crate) fn doubled_midranks(values: &[f64], rounding: f64) -> Vec<u64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0; values.len()];
    let mut before = 0_u64;
    for tied in order.chunk_by(|&a, &b| {
        // The difference of two infinities is no number.
        values[b] == values[a] || values[b] - values[a] <= rounding
    }) {
        let after = before + tied.len() as u64;
        for &index in tied {
            ranks[index] = before + 1 + after;
        }
        before = after;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_their_ranks() {
        assert_eq!(doubled_midranks(&[3.0, 1.0, 3.0, 2.0, 3.0], 0.0), [8, 2, 8, 4, 8]);
        assert_eq!(doubled_midranks(&[0.0, -0.0], 0.0), [3, 3]);
        assert_eq!(doubled_midranks(&[1.0, 1.1, 2.0], 0.2), [3, 3, 6]);
        assert_eq!(doubled_midranks(&[f64::INFINITY, 1.0, f64::INFINITY], 0.0), [5, 2, 5]);
        assert_eq!(doubled_midranks(&[], 0.0), [0_u64; 0]);
    }
}
