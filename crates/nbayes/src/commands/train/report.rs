//! What `nbayes train` says when it is done.

use std::path::PathBuf;

use nb_io::{Kind, Model, read::Inferred};
use serde::Serialize;

use super::super::columns::{Found, why};
use crate::{
    design::{Choice, Tuned},
    output::{Table, counted, short, visible},
};

#[derive(Serialize)]
pub(super) struct Trained {
    model: PathBuf,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<usize>,
    /// Rows without a label.
    #[serde(skip_serializing_if = "is_zero")]
    skipped_rows: usize,
    classes: Vec<Class>,
    columns: Vec<ColumnLine>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<LeftOut>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tuned: Vec<Tuned>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[derive(Serialize)]
struct Class {
    label: String,
    weight: f64,
}

#[derive(Serialize)]
struct ColumnLine {
    name: String,
    family: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    categories: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    terms: Option<usize>,
    why: String,
}

/// A column that is no feature.
#[derive(Serialize)]
struct LeftOut {
    name: String,
    why: String,
}

impl Trained {
    pub(super) fn new(
        file: PathBuf,
        model: &Model,
        n_rows: Option<usize>,
        found: &Found,
        choices: &[Choice],
        tuned: Vec<Tuned>,
    ) -> Self {
        let (classes, columns) = (classes(model), lines(&found.inferred, choices));
        let left_out = found.left_out.iter();
        let left_out = left_out.map(|column| LeftOut { name: column.column.clone(), why: why(column) });
        // No row is left out for another reason.
        let skipped_rows = n_rows.map_or(0, |n_rows| found.inferred.n_rows.saturating_sub(n_rows));
        Self {
            model: file,
            rows: n_rows,
            skipped_rows,
            classes,
            columns,
            left_out: left_out.collect(),
            tuned,
        }
    }
}

fn classes(model: &Model) -> Vec<Class> {
    let weights = model.stats().class_weights();
    let classes = model.stats().classes().zip(weights);
    classes.map(|(label, weight)| Class { label: label.clone(), weight: weight.to_f64() }).collect()
}

fn lines(inferred: &Inferred, choices: &[Choice]) -> Vec<ColumnLine> {
    let columns = inferred.columns.iter().zip(choices);
    columns
        .map(|(inference, choice)| ColumnLine {
            name: inference.column.clone(),
            family: choice.name(),
            categories: match &inference.kind {
                Kind::Categorical { levels } => Some(levels.len()),
                _ => None,
            },
            terms: match &inference.kind {
                Kind::Text(text) => Some(text.terms.len()),
                _ => None,
            },
            why: why(inference),
        })
        .collect()
}

/// Maximum number of columns listed one by one.
const MOST_LINES: usize = 40;

pub(super) fn text(result: &Trained) -> String {
    let mut table = Table::new(["column", "family", "why"]);
    for line in result.columns.iter().take(MOST_LINES) {
        let family = match (line.categories, line.terms) {
            (Some(n), _) => format!("{}, {}", line.family, counted(n, "category", "categories")),
            (_, Some(n)) => format!("{}, {}", line.family, counted(n, "term", "terms")),
            _ => line.family.clone(),
        };
        table.row([&line.name, &family, &line.why]);
    }
    for LeftOut { name, why } in result.left_out.iter().take(MOST_LINES) {
        let name = if name.is_empty() { "\"\"" } else { name };
        table.row([name, "left out", why]);
    }
    let mut text = table.to_string();
    let n_more = |n: usize| n.saturating_sub(MOST_LINES);
    let more = [
        (n_more(result.columns.len()), "more column", "more columns"),
        (n_more(result.left_out.len()), "more column left out", "more columns left out"),
    ];
    let more = more.iter().filter(|(n, _, _)| *n > 0).map(|&(n, one, many)| counted(n, one, many));
    let more = more.collect::<Vec<_>>().join(", and ");
    if !more.is_empty() {
        text.push_str(&format!("... and {more}; --json lists all\n"));
    }
    let classes = result.classes.iter().map(|class| format!("{} ({})", visible(&class.label), class.weight));
    let mut classes: Vec<_> = classes.take(MOST_LINES).collect();
    if result.classes.len() > MOST_LINES {
        classes.push(format!("and {} more", result.classes.len() - MOST_LINES));
    }
    if !result.tuned.is_empty() {
        let mut table = Table::new(["family", ">columns", "tuned", ">chosen", ">held-out log-loss"]);
        for tuned in &result.tuned {
            let loss = format!("{} ± {}", short(tuned.log_loss), short(tuned.standard_error));
            let columns = tuned.columns.to_string();
            table.row([&tuned.family, &columns, &tuned.parameter, &short(tuned.value), &loss]);
        }
        text.push_str(&format!("\n{table}"));
    }
    let skipped = match result.skipped_rows {
        0 => String::new(),
        n => format!(" ({n} without a label skipped)"),
    };
    let n_rows =
        result.rows.map_or(String::new(), |n_rows| format!("{}{skipped}, ", counted(n_rows, "row", "rows")));
    format!(
        "{text}\n{n_rows}{}, {}: {}\nwrote {}",
        counted(result.columns.len(), "column", "columns"),
        counted(result.classes.len(), "class", "classes"),
        classes.join(", "),
        result.model.display()
    )
}
