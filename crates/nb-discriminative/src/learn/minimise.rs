//! How precisely minima are found.

pub(super) use nb_variants::minimise::{divide_by, minimise};

/// The precision of what is kept.
pub(super) const PRECISION: f64 = 1e-7;

/// The precision of what only serves to choose, which costs about a third of the time. With it the mean
/// log-loss over the data sets of `docs/quality.md` is the same in three digits.
pub(super) const ROUGH: f64 = 1e-4;
