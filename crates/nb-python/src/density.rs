//! A fitted estimator as a probability distribution of rows.

use nb_core::{Classifier, family::BoxedDensity};
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;
use rand_chacha::{ChaCha12Rng, rand_core::SeedableRng};

use crate::{
    errors,
    rows::{Table, n_cells},
    threads,
};

/// Sampled rows and their classes.
type Sample<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<i64>>);

/// The joint distribution of classes and rows.
#[pyclass(module = "nbayes._core", frozen)]
pub(crate) struct Density(Classifier<i64, BoxedDensity>);

impl Density {
    pub(crate) fn new(classifier: Classifier<i64, BoxedDensity>) -> Self {
        Self(classifier)
    }
}

#[pymethods]
impl Density {
    /// Rows with their classes, or rows of one class; the same for the same seed.
    #[pyo3(signature = (n_rows, seed, class=None))]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        n_rows: usize,
        seed: u64,
        class: Option<i64>,
    ) -> PyResult<Sample<'py>> {
        let mut rng = ChaCha12Rng::seed_from_u64(seed);
        let (rows, classes) = match class {
            None => py.detach(|| self.0.sample(n_rows, &mut rng)),
            Some(class) => {
                let rows = py.detach(|| self.0.sample_class(&class, n_rows, &mut rng));
                (rows.map_err(errors::value)?, vec![class; n_rows])
            }
        };
        Ok((rows.into_pyarray(py), classes.into_pyarray(py)))
    }

    /// The logarithm of the probability of each row, of whichever class it is.
    #[pyo3(signature = (rows, n_threads=1))]
    fn log_evidence<'py>(
        &self,
        py: Python<'py>,
        rows: Table<'_>,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let rows = rows.rows()?;
        let work = || self.0.log_evidence(&*rows);
        let evidence = py.detach(|| threads::with(n_threads, n_cells(&*rows), work))?;
        Ok(evidence.map_err(errors::value)?.into_pyarray(py))
    }
}
