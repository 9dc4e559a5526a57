//! Labels that are whole numbers or texts as numbers of classes.

use std::collections::HashMap;

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::{exceptions::PyValueError, prelude::*};

use crate::rows::slice;

/// The distinct labels in order, and the place of each label among them.
type Encoded<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>);

/// The distinct labels in order, and the place of each label among them: by a table if they are close to each
/// other, as labels usually are, else by sorting.
#[pyfunction]
pub(crate) fn encode<'py>(py: Python<'py>, labels: PyReadonlyArray1<'_, i64>) -> PyResult<Encoded<'py>> {
    const NEAR: i128 = 1 << 16;
    let labels = slice(&labels)?;
    let (classes, places) = py.detach(|| {
        let (Some(&least), Some(&most)) = (labels.iter().min(), labels.iter().max()) else {
            return (Vec::new(), Vec::new());
        };
        let span = i128::from(most) - i128::from(least) + 1;
        if span > NEAR {
            let mut classes = labels.to_vec();
            classes.sort_unstable();
            classes.dedup();
            let place = |label: &i64| classes.partition_point(|class| class < label) as i64;
            let places = labels.iter().map(place).collect();
            return (classes, places);
        }
        let mut table = vec![-1; span as usize];
        for label in labels {
            table[(label - least) as usize] = 0;
        }
        let mut classes = Vec::new();
        for (label, place) in (least..).zip(&mut table) {
            if *place == 0 {
                *place = classes.len() as i64;
                classes.push(label);
            }
        }
        let places = labels.iter().map(|label| table[(label - least) as usize]).collect();
        (classes, places)
    });
    Ok((classes.into_pyarray(py), places.into_pyarray(py)))
}

/// The row in which each distinct label first occurs, and the place of each label among them. A label is
/// `width` bytes.
#[pyfunction]
pub(crate) fn encode_texts<'py>(
    py: Python<'py>,
    labels: PyReadonlyArray1<'_, u8>,
    width: usize,
) -> PyResult<Encoded<'py>> {
    let labels = slice(&labels)?;
    if width == 0 || !labels.len().is_multiple_of(width) {
        return Err(PyValueError::new_err("a label has another width"));
    }
    let (first, places) = py.detach(|| {
        let mut known = Known::default();
        let place = |(row, label)| known.place(row, label);
        let places: Vec<i64> = labels.chunks_exact(width).enumerate().map(place).collect();
        (known.first, places)
    });
    Ok((first.into_pyarray(py), places.into_pyarray(py)))
}

/// Labels that occurred.
#[derive(Default)]
struct Known<'a> {
    labels: Vec<&'a [u8]>,
    /// The row in which each first occurred.
    first: Vec<i64>,
    /// Their places, when there are many.
    table: HashMap<&'a [u8], usize>,
}

impl<'a> Known<'a> {
    /// Up to this number of labels, comparing them one by one is faster than hashing.
    const FEW: usize = 16;

    fn place(&mut self, row: usize, label: &'a [u8]) -> i64 {
        let few = &self.labels[..self.labels.len().min(Self::FEW)];
        let place = few.iter().position(|known| *known == label).or_else(|| self.table.get(label).copied());
        place.unwrap_or_else(|| self.add(row, label)) as i64
    }

    fn add(&mut self, row: usize, label: &'a [u8]) -> usize {
        let place = self.labels.len();
        self.labels.push(label);
        self.first.push(row as i64);
        if place >= Self::FEW {
            self.table.insert(label, place);
        }
        place
    }
}
