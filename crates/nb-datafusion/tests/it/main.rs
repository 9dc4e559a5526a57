//! Fitting and predicting inside queries.

mod bits;
#[cfg(feature = "cluster")]
mod cluster;
mod errors;
mod families;
#[cfg(feature = "program")]
mod hive;
#[cfg(feature = "program")]
mod json;
mod lists;
mod predict;
mod sample;
mod support;
mod wide;
