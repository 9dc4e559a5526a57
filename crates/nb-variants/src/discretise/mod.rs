//! Learnt discretisation: numbers by the interval that they lie in.

mod binned;
mod columns;
mod cuts;
mod description;
mod error;
mod fitted;
mod inspect;
mod mdl;
mod modl;
mod unsupervised;

pub use binned::Binned;
pub use cuts::Cuts;
pub use error::{CutsError, DiscretiseError};
pub use fitted::FittedBinned;
pub(crate) use inspect::{bin_outline, bin_parameters};
