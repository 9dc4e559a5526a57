//! The family of bins and categories that weights and corrections were learnt for.

use nb_core::{Blocks, Categorical, Categories, Missing, Smoothing, Unseen, error::LayoutError};
use nb_discriminative::{Feature, Learnt};
use nb_variants::{Binned, Cuts, CutsError};

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
    /// Bins for numbers and categories for categories, with the cut points and pseudo-counts of `learnt`. Column `place` of the
    /// rows that it was learnt from is column `columns[place]` here, of `n_columns`; other columns are ignored. Missing
    /// cells and unseen categories are skipped.
    ///
    /// ```
    /// use nb_discriminative::{Feature, Learner};
    /// use nb_io::Family;
    /// use ndarray::array;
    ///
    /// let rows = array![[1.0, 0.0], [2.0, 1.0], [3.0, 0.0], [7.0, 2.0], [8.0, 1.0], [9.0, 2.0]];
    /// let features = [Feature::Numbers, Feature::Categories(3)];
    /// let learnt = Learner::default().learn(&rows, &features, &[0, 0, 0, 1, 1, 1], 2)?;
    /// let family = Family::of_learnt(&features, &learnt, &[0, 1], 2)?;
    /// assert!(matches!(family, Family::Blocks(_)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LearntFamilyError`] if cut points or pseudo-counts were changed to invalid ones.
    pub fn of_learnt(
        features: &[Feature],
        learnt: &Learnt,
        columns: &[usize],
        n_columns: usize,
    ) -> Result<Self, LearntFamilyError> {
        let (mut numbers, mut categories, mut n_levels) = (Vec::new(), Vec::new(), Vec::new());
        for (place, feature) in features.iter().enumerate() {
            if let Feature::Categories(n_categories) = feature {
                categories.push(place);
                n_levels.push(*n_categories);
            } else {
                numbers.push(place);
            }
        }
        let smoothing = |places: &[usize]| {
            Smoothing::per_feature(places.iter().map(|&place| learnt.pseudo_counts[place]).collect())
        };
        let own = |places: &[usize]| places.iter().map(|&place| columns[place]).collect::<Vec<_>>();
        let mut blocks = Blocks::default();
        if !numbers.is_empty() {
            let cuts = Cuts::new(numbers.iter().map(|&place| learnt.cuts[place].clone()).collect())?;
            let binned = Binned { cuts, smoothing: smoothing(&numbers)?, missing: Missing::Skip };
            blocks = blocks.with_same(own(&numbers), Self::Binned(binned));
        }
        if !categories.is_empty() {
            let categorical = Categorical {
                categories: Categories::Declared(n_levels),
                smoothing: smoothing(&categories)?,
                missing: Missing::Skip,
                unseen: Unseen::Ignore,
            };
            blocks = blocks.with_same(own(&categories), Self::Categorical(categorical));
        }
        let mut is_used = vec![false; n_columns];
        for &column in columns {
            is_used[column] = true;
        }
        let ignored = (0..n_columns).filter(|&column| !is_used[column]);
        Ok(Self::Blocks(blocks.ignore(ignored)))
    }
}
