//! The compiled part of the Python package `nbayes`: arrays of NumPy and SciPy, tables in the Arrow format,
//! and what the estimators keep. Everything that users see is in `python/nbayes`; what is arithmetic is in
//! the other crates.

mod calibrate;
mod classifier;
mod decision;
mod density;
mod errors;
mod family;
mod files;
mod frame;
mod held_out;
mod labels;
mod model;
mod names;
mod parameters;
mod private;
mod rows;
mod shape;
mod source;
mod sparse;
mod sums;
mod threads;
mod together;

use pyo3::pymodule;

#[pymodule(gil_used = true)]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::{
        classifier::Classifier,
        density::Density,
        frame::Frame,
        labels::{encode, encode_texts},
        model::Model,
        private::NoisySums,
        sums::Sums,
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
