//! The rows that weights and corrections are learnt from: all, or some of large tables.

use std::collections::BTreeMap;

use anyhow::Result;
use nb_core::error::{PredictError, ValueError, ValueProblem};
use nb_io::{
    profile::LabelCopies,
    read::{Chunk, Table},
};
use ndarray::Array2;

use super::super::columns::Found;
use crate::{
    data::{Input, value_error},
    output::Screen,
};

/// The rows of a class that are kept, if there are that many.
const ALWAYS: usize = 100;

/// Rows in memory, with their labels.
pub(super) struct Sample {
    pub(super) rows: Array2<f64>,
    /// The place of the class of each row.
    pub(super) labels: Vec<usize>,
    /// The classes, in order.
    pub(super) classes: Vec<String>,
    /// Whether these are all rows.
    pub(super) is_all: bool,
}

impl Sample {
    /// Reads all rows, and keeps about `most_cells` cells of them; `None` if rows are sparse.
    pub(super) fn read(
        found: &Found,
        most_cells: usize,
        copies: &mut LabelCopies,
        screen: Screen,
    ) -> Result<Option<Self>> {
        let n_features = found.inferred.schema.n_features();
        let one_of = found.inferred.n_rows.saturating_mul(n_features).div_ceil(most_cells).max(1) as u64;
        let expected = found.inferred.n_rows.div_ceil(one_of as usize) + 10 * ALWAYS;
        let mut cells = Vec::with_capacity(expected.saturating_mul(n_features).min(most_cells));
        let mut labels = Vec::<u32>::with_capacity(expected.min(most_cells));
        let (mut seen, mut n_rows) = (BTreeMap::<String, (u32, usize)>::new(), 0_u64);
        for input in &found.inputs {
            let mut reader = found.open(input, seen.keys().cloned().collect(), screen)?;
            while let Some(mut chunk) = reader.next_chunk()? {
                let own = chunk.labels.take().unwrap_or_default();
                copies.add(&chunk.rows, &own);
                let Table::Dense(rows) = &chunk.rows else { return Ok(None) };
                refuse_infinite(rows, &chunk, input, found)?;
                for (row, label) in rows.rows().into_iter().zip(own) {
                    let next = seen.len() as u32;
                    let (class, count) = seen.entry(label).or_insert((next, 0));
                    *count += 1;
                    if *count <= ALWAYS || mixed(n_rows).is_multiple_of(one_of) {
                        cells.extend(row);
                        labels.push(*class);
                    }
                    n_rows += 1;
                }
            }
        }
        let rows = Array2::from_shape_vec((labels.len(), n_features), cells)?;
        let mut places = vec![0; seen.len()];
        for (place, (class, _)) in seen.values().enumerate() {
            places[*class as usize] = place;
        }
        let labels: Vec<usize> = labels.into_iter().map(|class| places[class as usize]).collect();
        let is_all = labels.len() as u64 == n_rows;
        Ok(Some(Self { rows, labels, classes: seen.into_keys().collect(), is_all }))
    }
}

fn refuse_infinite(rows: &Array2<f64>, chunk: &Chunk, input: &Input, found: &Found) -> Result<()> {
    let Some(((row, column), &value)) = rows.indexed_iter().find(|(_, value)| value.is_infinite()) else {
        return Ok(());
    };
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
