//! Labels that are whole numbers as numbers of classes.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::rows::slice;

/// The distinct labels in order, and the place of each label among them.
type Encoded<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>);

/// The distinct labels in order, and the place of each label among them: by a table if they are close to each other, as labels
/// usually are, else by sorting.
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
