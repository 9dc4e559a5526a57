//! Estimators as model files, and back.

use nb_core::{
    Prior, SufficientStats,
    description::{Columns, Value},
    exact::{Exact, ExactSums},
};
use nb_io::{Column, Family, Kind, Model, Schema};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyDict, PyList},
};

use crate::{errors, sums::Sums};

/// What an estimator needs of a model file: the sums, the name of the family, its settings, the labels of the
/// classes, the names of the columns and of the label, the prior, and the kinds of the columns.
pub(crate) type Parts =
    (Sums, String, Py<PyDict>, Vec<String>, Vec<String>, String, Option<Py<PyAny>>, Vec<KindParts>);

/// The name of a kind of columns, and the levels of categories.
pub(crate) type KindParts = (String, Vec<String>);

/// The model of sums whose classes are numbers of labels.
pub(crate) fn model(
    stats: &SufficientStats<i64>,
    family: Family,
    labels: &[String],
    names: Vec<String>,
    label: String,
    prior: Option<Vec<f64>>,
    kinds: &[KindParts],
) -> PyResult<Model> {
    let of = |class: &i64| usize::try_from(*class).ok().and_then(|class| labels.get(class)).cloned();
    let missing = || PyValueError::new_err("a class has no label");
    let mut classes: Vec<(String, Exact, Vec<ExactSums>)> = Vec::new();
    let weights = stats.class_weights();
    for ((class, weight), sums) in stats.classes().zip(weights).zip(stats.class_sums()) {
        classes.push((of(class).ok_or_else(missing)?, weight, sums.to_vec()));
    }
    let prior = match prior {
        None => Prior::Empirical,
        Some(given) if given.is_empty() => Prior::Uniform,
        Some(given) => {
            // A model has its classes in the order of their texts.
            let mut order: Vec<usize> = (0..classes.len()).collect();
            order.sort_by_key(|&class| &classes[class].0);
            Prior::Given(order.into_iter().filter_map(|class| given.get(class).copied()).collect())
        }
    };
    let stats = SufficientStats::from_parts(&family, stats.n_columns(), classes).map_err(errors::value)?;
    let columns = names.into_iter().enumerate();
    let columns =
        columns.map(|(column, name)| Column { name, kind: kind(&family, column, kinds.get(column)) });
    let schema = Schema { columns: columns.collect(), label };
    Model::from_parts(schema, family, prior, stats).map_err(errors::value)
}

/// What the cells of a column of the family are. The kinds that a file has are kept; of a column with further
/// categories the first ones.
fn kind(family: &Family, column: usize, known: Option<&KindParts>) -> Kind {
    match (family.description().columns, family) {
        (Columns::Categories, family) => {
            let counts = family.category_counts();
            let count = counts.and_then(|counts| counts.categories.declared(column)).unwrap_or(0);
            let known = known.map_or(&[][..], |(_, levels)| levels);
            let level = |code: usize| known.get(code).cloned().unwrap_or_else(|| code.to_string());
            Kind::Categorical { levels: (0..count).map(level).collect() }
        }
        _ if known.is_some_and(|(name, _)| name == COUNT) => Kind::Count,
        _ => Kind::Numeric,
    }
}

const COUNT: &str = "count";

/// The parts of a model whose columns are all of one family.
pub(crate) fn parts(py: Python<'_>, bytes: &[u8]) -> PyResult<Parts> {
    let model = Model::from_bytes(bytes).map_err(errors::file)?;
    let family = model.family().clone();
    if matches!(family, Family::Blocks(_)) || model.refinement().is_some() {
        let refused = "the model has columns of several families; load it with nbayes.NaiveBayes.load";
        return Err(PyValueError::new_err(refused));
    }
    if model.calibration().is_some() {
        let refused =
            "the model has a calibration map (isotonic regression); load it with nbayes.NaiveBayes.load";
        return Err(PyValueError::new_err(refused));
    }
    let mut kinds = Vec::with_capacity(model.schema().columns.len());
    for column in &model.schema().columns {
        kinds.push(match &column.kind {
            Kind::Numeric => ("numeric".to_owned(), Vec::new()),
            Kind::Count => (COUNT.to_owned(), Vec::new()),
            Kind::Categorical { levels } => ("categorical".to_owned(), levels.clone()),
            _ => {
                let refused = "the model has columns of texts or dates; load it with nbayes.NaiveBayes.load";
                return Err(PyValueError::new_err(refused));
            }
        });
    }
    let settings = PyDict::new(py);
    for (parameter, value) in family.settings() {
        settings.set_item(parameter.name, setting(py, &value)?)?;
    }
    let labels: Vec<String> = model.stats().classes().cloned().collect();
    let prior = match model.prior() {
        Prior::Empirical => None,
        Prior::Uniform => Some("uniform".into_pyobject(py)?.into_any().unbind()),
        Prior::Given(given) => Some(PyList::new(py, given)?.into_any().unbind()),
    };
    let names = model.schema().columns.iter().map(|column| column.name.clone()).collect();
    let label = model.schema().label.clone();
    let name = family.description().name.to_owned();
    // Classes are numbers here; they were checked when the model was read.
    let mut numbers = 0..;
    let stats = model.into_stats().with_labels(|_| numbers.next().unwrap_or(i64::MAX));
    let stats = stats.ok_or_else(|| PyValueError::new_err("two classes have the same label"))?;
    Ok((Sums { family, stats }, name, settings.unbind(), labels, names, label, prior, kinds))
}

fn setting<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Number(number) => number.into_pyobject(py)?.into_any(),
        Value::Numbers(numbers) => numbers.into_pyobject(py)?.into_any(),
        Value::Flag(flag) => flag.into_pyobject(py)?.to_owned().into_any(),
        Value::Name(name) => name.into_pyobject(py)?.into_any(),
        Value::Amount(name, number) => (name, number).into_pyobject(py)?.into_any(),
    })
}
