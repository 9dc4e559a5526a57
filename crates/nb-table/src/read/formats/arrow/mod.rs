//! Parquet and Arrow IPC files.

mod batch;
mod copy;
mod input;
mod lengths;
mod lists;
mod numeric;
mod reader;
mod values;

use std::{collections::BTreeSet, path::Path};

use arrow_array::RecordBatchReader;

pub use batch::BatchRows;
use input::Input;
pub use reader::ArrowReader;
use values::{Holds, Values, refuse, supports};

use crate::Schema;
use crate::read::{
    CellProblem, FileProblem, Inferred, Overrides, Place, ReadError, Reason, TableOptions,
    cells::cell::Missing,
    columns::{Columns, Profiles},
};
use crate::with::with_fields;

/// How to read Parquet files, and Arrow IPC files and streams (Feather files, too). The format is known by
/// the first bytes.
///
/// Columns of numbers are numeric, truth values 0 and 1, columns of text and dictionaries of text
/// categorical, or texts if they look like it ([`Reason::FreeText`]). A decimal is the nearest double. Dates
/// and timestamps are numeric as well ([`Reason::Dates`]), the days since 1970-01-01, with fractions; times
/// of day and durations are days, too. A null is a missing cell, and in text the usual spellings are, too.
/// Lists and other types are refused by name, unless the column is ignored.
///
/// Parquet files may be compressed by Snappy, gzip, Brotli, LZ4 or zstd.
///
/// The decoders are those of Apache Arrow. Where they panic on a damaged file, the panic becomes an error
/// (unless panics abort the program, and not without the message of the panic hook); lengths in Arrow IPC
/// files are checked before they are believed. Record batches of Arrow IPC files are as large in memory as
/// they were written.
///
/// ```no_run
/// use nb_table::read::{Arrow, Overrides, ReadChunks};
///
/// let arrow = Arrow::default();
/// let inferred = arrow.infer("data.parquet", "species", &Overrides::default().ignore("date"))?;
/// let mut reader = arrow.read("data.parquet", &inferred.schema)?;
/// while let Some(chunk) = reader.next_chunk()? {
///     println!("{:?} {:?}", chunk.rows, chunk.labels);
/// }
/// # Ok::<(), nb_table::read::ReadError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Arrow {
    /// What holds for all tables.
    pub table: TableOptions,
}

/// # Options
impl Arrow {
    with_fields! {
        with_table table: TableOptions;
    }
}

