//! Measures of predictions.
//!
//! # Should I be using this crate?
//!
//! Yes, to say how good the answers of a classifier are, from labels and log-posteriors, whoever gave them:
//! accuracy with its interval, balanced accuracy, F1, log-loss, Brier score, AUC, calibration error and the
//! confusion matrix. It knows nothing of models. To compare models with each other, evaluate each on the same
//! rows.
//!
//! ```text
//!  truth, answer, log-posteriors, weight ──add──▶ Evaluation ──measures──▶ Measures
//!                                                   │  ▲  merge
//!                                                   ▼  │
//!                                                 other Evaluation
//! ```
//!
//! ```
//! use nb_metrics::Evaluation;
//!
//! let mut evaluation = Evaluation::new(3);
//! for (truth, predicted, posteriors) in [
//!     (0, 0, [0.7_f64, 0.2, 0.1]),
//!     (1, 1, [0.1, 0.8, 0.1]),
//!     (2, 1, [0.2, 0.5, 0.3]),
//!     (2, 2, [0.0, 0.1, 0.9]),
//! ] {
//!     evaluation.add(truth, predicted, &posteriors.map(f64::ln), 1.0)?;
//! }
//! let measures = evaluation.measures();
//! assert_eq!(measures.accuracy, Some(0.75));
//! assert_eq!(measures.classes[2].recall, Some(0.5));
//! assert!(measures.log_loss.is_some_and(|loss| (loss - 0.4723).abs() < 1e-4));
//! # Ok::<(), nb_metrics::RowError>(())
//! ```
//!
//! # Precision
//!
//! All sums are exact until they are read, so that the order of the rows, batches and merges does not show in
//! any bit. What is small because the model is sure (`1 - p` in the Brier score and in calibration, `-ln p`
//! in the log-loss) is computed from the log-posterior and keeps its digits where `p` has rounded to 1.
//! Nothing is clipped or floored: a true class of posterior 0 makes the log-loss infinite, and
//! [`Measures::impossible`] says how many rows did.
//!
//! Exponentials are those of the standard library, whose last bit may differ between platforms.

mod auc;
mod brier;
mod calibration;
mod confusion;
mod cost;
mod curve;
mod decision;
mod error;
mod evaluation;
mod groups;
mod interval;
mod log_loss;
mod measures;
mod roc_band;
mod sum;
mod tally;

pub use calibration::ReliabilityBin;
pub use confusion::{ClassMeasures, Confusion};
pub use cost::ExpectedCost;
pub use curve::{RankingCurve, Taken};
pub use decision::NetBenefit;
pub use error::{MergeError, RowError};
pub use evaluation::{Evaluation, Settings};
pub use groups::{GroupEvaluation, GroupMeasures, GroupRates};
pub use interval::{Interval, Z_95};
pub use measures::Measures;
pub use roc_band::RocBand;
pub use tally::Tally;

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
