//! Fitting and predicting inside queries.

#[cfg(feature = "program")]
mod avro;
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
#[cfg(feature = "program")]
mod nbayes;
mod predict;
#[cfg(feature = "remote")]
mod remote;
mod sample;
mod support;
mod wide;
