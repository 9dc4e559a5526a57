//! What families have as variants: categories, codes of cells, and the memory of their counts.

use std::cmp::Reverse;

use nb_core::{Categorical, Categories, error::LayoutError};
use nb_variants::PairCounts;

use super::Family;

/// The counts of several columns at once that a family keeps, and how much memory they take.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CodeMemory {
    /// The name of the family.
    pub family: &'static str,
    /// The features whose categories and bins are counted together.
    pub features: Vec<usize>,
    /// The number of categories and bins of these features together.
    pub n_codes: usize,
    /// The feature with the most of them, and how many it has.
    pub largest: Option<(usize, usize)>,
    /// The number of classes.
    pub n_classes: usize,
    /// What a count is of: `pairs`, `triples` or `combinations`, of values with their parents.
    pub of: &'static str,
    /// The number of counts of all classes together.
    pub n_counts: u64,
    /// The most counts that a class may have.
    pub most_per_class: u64,
    /// About how many bytes they and the tables fitted from them take, such as
    /// [`PairCounts::memory`](nb_variants::PairCounts::memory).
    pub bytes: u64,
}

impl CodeMemory {
    /// Whether a class has more counts than it may, whatever memory there is.
    pub fn is_too_many(&self) -> bool {
        self.n_counts > self.most_per_class.saturating_mul(self.n_classes as u64)
    }
}

impl Family {
    /// The family that counts categories, where the sums are the weights of categories: the categorical
    /// family itself, or that of groups of categories.
    ///
    /// ```
    /// use nb_core::Categories;
    /// use nb_io::Registry;
    ///
    /// let families = Registry::default();
    /// assert_eq!(families.family("grouped")?.category_counts().unwrap().categories, Categories::Inferred);
    /// assert!(families.family("poisson")?.category_counts().is_none());
    /// # Ok::<(), nb_io::RegistryError>(())
    /// ```
    pub fn category_counts(&self) -> Option<&Categorical> {
        match self {
            Self::Categorical(counts) => Some(counts),
            family => family.variant()?.category_counts(),
        }
    }

    /// The same family with other categories, if it is one that [counts](Self::category_counts) them.
    #[must_use]
    pub fn with_categories(mut self, categories: Categories) -> Self {
        let counts = match &mut self {
            Self::Categorical(counts) => Some(counts),
            family => family.variant_mut().and_then(|variant| variant.category_counts_mut()),
        };
        if let Some(counts) = counts {
            counts.categories = categories;
        }
        self
    }

    /// How cells become codes and are smoothed, if the family is one of those whose columns depend on each
    /// other. These keep counts of pairs of columns, or learn from them which columns they keep counts
    /// of.
    ///
    /// ```
    /// use nb_io::Registry;
    ///
    /// assert!(Registry::default().family("poisson")?.pair_counts().is_none());
    /// # Ok::<(), nb_io::RegistryError>(())
    /// ```
    pub fn pair_counts(&self) -> Option<&PairCounts> {
        self.variant()?.pairs()
    }

    /// The same family with other codes of its columns, if it is one that [has](Self::pair_counts) them.
    pub(crate) fn with_pair_counts(mut self, new: PairCounts) -> Result<Self, LayoutError> {
        if let Some(variant) = self.variant_mut() {
            variant.set_pairs(new)?;
        }
        Ok(self)
    }

    /// The memory of the counts of several columns at once in a model of this family with this number of
    /// features and classes: one element for each block of features that depend on each other, and none
    /// for other families.
    ///
    /// ```
    /// use nb_io::Family;
    /// use nb_variants::{PairCounts, Tan};
    ///
    /// // Two columns with 2 and 3 categories: 5 · 6 / 2 = 15 pairs in each of two classes.
    /// let family = Family::Tan(Tan::new(PairCounts::new(vec![2, 3])));
    /// let memory = &family.code_memory(2, 2)[0];
    /// assert_eq!((memory.n_codes, memory.n_counts, memory.of, memory.largest), (5, 30, "pairs", Some((1, 3))));
    /// assert_eq!(memory.bytes, 2 * 8 * (15 + 2 * 15));
    /// ```
    pub fn code_memory(&self, n_features: usize, n_classes: usize) -> Vec<CodeMemory> {
        match self {
            Self::Blocks(blocks) => blocks
                .iter()
                .filter_map(|(features, family)| family.own_code_memory(features.to_vec(), n_classes))
                .collect(),
            family => family.own_code_memory((0..n_features).collect(), n_classes).into_iter().collect(),
        }
    }

    fn own_code_memory(&self, features: Vec<usize>, n_classes: usize) -> Option<CodeMemory> {
        let (variant, codings) = (self.variant()?, &self.pair_counts()?.codings);
        let counts = variant.code_counts(n_classes)?;
        let codes = |place: usize| codings.n_codes(place);
        let largest = (0..features.len()).max_by_key(|&place| (codes(place), Reverse(place)));
        Some(CodeMemory {
            family: self.description().name,
            n_codes: (0..features.len()).map(codes).sum(),
            largest: largest.map(|place| (features[place], codes(place))),
            n_classes,
            of: counts.of,
            n_counts: counts.per_class.saturating_mul(n_classes as u64),
            most_per_class: counts.most_per_class,
            bytes: counts.bytes,
            features,
        })
    }
}
