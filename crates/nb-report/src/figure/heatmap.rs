//! A matrix of numbers.

use crate::number;

/// What the colours of a heatmap mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shades {
    /// From nothing at one value to a full colour at another, which may be the lower one.
    Sequential {
        /// The value without colour.
        none: f64,
        /// The value of full colour.
        full: f64,
    },
    /// One colour above a value, another below it.
    Diverging {
        /// The value without colour.
        center: f64,
        /// The distance from it of full colour.
        reach: f64,
    },
}

/// A cell of a heatmap.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatCell {
    /// The number that gives the colour.
    pub value: f64,
    /// What is written in the cell.
    pub text: String,
}

/// A matrix of numbers, coloured, with the numbers written in the cells, such as differences of all pairs of
/// methods.
///
/// ```
/// use nb_report::{Heatmap, Shades};
///
/// let differences = [[None, Some(0.02)], [Some(-0.02), None]];
/// let names = ["Gaussian", "kernel"];
/// let heatmap = Heatmap::new(names, names, differences, 3, Shades::Diverging { center: 0.0, reach: 0.05 });
/// assert_eq!(heatmap.cells[1][0].as_ref().unwrap().text, "-0.020");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Heatmap {
    /// What a row is, such as "method"; may be empty.
    pub row: String,
    /// What a column is; may be empty.
    pub column: String,
    /// The names of the rows.
    pub rows: Vec<String>,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The cells, row by row, one per column; none where there is no number.
    pub cells: Vec<Vec<Option<HeatCell>>>,
    /// What the colours mean.
    pub shades: Shades,
    /// What the numbers are, such as "difference of accuracy"; may be empty.
    pub measure: String,
}

impl Heatmap {
    /// Numbers with this many decimals, row by row.
    pub fn new<Row: IntoIterator<Item = Option<f64>>>(
        rows: impl IntoIterator<Item = impl Into<String>>,
        columns: impl IntoIterator<Item = impl Into<String>>,
        values: impl IntoIterator<Item = Row>,
        decimals: usize,
        shades: Shades,
    ) -> Self {
        let cell = |value: f64| HeatCell { value, text: number::fixed(value, decimals) };
        Self {
            row: String::new(),
            column: String::new(),
            rows: rows.into_iter().map(Into::into).collect(),
            columns: columns.into_iter().map(Into::into).collect(),
            cells: values
                .into_iter()
                .map(|row| row.into_iter().map(|value| value.map(cell)).collect())
                .collect(),
            shades,
            measure: String::new(),
        }
    }

    /// Says what rows, columns and numbers are.
    #[must_use]
    pub fn named(
        self,
        row: impl Into<String>,
        column: impl Into<String>,
        measure: impl Into<String>,
    ) -> Self {
        Self { row: row.into(), column: column.into(), measure: measure.into(), ..self }
    }
}
