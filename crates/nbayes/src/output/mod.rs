//! Output: results on standard output, as text or JSON; notes on standard error.

mod bars;
mod color;
mod destination;
mod numbers;
mod replacement;
mod rows;
mod same_file;
mod screen;
mod table;
mod temporary;
mod visible;
mod written;

pub(crate) use bars::bar;
pub(crate) use color::Color;
pub(crate) use numbers::{counted, exact, measure, push_exact, rough, short};
pub(crate) use replacement::Replacement;
pub(crate) use rows::{Cell, ColumnType, RowWriter, distinct};
pub(crate) use same_file::{refuse_inputs, same_file};
pub(crate) use screen::{Screen, say};
pub(crate) use table::{Head, Table};
pub(crate) use temporary::{Temporary, remove_all as remove_temporary_files};
pub(crate) use visible::{quoted_list, visible};
pub(crate) use written::summary as written;
