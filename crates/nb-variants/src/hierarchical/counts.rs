//! The counts that a hierarchy of distributions is estimated from.

/// Counts of values under every combination of conditions.
///
/// The conditions are ordered: the distribution under one value of the first is above those under it and the
/// values of the second, and so on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Counts {
    /// How many values each condition has.
    pub(crate) conditions: Vec<usize>,
    /// How many values are counted.
    pub(crate) n_values: usize,
    /// The counts, `conditions × ... × n_values`, the last index fastest.
    pub(crate) of: Vec<u64>,
}

/// The largest count: all whole numbers up to it are doubles.
const MOST: f64 = 9_007_199_254_740_992.0;

/// A count as a whole number; `None` for one with a fraction, below 0 or above 2^53.
pub(crate) fn whole(count: f64) -> Option<u64> {
    ((0.0..=MOST).contains(&count) && count.fract() == 0.0).then_some(count as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_that_are_not_whole_are_no_counts() {
        assert_eq!(
            [0.0, 3.0, 2.5, -1.0, f64::NAN, 1e300].map(whole),
            [Some(0), Some(3), None, None, None, None]
        );
    }
}
