//! Sums with noise.

use nb_core::Gaussian;
use nb_io::Family;
use nb_private::{Budget, Column, Design, NoisedSums, People};
use numpy::PyReadonlyArray1;
use pyo3::{exceptions::PyValueError, prelude::*};
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};

use crate::{
    errors,
    rows::{Table, slice},
    sums::Sums,
};

/// The noised sums of columns of numbers; classes are numbers, of which the caller knows the labels.
#[pyclass(module = "nbayes._core")]
pub(crate) struct NoisySums {
    sums: NoisedSums<i64>,
}

#[pymethods]
impl NoisySums {
    /// The sums of rows, with noise for a pure budget `epsilon` or a concentrated one `rho`.
    #[staticmethod]
    fn release(
        py: Python<'_>,
        rows: Table<'_>,
        classes: PyReadonlyArray1<'_, i64>,
        n_classes: i64,
        bounds: Vec<(f64, f64)>,
        budget: (Option<f64>, Option<f64>),
        seed: [u8; 32],
    ) -> PyResult<Self> {
        let budget = match budget {
            (Some(epsilon), None) => Budget::Pure { epsilon },
            (None, Some(rho)) => Budget::Concentrated { rho },
            _ => return Err(PyValueError::new_err("give either epsilon or rho")),
        };
        let columns = bounds.into_iter().map(|(low, high)| Column::Number { low, high });
        let design = Design::new(0..n_classes, columns).map_err(errors::value)?;
        let (rows, classes) = (rows.rows()?, slice(&classes)?);
        let mut rng = ChaCha20Rng::from_seed(seed);
        let sums = py.detach(|| design.release(&*rows, classes, budget, &mut rng)).map_err(errors::value)?;
        Ok(Self { sums })
    }

    /// Adds the sums of other rows.
    fn merge(&mut self, other: &Self, are_shared: bool) -> PyResult<()> {
        let people = if are_shared { People::Shared } else { People::Apart };
        self.sums.merge(&other.sums, people).map_err(errors::value)
    }

    /// What was spent: `epsilon` and `rho`.
    #[getter]
    fn spent(&self) -> (f64, f64) {
        let spent = self.sums.spent();
        (spent.epsilon, spent.rho)
    }

    /// The `epsilon` of `(epsilon, delta)`-differential privacy.
    fn epsilon_at(&self, delta: f64) -> f64 {
        self.sums.spent().epsilon_at(delta)
    }

    /// The number of rows of each class, with noise, and the standard deviation of the noise.
    #[getter]
    fn n_rows(&self) -> (Vec<i64>, f64) {
        (self.sums.n_rows().map(|(_, n)| n).collect(), self.sums.n_rows_error())
    }

    /// As text.
    fn to_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.sums).map_err(errors::value)
    }

    /// From such a text.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        let sums: NoisedSums<i64> = serde_json::from_str(text).map_err(errors::value)?;
        if !sums.design().columns().iter().all(|column| matches!(column, Column::Number { .. })) {
            return Err(PyValueError::new_err(
                "the sums are of columns of categories, which are for Rust alone",
            ));
        }
        Ok(Self { sums })
    }

    /// The sums of the Gaussian family that are estimated from these.
    fn estimated(&self) -> PyResult<Sums> {
        let family = Gaussian::default();
        let stats = self.sums.stats_for(&family).map_err(errors::value)?;
        Ok(Sums { family: Family::Gaussian(family), stats })
    }
}
