//! Tables whose columns have names: finding the columns of a schema, learning one, and turning cells into numbers.

mod cell;
mod columns;
mod infer;
mod levels;

pub(super) use cell::count;
pub(super) use cell::{Cell, Missing, weight};
pub(super) use columns::Columns;
pub(super) use infer::Profiles;
