//! The rows that weights and corrections are learnt from: all, or some of large tables.

use std::collections::BTreeMap;

use anyhow::Result;
use nb_core::error::{PredictError, ValueError, ValueProblem};
use nb_io::{
    Kind,
    read::{Chunk, SparseTable, Table},
};
use ndarray::Array2;

use super::{super::columns::Found, watch::Watch};
use crate::{
    data::{Input, value_error},
    output::Screen,
};

/// The rows of a class that are kept, if there are that many.
const ALWAYS: usize = 100;
/// About how many terms a text has.
const TERMS: usize = 50;

/// Rows in memory, with their labels.
pub(super) struct Sample {
    pub(super) rows: Table,
    /// The place of the class of each row.
    pub(super) labels: Vec<usize>,
    /// The classes, in order.
    pub(super) classes: Vec<String>,
    /// Whether these are all rows.
    pub(super) is_all: bool,
}

impl Sample {
    /// Reads all rows, and keeps about `most_cells` cells of them; `None` if rows are sparse that have no texts.
    pub(super) fn read(
        found: &Found,
        most_cells: usize,
        watch: &mut Watch,
        screen: Screen,
    ) -> Result<Option<Self>> {
        let n_rows = found.inferred.n_rows;
        let columns = found.inferred.schema.columns.iter();
        let has_texts = columns.clone().any(|column| matches!(column.kind, Kind::Text(_)));
        let cells_of_row = columns.map(|column| match &column.kind {
            Kind::Text(_) => TERMS,
            _ => 1,
        });
        let one_of = n_rows.saturating_mul(cells_of_row.sum()).div_ceil(most_cells).max(1);
        let expected = (n_rows.div_ceil(one_of) + 10 * ALWAYS).min(most_cells);
        let mut kept = Kept::new(found.inferred.schema.n_features(), expected);
        let mut labels = Vec::<u32>::with_capacity(expected);
        let (mut seen, mut n_rows) = (BTreeMap::<String, (u32, usize)>::new(), 0_u64);
        for input in found.inputs.iter() {
            let mut reader = found.open(input, seen.keys().cloned().collect(), screen)?;
            while let Some(mut chunk) = reader.next_chunk()? {
                watch.look(reader.schema(), &chunk);
                let own = chunk.labels.take().unwrap_or_default();
                if matches!(chunk.rows, Table::Sparse(_)) && !has_texts {
                    return Ok(None);
                }
                refuse_infinite(&chunk, input, found)?;
                for (row, label) in own.into_iter().enumerate() {
                    let next = seen.len() as u32;
                    let (class, count) = seen.entry(label).or_insert((next, 0));
                    *count += 1;
                    if *count <= ALWAYS || mixed(n_rows).is_multiple_of(one_of as u64) {
                        kept.add(&chunk.rows, row);
                        labels.push(*class);
                    }
                    n_rows += 1;
                }
            }
        }
        let mut places = vec![0; seen.len()];
        for (place, (class, _)) in seen.values().enumerate() {
            places[*class as usize] = place;
        }
        let labels: Vec<usize> = labels.into_iter().map(|class| places[class as usize]).collect();
        let is_all = labels.len() as u64 == n_rows;
        let (rows, classes) = (kept.table(labels.len())?, seen.into_keys().collect());
        Ok(Some(Self { rows, labels, classes, is_all }))
    }
}

/// The cells of the rows that are kept: all of dense rows, or those that sparse rows store.
struct Kept {
    n_columns: usize,
    values: Vec<f64>,
    indptr: Vec<usize>,
    indices: Vec<usize>,
    is_sparse: bool,
}

impl Kept {
    fn new(n_columns: usize, n_rows: usize) -> Self {
        let (values, is_sparse) = (Vec::with_capacity(n_rows * n_columns.min(TERMS)), false);
        Self { n_columns, values, indptr: vec![0], indices: Vec::new(), is_sparse }
    }

    fn add(&mut self, rows: &Table, row: usize) {
        match rows {
            Table::Dense(rows) => self.values.extend(rows.row(row)),
            Table::Sparse(rows) => {
                self.is_sparse = true;
                let cells = rows.indptr()[row]..rows.indptr()[row + 1];
                self.values.extend(&rows.values()[cells.clone()]);
                self.indices.extend(&rows.indices()[cells]);
                self.indptr.push(self.values.len());
            }
        }
    }

    fn table(self, n_rows: usize) -> Result<Table> {
        Ok(if self.is_sparse {
            Table::Sparse(SparseTable::new(self.n_columns, self.indptr, self.indices, self.values)?)
        } else {
            Table::Dense(Array2::from_shape_vec((n_rows, self.n_columns), self.values)?)
        })
    }
}

fn refuse_infinite(chunk: &Chunk, input: &Input, found: &Found) -> Result<()> {
    let first = match &chunk.rows {
        Table::Dense(rows) => {
            let infinite = rows.indexed_iter().find(|(_, value)| value.is_infinite());
            infinite.map(|((row, column), &value)| (row, column, value))
        }
        Table::Sparse(rows) => {
            let infinite = rows.values().iter().position(|value| value.is_infinite());
            infinite.map(|place| {
                let row = rows.indptr().partition_point(|&start| start <= place) - 1;
                (row, rows.indices()[place], rows.values()[place])
            })
        }
    };
    let Some((row, column, value)) = first else { return Ok(()) };
    let error = PredictError::Value(ValueError { row, column, value, reason: ValueProblem::Infinite });
    Err(value_error(error, input, &found.read, &found.inferred.schema, chunk.first_row))
}

/// A number that looks random (Steele, Lea and Flood 2014, *Fast splittable pseudorandom number generators*).
fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
