//! `nbayes explain`: why a row got its label.

mod impossible;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use nb_core::{RowSubset, Rows, family::BlockBuffer};
use nb_io::{Kind, Model, read::Chunk};
use serde::{Serialize, Serializer};

use crate::{
    data::{Input, Origin, Purpose, ReadArgs, Wanted},
    failure::usage,
    model::{BEFORE_CALIBRATION, load_classifier, refuse_dependent, uncalibrated},
    output::{Screen, Table, bar, counted, quoted_list, short, visible},
    words::{decision_words, value_error},
};
use impossible::NoLabel;

/// Explain a prediction: what each feature adds to the log-odds of the label, and which features decide it.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  nbayes explain spam.nb @spam --row 177\n  nbayes explain model.nb data.csv --row 3 --against benign"
)]
pub(crate) struct Explain {
    /// The model.
    model: PathBuf,
    /// The data file.
    file: String,
    /// The number of the row; the first row after the header is 1.
    #[arg(long)]
    row: usize,
    /// The label to compare with [default: the second most probable].
    #[arg(long, value_name = "LABEL")]
    against: Option<String>,
    /// Number of features to list.
    #[arg(long, default_value_t = 20)]
    top: usize,
    #[command(flatten)]
    read: ReadArgs,
}

#[derive(Serialize)]
struct Explained {
    row: usize,
    label: String,
    against: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    actual: Option<String>,
    probability: f64,
    #[serde(serialize_with = "with_infinity")]
    log_odds: f64,
    /// The first term of a plain model.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "some_with_infinity")]
    prior: Option<f64>,
    /// That of a model with weights, corrections or a calibration.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "some_with_infinity")]
    intercept: Option<f64>,
    features: Vec<Contribution>,
    tipping: Vec<String>,
    /// How the label comes from the probabilities, if not as the most probable class.
    #[serde(skip_serializing_if = "Option::is_none")]
    decided: Option<String>,
    /// That the probability is calibrated after the log-odds are added up.
    #[serde(skip_serializing_if = "Option::is_none")]
    calibrated: Option<&'static str>,
}

#[derive(Clone, Debug, Serialize)]
struct Contribution {
    name: String,
    value: String,
    #[serde(serialize_with = "with_infinity")]
    log_odds: f64,
}

/// JSON has no infinity: it is written as a text, as in predictions.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants it so")]
fn with_infinity<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if value.is_finite() { serializer.serialize_f64(*value) } else { serializer.collect_str(value) }
}

#[expect(clippy::ref_option, reason = "serde wants it so")]
fn some_with_infinity<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => with_infinity(value, serializer),
        None => serializer.serialize_none(),
    }
}

impl Explained {
    /// Name and log-odds of the first term.
    fn first_term(&self) -> (&'static str, f64) {
        match (self.intercept, self.prior) {
            (Some(intercept), _) => ("intercept", intercept),
            (None, prior) => ("prior", prior.unwrap_or_default()),
        }
    }
}

