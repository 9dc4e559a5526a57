//! Test rows: nothing is learnt from them, and the model is evaluated on them.

use std::path::Path;

use anyhow::{Context, Result, bail};
use nb_core::Classifier;
use nb_io::{FittedFamily, Model};
use nb_metrics::Settings;
use serde::Serialize;

use super::{
    super::evaluate::{Evaluated, Judge, unknown_labels_text},
    measured::Measured,
};
use crate::{
    columns::{Columns, Found},
    data::{Input, Purpose, Wanted, paths_of},
    failure::usage,
    model::seen_rows,
    output::{Screen, counted, quoted_list, same_file, short, visible},
};

/// Which rows are test rows.
#[derive(Debug, clap::Args)]
pub(super) struct TestArgs {
    /// Evaluate the model on the labelled rows of this file, from which nothing is learnt.
    #[arg(long, value_name = "FILE")]
    pub(super) test: Option<String>,
    /// Hold out this share of the rows, stratified by the label, before anything is learnt; train on the
    /// rest, and evaluate the model on the rows held out. For delimited text and Parquet.
    #[arg(long, value_name = "SHARE", value_parser = share, conflicts_with = "test")]
    pub(super) test_fraction: Option<f64>,
    /// Random seed of --test-fraction. The same rows and seed give the same test rows, in whatever order the
    /// rows are.
    #[arg(long, default_value_t = 0)]
    pub(super) seed: u64,
}

/// A share of all rows that leaves some of them.
fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("it must be a share between 0 and 1, such as 0.2".into()),
    }
}

/// How the model labels test rows.
#[derive(Serialize)]
pub(super) struct Tested {
    files: Vec<String>,
    /// The share of the rows that was held out, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    test_fraction: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    /// The column whose groups are held out as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<String>,
    #[serde(flatten)]
    measures: Evaluated,
}

impl TestArgs {
    /// The option that is given, if one is.
    pub(super) fn given(&self) -> Option<&'static str> {
        let options = [(self.test.is_some(), "--test"), (self.test_fraction.is_some(), "--test-fraction")];
        options.into_iter().find_map(|(is_given, option)| is_given.then_some(option))
    }

    /// Looks at the columns of all files but of the test rows, which are the inputs.
    pub(super) fn find(&self, columns: &Columns, screen: Screen) -> Result<(Found, Vec<Input>)> {
        if let Some(share) = self.test_fraction {
            return columns.find_without(share, self.seed, screen);
        }
        let Some(test) = &self.test else { return Ok((columns.find(screen)?, Vec::new())) };
        if let Some(same) = columns.paths().flat_map(paths_of).find(|path| same_file(path, Path::new(test))) {
            return Err(usage(format!(
                "the test file {test} is also {}, from which the model learns; name another one, or hold rows out by --test-fraction",
                same.display()
            )));
        }
        let (input, found) = (Input::find(test)?, columns.find(screen)?);
        // What is wrong with its columns is said before all rows are learnt from.
        let inferred = Some(&found.columns.inferred);
        let wanted = Wanted { weight: found.weights.as_deref(), inferred, ..Wanted::default() };
        found
            .read
            .open(&input, &found.columns.inferred.schema, wanted, Purpose::Compare, screen.silent())
            .context("the test file (--test)")?;
        Ok((found, vec![input]))
    }

    /// Evaluates a model on the test rows, if there are any.
    pub(super) fn evaluate(
        &self,
        inputs: &[Input],
        model: &Model,
        classifier: &Classifier<String, FittedFamily>,
        found: &Found,
        screen: Screen,
    ) -> Result<Option<Tested>> {
        if inputs.is_empty() {
            return Ok(None);
        }
        let judge = Judge {
            model,
            classifier,
            read: &found.read,
            weights: found.weights.as_deref(),
            settings: Settings::default(),
            min_probability: None,
            leave_one_out: false,
        };
        let measures = judge.of_files(inputs, screen).context("the test rows")?;
        if measures.unseen_labels == measures.rows {
            bail!(
                "the test rows have no label that the model knows: {}; the classes of the model are {}",
                unknown_labels_text(&measures.unknown_labels, measures.unseen_labels),
                quoted_list(classifier.classes())
            );
        }
        let seed = self.test_fraction.map(|_| self.seed);
        let files = inputs.iter().map(|input| input.name().to_owned()).collect();
        let group = found.group.first().filter(|_| seed.is_some()).cloned();
        Ok(Some(Tested { files, test_fraction: self.test_fraction, seed, group, measures }))
    }

    /// An error about training rows, which are counted without those that are held out.
    pub(super) fn explained(&self, error: anyhow::Error) -> anyhow::Error {
        let counts_rows = self.test_fraction.is_some() && format!("{error:#}").contains(", row ");
        if !counts_rows {
            return error;
        }
        error.context("rows are counted without those that --test-fraction holds out")
    }
}

impl Tested {
    /// The measures, and which rows they are of.
    pub(super) fn text(&self, model: &str) -> String {
        let Self { measures, .. } = self;
        let table = Measured {
            errors: [None; 2],
            plain: [None; 2],
            log_loss: measures.log_loss,
            log_loss_of_prior: measures.baseline.log_loss,
            accuracy: measures.accuracy,
            majority: measures.baseline.accuracy,
            auc: measures.auc,
            calibration_error: measures.calibration_error,
        };
        let files: Vec<String> = self.files.iter().map(|file| visible(file).into_owned()).collect();
        let mut text = format!(
            "\n{}{} of {}, ",
            table.table("test rows", model),
            counted(measures.rows, "row", "rows"),
            files.join(", "),
        );
        text.push_str(&match measures.seen_in_training {
            Some(share) => {
                format!("{}, or equal to such rows: the measures are optimistic", seen_rows::words(share))
            }
            None => "from which nothing was learnt: the saved model has not seen them".into(),
        });
        if let (Some(share), Some(seed)) = (self.test_fraction, self.seed) {
            let dealt = match &self.group {
                Some(group) => format!("whole groups of {group:?}"),
                None => "stratified".into(),
            };
            text.push_str(&format!(" (--test-fraction {share}, {dealt}, seed {seed})"));
        }
        if let Some((lower, upper)) = measures.accuracy_interval {
            text.push_str(&format!("\n95 % interval of the accuracy: {} to {}", short(lower), short(upper)));
        }
        text.push('\n');
        if measures.unseen_labels > 0 {
            text.push_str(&format!(
                "{} that the model does not know, and {} wrong: {}\n",
                counted(measures.unseen_labels, "test row has a label", "test rows have labels"),
                if measures.unseen_labels == 1 { "is" } else { "are" },
                unknown_labels_text(&measures.unknown_labels, measures.unseen_labels)
            ));
        }
        if measures.impossible_rows > 0 {
            text.push_str(&format!(
                "{} impossible under every class, and counted as wrong\n",
                counted(measures.impossible_rows, "test row is", "test rows are")
            ));
        }
        text
    }
}
