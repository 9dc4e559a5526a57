//! Columns that repeat the label are left out, unless the user has chosen a family for them.

use crate::{
    columns::{Found, family_option},
    output::Screen,
};

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
