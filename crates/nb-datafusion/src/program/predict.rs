//! `nb-datafusion predict`: labels for new rows.

use std::path::PathBuf;

use anyhow::{Error, Result};
use datafusion::{error::DataFusionError, prelude::DataFrame};
use futures::StreamExt;
use nb_datafusion::{Wanted, predict_frame};
use nb_io::{Kind, Model};

use super::{
    engine::{Engine, EngineArgs, Running},
    output::{Output, Rows},
    tables::{ReadArgs, Table},
};

/// Labels rows. Their order is not kept: say with --id which column tells them apart, or get all columns.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  nb-datafusion predict model.nb 'new/*.parquet' --id customer --proba -o labels.parquet"
)]
pub(crate) struct Predict {
    /// The model.
    model: PathBuf,
    /// Data files of one kind, by name or pattern; columns are found by their names.
    #[arg(required = true)]
    files: Vec<String>,
    /// A column to keep beside the predicted labels, such as one of identifiers; by default all are kept.
    #[arg(long, value_name = "COLUMN")]
    id: Option<String>,
    /// Adds the probability of each class.
    #[arg(long)]
    proba: bool,
    /// Adds the natural logarithm of the probability of each class.
    #[arg(long)]
    log_proba: bool,
    /// The file for the labels, in .parquet or .csv.
    #[arg(long, short)]
    output: PathBuf,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

/// What a query and what writing its answer can fail with, as one error.
#[derive(Debug, thiserror::Error)]
pub(super) enum RowsError {
    #[error(transparent)]
    Query(#[from] DataFusionError),
    // Its causes are said by `Display`, as anyhow has no `Error` to offer.
    #[error("{0:#}")]
    Write(Error),
}

impl Predict {
    pub(crate) async fn run(&self, running: &Running) -> Result<()> {
        let output = Output::new(&self.output)?;
        let model = Model::load(&self.model)?;
        let engine = self.engine.start(running).await?;
        let mut table = Table::look(&engine, &self.files, self.read, running).await?;
        table.read_as(|name| {
            let is_number = |kind: &Kind| matches!(kind, Kind::Numeric | Kind::Count);
            model.schema().columns.iter().any(|column| column.name == name && is_number(&column.kind))
        });
        self.write(&table, &model, &output, &engine).await?.finish()
    }

    async fn write(&self, table: &Table, model: &Model, output: &Output, engine: &Engine) -> Result<Rows> {
        let keep: Vec<&str> = if let Some(id) = &self.id {
            vec![id]
        } else {
            table.schema().fields().iter().map(|field| field.name().as_str()).collect()
        };
        let wanted = Wanted { proba: self.proba, log_proba: self.log_proba };
        let frame = match model.schema().columns.first() {
            Some(column) => engine.delayed(table.frame(engine)?, &column.name)?,
            None => table.frame(engine)?,
        };
        let frame = predict_frame(frame, &keep, model, wanted)?;
        engine.run(async || written(frame.clone(), output).await).await
    }
}

/// All rows of a frame, in a file that has yet to take its place.
pub(super) async fn written(frame: DataFrame, output: &Output) -> Result<Rows, RowsError> {
    let mut answers = frame.execute_stream().await?;
    let mut rows = output.begin(&answers.schema()).map_err(RowsError::Write)?;
    while let Some(batch) = answers.next().await {
        rows.write(&batch?).map_err(RowsError::Write)?;
    }
    Ok(rows)
}
