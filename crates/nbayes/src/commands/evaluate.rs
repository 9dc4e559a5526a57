//! `nbayes evaluate`: how good a model is on rows whose labels are known.

mod leave_one_out;
mod tallies;
mod unknown_labels;

use std::{num::NonZeroU32, path::PathBuf};

use anyhow::{Context, Result, bail};
use nb_core::Classifier;
use nb_io::{FittedFamily, Model, read::Chunk};
use nb_metrics::Settings;
use serde::Serialize;

use super::{
    answers::for_each_answer, decision_words::words, load_classifier, probability, unfamiliar::Unfamiliar,
};
use crate::{
    data::{Input, Purpose, ReadArgs, Wanted, value_error},
    output::{Head, Screen, Table, counted, short, visible},
};
use tallies::{Covered, Row, Sets, Tallies};
use unknown_labels::{UnknownLabel, UnknownLabels};

/// Evaluate a model on labelled rows: accuracy, F1, log-loss, Brier score, AUC, calibration, confusion matrix.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  nbayes evaluate model.nb test.csv\n  nbayes evaluate model.nb test.csv --json"
)]
pub(crate) struct Evaluate {
    /// The model.
    model: PathBuf,
    /// Data files with labels, held out from training.
    #[arg(required = true)]
    files: Vec<String>,
    /// The column of row weights.
    #[arg(long, value_name = "COLUMN")]
    weights: Option<String>,
    /// Number of bins of the calibration error.
    #[arg(long, default_value_t = NonZeroU32::new(15).unwrap_or(NonZeroU32::MIN))]
    bins: NonZeroU32,
    /// Also report the accuracy on the rows whose most probable class has at least this probability, and their share.
    #[arg(long, value_name = "PROBABILITY", value_parser = probability)]
    min_probability: Option<f64>,
    /// Skip the AUC, which needs memory for every row.
    #[arg(long)]
    no_auc: bool,
    /// Judge each row by the model without it (exact leave-one-out cross-validation). For the rows that the model was trained on.
    #[arg(long)]
    leave_one_out: bool,
    #[command(flatten)]
    read: ReadArgs,
}

#[derive(Serialize)]
struct Evaluated {
    rows: u64,
    leave_one_out: bool,
    weight: f64,
    unseen_labels: u64,
    unknown_labels: Vec<UnknownLabel>,
    impossible_rows: u64,
    accuracy: Option<f64>,
    accuracy_interval: Option<(f64, f64)>,
    balanced_accuracy: Option<f64>,
    macro_f1: Option<f64>,
    log_loss: Option<f64>,
    brier: Option<f64>,
    auc: Option<f64>,
    auc_pairwise: Option<f64>,
    calibration_error: Option<f64>,
    calibration_bins: u32,
    baseline: Baseline,
    /// The decision rule of the model, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    decision: Vec<String>,
    undecided_rows: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    sets: Option<Sets>,
    #[serde(flatten)]
    covered: Option<Covered>,
    classes: Vec<ClassLine>,
    confusion: Vec<Confused>,
}

/// What is measured if every row gets the most frequent class of training, and the shares of the classes as probabilities.
#[derive(Clone, Copy, Serialize)]
struct Baseline {
    accuracy: Option<f64>,
    balanced_accuracy: Option<f64>,
    macro_f1: Option<f64>,
    log_loss: Option<f64>,
    brier: Option<f64>,
}

#[derive(Serialize)]
struct ClassLine {
    label: String,
    rows: f64,
    precision: Option<f64>,
    recall: Option<f64>,
    f1: Option<f64>,
    auc: Option<f64>,
}

#[derive(Serialize)]
struct Confused {
    /// `None`: a label that the model does not know.
    label: Option<String>,
    /// `None`: the row is impossible under every class.
    predicted: Option<String>,
    rows: f64,
}

impl Evaluate {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        let (model, classifier) = load_classifier(&self.model)?;
        if self.leave_one_out && model.refinement().is_some() {
            screen.note("weights, corrections and bins are those of all rows; --leave-one-out takes rows out of the counts only");
        }
        let mut rest = self.leave_one_out.then(|| model.clone());
        let settings = Settings::default().with_n_bins(self.bins).with_keep_scores(!self.no_auc);
        let mut tallies = Tallies::new(&model, settings, self.min_probability.map(Covered::new));
        let mut unfamiliar = Unfamiliar::new(&model);
        let mut unknown_labels = UnknownLabels::default();
        let read = self.read.of_model(&model);
        for file in &self.files {
            let input = Input::find(file)?;
            let classes = classifier.classes().to_vec();
            let wanted = Wanted { weight: self.weights.as_deref(), classes, ..Wanted::default() };
            let mut reader = read.open(&input, model.schema(), wanted, Purpose::Compare, screen)?;
            while let Some(chunk) = reader.next_chunk()? {
                unfamiliar.look(&chunk);
                unknown_labels.look(chunk.labels.as_deref().unwrap_or_default(), classifier.classes());
                if let Some(rest) = &mut rest {
                    leave_one_out::add(&mut tallies, rest, &chunk, input.name())?;
                    continue;
                }
                let predicted = classifier
                    .try_predict_each(&chunk.rows)
                    .map_err(|error| value_error(error, &input, &read, model.schema(), chunk.first_row))?;
                add(&mut tallies, &classifier, &chunk, &predicted)
                    .with_context(|| format!("{}, rows from {}", input.name(), chunk.first_row + 1))?;
            }
        }
        if tallies.posteriors.measures().rows.rows == 0 {
            bail!("there are no rows to compare");
        }
        unfamiliar.note(screen);
        let unknown_labels = unknown_labels.finish();
        let result = Evaluated {
            unknown_labels,
            leave_one_out: self.leave_one_out,
            ..result(&tallies, &model, classifier.classes())
        };
        screen.show(&result, || text(&result))
    }
}

