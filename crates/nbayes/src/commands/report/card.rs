//! A model card: what is known of a model without any rows.
//!
//! Mitchell and others 2019, *Model Cards for Model Reporting*, Conference on Fairness, Accountability, and
//! Transparency, 220-229.

use std::path::{Path, PathBuf};

use nb_core::Likelihood;
use nb_io::{HeldOutMeasures, Kind, Model, ModelCalibration};
use nb_report::{Cell, Code, Column, Document, List, Section, Table, Text};
use serde::Serialize;

use super::page::{kind, listed};
use crate::{
    commands::{
        inspect::{Monotone, families},
        refit::weights_from_rows,
    },
    importance::information,
    model::{class_prior, is_calibrated_plain, weight},
    output::{counted, measure, short, visible},
    plot::{Fitted, PlottedColumn, names_of_pairs},
    words::decision_words,
};

/// The most lines of tables and lists.
const MOST_ROWS: usize = 500;
const MOST_CLASSES: usize = 100;
/// A class of fewer rows is named among the limits.
const FEW_ROWS: f64 = 30.0;

/// What was written.
#[derive(Serialize)]
pub(super) struct Carded {
    file: PathBuf,
    model: PathBuf,
    training_rows: f64,
    held_out: Option<HeldOutMeasures>,
}

impl Carded {
    pub(super) fn text(&self) -> String {
        format!(
            "model card of {}, {}\nwrote {}",
            visible(&self.model.to_string_lossy()),
            counted_rows(self.training_rows),
            visible(&self.file.to_string_lossy())
        )
    }
}

/// A text in which what is between backquotes is code.
fn prose(words: &str) -> Text {
    let parts = words.split('`').enumerate();
    parts.fold(
        Text::default(),
        |text, (place, part)| if place % 2 == 1 { text.code(part) } else { text.plain(part) },
    )
}

fn counted_rows(rows: f64) -> String {
    format!("{} {}", short(rows), if rows == 1.0 { "row" } else { "rows" })
}

pub(super) fn card(path: &Path, output: &Path, model: &Model, classifier: &Fitted) -> (Document, Carded) {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let schema = model.schema();
    let mut document = Document::new(format!("Model card of {name}"));
    document.subtitle = format!(
        "A classifier that predicts {} from {}.",
        schema.label,
        counted(schema.columns.len(), "column", "columns")
    )
    .into();
    document.fact("kind", kind(model));
    document.fact("classes", listed(classifier.classes()));
    document.fact("training rows", short(weight(model)));
    document.fact("file format", format!("version {}", model.format_version()));
    document.fact("made by", concat!("nbayes ", env!("CARGO_PKG_VERSION")));
    document.push(rows(model, classifier));
    document.push(measures(model));
    document.push(decisions(model));
    document.push(columns(model, classifier));
    document.push(limits(model, classifier));
    document.push(use_of(&name, model));
    let carded = Carded {
        file: output.to_owned(),
        model: path.to_owned(),
        training_rows: weight(model),
        held_out: model.held_out().copied(),
    };
    (document, carded)
}

/// Which rows the model was trained on.
fn rows(model: &Model, classifier: &Fitted) -> Section {
    let mut section = Section::new("rows", "Training rows");
    section.push(prose(&match model.row_fingerprint() {
        Some(rows) => format!(
            "{} with the fingerprint {:016x}, which is the same for these rows in any order and format. `nbayes evaluate` says of a file \
             whether its rows were used in training.",
            counted(rows.n_rows(), "row", "rows"),
            rows.sum_of_hashes()
        ),
        None => "The model has no fingerprint of its rows, so that it cannot be told which ones they were.".into(),
    }));
    let fingerprinted = model.row_fingerprint().map(|rows| rows.n_rows() as f64);
    if fingerprinted.is_some_and(|rows| rows != weight(model)) {
        section.push(prose(&format!(
            "They have the weight {} together (row weights, or `nbayes decay`).",
            short(weight(model))
        )));
    }
    section.push("The file has no names of files and no dates: when and where the rows were collected must be written down elsewhere.");
    let priors = class_prior(model, classifier);
    let heads = [Column::text("class")].into_iter().chain(["rows", "prior"].map(Column::number));
    let mut table = Table::new(format!("Classes of {}", model.schema().label), heads);
    let classes = classifier.classes().iter().zip(model.stats().class_weights()).zip(priors);
    for ((class, rows), prior) in classes.take(MOST_CLASSES) {
        table.push([
            Cell::text(class),
            Cell::text(short(rows.to_f64())).sorted_by(rows.to_f64()),
            Cell::number(prior, 4),
        ]);
    }
    if classifier.classes().len() > MOST_CLASSES {
        table.note(format!("{MOST_CLASSES} of {} classes.", classifier.classes().len()));
    }
    section.push(table);
    section
}

