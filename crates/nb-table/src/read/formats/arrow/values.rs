//! The values of a column, whatever its type.

use std::rc::Rc;

use arrow_array::{
    Array, ArrowPrimitiveType,
    cast::AsArray,
    types::{
        Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
        UInt16Type, UInt32Type, UInt64Type,
    },
};
use arrow_schema::DataType;

use super::numeric;
use crate::read::{CellProblem, FileProblem, ReadError};

/// The values of a column of a batch, by row; a null is none.
pub(super) enum Values<'a> {
    Whole(Box<dyn Fn(usize) -> Option<i128> + 'a>),
    Real(Box<dyn Fn(usize) -> Option<f64> + 'a>),
    Text(Box<dyn Fn(usize) -> Option<&'a str> + 'a>),
    /// Decimals, times and truth values: numbers whose text is not that of the number.
    Shown {
        number: Box<dyn Fn(usize) -> Option<f64> + 'a>,
        text: Box<dyn Fn(usize) -> Option<String> + 'a>,
    },
}

/// What values of a type are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    Numbers,
    Texts,
    Dates,
}

/// What values of a type are; none if they can become neither numbers nor texts.
pub(super) fn supports(found: &DataType) -> Option<Holds> {
    match found {
        // Truth values are the categories `false` and `true`, as in files of text.
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Boolean => Some(Holds::Texts),
        DataType::Dictionary(_, values) => supports(values),
        DataType::Date32 | DataType::Date64 | DataType::Timestamp(..) => Some(Holds::Dates),
        DataType::Null
        | DataType::Time32(_)
        | DataType::Time64(_)
        | DataType::Duration(_)
        | DataType::Decimal32(..)
        | DataType::Decimal64(..)
        | DataType::Decimal128(..)
        | DataType::Decimal256(..) => Some(Holds::Numbers),
        other => (other.is_integer() || other.is_floating()).then_some(Holds::Numbers),
    }
}

/// The error that a column is of a type that is not supported.
pub(super) fn refuse(file: &str, column: &str, found: &DataType) -> ReadError {
    let (column, list) = (column.to_owned(), found.is_list());
    let found = found.to_string();
    let problem = if list {
        FileProblem::ListColumn { column, found }
    } else {
        FileProblem::ColumnType { column, found }
    };
    ReadError::of_file(file, problem)
}

impl<'a> Values<'a> {
    /// The values of an array, if its type is supported.
    pub(super) fn of(array: &'a dyn Array) -> Option<Self> {
        fn whole<T: ArrowPrimitiveType<Native: Into<i128>>>(array: &dyn Array) -> Values<'_> {
            let array = array.as_primitive::<T>();
            Values::Whole(Box::new(move |row| array.is_valid(row).then(|| array.value(row).into())))
        }
        fn real<T: ArrowPrimitiveType<Native: Into<f64>>>(array: &dyn Array) -> Values<'_> {
            let array = array.as_primitive::<T>();
            Values::Real(Box::new(move |row| array.is_valid(row).then(|| array.value(row).into())))
        }
        Some(match array.data_type() {
            DataType::Int8 => whole::<Int8Type>(array),
            DataType::Int16 => whole::<Int16Type>(array),
            DataType::Int32 => whole::<Int32Type>(array),
            DataType::Int64 => whole::<Int64Type>(array),
            DataType::UInt8 => whole::<UInt8Type>(array),
            DataType::UInt16 => whole::<UInt16Type>(array),
            DataType::UInt32 => whole::<UInt32Type>(array),
            DataType::UInt64 => whole::<UInt64Type>(array),
            DataType::Float16 => real::<Float16Type>(array),
            DataType::Float32 => real::<Float32Type>(array),
            DataType::Float64 => real::<Float64Type>(array),
            DataType::Boolean => {
                let array = array.as_boolean();
                let value = move |row| array.is_valid(row).then(|| array.value(row));
                Self::Shown {
                    number: Box::new(move |row| value(row).map(|flag| f64::from(u8::from(flag)))),
                    text: Box::new(move |row| value(row).map(|flag| flag.to_string())),
                }
            }
            DataType::Null => Self::Real(Box::new(|_| None)),
            DataType::Utf8 => {
                let array = array.as_string::<i32>();
                Self::Text(Box::new(move |row| array.is_valid(row).then(|| array.value(row))))
            }
            DataType::LargeUtf8 => {
                let array = array.as_string::<i64>();
                Self::Text(Box::new(move |row| array.is_valid(row).then(|| array.value(row))))
            }
            DataType::Utf8View => {
                let array = array.as_string_view();
                Self::Text(Box::new(move |row| array.is_valid(row).then(|| array.value(row))))
            }
            DataType::Dictionary(..) => Self::of_dictionary(array)?,
            _ => return numeric::of(array),
        })
    }

    fn of_dictionary(array: &'a dyn Array) -> Option<Self> {
        let dictionary = array.as_any_dictionary();
        let n_values = dictionary.values().len();
        let Self::Whole(keys) = Self::of(dictionary.keys())? else { return None };
        let keys = Rc::new(keys);
        let key =
            move |row| keys(row).and_then(|key| usize::try_from(key).ok()).filter(|&key| key < n_values);
        Some(match Self::of(dictionary.values().as_ref())? {
            Self::Whole(values) => Self::Whole(Box::new(move |row| values(key(row)?))),
            Self::Real(values) => Self::Real(Box::new(move |row| values(key(row)?))),
            Self::Text(values) => Self::Text(Box::new(move |row| values(key(row)?))),
            Self::Shown { number, text } => Self::Shown {
                number: {
                    let key = key.clone();
                    Box::new(move |row| number(key(row)?))
                },
                text: Box::new(move |row| text(key(row)?)),
            },
        })
    }

    /// The value in a row as a number, exactly; NaN if it is null. `parse` reads what is text.
    pub(super) fn number(
        &self,
        row: usize,
        parse: impl FnOnce(&str) -> Result<f64, CellProblem>,
    ) -> Result<f64, CellProblem> {
        match self {
            Self::Whole(values) => values(row).map_or(Ok(f64::NAN), |whole| {
                let value = whole as f64;
                if value as i128 == whole { Ok(value) } else { Err(CellProblem::Inexact) }
            }),
            Self::Real(values) => match values(row) {
                Some(value) if value.is_infinite() => Err(CellProblem::Infinite),
                value => Ok(value.unwrap_or(f64::NAN)),
            },
            Self::Text(values) => values(row).map_or(Ok(f64::NAN), parse),
            Self::Shown { number, .. } => Ok(number(row).unwrap_or(f64::NAN)),
        }
    }

    /// The value in a row as text, unless it is missing.
    pub(super) fn text(&self, row: usize) -> Option<String> {
        match self {
            Self::Whole(values) => values(row).map(|value| value.to_string()),
            // Adding zero makes a negative zero positive.
            Self::Real(values) => {
                values(row).filter(|value| !value.is_nan()).map(|value| (value + 0.0).to_string())
            }
            Self::Text(values) => values(row).map(String::from),
            Self::Shown { text, .. } => text(row),
        }
    }
}
