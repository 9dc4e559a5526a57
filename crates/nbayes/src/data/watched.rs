//! Readers that show their progress and stop when they are asked to.

use nb_core::Rows;
use nb_io::{
    Schema,
    read::{Chunk, ReadChunks, ReadError},
};

use super::Input;
use crate::{interrupt, progress::Progress};

/// A reader that tells a bar how many rows there were, and refuses a file that changed meanwhile.
pub(super) struct Watched<'a, R> {
    pub(super) reader: R,
    pub(super) progress: Progress,
    /// The file, if it was read before, so that another state of it would not fit together with that.
    pub(super) input: Option<&'a Input>,
}

impl<R: ReadChunks> ReadChunks for Watched<'_, R> {
    fn next_chunk(&mut self) -> Result<Option<Chunk>, ReadError> {
        let chunk = match interrupt::check() {
            Ok(()) => self.reader.next_chunk()?,
            Err(error) => return Err(ReadError::Io { file: self.reader.name().into(), error }),
        };
        if let Some(chunk) = chunk {
            self.progress.rows(chunk.first_row + chunk.rows.n_rows());
            return Ok(Some(chunk));
        }
        self.progress.finish();
        match self.input.map(Input::check_unchanged) {
            Some(Err(error)) => Err(ReadError::Io { file: self.reader.name().into(), error }),
            _ => Ok(None),
        }
    }

    fn schema(&self) -> &Schema {
        self.reader.schema()
    }

    fn name(&self) -> &str {
        self.reader.name()
    }
}
