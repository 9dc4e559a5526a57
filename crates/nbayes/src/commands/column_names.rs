//! `nbayes column-names`, which completions call: the columns of a data file or model.

use std::io::Write;

use anyhow::Result;
use nb_io::Model;

use crate::data::{Input, ReadArgs};

/// Print the columns of a data file or model, one a line, as options take them.
#[derive(Debug, clap::Args)]
pub(crate) struct ColumnNames {
    /// A data file or a model.
    file: String,
}

impl ColumnNames {
    pub(crate) fn run(&self) -> Result<()> {
        let names = match Model::load(&self.file) {
            Ok(model) => model.schema().columns.iter().map(|column| column.name.clone()).collect(),
            Err(_) => ReadArgs::default().columns(&Input::find(&self.file)?)?,
        };
        let lines = names.iter().filter(|name| !name.contains('\n')).map(|name| selector(name) + "\n");
        Ok(std::io::stdout().write_all(lines.collect::<String>().as_bytes())?)
    }
}

/// A name as options take it: in quotes where it would be more names than one, a pattern or a position.
fn selector(name: &str) -> String {
    if name.contains([',', '"', '*', '?', '/']) || name.starts_with('#') {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.into()
    }
}
