//! `nbayes inspect`: what is in a model.

mod dependence;
mod held_out;

use std::path::PathBuf;

use anyhow::Result;
use clap::ValueEnum;
use nb_core::description::Value;
use nb_io::{Family, HeldOutMeasures, Model, ModelCalibration};
use serde::Serialize;

use super::refit::weights_from_rows;
use super::train::trends::trend;
use crate::{
    design::family_name,
    failure::usage,
    importance::{Informative, information, informative},
    model::{
        Parameters, class_prior, first_probabilities, is_calibrated_plain, load_classifier, parameters,
        uncalibrated,
    },
    output::{Head, Screen, Table, counted, short, visible},
    plot::{names_of_pairs, pairs_of_columns},
    words::decision_words,
};

/// Show a model: classes, priors, the most informative features and the parameters.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  nbayes inspect model.nb\n  nbayes inspect model.nb --feature radius --feature texture\n  nbayes inspect model.nb --by effect --top 20\n  nbayes inspect model.nb --json"
)]
pub(crate) struct Inspect {
    /// The model.
    model: PathBuf,
    /// Show only the parameters of these columns.
    #[arg(long, value_name = "COLUMN")]
    feature: Vec<String>,
    /// How features are ranked [default: mutual-information].
    #[arg(long, value_enum)]
    by: Option<By>,
    /// Number of features to list; per class if by effect [default: 10, by effect 5].
    #[arg(long)]
    top: Option<usize>,
}

/// What makes a feature informative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
enum By {
    /// Mutual information with the class under the model, in nats: how often a feature occurs counts.
    MutualInformation,
    /// Mean contribution to the log-odds of a row of each class against the others.
    Effect,
}

#[derive(Serialize)]
struct Inspected {
    file: PathBuf,
    bytes: u64,
    format_version: u16,
    program_version: &'static str,
    label: String,
    weight: f64,
    /// How features are ranked.
    by: By,
    /// The entropy of the priors, in nats: no feature tells more.
    class_entropy: f64,
    /// The decision rule in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    decision: Vec<String>,
    /// How rows held out in training were classified.
    #[serde(skip_serializing_if = "Option::is_none")]
    held_out: Option<HeldOutMeasures>,
    /// The number of rows that weights and corrections were learnt from.
    #[serde(skip_serializing_if = "Option::is_none")]
    weights_from_rows: Option<u64>,
    /// The columns whose effect is monotone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    monotone: Vec<Monotone>,
    /// The number of rows that the isotonic map was learnt from.
    #[serde(skip_serializing_if = "Option::is_none")]
    calibration_from_rows: Option<u64>,
    /// Whether there is a calibration, and no other weights and corrections.
    #[serde(skip)]
    is_calibrated_plain: bool,
    families: Vec<FamilyLine>,
    classes: Vec<ClassLine>,
    /// By mutual information.
    #[serde(skip_serializing_if = "Option::is_none")]
    features: Option<Vec<FeatureLine>>,
    /// How many more features tell something.
    more_features: usize,
    /// Of columns that depend on others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dependences: Vec<dependence::Dependence>,
    /// The columns that add something together.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pairs: Vec<String>,
    parameters: Vec<Parameters>,
}

#[derive(Serialize)]
pub(super) struct FamilyLine {
    pub(super) family: String,
    pub(super) columns: usize,
    pub(super) hyper_parameters: String,
}

#[derive(Serialize)]
struct ClassLine {
    label: String,
    weight: f64,
    prior: f64,
    /// Of a model with weights, corrections or a calibration: the probability of a row of which no cell is
    /// known.
    #[serde(skip_serializing_if = "Option::is_none")]
    intercept: Option<f64>,
    /// By effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    informative: Option<Vec<Informative>>,
}

#[derive(Serialize)]
struct FeatureLine {
    feature: String,
    mutual_information: f64,
    /// The class with the largest mean or probability; none for categories.
    highest_in: Option<String>,
}

/// A column whose effect is monotone.
#[derive(Serialize)]
pub(super) struct Monotone {
    pub(super) column: String,
    /// What the probability of the last class never does as the number grows.
    pub(super) trend: String,
}

impl Monotone {
    pub(super) fn all(model: &Model) -> Vec<Self> {
        let corrections =
            model.refinement().into_iter().flat_map(|refinement| &refinement.columns.corrections);
        let columns = corrections.enumerate().filter_map(|(feature, correction)| {
            let column = model.schema().feature_name(feature)?;
            Some(Self { column, trend: trend(model, correction.rising()?) })
        });
        columns.collect()
    }
}

