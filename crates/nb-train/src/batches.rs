//! Tables with named columns, as record batches of Arrow.

use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use nb_io::read::{Arrow, FileProblem, Inferred, Overrides, ReadChunks, ReadError, TableOptions};

use crate::{Source, Trained, Trainer, TrainerError};

/// What messages call the table.
const NAME: &str = "the table";

/// Record batches in memory with a label column, as a [`Source`]; their columns stay where they are.
///
/// ```
/// use std::sync::Arc;
///
/// use arrow_array::{ArrayRef, Float64Array, RecordBatch, RecordBatchIterator, StringArray};
/// use nb_train::{Batches, Trainer};
///
/// let x: ArrayRef = Arc::new(Float64Array::from(vec![1.5, 2.5, 7.5]));
/// let class: ArrayRef = Arc::new(StringArray::from(vec!["a", "a", "b"]));
/// let batch = RecordBatch::try_from_iter([("x", x), ("class", class)])?;
/// let table = Batches::new(RecordBatchIterator::new([Ok(batch.clone())], batch.schema()), "class")?;
/// assert_eq!(Trainer::default().train(&table)?.n_rows, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Batches {
    schema: SchemaRef,
    all: Vec<RecordBatch>,
    label: String,
    groups: Vec<String>,
}

impl Batches {
    /// All batches of a reader, with the name of the label column.
    ///
    /// ```
    /// use arrow_array::{RecordBatch, RecordBatchIterator};
    /// use arrow_schema::{Schema, SchemaRef};
    /// use nb_train::Batches;
    ///
    /// let none: [Result<RecordBatch, arrow_schema::ArrowError>; 0] = [];
    /// let reader = RecordBatchIterator::new(none, SchemaRef::new(Schema::empty()));
    /// assert!(Batches::new(reader, "class").is_ok()); // whether it is a table is found when it is looked at
    /// ```
    ///
    /// # Errors
    /// That of the reader.
    pub fn new(reader: impl RecordBatchReader, label: &str) -> Result<Self, TrainerError> {
        let schema = reader.schema();
        let all = reader.collect::<Result<Vec<_>, _>>().map_err(|error| ReadError::File {
            file: NAME.into(),
            problem: FileProblem::Format { format: "Arrow", reason: error.to_string() },
        })?;
        Ok(Self { schema, all, label: label.into(), groups: Vec::new() })
    }

    /// The same with a column of groups, such as patients: rows of a group are held out together, and the
    /// column is left out.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use arrow_array::{ArrayRef, Float64Array, RecordBatch, RecordBatchIterator, StringArray};
    /// use nb_train::{Batches, Trainer};
    ///
    /// let texts = |of: fn(i32) -> String| Arc::new(StringArray::from_iter_values((0..90).map(of))) as ArrayRef;
    /// let x: ArrayRef = Arc::new(Float64Array::from_iter_values((0..90).map(|row| f64::from(row % 7) + 0.5)));
    /// let patient = texts(|row| format!("patient {}", row / 3));
    /// let batch = RecordBatch::try_from_iter([("x", x), ("class", texts(|row| (row % 2).to_string())), ("patient", patient)])?;
    /// let table = Batches::new(RecordBatchIterator::new([Ok(batch.clone())], batch.schema()), "class")?;
    /// let trained = Trainer::default().train(&table.with_group(Some("patient".into())))?;
    /// assert_eq!(trained.model.schema().columns.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_group(self, column: Option<String>) -> Self {
        Self { groups: column.into_iter().collect(), ..self }
    }

    fn reader(&self) -> impl RecordBatchReader + Send + 'static {
        let batches: Vec<Result<RecordBatch, ArrowError>> = self.all.iter().cloned().map(Ok).collect();
        RecordBatchIterator::new(batches, SchemaRef::clone(&self.schema))
    }
}

impl Source for Batches {
    type Error = TrainerError;

    fn infer(&self, overrides: &Overrides) -> Result<Inferred, TrainerError> {
        let overrides = self.groups.iter().fold(overrides.clone(), |all, group| all.ignore(group));
        Ok(Arrow::default().infer_batches(NAME, || self.reader(), &self.label, &overrides)?)
    }

    fn open(
        &self,
        _part: usize,
        inferred: &Inferred,
        classes: Vec<String>,
    ) -> Result<Box<dyn ReadChunks + '_>, TrainerError> {
        let table = TableOptions::default()
            .with_classes(classes)
            .with_ids(self.groups.clone())
            .with_date_orders(inferred.date_orders());
        let arrow = Arrow::default().with_table(table);
        Ok(Box::new(arrow.read_batches(NAME, self.reader(), &inferred.schema)?))
    }
}

impl Trainer {
    /// Makes a model of record batches with a label column: a table of pyarrow, polars, DuckDB or
    /// `DataFusion`.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use arrow_array::{ArrayRef, Float64Array, RecordBatch, RecordBatchIterator, StringArray};
    /// use nb_train::Trainer;
    ///
    /// let x = |row: i32| f64::from(row % 2 * 3 + row % 5) + 0.5;
    /// let x: ArrayRef = Arc::new(Float64Array::from_iter_values((0..90).map(x)));
    /// let class: ArrayRef = Arc::new(StringArray::from_iter_values((0..90).map(|row| ["a", "b"][row % 2])));
    /// let batch = RecordBatch::try_from_iter([("x", x), ("class", class)])?;
    /// let reader = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
    /// let trained = Trainer::default().fit_batches(reader, "class")?;
    /// assert!(trained.model.held_out().unwrap().accuracy > 0.7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`TrainerError`] says what is wrong with the table.
    pub fn fit_batches(&self, reader: impl RecordBatchReader, label: &str) -> Result<Trained, TrainerError> {
        self.train(&Batches::new(reader, label)?)
    }
}
