//! `nbayes schema`: what the columns of a file would become.

use std::{io::Write, path::PathBuf};

use anyhow::{Context, Result};

use super::columns::{Columns, why};
use crate::{
    design::schema_text,
    output::{Replacement, Screen},
};

/// Write a TOML file with the family of each column and the reason, to edit and pass to `nbayes train --schema`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  nbayes schema data.csv --label diagnosis -o schema.toml\n  nbayes train data.csv --schema schema.toml"
)]
pub(crate) struct WriteSchema {
    #[command(flatten)]
    columns: Columns,
    /// The file to write; standard output if there is none.
    #[arg(long, short)]
    output: Option<PathBuf>,
}

impl WriteSchema {
    pub(crate) fn run(&self, screen: Screen) -> Result<()> {
        let found = self.columns.find(screen)?;
        let text = schema_text(&found.inferred, &found.choices, found.weights.as_deref(), &found.text, why)?;
        match &self.output {
            Some(path) => {
                let mut file = Replacement::new(path)?;
                file.write_all(text.as_bytes())
                    .with_context(|| format!("cannot write {}", path.display()))?;
                file.finish()
            }
            None => screen.show(&text, || text.clone()),
        }
    }
}
