//! Which fold a row is in.

use std::collections::BTreeMap;

use crate::Keys;

/// The number of folds.
pub(super) const FOLDS: usize = 5;

/// Deals the rows of each class to the folds: of five rows that follow each other, each to another fold, in an order that depends on
/// the seed, so that no order of the rows matters.
#[derive(Clone, Debug)]
pub(super) struct Dealer {
    seed: u64,
    keys: Keys,
    /// How many rows of each class there were.
    seen: BTreeMap<String, u64>,
}

impl Dealer {
    pub(super) fn new(seed: u64) -> Self {
        Self { seed, keys: Keys::new(seed), seen: BTreeMap::new() }
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

    /// The folds of the next rows.
    pub(super) fn deal(&mut self, labels: &[String]) -> Vec<usize> {
        let mut folds = Vec::with_capacity(labels.len());
        for label in labels {
            let n = match self.seen.get_mut(label) {
                Some(n) => n,
                None => self.seen.entry(label.clone()).or_default(),
            };
            let mut order: [usize; FOLDS] = std::array::from_fn(|fold| fold);
            let mut random = self.keys.of_text(label, *n / FOLDS as u64);
            for last in (1..FOLDS).rev() {
                order.swap(last, (random % (last as u64 + 1)) as usize);
                random /= last as u64 + 1;
            }
            folds.push(order[(*n % FOLDS as u64) as usize]);
            *n += 1;
        }
        folds
    }

    /// Whether a row is one of one in `every`, by its number.
    pub(super) fn is_one_of(&self, every: u64, number: u64) -> bool {
        every == 1 || self.keys.of_text("", number).is_multiple_of(every)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_class_are_dealt_evenly_and_in_no_order() {
        let labels: Vec<String> = (0..1000).map(|row| ["a", "b", "b"][row % 3].to_owned()).collect();
        let folds = Dealer::new(7).deal(&labels);
        for class in ["a", "b"] {
            let own: Vec<usize> =
                (0..1000).filter(|&row| labels[row] == class).map(|row| folds[row]).collect();
            for five in own.chunks_exact(FOLDS) {
                let mut five = five.to_vec();
                five.sort_unstable();
                assert_eq!(five, [0, 1, 2, 3, 4]);
            }
            assert!(own[..FOLDS] != own[FOLDS..2 * FOLDS] || own[..FOLDS] != own[2 * FOLDS..3 * FOLDS]);
        }
        // The same in pieces, and otherwise with another seed.
        let mut dealer = Dealer::new(7);
        let mut in_pieces = dealer.deal(&labels[..17]);
        in_pieces.extend(dealer.deal(&labels[17..]));
        assert_eq!(in_pieces, folds);
        assert_eq!(dealer.again().deal(&labels), folds);
        assert_ne!(Dealer::new(8).deal(&labels), folds);
    }

    #[test]
    fn one_row_in_a_number_is_chosen() {
        let dealer = Dealer::new(0);
        let chosen = (0..10_000).filter(|&number| dealer.is_one_of(10, number)).count();
        assert!((900..1100).contains(&chosen), "{chosen}");
        assert!((0..100).all(|number| dealer.is_one_of(1, number)));
    }
}
