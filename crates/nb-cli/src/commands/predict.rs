//! `nb predict`: labels for new rows.

use std::path::PathBuf;

use anyhow::{Context, Result};
use nb_core::{Classifier, PredictError};
use nb_io::{
    FittedFamily, Schema,
    read::{Chunk, Table},
};

use super::load_classifier;
use crate::{
    data::{Input, Purpose, ReadArgs},
    output::{Cell, ColumnType, RowWriter, Screen},
};

/// Labels rows, in their order, with probabilities if they are wanted.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  nb predict model.nb new.csv\n  nb predict model.nb new.parquet --proba --id customer -o labelled.parquet"
)]
pub(crate) struct Predict {
    /// The model.
    model: PathBuf,
    /// Data files; columns are found by their names, in any order.
    #[arg(required = true)]
    files: Vec<String>,
    /// Adds the probability of each class.
    #[arg(long)]
    proba: bool,
    /// Adds the natural logarithm of the probability of each class.
    #[arg(long)]
    log_proba: bool,
    /// The file for the labels (CSV, TSV, Parquet or JSON lines, by its name); standard output if there is none.
    #[arg(long, short)]
    output: Option<PathBuf>,
    #[command(flatten)]
    read: ReadArgs,
}

impl Predict {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        let (model, classifier) = load_classifier(&self.model)?;
        let mut writer =
            RowWriter::new(self.output.as_deref(), screen.json(), &self.columns(&model, &classifier))?;
        let mut unseen = 0;
        for file in &self.files {
            let input = Input::find(file)?;
            let mut reader = self.read.open(&input, model.schema(), None, Purpose::Predict, screen)?;
            while let Some(chunk) = reader.next_chunk()? {
                unseen += unseen_categories(model.schema(), &chunk);
                writer.write(&self.answers(&classifier, &chunk).with_context(|| {
                    format!("{}, rows counted from {}", input.name(), chunk.first_row + 1)
                })?)?;
            }
        }
        if unseen > 0 {
            screen.note(&format!("{unseen} cells have categories that no training row had"));
        }
        writer.finish()
    }

    fn columns(
        &self,
        model: &nb_io::Model,
        classifier: &Classifier<String, FittedFamily>,
    ) -> Vec<(String, ColumnType)> {
        let mut columns = vec![(model.schema().label.clone(), ColumnType::Text)];
        for (wanted, name) in [(self.proba, "p"), (self.log_proba, "log_p")] {
            if wanted {
                let of_class = |class: &String| (format!("{name}({class})"), ColumnType::Number);
                columns.extend(classifier.classes().iter().map(of_class));
            }
        }
        columns
    }

    /// One row of answers for every row. A row that is impossible under every class has none.
    fn answers(
        &self,
        classifier: &Classifier<String, FittedFamily>,
        chunk: &Chunk,
    ) -> Result<Vec<Vec<Cell>>, PredictError> {
        let labels = classifier.predict_possible(&chunk.rows)?;
        let answers = |wanted: bool, work: &dyn Fn() -> Result<ndarray::Array2<f64>, PredictError>| {
            if wanted { work().map(Some) } else { Ok(None) }
        };
        let proba = answers(self.proba, &|| classifier.predict_proba(&chunk.rows))?;
        let log_proba = answers(self.log_proba, &|| classifier.predict_log_proba(&chunk.rows))?;
        let rows = labels.into_iter().enumerate().map(|(row, label)| {
            let mut cells = vec![label.map_or(Cell::Missing, Cell::Text)];
            for answers in [&proba, &log_proba].into_iter().flatten() {
                cells.extend(answers.row(row).iter().map(|&value| Cell::Number(value)));
            }
            cells
        });
        Ok(rows.collect())
    }
}

/// How many cells of a chunk have a category that the schema does not name.
fn unseen_categories(schema: &Schema, chunk: &Chunk) -> usize {
    let Table::Dense(rows) = &chunk.rows else { return 0 };
    let counts = schema.columns.iter().zip(rows.columns()).map(|(column, cells)| match &column.kind {
        nb_io::Kind::Categorical { levels } => {
            cells.iter().filter(|&&code| code >= levels.len() as f64).count()
        }
        _ => 0,
    });
    counts.sum()
}
