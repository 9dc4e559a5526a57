//! Columns that repeat the label are left out, unless the user has chosen a family for them.

use nb_io::{Kind, Schema, profile::LabelCopies};

use super::super::columns::{Found, family_option};
use crate::output::Screen;

/// For the columns of a schema that are no texts.
pub(super) fn watch(schema: &Schema) -> LabelCopies {
    let columns = schema.columns.iter().zip(schema.feature_ranges());
    let columns = columns.filter(|(column, _)| !matches!(column.kind, Kind::Text(_)));
    LabelCopies::new(columns.map(|(_, features)| features.start))
}

/// The names of the columns that were found.
pub(super) fn names(copies: &LabelCopies, schema: &Schema) -> Vec<String> {
    let features = copies.found().into_iter().filter_map(|feature| schema.feature(feature));
    features.map(|feature| feature.column.name.clone()).collect()
}

/// Says that a column is left out.
pub(super) fn note_left_out(column: &str, found: &Found, screen: Screen) {
    let inference = found.inferred.columns.iter().find(|inference| inference.column == column);
    let family = inference.map_or_else(String::new, |inference| found.choices.of(inference).name());
    screen.note(&format!(
        "column {column:?} is left out, as it repeats the label: one value for each class, and one class for each value; \
         `{}` keeps it",
        family_option(&family, column)
    ));
}

/// Says that a column is kept.
pub(super) fn note_kept(column: &str, screen: Screen) {
    screen.note(&format!(
        "column {column:?} repeats the label, and is kept as its family was chosen; if it is not known of rows to be \
         predicted, leave it out (`{}`)",
        family_option("ignore", column)
    ));
}
