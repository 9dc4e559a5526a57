//! Training a model from a reader.

use std::collections::BTreeSet;

use nb_core::{
    FeatureModel, Prior, Rows, SufficientStats,
    error::{UpdateError, ValueError},
};

use super::{Chunk, Place, ReadChunks, ReadError, Table};
use crate::{
    CodeMemory, Family, Kind, Limits, MergeError, Model, ModelError, Schema, SchemaError, model::adapted,
};

/// Why a model could not be trained from a file. Nothing was added then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The reader has other columns than the model.
    #[error("the columns of {file} are not those of the model: {error}")]
    Schema {
        /// The file.
        file: String,
        /// Which.
        error: SchemaError,
    },
    /// The file has no labels.
    #[error("{file} has no labels; a model is trained from a file with the label column {label:?}")]
    NoLabels {
        /// The file.
        file: String,
        /// The name of the label column.
        label: String,
    },
    /// A cell holds what the family cannot observe.
    #[error("{file}, column {column:?}: {error} (rows counted from 0)")]
    Value {
        /// The file.
        file: String,
        /// The name of the column.
        column: String,
        /// The row of the file, the column, and what is wrong.
        error: ValueError,
    },
    /// A cell has a category without a name.
    #[error(
        "{file}, row {row} (counted from 0), column {column:?}: a category that the schema does not have"
    )]
    UnnamedLevel {
        /// The file.
        file: String,
        /// The row.
        row: usize,
        /// The name of the column.
        column: String,
    },
    /// The rows cannot be added for another reason, which counts rows from `first_row`.
    #[error("{file}, rows from {first_row} on: {error}")]
    Update {
        /// The file.
        file: String,
        /// The first row of the chunk.
        first_row: usize,
        /// What is wrong.
        error: UpdateError,
    },
    /// The counts of columns that depend on each other would take more memory than the limit.
    #[error(
        "{file}: {}: {} with {} categories and bins, and {}, need counts of {} {} in {} bytes of memory; the limit is {limit} bytes: \
         leave out columns with many categories{}, make fewer bins, or use another family",
        memory.family,
        counted(memory.features.len(), "column", "columns"),
        memory.n_codes,
        counted(memory.n_classes, "class", "classes"),
        memory.n_counts,
        memory.of,
        memory.bytes,
        largest.as_ref().map_or_else(String::new, |(name, codes)| format!(" ({name:?} has {codes})"))
    )]
    Memory {
        /// The file.
        file: String,
        /// The counts.
        memory: Box<CodeMemory>,
        /// The column with the most categories and bins, and how many it has.
        largest: Option<(String, usize)>,
        /// The most bytes that they may take.
        limit: u64,
    },
    /// The evidence does not fit the model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The evidence does not fit the model.
    #[error(transparent)]
    Merge(#[from] MergeError),
}

impl TrainFileError {
    /// The file, if the error is about one.
    pub fn file(&self) -> Option<&str> {
        match self {
            Self::Read(error) => Some(error.file()),
            Self::Schema { file, .. }
            | Self::NoLabels { file, .. }
            | Self::Value { file, .. }
            | Self::UnnamedLevel { file, .. }
            | Self::Update { file, .. }
            | Self::Memory { file, .. } => Some(file),
            Self::Model(_) | Self::Merge(_) => None,
        }
    }

    /// The line or row, if the error is about one.
    pub fn place(&self) -> Option<Place> {
        match self {
            Self::Read(error) => error.place(),
            Self::Value { error, .. } => Some(Place::Row(error.row)),
            Self::UnnamedLevel { row, .. } => Some(Place::Row(*row)),
            _ => None,
        }
    }

    /// The name of the column, if the error is about one.
    pub fn column(&self) -> Option<&str> {
        match self {
            Self::Read(error) => error.column(),
            Self::NoLabels { label, .. } => Some(label),
            Self::Value { column, .. } | Self::UnnamedLevel { column, .. } => Some(column),
            Self::Memory { largest, .. } => largest.as_ref().map(|(name, _)| name.as_str()),
            _ => None,
        }
    }
}

