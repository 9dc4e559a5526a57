//! Errors of the library as Python exceptions.

use std::error::Error;

use pyo3::{
    PyErr,
    exceptions::{PyOSError, PyValueError},
};

/// The message of an error and its causes, as one text.
pub(crate) fn message(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

/// The input is not what it should be.
pub(crate) fn value(error: impl Error + 'static) -> PyErr {
    PyValueError::new_err(message(&error))
}

/// A file cannot be read or written, or is not a model.
pub(crate) fn file(error: impl Error + 'static) -> PyErr {
    let mut cause: Option<&(dyn Error + 'static)> = Some(&error);
    while let Some(inner) = cause {
        if inner.is::<std::io::Error>() {
            return PyOSError::new_err(message(&error));
        }
        cause = inner.source();
    }
    PyValueError::new_err(message(&error))
}
