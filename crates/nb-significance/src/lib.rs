//! Tests for comparing classifiers.

mod special;
mod studentized_range;

pub use studentized_range::{StudentizedRange, StudentizedRangeError};
