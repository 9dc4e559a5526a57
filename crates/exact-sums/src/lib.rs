//! Exact sums and dot products of doubles.
//!
//! # Should I be using this crate?
//!
//! Yes, to sum doubles where the result must not depend on the order, on how rows are divided among threads
//! or machines, or on what was added and removed in between. A sum is kept as an unevaluated sum of a few
//! doubles, so that nothing is rounded away; means, variances and dot products are rounded once, when they
//! are read.
//!
//! ```
//! use exact_sums::{Exact, ExactSums};
//!
//! assert_eq!(Exact::sum([1e100, 1.0, -1e100]).to_f64(), 1.0);
//! assert_eq!(Exact::dot(&[1e200, 3.0, -1e200], &[1e100, 0.5, 1e100]).to_f64(), 1.5);
//!
//! // Two parts of a table, summed column by column, merged, and one taken out again.
//! let mut sums = ExactSums::new(2);
//! sums.add(0, 0.1);
//! sums.add_product(1, 0.1, 0.1);
//! let part = sums.clone();
//! sums.add(0, 1e300);
//! sums.merge(&part);
//! sums.subtract(&part);
//! sums.add(0, -1e300);
//! assert_eq!(sums, part);
//! ```
//!
//! No, to sum a slice once as fast as possible when the last digits do not matter: use a plain loop.
//!
//! # How
//!
//! ```text
//!  value ──two_sum──▶ hi ──error──▶ mid ──error──▶ lo ──error──▶ overflow components (rare)
//! ```
//!
//! A sum is an *expansion* (Priest 1991; Shewchuk 1997). [`Exact`] is one number, [`ExactSums`] a vector of
//! sums, [`batch`] the fast way to the same sums for many rows, and [`Compensated`] a sum in two doubles
//! where that is enough.
//!
//! # For which numbers
//!
//! Sums of finite numbers are exact, whatever their sizes: a sum is rounded only when it is read as a double,
//! and infinite where that is beyond the largest one (`1e308 + 1e308`). Products are exact if none of their
//! bits is below `2^-1074`; [`domain`] says for which values and weights that holds for variances, and
//! [`ExactSums::add_weighted`] takes any. [`Dyadic`] is a number of any size. Infinities and NaN are no
//! numbers: [`Exact::sum`] answers as adding doubles does, [`ExactSums`] must not be given any. `PROOFS.md`
//! beside the sources proves that nothing is lost.

mod accumulator;
pub mod batch;
mod chains;
mod compensated;
pub mod domain;
mod dyadic;
mod moments;
mod number;
mod sums;
#[cfg(test)]
mod test_support;

pub use accumulator::ExactSum;
pub use chains::total;
pub use compensated::{Compensated, product};
pub use dyadic::Dyadic;
pub use moments::add_moments;
pub use number::{Exact, quotient, rounds_surely};
pub use sums::{ExactSums, PlanesError, SumPlanes};

/// The README's examples, to be run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
