//! Families by name, with settings from a dictionary.

use nb_core::description::Value;
use nb_io::{Family, Registry};
use pyo3::{exceptions::PyTypeError, prelude::*, types::PyDict};

use crate::errors;

/// The family of this name with these settings; what they do not name has its usual value.
pub(crate) fn family(name: &str, settings: &Bound<'_, PyDict>) -> PyResult<Family> {
    let learnt = Family::learnt().into_iter().find(|family| family.description().name == name);
    let family = learnt.map_or_else(|| Registry::default().family(name).map_err(errors::value), Ok)?;
    with_settings(&family, settings)
}

/// The same family, with what it has learnt from rows, with these settings.
pub(crate) fn with_settings(family: &Family, settings: &Bound<'_, PyDict>) -> PyResult<Family> {
    let mut family = family.clone();
    for (setting, given) in settings {
        let setting: String = setting.extract()?;
        family.set(&setting, &value(&given)?).map_err(errors::value)?;
    }
    Ok(family)
}

/// A setting: truth, a number, numbers, a name, or a name with a number.
fn value(given: &Bound<'_, PyAny>) -> PyResult<Value> {
    if let Ok(flag) = given.extract::<bool>() {
        Ok(Value::Flag(flag))
    } else if let Ok(number) = given.extract::<f64>() {
        Ok(Value::Number(number))
    } else if let Ok(name) = given.extract::<String>() {
        Ok(Value::Name(name))
    } else if let Ok((name, number)) = given.extract::<(String, f64)>() {
        Ok(Value::Amount(name, number))
    } else if let Ok(numbers) = given.extract::<Vec<f64>>() {
        Ok(Value::Numbers(numbers))
    } else {
        Err(PyTypeError::new_err("a setting is a number, a truth value, a name, or a list of numbers"))
    }
}
