//! What a user should look at, in words.

use nb_train::Warning;
use serde::Serialize;

use crate::{columns::family_option, output::Screen};

/// Notes of as many columns that determine the label are shown.
const MOST_NOTES: usize = 3;

/// A warning as JSON.
#[derive(Serialize)]
pub(super) struct WarningLine {
    kind: &'static str,
    columns: Vec<String>,
    why: String,
}

impl WarningLine {
    pub(super) fn of(warning: &Warning) -> Option<Self> {
        let (kind, columns) = match warning {
            Warning::Group { column, .. } => ("group", vec![column.clone()]),
            Warning::DeterminesLabel { columns, .. } => ("determines_label", columns.clone()),
            Warning::AlikeLabels { .. } => ("alike_labels", Vec::new()),
            Warning::NearlyPerfect { strongest, .. } => {
                ("nearly_perfect", strongest.iter().map(|(column, _)| column.clone()).collect())
            }
            _ => return None,
        };
        Some(Self { kind, columns, why: words(warning)? })
    }
}

/// Says what was found.
pub(super) fn note(warnings: &[Warning], screen: Screen) {
    let is_determinant = |warning: &&Warning| matches!(warning, Warning::DeterminesLabel { .. });
    let more = warnings.iter().filter(is_determinant).skip(MOST_NOTES);
    let more: Vec<&str> = more
        .filter_map(|warning| match warning {
            Warning::DeterminesLabel { columns, .. } => columns.first().map(String::as_str),
            _ => None,
        })
        .collect();
    let mut n_shown = 0;
    for warning in warnings {
        n_shown += usize::from(is_determinant(&warning));
        if let Some(words) = words(warning).filter(|_| !is_determinant(&warning) || n_shown <= MOST_NOTES) {
            screen.note(&words);
        }
    }
    match more[..] {
        [] => {}
        [column] => screen.note(&format!("column {column:?} determines the label, too")),
        [first, ..] => screen.note(&format!(
            "{} more columns determine the label, such as {first:?}; --json lists all",
            more.len()
        )),
    }
}

fn words(warning: &Warning) -> Option<String> {
    let words = match warning {
        Warning::Group { column, found } => format!(
            "column {column:?} looks like a group ({found}): if new rows will be of other values of {column:?}, use `{}`",
            family_option("group", column)
        ),
        Warning::DeterminesLabel { columns, found } => {
            let options: Vec<String> =
                columns.iter().map(|column| format!("`{}`", family_option("ignore", column))).collect();
            let options = options.join(" or ");
            let (named, it) = match &columns[..] {
                [one, other] => (format!("columns {one:?} and {other:?} together determine"), "one"),
                _ => (format!("column {:?} determines", columns.first()?), "it"),
            };
            format!(
                "{named} the label: {found}; if {it} is known only after the label is, leave it out ({options})"
            )
        }
        Warning::NearlyPerfect { .. } | Warning::AlikeLabels { .. } => warning.to_string(),
        _ => return None,
    };
    Some(words)
}
