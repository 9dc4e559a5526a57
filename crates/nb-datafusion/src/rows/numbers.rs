//! Cells that are numbers.

use datafusion::{
    arrow::{
        array::{Array, ArrayRef, AsArray, Float64Array},
        compute::cast,
        datatypes::{DataType, Int64Type, UInt64Type},
    },
    error::Result,
};

use crate::failure::failed;

/// Whether values of this type are numbers.
pub(crate) fn is_number(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, values) => is_number(values),
        DataType::Boolean | DataType::Null => true,
        other => other.is_numeric(),
    }
}

/// The values as doubles.
///
/// # Errors
/// A whole number that no double is equal to: rounding it would not be adding it.
pub(crate) fn doubles(array: &ArrayRef, column: &str) -> Result<Float64Array> {
    let rounded = match array.data_type() {
        DataType::Int64 => {
            let mut cells = array.as_primitive::<Int64Type>().iter().flatten();
            cells.find(|&cell| cell as f64 as i128 != i128::from(cell)).map(i128::from)
        }
        DataType::UInt64 => {
            let mut cells = array.as_primitive::<UInt64Type>().iter().flatten();
            cells.find(|&cell| cell as f64 as i128 != i128::from(cell)).map(i128::from)
        }
        _ => None,
    };
    if let Some(cell) = rounded {
        return Err(failed(format!(
            "column {column:?} has the whole number {cell}, which no double is equal to; is it an identifier? Leave it out, \
             or cast it to DOUBLE if a rounded number is enough"
        )));
    }
    let doubles = cast(array, &DataType::Float64).map_err(failed)?;
    Ok(doubles.as_primitive().clone())
}

/// Writes the doubles of a range into every `step`-th place of `out`; NaN where they are NULL, as for any
/// missing cell.
pub(crate) fn spread(doubles: &Float64Array, first: usize, out: &mut [f64], step: usize) {
    let places = out.iter_mut().step_by(step);
    if doubles.null_count() == 0 {
        for (place, &value) in places.zip(&doubles.values()[first..]) {
            *place = value;
        }
        return;
    }
    for (row, place) in places.enumerate() {
        let row = first + row;
        *place = if doubles.is_null(row) { f64::NAN } else { doubles.value(row) };
    }
}

/// The numbers of an array, of which none is NULL.
pub(crate) fn without_null<'a>(numbers: &'a Float64Array, what: &str) -> Result<&'a [f64]> {
    if numbers.null_count() > 0 {
        return Err(failed(format!("{what} is NULL; leave such rows out with WHERE, or give them a number")));
    }
    Ok(numbers.values())
}
