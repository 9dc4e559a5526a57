//! `nbayes inspect`: what is in a model.

pub(super) mod informative;
pub(super) mod parameters;

use std::path::PathBuf;

use anyhow::Result;
use nb_core::description::Value;
use nb_io::{Family, Model};
use serde::Serialize;

use super::load_classifier;
use crate::{
    design::family_name,
    output::{Head, Screen, Table, counted, short, visible},
};
use informative::{Informative, informative};
use parameters::{Parameters, parameters};

/// Show a model: classes, priors, parameters and the most informative features of each class.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  nbayes inspect model.nb\n  nbayes inspect model.nb --feature radius --feature texture\n  nbayes inspect model.nb --json"
)]
pub(crate) struct Inspect {
    /// The model.
    model: PathBuf,
    /// Show only the parameters of these columns.
    #[arg(long, value_name = "COLUMN")]
    feature: Vec<String>,
    /// Number of informative features to list per class.
    #[arg(long, default_value_t = 5)]
    top: usize,
}

#[derive(Serialize)]
struct Inspected {
    file: PathBuf,
    bytes: u64,
    format_version: u16,
    program_version: &'static str,
    label: String,
    weight: f64,
    families: Vec<FamilyLine>,
    classes: Vec<ClassLine>,
    parameters: Vec<Parameters>,
}

#[derive(Serialize)]
struct FamilyLine {
    family: String,
    columns: usize,
    hyper_parameters: String,
}

#[derive(Serialize)]
struct ClassLine {
    label: String,
    weight: f64,
    prior: f64,
    informative: Vec<Informative>,
}

impl Inspect {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        let (model, classifier) = load_classifier(&self.model)?;
        let weights = model.stats().class_weights();
        let informative = informative(&classifier, model.schema(), self.top);
        let classes = classifier.classes().iter().zip(weights).zip(classifier.log_prior()).zip(informative);
        let classes = classes.map(|(((label, weight), log_prior), informative)| ClassLine {
            label: label.clone(),
            weight: weight.to_f64(),
            prior: log_prior.exp(),
            informative,
        });
        let result = Inspected {
            bytes: std::fs::metadata(&self.model)?.len(),
            file: self.model.clone(),
            format_version: model.format_version(),
            program_version: env!("CARGO_PKG_VERSION"),
            label: model.schema().label.clone(),
            weight: super::weight(&model),
            families: families(&model),
            classes: classes.collect(),
            parameters: parameters(&classifier, model.schema(), &self.feature)?,
        };
        screen.show(&result, || text(&result, !self.feature.is_empty()))
    }
}

/// The families, with how many columns each has.
fn families(model: &Model) -> Vec<FamilyLine> {
    let all = model.stats().n_columns();
    let mut lines = Vec::new();
    let mut line = |family: &Family, columns: usize| {
        lines.push(FamilyLine {
            family: family_name(family),
            columns,
            hyper_parameters: hyper_parameters(family),
        });
    };
    match model.family() {
        Family::Blocks(blocks) => blocks.iter().for_each(|(columns, family)| line(family, columns.len())),
        family => line(family, all),
    }
    lines
}

/// The hyper-parameters in words. What is done with missing cells and unseen categories is left out.
fn hyper_parameters(family: &Family) -> String {
    let words = family.settings().into_iter().filter_map(|(parameter, value)| {
        Some(match (parameter.name, value) {
            ("smoothing", Value::Number(l)) => format!("l = {l}"),
            ("smoothing", _) => "one l per column".into(),
            ("unbiased", Value::Flag(unbiased)) => {
                format!("variance: sum of squares over {}", if unbiased { "n - 1" } else { "n" })
            }
            ("variance_floor", Value::Number(share)) => format!("at least {share:e} of the column's"),
            ("variance_floor", Value::Amount(rule, share)) if rule == "largest_variance" => {
                format!("plus {share:e} of the largest column's")
            }
            ("variance_floor", Value::Amount(_, floor)) => format!("at least {floor:e}"),
            ("variance_floor", _) => "without a floor".into(),
            ("threshold", value) => format!("above {value}"),
            ("missing_cells" | "unseen" | "categories", _) | (_, Value::Flag(false)) => return None,
            (name, Value::Flag(true)) => name.replace('_', " "),
            (name, value) => format!("{} {value}", name.replace('_', " ")),
        })
    });
    words.collect::<Vec<_>>().join(", ")
}

/// Maximum number of columns whose parameters are listed by default.
const MOST_COLUMNS: usize = 12;

fn text(result: &Inspected, all: bool) -> String {
    let mut text = format!(
        "{}: {} bytes, format version {}\nlabel {}, {} {}\n\n",
        visible(&result.file.to_string_lossy()),
        result.bytes,
        result.format_version,
        visible(&result.label),
        short(result.weight),
        if result.weight == 1.0 { "row" } else { "rows" }
    );
    let mut families = Table::new(["family", ">columns", "hyper-parameters"]);
    for line in &result.families {
        families.row([&line.family, &line.columns.to_string(), &line.hyper_parameters]);
    }
    let mut classes =
        Table::new(["class", ">rows", ">prior", "most informative features (mean log-odds contribution)"]);
    for class in &result.classes {
        let informative =
            class.informative.iter().map(|one| format!("{} {}", one.feature, short(one.log_odds)));
        let informative = informative.collect::<Vec<_>>().join(", ");
        classes.row([class.label.clone(), short(class.weight), short(class.prior), informative]);
    }
    text.push_str(&format!("{families}\n{classes}\n"));
    let classes = result.classes.iter().map(|class| Head::Right(&class.label));
    let heads = [Head::Left("column"), Head::Left("parameter")].into_iter().chain(classes);
    let mut table = Table::with_heads(heads);
    let shown = if all { usize::MAX } else { MOST_COLUMNS };
    for parameters in result.parameters.iter().take(shown) {
        for (position, (name, values)) in parameters.values.iter().enumerate() {
            let column = if position == 0 { parameters.column.clone() } else { String::new() };
            table.row([column, name.clone()].into_iter().chain(values.iter().map(|&value| short(value))));
        }
    }
    text.push_str(&table.to_string());
    if result.parameters.len() > shown {
        let rest = result.parameters.len() - shown;
        text.push_str(&format!(
            "... and {}; --feature COLUMN or --json shows them\n",
            counted(rest, "more column", "more columns")
        ));
    }
    text
}
