//! From a table to the best naive Bayes model of it.
//!
//! # Should I be using this crate?
//!
//! Yes, if a program of yours is to decide for its users as `nbayes train` does: which columns are used and as what, which
//! weights and corrections are learnt, and how good that is on rows that were held out. To choose a family yourself, use
//! nb-core.
//!
//! [`Trainer`] goes the whole way from a [`Source`] of rows. Its steps are here, too: a [`Sampler`] keeps as many rows as weights
//! and corrections are learnt from, and [`refine`] learns them with each of the learners of an [`Effort`]. A [`Watch`] looks at rows while
//! they are learnt from, and [`Folds`] classify those of a plain model, each by a model without its fold.
//!
//! Chen, Martínez, Webb and Wang (2017) choose the attributes of naive Bayes by leave-one-out, and Boullé (2007) averages over such
//! choices; here held-out rows choose weights, corrections and how much of each is used (nb-discriminative).

mod columns;
mod effort;
mod error;
mod family;
mod folds;
mod keys;
mod refine;
mod refit;
mod sampler;
mod trainer;
mod watch;
mod why_plain;

pub use effort::Effort;
pub use error::TrainError;
pub use folds::{FoldMeasures, Folds, JudgeError, Judges, NotHeldOut};
pub use keys::Keys;
pub use refine::{Best, RefineError, features, refine};
pub use refit::refit;
pub use sampler::{Sample, Sampler};
pub use trainer::{Source, Trained, Trainer};
pub use watch::{Seen, Watch, WatchedReader};
pub use why_plain::WhyPlain;

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
