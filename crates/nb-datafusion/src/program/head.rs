//! `nb-datafusion head`: the first rows of data files, from which `nbayes` learns what their columns hold.

use std::path::PathBuf;

use anyhow::Result;

use super::{
    engine::{Engine, Running},
    output::Output,
    predict::written,
    tables::{ReadArgs, Table},
};

/// Writes the first rows of the first file to another, with the cells of text files as they stand.
#[derive(Debug, clap::Args)]
pub(crate) struct Head {
    /// Data files of one kind, by name or pattern.
    #[arg(required = true)]
    files: Vec<String>,
    /// How many rows.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    rows: usize,
    /// The file, in .parquet or .csv.
    #[arg(long, short)]
    output: PathBuf,
    #[command(flatten)]
    read: ReadArgs,
}

impl Head {
    pub(crate) async fn run(&self, running: &Running) -> Result<()> {
        let output = Output::new(&self.output)?;
        let engine = Engine::in_order(running)?;
        let mut table = Table::look(&engine, &self.files, self.read).await?;
        table.read_as(|_| false);
        let frame = table.frame_of(&table.paths()[0], &engine)?.limit(0, Some(self.rows))?;
        engine.run(async || written(frame.clone(), &output).await).await?.finish()
    }
}
