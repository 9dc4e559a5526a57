//! Naive Bayes classifiers from exact sums, in one crate.
//!
//! # Should I be using this crate?
//!
//! Yes, for a program of your own: it has the common types at its root, and every other part of the project
//! behind a feature, all of versions that fit together. A library that others build on takes less time to
//! compile, and has fewer dependencies to keep up with, if it depends on the parts that it needs: `nb-core`
//! to train and apply classifiers, `nb-io` to load model files. The types are the same. From a shell, use the
//! program `nbayes`.
//!
//! ```
//! use naive_bayes::{Gaussian, NaiveBayes, ndarray::array};
//!
//! let x = array![[5.1, 3.5], [4.9, 3.0], [7.0, 3.2], [6.4, 3.2]];
//! let y = ["setosa", "setosa", "versicolor", "versicolor"];
//! let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &y)?;
//! assert_eq!(classifier.predict(&array![[5.0, 3.3]])?, ["setosa"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which type for which data
//!
//! | columns | type | example |
//! | --- | --- | --- |
//! | measurements, about normal in each class | [`Gaussian`] | petal lengths |
//! | the same, with one variance for all classes: linear boundaries | `linear::SharedGaussian` | two groups of patients |
//! | measurements with many zeros | [`ZeroInflatedGaussian`] | rainfall |
//! | measurements of any shape | `variants::KernelDensity`, `variants::Transformed` | incomes |
//! | names, or codes `0, 1, 2, ...` | [`Categorical`] | outlook: sunny, overcast, rain |
//! | yes or no; words that occur or do not | [`Bernoulli`] | symptoms |
//! | counts that share a total | [`Multinomial`] | words of a text |
//! | the same, with classes of unequal size | [`Complement`] | a rare topic |
//! | counts of events, one by one | [`Poisson`], [`NegativeBinomial`] if they vary more than their mean | calls an hour |
//! | a text a row | `io::text`, which makes counts of terms | mails |
//! | different ones in one table | [`Blocks`], or `train`, which decides by itself | most tables |
//! | columns that depend on each other | `variants::Aode`, `variants::Tan` and their relatives, `discriminative::Refined` | most tables |
//!
//! # Features
//!
//! None is on by default.
//!
//! | feature | module | what |
//! | --- | --- | --- |
//! | | [`nb_core`] | all of the library: families, statistics, classifiers, errors, exact sums, traits for a family of your own |
//! | `linear` | `linear` | coefficients and decision boundary of linear families, shared-variance Gaussian, logistic regression |
//! | `io` | `io` | model files, svmlight files, text columns, import from scikit-learn, export to ONNX |
//! | `csv`, `gzip`, `npy`, `zstd`, `arrow` | `io::read` | more formats of data files, with `io` |
//! | `metrics` | `metrics` | accuracy, F1, log-loss, Brier score, AUC, calibration error, confusion matrix |
//! | `calibration` | `calibration` | temperature scaling, Platt's sigmoid, isotonic regression; decisions by costs and thresholds, prediction sets |
//! | `discriminative` | `discriminative` | weights of columns and corrections of bins by conditional likelihood |
//! | `private` | `private` | differentially private naive Bayes: sums with noise, and what was spent |
//! | `variants` | `variants` | kernel densities, power transforms, discretisation, AODE, log-count ratios |
//! | `significance` | `significance` | tests for comparing classifiers over folds, rows and data sets |
//! | `compare` | `compare` | variants compared on many data sets, with statistics and a report |
//! | `experiments` | `compare::experiment` | published experiments, beside learning curves and robustness |
//! | `report` | `report` | reports as HTML, Markdown and LaTeX |
//! | `sql` | `sql` | naive Bayes in plain SQL, with `io` |
//! | `table` | `table` | the tables of `io` alone: readers of data files, schemas, profiles |
//! | `train` | `train` | from a table to the best model of it, as `nbayes train` decides, with `io` |
//! | `datasets` | `datasets` | embedded data sets |
//! | `serde` | | hyper-parameters and results to and from formats that serde knows |
//! | `rayon` | | all cores; the results have the same bits |
//! | `full` | | all of these |
#![cfg_attr(docsrs, feature(doc_cfg))]

#[doc(inline)]
pub use nb_core::{
    self, Bernoulli, Blocks, Categorical, Classifier, Complement, Gaussian, Missing, Multinomial, NaiveBayes,
    NegativeBinomial, OnlineClassifier, Poisson, Predictor, Prior, Smoothing, Stream, SufficientStats,
    ZeroInflatedGaussian, ndarray,
};

#[cfg(feature = "calibration")]
pub use nb_calibration as calibration;
#[cfg(feature = "compare")]
pub use nb_compare as compare;
#[cfg(feature = "datasets")]
pub use nb_datasets as datasets;
#[cfg(feature = "discriminative")]
pub use nb_discriminative as discriminative;
#[cfg(feature = "io")]
pub use nb_io as io;
#[cfg(feature = "linear")]
pub use nb_linear as linear;
#[cfg(feature = "metrics")]
pub use nb_metrics as metrics;
#[cfg(feature = "private")]
pub use nb_private as private;
#[cfg(feature = "report")]
pub use nb_report as report;
#[cfg(feature = "significance")]
pub use nb_significance as significance;
#[cfg(feature = "sql")]
pub use nb_sql as sql;
#[cfg(feature = "table")]
pub use nb_table as table;
#[cfg(feature = "train")]
pub use nb_train as train;
#[cfg(feature = "variants")]
pub use nb_variants as variants;

/// The example of the README, run as a test.
#[cfg(all(doctest, feature = "full"))]
#[doc = include_str!("../README.md")]
struct Readme;
