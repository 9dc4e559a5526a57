//! What is looked at while rows are learnt from.

use std::ops::DerefMut;

use nb_core::error::LayoutError;
use nb_io::{
    Family, Kind, RangeFinder, RowFingerprint, RowFingerprinter, Schema, ValueRanges,
    profile::{LabelCopies, LeakageWatch},
    read::{Chunk, ReadChunks, ReadError},
};

use crate::{Folds, Warning, warning::warnings};

/// Looks at rows while they are learnt from: which columns repeat the label, determine it or look like
/// groups, which rows there are, and, for a plain model, the sums of folds.
///
/// ```
/// let schema = nb_io::Schema::numeric(["x"], "class");
/// let seen = nb_train::Watch::rows_only(&schema).finish(&schema);
/// assert!(seen.rows.is_some()); // of no rows
/// ```
#[derive(Debug)]
pub struct Watch {
    copies: LabelCopies,
    leakage: LeakageWatch,
    rows: Option<RowFingerprinter>,
    ranges: Option<RangeFinder>,
    folds: Option<Folds>,
}

/// What was seen of rows that were learnt from.
///
/// ```
/// let schema = nb_io::Schema::numeric(["x"], "class");
/// let nb_train::Seen { copies, .. } = nb_train::Watch::rows_only(&schema).finish(&schema);
/// assert!(copies.is_empty());
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Seen {
    /// The columns that repeat the label.
    pub copies: Vec<String>,
    /// What else makes measures of held-out rows better than those of new rows will be.
    pub warnings: Vec<Warning>,
    /// The column that says most of the label, and the share of the entropy of the label that it explains.
    pub(crate) strongest: Option<(String, f64)>,
    /// The fingerprint of the rows, if it is kept.
    pub rows: Option<RowFingerprint>,
    /// The ranges of columns of numbers, if they are kept.
    pub(crate) ranges: ValueRanges,
    /// The sums of folds, if there are any.
    pub(crate) folds: Option<Folds>,
}

impl Watch {
    /// Looks at rows with these columns.
    pub(crate) fn new(schema: &Schema) -> Self {
        let columns = schema.columns.iter().zip(schema.feature_ranges());
        let columns = columns.filter(|(column, _)| !matches!(column.kind, Kind::Text(_)));
        let is_numeric = |kind: &Kind| !matches!(kind, Kind::Categorical { .. });
        let watched: Vec<(usize, bool)> =
            columns.map(|(column, features)| (features.start, is_numeric(&column.kind))).collect();
        let copies = LabelCopies::new(watched.iter().map(|&(feature, _)| feature));
        let leakage = LeakageWatch::new(watched);
        let (rows, ranges) = (Some(RowFingerprinter::new(schema)), Some(RangeFinder::new(schema)));
        Self { copies, leakage, rows, ranges, folds: None }
    }

    /// Looks only at which rows there are, for a model that gets further ones.
    ///
    /// ```
    /// let schema = nb_io::Schema::numeric(["x"], "class");
    /// assert_eq!(nb_train::Watch::rows_only(&schema).finish(&schema).rows.unwrap().n_rows(), 0);
    /// ```
    pub fn rows_only(schema: &Schema) -> Self {
        let (copies, leakage) = (LabelCopies::new([]), LeakageWatch::default());
        Self { copies, leakage, rows: Some(RowFingerprinter::new(schema)), ranges: None, folds: None }
    }

    /// Looks at nothing that would be kept in a model.
    #[must_use]
    pub(crate) fn without_record(self) -> Self {
        Self { rows: None, ranges: None, folds: None, ..self }
    }

    /// Adds up folds, too, for a plain model of this family.
    ///
    /// # Errors
    /// [`LayoutError`] if the family cannot have this number of features.
    pub(crate) fn with_folds(self, family: &Family, n_features: usize) -> Result<Self, LayoutError> {
        Ok(Self { folds: Some(Folds::new(family, n_features)?), ..self })
    }

