//! Small files beside the data, such as splits and answers: their cells as texts.

use anyhow::{Result, anyhow};
use nb_io::{Column, Kind, Schema};

use crate::{
    data::{Input, Purpose, ReadArgs, Wanted},
    output::Screen,
};

/// A file of any format, of which the cells are read as texts.
pub(super) struct Cells {
    input: Input,
    /// The names of its columns.
    pub(super) columns: Vec<String>,
}

impl Cells {
    pub(super) fn open(path: &str) -> Result<Self> {
        let input = Input::find(path)?;
        let columns = ReadArgs::default().columns(&input)?;
        Ok(Self { input, columns })
    }

    /// Hands out the cells of these columns row by row, with the number of the row, counted from 1.
    pub(super) fn each(
        &self,
        columns: &[String],
        screen: Screen,
        mut each: impl FnMut(usize, &[&str]) -> Result<()>,
    ) -> Result<()> {
        // Readers read one column at least; whatever its cells are, they are unseen categories. No column has
        // the name of the label.
        let first = self.columns.first().ok_or_else(|| anyhow!("{} has no columns", self.input.name()))?;
        let schema = Schema {
            columns: vec![Column { name: first.clone(), kind: Kind::Categorical { levels: Vec::new() } }],
            label: "\0".into(),
        };
        let wanted = Wanted { ids: columns, ..Wanted::default() };
        let mut reader = ReadArgs::default().open(&self.input, &schema, wanted, Purpose::Predict, screen)?;
        while let Some(chunk) = reader.next_chunk()? {
            for row in 0..nb_core::Rows::n_rows(&chunk.rows) {
                let cells: Vec<&str> = chunk.ids.iter().map(|column| column[row].trim()).collect();
                each(chunk.first_row + row + 1, &cells)?;
            }
        }
        Ok(())
    }
}
