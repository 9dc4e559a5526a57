//! Fitting inside queries: aggregate functions whose value, and whose partial state on the way, is a model.
//!
//! ```text
//!  rows of a partition ──update──▶ Evidence ──state──▶ model file (bytes) ──merge──▶ model file
//! ```

mod accumulator;
mod evidence;
mod fit;
mod merge;
mod pending;

pub(crate) use evidence::Evidence;
pub(crate) use fit::{Fit, Form};
pub(crate) use merge::Merge;
