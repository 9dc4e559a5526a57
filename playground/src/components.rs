//! The table on its first three principal components.

use nb_io::Kind;
use ndarray::Axis;
use serde_json::{Value, json};

use crate::{Problem, bytes, pca::Components, table::Table};

const MOST_COLUMNS: usize = 100;

/// Three doubles for each row, and what the components are made of.
pub(crate) fn components(table: &Table) -> Result<(Value, Vec<u8>), Problem> {
    let is_number = |kind: &Kind| !matches!(kind, Kind::Categorical { .. });
    let columns = table.schema.columns.iter().enumerate().filter(|(_, column)| is_number(&column.kind));
    let places: Vec<usize> = columns.map(|(place, _)| place).take(MOST_COLUMNS).collect();
    let found = Components::<3>::new(&table.rows.select(Axis(1), &places))
        .ok_or_else(|| Problem::new("three components need at least three columns of numbers that vary"))?;
    let used: Vec<usize> = found.columns.iter().map(|&column| places[column]).collect();
    let value = json!({
        "shares": found.shares, "loadings": found.loadings, "places": used, "n_missing": found.n_missing,
    });
    Ok((value, bytes::of_doubles(found.at.into_iter().flatten())))
}
