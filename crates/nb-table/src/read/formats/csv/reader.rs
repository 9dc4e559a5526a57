//! Rows of delimited text as chunks of numbers.

use std::collections::BTreeSet;

use super::{Csv, CsvFormat, Records, labels::LastLabels, plain::Slot, slots};
use crate::{
    Column, Kind, Schema,
    read::{
        CellProblem, Chunk, ReadError, SkippedRows, Unlabeled, UnlabeledRows,
        bad_rows::Skipped,
        cells::{
            cell::{Cell, Missing, weight},
            date::NumbersOrDates,
            number::number,
        },
        columns::{Columns, KnownLabels, first_features, has_leading_zeros, with_constants},
        file::source::Source,
        formats::collect::Collector,
        options::rows_of_chunk,
        reads_chunks,
    },
};

/// The rows of a file of delimited text, made by [`Csv::read`], or of another one that is read like it.
#[derive(Debug)]
pub struct CsvReader<'a> {
    records: Records<'a>,
    schema: Schema,
    columns: Columns,
    cells: Vec<Cell>,
    /// The columns that are not expected to be numbers.
    texts: Vec<usize>,
    /// The first feature of each column; none if every column is one.
    first_features: Vec<usize>,
    unlabeled: Unlabeled,
    unlabeled_rows: Option<UnlabeledRows>,
    /// The columns of numbers in which texts are missing cells.
    non_numeric: Vec<bool>,
    /// How many such cells there were in the rows at hand.
    n_non_numeric: usize,
    /// Whether a number has zeros in front, as codes have.
    has_codes: bool,
    /// How many rows there were before the one at hand, and how many of their cells were read as texts, by
    /// column: dates are refused in a column where a number was read before.
    n_records: usize,
    n_texts: Vec<usize>,
    missing: Missing,
    known_labels: KnownLabels,
    weight_name: String,
    id_names: Vec<String>,
    chunk_rows: usize,
    /// The row at hand.
    row: Vec<f64>,
    rows: Collector,
    last_labels: LastLabels,
    done: bool,
}

impl<'a> CsvReader<'a> {
    pub(in crate::read) fn new(source: Source<'a>, csv: &Csv, schema: &Schema) -> Result<Self, ReadError> {
        let mut records = Records::new(source, csv);
        let header = records.header(csv.header)?.names;
        let (n_fields, constants) = (header.len(), &csv.table.constants);
        let header = with_constants(&records.file, header, constants)?;
        let decimal = records.format.decimal;
        records.append(constants.iter().map(|(name, cell)| {
            match schema.columns.iter().find(|of| of.name == *name) {
                // Numbers are read as those of the file.
                Some(Column { kind: Kind::Numeric | Kind::Count, .. }) if number(cell).is_ok() => {
                    cell.replace('.', &char::from(decimal).to_string())
                }
                _ => cell.clone(),
            }
        }));
        let columns = Columns::of_schema(&records.file, &header, schema, &csv.table)
            .map_err(|error| records.with_place_below(error))?;
        let n_columns = schema.columns.len();
        let cells = schema.columns.iter().map(|column| Cell::new(column, &csv.table));
        let missing = Missing::of_text(&csv.table).with_decimal(records.format.decimal);
        let cells: Vec<Cell> = cells.collect();
        let ids: BTreeSet<usize> = columns.ids.iter().copied().collect();
        let slots = slots(n_fields, &columns.features, |column| match cells[column] {
            _ if missing.needs_texts() || ids.contains(&columns.features[column]) => Slot::Text,
            Cell::Numeric(_, None) => Slot::Number(column),
            Cell::Count => Slot::Count(column),
            Cell::Numeric(_, Some(_)) | Cell::Categorical(_) | Cell::Text(_) | Cell::Dates(_) => Slot::Text,
        });
        let is_text =
            |&column: &usize| slots.get(columns.features[column]).is_none_or(|slot| *slot == Slot::Text);
        let texts = (0..n_columns).filter(is_text).collect();
        records.expect(slots);
        Ok(Self {
            records,
            schema: schema.clone(),
            texts,
            cells,
            unlabeled: csv.table.unlabeled,
            unlabeled_rows: None,
            non_numeric: schema
                .columns
                .iter()
                .map(|column| csv.table.non_numeric.contains(&column.name))
                .collect(),
            n_non_numeric: 0,
            has_codes: false,
            n_records: 0,
            n_texts: vec![0; n_columns],
            missing,
            known_labels: KnownLabels::new(&csv.table.classes),
            weight_name: csv.table.weight.clone().unwrap_or_default(),
            id_names: csv.table.ids.clone(),
            chunk_rows: rows_of_chunk(csv.table.chunk_rows, n_columns.max(columns.ids.len())),
            row: vec![0.0; n_columns],
            last_labels: LastLabels::default(),
            rows: Collector::new(schema.n_features(), columns.label.is_some(), columns.weight.is_some())
                .with_sparse_rows(schema.has_text())
                .with_ids(columns.ids.len())
                .with_places(csv.table.places),
            first_features: first_features(schema),
            columns,
            done: false,
        })
    }

