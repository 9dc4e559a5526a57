//! The ranges of the rows that a model is made from.

use nb_core::Rows;
use nb_table::{Kind, Schema, read::Table};

use super::ValueRanges;

/// Of how many columns ranges are kept.
const MOST: usize = 10_000;

/// Finds the ranges of the columns of numbers; dates are none, as they go on.
///
/// ```
/// use nb_io::{RangeFinder, Schema, read::Table};
/// use ndarray::array;
///
/// let mut finder = RangeFinder::new(&Schema::numeric(["length", "width"], "species"));
/// finder.look(&Table::Dense(array![[5.0, f64::NAN], [9.0, 1.5]]));
/// let ranges = finder.finish();
/// assert_eq!((ranges.get("length"), ranges.get("width")), (Some([5.0, 9.0]), Some([1.5, 1.5])));
/// ```
#[derive(Clone, Debug)]
pub struct RangeFinder {
    /// For each feature, its column if that is one of numbers.
    names: Vec<Option<String>>,
    least: Vec<f64>,
    greatest: Vec<f64>,
    /// For each feature, how many cells sparse rows have stored.
    n_stored: Vec<usize>,
    /// How many rows were sparse.
    n_sparse: usize,
}

/// For each feature that is a column of numbers, the column.
pub(super) fn columns_of_numbers(schema: &Schema) -> impl Iterator<Item = Option<&str>> {
    schema.features().map(|feature| {
        let is_number = matches!(feature.column.kind, Kind::Numeric | Kind::Count);
        is_number.then_some(feature.column.name.as_str())
    })
}

impl RangeFinder {
    /// For rows with these columns; of very many columns no ranges are kept.
    pub fn new(schema: &Schema) -> Self {
        let mut names: Vec<Option<String>> =
            columns_of_numbers(schema).map(|name| name.map(String::from)).collect();
        if names.iter().flatten().count() > MOST {
            names.clear();
        }
        let n = names.len();
        Self {
            names,
            least: vec![f64::INFINITY; n],
            greatest: vec![f64::NEG_INFINITY; n],
            n_stored: vec![0; n],
            n_sparse: 0,
        }
    }

    /// Looks at rows; they may have further features behind those of the schema.
    pub fn look(&mut self, rows: &Table) {
        match rows {
            Table::Dense(rows) => {
                for row in rows.rows() {
                    let ends = self.least.iter_mut().zip(&mut self.greatest);
                    for ((least, greatest), &cell) in ends.zip(row) {
                        add(least, greatest, cell);
                    }
                }
            }
            Table::Sparse(rows) => {
                self.n_sparse += rows.n_rows();
                for (&feature, &cell) in rows.indices().iter().zip(rows.values()) {
                    if let Some(Some(_)) = self.names.get(feature) {
                        add(&mut self.least[feature], &mut self.greatest[feature], cell);
                        self.n_stored[feature] += 1;
                    }
                }
            }
        }
    }

    /// The ranges of all rows.
    pub fn finish(mut self) -> ValueRanges {
        let mut ranges = ValueRanges::default();
        for (feature, name) in self.names.iter().enumerate() {
            let Some(name) = name else { continue };
            // What is not stored is zero.
            if self.n_stored[feature] < self.n_sparse {
                add(&mut self.least[feature], &mut self.greatest[feature], 0.0);
            }
            ranges = ranges.with(name, self.least[feature], self.greatest[feature]);
        }
        ranges
    }
}

/// A missing cell is neither less nor greater.
fn add(least: &mut f64, greatest: &mut f64, cell: f64) {
    if cell < *least {
        *least = cell;
    }
    if cell > *greatest {
        *greatest = cell;
    }
}
