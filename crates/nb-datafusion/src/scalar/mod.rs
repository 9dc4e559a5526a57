//! Answers inside queries: scalar functions of a model and the features of a row.

mod answer;
mod loaded;
mod models;
mod values;

pub(crate) use answer::{Answer, Question};
pub use models::Models;
