//! The embedded data sets as tables.

use nb_datasets::{Group, Part, catalogue};

use super::table::{Cells, Sparse, Table, label};

/// The rows and cells that are taken of a set at most, evenly over its rows: real rows are there for their
/// many kinds, and large tables are among the synthetic ones.
const MOST_ROWS: usize = 1000;
const MOST_CELLS: usize = 40_000;

/// The messages that are taken; each has thousands of columns.
const MOST_TEXTS: usize = 200;

/// All embedded data sets; hard ones by the name that the references have for them.
pub(super) fn tables() -> Result<Vec<Table>, String> {
    let tables = catalogue().iter().map(|info| match info.group {
        Group::Text => text(),
        Group::Hard => table(&info.name, &format!("hard_{}", info.name)),
        Group::Classic => table(&info.name, &info.name),
    });
    tables.collect::<Result<_, _>>().map_err(|error| error.to_string())
}

fn table(set: &str, name: &str) -> Result<Table, nb_datasets::DatasetError> {
    let set = nb_datasets::load(set)?;
    let step = set.n_rows().div_ceil(MOST_ROWS.min(MOST_CELLS.div_ceil(set.n_features())));
    let taken: Vec<usize> = (0..set.n_rows()).step_by(step).collect();
    let train: Vec<usize> =
        set.rows_of(Part::Train).into_iter().filter(|row| row % step == 0).map(|row| row / step).collect();
    let labels: Vec<usize> = taken.iter().map(|&row| set.labels[row]).collect();
    Ok(Table::of_rows(name, set.x().select(ndarray::Axis(0), &taken), &labels, &train))
}

/// The messages as counts of terms.
fn text() -> Result<Table, nb_datasets::DatasetError> {
    let set = nb_datasets::load_text()?;
    let first = |n_rows: usize| {
        let end = set.indptr[n_rows];
        Cells::Sparse(Sparse {
            n_columns: set.n_terms(),
            indptr: set.indptr[..=n_rows].to_vec(),
            indices: set.indices[..end].to_vec(),
            values: set.values[..end].to_vec(),
        })
    };
    let n_rows = set.n_rows().min(MOST_TEXTS);
    let n_train = n_rows / 2;
    Ok(Table {
        name: set.info.name.clone(),
        train: first(n_train),
        labels: set.labels[..n_train].iter().map(|&class| label(class)).collect(),
        all: first(n_rows),
    })
}
