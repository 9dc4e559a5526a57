//! `nbayes predict`: labels for new rows.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use nb_core::{Classifier, RowSubset};
use nb_io::{
    FittedFamily, Schema,
    read::{Chunk, Table},
};

use super::load_classifier;
use crate::{
    data::{Input, Purpose, ReadArgs, Wanted, pieces, value_error},
    engine::{EngineArgs, ExternalEngine},
    failure::usage,
    output::{Cell, ColumnType, RowWriter, Screen, counted, distinct, refuse_inputs},
};

/// Predict the label of each row, with class probabilities on request.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  nbayes predict model.nb new.csv\n  nbayes predict model.nb new.parquet --proba --id customer -o labelled.parquet"
)]
pub(crate) struct Predict {
    /// The model.
    model: PathBuf,
    /// Data files; columns are matched by name, in any order.
    #[arg(required = true)]
    files: Vec<String>,
    /// A column to copy to the output, such as an identifier.
    #[arg(long, value_name = "COLUMN")]
    id: Option<String>,
    /// Add the probability of each class (`predict_proba`).
    #[arg(long)]
    proba: bool,
    /// Add the natural logarithm of the probability of each class.
    #[arg(long)]
    log_proba: bool,
    /// The output file: CSV, TSV, Parquet or JSON lines, by its extension [default: standard output].
    #[arg(long, short)]
    output: Option<PathBuf>,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

impl Predict {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        let inputs = self.files.iter().map(Path::new).chain([self.model.as_path()]);
        refuse_inputs(self.output.as_deref(), inputs)?;
        if let Some(engine) = self.engine.external()? {
            return self.predict_on_engine(&engine, screen);
        }
        let (model, classifier) = load_classifier(&self.model)?;
        let mut writer =
            RowWriter::new(self.output.as_deref(), screen.json(), &self.columns(&model, &classifier))?;
        let mut unseen = 0;
        for file in &self.files {
            let input = Input::find(file)?;
            let wanted = Wanted { id: self.id.as_deref(), ..Wanted::default() };
            let mut reader = self.read.open(&input, model.schema(), wanted, Purpose::Predict, screen)?;
            while let Some(chunk) = reader.next_chunk()? {
                unseen += unseen_categories(model.schema(), &chunk);
                let labels = classifier.try_predict_each(&chunk.rows).map_err(|error| {
                    value_error(error, &input, &self.read, model.schema(), chunk.first_row)
                })?;
                self.write(&classifier, &chunk, &labels, &mut writer)?;
            }
        }
        if unseen > 0 {
            screen.note(&format!(
                "{} not seen in training",
                counted(unseen, "cell has a category", "cells have categories")
            ));
        }
        writer.finish()
    }

    /// The other program does all of it.
    fn predict_on_engine(&self, engine: &ExternalEngine, screen: Screen) -> Result<()> {
        let Some(output) = &self.output else {
            return Err(usage("--engine datafusion and ballista need an output file: -o FILE"));
        };
        if !self.read.is_plain() {
            return Err(usage("the options for reading data are for --engine local only"));
        }
        let mut arguments: Vec<&OsStr> = vec!["predict".as_ref(), self.model.as_ref()];
        arguments.extend(self.files.iter().map(OsStr::new));
        arguments.extend(["-o".as_ref(), output.as_os_str()]);
        if let Some(id) = &self.id {
            arguments.extend(["--id".as_ref(), OsStr::new(id)]);
        }
        for (wanted, option) in [(self.proba, "--proba"), (self.log_proba, "--log-proba")] {
            arguments.extend(wanted.then_some(OsStr::new(option)));
        }
        engine.query(arguments, screen.quiet())
    }

    fn columns(
        &self,
        model: &nb_io::Model,
        classifier: &Classifier<String, FittedFamily>,
    ) -> Vec<(String, ColumnType)> {
        let id = self.id.iter().map(|id| (id.clone(), ColumnType::Text));
        let mut columns: Vec<_> = id.chain([(model.schema().label.clone(), ColumnType::Text)]).collect();
        for (wanted, name) in [(self.proba, "p"), (self.log_proba, "log_p")] {
            if wanted {
                let of_class = |class: &String| (format!("{name}({class})"), ColumnType::Number);
                columns.extend(classifier.classes().iter().map(of_class));
            }
        }
        distinct(columns)
    }

    /// Writes one row of answers for every row. A row that is impossible under every class has an empty one.
    fn write(
        &self,
        classifier: &Classifier<String, FittedFamily>,
        chunk: &Chunk,
        labels: &[Option<String>],
        writer: &mut RowWriter,
    ) -> Result<()> {
        let (n_classes, wanted) = (classifier.classes().len(), [self.proba, self.log_proba]);
        let n_answers = n_classes * wanted.iter().filter(|wanted| **wanted).count();
        for piece in pieces(labels.len(), n_answers) {
            let possible: Vec<usize> = piece.clone().filter(|&row| labels[row].is_some()).collect();
            let rows = RowSubset::new(&chunk.rows, &possible).context("there is not one label per row")?;
            let mut answers = Vec::new();
            if self.proba {
                answers.push(classifier.predict_proba(&rows)?);
            }
            if self.log_proba {
                answers.push(classifier.predict_log_proba(&rows)?);
            }
            let mut row_of_answers = 0;
            let lines = piece.map(|row| {
                let id = chunk.ids.iter().map(|ids| Cell::Text(ids[row].clone()));
                let Some(label) = &labels[row] else {
                    return id.chain(vec![Cell::Missing; 1 + n_answers]).collect();
                };
                let numbers = answers.iter().flat_map(|answers| answers.row(row_of_answers).to_vec());
                let cells = id.chain([Cell::Text(label.clone())]).chain(numbers.map(Cell::Number)).collect();
                row_of_answers += 1;
                cells
            });
            writer.write(&lines.collect::<Vec<_>>())?;
        }
        Ok(())
    }
}

/// How many cells of a chunk have a category that the schema does not name.
fn unseen_categories(schema: &Schema, chunk: &Chunk) -> usize {
    let limits = schema.features().map(|feature| match &feature.column.kind {
        nb_io::Kind::Categorical { levels } => levels.len() as f64,
        _ => f64::INFINITY,
    });
    let limits: Vec<f64> = limits.collect();
    match &chunk.rows {
        Table::Dense(rows) => {
            let cells = rows.rows().into_iter().flat_map(|row| row.into_iter().zip(&limits));
            cells.filter(|(code, limit)| *code >= *limit).count()
        }
        Table::Sparse(rows) => {
            let cells = rows.indices().iter().zip(rows.values());
            cells.filter(|(feature, code)| **code >= limits[**feature]).count()
        }
    }
}