impl Inspect {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        let (model, _) = load_classifier(&self.model)?;
        let classifier = uncalibrated(&model)?;
        let schema = model.schema();
        let priors = class_prior(&model, &classifier);
        let ranked = match self.by {
            Some(By::Effect) => None,
            _ => information::ranked(&classifier, schema, &priors),
        };
        if ranked.is_none() && self.by == Some(By::MutualInformation) {
            return Err(usage(
                "--by mutual-information: a family of this model is no distribution; use --by effect",
            ));
        }
        let by = if ranked.is_some() { By::MutualInformation } else { By::Effect };
        let top = self.top.unwrap_or(if by == By::Effect { 5 } else { 10 });
        let line = |told: &information::Told| FeatureLine {
            feature: schema.feature_name(told.feature).unwrap_or_default(),
            mutual_information: told.information,
            highest_in: told.highest_in.and_then(|class| classifier.classes().get(class).cloned()),
        };
        let features = ranked.as_ref().map(|ranked| ranked.iter().take(top).map(line).collect());
        let (of_classes, more_by_effect) = if ranked.is_some() {
            (vec![None; classifier.classes().len()], 0)
        } else {
            let (of_classes, more) = informative(&classifier, schema, &priors, top);
            (of_classes.into_iter().map(Some).collect(), more)
        };
        let more_features = ranked.map_or(more_by_effect, |ranked| ranked.len().saturating_sub(top));
        let intercepts = model.refinement().map(|_| first_probabilities(&classifier));
        let weights = model.stats().class_weights();
        let classes = classifier.classes().iter().zip(weights).zip(&priors).zip(of_classes).enumerate();
        let classes = classes.map(|(class, (((label, weight), &prior), informative))| ClassLine {
            label: label.clone(),
            weight: weight.to_f64(),
            prior,
            intercept: intercepts.as_ref().map(|intercepts| intercepts[class]),
            informative,
        });
        let result = Inspected {
            bytes: std::fs::metadata(&self.model)?.len(),
            file: self.model.clone(),
            format_version: model.format_version(),
            program_version: env!("CARGO_PKG_VERSION"),
            label: model.schema().label.clone(),
            weight: crate::model::weight(&model),
            by,
            class_entropy: information::entropy(&priors),
            decision: model.decision().map(decision_words).unwrap_or_default(),
            held_out: model.held_out().copied(),
            weights_from_rows: weights_from_rows(&model),
            monotone: Monotone::all(&model),
            calibration_from_rows: model.calibration().map(ModelCalibration::n_rows),
            is_calibrated_plain: is_calibrated_plain(&model),
            families: families(&model),
            classes: classes.collect(),
            features,
            more_features,
            dependences: dependence::dependences(classifier.likelihood(), schema),
            pairs: names_of_pairs(&classifier, schema),
            parameters: parameters(&classifier, model.schema(), &self.feature)?,
        };
        screen.show(&result, || text(&result, !self.feature.is_empty()))
    }
}