/// Adds all rows of a file to a model, or, on an error, none of them. How many rows there were.
///
/// The rows are collected into evidence of their own, which is merged at the end: no more than a chunk is in
/// memory at a time. Terms of texts that the model does not know are added to its schema, and so are
/// categories that the reader has learnt on the way ([`NewLevels::Intern`](super::NewLevels::Intern)).
///
/// ```
/// use nb_core::{Gaussian, Prior};
/// use nb_io::{Family, Model, Schema};
/// use nb_io::read::{Svmlight, train};
///
/// let file = "a 1:0.5 2:1\nb 1:4\nb 1:5 2:-1\na 2:2\n";
/// let schema = Schema::numbered(2, "label");
/// let mut model = Model::new(schema.clone(), Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
/// let mut reader = Svmlight::default().read_from(file.as_bytes(), "few.svm", &schema)?;
/// assert_eq!(train(&mut model, &mut reader)?, 4);
/// assert_eq!(model.stats().classes().collect::<Vec<_>>(), ["a", "b"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`TrainFileError`] names file, row and column; the model is then as it was. Counts of several columns at
/// once ([`Family::code_memory`]) that come to take more memory than the model may by default ([`Limits`])
/// are refused.
pub fn train(model: &mut Model, reader: &mut (impl ReadChunks + ?Sized)) -> Result<usize, TrainFileError> {
    train_within(model, reader, Limits::default())
}

/// The same with other limits of memory, which is what counts of several columns at once may take in all
/// classes; those of a model that takes more already may stay as large as they are.
///
/// ```
/// use nb_core::Prior;
/// use nb_io::{Family, Limits, Model, Schema};
/// use nb_io::read::{Csv, Overrides, TrainFileError, train_within};
/// use nb_variants::{PairCounts, Tan};
///
/// let text = b"a,b,y\nred,wet,no\nblue,dry,yes\nred,dry,yes\n";
/// let inferred = Csv::default().infer_from(|| Ok(&text[..]), "t.csv", "y", &Overrides::default())?;
/// let family = Family::Tan(Tan::new(PairCounts::new(vec![2, 2])));
/// let mut model = Model::new(inferred.schema.clone(), family, Prior::Empirical)?;
/// let mut reader = Csv::default().read_from(&text[..], "t.csv", &inferred.schema)?;
/// let limits = Limits::default().with_max_memory(100);
/// let error = train_within(&mut model, &mut reader, limits).unwrap_err();
/// assert!(matches!(error, TrainFileError::Memory { limit: 100, .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of [`train`].
pub fn train_within(
    model: &mut Model,
    reader: &mut (impl ReadChunks + ?Sized),
    limits: Limits,
) -> Result<usize, TrainFileError> {
    let mut limit = CodeLimit::new(model, limits);
    let file = reader.name().to_owned();
    // Before all rows are read in vain.
    model
        .schema()
        .union(reader.schema())
        .map_err(|error| TrainFileError::Schema { file: file.clone(), error })?;
    let mut family = adapted(model.family(), model.schema(), reader.schema())?;
    let mut evidence =
        SufficientStats::new(&family, reader.schema().n_features()).map_err(ModelError::from)?;
    let mut read = reader.schema().clone();
    let (mut n_rows, mut known) = (0, n_levels(&read));
    while let Some(chunk) = reader.next_chunk()? {
        let schema = reader.schema();
        let Some(labels) = &chunk.labels else {
            return Err(TrainFileError::NoLabels { file, label: schema.label.clone() });
        };
        check_levels(&file, schema, &chunk)?;
        limit.add_classes(labels);
        // The reader may have learnt categories that the family does not declare.
        if known != n_levels(schema) {
            known = n_levels(schema);
            let wider = adapted(model.family(), model.schema(), schema)?;
            limit.check(&file, &wider, schema)?;
            evidence = widened(evidence, (&family, &read), (&wider, schema))?;
            (family, read) = (wider, schema.clone());
        }
        limit.check(&file, &family, &read)?;
        let rows = &chunk.rows;
        let updated = match &chunk.weights {
            Some(weights) => evidence.update_weighted(&family, rows, labels, weights),
            None => evidence.update(&family, rows, labels),
        };
        updated.map_err(|error| in_file(&file, schema, chunk.first_row, error))?;
        n_rows += rows.n_rows();
    }
    let schema = reader.schema().clone();
    model.merge(&Model::from_parts(schema, family, model.prior().clone(), evidence)?)?;
    Ok(n_rows)
}

