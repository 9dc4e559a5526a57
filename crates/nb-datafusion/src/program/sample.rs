//! `nb-datafusion sample`: some rows of data files, from which `nbayes` learns columns, bins, weights and
//! corrections.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use anyhow::Result;
use nb_datafusion::{Sampling, sample_frame};

use super::{
    engine::{EngineArgs, Running},
    failure::usage,
    output::Output,
    predict::written,
    tables::{ReadArgs, Table},
};

/// Writes a sample of the rows to a file, with the cells of text files as they stand, and prints how many
/// rows there are and how many of them were drawn, as JSON.
#[derive(Debug, clap::Args)]
pub(crate) struct Sample {
    /// Data files of one kind, by name or pattern.
    #[arg(required = true)]
    files: Vec<String>,
    /// The column that holds the labels: about a hundred rows of each are in the sample, if there are that
    /// many.
    #[arg(long, value_name = "COLUMN")]
    label: String,
    /// About how many cells the sample has, without labels.
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    cells: usize,
    /// The file, in .parquet or .csv.
    #[arg(long, short)]
    output: PathBuf,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

impl Sample {
    pub(crate) async fn run(&self, running: &Running) -> Result<()> {
        let output = Output::new(&self.output)?;
        let engine = self.engine.start(running).await?;
        let mut table = Table::look(&engine, &self.files, self.read, running).await?;
        if !table.has_types() {
            table.read_as(|_| false);
        }
        if table.schema().field_with_name(&self.label).is_err() {
            return Err(usage(format!("the files have no column {:?}", self.label)));
        }
        let n_columns = (table.schema().fields().len() - 1).max(1);
        let frame = table.frame(&engine)?;
        let counts = Sampling::query(frame.clone(), &self.label)?;
        let counts = engine.run(async || counts.clone().collect().await).await?;
        let sampling = Sampling::new(&counts, self.cells / n_columns)?;
        let rows = sample_frame(frame, &self.label, &sampling)?;
        let rows = engine.run(async || written(rows.clone(), &output).await).await?;
        let n_drawn = rows.n_rows();
        rows.finish()?;
        Ok(writeln!(io::stdout(), "{}", serde_json::json!({ "rows": sampling.n_rows(), "drawn": n_drawn }))?)
    }
}
