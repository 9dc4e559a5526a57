//! Tables whose columns have names: finding the columns of a schema, learning one, and turning cells into numbers.

mod cell;
mod columns;
mod few;
mod free_text;
mod identifier;
mod infer;
mod levels;
mod spelling;

pub(super) use cell::{Cell, Missing, weight};
pub(super) use columns::{Columns, first_features};
#[cfg(feature = "csv")]
pub(super) use few::FewValues;
#[cfg(feature = "csv")]
pub(super) use free_text::{ENOUGH, Evidence, n_words};
#[cfg(feature = "csv")]
pub(super) use identifier::names_identifier;
pub(super) use infer::Profiles;
#[cfg(feature = "csv")]
pub(super) use infer::of_categories;
pub(super) use spelling::KnownLabels;
