//! `nbayes explain`: why a row got its label.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use nb_core::{RowSubset, Rows, family::BlockBuffer};
use nb_io::{Kind, Schema, read::Chunk};
use serde::Serialize;

use super::load_classifier;
use crate::{
    data::{Input, Purpose, ReadArgs, value_error},
    failure::usage,
    output::{Screen, Table, bar, short},
};

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
    log_odds: f64,
    prior: f64,
    features: Vec<Feature>,
    tipping: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
struct Feature {
    name: String,
    value: String,
    log_odds: f64,
}

impl Explain {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        let (model, classifier) = load_classifier(&self.model)?;
        let input = Input::find(&self.file)?;
        let (chunk, row) = self.find_row(&input, model.schema(), screen)?;
        let row_alone = RowSubset::new(&chunk.rows, std::slice::from_ref(&row)).context("the row is gone")?;
        let explanation = classifier
            .explain(&row_alone, 0)
            .map_err(|error| value_error(error, input.name(), model.schema(), self.row - 1))?;
        let posterior = classifier.predict_log_proba(&row_alone)?;
        let posterior = posterior.row(0);
        let (label, against) = self.classes(&explanation.classes, &explanation.joint_log_likelihood)?;
        let log_odds = explanation.log_odds(label, against);
        let values = values(&chunk, row, model.schema());
        let features = values.into_iter().zip(&log_odds).filter(|(_, log_odds)| **log_odds != 0.0);
        let mut features: Vec<Feature> =
            features.map(|((name, value), &log_odds)| Feature { name, value, log_odds }).collect();
        features.sort_by(|a, b| b.log_odds.abs().total_cmp(&a.log_odds.abs()));
        let difference =
            |terms: &[f64]| if terms[label] == terms[against] { 0.0 } else { terms[label] - terms[against] };
        let total = difference(&explanation.joint_log_likelihood);
        let result = Explained {
            row: self.row,
            label: explanation.classes[label].clone(),
            against: explanation.classes[against].clone(),
            actual: chunk.labels.as_ref().map(|labels| labels[row].clone()),
            probability: posterior[label].exp(),
            log_odds: total,
            prior: difference(&explanation.log_prior),
            tipping: tipping(&features, total),
            features,
        };
        screen.show(&result, || text(&result, self.top))
    }

    /// The chunk with the row, and the row's number in it.
    fn find_row(&self, input: &Input, schema: &Schema, screen: Screen) -> Result<(Chunk, usize)> {
        let Some(row) = self.row.checked_sub(1) else {
            return Err(usage("rows are counted from 1"));
        };
        let mut reader = self.read.open(input, schema, None, Purpose::Look, screen)?;
        let mut n_rows = 0;
        while let Some(chunk) = reader.next_chunk()? {
            n_rows = chunk.first_row + chunk.rows.n_rows();
            if row < n_rows {
                let row = row - chunk.first_row;
                return Ok((chunk, row));
            }
        }
        bail!("{} has {n_rows} rows; there is no row {}", input.name(), self.row)
    }

    /// The most probable class, and the one to compare it with.
    fn classes(&self, classes: &[String], scores: &[f64]) -> Result<(usize, usize)> {
        if classes.len() < 2 {
            bail!("the model has only the class {:?}, so there is no log-odds to explain", classes.first());
        }
        let best_but = |not: Option<usize>| {
            let others = (0..classes.len()).filter(|&class| Some(class) != not);
            // Of equal ones the first, as for labels.
            others.reduce(|best, class| if scores[class] > scores[best] { class } else { best }).unwrap_or(0)
        };
        let label = best_but(None);
        let against = match &self.against {
            None => best_but(Some(label)),
            Some(name) => match classes.iter().position(|class| class == name) {
                Some(class) if class == label => {
                    return Err(usage(format!(
                        "{name:?} is the predicted label; compare it with another label"
                    )));
                }
                Some(class) => class,
                None => return Err(usage(format!("the model has no class {name:?}; it has {classes:?}"))),
            },
        };
        Ok((label, against))
    }
}

/// Name and value of every feature of a row.
fn values(chunk: &Chunk, row: usize, schema: &Schema) -> Vec<(String, String)> {
    let mut buffer = BlockBuffer::default();
    chunk.rows.copy_rows(&[row], &mut buffer);
    let mut values = Vec::new();
    buffer.block().for_each_row(|_, cells| values = cells.to_vec());
    let features = schema.features().zip(values);
    features
        .map(|(feature, value)| {
            let value = match &feature.column.kind {
                _ if value.is_nan() => "missing".into(),
                Kind::Categorical { levels } => {
                    levels.get(value as usize).cloned().unwrap_or_else(|| "never seen".into())
                }
                Kind::Text(_) => short(value),
                _ => value.to_string(),
            };
            (feature.name(), value)
        })
        .collect()
}

/// The fewest features without which the label would be the other one: the strongest for it, until what is left
/// speaks against it.
fn tipping(features: &[Feature], log_odds: f64) -> Vec<String> {
    let mut left = log_odds;
    let mut names = Vec::new();
    let mut speaking: Vec<&Feature> = features.iter().filter(|feature| feature.log_odds > 0.0).collect();
    speaking.sort_by(|a, b| b.log_odds.total_cmp(&a.log_odds));
    for feature in speaking {
        names.push(feature.name.clone());
        left -= feature.log_odds;
        if left < 0.0 {
            return names;
        }
    }
    Vec::new()
}

fn text(result: &Explained, top: usize) -> String {
    let mut table = Table::new(["feature", ">value", ">log-odds", ""]);
    let largest = result.features.iter().map(|feature| feature.log_odds.abs());
    let largest = largest.chain([result.prior.abs()]).filter(|size| size.is_finite()).fold(0.0, f64::max);
    let prior = Feature { name: "(prior)".into(), value: String::new(), log_odds: result.prior };
    let listed = result.features.iter().take(top);
    for feature in std::iter::once(&prior).chain(listed) {
        let (name, value) = (feature.name.clone(), feature.value.clone());
        table.row([name, value, short(feature.log_odds), bar(feature.log_odds, largest)]);
    }
    let mut text = format!(
        "row {}: {} (probability {}), log-odds {} against {}\n",
        result.row,
        result.label,
        short(result.probability),
        short(result.log_odds),
        result.against
    );
    if let Some(actual) = &result.actual {
        let verdict = if *actual == result.label { "correct" } else { "wrong" };
        text.push_str(&format!("actual label: {actual} ({verdict})\n"));
    }
    text.push_str(&format!("\n{table}"));
    let rest: Vec<f64> = result.features.iter().skip(top).map(|feature| feature.log_odds).collect();
    if !rest.is_empty() {
        text.push_str(&format!("{} more features add {}\n", rest.len(), short(rest.iter().sum())));
    }
    text.push('\n');
    text.push_str(&match result.tipping.as_slice() {
        [] => {
            format!("The prior alone would also predict {}, or no single feature changes it.", result.label)
        }
        [one] => format!("Without {one} the prediction would be {}.", result.against),
        names => format!("Without {} the prediction would be {}.", list(names), result.against),
    });
    text
}

/// Names as in a sentence.
fn list(names: &[String]) -> String {
    const MOST: usize = 8;
    let shown = names.iter().take(MOST).cloned().collect::<Vec<_>>();
    match (shown.split_last(), names.len() > MOST) {
        (Some(_), true) => format!("{} and {} more features", shown.join(", "), names.len() - MOST),
        (Some((last, [])), false) => last.clone(),
        (Some((last, rest)), false) => format!("{} and {last}", rest.join(", ")),
        (None, _) => String::new(),
    }
}