/// How much memory counts of several columns at once may take.
struct CodeLimit {
    bytes: u64,
    /// The classes of the model and of the rows; `None` if there are no such counts.
    classes: Option<BTreeSet<String>>,
}

impl CodeLimit {
    fn new(model: &Model, limits: Limits) -> Self {
        let own = model.family().code_memory(model.schema().n_features(), model.stats().classes().count());
        let bytes = own.iter().map(|memory| memory.bytes).max().unwrap_or(0).max(limits.max_memory);
        Self { bytes, classes: (!own.is_empty()).then(|| model.stats().classes().cloned().collect()) }
    }

    fn add_classes(&mut self, labels: &[String]) {
        let Some(classes) = &mut self.classes else { return };
        for label in labels {
            if !classes.contains(label) {
                classes.insert(label.clone());
            }
        }
    }

    fn check(&self, file: &str, family: &Family, schema: &Schema) -> Result<(), TrainFileError> {
        let Some(classes) = &self.classes else { return Ok(()) };
        for memory in family.code_memory(schema.n_features(), classes.len()) {
            if memory.bytes > self.bytes {
                let largest = memory.largest;
                let largest =
                    largest.and_then(|(feature, codes)| Some((schema.feature_name(feature)?, codes)));
                let (file, memory) = (file.to_owned(), Box::new(memory));
                return Err(TrainFileError::Memory { file, memory, largest, limit: self.bytes });
            }
        }
        Ok(())
    }
}

fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// The same evidence for a family and a schema with further categories, where the place of a sum depends on
/// their number.
fn widened(
    evidence: SufficientStats<String>,
    (family, schema): (&Family, &Schema),
    (wider, wider_schema): (&Family, &Schema),
) -> Result<SufficientStats<String>, ModelError> {
    if family.layout(schema.n_features())? == wider.layout(wider_schema.n_features())? {
        return Ok(evidence);
    }
    let narrow = Model::from_parts(schema.clone(), family.clone(), Prior::Empirical, evidence)?;
    Ok(narrow.with_schema(wider_schema)?.stats().clone())
}

/// How many categories there are.
fn n_levels(schema: &Schema) -> usize {
    let levels = schema.columns.iter().map(|column| match &column.kind {
        Kind::Categorical { levels } => levels.len(),
        _ => 0,
    });
    levels.sum()
}

/// Refuses codes without a name: they could be counted, but not stored.
fn check_levels(file: &str, schema: &Schema, chunk: &Chunk) -> Result<(), TrainFileError> {
    for (column, features) in schema.columns.iter().zip(schema.feature_ranges()) {
        let Kind::Categorical { levels } = &column.kind else { continue };
        let is_unnamed = |code: f64| code >= levels.len() as f64;
        let feature = features.start;
        let found = match &chunk.rows {
            Table::Dense(rows) if feature < rows.ncols() => {
                rows.column(feature).iter().position(|&code| is_unnamed(code))
            }
            Table::Dense(_) => None,
            Table::Sparse(rows) => (0..rows.n_rows()).find(|&row| is_unnamed(rows.get(row, feature))),
        };
        if let Some(row) = found {
            let (row, column) = (chunk.first_row + row, column.name.clone());
            return Err(TrainFileError::UnnamedLevel { file: file.into(), row, column });
        }
    }
    Ok(())
}

/// The error with rows counted from the start of the file and the column by name.
fn in_file(file: &str, schema: &Schema, first_row: usize, error: UpdateError) -> TrainFileError {
    match error {
        UpdateError::Value(error) => TrainFileError::Value {
            file: file.into(),
            column: schema.feature_name(error.column).unwrap_or_default(),
            error: ValueError { row: first_row + error.row, ..error },
        },
        error => TrainFileError::Update { file: file.into(), first_row, error },
    }
}
