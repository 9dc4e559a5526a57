//! What is written in a cell, as a value: numbers, dates, and texts that mean that nothing is there.

#[cfg(any(feature = "csv", feature = "arrow"))]
pub(super) mod cell;
pub(crate) mod date;
#[cfg(feature = "csv")]
pub(super) mod decimal;
#[cfg(any(feature = "csv", feature = "arrow"))]
pub(super) mod marked;
pub(crate) mod number;
pub(crate) mod written_date;
