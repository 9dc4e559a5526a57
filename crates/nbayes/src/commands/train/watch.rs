//! What is looked at while rows are learnt from.

use nb_io::{
    Family, RowFingerprint, RowFingerprinter, Schema,
    profile::LabelCopies,
    read::{Chunk, ReadChunks, ReadError},
};
use nb_train::{copies_of_label, watch};

use super::folds::Folds;

/// Columns that repeat the label, which rows there are, and sums of folds.
pub(super) struct Watch {
    copies: LabelCopies,
    rows: Option<RowFingerprinter>,
    pub(super) folds: Option<Folds>,
}

/// What was seen.
pub(super) struct Watched {
    /// The columns that repeat the label.
    pub(super) copies: Vec<String>,
    pub(super) rows: Option<RowFingerprint>,
    pub(super) folds: Option<Folds>,
}

impl Watch {
    /// Looks at rows with these columns.
    pub(super) fn new(schema: &Schema) -> Self {
        Self { copies: watch(schema), rows: Some(RowFingerprinter::new(schema)), folds: None }
    }

    /// Looks at nothing that would be kept in a model.
    pub(super) fn without_record(self) -> Self {
        Self { rows: None, folds: None, ..self }
    }

    /// Adds up folds, too, for a model of this family.
    pub(super) fn with_folds(self, family: &Family, n_columns: usize) -> anyhow::Result<Self> {
        Ok(Self { folds: Some(Folds::new(family, n_columns)?), ..self })
    }

    pub(super) fn look(&mut self, schema: &Schema, chunk: &Chunk) {
        let Some(labels) = &chunk.labels else { return };
        self.copies.add(&chunk.rows, labels);
        if let Some(rows) = &mut self.rows {
            rows.add(schema, &chunk.rows, labels);
        }
        if let Some(folds) = &mut self.folds {
            folds.add(chunk);
        }
    }

    pub(super) fn finish(self, schema: &Schema) -> Watched {
        let rows = self.rows.map(RowFingerprinter::finish);
        Watched { copies: copies_of_label(&self.copies, schema), rows, folds: self.folds }
    }
}

/// A reader whose rows are looked at on the way.
pub(super) struct Looked<'a, R> {
    pub(super) reader: R,
    pub(super) watch: &'a mut Watch,
}

impl<R: std::ops::DerefMut<Target: ReadChunks>> ReadChunks for Looked<'_, R> {
    fn next_chunk(&mut self) -> Result<Option<Chunk>, ReadError> {
        let chunk = self.reader.next_chunk()?;
        if let Some(chunk) = &chunk {
            self.watch.look(self.reader.schema(), chunk);
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
