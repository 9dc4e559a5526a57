//! Midranks.

/// Twice the midrank of each value, 2 for a single smallest one; neighbours are tied if they are equal or as
/// they are said to be, by their places in the list. Doubled, midranks are whole numbers, and so are their
/// sums.
pub(crate) fn doubled_midranks(values: &[f64], are_tied: impl Fn(usize, usize) -> bool) -> Vec<u64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0; values.len()];
    let mut before = 0_u64;
    for tied in order.chunk_by(|&a, &b| values[a] == values[b] || are_tied(a, b)) {
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
        let never = |_, _| false;
        assert_eq!(doubled_midranks(&[3.0, 1.0, 3.0, 2.0, 3.0], never), [8, 2, 8, 4, 8]);
        assert_eq!(doubled_midranks(&[0.0, -0.0], never), [3, 3]);
        assert_eq!(doubled_midranks(&[1.0, 1.1, 2.0], |a, b| a + b == 1), [3, 3, 6]);
        assert_eq!(doubled_midranks(&[f64::INFINITY, 1.0, f64::INFINITY], never), [5, 2, 5]);
        assert_eq!(doubled_midranks(&[], never), [0_u64; 0]);
    }
}
