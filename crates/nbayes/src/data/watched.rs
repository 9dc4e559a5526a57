//! Readers that show their progress and stop when they are asked to.

use nb_core::Rows;
use nb_io::{
    Schema,
    read::{Chunk, ReadAhead, ReadChunks, ReadError, SkippedRows},
};

use super::{
    Input,
    no_rows::{note_repeated, note_skipped, note_unlabeled},
};
use crate::{interrupt, output::Screen, progress::Progress};

/// A reader that tells a bar how many rows there were, and refuses a file that changed meanwhile. It says
/// which lines were no rows, how many rows had no label, and which could not be read.
pub(super) struct Watched<'a> {
    pub(super) reader: ReadAhead,
    pub(super) progress: Progress,
    pub(super) input: &'a Input,
    /// Whether the file was read before, so that another state of it would not fit together with that.
    pub(super) was_read: bool,
    pub(super) screen: Screen,
}

impl ReadChunks for Watched<'_> {
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
        note_repeated(self.reader.repeated_header(), self.input, self.screen);
        note_unlabeled(self.reader.unlabeled_rows(), self.input, self.screen);
        note_skipped(self.reader.skipped_rows().as_ref(), self.input, self.screen);
        match self.input.check_unchanged() {
            Err(error) if self.was_read => Err(ReadError::Io { file: self.reader.name().into(), error }),
            _ => Ok(None),
        }
    }

    fn schema(&self) -> &Schema {
        self.reader.schema()
    }

    fn skipped_rows(&self) -> Option<SkippedRows> {
        self.reader.skipped_rows()
    }

    fn name(&self) -> &str {
        self.reader.name()
    }
}
