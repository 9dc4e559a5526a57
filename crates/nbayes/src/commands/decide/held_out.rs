//! Held-out rows, with what a model says of them.

use anyhow::{Context, Result, bail};
use nb_core::{Classifier, RowSubset};
use nb_io::{FittedFamily, Model};
use nb_train::{ThresholdError, ThresholdGoal};
use ndarray::Array2;

use crate::{
    data::{Input, Origin, Purpose, ReadArgs, Wanted, find_files},
    model::{Seen, Unfamiliar},
    output::Screen,
    words::value_error,
};

/// The rows.
#[derive(Debug, Default)]
pub(in crate::commands) struct HeldOutAnswers {
    pub(in crate::commands) rows: Vec<Answered>,
    /// Where the first label is that the model does not have, and which it is.
    pub(in crate::commands) first_unknown: Option<String>,
}

/// A row.
#[derive(Debug)]
pub(in crate::commands) struct Answered {
    /// The place of its class; `None` if the model does not have it.
    pub(in crate::commands) truth: Option<usize>,
    /// The place of the most probable class; `None` if the row is impossible under every class.
    pub(in crate::commands) most_probable: Option<usize>,
    /// The logarithms of the posterior probabilities.
    pub(in crate::commands) log_posterior: Vec<f64>,
    /// Its group, if there is a column of groups.
    pub(in crate::commands) group: Option<String>,
}

impl HeldOutAnswers {
    pub(in crate::commands) fn of(
        model: &Model,
        classifier: &Classifier<String, FittedFamily>,
        files: &[String],
        (read, groups): (&ReadArgs, &[String]),
        screen: Screen,
    ) -> Result<Self> {
        let read = read.of_model(model);
        let classes = classifier.classes();
        let place = |label: &String| classes.binary_search(label).ok();
        let mut unfamiliar = Unfamiliar::new(model);
        let mut seen = Seen::new(model);
        let mut held_out = Self::default();
        for file in &find_files(files, &read, screen)? {
            let input = Input::find(file)?;
            let wanted = Wanted { classes: classes.to_vec(), ids: groups, ..Wanted::default() };
            let mut reader = read.open(&input, model.schema(), wanted, Purpose::Compare, screen)?;
            let origin =
                Origin { input: &input, read: &read, schema: model.schema(), purpose: Purpose::Compare };
            while let Some(chunk) = reader.next_chunk()? {
                unfamiliar.look(&chunk);
                seen.look(&chunk);
                let predicted = classifier
                    .try_predict_each(&chunk.rows)
                    .map_err(|error| value_error(error, origin, chunk.first_row))?;
                let possible: Vec<usize> =
                    (0..predicted.len()).filter(|&row| predicted[row].is_some()).collect();
                let rows =
                    RowSubset::new(&chunk.rows, &possible).context("there is not one label per row")?;
                let answers = classifier.predict_log_proba(&rows)?;
                let mut answers = answers.rows().into_iter();
                let labels = chunk.labels.unwrap_or_default();
                for (row, (label, predicted)) in labels.iter().zip(&predicted).enumerate() {
                    if held_out.first_unknown.is_none() && place(label).is_none() {
                        let place = origin.at(chunk.first_row + row);
                        held_out.first_unknown = Some(format!("{place}: the label {label:?}"));
                    }
                    let answer = predicted.as_ref().and_then(|_| answers.next());
                    held_out.rows.push(Answered {
                        truth: place(label),
                        most_probable: predicted.as_ref().and_then(place),
                        log_posterior: answer
                            .map_or_else(|| vec![f64::NEG_INFINITY; classes.len()], |answer| answer.to_vec()),
                        group: chunk.ids.first().map(|groups| groups[row].clone()),
                    });
                }
            }
        }
        unfamiliar.note(screen);
        seen.note(screen);
        if held_out.rows.is_empty() && !files.is_empty() {
            bail!("the held-out files have no rows");
        }
        Ok(held_out)
    }

    /// The best threshold of a class on the rows.
    pub(super) fn threshold(&self, positive: usize, goal: ThresholdGoal) -> Result<f64, ThresholdError> {
        let n_classes = self.rows.first().map_or(0, |row| row.log_posterior.len());
        let log_posteriors = Array2::from_shape_fn((self.rows.len(), n_classes), |(row, class)| {
            self.rows[row].log_posterior[class]
        });
        let truths: Vec<Option<usize>> = self.rows.iter().map(|row| row.truth).collect();
        nb_train::threshold(&log_posteriors.view(), &truths, positive, goal)
    }

    /// The probabilities of the true classes.
    pub(super) fn of_truth(&self) -> Vec<f64> {
        let of = |row: &Answered| row.truth.map_or(0.0, |truth| row.log_posterior[truth].exp().min(1.0));
        self.rows.iter().map(of).collect()
    }
}