/// How rows were predicted that were held out in training.
fn measures(model: &Model) -> Section {
    let mut section = Section::new("measures", "Measures");
    let Some(held_out) = model.held_out() else {
        section.push(prose(
            "The model has no measures of held-out rows. `nbayes report MODEL TEST -o report.html` measures it on rows that it has not seen.",
        ));
        return section;
    };
    let heads = [Column::text("measure"), Column::number("model"), Column::number("baseline")];
    let mut table = Table::new("Measures of rows that were held out in training", heads);
    let number = |name: &str, value: f64| Cell::text(measure(name, value)).sorted_by(value);
    for (name, value, baseline) in [
        ("log-loss", Some(held_out.log_loss), Some(held_out.log_loss_of_prior)),
        ("accuracy", Some(held_out.accuracy), Some(held_out.majority)),
        ("AUC", held_out.auc, Some(0.5)),
        ("calibration error", held_out.calibration_error, None),
    ] {
        if let Some(value) = value {
            let baseline = baseline.map_or_else(Cell::missing, |value| number(name, value));
            table.push([Cell::text(name), number(name, value), baseline]);
        }
    }
    table.note("Baseline: the shares of the classes as probabilities, and the majority class as the label.");
    section.push(table);
    section.push(prose(
        "These rows are like those of the training. Of other rows `nbayes monitor` says whether they are, and with labels whether they are predicted as well.",
    ));
    section
}

/// How probabilities become labels.
fn decisions(model: &Model) -> Section {
    let mut section = Section::new("decisions", "Probabilities and labels");
    let mut items: Vec<String> = Vec::new();
    if let Some(rows) = weights_from_rows(model) {
        let rows = counted(rows, "row", "rows");
        let what = if is_calibrated_plain(model) { "calibration" } else { "weights and corrections" };
        items.push(format!("{what}: learnt from {rows}"));
    }
    if let Some(rows) = model.calibration().map(ModelCalibration::n_rows) {
        let rows = counted(rows, "row", "rows");
        items.push(format!("calibration: isotonic regression, learnt from {rows}"));
    }
    let decision = model.decision().map(decision_words).unwrap_or_default();
    if decision.is_empty() {
        items.push("label: the most probable class".into());
    }
    items.extend(decision.into_iter().map(|words| format!("label: {words}")));
    let items = items.into_iter().map(Into::into).collect();
    section.push(List { numbered: false, items });
    section
}

fn columns(model: &Model, classifier: &Fitted) -> Section {
    let mut section = Section::new("columns", "Columns");
    let schema = model.schema();
    let heads = ["family", "hyper-parameters"].map(Column::text);
    let mut table = Table::new("Families", [heads[0].clone(), Column::number("columns"), heads[1].clone()]);
    for line in families(model) {
        table.push([
            Cell::text(line.family),
            Cell::count(line.columns as u64),
            Cell::text(line.hyper_parameters),
        ]);
    }
    section.push(table);
    let priors = class_prior(model, classifier);
    let told = information::ranked(classifier, schema, &priors);
    let heads = ["column", "values", "family"].map(Column::text);
    let mut table = Table::new("Columns", heads.into_iter().chain([Column::number("information")]));
    for (column, features) in schema.columns.iter().zip(schema.feature_ranges()).take(MOST_ROWS) {
        let family = match PlottedColumn::find(classifier, schema, &column.name) {
            Ok(feature) => feature.family.to_lowercase(),
            Err(_) if features.len() > 1 => counted(features.len(), "feature", "features"),
            Err(_) => String::new(),
        };
        let told = told.as_ref().map(|told| {
            let own = told.iter().filter(|told| features.contains(&told.feature));
            own.map(|told| told.information).fold(0.0, f64::max)
        });
        table.push([
            Cell::text(&column.name),
            Cell::text(values(&column.kind, model.value_ranges().get(&column.name))),
            Cell::text(family),
            told.map_or_else(Cell::missing, |nats| Cell::short(nats, 4)),
        ]);
    }
    table.note("Ranges of numbers are those of the training rows, rounded outwards.");
    table.note("Information: mutual information with the class under the model, in nats; of texts and dates, that of the feature that says most.");
    if schema.columns.len() > MOST_ROWS {
        table.note(format!(
            "{MOST_ROWS} of {} columns; `nbayes inspect --json` has all.",
            schema.columns.len()
        ));
    }
    section.push(table);
    let pairs = names_of_pairs(classifier, schema);
    if !pairs.is_empty() {
        section.push(format!("Pairs of columns that say more together are {}.", listed(&pairs)));
    }
    for Monotone { column, trend } in Monotone::all(model) {
        section.push(format!("Monotone: {trend} as {column} grows."));
    }
    section
}