impl Explain {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        let (model, calibrated) = load_classifier(&self.model)?;
        let classifier = uncalibrated(&model)?;
        refuse_dependent(&classifier, "an explanation shows")?;
        let input = Input::find(&self.file)?;
        let read = self.read.of_model(&model);
        let (chunk, row) = self.find_row(&input, &model, screen)?;
        let origin = Origin { input: &input, read: &read, schema: model.schema(), purpose: Purpose::Look };
        let row_alone = RowSubset::new(&chunk.rows, std::slice::from_ref(&row)).context("the row is gone")?;
        let explanation =
            classifier.explain(&row_alone, 0).map_err(|error| value_error(error, origin, self.row - 1))?;
        let actual =
            chunk.labels.as_ref().map(|labels| labels[row].clone()).filter(|label| !label.is_empty());
        let cell = |column: &str| origin.cell(column, self.row - 1);
        let values = values(&chunk, row, &model, cell);
        let predicted = calibrated.try_predict_each(&row_alone)?.pop().flatten();
        let predicted =
            predicted.and_then(|label| explanation.classes.iter().position(|class| *class == label));
        let Some(label) = predicted else {
            return NoLabel::new(&model, self.row, actual, &explanation, &values).show(screen);
        };
        let posterior = calibrated.predict_log_proba(&row_alone)?;
        let posterior = posterior.row(0);
        let log_posterior = posterior.to_vec();
        let chosen = model.decision().map(|decision| decision.choose(label, &log_posterior));
        let label = chosen.flatten().unwrap_or(label);
        let decided = model.decision().map(|decision| match chosen.flatten() {
            Some(_) => format!("The label is by the decision rule of the model: {}.", decision_words(decision).join("; ")),
            None => format!(
                "By the decision rule of the model the row is not decided, and this is its most probable class: {}.",
                decision_words(decision).join("; ")
            ),
        });
        let against = self.against(label, &explanation.classes, &explanation.joint_log_likelihood)?;
        let log_odds = explanation.log_odds(label, against);
        let schema = model.schema();
        let joint_value =
            |features: &[usize]| schema.joint_cells(features, |feature| values[feature].1.clone());
        let together: Vec<(String, String)> = explanation
            .interactions
            .iter()
            .map(|one| (schema.joint_name(&one.columns), joint_value(&one.columns)))
            .collect();
        let of_interactions = explanation.interaction_log_odds(label, against);
        let all = values.into_iter().zip(log_odds).chain(together.into_iter().zip(of_interactions));
        let features = all.filter(|(_, log_odds)| *log_odds != 0.0);
        let mut features: Vec<Contribution> =
            features.map(|((name, value), log_odds)| Contribution { name, value, log_odds }).collect();
        features.sort_by(|a, b| b.log_odds.abs().total_cmp(&a.log_odds.abs()));
        let difference =
            |terms: &[f64]| if terms[label] == terms[against] { 0.0 } else { terms[label] - terms[against] };
        let total = difference(&explanation.joint_log_likelihood);
        let first = difference(&explanation.log_prior);
        let result = Explained {
            row: self.row,
            label: explanation.classes[label].clone(),
            against: explanation.classes[against].clone(),
            actual,
            probability: posterior[label].exp(),
            log_odds: total,
            prior: Some(first).filter(|_| model.refinement().is_none()),
            intercept: model.refinement().map(|_| first),
            // With a calibration map it is not the sign of the log-odds that decides.
            tipping: match model.calibration() {
                Some(_) => Vec::new(),
                None => tipping(&features, first),
            },
            decided,
            calibrated: model.calibration().map(|_| BEFORE_CALIBRATION),
            features,
        };
        screen.show(&result, || text(&result, self.top))
    }

    /// The chunk with the row, and the row's number in it.
    fn find_row(&self, input: &Input, model: &Model, screen: Screen) -> Result<(Chunk, usize)> {
        let Some(row) = self.row.checked_sub(1) else {
            return Err(usage("rows are counted from 1"));
        };
        let classes = model.stats().classes().cloned().collect();
        let wanted = Wanted { classes, ..Wanted::default() };
        let mut reader =
            self.read.of_model(model).open(input, model.schema(), wanted, Purpose::Look, screen)?;
        let mut n_rows = 0;
        while let Some(chunk) = reader.next_chunk()? {
            n_rows = chunk.first_row + chunk.rows.n_rows();
            if row < n_rows {
                let row = row - chunk.first_row;
                return Ok((chunk, row));
            }
        }
        bail!("{} has {}; there is no row {}", input.name(), counted(n_rows, "row", "rows"), self.row)
    }

    /// The class to compare the label with.
    fn against(&self, label: usize, classes: &[String], scores: &[f64]) -> Result<usize> {
        let others = (0..classes.len()).filter(|&class| class != label);
        // Of equal ones the first, as for labels.
        let best = others.reduce(|best, class| if scores[class] > scores[best] { class } else { best });
        let Some(best) = best else {
            bail!("the model has only the class {:?}, so there is no log-odds to explain", classes[label]);
        };
        let Some(name) = &self.against else { return Ok(best) };
        match classes.iter().position(|class| class == name) {
            Some(class) if class == label => {
                Err(usage(format!("{name:?} is the predicted label; compare it with another label")))
            }
            Some(class) => Ok(class),
            None => Err(usage(format!(
                "the model has no class {name:?}; its classes are {}",
                quoted_list(classes)
            ))),
        }
    }
}

/// Name and value of every feature of a row. `cell` is the text of a cell of a column, for categories that
/// the model does not know.
fn values(
    chunk: &Chunk,
    row: usize,
    model: &Model,
    cell: impl Fn(&str) -> Option<String>,
) -> Vec<(String, String)> {
    let mut buffer = BlockBuffer::default();
    chunk.rows.copy_rows(&[row], &mut buffer);
    let mut values = Vec::new();
    buffer.block().for_each_row(|_, cells| values = cells.to_vec());
    let features = model.schema().features().zip(values);
    features
        .map(|(feature, value)| {
            let value = match feature.kind() {
                _ if value.is_nan() => "missing".into(),
                Kind::Categorical { levels } => {
                    let unseen = || {
                        let cell = cell(&feature.column.name);
                        cell.map_or_else(|| "not seen".into(), |cell| format!("{cell} (not seen)"))
                    };
                    levels.get(value as usize).cloned().unwrap_or_else(unseen)
                }
                Kind::Text(_) => short(value),
                _ => match model.value_ranges().get(&feature.column.name) {
                    Some([low, high]) if value < low || value > high => {
                        format!("{value} (beyond {low} to {high} of training)")
                    }
                    _ => value.to_string(),
                },
            };
            (feature.name(), value)
        })
        .collect()
}

