//! What a fitted estimator answers with.

use nb_io::FittedFamily;
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::{prelude::*, types::PyDict};

use crate::{
    errors, parameters,
    rows::{Table, n_cells},
    shape, threads, together,
};

/// A fitted classifier, whose classes are numbers.
#[pyclass(module = "nbayes._core", frozen)]
pub(crate) struct Classifier(nb_core::Classifier<i64, FittedFamily>);

/// Contributions, and the columns that add something together.
type Explained<'py> = (Bound<'py, PyArray2<f64>>, Vec<Vec<usize>>);

impl Classifier {
    pub(crate) fn new(classifier: nb_core::Classifier<i64, FittedFamily>) -> Self {
        Self(classifier)
    }
}

/// Which number a matrix has for each row and class.
#[derive(Clone, Copy)]
enum Matrix {
    Joint,
    LogPosterior,
    Posterior,
}

#[pymethods]
impl Classifier {
    /// The most probable class of each row.
    #[pyo3(signature = (rows, n_threads=1))]
    fn predict<'py>(
        &self,
        py: Python<'py>,
        rows: Table<'_>,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let rows = rows.rows()?;
        let mut classes = vec![0; rows.n_rows()];
        let work = || self.0.predict_into(&*rows, &mut classes);
        py.detach(|| threads::with(n_threads, n_cells(&*rows), work))?.map_err(errors::value)?;
        Ok(classes.into_pyarray(py))
    }

    /// The logarithm of the joint probability of each row and class.
    #[pyo3(signature = (rows, n_threads=1))]
    fn joint<'py>(
        &self,
        py: Python<'py>,
        rows: Table<'_>,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.matrix(py, &rows, n_threads, Matrix::Joint)
    }

    /// The logarithm of the posterior probability of each class for each row.
    #[pyo3(signature = (rows, n_threads=1))]
    fn log_posterior<'py>(
        &self,
        py: Python<'py>,
        rows: Table<'_>,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.matrix(py, &rows, n_threads, Matrix::LogPosterior)
    }

    /// The posterior probability of each class for each row.
    #[pyo3(signature = (rows, n_threads=1))]
    fn posterior<'py>(
        &self,
        py: Python<'py>,
        rows: Table<'_>,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.matrix(py, &rows, n_threads, Matrix::Posterior)
    }

    /// What each column adds to the joint log-likelihood of each class, for one row, and then what columns
    /// add together, with these columns.
    fn explain<'py>(&self, py: Python<'py>, rows: Table<'_>, row: usize) -> PyResult<Explained<'py>> {
        let explanation = self.0.explain(&*rows.rows()?, row).map_err(errors::value)?;
        Ok((together::contributions(&explanation).into_pyarray(py), together::columns(&explanation)))
    }

    /// What each value of a column adds to the score of each class, over these numbers if it has a curve;
    /// `None` if it has no term of its own.
    #[pyo3(signature = (column, span=None))]
    fn shape<'py>(
        &self,
        py: Python<'py>,
        column: usize,
        span: Option<(f64, f64)>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        shape::shape(py, &self.0, column, None, span)
    }

    /// The logarithm of the prior of each class.
    #[getter]
    fn log_prior<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.0.log_prior())
    }

    /// The parameters of the distributions, by name.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        parameters::of(py, self.0.likelihood())
    }
}

impl Classifier {
    fn matrix<'py>(
        &self,
        py: Python<'py>,
        rows: &Table<'_>,
        n_threads: usize,
        matrix: Matrix,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rows = rows.rows()?;
        let work = || match matrix {
            Matrix::Joint => self.0.joint_log_likelihood(&*rows),
            Matrix::LogPosterior => self.0.predict_log_proba(&*rows),
            Matrix::Posterior => self.0.predict_proba(&*rows),
        };
        let answer = py.detach(|| threads::with(n_threads, n_cells(&*rows), work))?;
        Ok(answer.map_err(errors::value)?.into_pyarray(py))
    }
}