    /// Looks at the next rows, whose columns are now these, and returns their hashes, if there is a record of
    /// rows.
    pub(crate) fn look(&mut self, schema: &Schema, chunk: &Chunk) -> Vec<u64> {
        let Some(labels) = &chunk.labels else { return Vec::new() };
        self.copies.add(&chunk.rows, labels);
        self.leakage.add(&chunk.rows, labels);
        if let Some(ranges) = &mut self.ranges {
            ranges.look(&chunk.rows);
        }
        let keys = self.rows.as_mut().map(|rows| rows.add(schema, &chunk.rows, labels)).unwrap_or_default();
        if let Some(folds) = &mut self.folds {
            folds.add(chunk, &keys);
        }
        keys
    }

    /// A reader whose rows are looked at on the way.
    ///
    /// ```
    /// use nb_io::{Schema, read::{ReadChunks, Svmlight}};
    ///
    /// let schema = Schema::numbered(1, "class");
    /// let mut file = Svmlight::default().read_from("a 1:2\nb 1:3\n".as_bytes(), "few.svm", &schema)?;
    /// let mut watch = nb_train::Watch::rows_only(&schema);
    /// let mut reader = watch.reader(&mut file);
    /// while reader.next_chunk()?.is_some() {}
    /// drop(reader);
    /// assert_eq!(watch.finish(&schema).rows.unwrap().n_rows(), 2);
    /// # Ok::<(), nb_io::read::ReadError>(())
    /// ```
    pub fn reader<R: DerefMut<Target: ReadChunks>>(&mut self, reader: R) -> impl ReadChunks + use<'_, R> {
        WatchedReader { reader, watch: self }
    }

    /// What was seen of all rows.
    ///
    /// ```
    /// let schema = nb_io::Schema::numeric(["x"], "class");
    /// assert!(nb_train::Watch::rows_only(&schema).finish(&schema).copies.is_empty());
    /// ```
    pub fn finish(self, schema: &Schema) -> Seen {
        let name = |feature: usize| schema.feature(feature).map(|feature| feature.column.name.clone());
        let copies = self.copies.found();
        let leakage = self.leakage.found(&copies);
        Seen {
            copies: copies.into_iter().filter_map(name).collect(),
            strongest: leakage.strongest.and_then(|(feature, share)| Some((name(feature)?, share))),
            warnings: warnings(&leakage, name),
            rows: self.rows.map(RowFingerprinter::finish),
            ranges: self.ranges.map(RangeFinder::finish).unwrap_or_default(),
            folds: self.folds,
        }
    }
}

/// A reader whose rows a [`Watch`] looks at.
#[derive(Debug)]
struct WatchedReader<'a, R> {
    reader: R,
    watch: &'a mut Watch,
}

impl<R: DerefMut<Target: ReadChunks>> ReadChunks for WatchedReader<'_, R> {
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

#[cfg(test)]
mod tests {
    use nb_io::read::Csv;

    use super::*;

    #[test]
    fn rows_are_looked_at_on_the_way() {
        let row = |row: usize| format!("{},{},{}\n", row % 7, row % 2, ["a", "b"][row % 2]);
        let rows = (0..40).fold("x,copy,class\n".to_owned(), |all, number| all + &row(number));
        let inferred = Csv::default()
            .infer_from(|| Ok(rows.as_bytes()), "rows.csv", "class", &nb_io::read::Overrides::default())
            .unwrap();
        let read = |watch: &mut Watch| {
            let mut reader = Csv::default().read_from(rows.as_bytes(), "rows.csv", &inferred.schema).unwrap();
            let mut reader = watch.reader(&mut reader);
            while reader.next_chunk().unwrap().is_some() {}
        };
        let seen = |mut watch: Watch| {
            read(&mut watch);
            watch.finish(&inferred.schema)
        };
        let all = seen(Watch::new(&inferred.schema));
        assert_eq!(all.copies, ["copy"]);
        assert_eq!(all.rows.as_ref().unwrap().n_rows(), 40);
        let rows_only = seen(Watch::rows_only(&inferred.schema));
        assert!(rows_only.copies.is_empty() && rows_only.rows == all.rows);
        let unrecorded = seen(Watch::new(&inferred.schema).without_record());
        assert!(unrecorded.copies == ["copy"] && unrecorded.rows.is_none() && unrecorded.folds.is_none());
    }
}