/// The fewest features without which the label would be the other one: the strongest for it, until what is
/// left speaks against it.
fn tipping(features: &[Contribution], first: f64) -> Vec<String> {
    // What the other class cannot have is its own infinity: as long as there is one, the label stays.
    let is_infinite = |log_odds: &f64| *log_odds == f64::INFINITY;
    let all = || features.iter().map(|feature| feature.log_odds).chain([first]);
    let mut n_infinite = all().filter(is_infinite).count();
    let mut left: f64 = all().filter(|log_odds| !is_infinite(log_odds)).sum();
    let mut names = Vec::new();
    let mut speaking: Vec<&Contribution> = features.iter().filter(|feature| feature.log_odds > 0.0).collect();
    speaking.sort_by(|a, b| b.log_odds.total_cmp(&a.log_odds));
    for feature in speaking {
        names.push(feature.name.clone());
        if is_infinite(&feature.log_odds) {
            n_infinite -= 1;
        } else {
            left -= feature.log_odds;
        }
        if n_infinite == 0 && left < 0.0 {
            return names;
        }
    }
    Vec::new()
}

fn text(result: &Explained, top: usize) -> String {
    let mut table = Table::new(["feature", ">value", ">log-odds", ""]);
    let largest = result.features.iter().map(|feature| feature.log_odds.abs());
    let (name, first) = result.first_term();
    let largest = largest.chain([first.abs()]).filter(|size| size.is_finite()).fold(0.0, f64::max);
    let first = Contribution { name: format!("({name})"), value: String::new(), log_odds: first };
    let listed = result.features.iter().take(top);
    for feature in std::iter::once(&first).chain(listed) {
        let (name, value) = (feature.name.clone(), feature.value.clone());
        table.row([name, value, short(feature.log_odds), bar(feature.log_odds, largest)]);
    }
    let mut text = format!(
        "row {}: {} (probability {}), log-odds {} against {}\n",
        result.row,
        visible(&result.label),
        short(result.probability),
        short(result.log_odds),
        visible(&result.against)
    );
    if let Some(actual) = &result.actual {
        let verdict = if *actual == result.label { "correct" } else { "wrong" };
        text.push_str(&format!("actual label: {} ({verdict})\n", visible(actual)));
    }
    if result.calibrated.is_some() {
        text.push_str("The probability is calibrated by isotonic regression; log-odds and contributions are those before.\n");
    }
    text.push_str(&format!("\n{table}"));
    let rest: Vec<f64> = result.features.iter().skip(top).map(|feature| feature.log_odds).collect();
    if !rest.is_empty() {
        text.push_str(&format!(
            "{} {} {}\n",
            counted(rest.len(), "more feature", "more features"),
            if rest.len() == 1 { "adds" } else { "add" },
            short(rest.iter().sum())
        ));
    }
    text.push('\n');
    let (label, against) = (visible(&result.label), visible(&result.against));
    if let Some(decided) = &result.decided {
        text.push_str(&visible(decided));
        return text;
    }
    if result.calibrated.is_some() {
        return text.trim_end().to_owned();
    }
    text.push_str(&match result.tipping.as_slice() {
        [] => {
            let name = result.first_term().0;
            format!("The {name} alone would also predict {label}, or no single feature changes it.")
        }
        [one] => format!("Without {} the prediction would be {against}.", visible(one)),
        names => format!("Without {} the prediction would be {against}.", list(names)),
    });
    text
}

/// Names as in a sentence.
fn list(names: &[String]) -> String {
    const MOST: usize = 8;
    let shown = names.iter().take(MOST).map(|name| visible(name).into_owned()).collect::<Vec<_>>();
    match (shown.split_last(), names.len() > MOST) {
        (Some(_), true) => {
            let rest = counted(names.len() - MOST, "more feature", "more features");
            format!("{} and {rest}", shown.join(", "))
        }
        (Some((last, [])), false) => last.clone(),
        (Some((last, rest)), false) => format!("{} and {last}", rest.join(", ")),
        (None, _) => String::new(),
    }
}
