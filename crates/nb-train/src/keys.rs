//! The order in which rows are dealt: pseudo-random, by their content and the seed.

use std::collections::HashMap;

use nb_table::hash::{fnv_1a, mix};

/// Makes the keys of rows. A row has the same keys wherever it is in the file; those of equal rows differ by
/// how often the row was there before.
///
/// ```
/// use nb_train::Keys;
///
/// let mut keys = Keys::new(7);
/// let (first, again) = (keys.of_row(b"5.1,setosa"), keys.of_row(b"5.1,setosa"));
/// assert_ne!(first, again);
/// assert_eq!(Keys::new(7).of_row(b"5.1,setosa"), first);
/// ```
#[derive(Clone, Debug)]
pub struct Keys {
    seed: u64,
    seen: HashMap<u64, u64>,
}

impl Keys {
    /// Keys of this seed, for rows that come from the first on.
    ///
    /// ```
    /// use nb_train::Keys;
    ///
    /// assert_ne!(Keys::new(1).of_row(b"a"), Keys::new(2).of_row(b"a"));
    /// ```
    pub fn new(seed: u64) -> Self {
        Self { seed: mix(seed), seen: HashMap::new() }
    }

    /// The key of the next row: the 64-bit FNV-1a of its bytes (Fowler, Noll and Vo), mixed with the seed and
    /// the number of equal rows before by the bijection of `SplitMix64` (Steele, Lea and Flood 2014,
    /// *Fast splittable pseudorandom number generators*).
    ///
    /// ```
    /// let mut keys = nb_train::Keys::new(7);
    /// assert_ne!(keys.of_row(b"a"), keys.of_row(b"a")); // the same row once more
    /// ```
    pub fn of_row(&mut self, row: &[u8]) -> u64 {
        let hash = fnv_1a(row);
        let before = self.seen.entry(hash).or_default();
        let key = mix(mix(hash ^ self.seed).wrapping_add(*before));
        *before += 1;
        key
    }

    /// The key of a text, such as the name of a group, in one of many orders.
    ///
    /// ```
    /// let keys = nb_train::Keys::new(7);
    /// assert_eq!(keys.of_text("a", 3), keys.of_text("a", 3));
    /// ```
    pub fn of_text(&self, text: &str, order: u64) -> u64 {
        mix(mix(fnv_1a(text.as_bytes()) ^ self.seed).wrapping_add(order))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_depend_on_content_seed_and_count() {
        let mut keys = Keys::new(1);
        let (a, b, a_again) = (keys.of_row(b"a"), keys.of_row(b"b"), keys.of_row(b"a"));
        assert!(a != b && a != a_again);
        let mut keys = Keys::new(1);
        assert_eq!((keys.of_row(b"b"), keys.of_row(b"a"), keys.of_row(b"a")), (b, a, a_again));
        assert_ne!(Keys::new(2).of_row(b"a"), a);
    }
}
