//! How much memory counts of pairs take.

use std::cmp::Reverse;

use super::Family;

/// The counts of pairs that a family [keeps](Family::pair_counts), and how much memory they take.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PairMemory {
    /// The name of the family.
    pub family: &'static str,
    /// The features whose pairs are counted.
    pub features: Vec<usize>,
    /// The number of categories and bins of these features together.
    pub n_codes: usize,
    /// The feature with the most of them, and how many it has.
    pub largest: Option<(usize, usize)>,
    /// The number of classes.
    pub n_classes: usize,
    /// The number of counts of all classes together.
    pub n_counts: u64,
    /// About how many bytes they and the tables fitted from them take
    /// ([`PairCounts::memory`](nb_variants::PairCounts::memory)).
    pub bytes: u64,
}

impl Family {
    /// The memory of the counts of pairs in a model of this family with this number of features and classes: one element for each
    /// block of features that depend on each other, and none for other families.
    ///
    /// ```
    /// use nb_io::Family;
    /// use nb_variants::{PairCounts, Tan};
    ///
    /// // Two columns with 2 and 3 categories: 5 · 6 / 2 = 15 pairs in each of two classes.
    /// let family = Family::Tan(Tan::new(PairCounts::new(vec![2, 3])));
    /// let memory = &family.pair_memory(2, 2)[0];
    /// assert_eq!((memory.n_codes, memory.n_counts, memory.largest), (5, 30, Some((1, 3))));
    /// assert_eq!(memory.bytes, 2 * 8 * (15 + 2 * 15));
    /// ```
    pub fn pair_memory(&self, n_features: usize, n_classes: usize) -> Vec<PairMemory> {
        match self {
            Self::Blocks(blocks) => blocks
                .iter()
                .filter_map(|(features, family)| family.own_pair_memory(features.to_vec(), n_classes))
                .collect(),
            family => family.own_pair_memory((0..n_features).collect(), n_classes).into_iter().collect(),
        }
    }

    fn own_pair_memory(&self, features: Vec<usize>, n_classes: usize) -> Option<PairMemory> {
        let counts = self.pair_counts()?;
        let codes = |place: usize| counts.codings.n_codes(place);
        let largest = (0..features.len()).max_by_key(|&place| (codes(place), Reverse(place)));
        Some(PairMemory {
            family: self.description().name,
            n_codes: (0..features.len()).map(codes).sum(),
            largest: largest.map(|place| (features[place], codes(place))),
            n_classes,
            n_counts: counts.n_pairs().saturating_mul(n_classes as u64),
            bytes: counts.memory(n_classes),
            features,
        })
    }
}
