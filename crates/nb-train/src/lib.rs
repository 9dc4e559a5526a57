//! From a table to the best naive Bayes model of it.
//!
//! # Should I be using this crate?
//!
//! Yes, if a program of yours is to decide for its users as `nbayes train` does: which columns are used and
//! as what, which weights and corrections are learnt, and how good that is on rows that were held out. To
//! choose a family yourself, use nb-core.
//!
//! [`Trainer`] goes the whole way: from rows in memory ([`Trainer::fit`]), Arrow record batches
//! (`Trainer::fit_batches`, with the feature `arrow`) or any [`Source`] of rows that is read in pieces.
//! [`Choices`] and [`Families`] say what the caller knows better, [`Trained`] what was decided. [`refit`]
//! learns weights and corrections again, and a [`Watch`] looks at rows that are added to a model later.
//!
//! Chen, Martínez, Webb and Wang (2017) choose the attributes of naive Bayes by leave-one-out, and Boullé
//! (2007) averages over such choices; here held-out rows choose weights, corrections and how much of each is
//! used (nb-discriminative).
#![cfg_attr(docsrs, feature(doc_cfg))]

mod attempt;
#[cfg(feature = "arrow")]
mod batches;
mod beside;
mod calibrate;
mod choice;
mod columns;
mod effort;
mod error;
mod families;
mod folds;
mod keys;
mod loss_change;
mod memory;
mod prepare;
mod prior;
mod refine;
mod refit;
mod registry;
mod sampler;
mod source;
mod standard_errors;
mod threshold;
mod times;
mod trainer;
mod trends;
mod tune;
mod warning;
mod watch;
mod why_plain;

#[cfg(feature = "arrow")]
pub use batches::Batches;
pub use calibrate::{CalibrateError, Calibrated, CalibrationRows, ModelMap, calibrate};
pub use choice::{Choice, Choices, UnknownChoice};
pub use columns::Columns;
pub use effort::Effort;
pub use error::TrainerError;
pub use families::{Families, FamiliesError};
pub use folds::{FoldMeasures, NotHeldOut};
pub(crate) use folds::{Folds, JudgeError};
pub use keys::Keys;
pub use loss_change::LossChange;
pub use memory::MemoryTable;
pub use prior::{ClassPrior, PriorError};
pub(crate) use refine::{Best, features, refine};
pub use refine::{RefineError, Refined};
pub use refit::{InSums, RefitOptions, Refitted, RowsOfModel, refit, refit_with};
pub use registry::{families, family};
pub(crate) use sampler::{Sample, Sampler};
pub use source::{Note, Source};
pub use standard_errors::StandardErrors;
pub use threshold::{ThresholdError, ThresholdGoal, threshold};
pub use trainer::{Trained, Trainer, are_measurements};
pub use trends::{Trend, TrendError, Trends};
pub use tune::{Tuned, Tuning};
pub use warning::Warning;
pub use watch::{Seen, Watch};
pub use why_plain::WhyPlain;

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
