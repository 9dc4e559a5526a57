//! Cells that are not as those of training: other numbers than 0 and 1 in binary columns, and texts in columns of numbers.

use nb_io::{
    Family, Model, Schema,
    read::{Chunk, ReadChunks, ReadError, Table},
};

use crate::{model::note_non_numeric, output::Screen};

/// Reads rows, and counts such cells.
pub(super) struct OddCells<'a> {
    reader: &'a mut dyn ReadChunks,
    /// The numbers of the binary features, and how many other cells they have had.
    found: Vec<(usize, usize)>,
    n_non_numeric: usize,
}

impl<'a> OddCells<'a> {
    pub(super) fn new(reader: &'a mut dyn ReadChunks, model: &Model) -> Self {
        let schema = model.schema();
        let features: Vec<_> = schema.features().collect();
        let columns = match model.family() {
            Family::Bernoulli(_) => (0..features.len()).collect(),
            Family::Blocks(blocks) => {
                let bernoulli = blocks.iter().filter(|(_, family)| matches!(family, Family::Bernoulli(_)));
                bernoulli.flat_map(|(columns, _)| columns.iter().copied()).collect()
            }
            _ => Vec::new(),
        };
        // The terms of a text are counts, of which it matters whether there are any.
        let columns = columns.into_iter().filter(|&column| features[column].term.is_none());
        Self { reader, found: columns.map(|column| (column, 0)).collect(), n_non_numeric: 0 }
    }

    /// Says how many there were.
    pub(super) fn warn(&self, schema: &Schema, screen: Screen) {
        for &(column, n) in self.found.iter().filter(|(_, n)| *n > 0) {
            screen.note(&format!(
                "column {:?}: {n} values are neither 0 nor 1, and count by whether they are above the threshold; if the \
                 column is not binary any more, train on all rows instead",
                schema.feature_name(column).unwrap_or_default()
            ));
        }
        note_non_numeric(self.n_non_numeric, screen);
    }
}

impl ReadChunks for OddCells<'_> {
    fn next_chunk(&mut self) -> Result<Option<Chunk>, ReadError> {
        let chunk = self.reader.next_chunk()?;
        self.n_non_numeric += chunk.as_ref().map_or(0, |chunk| chunk.n_non_numeric);
        for (column, n) in &mut self.found {
            let is_other = |value: f64| !value.is_nan() && value != 0.0 && value != 1.0;
            *n += match chunk.as_ref().map(|chunk| &chunk.rows) {
                Some(Table::Dense(rows)) => {
                    rows.column(*column).iter().filter(|&&value| is_other(value)).count()
                }
                Some(Table::Sparse(rows)) => {
                    let cells = rows.indices().iter().zip(rows.values());
                    cells.filter(|&(feature, &value)| feature == column && is_other(value)).count()
                }
                None => 0,
            };
        }
        Ok(chunk)
    }

    fn schema(&self) -> &Schema {
        self.reader.schema()
    }

    fn name(&self) -> &str {
        self.reader.name()
    }
}
