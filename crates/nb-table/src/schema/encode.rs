//! One row of named values, as a row of the model.

use std::collections::HashMap;

use ndarray::Array2;

use super::{Column, Kind, Schema, nearest};
use crate::read::{
    CellProblem, SparseTable, Table,
    cells::{date::moment_of_text, number},
};

/// The value of a column in a row that does not come from a file.
///
/// ```
/// use nb_table::Value;
///
/// assert_eq!(Value::from(2.5_f32), Value::Number(2.5));
/// assert_eq!(Value::from("red"), Value::Text("red"));
/// assert_eq!(Value::from(None::<i32>), Value::Missing);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Value<'a> {
    /// There is none.
    #[default]
    Missing,
    /// A number; NaN is a missing one.
    Number(f64),
    /// A text: a category, a text whose terms are counted, or a number as it is written.
    Text(&'a str),
}

macro_rules! numbers {
    ($($type:ty),*) => {
        $(impl From<$type> for Value<'_> {
            fn from(number: $type) -> Self {
                Self::Number(number.into())
            }
        })*
    };
}
numbers!(f64, f32, i8, i16, i32, u8, u16, u32, bool);

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}

impl<'a, T: Into<Value<'a>>> From<Option<T>> for Value<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Missing, T::into)
    }
}

impl std::fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing => f.write_str("a missing value"),
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => write!(f, "{:?}", crate::read::shortened(text)),
        }
    }
}

/// Why named values are not a row of a model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// The schema has no such column.
    #[error("column {name:?} is not in the schema{}", .nearest.as_ref().map_or_else(String::new, |nearest| format!("; did you mean {nearest:?}?")))]
    Unknown {
        /// The name.
        name: String,
        /// The column of the schema whose name is nearest.
        nearest: Option<String>,
    },
    /// A column has no value.
    #[error("column {column:?} has no value; give one, or say that it is missing")]
    Absent {
        /// The name of the column.
        column: String,
    },
    /// A column has two values.
    #[error("column {column:?} has two values; give one")]
    Twice {
        /// The name of the column.
        column: String,
    },
    /// A value is not one of its column.
    #[error("column {column:?}: {value} {problem}")]
    Cell {
        /// The name of the column.
        column: String,
        /// The value, as text, shortened if it is long.
        value: String,
        /// What is wrong with it.
        problem: CellProblem,
    },
}

impl EncodeError {
    /// The name of the column.
    pub fn column(&self) -> Option<&str> {
        match self {
            Self::Unknown { name: column, .. }
            | Self::Absent { column }
            | Self::Twice { column }
            | Self::Cell { column, .. } => Some(column),
        }
    }
}

impl Schema {
    /// A row to be classified, from the values of its columns by name, in any order: a table of one row, `1
    /// ×` [`n_features`](Self::n_features), which is sparse if there are columns of texts, as from the
    /// readers.
    ///
    /// Numbers may be given as texts and categories as numbers. An empty text is a missing value, but in a
    /// column of texts a text without terms. Dates are texts, as ISO 8601 writes them;
    /// [`DateOrder::to_iso`](crate::DateOrder::to_iso) makes others such. A category that the schema does
    /// not have gets the first code that no category has, so that the policy of the model for unseen
    /// categories ([`nb_core::Unseen`]) decides. A value of the label column is left out.
    ///
    /// ```
    /// use nb_core::Prior;
    /// use nb_io::{Family, Model};
    /// use nb_table::{Column, Kind, Schema, Value};
    ///
    /// let mut schema = Schema::numeric(["length"], "species");
    /// let levels = ["blue", "red"].map(String::from).to_vec();
    /// schema.columns.push(Column { name: "colour".into(), kind: Kind::Categorical { levels } });
    /// let family = Family::for_schema(&schema);
    /// let mut model = Model::new(schema, family, Prior::Empirical)?;
    /// model.update(&ndarray::array![[1.0, 0.0], [2.0, 0.0], [7.0, 1.0], [8.0, 1.0]], &["a", "a", "b", "b"])?;
    ///
    /// let row = model.schema().encode([("colour", Value::from("red")), ("length", Value::from(6.5))])?;
    /// assert_eq!(model.classifier()?.predict(&row)?, ["b"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EncodeError`] names the column that is unknown, has no value or two, or has a value that is not one
    /// of its kind.
    pub fn encode<'a, N, V>(&self, values: impl IntoIterator<Item = (N, V)>) -> Result<Table, EncodeError>
    where
        N: AsRef<str>,
        V: Into<Value<'a>>,
    {
        let places: HashMap<&str, usize> =
            self.columns.iter().enumerate().map(|(place, column)| (column.name.as_str(), place)).collect();
        let mut found = vec![None; self.columns.len()];
        for (name, value) in values {
            let name = name.as_ref();
            match places.get(name) {
                Some(&place) if found[place].is_some() => {
                    return Err(EncodeError::Twice { column: name.into() });
                }
                Some(&place) => found[place] = Some(value.into()),
                None if name == self.label => {}
                None => {
                    let nearest = nearest(name, places.keys().copied());
                    return Err(EncodeError::Unknown { name: name.into(), nearest });
                }
            }
        }
        let mut row = Row::new(self);
        for (column, value) in self.columns.iter().zip(found) {
            let value = value.ok_or_else(|| EncodeError::Absent { column: column.name.clone() })?;
            row.push(column, value).map_err(|problem| EncodeError::Cell {
                column: column.name.clone(),
                value: value.to_string(),
                problem,
            })?;
        }
        Ok(row.finish())
    }
}

