//! Readers whose rows are fingerprinted on the way.

use nb_io::{
    RowFingerprint, RowFingerprinter, Schema,
    read::{Chunk, ReadChunks, ReadError},
};

/// A reader that makes the fingerprint of the rows that it hands out.
pub(crate) struct Fingerprinted<'a> {
    reader: &'a mut dyn ReadChunks,
    rows: RowFingerprinter,
}

impl<'a> Fingerprinted<'a> {
    pub(crate) fn new(reader: &'a mut dyn ReadChunks) -> Self {
        let rows = RowFingerprinter::new(reader.schema());
        Self { reader, rows }
    }

    /// That of all rows so far.
    pub(crate) fn finish(self) -> RowFingerprint {
        self.rows.finish()
    }
}

impl ReadChunks for Fingerprinted<'_> {
    fn next_chunk(&mut self) -> Result<Option<Chunk>, ReadError> {
        let chunk = self.reader.next_chunk()?;
        if let Some(Chunk { rows, labels: Some(labels), .. }) = &chunk {
            self.rows.add(self.reader.schema(), rows, labels);
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
