//! Calibrated probabilities: maps from the scores of a classifier to posteriors that are right as often as
//! they say, and decisions by them.
//!
//! # Should I be using this crate?
//!
//! Yes, if you use posteriors, and not only labels. Naive Bayes counts dependent columns as if each were new
//! evidence, so that its posteriors are too close to 0 and 1 (Domingos and Pazzani (1997), *On the optimality
//! of the simple Bayesian classifier under zero-one loss*, Machine Learning 29); its labels suffer less.
//! [`Calibrated`] is a naive Bayes classifier of `nb-core` with posteriors that were corrected on rows held
//! out. The [`Calibrator`]s take log-posteriors from any model. Measure before and after with `nb-metrics`
//! (log-loss, calibration error, reliability diagrams) on rows that neither has seen.
//!
//! ```
//! use nb_calibration::{Calibrated, Calibration};
//! use nb_core::{Gaussian, NaiveBayes};
//!
//! let pima = nb_datasets::load("pima2")?;
//! let x = pima.matrix(&["glucose", "mass", "age", "pregnant"])?;
//! let gaussian = Gaussian { missing: nb_core::Missing::Skip, ..Gaussian::default() };
//! let classifier = Calibrated::new(NaiveBayes::new(gaussian), Calibration::Temperature, 10).fit(&x, &pima.y())?;
//! let posteriors = classifier.predict_proba(&x)?;
//! assert!((posteriors.row(0).sum() - 1.0).abs() < 1e-15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which calibration?
//!
//! | | parameters | changes | choose it |
//! | --- | --- | --- | --- |
//! | [`Temperature`] | 1 | how sure the model is, no label | with few rows or many classes; first |
//! | [`Platt`] | 2 per class | also the bias towards a class | if the model also leans to one class |
//! | [`Isotonic`] | as many as the rows support | any map that does not fall | with some 1000 rows or more |
//!
//! Niculescu-Mizil and Caruana (2005), *Predicting good probabilities with supervised learning*, ICML,
//! 625-632, found isotonic regression better than Platt's sigmoid for naive Bayes from about 1000 rows on,
//! and worse with fewer. A temperature and a sigmoid are one line for all scores, so that a few rows whose
//! true class is worse by thousands than another one pull them towards saying nothing; isotonic regression
//! sees only that such rows are at the ends. [`Calibration`] chooses among them at run time.
//!
//! # Scores
//!
//! Maps are fitted to and applied to log-posteriors, `n_rows × n_classes` in natural logarithms, and answer
//! with such; nothing leaves log space, so that rows of which a model is very sure keep their order and
//! digits. The scores must be of rows that the model has not seen: from a part that was held out, or from
//! cross-validation ([`HeldOutScores`]), which uses all rows.
//!
//! ```
//! use nb_calibration::{CalibrationMap, Calibrator, Isotonic};
//! use ndarray::array;
//!
//! let held_out = array![[-0.1_f64, -2.4], [-0.1, -2.4], [-0.1, -2.4], [-3.0, -0.05], [-3.0, -0.05]];
//! let map = Isotonic::default().fit(held_out.view(), &[0, 1, 0, 1, 1], None)?;
//! let mut scores = array![[-0.1, -2.4], [-9.0, -1e-4]];
//! map.apply(scores.view_mut())?;
//! assert!((scores[[0, 1]].exp() - 2.0 / 5.0).abs() < 1e-15); // one of three, by the rule of succession
//! assert!((scores[[1, 1]].exp() - 3.0 / 4.0).abs() < 1e-15); // two of two
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Decisions
//!
//! A [`Decision`] makes labels of posteriors where mistakes do not all cost the same: by weights, a matrix of
//! costs or a threshold ([`DecisionRule`]), with rows that are left undecided ([`Abstention`]), or with sets
//! of labels that have the true one with a probability that is chosen ([`PredictionSets`]).
//!
//! What is fitted does not depend on the order of the rows, in any bit: sums over rows are exact. No answer
//! is NaN, and none is clipped: where there is no best map, there is an error that says why.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod calibrated;
mod calibration;
mod calibrator;
mod decision;
mod error;
mod held_out;
mod isotonic;
mod one_against_rest;
mod platt;
mod rows;
mod softmax;
mod temperature;

pub use calibrated::{Calibrated, CalibratedClassifier};
pub use calibration::{Calibration, FittedCalibration};
pub use calibrator::{CalibrationMap, Calibrator};
pub use decision::{Abstention, Decision, DecisionError, DecisionRule, PredictionSets};
pub use error::{ApplyError, CalibratedError, CalibrationError, HeldOutError, StepsError};
pub use held_out::HeldOutScores;
pub use isotonic::{Ends, FittedIsotonic, Isotonic, IsotonicStep};
pub use platt::{FittedPlatt, Platt, Sigmoid};
pub use temperature::{FittedTemperature, Temperature};

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
