//! Rows of record batches as chunks of numbers.

use arrow_array::RecordBatch;

use super::{
    Arrow,
    input::{Batches, Input},
    values::{Values, refuse, supports},
};
use crate::{
    Kind, Schema,
    read::{
        CellProblem, Chunk, FileProblem, Place, ReadError, Unlabeled, UnlabeledRows,
        cells::{
            cell::{Cell, Missing, weight},
            number::{count, number},
        },
        columns::{Columns, KnownLabels, first_features, with_constants},
        formats::collect::Collector,
        options::rows_of_chunk,
        reads_chunks,
    },
};

/// The rows of a Parquet or Arrow file, made by [`Arrow::read`].
pub struct ArrowReader {
    file: String,
    batches: Batches,
    /// Where the wanted columns are.
    sources: Vec<Source>,
    /// The rows of the batch that are not in a chunk yet, and how many rows of the file came before.
    rest: Option<(usize, RecordBatch)>,
    schema: Schema,
    columns: Columns,
    cells: Vec<Cell>,
    /// The first feature of each column; none if every column is one.
    first_features: Vec<usize>,
    missing: Missing,
    known_labels: KnownLabels,
    unlabeled: Unlabeled,
    unlabeled_rows: Option<UnlabeledRows>,
    weight_name: String,
    id_names: Vec<String>,
    chunk_rows: usize,
    rows: Collector,
    done: bool,
}

/// Where the cells of a column come from.
#[derive(Clone, Debug)]
enum Source {
    /// This one of the columns that are read from the file.
    File(usize),
    /// All rows have this one; an empty one is missing.
    Constant(String),
}

impl ArrowReader {
    pub(super) fn new(input: Input, arrow: &Arrow, schema: &Schema) -> Result<Self, ReadError> {
        let (file, header, table) = (input.name.clone(), input.column_names(), &arrow.table);
        let n_of_file = header.len();
        let header = with_constants(&file, header, &table.constants)?;
        let columns = Columns::of_schema(&file, &header, schema, table)?;
        let wanted = columns.features.iter().copied().chain(columns.label).chain(columns.weight);
        let wanted: Vec<usize> = wanted.chain(columns.ids.iter().copied()).collect();
        let mut sources = Vec::with_capacity(wanted.len());
        let mut of_file = Vec::new();
        for place in wanted {
            if let Some((_, cell)) = place.checked_sub(n_of_file).and_then(|place| table.constants.get(place))
            {
                sources.push(Source::Constant(cell.clone()));
                continue;
            }
            sources.push(Source::File(of_file.len()));
            of_file.push(place);
            let found = input.column_type(place);
            if supports(found).is_none() {
                return Err(refuse(&file, &header[place], found));
            }
        }
        let chunk_rows = rows_of_chunk(table.chunk_rows, schema.columns.len().max(columns.ids.len()));
        Ok(Self {
            file,
            batches: input.batches(&of_file, chunk_rows)?,
            sources,
            rest: None,
            schema: schema.clone(),
            cells: schema.columns.iter().map(|column| Cell::new(column, table)).collect(),
            missing: Missing::of_typed(table),
            known_labels: KnownLabels::new(&table.classes),
            unlabeled: table.unlabeled,
            unlabeled_rows: None,
            weight_name: table.weight.clone().unwrap_or_default(),
            id_names: table.ids.clone(),
            chunk_rows,
            rows: Collector::new(schema.n_features(), columns.label.is_some(), columns.weight.is_some())
                .with_sparse_rows(schema.has_text())
                .with_ids(columns.ids.len())
                .with_places(table.places),
            first_features: first_features(schema),
            columns,
            done: false,
        })
    }

