//! Cells that are not as those of training: numbers beyond its ranges, other numbers than 0 and 1 in binary
//! columns, and texts in columns of numbers.

use nb_io::{
    BeyondRanges, Model, Schema,
    read::{Chunk, ReadChunks, ReadError},
};

use crate::{
    model::{note_beyond, note_non_numeric, weight},
    output::Screen,
};

/// Reads rows, and counts such cells.
pub(super) struct OddCells<'a> {
    reader: &'a mut dyn ReadChunks,
    beyond: BeyondRanges,
    /// The weight of the rows of the model.
    weight: f64,
    n_non_numeric: usize,
}

impl<'a> OddCells<'a> {
    pub(super) fn new(reader: &'a mut dyn ReadChunks, model: &Model) -> Self {
        Self { reader, beyond: BeyondRanges::new(model), weight: weight(model), n_non_numeric: 0 }
    }

    /// Says how many there were.
    pub(super) fn warn(&self, screen: Screen) {
        note_beyond(&self.beyond, self.weight, screen);
        note_non_numeric(self.n_non_numeric, screen);
    }
}

impl ReadChunks for OddCells<'_> {
    fn next_chunk(&mut self) -> Result<Option<Chunk>, ReadError> {
        let chunk = self.reader.next_chunk()?;
        if let Some(chunk) = &chunk {
            self.n_non_numeric += chunk.n_non_numeric;
            self.beyond.look(&chunk.rows);
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
