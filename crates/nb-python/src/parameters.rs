//! The parameters of fitted families, by the names that estimators give them.

use nb_core::{Likelihood, description::Dependence};
use nb_io::FittedFamily;
use nb_variants::Transform;
use numpy::{
    PyArray1, PyArray2,
    ndarray::{Array2, ArrayView2},
};
use pyo3::{
    prelude::*,
    types::{PyDict, PyList},
};

/// The tables of a fitted family by class and column; those of categories are by class and category, one a
/// column.
pub(crate) fn of<'py>(py: Python<'py>, fitted: &FittedFamily) -> PyResult<Bound<'py, PyDict>> {
    let tables = PyDict::new(py);
    let table =
        |name: &str, values: ArrayView2<'_, f64>| tables.set_item(name, PyArray2::from_array(py, &values));
    match fitted {
        FittedFamily::Gaussian(fitted) => {
            table("theta", fitted.means())?;
            table("var", fitted.variances())?;
        }
        FittedFamily::SharedGaussian(fitted) => {
            table("theta", fitted.means())?;
            // The same for every class.
            let [classes, columns] = [fitted.means().nrows(), fitted.means().ncols()];
            let by_class =
                Array2::from_shape_fn((classes, columns), |(_, column)| fitted.variances()[column]);
            table("var", by_class.view())?;
        }
        FittedFamily::Power(fitted) => {
            table("theta", fitted.gaussian().means())?;
            table("var", fitted.gaussian().variances())?;
            let powers = fitted.transforms().iter().map(|transform| match transform {
                Transform::Identity => 1.0,
                Transform::BoxCox { lambda } | Transform::YeoJohnson { lambda } => *lambda,
                Transform::Log => 0.0,
            });
            tables.set_item("power", PyArray1::from_iter(py, powers))?;
        }
        FittedFamily::Kernel(fitted) => table("bandwidth", fitted.bandwidths().view())?,
        FittedFamily::Binned(fitted) => {
            let columns = 0..fitted.cuts().n_columns();
            let cuts = columns.clone().map(|column| PyArray1::from_slice(py, fitted.cuts().column(column)));
            tables.set_item("cuts", PyList::new(py, cuts)?)?;
            let logs = columns.map(|column| {
                let by_bin = fitted.log_probabilities(column);
                by_bin.map(|table| PyArray2::from_array(py, &table.t()))
            });
            tables.set_item("feature_log_prob", PyList::new(py, logs.collect::<Vec<_>>())?)?;
        }
        FittedFamily::Multinomial(fitted) => table("feature_log_prob", fitted.log_probabilities())?,
        FittedFamily::Complement(fitted) => table("feature_log_prob", fitted.weights())?,
        FittedFamily::Bernoulli(fitted) => {
            table("feature_log_prob", fitted.log_probabilities())?;
            table("feature_log_neg_prob", fitted.log_complements())?;
        }
        FittedFamily::Poisson(fitted) => table("rate", fitted.rates())?,
        FittedFamily::NegativeBinomial(fitted) => {
            table("mean", fitted.means())?;
            table("dispersion", fitted.dispersions())?;
        }
        FittedFamily::Categorical(_) | FittedFamily::Grouped(_) => {
            let Some(fitted) = fitted.of_categories() else { return Ok(tables) };
            let columns = (0..fitted.n_columns()).map(|column| {
                let by_category = fitted.log_probabilities(column);
                by_category.map(|table| PyArray2::from_array(py, &table.t()))
            });
            tables.set_item("feature_log_prob", PyList::new(py, columns.collect::<Vec<_>>())?)?;
        }
        fitted => dependence(py, fitted, &tables)?,
    }
    Ok(tables)
}

/// The cut points of columns that depend on each other, and on which ones they do.
fn dependence(py: Python<'_>, fitted: &FittedFamily, tables: &Bound<'_, PyDict>) -> PyResult<()> {
    let (Some(inspect), Some((_, n_columns))) = (fitted.inspect(), fitted.shape()) else { return Ok(()) };
    let cuts = (0..n_columns).map(|column| inspect.cuts(column)).collect::<Option<Vec<_>>>();
    if let Some(cuts) = cuts {
        let cuts = cuts.into_iter().map(|own| PyArray1::from_slice(py, own));
        tables.set_item("cuts", PyList::new(py, cuts)?)?;
    }
    match inspect.dependence() {
        Some(Dependence::One(parents)) => {
            let parents = parents.iter().map(|parent| parent.map_or(-1, |parent| parent as i64));
            tables.set_item("parents", PyArray1::from_iter(py, parents))
        }
        Some(Dependence::Some(parents)) => {
            let of_column =
                |own: &Vec<usize>| PyArray1::from_iter(py, own.iter().map(|&parent| parent as i64));
            tables.set_item("parents", PyList::new(py, parents.iter().map(of_column))?)
        }
        Some(Dependence::All(weights)) => tables.set_item("weights", PyArray2::from_vec2(py, &weights)?),
        Some(Dependence::Each(weights)) => tables.set_item("weights", PyArray1::from_slice(py, &weights)),
        _ => Ok(()),
    }
}
