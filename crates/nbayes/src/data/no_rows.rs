//! Saying which lines of a file are no rows, or perhaps none, and which rows are left out.

use nb_io::read::{Place, RepeatedHeader, SkippedRows, TotalRow, UnlabeledRows};

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

/// Reports rows that were left out because they cannot be read, once for a file.
pub(super) fn note_skipped(found: Option<&SkippedRows>, input: &Input, screen: Screen) {
    let Some(skipped) = found.filter(|skipped| skipped.count() > 0) else { return };
    if screen.is_silent() || !input.is_skipped_new() {
        return;
    }
    let (count, name) = (skipped.count(), input.name());
    let rows = counted(skipped.n_rows, "row", "rows");
    let are = if count == 1 { "is" } else { "are" };
    let first = skipped.first.iter().map(|row| match row.place {
        // The file is the place.
        Place::Document(_) => row.to_string(),
        _ if row.file == name => row.to_string(),
        _ => format!("{}, {row}", row.file),
    });
    let first: Vec<String> = first.collect();
    let more = if count > first.len() as u64 { "; ..." } else { "" };
    let probably = if skipped.is_most_of_start() && input.documents().is_none() {
        "; these are most of the first rows, so that delimiter, quotes or header are probably not as they are read \
         (`--delimiter`, `--quoting`, `--skip-lines`)"
    } else {
        ""
    };
    let text = format!("{name}: {count} of {rows} {are} skipped: {}{more}{probably}", first.join("; "));
    screen.note_skipped(count, &text);
}
