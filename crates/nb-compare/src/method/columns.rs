//! How a kind of column is modelled, as a design says it.

use nb_core::{
    Bernoulli, Chosen, Complement, Gaussian, Missing, Multinomial, Poisson, Smoothing, VarianceEstimator,
    VarianceSmoothing,
};
use nb_linear::SharedGaussian;
use nb_variants::{Bandwidth, Binned, Cuts, KernelDensity, PowerTransform, Transform, Transformed};
use ndarray::Array2;
use serde::{Deserialize, Serialize};

use crate::method::{MethodError, family::Family, parts::chosen};

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
    /// Kernel densities (John and Langley 1995) on a grid.
    Kernel {
        /// How wide the kernels are.
        #[serde(default)]
        bandwidth: KernelWidth,
        /// The number of points of the grid of each column.
        #[serde(default = "points")]
        points: usize,
    },
    /// A normal distribution of the logarithm, for positive numbers.
    LogNormal {
        /// A variance is at least this share of the variance of its column.
        #[serde(default = "floor")]
        floor: f64,
    },
    /// A normal distribution after the transform of Yeo and Johnson (2000), with a power learnt for each column.
    Power {
        /// A variance is at least this share of the variance of its column.
        #[serde(default = "floor")]
        floor: f64,
    },
    /// Bins as categories.
    Binned {
        /// How the bins are found.
        #[serde(default)]
        bins: Discretisation,
        /// The pseudo-count of each bin.
        #[serde(default = "one")]
        l: f64,
    },
}

/// How wide the kernels of a density are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum KernelWidth {
    /// Silverman's rule of thumb.
    #[default]
    Silverman,
    /// One divided by the root of the number of rows of the class.
    JohnLangley,
    /// A number, in the unit of the columns.
    Fixed(f64),
}

/// How numbers become bins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Discretisation {
    /// By the description length of the classes (Fayyad and Irani 1993).
    #[default]
    Mdl,
    /// So many bins with about as many training rows each.
    EqualFrequency(usize),
    /// So many bins of the same width.
    EqualWidth(usize),
    /// As many bins as each has training rows (Yang and Webb 2009).
    Proportional,
}

fn points() -> usize {
    KernelDensity::POINTS
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
        matches!(self, Self::Kernel { .. } | Self::Power { .. } | Self::Binned { .. })
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
    /// If an option is out of range, or there is nothing to learn from.
    pub(crate) fn family(&self, columns: &[usize], training: Training<'_>) -> Result<Family, MethodError> {
        let missing = Missing::Skip;
        let smoothing = |l| Smoothing::new(l).map_err(MethodError::failed);
        Ok(match *self {
            Self::Gaussian { floor, unbiased } => Family::density(gaussian(floor, unbiased)),
            Self::SharedGaussian { floor } => Family::density(SharedGaussian {
                smoothing: VarianceSmoothing::RelativeFloor(floor),
                missing,
                ..SharedGaussian::default()
            }),
            Self::Poisson { l } => Family::density(Poisson { smoothing: smoothing(l)?, missing }),
            Self::Bernoulli { l, threshold } => {
                Family::density(Bernoulli { threshold, smoothing: smoothing(l)?, missing })
            }
            Self::Multinomial { l } => Family::density(Multinomial { smoothing: smoothing(l)?, missing }),
            Self::Complement { l, normalize } => {
                Family::Complement(Complement { smoothing: smoothing(l)?, normalize, missing })
            }
            Self::Kernel { bandwidth, points } => {
                let grids = KernelDensity::for_rows(&training.block(columns), points, missing);
                let grids = grids.map_err(MethodError::failed)?;
                Family::density(KernelDensity { bandwidth: bandwidth.into(), ..grids })
            }
            Self::LogNormal { floor } => Family::density(Transformed {
                gaussian: gaussian(floor, false),
                ..Transformed::new(vec![Transform::Log; columns.len()])
            }),
            Self::Power { floor } => {
                let (rows, transform) = (training.block(columns), PowerTransform::YeoJohnson);
                let learnt = Transformed::learn(&rows, training.labels, transform, missing);
                let gaussian = gaussian(floor, false);
                Family::density(Transformed { gaussian, ..learnt.map_err(MethodError::failed)? })
            }
            Self::Binned { bins, l } => Family::Binned(Binned {
                cuts: bins.cuts(&training.block(columns), training.labels)?,
                smoothing: smoothing(l)?,
                missing,
            }),
        })
    }
}

/// Normal distributions that leave missing cells out.
fn gaussian(floor: f64, unbiased: bool) -> Gaussian {
    let estimator = if unbiased { VarianceEstimator::Unbiased } else { VarianceEstimator::MaximumLikelihood };
    Gaussian { estimator, smoothing: VarianceSmoothing::RelativeFloor(floor), missing: Missing::Skip }
}

impl From<KernelWidth> for Bandwidth {
    fn from(width: KernelWidth) -> Self {
        match width {
            KernelWidth::Silverman => Self::Silverman,
            KernelWidth::JohnLangley => Self::JohnLangley,
            KernelWidth::Fixed(width) => Self::Fixed(width),
        }
    }
}

impl Discretisation {
    /// Cut points for training rows.
    pub(crate) fn cuts(self, rows: &Array2<f64>, labels: &[usize]) -> Result<Cuts, MethodError> {
        let cuts = match self {
            Self::Mdl => Cuts::mdl(rows, labels),
            Self::EqualFrequency(n_bins) => Cuts::equal_frequency(rows, n_bins),
            Self::EqualWidth(n_bins) => Cuts::equal_width(rows, n_bins),
            Self::Proportional => Cuts::proportional(rows),
        };
        cuts.map_err(MethodError::failed)
    }
}

impl<'a> Training<'a> {
    /// The training rows.
    pub(crate) fn chosen(&self) -> Result<Chosen<'a, Array2<f64>>, MethodError> {
        chosen(self.x, self.rows)
    }

    /// Some columns of the training rows.
    pub(crate) fn block(&self, columns: &[usize]) -> Array2<f64> {
        let cell = |(row, column): (usize, usize)| self.x[[self.rows[row], columns[column]]];
        Array2::from_shape_fn((self.rows.len(), columns.len()), cell)
    }
}
