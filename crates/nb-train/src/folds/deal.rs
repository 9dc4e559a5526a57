//! Which fold a row is in.

use std::collections::BTreeMap;

use nb_table::hash::{fnv_1a, mix};

use crate::times::Times;

/// The number of folds.
pub(super) const FOLDS: usize = 5;

/// Deals rows to the folds by what they hold, so that their order does not matter; those of a group to one
/// fold.
#[derive(Clone, Debug)]
pub(super) struct Dealer {
    seed: u64,
    /// How many rows of each class there were.
    seen: BTreeMap<String, u64>,
    times: Times,
}

impl Dealer {
    pub(super) fn new(seed: u64) -> Self {
        Self { seed, seen: BTreeMap::new(), times: Times::default() }
    }

    /// One that deals the same rows in the same way, from the first on.
    pub(super) fn again(&self) -> Self {
        Self::new(self.seed)
    }

    /// The classes so far, in order.
    pub(super) fn classes(&self) -> impl ExactSizeIterator<Item = &String> {
        self.seen.keys()
    }

    /// How many rows there were.
    pub(super) fn n_rows(&self) -> u64 {
        self.seen.values().sum()
    }

    /// The folds of the next rows, which have hashes of what they hold, and perhaps groups.
    pub(super) fn deal(&mut self, labels: &[String], keys: &[u64], groups: Option<&[String]>) -> Vec<usize> {
        for label in labels {
            match self.seen.get_mut(label) {
                Some(n) => *n += 1,
                None => drop(self.seen.insert(label.clone(), 1)),
            }
        }
        let fold = |key: u64| (mix(key ^ mix(self.seed)) % FOLDS as u64) as usize;
        if let Some(groups) = groups {
            // A row without a group is its own group.
            let of_row = |(group, &key): (&String, &u64)| {
                fold(if group.is_empty() { key } else { fnv_1a(group.as_bytes()) })
            };
            return groups.iter().zip(keys).map(of_row).collect();
        }
        // Equal rows are dealt one after the other.
        keys.iter().map(|&key| (fold(key) + self.times.next(key) as usize) % FOLDS).collect()
    }

    /// Whether a row with this key is one of one in `every`.
    pub(super) fn is_one_of(&self, every: u64, key: u64) -> bool {
        mix(key.wrapping_add(self.seed)).is_multiple_of(every)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_dealt_by_what_they_hold() {
        let labels: Vec<String> = (0..1000).map(|row| ["a", "b", "b"][row % 3].to_owned()).collect();
        let keys: Vec<u64> = (0..1000).map(|row| mix(row % 900)).collect();
        let folds = Dealer::new(7).deal(&labels, &keys, None);
        for fold in 0..FOLDS {
            assert!((150..250).contains(&folds.iter().filter(|&&own| own == fold).count()));
        }
        assert!((0..100).all(|row| folds[row] != folds[row + 900]), "equal rows are in different folds");
        // The same in pieces and backwards, and otherwise with another seed.
        let mut dealer = Dealer::new(7);
        let mut in_pieces = dealer.deal(&labels[..17], &keys[..17], None);
        in_pieces.extend(dealer.deal(&labels[17..], &keys[17..], None));
        assert_eq!(in_pieces, folds);
        assert_eq!(dealer.again().deal(&labels, &keys, None), folds);
        let backwards: Vec<u64> = keys.iter().rev().copied().collect();
        let mut found = Dealer::new(7).deal(&labels, &backwards, None);
        found.reverse();
        assert_eq!(found[100..900], folds[100..900]);
        assert_ne!(Dealer::new(8).deal(&labels, &keys, None), folds);
    }

    #[test]
    fn rows_of_a_group_are_in_one_fold() {
        let groups: Vec<String> = (0..1000).map(|row| format!("patient {}", row % 50)).collect();
        let keys: Vec<u64> = (0..1000).map(mix).collect();
        let folds = Dealer::new(0).deal(&groups, &keys, Some(&groups));
        assert!((50..1000).all(|row| folds[row] == folds[row % 50]));
        assert!((0..FOLDS).all(|fold| folds.contains(&fold)));
    }

    #[test]
    fn one_row_in_a_number_is_chosen() {
        let dealer = Dealer::new(0);
        let chosen = (0..10_000).filter(|&number| dealer.is_one_of(10, number)).count();
        assert!((900..1100).contains(&chosen), "{chosen}");
        assert!((0..100).all(|number| dealer.is_one_of(1, number)));
    }
}
