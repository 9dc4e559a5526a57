//! Saying which lines of a file are no rows, or perhaps none, and how many rows are left out.

use nb_io::read::{RepeatedHeader, TotalRow, UnlabeledRows};

use super::Input;
use crate::output::{Screen, counted};

/// Reports lines that repeat the names of the columns, once for a file.
pub(super) fn note_repeated(found: Option<RepeatedHeader>, input: &Input, screen: Screen) {
    let Some(RepeatedHeader { first, count, .. }) = found else { return };
    if !input.is_repeated_header_new() {
        return;
    }
    let name = input.name();
    let joined = "as in files joined by `cat`";
    screen.note(&if count == 1 {
        format!("{name}: {first} repeats the names of the columns, {joined}, and is no row")
    } else {
        let lines = counted(count, "line repeats", "lines repeat");
        format!("{name}: {lines} the names of the columns, {joined}, and are no rows; the first is {first}")
    });
}

/// Reports a last row that looks like one of totals, once for a file.
pub(super) fn note_total(found: Option<&TotalRow>, input: &Input, screen: Screen) {
    let Some(TotalRow { place, first, .. }) = found else { return };
    if input.is_total_row_new() {
        screen.note(&format!(
            "{}: {place}, the last row, begins with {first:?} and has no label, or one of its own: if it has totals, remove it",
            input.name()
        ));
    }
}

/// Reports rows that were left out because they have no label, once for a file.
pub(super) fn note_unlabeled(found: Option<&UnlabeledRows>, input: &Input, screen: Screen) {
    let Some(UnlabeledRows { count, text, .. }) = found else { return };
    if input.is_unlabeled_new() {
        let rows = counted(*count, "row has", "rows have");
        let text = if text.is_empty() { String::new() } else { format!(" ({text:?})") };
        let are = if *count == 1 { "is" } else { "are" };
        screen.note(&format!(
            "{}: {rows} no label{text} and {are} left out; `--unlabeled error` refuses them",
            input.name()
        ));
    }
}
