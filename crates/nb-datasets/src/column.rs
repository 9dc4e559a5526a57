//! Typed columns.

use std::collections::HashMap;

use crate::catalogue::{ColumnInfo, ColumnKind};
use crate::error::ContentError;
use crate::rows::bad_value;

/// A column of a table with its values.
#[derive(Debug, Clone)]
pub struct Column {
    /// Name in the header of the file.
    pub name: String,
    /// What the values are.
    pub kind: ColumnKind,
    /// A value for each row.
    pub values: Values,
}

/// The values of a column.
#[derive(Debug, Clone)]
pub enum Values {
    /// Of a [`Numeric`](ColumnKind::Numeric) or [`Count`](ColumnKind::Count) column; NaN where missing.
    Numbers(Vec<f64>),
    /// Of a [`Categorical`](ColumnKind::Categorical) or [`Id`](ColumnKind::Id) column.
    Categories {
        /// The distinct values that occur, sorted as byte strings.
        levels: Vec<String>,
        /// Index into `levels` of each row; `None` where missing.
        codes: Vec<Option<u32>>,
    },
}

impl Column {
    /// The values as numbers: a category as the index of its level, a missing value as NaN.
    ///
    /// ```
    /// let tennis = nb_datasets::load("playtennis")?;
    /// // Levels: overcast, rain, sunny.
    /// assert_eq!(tennis.column("outlook")?.to_numbers()[..4], [2.0, 2.0, 0.0, 1.0]);
    /// # Ok::<(), nb_datasets::DatasetError>(())
    /// ```
    pub fn to_numbers(&self) -> Vec<f64> {
        match &self.values {
            Values::Numbers(numbers) => numbers.clone(),
            Values::Categories { codes, .. } => {
                codes.iter().map(|code| code.map_or(f64::NAN, f64::from)).collect()
            }
        }
    }

    /// Number of rows without a value.
    pub fn missing(&self) -> usize {
        match &self.values {
            Values::Numbers(numbers) => numbers.iter().filter(|number| number.is_nan()).count(),
            Values::Categories { codes, .. } => codes.iter().filter(|code| code.is_none()).count(),
        }
    }
}

/// Collects the cells of a column.
pub(crate) struct ColumnBuilder<'a> {
    info: &'a ColumnInfo,
    cells: Cells,
}

enum Cells {
    Numbers(Vec<f64>),
    /// Codes are given in the order of first occurrence.
    Categories {
        seen: HashMap<String, u32>,
        codes: Vec<Option<u32>>,
    },
}

impl<'a> ColumnBuilder<'a> {
    pub(crate) fn new(info: &'a ColumnInfo, rows: usize) -> Self {
        let cells = match info.kind {
            ColumnKind::Numeric | ColumnKind::Count => Cells::Numbers(Vec::with_capacity(rows)),
            ColumnKind::Categorical | ColumnKind::Id => {
                Cells::Categories { seen: HashMap::new(), codes: Vec::with_capacity(rows) }
            }
        };
        Self { info, cells }
    }

    /// Adds the cell of the next row; an empty one is missing.
    pub(crate) fn push(&mut self, row: usize, cell: &str) -> Result<(), ContentError> {
        match &mut self.cells {
            Cells::Numbers(numbers) => numbers.push(parse(self.info, row, cell)?),
            Cells::Categories { codes, .. } if cell.is_empty() => codes.push(None),
            Cells::Categories { seen, codes } => {
                let code = seen.get(cell).copied().unwrap_or_else(|| {
                    let next = seen.len() as u32; // no more levels than rows, and those are below 2^32
                    seen.insert(cell.to_owned(), next);
                    next
                });
                codes.push(Some(code));
            }
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Column {
        let values = match self.cells {
            Cells::Numbers(numbers) => Values::Numbers(numbers),
            Cells::Categories { seen, codes } => {
                let mut order: Vec<(String, u32)> = seen.into_iter().collect();
                order.sort_unstable();
                let mut rank = vec![0; order.len()];
                for (sorted, (_, first)) in (0..).zip(&order) {
                    rank[*first as usize] = sorted;
                }
                Values::Categories {
                    levels: order.into_iter().map(|(level, _)| level).collect(),
                    codes: codes.into_iter().map(|code| code.map(|first| rank[first as usize])).collect(),
                }
            }
        };
        Column { name: self.info.name.clone(), kind: self.info.kind, values }
    }
}

/// The double nearest to the decimal in `cell`, or NaN if it is empty.
fn parse(info: &ColumnInfo, row: usize, cell: &str) -> Result<f64, ContentError> {
    if cell.is_empty() {
        return Ok(f64::NAN);
    }
    let bad = |expected| bad_value(row, &info.name, cell, expected);
    let number: f64 = cell.parse().map_err(|_| bad("a decimal number"))?;
    if !number.is_finite() {
        return Err(bad("a finite number (leave the cell empty if the value is missing)"));
    }
    if info.kind == ColumnKind::Count && (number < 0.0 || number.fract() != 0.0) {
        return Err(bad("a count (a whole number, not negative)"));
    }
    Ok(number)
}
