//! Differentially private naive Bayes.
//!
//! # Should I be using this crate?
//!
//! Yes, to publish a model, or the sums of a model, from which nobody can tell whether a certain person was
//! among its rows. A plain model does not hide that: its sums are exact, and the sums of all rows without
//! those of all others are one row.
//!
//! A naive Bayes model is a handful of sums, so it is the sums that get noise, once, before they leave the
//! house. Whatever is done with them afterwards costs no further privacy: they can be merged with those of
//! other houses, stored, and fitted as often as you like.
//!
//! ```text
//! rows ──release, with a budget──▶ NoisedSums ──merge──▶ NoisedSums ──▶ statistics ──▶ classifier
//! ```
//!
//! # What is promised
//!
//! Two tables that differ in one row, which one of them has and the other has not, give any result with
//! probabilities that differ by a factor of at most `exp(ε)` ([`Budget::Pure`]; Dwork, McSherry, Nissim and
//! Smith 2006), or whose Rényi divergences of order `α` are at most `ρ α` ([`Budget::Concentrated`]; Bun and
//! Steinke 2016). One person is one row; who has `k` rows has the promise for `k ε`, or `k² ρ`.
//!
//! The promise holds for the numbers as they are computed, not only on paper: cells are rounded to a grid
//! before they are summed, so that the sums are whole numbers, and the noise is a whole number drawn with
//! whole numbers alone (Canonne, Kamath and Steinke 2020, *The discrete Gaussian for differential privacy*).
//! Noise in doubles betrays the digits below it (Mironov 2012).
//!
//! What must be known without looking at the rows is the [`Design`]: the classes, the bounds of numbers, the
//! number of categories. Bounds that are taken from the rows are not covered by the promise.
//!
//! ```
//! use nb_core::NaiveBayes;
//! use nb_private::{Budget, Column, Design};
//! use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
//!
//! let iris = nb_datasets::load("iris")?;
//! // Centimetres, as botanists know them.
//! let lengths = [(4.0, 8.0), (2.0, 5.0), (1.0, 7.0), (0.0, 3.0)];
//! let columns = lengths.map(|(low, high)| Column::Number { low, high });
//! let design = Design::new(0..3, columns)?;
//! // For a real release the seed comes from the system.
//! let mut rng = ChaCha20Rng::seed_from_u64(1);
//! let sums = design.release(&iris.x(), &iris.labels, Budget::Pure { epsilon: 5.0 }, &mut rng)?;
//! let classifier = NaiveBayes::new(sums.model()).fit_stats(&sums.stats()?)?;
//! let labels = classifier.predict(&iris.x())?;
//! let n_right = labels.iter().zip(&iris.labels).filter(|(label, truth)| label == truth).count();
//! assert!(n_right > 120, "{n_right} of 150");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod budget;
mod column;
mod design;
mod error;
mod estimate;
mod noise;
#[cfg(feature = "serde")]
mod stored;
mod sums;

pub use budget::{Budget, Spent};
pub use column::Column;
pub use design::Design;
pub use error::{DesignError, MergeError, ReleaseError};
pub use sums::{NoisedSums, People};

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
