//! Relatives of naive Bayes.

mod each_row;
mod kernel;
mod observable;
mod transform;

pub use kernel::{Bandwidth, FittedKernelDensity, Grid, GridError, KernelDensity};
pub use transform::{FittedTransformed, LambdaError, PowerTransform, Transform, Transformed};
