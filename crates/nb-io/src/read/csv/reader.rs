//! Rows of delimited text as chunks of numbers.

use super::{Csv, Records};
use crate::{
    Schema,
    read::{
        CellProblem, Chunk, ReadChunks, ReadError,
        collect::Collector,
        named::{Cell, Columns, Missing, weight},
        options::rows_of_chunk,
        source::Source,
    },
};

/// The rows of a CSV or TSV file, made by [`Csv::read`].
#[derive(Debug)]
pub struct CsvReader<'a> {
    records: Records<'a>,
    schema: Schema,
    columns: Columns,
    cells: Vec<Cell>,
    missing: Missing,
    weight_name: String,
    chunk_rows: usize,
    rows: Collector,
    done: bool,
}

impl<'a> CsvReader<'a> {
    pub(super) fn new(source: Source<'a>, csv: &Csv, schema: &Schema) -> Result<Self, ReadError> {
        let mut records = Records::new(source, csv);
        let header = records.header(csv.header)?;
        let columns = Columns::of_schema(&records.file, &header, schema, &csv.table)?;
        let n_columns = schema.columns.len();
        Ok(Self {
            records,
            schema: schema.clone(),
            cells: schema
                .columns
                .iter()
                .map(|column| Cell::new(&column.kind, csv.table.new_levels))
                .collect(),
            missing: Missing::new(&csv.table.missing),
            weight_name: csv.table.weight.clone().unwrap_or_default(),
            chunk_rows: rows_of_chunk(csv.table.chunk_rows, n_columns),
            rows: Collector::new(n_columns, columns.label.is_some(), columns.weight.is_some()),
            columns,
            done: false,
        })
    }

    /// The columns of the file that are not read, in its order.
    pub fn ignored_columns(&self) -> &[String] {
        &self.columns.ignored
    }

    /// Turns the record into a row.
    fn push_row(&mut self) -> Result<(), ReadError> {
        let records = &self.records;
        for ((column, cell), &place) in
            self.schema.columns.iter_mut().zip(&mut self.cells).zip(&self.columns.features)
        {
            let text = records.text(place, &column.name)?;
            let value = cell.parse(text, &self.missing, &mut column.kind);
            self.rows.push(value.map_err(|problem| records.refuse_cell(&column.name, text, problem))?);
        }
        if let Some(place) = self.columns.label {
            let label = records.text(place, &self.schema.label)?;
            if self.missing.contains(label) {
                return Err(records.refuse_cell(&self.schema.label, label, CellProblem::NoLabel));
            }
            self.rows.push_label(label.into());
        }
        if let Some(place) = self.columns.weight {
            let text = records.text(place, &self.weight_name)?;
            let weight = weight(text);
            let weight = weight.map_err(|problem| records.refuse_cell(&self.weight_name, text, problem));
            self.rows.push_weight(weight?);
        }
        self.rows.end_row();
        Ok(())
    }

    fn read_chunk(&mut self) -> Result<Option<Chunk>, ReadError> {
        while self.rows.n_rows() < self.chunk_rows {
            if !self.records.advance()? {
                self.done = true;
                break;
            }
            self.push_row()?;
        }
        self.rows.take(&self.records.file)
    }
}

impl ReadChunks for CsvReader<'_> {
    fn next_chunk(&mut self) -> Result<Option<Chunk>, ReadError> {
        if self.done {
            return Ok(None);
        }
        self.read_chunk().inspect_err(|_| self.done = true)
    }

    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn name(&self) -> &str {
        &self.records.file
    }
}