/// What the cells of a column are, and their range, if it is known.
fn values(kind: &Kind, range: Option<[f64; 2]>) -> String {
    let range = range.map_or(String::new(), |[low, high]| format!(", {} to {}", short(low), short(high)));
    match kind {
        Kind::Numeric => format!("numbers{range}"),
        Kind::Count => format!("counts{range}"),
        Kind::Categorical { levels } => counted(levels.len(), "category", "categories"),
        Kind::Text(text) => format!("texts, {}", counted(text.terms.len(), "term", "terms")),
        Kind::Dates(parts) => format!("dates, {}", counted(parts.len(), "part", "parts")),
    }
}

fn limits(model: &Model, classifier: &Fitted) -> Section {
    let mut section = Section::new("limits", "Limits");
    let mut items = vec![
        "It predicts from what was like this in the training rows, and shows no causes.".to_owned(),
        "Probabilities hold where the classes have the same shares as in the training rows.".to_owned(),
    ];
    if model.refinement().is_none() && classifier.likelihood().is_additive() {
        items.push(
            "Columns are taken as independent within a class. Correlated columns are double-counted, so that probabilities are over-confident\
             ; `nbayes calibrate` helps."
                .to_owned(),
        );
    }
    let few: Vec<String> = classifier
        .classes()
        .iter()
        .zip(model.stats().class_weights())
        .filter(|(_, rows)| rows.to_f64() < FEW_ROWS)
        .map(|(class, rows)| format!("{class} ({})", short(rows.to_f64())))
        .collect();
    if !few.is_empty() {
        items.push(format!("Classes with fewer than {} training rows: {}.", short(FEW_ROWS), listed(&few)));
    }
    if let Some(held_out) = model.held_out()
        && held_out.log_loss >= held_out.log_loss_of_prior
    {
        items.push(
            "Held-out rows are predicted no better than by the shares of the classes alone.".to_owned(),
        );
    }
    items.push("For whom and what it may be used, and how groups of people fare, is not in the file: it has to be measured and written down by whoever uses it.".to_owned());
    let items = items.iter().map(|item| prose(item)).collect();
    section.push(List { numbered: false, items });
    section
}

/// How the model is used, and how it can be made again.
fn use_of(name: &str, model: &Model) -> Section {
    let mut section = Section::new("use", "To use it, and to make it again");
    let mut commands = format!(
        "nbayes predict {name} NEW.csv --proba\nnbayes evaluate {name} TEST.csv\nnbayes monitor {name} NEW.csv\nnbayes inspect {name} --json\n"
    );
    let label = &model.schema().label;
    let quoted = if label.contains(|c: char| !c.is_alphanumeric() && c != '_' && c != '-') {
        format!("'{label}'")
    } else {
        label.clone()
    };
    let plain = if model.refinement().is_none() { " --plain" } else { "" };
    commands.push_str(&format!("nbayes train ROWS.csv --label {quoted}{plain} -o again.nb\n"));
    section.push(Code { language: "sh".into(), text: commands });
    section.push(prose(
        "The same rows with the same options and program version make the same file, in whatever order the rows are; options of `nbayes train` that were given have to be given again \
         (families and hyper-parameters are in the tables above). The fingerprint of this page is that of the right rows.",
    ));
    section
}
