//! The family of bins and categories that weights and corrections were learnt for.

use std::collections::BTreeMap;

use nb_core::{Blocks, Categorical, Categories, Missing, Multinomial, Smoothing, Unseen, error::LayoutError};
use nb_discriminative::{ColumnKind, Learnt};
use nb_variants::{Binned, Cuts, CutsError, Grouped};

use super::Family;

/// Why no family can be made of cut points and pseudo-counts.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LearntFamilyError {
    /// The cut points are invalid.
    #[error(transparent)]
    Cuts(#[from] CutsError),
    /// A pseudo-count is out of its range.
    #[error(transparent)]
    Layout(#[from] LayoutError),
}

impl Family {
    /// Bins for numbers, categories or groups of them for categories, and a multinomial family for the terms
    /// of each text, with the cut points and pseudo-counts of `learnt`. Missing cells and unseen
    /// categories are skipped.
    ///
    /// ```
    /// use nb_discriminative::{ColumnKind, Learner};
    /// use nb_io::Family;
    /// use ndarray::array;
    ///
    /// let rows = array![[1.0, 0.0], [2.0, 1.0], [3.0, 0.0], [7.0, 2.0], [8.0, 1.0], [9.0, 2.0]];
    /// let features = [ColumnKind::Numbers, ColumnKind::Categories(3)];
    /// let learnt = Learner::default().learn(&rows, &features, &[0, 0, 0, 1, 1, 1], 2)?;
    /// let family = Family::of_learnt(&features, &learnt)?;
    /// assert!(matches!(family, Family::Blocks(_)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LearntFamilyError`] if cut points or pseudo-counts were changed to invalid ones.
    pub fn of_learnt(features: &[ColumnKind], learnt: &Learnt) -> Result<Self, LearntFamilyError> {
        let (mut numbers, mut categories, mut grouped) = (Vec::new(), Vec::new(), Vec::new());
        let (mut texts, mut ignored) = (BTreeMap::<usize, Vec<usize>>::new(), Vec::new());
        for (place, feature) in features.iter().enumerate() {
            match feature {
                ColumnKind::Categories(n_categories) => categories.push((place, *n_categories)),
                ColumnKind::Grouped(n_categories) => grouped.push((place, *n_categories)),
                ColumnKind::Term(text) => texts.entry(*text).or_default().push(place),
                ColumnKind::Numbers => numbers.push(place),
                _ => ignored.push(place),
            }
        }
        let smoothing = |places: &[usize]| {
            Smoothing::per_feature(places.iter().map(|&place| learnt.pseudo_counts[place]).collect())
        };
        let mut blocks = Blocks::default();
        if !numbers.is_empty() {
            let cuts = Cuts::new(numbers.iter().map(|&place| learnt.cuts[place].clone()).collect())?;
            let binned = Binned { cuts, smoothing: smoothing(&numbers)?, missing: Missing::Skip };
            blocks = blocks.with_same(numbers, Self::Binned(binned));
        }
        for (columns, is_grouped) in [(categories, false), (grouped, true)] {
            if columns.is_empty() {
                continue;
            }
            let (places, n_levels): (Vec<usize>, Vec<usize>) = columns.into_iter().unzip();
            let counts = Categorical {
                categories: Categories::Declared(n_levels),
                smoothing: smoothing(&places)?,
                missing: Missing::Skip,
                unseen: Unseen::Ignore,
            };
            let family: Self = if is_grouped { Grouped::new(counts).into() } else { counts.into() };
            blocks = blocks.with_same(places, family);
        }
        for places in texts.into_values() {
            let smoothing = Smoothing::new(learnt.pseudo_counts[places[0]])?;
            let multinomial = Multinomial { smoothing, missing: Missing::Skip };
            blocks = blocks.with_same(places, Self::Multinomial(multinomial));
        }
        Ok(Self::Blocks(blocks.ignore(ignored)))
    }
}
