//! Fitting and predicting inside queries.

#[cfg(feature = "cluster")]
mod cluster;
mod bits;
mod errors;
mod families;
mod lists;
mod predict;
mod support;
mod wide;
