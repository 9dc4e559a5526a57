//! The terms of sums that no double holds, of the few sums that have some.

use std::{collections::BTreeMap, ops::Range};

use crate::dyadic::Dyadic;

/// Numbers by index, except for zeros. Nearly always there are none, which takes one word.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::box_collection, reason = "a map takes three words and more to drop")]
pub(super) struct Wide(Option<Box<BTreeMap<usize, Dyadic>>>);

impl Wide {
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub(super) fn get(&self, index: usize) -> Option<&Dyadic> {
        self.0.as_ref()?.get(&index)
    }

    /// Adds a term.
    pub(super) fn add(&mut self, index: usize, term: &Dyadic) {
        let sum = self.get(index).map_or_else(|| term.clone(), |sum| sum + term);
        let sums = self.0.get_or_insert_default();
        if sum.is_zero() {
            sums.remove(&index);
        } else {
            sums.insert(index, sum);
        }
        if sums.is_empty() {
            self.0 = None;
        }
    }

    /// Those in a range, in order.
    #[inline]
    pub(super) fn range(&self, range: Range<usize>) -> impl Iterator<Item = (usize, &Dyadic)> + use<'_> {
        self.0.iter().flat_map(move |sums| sums.range(range.clone())).map(|(&index, sum)| (index, sum))
    }

    /// All, in order.
    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &Dyadic)> {
        self.range(0..usize::MAX)
    }
}

impl FromIterator<(usize, Dyadic)> for Wide {
    fn from_iter<I: IntoIterator<Item = (usize, Dyadic)>>(sums: I) -> Self {
        let sums: BTreeMap<usize, Dyadic> = sums.into_iter().filter(|(_, sum)| !sum.is_zero()).collect();
        Self((!sums.is_empty()).then(|| Box::new(sums)))
    }
}
