//! Gaussian scores and estimates of many rows, in double and in single precision.

pub(crate) mod double;
pub(crate) mod single;
pub(crate) mod table;
