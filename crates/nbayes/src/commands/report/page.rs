//! The page.

use nb_core::Likelihood;
use nb_io::Model;
use nb_report::{Axis, Cell, Column, Document, Dot, Dots, Figure, Section, Table};

use super::{Found, contributions, curves, decisions, quality};
use crate::{
    importance::Rise,
    model::{is_calibrated_plain, seen_rows},
    output::{counted, short},
    plot::PlottedColumn,
};

/// The most columns in the table, and in the picture of their importance.
const MOST_ROWS: usize = 500;
const MOST_DOTS: usize = 25;

pub(super) fn page(found: &Found<'_>) -> Document {
    let mut document = Document::new(format!("Report on {}", found.model_name));
    let held_out = "use rows that were held out from training";
    let seen = match found.seen {
        Some(share) => {
            format!(" These are rows {}, so that they are optimistic: {held_out}.", seen_rows::words(share))
        }
        None if found.model.row_fingerprint().is_some() => String::new(),
        None => format!(" If the model was trained on them, they are optimistic: {held_out}."),
    };
    let rows = counted(found.measures.rows.rows, "row", "rows");
    document.subtitle = format!("All measures and curves are of the {rows} of {}.{seen}", found.file).into();
    facts(&mut document, found);
    document.series = found.pictured().into_iter().map(|class| found.name(class).to_owned()).collect();
    document.push(quality::measures(found));
    document.push(quality::classes(found));
    if found.n_classes() > 1 && !found.truths.is_empty() {
        document.push(curves::ranking(found));
        document.push(curves::gain(found));
    }
    if let Some(section) = quality::calibration(found) {
        document.push(section);
    }
    document.sections.extend(decisions::section(found));
    if found.uncalibrated.likelihood().is_additive() {
        document.push(importance(found));
    } else {
        let mut section = Section::new("importance", "Importance of the columns");
        section.push("The columns of this model depend on each other, so that none has its own part.");
        document.push(section);
    }
    if let Some(section) = contributions::section(found) {
        document.push(section);
    }
    document
}

fn facts(document: &mut Document, found: &Found<'_>) {
    let schema = found.model.schema();
    document.fact("model", found.model_name.clone());
    document.fact("label", schema.label.clone());
    document.fact("classes", listed(found.classifier.classes()));
    document.fact("columns", schema.columns.len().to_string());
    document.fact("training rows", short(crate::model::weight(found.model)));
    document.fact("kind", kind(found.model));
    if let Some(calibration) = found.model.calibration() {
        let rows = counted(calibration.n_rows() as f64, "row", "rows");
        document.fact("calibration", format!("isotonic regression, learnt from {rows}"));
    }
    document.fact(
        "data of this report",
        format!("{}, {}", found.file, counted(found.measures.rows.rows, "row", "rows")),
    );
    document.fact("made by", concat!("nbayes ", env!("CARGO_PKG_VERSION")));
}

/// What a model is, in words.
pub(super) fn kind(model: &Model) -> &'static str {
    match model.refinement() {
        Some(_) if is_calibrated_plain(model) => "calibrated naive Bayes",
        Some(_) => {
            "refined naive Bayes: weights and corrections of bins and categories by conditional likelihood"
        }
        None => "naive Bayes",
    }
}

pub(super) fn listed(names: &[String]) -> String {
    const MOST: usize = 8;
    let shown = names.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len() {
        n if n > MOST => format!("{n}: {shown} and {} more", n - MOST),
        n => format!("{n}: {shown}"),
    }
}

fn importance(found: &Found<'_>) -> Section {
    let mut section = Section::new("importance", "Importance of the columns");
    section.push(format!(
        "By how much the log-loss and the error rate rise if the cells of a column are permuted, so that they no longer belong to their \
         rows ({}, {}), and if they are missing. A column that repeats another one has a part of its importance.",
        counted(found.n_permuted, "row", "rows"),
        counted(found.repeats, "permutation", "permutations")
    ));
    if found.model.calibration().is_some() {
        section.push("Importance is measured before the calibration map.");
    }
    let by_loss = found.importance.iter().all(|one| one.log_loss.is_some());
    let shown: Vec<_> = found.importance.iter().take(MOST_DOTS).collect();
    if !shown.is_empty() {
        let measure = if by_loss { "rise of the log-loss" } else { "rise of the error rate" };
        let names = shown.iter().map(|one| one.column.as_str());
        let mut dots = Dots::new(Axis::linear(measure).between(0.0, 0.0), "column", names);
        dots.push(
            "if permuted",
            shown.iter().map(|one| one.log_loss.filter(|_| by_loss).or(Some(one.error_rate)).map(dot)),
        );
        let more = found.importance.len() - shown.len();
        let more = if more > 0 {
            format!(" The {MOST_DOTS} most important columns of {}.", found.importance.len())
        } else {
            String::new()
        };
        section.push(Figure::new(
            format!("{measure} if a column is permuted, with two standard errors.{more}"),
            dots,
        ));
    }
    section.push(table(found));
    section
}

fn dot(rise: Rise) -> Dot {
    let reach = 2.0 * rise.standard_error;
    Dot::between(rise.mean, rise.mean - reach, rise.mean + reach)
}

fn table(found: &Found<'_>) -> Table {
    let heads = [Column::text("column"), Column::text("family")].into_iter().chain(
        ["log-loss if permuted", "if missing", "error rate if permuted", "if missing"].map(Column::number),
    );
    let mut table = Table::new("Columns of the model, and what the predictions lose without each", heads);
    let spread = |rise: Rise| Cell::spread(rise.mean, rise.standard_error, 4);
    for one in found.importance.iter().take(MOST_ROWS) {
        table.push([
            Cell::text(&one.column),
            Cell::text(family(found, &one.column)),
            one.log_loss.map_or_else(Cell::missing, spread),
            one.log_loss_if_missing.map_or_else(Cell::missing, |rise| Cell::number(rise, 4)),
            spread(one.error_rate),
            Cell::number(one.error_rate_if_missing, 4),
        ]);
    }
    let columns = &found.model.schema().columns;
    let unused = columns.iter().filter(|column| found.importance.iter().all(|one| one.column != column.name));
    for column in unused.clone().take(MOST_ROWS.saturating_sub(found.importance.len())) {
        let cells = std::iter::repeat_with(Cell::missing).take(4);
        table.push(
            [Cell::text(&column.name), Cell::text(family(found, &column.name))].into_iter().chain(cells),
        );
    }
    if unused.count() > 0 {
        table.note("Columns without numbers change no prediction.");
    }
    if columns.len() > MOST_ROWS {
        table.note(format!("{MOST_ROWS} of {} columns; `nbayes importance --json` has all.", columns.len()));
    }
    table.note("±: the standard error of the mean over the rows.");
    table
}

fn family(found: &Found<'_>, column: &str) -> String {
    let schema = found.model.schema();
    let n_terms = schema
        .columns
        .iter()
        .zip(schema.feature_ranges())
        .find(|(own, _)| own.name == column)
        .map_or(1, |(_, features)| features.len());
    match PlottedColumn::find(found.uncalibrated, schema, column) {
        Ok(feature) => feature.family.to_lowercase(),
        Err(_) if n_terms > 1 => format!("{n_terms} features"),
        Err(_) => "left out".into(),
    }
}
