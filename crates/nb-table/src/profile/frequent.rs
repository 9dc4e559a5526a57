//! The commonest values of a stream, in bounded memory.

use std::collections::BTreeMap;

/// How many values are counted at a time.
const CAPACITY: usize = 256;

/// Counters of Misra and Gries (1982, *Finding repeated elements*), which merge (Agarwal and others 2012,
/// *Mergeable summaries*): a value is counted at most as often as it occurred, and at most
/// [`error`](Self::error) times less.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Frequent<K> {
    counts: BTreeMap<K, u64>,
    error: u64,
}

impl<K> Default for Frequent<K> {
    fn default() -> Self {
        Self { counts: BTreeMap::new(), error: 0 }
    }
}

impl<K: Ord + Clone> Frequent<K> {
    /// Adds a value `n` times.
    pub(super) fn add<Q: ?Sized + Ord + ToOwned<Owned = K>>(&mut self, value: &Q, mut n: u64)
    where
        K: std::borrow::Borrow<Q>,
    {
        if let Some(count) = self.counts.get_mut(value) {
            *count += n;
            return;
        }
        while n > 0 {
            if self.counts.len() < CAPACITY {
                self.counts.insert(value.to_owned(), n);
                return;
            }
            let taken = self.counts.values().copied().min().unwrap_or(0).min(n);
            self.take_off(taken);
            n -= taken;
        }
    }

    fn take_off(&mut self, taken: u64) {
        self.error += taken;
        self.counts.retain(|_, count| {
            *count = count.saturating_sub(taken);
            *count > 0
        });
    }

    /// Adds all values of another one.
    pub(super) fn merge(&mut self, other: &Self) {
        self.error += other.error;
        for (value, &n) in &other.counts {
            *self.counts.entry(value.clone()).or_insert(0) += n;
        }
        if self.counts.len() > CAPACITY {
            let mut counts: Vec<u64> = self.counts.values().copied().collect();
            counts.sort_unstable_by(|a, b| b.cmp(a));
            self.take_off(counts[CAPACITY]);
        }
    }

    /// By how much a count may be too small.
    pub(super) fn error(&self) -> u64 {
        self.error
    }

    /// Values that are counted, and how often they occurred at least.
    pub(super) fn counts(&self) -> impl Iterator<Item = (&K, u64)> {
        self.counts.iter().map(|(value, &count)| (value, count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_common_value_among_many_is_found() {
        let mut frequent = Frequent::<u64>::default();
        for i in 0..100_000_u64 {
            frequent.add(&if i % 10 == 0 { 7 } else { i + 1_000 }, 1);
        }
        let (value, count) = frequent.counts().max_by_key(|&(_, count)| count).unwrap();
        assert_eq!(*value, 7);
        assert!(count <= 10_000 && count + frequent.error() >= 10_000, "{count}, {}", frequent.error());
        assert!(frequent.error() <= 100_000 / 256);
    }

    #[test]
    fn merging_keeps_the_bound() {
        let (mut one, mut other) = (Frequent::<String>::default(), Frequent::<String>::default());
        for i in 0..20_000 {
            let name = if i % 4 == 0 { "a".into() } else { format!("{i}") };
            if i < 10_000 { one.add(name.as_str(), 1) } else { other.add(name.as_str(), 1) }
        }
        one.merge(&other);
        let count = one.counts().find(|(value, _)| *value == "a").map_or(0, |(_, count)| count);
        assert!(count <= 5_000 && count + one.error() >= 5_000, "{count}, {}", one.error());
        assert!(one.counts().count() <= CAPACITY);
    }
}