/// Adds the rows of a chunk.
fn add(
    tallies: &mut Tallies,
    classifier: &Classifier<String, FittedFamily>,
    chunk: &Chunk,
    predicted: &[Option<String>],
) -> Result<()> {
    for_each_answer(classifier, chunk, predicted, |answer| {
        let added = tallies.add(Row {
            truth: answer.truth,
            most_probable: answer.most_probable,
            log_posterior: answer.log_posterior,
            weight: chunk.weights.as_ref().map_or(1.0, |weights| weights[answer.row]),
        });
        added.with_context(|| format!("row {}", answer.row + 1))
    })
}

fn result(tallies: &Tallies, model: &Model, classes: &[String]) -> Evaluated {
    // Measures of labels are those of the decision rule, and measures of probabilities those of the probabilities.
    let (measures, of_posteriors) = (tallies.labels().measures(), tallies.posteriors.measures());
    let of_shares = tallies.baseline.measures();
    let lines = classes.iter().zip(measures.classes.iter().zip(&of_posteriors.classes));
    let lines = lines.map(|(label, (class, of_posteriors))| ClassLine {
        label: label.clone(),
        rows: class.support,
        precision: class.precision,
        recall: class.recall,
        f1: class.f1,
        auc: of_posteriors.auc,
    });
    let name = |class: Option<usize>| class.and_then(|class| classes.get(class).cloned());
    let cells = tallies.labels().confusion().cells();
    Evaluated {
        rows: measures.rows.rows,
        leave_one_out: false,
        weight: measures.rows.weight,
        unseen_labels: measures.unseen.rows,
        unknown_labels: Vec::new(),
        impossible_rows: of_posteriors.unanswered.rows,
        accuracy: measures.accuracy,
        accuracy_interval: measures.accuracy_interval.map(|interval| (interval.lower, interval.upper)),
        balanced_accuracy: measures.balanced_accuracy,
        macro_f1: measures.macro_f1,
        log_loss: of_posteriors.log_loss,
        brier: of_posteriors.brier,
        auc: of_posteriors.auc,
        auc_pairwise: of_posteriors.auc_pairwise,
        calibration_error: of_posteriors.calibration_error,
        calibration_bins: tallies.posteriors.settings().n_bins.get(),
        baseline: Baseline {
            accuracy: of_shares.accuracy,
            balanced_accuracy: of_shares.balanced_accuracy,
            macro_f1: of_shares.macro_f1,
            log_loss: of_shares.log_loss,
            brier: of_shares.brier,
        },
        decision: model.decision().map(words).unwrap_or_default(),
        undecided_rows: tallies.abstained,
        sets: tallies.sets(),
        covered: tallies.covered.map(|covered| covered.of(measures.rows.weight)),
        classes: lines.collect(),
        confusion: cells
            .map(|(truth, predicted, rows)| Confused { label: name(truth), predicted: name(predicted), rows })
            .collect(),
    }
}

/// A matrix of more classes is a list of its largest cells.
const MOST_CLASSES: usize = 12;
/// Maximum number of confusions listed.
const MOST_CONFUSIONS: usize = 15;

