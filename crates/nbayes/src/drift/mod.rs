//! Whether new rows are like those of a model, by the sums that it keeps of them: `stored.rs` reads these,
//! `new_rows.rs` adds up new rows alike, and the other files compare them: columns, terms of texts, the label
//! and the predictions, measures.

mod column;
mod groups;
mod label;
mod measures;
mod new_rows;
mod posteriors;
#[cfg(test)]
mod simulated;
mod stored;
mod terms;
mod test;

pub(crate) use column::{ColumnDrift, MissingCells, compare_columns};
pub(crate) use groups::Group;
pub(crate) use label::{ClassDrift, label_drift, predicted_drift};
pub(crate) use measures::{MeasureDrift, measure_drift};
pub(crate) use new_rows::NewRows;
pub(crate) use posteriors::Posteriors;
pub(crate) use stored::{Stored, stored};
pub(crate) use test::{Rules, Status, Test, decide};
