//! Classifiers fitted by scikit-learn.
//!
//! Three lines write the parameters of a fitted `GaussianNB`, `MultinomialNB`, `BernoulliNB`, `ComplementNB`
//! or `CategoricalNB` to an archive:
//!
//! ```python
//! import numpy
//! lists = {f"feature_log_prob_.{i}": t for i, t in enumerate(getattr(model, "feature_log_prob_", [])) if isinstance(model.feature_log_prob_, list)}
//! numpy.savez("model.npz", estimator=type(model).__name__, labels=model.classes_.astype(str), binarize=getattr(model, "binarize", None) or 0.0, **lists, **{k: v for k, v in vars(model).items() if isinstance(v, numpy.ndarray) and v.dtype != object})
//! ```
//!
//! and [`read`] makes a classifier of them:
//!
//! ```no_run
//! let classifier = nb_io::sklearn::read("model.npz", nb_io::Limits::default())?;
//! println!("{:?}", classifier.predict(&ndarray::array![[5.1, 3.5, 1.4, 0.2]])?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Labels become texts, and classes are in the order of these. The archive has parameters and no evidence, so
//! that such a classifier can predict and explain, but not be updated.

use std::{collections::BTreeMap, path::Path};

use nb_core::{
    Classifier, Missing, Unseen,
    error::ParameterError,
    fitted::{FittedBernoulli, FittedCategorical, FittedComplement, FittedGaussian, FittedMultinomial},
};
use ndarray::{Array2, Axis};

use crate::{
    FittedFamily, Limits,
    read::{NpyArray, ReadError, read_npz},
};

/// Why an archive is not a classifier.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SklearnError {
    /// The archive could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The archive lacks an array.
    #[error("the archive has no array {name:?}; write it with the lines in the documentation of this module")]
    NoArray {
        /// The name of the array.
        name: String,
    },
    /// An array has elements or a shape that it should not have.
    #[error("the array {name:?} is not {expected}")]
    Array {
        /// The name of the array.
        name: String,
        /// What it should be.
        expected: &'static str,
    },
    /// The estimator is not a naive Bayes estimator.
    #[error("{found:?} is not one of GaussianNB, MultinomialNB, BernoulliNB, ComplementNB and CategoricalNB")]
    Estimator {
        /// The name of the estimator.
        found: String,
    },
    /// The parameters are not those of a classifier.
    #[error(transparent)]
    Parameters(#[from] ParameterError),
}

/// The classifier in an archive.
///
/// # Errors
/// [`SklearnError`] names what is wrong with the archive.
pub fn read(
    path: impl AsRef<Path>,
    limits: Limits,
) -> Result<Classifier<String, FittedFamily>, SklearnError> {
    let arrays = Arrays(read_npz(path, limits)?);
    let estimator = arrays.texts("estimator")?.first().cloned().unwrap_or_default();
    let labels = arrays.texts("labels")?;
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order.sort_by_key(|&class| &labels[class]);
    let table = |name: &str| arrays.matrix(name, labels.len()).map(|table| table.select(Axis(0), &order));
    let missing = Missing::Error;
    let (n_columns, fitted) = match estimator.as_str() {
        "GaussianNB" => {
            let (means, variances) = (table("theta_")?, table("var_")?);
            let fitted = FittedGaussian::new(&means.view(), &variances.view(), missing)?;
            (means.ncols(), FittedFamily::Gaussian(fitted))
        }
        "MultinomialNB" => {
            let logs = table("feature_log_prob_")?;
            (logs.ncols(), FittedFamily::Multinomial(FittedMultinomial::new(logs, missing)?))
        }
        "ComplementNB" => {
            let weights = table("feature_log_prob_")?;
            (weights.ncols(), FittedFamily::Complement(FittedComplement::new(weights, missing)?))
        }
        "BernoulliNB" => {
            let logs = table("feature_log_prob_")?;
            let threshold = arrays.numbers("binarize")?.first().copied().unwrap_or(0.0);
            let complements = logs.mapv(log_complement);
            let n_columns = logs.ncols();
            (n_columns, FittedFamily::Bernoulli(FittedBernoulli::new(threshold, logs, complements, missing)?))
        }
        "CategoricalNB" => {
            let names = (0..).map(|column| format!("feature_log_prob_.{column}"));
            let tables = names.take_while(|name| arrays.0.contains_key(name)).map(|name| table(&name));
            // By category, then class.
            let tables = tables.map(|table| table.map(|table| table.t().as_standard_layout().to_owned()));
            let tables = tables.collect::<Result<Vec<_>, _>>()?;
            (tables.len(), FittedFamily::Categorical(FittedCategorical::new(tables, Unseen::Error, missing)?))
        }
        _ => return Err(SklearnError::Estimator { found: estimator }),
    };
    let log_prior = match estimator.as_str() {
        "GaussianNB" => arrays.numbers("class_prior_")?.iter().map(|prior| prior.ln()).collect(),
        // The complement model of scikit-learn has no prior.
        "ComplementNB" => vec![0.0; labels.len()],
        _ => arrays.numbers("class_log_prior_")?.to_vec(),
    };
    let in_order = |position: &usize| log_prior.get(*position).copied().unwrap_or(f64::NAN);
    let log_prior = order.iter().map(in_order).collect();
    let classes = order.iter().map(|&class| labels[class].clone()).collect();
    Ok(Classifier::from_parts(classes, log_prior, fitted, n_columns)?)
}

/// `log(1 - exp(log))` without loss on either side (Mächler 2012, *Accurately computing log(1 - exp(-|a|))*).
fn log_complement(log: f64) -> f64 {
    if log > -std::f64::consts::LN_2 { (-log.exp_m1()).ln() } else { (-log.exp()).ln_1p() }
}

/// The arrays of an archive.
struct Arrays(BTreeMap<String, NpyArray>);

impl Arrays {
    fn get(&self, name: &str) -> Result<&NpyArray, SklearnError> {
        self.0.get(name).ok_or_else(|| SklearnError::NoArray { name: name.into() })
    }

    fn texts(&self, name: &str) -> Result<&[String], SklearnError> {
        let wrong = || SklearnError::Array { name: name.into(), expected: "an array of texts" };
        self.get(name)?.texts().ok_or_else(wrong)
    }

    fn numbers(&self, name: &str) -> Result<&[f64], SklearnError> {
        let wrong = || SklearnError::Array { name: name.into(), expected: "an array of numbers" };
        self.get(name)?.numbers().ok_or_else(wrong)
    }

    /// A table with a row for each class.
    fn matrix(&self, name: &str, n_classes: usize) -> Result<Array2<f64>, SklearnError> {
        let expected = "a table of numbers with one row for each class";
        let wrong = || SklearnError::Array { name: name.into(), expected };
        let numbers = self.numbers(name)?;
        let [n_rows, n_columns] = self.get(name)?.shape[..] else { return Err(wrong()) };
        if n_rows != n_classes {
            return Err(wrong());
        }
        Array2::from_shape_vec((n_rows, n_columns), numbers.to_vec()).map_err(|_| wrong())
    }
}
