//! From the engine's columns to rows of numbers.
//!
//! ```text
//!  one argument per column ─┐
//!  one list of numbers ─────┼─▶ Features ──read──▶ Table (dense or sparse), as nb-core takes it
//!  lists of places, values ─┘
//! ```

mod arguments;
mod features;
mod lists;
mod names;
mod numbers;

pub(crate) use arguments::Arguments;
pub(crate) use features::Features;
pub(crate) use lists::length;
pub(crate) use names::{Names, Unknown, has_texts, texts};
pub(crate) use numbers::{doubles, is_number, without_null};
