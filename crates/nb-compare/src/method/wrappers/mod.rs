//! Methods around a method: calibrated posteriors, options chosen on the training rows.

mod calibrated;
mod tuned;

pub use calibrated::CalibratedMethod;
pub use tuned::TunedMethod;
