//! `nbayes schema`: what the columns of a file would become.

use std::path::PathBuf;

use anyhow::Result;

use crate::{
    columns::{Columns, why},
    design::schema_text,
    output::{Replacement, Screen, refuse_inputs},
};

/// Write a TOML file with the family of each column and the reason, to edit and pass to `nbayes train
/// --schema`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  nbayes schema data.csv --label diagnosis -o schema.toml\n  nbayes train data.csv --schema schema.toml"
)]
pub(crate) struct WriteSchema {
    /// The file to write; standard output if there is none.
    #[arg(long, short)]
    output: Option<PathBuf>,
    #[command(flatten)]
    columns: Columns,
}

impl WriteSchema {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        refuse_inputs(self.output.as_deref(), self.columns.paths())?;
        let found = self.columns.find(screen)?;
        let (weights, columns) = (found.weights.as_deref(), &found.columns);
        let mut reading = found.read.shown(&found.inputs)?;
        reading.extend(found.read.shown_dates(&columns.inferred));
        let text = schema_text(
            &columns.inferred,
            &columns.left_out,
            &columns.choices,
            weights,
            &found.text,
            &reading,
            why,
        )?;
        match &self.output {
            Some(path) => Replacement::write_whole(path, text.as_bytes()),
            None => screen.print(&text),
        }
    }
}
