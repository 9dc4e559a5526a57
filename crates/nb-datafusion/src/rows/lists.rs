//! Features in lists: all numbers of a row, or those that are not zero.

use std::ops::Range;

use datafusion::{
    arrow::{
        array::{Array, ArrayRef, AsArray, Int64Array},
        compute::cast,
        datatypes::DataType,
    },
    error::Result,
};
use nb_io::read::{SparseTable, Table};
use ndarray::Array2;

use super::{
    Names, has_texts,
    names::Unknown,
    numbers::{doubles, spread},
};
use crate::failure::failed;

/// The values of an array of lists, and where each row's are.
struct Lists {
    values: ArrayRef,
    rows: Vec<Option<Range<usize>>>,
}

impl Lists {
    fn new(array: &ArrayRef) -> Result<Self> {
        let (values, ends): (_, Vec<usize>) = match array.data_type() {
            DataType::List(_) => {
                let lists = array.as_list::<i32>();
                (lists.values(), lists.value_offsets().iter().map(|&end| end as usize).collect())
            }
            DataType::LargeList(_) => {
                let lists = array.as_list::<i64>();
                (lists.values(), lists.value_offsets().iter().map(|&end| end as usize).collect())
            }
            DataType::FixedSizeList(_, length) => {
                let values = array.as_fixed_size_list().values();
                (values, (0..=array.len()).map(|row| row * *length as usize).collect())
            }
            other => return Err(failed(format!("a list was expected, not {other}"))),
        };
        // A slice of lists has all values of the whole, which may be many times its own.
        let (first, last) = (ends.first().copied().unwrap_or(0), ends.last().copied().unwrap_or(0));
        let rows = ends.windows(2).enumerate();
        let rows = rows.map(|(row, ends)| (!array.is_null(row)).then(|| ends[0] - first..ends[1] - first));
        Ok(Self { values: values.slice(first, last - first), rows: rows.collect() })
    }
}

/// How many numbers the first list has.
pub(crate) fn length(array: &ArrayRef) -> Result<Option<usize>> {
    Ok(Lists::new(array)?.rows.into_iter().flatten().next().map(|row| row.len()))
}

/// Rows of which each is a list of all its numbers.
pub(super) fn dense(array: &ArrayRef, range: Range<usize>, n_columns: usize) -> Result<Table> {
    let lists = Lists::new(&array.slice(range.start, range.len()))?;
    let values = doubles(&lists.values, "the list of features")?;
    let mut cells = Vec::with_capacity(range.len() * n_columns);
    for row in &lists.rows {
        let row = row.clone().ok_or_else(|| {
            failed("a list of features is NULL; leave such rows out, or give a list of NULLs")
        })?;
        if row.len() != n_columns {
            return Err(failed(format!(
                "a list of features has {} numbers instead of {n_columns}",
                row.len()
            )));
        }
        let first = cells.len();
        cells.resize(first + n_columns, 0.0);
        spread(&values, row.start, &mut cells[first..], 1);
    }
    Ok(Table::Dense(Array2::from_shape_vec((range.len(), n_columns), cells).map_err(failed)?))
}

/// Rows of which each is a list of features and a list of their numbers. `names` has the features.
pub(super) fn sparse(
    features: &ArrayRef,
    values: &ArrayRef,
    range: Range<usize>,
    names: &mut Names,
) -> Result<Table> {
    let slice = |array: &ArrayRef| Lists::new(&array.slice(range.start, range.len()));
    let (features, values) = (slice(features)?, slice(values)?);
    let n_features = names.as_slice().len();
    let places = Places::new(&features.values, names)?;
    let numbers = doubles(&values.values, "the list of numbers")?;
    let (mut indptr, mut indices, mut cells) = (vec![0], Vec::new(), Vec::new());
    let mut row_of_cells: Vec<(usize, f64)> = Vec::new();
    for (own, numbers_of_row) in features.rows.iter().zip(&values.rows) {
        let (own, numbers_of_row) = match (own.clone(), numbers_of_row.clone()) {
            (Some(own), Some(numbers_of_row)) => (own, numbers_of_row),
            // As from a join with a table that has nothing for a row.
            (None, None) => (0..0, 0..0),
            _ => {
                return Err(failed(
                    "a row has a list of features without their numbers, or the other way round",
                ));
            }
        };
        if own.len() != numbers_of_row.len() {
            return Err(failed(format!(
                "a row has {} features and {} numbers",
                own.len(),
                numbers_of_row.len()
            )));
        }
        row_of_cells.clear();
        for (feature, number) in own.zip(numbers_of_row) {
            let place = places.get(feature, n_features)?;
            let value = if numbers.is_null(number) { f64::NAN } else { numbers.value(number) };
            row_of_cells.push((place, value));
        }
        row_of_cells.sort_unstable_by_key(|&(place, _)| place);
        if let Some(pair) = row_of_cells.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(failed(format!(
                "a row has feature {:?} twice, with {} and with {}; add up or remove one of them first",
                names.as_slice()[pair[0].0],
                pair[0].1,
                pair[1].1
            )));
        }
        indices.extend(row_of_cells.iter().map(|&(place, _)| place));
        cells.extend(row_of_cells.iter().map(|&(_, value)| value));
        indptr.push(indices.len());
    }
    Ok(Table::Sparse(SparseTable::new(n_features, indptr, indices, cells).map_err(failed)?))
}

/// The features of a list, by place or by name.
enum Places {
    Numbers(Int64Array),
    Names(Vec<Option<u32>>, ArrayRef),
}

impl Places {
    fn new(features: &ArrayRef, names: &mut Names) -> Result<Self> {
        if features.data_type().is_integer() {
            return Ok(Self::Numbers(
                cast(features, &DataType::Int64).map_err(failed)?.as_primitive().clone(),
            ));
        }
        debug_assert!(has_texts(features.data_type()));
        Ok(Self::Names(names.numbers(features, Unknown::Counted)?, features.clone()))
    }

    fn get(&self, element: usize, n_features: usize) -> Result<usize> {
        let null = || failed("a list of features has a NULL in it");
        match self {
            Self::Numbers(places) if places.is_null(element) => Err(null()),
            Self::Numbers(places) => {
                let place = places.value(element);
                usize::try_from(place).ok().filter(|place| *place < n_features).ok_or_else(|| {
                    failed(format!(
                        "there is no feature {place}; the model has those from 0 to {}",
                        n_features - 1
                    ))
                })
            }
            Self::Names(numbers, features) => {
                let number = numbers[element].ok_or_else(null)? as usize;
                if number < n_features {
                    return Ok(number);
                }
                let name = cast(&features.slice(element, 1), &DataType::Utf8).map_err(failed)?;
                Err(failed(format!("the model has no feature {:?}", name.as_string::<i32>().value(0))))
            }
        }
    }
}
