//! Relatives of naive Bayes.

mod each_row;
mod kernel;
mod observable;

pub use kernel::{Bandwidth, FittedKernelDensity, Grid, GridError, KernelDensity};