fn text(result: &Evaluated) -> String {
    let number = |value: Option<f64>| value.map_or_else(|| "undefined".into(), short);
    let mut measures = Table::new(["measure", ">value", ">class shares alone", ""]);
    let interval = result
        .accuracy_interval
        .map(|(lower, upper)| format!("95 % interval {} to {}", short(lower), short(upper)));
    let of_labels = if result.classes.len() > 2 { "mean over classes, each against the others" } else { "" };
    let bins = counted(u64::from(result.calibration_bins), "bin", "bins");
    let baseline = &result.baseline;
    for (name, value, baseline, note) in [
        ("accuracy", result.accuracy, Some(baseline.accuracy), interval.unwrap_or_default()),
        (
            "balanced accuracy",
            result.balanced_accuracy,
            Some(baseline.balanced_accuracy),
            "mean recall over classes".into(),
        ),
        ("macro F1", result.macro_f1, Some(baseline.macro_f1), String::new()),
        ("log-loss", result.log_loss, Some(baseline.log_loss), "natural logarithm".into()),
        ("Brier score", result.brier, Some(baseline.brier), "sum over classes".into()),
        ("AUC", result.auc, None, of_labels.into()),
        (
            "calibration error",
            result.calibration_error,
            None,
            format!("expected calibration error of the top label, {bins} of equal width"),
        ),
    ] {
        let baseline = baseline.map(number).unwrap_or_default();
        measures.row([name.to_owned(), number(value), baseline, note]);
    }
    if let Some(covered) = result.covered {
        let rows = format!("rows with a probability of at least {}", covered.min_probability);
        measures.row(["coverage".to_owned(), number(covered.coverage), String::new(), rows]);
        let of = "of these rows".to_owned();
        measures.row(["covered accuracy".to_owned(), number(covered.accuracy), String::new(), of]);
    }
    if let Some(sets) = result.sets {
        let note = |text: &str| text.to_owned();
        let cells = [
            note("set coverage"),
            short(sets.coverage),
            String::new(),
            note("rows whose class is in the prediction set"),
        ];
        measures.row(cells);
        measures.row([
            note("set size"),
            short(sets.mean_size),
            String::new(),
            note("mean number of classes"),
        ]);
    }
    let how = if result.leave_one_out { ", each judged by the model without it (leave-one-out)" } else { "" };
    let mut text = format!("{}{how}\n\n{measures}\n", counted(result.rows, "row", "rows"));
    if !result.decision.is_empty() {
        text.push_str(&format!("labels by the decision rule: {}\n\n", visible(&result.decision.join("; "))));
    }
    if result.undecided_rows > 0 {
        text.push_str(&format!(
            "{} not decided by this rule, and counted as wrong\n\n",
            counted(result.undecided_rows, "row is", "rows are")
        ));
    }
    if result.unseen_labels > 0 {
        text.push_str(&format!(
            "{} that the model does not know: {}\n\n",
            counted(result.unseen_labels, "row has a label", "rows have labels"),
            unknown_labels::text(&result.unknown_labels, result.unseen_labels)
        ));
    }
    if result.impossible_rows > 0 {
        text.push_str(&format!(
            "{} impossible under every class\n\n",
            counted(result.impossible_rows, "row is", "rows are")
        ));
    }
    let mut classes = Table::new(["class", ">rows", ">precision", ">recall", ">F1", ">AUC"]);
    for class in result.classes.iter().take(MOST_CONFUSIONS) {
        let [precision, recall, f1, auc] = [class.precision, class.recall, class.f1, class.auc].map(number);
        classes.row([class.label.clone(), short(class.rows), precision, recall, f1, auc]);
    }
    text.push_str(&classes.to_string());
    if result.classes.len() > MOST_CONFUSIONS {
        text.push_str(&format!(
            "... and {}; --json lists all\n",
            counted(result.classes.len() - MOST_CONFUSIONS, "more class", "more classes")
        ));
    }
    text.push('\n');
    text.push_str(&confusion(result));
    text
}

/// The confusion matrix; of many classes its largest cells off the diagonal.
fn confusion(result: &Evaluated) -> String {
    let name = |label: &Option<String>, none: &str| label.clone().unwrap_or_else(|| none.into());
    if result.classes.len() > MOST_CLASSES {
        let mut cells: Vec<&Confused> =
            result.confusion.iter().filter(|cell| cell.label != cell.predicted).collect();
        cells.sort_by(|a, b| b.rows.total_cmp(&a.rows));
        let mut table = Table::new(["label", "taken for", ">rows"]);
        for cell in cells.iter().take(MOST_CONFUSIONS) {
            table.row([name(&cell.label, "(unknown)"), name(&cell.predicted, "(none)"), short(cell.rows)]);
        }
        let mut text = table.to_string();
        if cells.len() > MOST_CONFUSIONS {
            let rest =
                counted(cells.len() - MOST_CONFUSIONS, "more pair of classes", "more pairs of classes");
            text.push_str(&format!("... and {rest}; --json lists all\n"));
        }
        return text;
    }
    let mut labels: Vec<Option<String>> =
        result.classes.iter().map(|class| Some(class.label.clone())).collect();
    let mut columns = labels.clone();
    if result.unseen_labels > 0 {
        labels.push(None);
    }
    if result.impossible_rows + result.undecided_rows > 0 {
        columns.push(None);
    }
    let names: Vec<String> = columns.iter().map(|label| name(label, "(none)")).collect();
    let heads = names.iter().map(|name| Head::Right(name));
    let mut table = Table::with_heads([Head::Left("label \\ predicted")].into_iter().chain(heads));
    for label in &labels {
        let cells = columns.iter().map(|predicted| {
            let cell =
                result.confusion.iter().find(|cell| cell.label == *label && cell.predicted == *predicted);
            cell.map_or_else(|| "0".into(), |cell| short(cell.rows))
        });
        table.row([name(label, "(unknown)")].into_iter().chain(cells));
    }
    table.to_string()
}