    /// The columns of the file that are not read, in its order.
    ///
    /// ```
    /// # use std::{fs::File, sync::Arc};
    /// # use arrow_array::{Array, Float64Array, RecordBatch, StringArray};
    /// # let path = std::env::temp_dir().join("nb-io-doc-ignored.arrow");
    /// # let length = Arc::new(Float64Array::from(vec![1.5, 2.5])) as Arc<dyn Array>;
    /// # let species = Arc::new(StringArray::from(vec!["a", "b"])) as Arc<dyn Array>;
    /// # let batch = RecordBatch::try_from_iter([("length", length), ("species", species)])?;
    /// # let mut writer = arrow_ipc::writer::FileWriter::try_new(File::create(&path)?, &batch.schema())?;
    /// # writer.write(&batch)?;
    /// # writer.finish()?;
    /// use nb_table::{Schema, read::Arrow};
    ///
    /// let reader = Arrow::default().read(&path, &Schema::numeric(["length"], "class"))?;
    /// assert_eq!(reader.ignored_columns(), ["species"]);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ignored_columns(&self) -> &[String] {
        &self.columns.ignored
    }

    fn read_chunk(&mut self) -> Result<Option<Chunk>, ReadError> {
        loop {
            let next = match self.rest.take() {
                Some(rest) => Some(rest),
                None => self.batches.next_batch()?,
            };
            let Some((first_row, batch)) = next else {
                self.done = true;
                return Ok(None);
            };
            let n_rows = self.push_rows(first_row, &batch)?;
            if n_rows < batch.num_rows() {
                self.rest = Some((first_row + n_rows, batch.slice(n_rows, batch.num_rows() - n_rows)));
            }
            // All of them may have been skipped.
            if let Some(chunk) = self.rows.take(&self.file)? {
                return Ok(Some(chunk));
            }
        }
    }

    /// Appends the rows of a batch, no more than fit into a chunk: how many.
    fn push_rows(&mut self, first_row: usize, batch: &RecordBatch) -> Result<usize, ReadError> {
        let Self {
            file,
            schema,
            cells,
            first_features,
            missing,
            known_labels,
            unlabeled_rows,
            weight_name,
            id_names,
            rows,
            columns,
            batches,
            sources,
            ..
        } = self;
        let values = |column: usize, name: &str| {
            let column = match &sources[column] {
                Source::File(column) => *column,
                Source::Constant(cell) => {
                    let cell = Some(cell.as_str()).filter(|cell| !cell.is_empty());
                    return Ok(Values::Text(Box::new(move |_| cell)));
                }
            };
            let array = batches.places.get(column).and_then(|&place| batch.columns().get(place));
            array.and_then(|array| Values::of(array.as_ref())).ok_or_else(|| {
                let (column, found) = (name.into(), "another type than the schema of the file says".into());
                ReadError::of_file(file, FileProblem::ColumnType { column, found })
            })
        };
        let n_features = columns.features.len();
        let names = schema.columns.iter().map(|column| &column.name);
        let features: Vec<Values<'_>> =
            names.enumerate().map(|(place, name)| values(place, name)).collect::<Result<_, _>>()?;
        let labels = columns.label.map(|_| values(n_features, &schema.label)).transpose()?;
        let has_labels = usize::from(labels.is_some());
        let weights = columns.weight.map(|_| values(n_features + has_labels, weight_name)).transpose()?;
        let place = n_features + has_labels + usize::from(weights.is_some());
        let ids = id_names.iter().enumerate().map(|(column, name)| values(place + column, name));
        let ids: Vec<Values<'_>> = ids.collect::<Result<_, _>>()?;
        for row in 0..batch.num_rows() {
            if rows.is_full(self.chunk_rows) {
                return Ok(row);
            }
            let refuse = |name: &str, values: &Values<'_>, problem| {
                let text = values.text(row).unwrap_or_default();
                ReadError::cell(file, Place::Row(first_row + row), name, &text, problem)
            };
            let label =
                labels.as_ref().map(|values| values.text(row).filter(|label| !missing.contains(label)));
            let label = match (label, self.unlabeled) {
                (Some(None), Unlabeled::Skip) => {
                    let text = labels.as_ref().and_then(|values| values.text(row)).unwrap_or_default();
                    UnlabeledRows::count(unlabeled_rows, &text);
                    continue;
                }
                (Some(None), Unlabeled::Keep) => Some(Some(String::new())),
                (label, _) => label,
            };
            let of_schema = schema.columns.iter_mut().zip(cells.iter_mut()).zip(&features);
            for (position, ((column, cell), values)) in of_schema.enumerate() {
                let value = value(&mut column.kind, cell, values, row, missing);
                let value = value.map_err(|problem| refuse(&column.name, values, problem))?;
                match first_features.get(position) {
                    None => rows.push(value),
                    Some(&first) => {
                        cell.for_each_feature(first, value, |feature, value| {
                            rows.push_feature(feature, value);
                        });
                    }
                }
            }
            if let Some(values) = &labels {
                match label.flatten() {
                    Some(label) => rows.push_label(known_labels.class(&label).into()),
                    None => return Err(refuse(&schema.label, values, CellProblem::NoLabel)),
                }
            }
            if let Some(values) = &weights {
                let found = weight(values.number(row, number))
                    .map_err(|problem| refuse(weight_name, values, problem));
                rows.push_weight(found?);
            }
            for (column, values) in ids.iter().enumerate() {
                rows.push_id(column, values.text(row).unwrap_or_default());
            }
            rows.push_place(|| Place::Row(first_row + row));
            rows.end_row();
        }
        Ok(batch.num_rows())
    }
}

/// The number of a cell.
pub(super) fn value(
    kind: &mut Kind,
    cell: &mut Cell,
    values: &Values<'_>,
    row: usize,
    missing: &Missing,
) -> Result<f64, CellProblem> {
    match kind {
        Kind::Categorical { .. } | Kind::Dates(_) => match values.text(row) {
            Some(text) => cell.parse(&text, missing, kind),
            None => cell.parse_none(),
        },
        // No text is a text without terms.
        Kind::Text(_) => cell.parse(&values.text(row).unwrap_or_default(), missing, kind),
        Kind::Count => {
            let value = values.number(row, |text| missing.number(text))?;
            if value.is_nan() { Ok(value) } else { count(value) }
        }
        Kind::Numeric => values.number(row, |text| cell.parse(text, missing, &mut Kind::Numeric)),
    }
}

reads_chunks!(ArrowReader, file, {
    fn unlabeled_rows(&self) -> Option<&UnlabeledRows> {
        self.unlabeled_rows.as_ref()
    }
});

impl std::fmt::Debug for ArrowReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ArrowReader").field("file", &self.file).finish_non_exhaustive()
    }
}
