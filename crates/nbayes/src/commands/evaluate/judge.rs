//! Rows with known labels, judged by a model.

use anyhow::{Context, Result, bail};
use nb_core::Classifier;
use nb_io::{FittedFamily, Model, read::Chunk};
use nb_metrics::Settings;
use serde::Serialize;

use super::{
    leave_one_out,
    tallies::{Covered, Row, Sets, Tallies},
    unknown_labels::{UnknownLabel, UnknownLabels},
};
use crate::{
    data::{Input, Origin, Purpose, ReadArgs, Wanted},
    model::{Seen, Unfamiliar, for_each_answer},
    output::Screen,
    words::{decision_words, value_error},
};

/// A model, and how rows are judged by it.
pub(crate) struct Judge<'a> {
    pub(crate) model: &'a Model,
    pub(crate) classifier: &'a Classifier<String, FittedFamily>,
    /// How files are read that the model does not say how to read.
    pub(crate) read: &'a ReadArgs,
    /// The column of row weights.
    pub(crate) weights: Option<&'a str>,
    pub(crate) settings: Settings,
    pub(crate) min_probability: Option<f64>,
    pub(crate) leave_one_out: bool,
}

#[derive(Serialize)]
pub(crate) struct Evaluated {
    pub(crate) rows: u64,
    pub(crate) leave_one_out: bool,
    /// The share of the rows that is known to have been used in training.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seen_in_training: Option<f64>,
    pub(crate) weight: f64,
    pub(crate) unseen_labels: u64,
    pub(crate) unknown_labels: Vec<UnknownLabel>,
    pub(crate) impossible_rows: u64,
    pub(crate) accuracy: Option<f64>,
    pub(crate) accuracy_interval: Option<(f64, f64)>,
    pub(crate) balanced_accuracy: Option<f64>,
    pub(crate) macro_f1: Option<f64>,
    pub(crate) log_loss: Option<f64>,
    pub(crate) brier: Option<f64>,
    pub(crate) auc: Option<f64>,
    pub(crate) auc_pairwise: Option<f64>,
    pub(crate) calibration_error: Option<f64>,
    pub(crate) calibration_bins: u32,
    pub(crate) baseline: Baseline,
    /// The decision rule of the model, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) decision: Vec<String>,
    pub(crate) undecided_rows: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sets: Option<Sets>,
    #[serde(flatten)]
    pub(crate) covered: Option<Covered>,
    pub(crate) classes: Vec<ClassLine>,
    pub(crate) confusion: Vec<Confused>,
}

/// What is measured if every row gets the most frequent class of training, and the shares of the classes as
/// probabilities.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct Baseline {
    pub(crate) accuracy: Option<f64>,
    pub(crate) balanced_accuracy: Option<f64>,
    pub(crate) macro_f1: Option<f64>,
    pub(crate) log_loss: Option<f64>,
    pub(crate) brier: Option<f64>,
}

#[derive(Serialize)]
pub(crate) struct ClassLine {
    pub(crate) label: String,
    pub(crate) rows: f64,
    pub(crate) precision: Option<f64>,
    pub(crate) recall: Option<f64>,
    pub(crate) f1: Option<f64>,
    pub(crate) auc: Option<f64>,
}

#[derive(Serialize)]
pub(crate) struct Confused {
    /// `None`: a label that the model does not know.
    pub(crate) label: Option<String>,
    /// `None`: the row is impossible under every class.
    pub(crate) predicted: Option<String>,
    pub(crate) rows: f64,
}

impl Judge<'_> {
    /// Judges all rows of files.
    pub(crate) fn of_files(&self, inputs: &[Input], screen: Screen) -> Result<Evaluated> {
        let &Self { model, classifier, weights, .. } = self;
        let mut rest = self.leave_one_out.then(|| model.clone());
        let mut tallies = Tallies::new(model, self.settings, self.min_probability.map(Covered::new));
        let mut unfamiliar = Unfamiliar::new(model);
        let mut seen = Seen::new(model);
        let mut unknown_labels = UnknownLabels::default();
        let read = self.read.of_model(model);
        for input in inputs {
            let classes = classifier.classes().to_vec();
            let wanted = Wanted { weight: weights, classes, ..Wanted::default() };
            let mut reader = read.open(input, model.schema(), wanted, Purpose::Compare, screen)?;
            let origin = Origin { input, read: &read, schema: model.schema(), purpose: Purpose::Compare };
            while let Some(chunk) = reader.next_chunk()? {
                unfamiliar.look(&chunk);
                seen.look(&chunk);
                unknown_labels.look(chunk.labels.as_deref().unwrap_or_default(), classifier.classes());
                if let Some(rest) = &mut rest {
                    leave_one_out::add(&mut tallies, rest, &chunk, input, &read)?;
                    continue;
                }
                let predicted = classifier
                    .try_predict_each(&chunk.rows)
                    .map_err(|error| value_error(error, origin, chunk.first_row))?;
                add(&mut tallies, classifier, &chunk, &predicted)
                    .with_context(|| format!("{}, rows from {}", input.name(), chunk.first_row + 1))?;
            }
        }
        if tallies.posteriors.measures().rows.rows == 0 {
            bail!("there are no rows to compare");
        }
        unfamiliar.note(screen);
        Ok(Evaluated {
            unknown_labels: unknown_labels.finish(),
            leave_one_out: self.leave_one_out,
            seen_in_training: seen.share().filter(|_| !self.leave_one_out),
            ..result(&tallies, model, classifier.classes())
        })
    }
}

/// Adds the rows of a chunk.
fn add(
    tallies: &mut Tallies,
    classifier: &Classifier<String, FittedFamily>,
    chunk: &Chunk,
    predicted: &[Option<String>],
) -> Result<()> {
    for_each_answer(
        classifier,
        &chunk.rows,
        chunk.labels.as_deref().unwrap_or_default(),
        predicted,
        |answer| {
            let added = tallies.add(Row {
                truth: answer.truth,
                most_probable: answer.most_probable,
                log_posterior: answer.log_posterior,
                weight: chunk.weights.as_ref().map_or(1.0, |weights| weights[answer.row]),
            });
            added.with_context(|| format!("row {}", answer.row + 1))
        },
    )
}

fn result(tallies: &Tallies, model: &Model, classes: &[String]) -> Evaluated {
    // Measures of labels are those of the decision rule, and measures of probabilities those of the
    // probabilities.
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
        seen_in_training: None,
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
        calibration_bins: of_posteriors.calibration_bins,
        baseline: Baseline {
            accuracy: of_shares.accuracy,
            balanced_accuracy: of_shares.balanced_accuracy,
            macro_f1: of_shares.macro_f1,
            log_loss: of_shares.log_loss,
            brier: of_shares.brier,
        },
        decision: model.decision().map(decision_words).unwrap_or_default(),
        undecided_rows: tallies.abstained,
        sets: tallies.sets(),
        covered: tallies.covered.map(|covered| covered.of(measures.rows.weight)),
        classes: lines.collect(),
        confusion: cells
            .map(|(truth, predicted, rows)| Confused { label: name(truth), predicted: name(predicted), rows })
            .collect(),
    }
}
