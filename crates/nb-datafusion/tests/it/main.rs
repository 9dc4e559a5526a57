//! Fitting and predicting inside queries.

mod bits;
mod errors;
mod families;
mod lists;
mod predict;
mod support;
mod wide;
