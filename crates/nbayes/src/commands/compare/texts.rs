//! The texts of a file, as they are written.

use nb_compare::FileSet;
use nb_io::{
    Kind, Schema,
    read::{Inferred, Reason},
};

use super::table::Rowwise;
use crate::{
    columns::{family_option, why},
    output::Screen,
};

/// The columns of texts, in the order of the schema.
pub(super) struct Texts(pub(super) Vec<TextColumn>);

/// A column of texts.
pub(super) struct TextColumn {
    name: String,
    pub(super) cells: Vec<String>,
}

impl Texts {
    pub(super) fn new(schema: &Schema) -> Self {
        let texts = schema.columns.iter().filter(|column| matches!(column.kind, Kind::Text(_)));
        Self(texts.map(|column| TextColumn { name: column.name.clone(), cells: Vec::new() }).collect())
    }

    pub(super) fn are_none(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.0.iter().map(|column| column.name.clone()).collect()
    }

    /// Adds the texts of further rows, by column.
    pub(super) fn add(&mut self, texts: impl Iterator<Item = Vec<String>>) {
        self.0.iter_mut().zip(texts).for_each(|(column, texts)| column.cells.extend(texts));
    }
}

/// Says which columns are taken for texts that nobody called so.
pub(super) fn note(inferred: &Inferred, set: &FileSet, screen: Screen) {
    // What embedded data sets hold is known.
    let is_embedded = set.file.starts_with('@');
    let found = inferred.columns.iter().filter(|column| matches!(column.reason, Reason::FreeText { .. }));
    let found = found.filter(|_| !is_embedded);
    for column in found {
        let (other, ignore) =
            (family_option("categorical", &column.column), family_option("ignore", &column.column));
        screen.note(&format!(
            "{}: column {:?} is read as text ({}); `{other}` and `{ignore}` decide otherwise",
            set.file,
            column.column,
            why(column)
        ));
    }
}

/// The cells of all columns, row by row, of rows of which the terms of texts are part: a text is its
/// position.
pub(super) fn beside(schema: &Schema, cells: &Rowwise) -> Vec<f64> {
    let is_text = |column: usize| matches!(schema.columns[column].kind, Kind::Text(_));
    // The column of each feature that is no term.
    let mut columns = vec![None; schema.n_features()];
    for (column, features) in schema.feature_ranges().enumerate().filter(|(column, _)| !is_text(*column)) {
        columns[features].fill(Some(column));
    }
    let n_columns = schema.columns.len();
    let n_rows = cells.indptr.len() - 1;
    let mut x = vec![0.0; n_rows * n_columns];
    for (row, own) in x.chunks_exact_mut(n_columns).enumerate() {
        (0..n_columns).filter(|&column| is_text(column)).for_each(|column| own[column] = row as f64);
        for cell in cells.indptr[row]..cells.indptr[row + 1] {
            if let Some(column) = columns[cells.indices[cell]] {
                own[column] = cells.values[cell];
            }
        }
    }
    x
}