/// A row in the making.
struct Row {
    n_features: usize,
    is_sparse: bool,
    /// How many features the columns have whose values are there.
    next: usize,
    /// The places and values of cells, except for zeros.
    cells: Vec<(usize, f64)>,
}

impl Row {
    fn new(schema: &Schema) -> Self {
        Self { n_features: schema.n_features(), is_sparse: schema.has_text(), next: 0, cells: Vec::new() }
    }

    fn push(&mut self, column: &Column, value: Value<'_>) -> Result<(), CellProblem> {
        let cell = match &column.kind {
            Kind::Text(text) => {
                let mut counts = Vec::new();
                let mut counter = text.counter();
                match value {
                    Value::Text(text) => counter.count(text, &mut counts),
                    Value::Number(number) if !number.is_nan() => {
                        counter.count(&as_text(number), &mut counts);
                    }
                    _ => {}
                }
                self.cells.extend(counts.into_iter().map(|(term, value)| (self.next + term, value)));
                self.next += column.n_features();
                return Ok(());
            }
            Kind::Categorical { levels } => match value {
                Value::Missing | Value::Text("") => f64::NAN,
                Value::Number(number) if number.is_nan() => f64::NAN,
                Value::Number(number) => code(levels, &as_text(number)),
                Value::Text(text) => code(levels, text),
            },
            Kind::Dates(parts) => {
                let values: Vec<f64> = match value {
                    Value::Missing => vec![f64::NAN; parts.len()],
                    Value::Text(text) if text.trim().is_empty() => vec![f64::NAN; parts.len()],
                    Value::Text(text) => {
                        moment_of_text(text).ok_or(CellProblem::NotADate)?.values(*parts).collect()
                    }
                    Value::Number(number) if number.is_nan() => vec![f64::NAN; parts.len()],
                    Value::Number(_) => return Err(CellProblem::NotADate),
                };
                self.cells.extend((self.next..).zip(values).filter(|(_, value)| *value != 0.0));
                self.next += column.n_features();
                return Ok(());
            }
            Kind::Numeric => number_of(value)?,
            Kind::Count => {
                let number = number_of(value)?;
                if number.is_nan() { number } else { number::count(number)? }
            }
        };
        if cell != 0.0 {
            self.cells.push((self.next, cell));
        }
        self.next += 1;
        Ok(())
    }

    fn finish(self) -> Table {
        if self.is_sparse {
            let (indices, values): (Vec<usize>, Vec<f64>) = self.cells.into_iter().unzip();
            return Table::Sparse(SparseTable::from_sorted(
                self.n_features,
                vec![0, values.len()],
                indices,
                values,
            ));
        }
        let mut row = Array2::zeros((1, self.n_features));
        for (place, value) in self.cells {
            row[[0, place]] = value;
        }
        Table::Dense(row)
    }
}

/// The code of a category; the first that no category has if there is no such one.
fn code(levels: &[String], name: &str) -> f64 {
    levels.iter().position(|level| level == name).unwrap_or(levels.len()) as f64
}

/// A number as the readers write it where a text is wanted. Adding zero makes a negative zero positive.
fn as_text(number: f64) -> String {
    (number + 0.0).to_string()
}

fn number_of(value: Value<'_>) -> Result<f64, CellProblem> {
    match value {
        Value::Missing => Ok(f64::NAN),
        Value::Text(text) if text.trim().is_empty() => Ok(f64::NAN),
        Value::Text(text) => number::number(text),
        Value::Number(number) if number.is_infinite() => Err(CellProblem::Infinite),
        Value::Number(number) => Ok(number),
    }
}
