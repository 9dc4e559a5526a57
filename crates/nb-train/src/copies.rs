//! Columns that repeat the label, found while rows are read.

use nb_io::{
    Kind, Schema,
    profile::LabelCopies,
    read::{Chunk, ReadChunks, ReadError},
};

/// A reader whose rows are compared with their labels on the way.
#[derive(Debug)]
pub(crate) struct Watched<'a, R> {
    reader: R,
    copies: &'a mut LabelCopies,
}

impl<'a, R: std::ops::DerefMut<Target: ReadChunks>> Watched<'a, R> {
    /// Reads what the reader reads.
    pub(crate) fn new(reader: R, copies: &'a mut LabelCopies) -> Self {
        Self { reader, copies }
    }
}

impl<R: std::ops::DerefMut<Target: ReadChunks>> ReadChunks for Watched<'_, R> {
    fn next_chunk(&mut self) -> Result<Option<Chunk>, ReadError> {
        let chunk = self.reader.next_chunk()?;
        if let Some(Chunk { rows, labels: Some(labels), .. }) = &chunk {
            self.copies.add(rows, labels);
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

/// For the columns of a schema that are no texts.
pub fn watch(schema: &Schema) -> LabelCopies {
    let columns = schema.columns.iter().zip(schema.feature_ranges());
    let columns = columns.filter(|(column, _)| !matches!(column.kind, Kind::Text(_)));
    LabelCopies::new(columns.map(|(_, features)| features.start))
}

/// The names of the columns that were found to repeat the label.
pub fn copies_of_label(copies: &LabelCopies, schema: &Schema) -> Vec<String> {
    let features = copies.found().into_iter().filter_map(|feature| schema.feature(feature));
    features.map(|feature| feature.column.name.clone()).collect()
}
