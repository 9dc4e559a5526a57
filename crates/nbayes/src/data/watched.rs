//! Readers that show their progress and stop when they are asked to.

use nb_core::Rows;
use nb_io::{
    Schema,
    read::{Chunk, ReadChunks, ReadError},
};

use crate::{interrupt, progress::Progress};

/// A reader that tells a bar how many rows there were.
pub(super) struct Watched<R> {
    pub(super) reader: R,
    pub(super) progress: Progress,
}

impl<R: ReadChunks> ReadChunks for Watched<R> {
    fn next_chunk(&mut self) -> Result<Option<Chunk>, ReadError> {
        let chunk = match interrupt::check() {
            Ok(()) => self.reader.next_chunk()?,
            Err(error) => return Err(ReadError::Io { file: self.reader.name().into(), error }),
        };
        match &chunk {
            Some(chunk) => self.progress.rows(chunk.first_row + chunk.rows.n_rows()),
            None => self.progress.finish(),
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
