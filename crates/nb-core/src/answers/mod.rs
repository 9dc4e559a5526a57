//! The fitted classifier and every answer it gives.

pub(crate) mod classifier;
pub(crate) mod explanation;
pub(crate) mod heldout;
mod of_block;
pub(crate) mod posterior;
pub(crate) mod predict;
pub(crate) mod predictor;
pub(crate) mod sample;
mod scorer;

pub use classifier::Classifier;
pub use explanation::{Explanation, Interaction};
pub use predictor::Predictor;