impl Arrow {
    /// Learns a schema from the types of the columns and, where there are categories, from all rows.
    ///
    /// ```
    /// # use std::{fs::File, sync::Arc};
    /// # use arrow_array::{Array, Float64Array, RecordBatch, StringArray};
    /// # let path = std::env::temp_dir().join("nb-io-doc-infer.arrow");
    /// # let length = Arc::new(Float64Array::from(vec![1.5, 2.5])) as Arc<dyn Array>;
    /// # let species = Arc::new(StringArray::from(vec!["a", "b"])) as Arc<dyn Array>;
    /// # let batch = RecordBatch::try_from_iter([("length", length), ("species", species)])?;
    /// # let mut writer = arrow_ipc::writer::FileWriter::try_new(File::create(&path)?, &batch.schema())?;
    /// # writer.write(&batch)?;
    /// # writer.finish()?;
    /// use nb_table::{Schema, read::{Arrow, Overrides}};
    ///
    /// let inferred = Arrow::default().infer(&path, "species", &Overrides::default())?;
    /// assert_eq!(inferred.schema, Schema::numeric(["length"], "species"));
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] names the first thing that is wrong.
    pub fn infer(
        &self,
        path: impl AsRef<Path>,
        label: &str,
        overrides: &Overrides,
    ) -> Result<Inferred, ReadError> {
        let path = path.as_ref();
        self.infer_input(|| Input::open(path), label, overrides)
    }

    /// The same for record batches in memory; each call of `batches` returns a reader of all of them. `name`
    /// is what messages call them.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use arrow_array::{Array, Float64Array, RecordBatch, RecordBatchIterator, StringArray};
    /// use nb_table::{Schema, read::{Arrow, Overrides}};
    ///
    /// let length = Arc::new(Float64Array::from(vec![1.5, 2.5])) as Arc<dyn Array>;
    /// let species = Arc::new(StringArray::from(vec!["a", "b"])) as Arc<dyn Array>;
    /// let batch = RecordBatch::try_from_iter([("length", length), ("species", species)])?;
    /// let batches = || RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
    ///
    /// let inferred = Arrow::default().infer_batches("the query", batches, "species", &Overrides::default())?;
    /// assert_eq!(inferred.schema, Schema::numeric(["length"], "species"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] names the first thing that is wrong.
    pub fn infer_batches<B: RecordBatchReader + Send + 'static>(
        &self,
        name: &str,
        batches: impl Fn() -> B,
        label: &str,
        overrides: &Overrides,
    ) -> Result<Inferred, ReadError> {
        let open = || {
            let batches = batches();
            let schema = batches.schema();
            Ok(Input::of_batches(name, &schema, batches))
        };
        self.infer_input(open, label, overrides)
    }

    fn infer_input(
        &self,
        open: impl Fn() -> Result<Input, ReadError>,
        label: &str,
        overrides: &Overrides,
    ) -> Result<Inferred, ReadError> {
        let input = open()?;
        let (file, header) = (input.name.clone(), input.column_names());
        let columns = Columns::to_learn(&file, &header, label, overrides, &self.table)?;
        let (mut types, mut texts) = (Vec::with_capacity(columns.features.len()), BTreeSet::new());
        for &place in &columns.features {
            let found = input.column_type(place);
            let holds = supports(found).ok_or_else(|| refuse(&file, &header[place], found))?;
            types.push(match holds {
                Holds::Dates => Reason::Dates,
                _ => Reason::Type(found.to_string()),
            });
            if holds == Holds::Texts {
                texts.insert(place);
            }
        }
        let refuse = |problem| ReadError::of_file(&file, problem);
        let profiles = Profiles::new(&header, &columns, overrides, |place| texts.contains(&place));
        let mut profiles = profiles.map_err(refuse)?;
        let mut input = Some(input);
        loop {
            let input = input.take().map_or_else(&open, Ok)?;
            self.look_at_texts(input, &header, &columns, &mut profiles)?;
            if profiles.n_rows() == 0 {
                return Err(ReadError::of_file(&file, FileProblem::NoRows));
            }
            if !profiles.needs_another_pass().map_err(refuse)? {
                break;
            }
        }
        let mut inferred = profiles.finish(label).map_err(refuse)?;
        for (column, reason) in inferred.columns.iter_mut().zip(types) {
            if overrides.kinds.contains_key(&column.column) {
                continue;
            }
            if reason == Reason::Dates {
                (column.reason, column.few_values) = (reason, Vec::new());
            } else if !column.reason.is_useless() && !matches!(column.reason, Reason::FreeText { .. }) {
                column.reason = reason;
            }
        }
        Ok(inferred)
    }

    /// A pass over all rows. The type of a number says all, and it is checked when it is read.
    fn look_at_texts(
        &self,
        input: Input,
        header: &[String],
        columns: &Columns,
        profiles: &mut Profiles,
    ) -> Result<(), ReadError> {
        let file = input.name.clone();
        let missing = Missing::of_typed(&self.table);
        let mut batches = input.batches(&columns.features, self.table.chunk_rows)?;
        while let Some((first_row, batch)) = batches.next_batch()? {
            for (column, &place) in columns.features.iter().enumerate() {
                let counts_values = profiles.counts_values(column);
                let is_non_negative = profiles.is_non_negative(column);
                if !counts_values && !is_non_negative && !profiles.looks_at_texts(column) {
                    continue;
                }
                let array = batches.places.get(column).and_then(|&place| batch.columns().get(place));
                let values = array.and_then(|array| Values::of(array.as_ref()));
                if let (true, Some(values)) = (is_non_negative, &values) {
                    for row in 0..batch.num_rows() {
                        let value = values.number(row, |text| missing.number(text));
                        let look = value.and_then(|value| profiles.look_at_non_negative(column, value));
                        look.map_err(|problem| {
                            let text = values.text(row).unwrap_or_default();
                            ReadError::cell(
                                &file,
                                Place::Row(first_row + row),
                                &header[place],
                                &text,
                                problem,
                            )
                        })?;
                    }
                    continue;
                }
                if let (true, Some(values)) = (counts_values, &values) {
                    for row in 0..batch.num_rows() {
                        match values.number(row, |_| Err(CellProblem::NotANumber)) {
                            Ok(value) if value.is_nan() => profiles.look_at_missing(column),
                            value => profiles.look_at_value(column, value.unwrap_or(f64::INFINITY)),
                        }
                    }
                }
                if !profiles.looks_at_texts(column) {
                    continue;
                }
                for row in 0..batch.num_rows() {
                    let text = values.as_ref().and_then(|values| values.text(row));
                    // No text is a text without terms.
                    let Some(text) = text.or_else(|| profiles.is_text(column).then(String::new)) else {
                        continue;
                    };
                    profiles.look(column, &text, || 0, &missing).map_err(|problem| {
                        ReadError::cell(&file, Place::Row(first_row + row), &header[place], &text, problem)
                    })?;
                }
            }
            (0..batch.num_rows()).for_each(|_| profiles.end_row());
        }
        Ok(())
    }

    /// The names of the columns of a file, in its order.
    ///
    /// # Errors
    /// [`ReadError`] if the file cannot be opened or is damaged.
    pub fn columns(&self, path: impl AsRef<Path>) -> Result<Vec<String>, ReadError> {
        Ok(Input::open(path.as_ref())?.column_names())
    }

    /// Reads the columns of a schema from a file.
    ///
    /// ```
    /// # use std::{fs::File, sync::Arc};
    /// # use arrow_array::{Array, Float64Array, RecordBatch, StringArray};
    /// # let path = std::env::temp_dir().join("nb-io-doc-read.arrow");
    /// # let length = Arc::new(Float64Array::from(vec![1.5, 2.5])) as Arc<dyn Array>;
    /// # let species = Arc::new(StringArray::from(vec!["a", "b"])) as Arc<dyn Array>;
    /// # let batch = RecordBatch::try_from_iter([("length", length), ("species", species)])?;
    /// # let mut writer = arrow_ipc::writer::FileWriter::try_new(File::create(&path)?, &batch.schema())?;
    /// # writer.write(&batch)?;
    /// # writer.finish()?;
    /// use nb_table::{Schema, read::{Arrow, ReadChunks}};
    ///
    /// let mut reader = Arrow::default().read(&path, &Schema::numeric(["length"], "species"))?;
    /// assert_eq!(reader.next_chunk()?.unwrap().labels.unwrap(), ["a", "b"]);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] if the file cannot be opened or does not have the columns.
    pub fn read(&self, path: impl AsRef<Path>, schema: &Schema) -> Result<ArrowReader, ReadError> {
        ArrowReader::new(Input::open(path.as_ref())?, self, schema)
    }
}