    /// The same with all rows in one chunk.
    pub(super) fn in_one_chunk(self) -> Self {
        Self { chunk_rows: usize::MAX, ..self }
    }

    /// Puts the rows that are left out on this list.
    pub(super) fn skip_those(&mut self, skipped: &Skipped) {
        self.records.skip_those(skipped);
    }

    /// Whether a number so far has zeros in front, as codes have.
    pub(super) fn has_codes(&self) -> bool {
        self.has_codes
    }

    /// The columns of the file that are not read, in its order.
    ///
    /// ```
    /// use nb_table::{Schema, read::Csv};
    ///
    /// let (text, schema) = ("id,length,species\n7,1.5,a\n", Schema::numeric(["length"], "species"));
    /// let reader = Csv::default().read_from(text.as_bytes(), "flowers", &schema)?;
    /// assert_eq!(reader.ignored_columns(), ["id"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ignored_columns(&self) -> &[String] {
        &self.columns.ignored
    }

    /// How the fields and numbers of the file are written.
    ///
    /// ```
    /// use nb_table::{Schema, read::Csv};
    ///
    /// let (text, schema) = ("length;species\n1,5;a\n", Schema::numeric(["length"], "species"));
    /// assert_eq!(Csv::default().read_from(text.as_bytes(), "flowers", &schema)?.format().delimiter, b';');
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn format(&self) -> CsvFormat {
        self.records.format
    }

    /// Whether the record can be read as a row, of which nothing is kept: a row that is left out must not
    /// leave categories behind.
    fn check_row(&self) -> Result<(), ReadError> {
        let records = &self.records;
        for (column, (cell, of_schema)) in self.cells.iter().zip(&self.schema.columns).enumerate() {
            let place = self.columns.features[column];
            if records.is_number(place) {
                continue;
            }
            let text = records.text(place, &of_schema.name)?;
            let names = match &of_schema.kind {
                Kind::Categorical { levels } => &levels[..],
                _ => &[],
            };
            let checked = match cell {
                Cell::Numeric(NumbersOrDates::Unknown, order) if self.has_numbers(column) => {
                    Cell::Numeric(NumbersOrDates::Numbers, *order).check(text, &self.missing, names)
                }
                _ => cell.check(text, &self.missing, names),
            };
            match checked {
                Err(CellProblem::NotANumber) if self.non_numeric[column] => {}
                checked => checked.map_err(|problem| records.refuse_cell(&of_schema.name, text, problem))?,
            }
        }
        self.weight().map(drop)
    }

    /// Whether a column has numbers, in which there are no dates: a number was read before, or there are
    /// numbers among texts.
    fn has_numbers(&self, column: usize) -> bool {
        self.non_numeric[column] || self.n_texts[column] < self.n_records
    }

    /// The weight of the row at hand, if rows have weights.
    fn weight(&self) -> Result<Option<f64>, ReadError> {
        let Some(place) = self.columns.weight else { return Ok(None) };
        let text = self.records.text(place, &self.weight_name)?;
        let weight = weight(self.missing.parse(text));
        weight.map(Some).map_err(|problem| self.records.refuse_cell(&self.weight_name, text, problem))
    }

    /// Turns the record into a row, most cells of which may be in it already.
    fn push_row(&mut self) -> Result<(), ReadError> {
        if self.records.has_all_numbers() {
            for position in 0..self.texts.len() {
                self.read_cell(self.texts[position])?;
            }
        } else {
            for column in 0..self.row.len() {
                if !self.records.is_number(self.columns.features[column]) {
                    self.read_cell(column)?;
                }
            }
        }
        self.n_records += 1;
        let records = &self.records;
        let label = self.columns.label.map(|place| {
            self.last_labels.label(records.bytes(place), || {
                let label = records.text(place, &self.schema.label)?;
                if self.missing.contains(label) {
                    if self.unlabeled == Unlabeled::Keep {
                        return Ok("");
                    }
                    return Err(records.refuse_cell(&self.schema.label, label, CellProblem::NoLabel));
                }
                Ok(self.known_labels.class(label))
            })
        });
        let label = match label.transpose() {
            Ok(label) => label,
            Err(error @ ReadError::Cell { problem: CellProblem::NoLabel, .. }) => {
                return self.skip_unlabeled(error);
            }
            Err(error) => return Err(error),
        };
        if self.first_features.is_empty() {
            self.rows.push_row(&self.row);
        } else {
            for ((cell, &value), &first) in self.cells.iter().zip(&self.row).zip(&self.first_features) {
                cell.for_each_feature(first, value, |feature, value| self.rows.push_feature(feature, value));
            }
        }
        if let Some(label) = label {
            self.rows.push_label(label.into());
        }
        if let Some(weight) = self.weight()? {
            self.rows.push_weight(weight);
        }
        for (column, (&place, name)) in self.columns.ids.iter().zip(&self.id_names).enumerate() {
            self.rows.push_id(column, records.text(place, name)?.into());
        }
        self.rows.push_place(|| records.place());
        self.rows.end_row();
        Ok(())
    }

    /// Skips the row at hand, whose label is missing, or refuses it and counts those that follow it.
    #[cold]
    fn skip_unlabeled(&mut self, mut error: ReadError) -> Result<(), ReadError> {
        if self.unlabeled == Unlabeled::Skip {
            let text = self.columns.label.map(|place| self.records.text(place, &self.schema.label));
            UnlabeledRows::count(&mut self.unlabeled_rows, text.transpose()?.unwrap_or_default());
            return Ok(());
        }
        let mut n_rows = 1;
        while let (Some(place), Ok(true)) = (self.columns.label, self.records.advance(&mut self.row)) {
            let label = self.records.text(place, &self.schema.label);
            n_rows += usize::from(label.is_ok_and(|label| self.missing.contains(label)));
        }
        if let ReadError::Cell { problem, .. } = &mut error {
            *problem = CellProblem::NoLabels { rows: n_rows };
        }
        Err(error)
    }

    /// Turns the text of a cell into the number of its column.
    fn read_cell(&mut self, column: usize) -> Result<(), ReadError> {
        let has_numbers = self.has_numbers(column);
        let (records, place) = (&self.records, self.columns.features[column]);
        let (cell, of_schema) = (&mut self.cells[column], &mut self.schema.columns[column]);
        let text = records.text(place, &of_schema.name)?;
        if let Cell::Numeric(before @ NumbersOrDates::Unknown, _) = cell
            && has_numbers
        {
            *before = NumbersOrDates::Numbers;
        }
        self.n_texts[column] += 1;
        self.has_codes |= matches!(cell, Cell::Numeric(..)) && has_leading_zeros(text);
        let value = match cell.parse(text, &self.missing, &mut of_schema.kind) {
            Err(CellProblem::NotANumber) if self.non_numeric[column] => {
                self.n_non_numeric += 1;
                Ok(f64::NAN)
            }
            value => value,
        };
        let has_dates = matches!(cell, Cell::Numeric(NumbersOrDates::Dates, _));
        self.row[column] = value.map_err(|problem| records.refuse_cell(&of_schema.name, text, problem))?;
        if has_dates && !self.texts.contains(&column) {
            // From now on a number is looked at, too.
            self.records.expect_text(place);
            self.texts.push(column);
        }
        Ok(())
    }

    fn read_chunk(&mut self) -> Result<Option<Chunk>, ReadError> {
        while !self.rows.is_full(self.chunk_rows) {
            if !self.records.advance(&mut self.row)? {
                self.done = true;
                break;
            }
            if self.records.is_skipping()
                && let Err(error) = self.check_row()
            {
                self.records.skip_row(error)?;
                continue;
            }
            self.push_row()?;
        }
        let chunk = self.rows.take(&self.records.file)?;
        Ok(chunk.map(|chunk| Chunk { n_non_numeric: std::mem::take(&mut self.n_non_numeric), ..chunk }))
    }
}

reads_chunks!(CsvReader<'_>, records.file, {
    fn unlabeled_rows(&self) -> Option<&UnlabeledRows> {
        self.unlabeled_rows.as_ref()
    }

    fn skipped_rows(&self) -> Option<SkippedRows> {
        let unlabeled = self.unlabeled_rows.as_ref().map_or(0, |rows| rows.count);
        self.records.skipped_rows(self.rows.next_row() as u64 + unlabeled)
    }

    fn repeated_header(&self) -> Option<crate::read::RepeatedHeader> {
        self.records.repeated_header()
    }
});