/// The families, with how many columns each has.
pub(super) fn families(model: &Model) -> Vec<FamilyLine> {
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
    // In place of pseudo-counts.
    let is_hierarchical = family.variant().is_some_and(|variant| variant.hierarchical().is_some());
    let words = family.settings().into_iter().filter_map(|(parameter, value)| {
        Some(match (parameter.name, value) {
            ("smoothing" | "pseudo_counts", _) if is_hierarchical => return None,
            ("sweeps", _) if !is_hierarchical => return None,
            ("sweeps", Value::Numbers(numbers)) => {
                format!("hierarchical smoothing by {} sweeps", numbers.first().copied().unwrap_or_default())
            }
            ("sweeps", value) => format!("hierarchical smoothing by {value} sweeps"),
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
/// Maximum number of columns of which it is listed on what they depend.
const MOST_DEPENDENCES: usize = 30;
/// Maximum number of classes in a table, one per line.
const MOST_CLASSES: usize = 30;
/// Maximum number of classes whose parameters are listed, one per column of the table.
const MOST_PARAMETERS_OF: usize = 10;
/// Maximum number of parameters of a column, such as the probabilities of its categories.
const MOST_OF_COLUMN: usize = 30;

fn text(result: &Inspected, all: bool) -> String {
    let mut text = format!(
        "{}: {} bytes, format version {}\nlabel {}, {}\n\n",
        visible(&result.file.to_string_lossy()),
        result.bytes,
        result.format_version,
        visible(&result.label),
        counted_rows(result.weight)
    );
    let mut families = Table::new(["family", ">columns", "hyper-parameters"]);
    for line in &result.families {
        families.row([&line.family, &line.columns.to_string(), &line.hyper_parameters]);
    }
    text.push_str(&format!("{families}\n{}\n", classes(result)));
    if let Some(held_out) = &result.held_out {
        text.push_str(&format!("{}\n", held_out::text(held_out, result.is_calibrated_plain)));
        if let Some(n_rows) = result.weights_from_rows {
            let rows = counted(n_rows as f64, "row", "rows");
            let what = if result.is_calibrated_plain { "calibration" } else { "weights and corrections" };
            text.push_str(&format!("{what}: learnt from {rows}\n"));
        }
        for Monotone { column, trend } in &result.monotone {
            text.push_str(&format!("monotone: {trend} as {} grows\n", visible(column)));
        }
        if let Some(n_rows) = result.calibration_from_rows {
            let rows = counted(n_rows as f64, "row", "rows");
            text.push_str(&format!("calibration: isotonic regression, learnt from {rows}\n"));
        }
        text.push('\n');
    }
    if !result.decision.is_empty() {
        text.push_str(&format!("decision rule: {}\n\n", visible(&result.decision.join("; "))));
    }
    if let Some(features) = &result.features {
        text.push_str(&format!("{}\n", information_table(features, result)));
    }
    if !result.dependences.is_empty() {
        text.push_str(&format!("{}\n", dependence::text(&result.dependences, MOST_DEPENDENCES)));
    }
    if !result.pairs.is_empty() {
        text.push_str(&format!("{}\n", pairs_of_columns(&result.pairs)));
    }
    let shown = parameters_shown(result, all);
    text.push_str(&parameters_table(&shown, result.parameters.len(), &result.classes, all));
    text
}

/// The parameters that fit on a page: of many columns those of the most informative ones.
fn parameters_shown(result: &Inspected, all: bool) -> Vec<&Parameters> {
    let most = if all { MOST_COLUMNS.max(MOST_OF_COLUMN) } else { MOST_COLUMNS };
    match &result.features {
        Some(features) if !all && result.parameters.len() > most => {
            let of = |line: &FeatureLine| {
                result.parameters.iter().find(|parameters| parameters.column == line.feature)
            };
            features.iter().take(most).filter_map(of).collect()
        }
        _ => result.parameters.iter().take(most).collect(),
    }
}

fn counted_rows(weight: f64) -> String {
    format!("{} {}", short(weight), if weight == 1.0 { "row" } else { "rows" })
}

fn more(rest: usize, one: &str, many: &str, how: &str) -> String {
    if rest == 0 { String::new() } else { format!("... and {}; {how}\n", counted(rest, one, many)) }
}

/// The classes, with the most informative features of each if these are ranked by effect.
fn classes(result: &Inspected) -> String {
    let by_effect = "most informative features (mean log-odds contribution)";
    let has_intercept = result.classes.iter().any(|class| class.intercept.is_some());
    let heads = ["class", ">rows", ">prior"].into_iter().chain(has_intercept.then_some(">intercept"));
    let mut classes = Table::new(heads.chain((result.by == By::Effect).then_some(by_effect)));
    for class in result.classes.iter().take(MOST_CLASSES) {
        let informative = class.informative.as_ref().map(|informative| {
            let each = informative.iter().map(|one| format!("{} {}", one.feature, short(one.log_odds)));
            each.collect::<Vec<_>>().join(", ")
        });
        let cells = [class.label.clone(), short(class.weight), short(class.prior)].into_iter();
        classes.row(cells.chain(class.intercept.map(short)).chain(informative));
    }
    let rest = result.classes.len().saturating_sub(MOST_CLASSES);
    let mut text = classes.to_string() + &more(rest, "more class", "more classes", "--json shows them");
    if has_intercept {
        text.push_str("intercept: the probability of a class for a row of which no cell is known\n");
    }
    if result.by == By::Effect {
        text.push_str(&more(result.more_features, "more feature", "more features", "--top N shows more"));
    }
    text
}

/// The features by mutual information.
fn information_table(features: &[FeatureLine], result: &Inspected) -> String {
    let has_classes = features.iter().any(|line| line.highest_in.is_some());
    let heads = ["most informative features", ">mutual information"];
    let mut table = Table::new(heads.into_iter().chain(has_classes.then_some("highest in")));
    for line in features {
        let class = has_classes.then(|| line.highest_in.clone().unwrap_or_default());
        table.row([line.feature.clone(), short(line.mutual_information)].into_iter().chain(class));
    }
    let entropy = format!("The entropy of the classes is {} nats.\n", short(result.class_entropy));
    table.to_string()
        + &more(result.more_features, "more feature", "more features", "--top N shows more")
        + &entropy
}

fn parameters_table(parameters: &[&Parameters], of: usize, classes: &[ClassLine], all: bool) -> String {
    let labels = classes.iter().take(MOST_PARAMETERS_OF).map(|class| Head::Right(&class.label));
    let heads = [Head::Left("column"), Head::Left("parameter")].into_iter().chain(labels);
    let mut table = Table::with_heads(heads);
    for parameters in parameters {
        let head = |position: usize| if position == 0 { parameters.column.clone() } else { String::new() };
        for (position, (name, values)) in parameters.values.iter().take(MOST_OF_COLUMN).enumerate() {
            let values = values.iter().take(MOST_PARAMETERS_OF).map(|&value| short(value));
            table.row([head(position), name.clone()].into_iter().chain(values));
        }
        let rest = parameters.values.len().saturating_sub(MOST_OF_COLUMN);
        if rest > 0 {
            table.row([String::new(), format!("... {rest} more")]);
        }
    }
    let rest = of.saturating_sub(parameters.len());
    let how = if all { "--json shows them" } else { "--feature COLUMN or --json shows them" };
    let columns = more(rest, "more column", "more columns", how);
    let rest = classes.len().saturating_sub(MOST_PARAMETERS_OF);
    table.to_string() + &columns + &more(rest, "more class", "more classes", "--json shows them")
}
