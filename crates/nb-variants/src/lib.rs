//! Relatives of naive Bayes.

mod discretise;
mod each_block;
mod each_row;
mod kernel;
mod observable;
mod transform;

pub use discretise::{Binned, Cuts, CutsError, DiscretiseError, FittedBinned};
pub use kernel::{Bandwidth, FittedKernelDensity, Grid, GridError, KernelDensity};
pub use transform::{FittedTransformed, LambdaError, PowerTransform, Transform, Transformed};
