//! What Python calls efforts, kinds of columns and categories.

use nb_io::Kind;
use nb_train::Effort;
use pyo3::{exceptions::PyValueError, prelude::*};

/// How much is done, by name.
pub(crate) fn effort_of(name: &str) -> PyResult<Effort> {
    Ok(match name {
        "sums_only" => Effort::SumsOnly,
        "plain" => Effort::Plain,
        "fast" => Effort::Fast,
        "usual" => Effort::Usual,
        "best" => Effort::Best,
        other => {
            let message = format!("effort is {other:?}; it must be plain, fast, usual, best or sums_only");
            return Err(PyValueError::new_err(message));
        }
    })
}

/// What columns of a kind hold.
pub(crate) fn kind(kind: &Kind) -> &'static str {
    match kind {
        Kind::Count => "counts",
        Kind::Categorical { .. } => "categories",
        Kind::Text(_) => "text",
        Kind::Dates(_) => "dates",
        Kind::Numeric => "numbers",
    }
}

/// The name of the category of a value; `None` for numbers and missing cells.
pub(crate) fn category(kind: &Kind, value: f64) -> Option<String> {
    match kind {
        Kind::Categorical { levels } if !value.is_nan() => {
            Some(levels.get(value as usize).cloned().unwrap_or_else(|| "not seen".into()))
        }
        _ => None,
    }
}
