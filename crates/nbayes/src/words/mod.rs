//! Words for what libraries know by places and types: decision rules, cells that are refused, names that are
//! misspelt, and command lines that are none.

mod cell_errors;
mod decision;
mod hints;
mod nearest;

pub(crate) use cell_errors::{not_learnt, value_error};
pub(crate) use decision::decision_words;
pub(crate) use hints::{not_a_model, with_hint};
pub(crate) use nearest::nearest;
