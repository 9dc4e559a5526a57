//! Sums with noise: their merging, and what was spent.

use std::collections::BTreeSet;

use nb_core::{Blocks, Categorical, FeatureModel, Gaussian, SufficientStats, error::StatsError};

use crate::{Column, Design, MergeError, Spent, estimate::estimates};

/// Whether the same people can be in two releases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum People {
    /// Nobody has rows in both: each lost at most what the release that they are in has spent.
    Apart,
    /// Somebody may have rows in both, and lost what both have spent. If in doubt, this.
    Shared,
}

/// The sums of a table with noise: nothing of a row can be seen in them, beyond what the budget allows.
#[derive(Clone, Debug, PartialEq)]
pub struct NoisedSums<L> {
    pub(crate) design: Design<L>,
    /// By class, in steps of the grid: the weight, then the sums of the columns.
    pub(crate) sums: Vec<Vec<i64>>,
    /// The variances of the noise of these sums, which are the same for all classes.
    pub(crate) variances: Vec<f64>,
    pub(crate) spent: Spent,
    /// Random numbers of the releases that are in the sums.
    pub(crate) releases: BTreeSet<u128>,
}

impl<L: Ord + Clone> NoisedSums<L> {
    /// The design.
    pub fn design(&self) -> &Design<L> {
        &self.design
    }

    /// What was spent on each person, at most.
    pub fn spent(&self) -> Spent {
        self.spent
    }

    /// Random numbers of the releases that are in the sums.
    pub fn releases(&self) -> impl ExactSizeIterator<Item = u128> {
        self.releases.iter().copied()
    }

    /// The number of rows of each class, as far as it is known: with noise, and so perhaps negative.
    pub fn n_rows(&self) -> impl ExactSizeIterator<Item = (&L, i64)> {
        self.design.classes.iter().zip(self.sums.iter().map(|sums| sums.first().copied().unwrap_or(0)))
    }

    /// The standard deviation of the noise in [`n_rows`](Self::n_rows).
    pub fn n_rows_error(&self) -> f64 {
        self.variances.first().copied().unwrap_or(0.0).sqrt()
    }

    /// Adds the sums of other rows, with their noise. What was spent is [`Spent::or`] if the people are apart,
    /// and [`Spent::and`] if they are not.
    ///
    /// ```
    /// # use nb_private::{Budget, Column, Design, People};
    /// # use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
    /// # use ndarray::array;
    /// let design = Design::new(["ill", "well"], [Column::Categories { n: 2 }])?;
    /// # let mut rng = ChaCha20Rng::seed_from_u64(1);
    /// let budget = Budget::Pure { epsilon: 1.0 };
    /// let north = design.release(&array![[0.0], [1.0]], &["ill", "well"], budget, &mut rng)?;
    /// let south = design.release(&array![[1.0], [1.0]], &["ill", "ill"], budget, &mut rng)?;
    /// let mut both = north.clone();
    /// both.merge(&south, People::Apart)?;
    /// assert_eq!(both.spent().epsilon, 1.0);
    /// assert!(both.merge(&south, People::Shared).is_err()); // its rows are in `both` already
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`MergeError`] if the designs differ, or if a release is in both. Nothing was merged then.
    pub fn merge(&mut self, other: &Self, people: People) -> Result<(), MergeError> {
        if self.design != other.design {
            return Err(MergeError::Designs);
        }
        if let Some(&release) = self.releases.intersection(&other.releases).next() {
            return Err(MergeError::Twice { release });
        }
        let added = self.sums.iter().zip(&other.sums).map(|(own, others)| {
            own.iter().zip(others).map(|(own, other)| own.checked_add(*other)).collect::<Option<Vec<i64>>>()
        });
        self.sums = added.collect::<Option<Vec<_>>>().ok_or(MergeError::Overflow)?;
        for (own, other) in self.variances.iter_mut().zip(&other.variances) {
            *own += other;
        }
        self.spent = match people {
            People::Apart => self.spent.or(other.spent),
            People::Shared => self.spent.and(other.spent),
        };
        self.releases.extend(&other.releases);
        Ok(())
    }

    /// The family of the [statistics](Self::stats): Gaussian for numbers, categorical with its declared
    /// categories for the others. Hyper-parameters may be changed.
    pub fn model(&self) -> Blocks {
        let numbers = self.places(|column| matches!(column, Column::Number { .. }));
        let categories = self.places(|column| matches!(column, Column::Categories { .. }));
        let mut blocks = Blocks::new();
        if !numbers.is_empty() {
            blocks = blocks.with(numbers, Gaussian::default());
        }
        if !categories.is_empty() {
            let declared = self.design.columns.iter().filter_map(|column| match column {
                Column::Categories { n } => Some(*n),
                Column::Number { .. } => None,
            });
            let categorical = Categorical {
                categories: nb_core::Categories::Declared(declared.collect()),
                ..Categorical::default()
            };
            blocks = blocks.with(categories, categorical);
        }
        blocks
    }

    /// Statistics that go with [`model`](Self::model): weights, means, variances and counts as they are
    /// estimated from sums with noise of a known variance. Each is drawn towards its value for all classes, by
    /// as much as the noise is large beside the spread, and the variances of numbers include the doubt about
    /// their means, so that a model of nothing but noise has weak opinions. This uses the noised sums alone
    /// and spends nothing.
    ///
    /// # Errors
    /// [`StatsError`] if numbers are too large to be squared.
    pub fn stats(&self) -> Result<SufficientStats<L>, StatsError> {
        self.stats_for(&self.model())
    }

    /// The same for another family with the sums of [`model`](Self::model): of numbers alone for one that has
    /// the sums of [`Gaussian`], and of categories alone for one that has those of [`Categorical`].
    ///
    /// ```
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # use nb_private::{Budget, Column, Design};
    /// # use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
    /// # use ndarray::array;
    /// let design = Design::new(["ill", "well"], [Column::Number { low: 35.0, high: 42.0 }])?;
    /// # let mut rng = ChaCha20Rng::seed_from_u64(1);
    /// let budget = Budget::Pure { epsilon: 1.0 };
    /// let sums = design.release(&array![[39.0], [36.8]], &["ill", "well"], budget, &mut rng)?;
    /// let stats = sums.stats_for(&Gaussian::default())?;
    /// assert_eq!(NaiveBayes::new(Gaussian::default()).fit_stats(&stats)?.classes(), ["ill", "well"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`stats`](Self::stats), and if the family has other sums.
    pub fn stats_for<M: FeatureModel>(&self, model: &M) -> Result<SufficientStats<L>, StatsError> {
        let classes = self.design.classes.iter().cloned().zip(estimates(self));
        let classes = classes.map(|(label, class)| class.into_parts(label, &self.design.columns));
        SufficientStats::from_parts(model, self.design.columns.len(), classes)
    }

    fn places(&self, is_one: impl Fn(&Column) -> bool) -> Vec<usize> {
        let columns = self.design.columns.iter().enumerate();
        columns.filter(|(_, column)| is_one(column)).map(|(place, _)| place).collect()
    }
}
