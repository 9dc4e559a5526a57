//! How a kind of column is modelled, as a design says it.

use nb_core::{
    Bernoulli, Complement, Gaussian, LayoutError, Missing, Multinomial, Poisson, Smoothing,
    VarianceEstimator, VarianceSmoothing,
};
use nb_linear::SharedGaussian;
use ndarray::Array2;
use serde::{Deserialize, Serialize};

use crate::{
    Chosen,
    method::{MethodError, family::Family},
};

/// A family for columns of numbers or counts, with its options. Missing cells are left out, in training and in answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "family", rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub enum ColumnModel {
    /// A normal distribution per class.
    Gaussian {
        /// A variance is at least this share of the variance of its column.
        #[serde(default = "floor")]
        floor: f64,
        /// Whether variances are divided by `n - 1`.
        #[serde(default)]
        unbiased: bool,
    },
    /// A normal distribution per class, with one variance for all classes.
    SharedGaussian {
        /// A variance is at least this share of the variance of its column.
        #[serde(default = "floor")]
        floor: f64,
    },
    /// Independent Poisson counts.
    Poisson {
        /// The pseudo-count.
        #[serde(default = "one")]
        l: f64,
    },
    /// Above a threshold or not.
    Bernoulli {
        /// The pseudo-count.
        #[serde(default = "one")]
        l: f64,
        /// The threshold.
        #[serde(default)]
        threshold: f64,
    },
    /// Counts of events of a fixed total.
    Multinomial {
        /// The pseudo-count.
        #[serde(default = "one")]
        l: f64,
    },
    /// The multinomial model of the other classes; its scores are no log-likelihoods.
    Complement {
        /// The pseudo-count.
        #[serde(default = "one")]
        l: f64,
        /// Whether the weights of each class are divided by the sum of their sizes.
        #[serde(default)]
        normalize: bool,
    },
}

pub(crate) fn floor() -> f64 {
    1e-9
}

pub(crate) fn one() -> f64 {
    1.0
}

/// Training rows, as far as a family may look at them before it sums them.
#[derive(Clone, Copy)]
pub(crate) struct Training<'a> {
    /// All rows of the table.
    pub(crate) x: &'a Array2<f64>,
    /// The numbers of the training rows.
    pub(crate) rows: &'a [usize],
    /// Their labels.
    pub(crate) labels: &'a [usize],
}

impl ColumnModel {
    /// Whether the family looks at training rows before it sums them, so that folds need sums of their own.
    pub(crate) fn learns(&self) -> bool {
        false
    }

    /// Whether it is for counts only.
    pub(crate) fn is_for_counts(&self) -> bool {
        matches!(
            self,
            Self::Poisson { .. }
                | Self::Bernoulli { .. }
                | Self::Multinomial { .. }
                | Self::Complement { .. }
        )
    }

    /// The family, with all that it learns before rows are summed.
    ///
    /// # Errors
    /// If an option is out of range.
    pub(crate) fn family(&self, columns: &[usize], training: Training<'_>) -> Result<Family, MethodError> {
        let _ = (columns, training);
        self.fixed().map_err(MethodError::failed)
    }

    fn fixed(&self) -> Result<Family, LayoutError> {
        let missing = Missing::Skip;
        Ok(match *self {
            Self::Gaussian { floor, unbiased } => Family::density(Gaussian {
                estimator: if unbiased {
                    VarianceEstimator::Unbiased
                } else {
                    VarianceEstimator::MaximumLikelihood
                },
                smoothing: VarianceSmoothing::RelativeFloor(floor),
                missing,
            }),
            Self::SharedGaussian { floor } => Family::density(SharedGaussian {
                smoothing: VarianceSmoothing::RelativeFloor(floor),
                missing,
                ..SharedGaussian::default()
            }),
            Self::Poisson { l } => {
                Family::density(Poisson { smoothing: Smoothing::new(l)?, missing, ..Poisson::default() })
            }
            Self::Bernoulli { l, threshold } => {
                Family::density(Bernoulli { threshold, smoothing: Smoothing::new(l)?, missing })
            }
            Self::Multinomial { l } => {
                Family::density(Multinomial { smoothing: Smoothing::new(l)?, missing })
            }
            Self::Complement { l, normalize } => {
                Family::Complement(Complement { smoothing: Smoothing::new(l)?, normalize, missing })
            }
        })
    }
}

impl<'a> Training<'a> {
    /// The training rows.
    pub(crate) fn chosen(&self) -> Result<Chosen<'a, Array2<f64>>, MethodError> {
        Chosen::new(self.x, self.rows).ok_or_else(|| MethodError::failed("a row number is none of the table"))
    }
}
