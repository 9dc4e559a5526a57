//! Relatives of naive Bayes: other densities for single columns, transformed and cut columns, columns that
//! depend on each other.
//!
//! # Should I be using this crate?
//!
//! Yes, to compare naive Bayes with its variants, or where a [`Gaussian`](nb_core::Gaussian) does not fit
//! numeric columns, or columns depend on each other too much for naive Bayes. Most variants are families of
//! nb-core ([`FeatureModel`](nb_core::FeatureModel)): their statistics are exact sums that stream, merge,
//! retract and fold, and they take part in [`Blocks`](nb_core::Blocks). What must be learnt from rows before
//! there are statistics (grids, powers, cuts) is a hyper-parameter of its own: learn it from the training
//! rows only, again in every fold.
//!
//! | columns | variant | source |
//! | --- | --- | --- |
//! | real numbers, any shape of distribution | [`KernelDensity`]: a normal kernel on every training value | John and Langley (1995); Silverman (1986) |
//! | real numbers, skewed | [`Transformed`]: Gaussian after a logarithm, Box-Cox or Yeo-Johnson transform | Box and Cox (1964); Yeo and Johnson (2000) |
//! | real numbers, cut into categories | [`Binned`] at [`Cuts`] of equal width or frequency, or by minimum description length, or the most probable ones by MODL | Dougherty, Kohavi and Sahami (1995); Fayyad and Irani (1993); Boullé (2006) |
//! | categories, many of them | [`Grouped`]: groups of categories with about the same proportions of the classes, by MODL ([`modl_groups`]) | Boullé (2005) |
//! | columns that depend on each other | [`Aode`]: averaged one-dependence estimators | Webb, Boughton and Wang (2005) |
//! | columns of which three depend on each other | [`A2de`]: averaged two-dependence estimators | Webb, Boughton, Zheng, Ting and Salem (2012) |
//! | columns that depend on each other, as a tree | [`Tan`]: tree-augmented naive Bayes | Friedman, Geiger and Goldszmidt (1997) |
//! | columns that depend on each other, each on up to `k` | [`Kdb`]: k-dependence Bayes | Sahami (1996) |
//! | probabilities with few rows, in these families and naive Bayes | [`HierarchicalDirichlet`]: each smoothed by those under fewer conditions | Petitjean, Buntine, Webb and Zaidi (2018) |
//! | columns that depend on each other, by a hidden parent each | [`Hnb`]: hidden naive Bayes | Zhang, Jiang and Su (2005) |
//! | columns that depend on each other, some more than others | [`Waode`]: weightily averaged one-dependence estimators | Jiang and Zhang (2006) |
//! | columns that depend on each other, with values that imply others | [`Aodesr`]: AODE with subsumption resolution | Zheng and Webb (2006) |
//! | columns of which some say more than others, or repeat others | [`AttributeWeighted`]: naive Bayes with weights of columns (CAWNB, RNB, CFW, AIWNB) | Jiang, Zhang, Yu and Wang (2019); Wang, Ren and Bai (2020); Jiang, Zhang, Li and Wu (2019); Zhang, Jiang and Yu (2021) |
//! | counts of words that come in bursts | [`DirichletMultinomial`]: each row has its own multinomial distribution | Madsen et al. (2005); Minka (2000) |
//! | counts of words | [`CountRatio`]: log-count ratios as weights of a linear classifier | Wang and Manning (2012) |
//!
//! ```
//! use nb_core::{Gaussian, Missing, NaiveBayes};
//! use nb_variants::{KernelDensity, PowerTransform, Transformed};
//! use ndarray::s;
//!
//! // Blood tests, most of them skewed; every other row is held out.
//! let liver = nb_datasets::load("liver")?;
//! let (x, y) = (liver.x(), liver.y());
//! let (train, test) = (x.slice(s![..;2, ..]), x.slice(s![1..;2, ..]));
//! let labels: Vec<&str> = y.iter().copied().step_by(2).collect();
//! let correct = |found: Vec<&str>| y.iter().skip(1).step_by(2).zip(&found).filter(|(a, b)| a == b).count();
//!
//! let gaussian = NaiveBayes::new(Gaussian::default()).fit(&train, &labels)?;
//! let kernel = KernelDensity::for_rows(&train, KernelDensity::POINTS, Missing::Error)?;
//! let kernel = NaiveBayes::new(kernel).fit(&train, &labels)?;
//! let power = Transformed::learn(&train, &labels, PowerTransform::YeoJohnson, Missing::Error)?;
//! let power = NaiveBayes::new(power).fit(&train, &labels)?;
//!
//! assert_eq!(test.nrows(), 172);
//! assert_eq!(correct(gaussian.predict(&test)?), 93);
//! assert_eq!(correct(kernel.predict(&test)?), 115);
//! assert_eq!(correct(power.predict(&test)?), 118);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Columns that depend on one another
//!
//! [`Aode`], [`Waode`], [`Aodesr`], [`Asaode`], [`Tan`] and [`Hnb`] keep the statistics of [`PairCounts`],
//! which also give naive Bayes, [`A2de`] those of three columns as well, and [`Kdb`] those of each column
//! with its parents. Their scores are no sums over columns, so that rows have labels and probabilities, but
//! no explanation by column ([`Likelihood::is_additive`](nb_core::Likelihood::is_additive)).
//!
//! # Missing values
//!
//! NaN is a missing cell: an error, or left out ([`Missing`](nb_core::Missing)), in learning as in fitting
//! and scoring.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod compensated;
mod count_ratio;
mod dependence;
mod dirichlet_multinomial;
mod discretise;
mod grouping;
mod hierarchical;
mod kernel;
mod ln_factorial;
#[doc(hidden)]
pub mod minimise;
mod observable;
mod preparation;
mod transform;
mod variant;
mod walk;

pub use count_ratio::{CountRatio, CountRatioClassifier, CountRatioError};
pub use dependence::{
    A2de, Aode, Aodesr, Asaode, AttributeWeighted, AttributeWeights, Codings, CommonWeights, EdgeScore,
    FittedA2de, FittedAode, FittedAodesr, FittedAsaode, FittedAttributeWeighted, FittedHnb, FittedKdb,
    FittedKdbEnsemble, FittedPairCounts, FittedTan, FittedWaode, Hnb, Kdb, KdbEnsemble, PairCounts, Parents,
    PseudoCounts, Tan, Waode, WeightRule,
};
pub use dirichlet_multinomial::{
    DirichletMultinomial, DirichletMultinomialClassifier, DirichletMultinomialError,
};
pub use discretise::{Binned, Cuts, CutsError, DiscretiseError, FittedBinned};
pub use grouping::{FittedGrouped, Grouped, modl_groups};
pub use hierarchical::HierarchicalDirichlet;
pub use kernel::{Bandwidth, FittedKernelDensity, Grid, GridError, KernelDensity};
pub use preparation::{BinRule, PowerRule, Preparation, PreparationError, RuleError};
pub use transform::{FittedTransformed, LambdaError, PowerTransform, Transform, Transformed, Units};
pub use variant::{CodeCounts, LearntError, LearntList, Variant};

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
