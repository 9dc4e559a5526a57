//! The rows that weights and corrections are learnt from.

use anyhow::{Result, anyhow, bail};
use nb_core::{Rows, family::BlockBuffer};
use nb_io::{
    Kind, Model, RowFingerprint, RowFingerprinter, Schema, SeenRows,
    read::{Chunk, Inferred, ReadChunks},
};
use nb_train::{Sample, Sampler};

use super::super::train::refined::add;
use crate::{
    data::{Input, Purpose, ReadArgs, Wanted},
    output::{Screen, quoted_list},
};

/// Whether rows are in the sums of a model, as far as it knows.
#[derive(Clone, Copy)]
pub(super) enum InSums {
    /// The model does not know its rows.
    NotRecorded,
    /// It cannot be known: few or none of them, or a small part of many.
    NoneKnown,
    /// All of them if this is 1, and they are all that the sums have; else about this share of them.
    Share(f64),
}

impl InSums {
    pub(super) fn share(self) -> Option<f64> {
        match self {
            Self::Share(share) => Some(share),
            _ => None,
        }
    }
}

/// What was seen of rows.
pub(super) struct Looked {
    pub(super) n_rows: usize,
    /// The number of rows with a weight above 0.
    pub(super) n_weighted: usize,
    pub(super) in_sums: InSums,
}

/// Files, and how they are read as rows of a model.
pub(super) struct Given<'a> {
    pub(super) inputs: &'a [Input],
    pub(super) read: &'a ReadArgs,
    pub(super) weights: Option<&'a str>,
    pub(super) model: &'a Model,
}

/// The fingerprint of the rows of a file, whose categories may be new.
pub(super) fn fingerprint(
    model: &Model,
    input: &Input,
    read: &ReadArgs,
    weights: Option<&str>,
) -> Result<RowFingerprint> {
    let classes = model.stats().classes().cloned().collect();
    let wanted = Wanted { weight: weights, classes, ..Wanted::default() };
    let silent = Screen::new(false, true);
    let mut reader = read.open(input, model.schema(), wanted, Purpose::Learn, silent)?;
    let mut fingerprinter = RowFingerprinter::new(model.schema());
    while let Some(chunk) = reader.next_chunk()? {
        let labels = chunk.labels.as_deref().unwrap_or_default();
        fingerprinter.add(reader.schema(), &chunk.rows, labels);
    }
    Ok(fingerprinter.finish())
}

impl<'a> Given<'a> {
    fn open(&self, input: &'a Input, screen: Screen) -> Result<Box<dyn ReadChunks + 'a>> {
        let classes = self.model.stats().classes().cloned().collect();
        let wanted = Wanted { weight: self.weights, classes, ..Wanted::default() };
        self.read.open(input, self.model.schema(), wanted, Purpose::Learn, screen)
    }

    /// What the rows are, and whether they are in the sums of a model; refuses rows with classes or categories that the model
    /// does not have.
    pub(super) fn look(&self, known: &Model, screen: Screen) -> Result<Looked> {
        let mut fingerprinter = RowFingerprinter::new(self.model.schema());
        let (mut n_rows, mut n_weighted) = (0, 0);
        for input in self.inputs {
            let mut reader = self.open(input, screen)?;
            while let Some(chunk) = reader.next_chunk()? {
                let labels = chunk.labels.as_deref().unwrap_or_default();
                self.check_labels(input, &chunk, labels)?;
                self.check_categories(input, reader.schema(), &chunk)?;
                fingerprinter.add(self.model.schema(), &chunk.rows, labels);
                n_rows += chunk.rows.n_rows();
                n_weighted += chunk.weights.as_ref().map_or(chunk.rows.n_rows(), |weights| {
                    weights.iter().filter(|weight| **weight > 0.0).count()
                });
            }
        }
        let fingerprint = fingerprinter.finish();
        let seen = known.row_fingerprint().map(|own| own.seen(&fingerprint));
        let in_sums = match seen {
            None => InSums::NotRecorded,
            Some(SeenRows::All) => InSums::Share(1.0),
            Some(SeenRows::Share(share)) => InSums::Share(share.min(0.999)),
            Some(_) => InSums::NoneKnown,
        };
        Ok(Looked { n_rows, n_weighted, in_sums })
    }

    fn check_labels(&self, input: &Input, chunk: &Chunk, labels: &[String]) -> Result<()> {
        let classes: Vec<&String> = self.model.stats().classes().collect();
        let Some(row) = labels.iter().position(|label| classes.binary_search(&label).is_err()) else {
            return Ok(());
        };
        let classes: Vec<String> = classes.into_iter().cloned().collect();
        bail!(
            "{}, row {}: the label {:?} is none of the classes of the model ({}); a file of new rows is given by --add",
            input.name(),
            chunk.first_row + row + 1,
            labels[row],
            quoted_list(&classes)
        )
    }

    fn check_categories(&self, input: &Input, schema: &Schema, chunk: &Chunk) -> Result<()> {
        let limits = self.model.schema().features().map(|feature| match feature.kind() {
            Kind::Categorical { levels } => levels.len() as f64,
            _ => f64::INFINITY,
        });
        let limits: Vec<f64> = limits.collect();
        let mut new = None;
        BlockBuffer::default().read(&chunk.rows, 0..chunk.rows.n_rows()).for_each_stored(
            |row, feature, code| {
                if new.is_none() && code >= limits[feature] {
                    new = Some((row, feature, code as usize));
                }
            },
        );
        let Some((row, feature, code)) = new else { return Ok(()) };
        let name = match schema.feature(feature).map(|feature| feature.kind()) {
            Some(Kind::Categorical { levels }) => levels.get(code).cloned().unwrap_or_default(),
            _ => String::new(),
        };
        bail!(
            "{}, row {}, column {:?}: the model does not know the category {name:?}, so that its sums do not have this row; \
             a file of new rows is given by --add",
            input.name(),
            chunk.first_row + row + 1,
            schema.feature_name(feature).unwrap_or_default()
        )
    }

    /// The rows in memory: all of `n_rows`, or some of many.
    pub(super) fn sample(&self, n_rows: usize, most_cells: usize) -> Result<Sample> {
        let inferred = Inferred::new(self.model.schema().clone(), Vec::new(), n_rows);
        let mut sampler = Sampler::new(&inferred, most_cells);
        for input in self.inputs {
            let mut reader = self.open(input, Screen::new(false, true))?;
            while let Some(mut chunk) = reader.next_chunk()? {
                add(&mut sampler, &mut chunk, input, self.read, self.model.schema())?;
            }
        }
        sampler
            .finish()
            .map_err(|why| anyhow!("weights and corrections cannot be learnt from these rows: {why}"))
    }
}
