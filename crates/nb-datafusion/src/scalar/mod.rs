//! Answers inside queries: scalar functions of a model and the features of a row, and samples of rows.

mod answer;
mod loaded;
mod models;
mod sampled;
mod values;

pub(crate) use answer::{Answer, Question};
pub use models::Models;
pub(crate) use sampled::Sampled;
