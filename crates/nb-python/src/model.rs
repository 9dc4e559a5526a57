//! Models of tables, as the program and the Rust library have them.

use std::{borrow::Cow, collections::BTreeMap, sync::OnceLock};

use nb_core::{Classifier, Prior, exact::Exact};
use nb_io::{
    FittedFamily, HeldOutMeasures, ModelRefinement,
    onnx::Inputs,
    read::{Arrow, Inference, KindChoice, NewLevels, Overrides, Reason, TableOptions, train},
};
use nb_train::{
    CalibrationRows, Choices, ClassPrior, RefitOptions, ThresholdGoal, Trainer, TrainerError, Trend, Trends,
    Watch, refit_with,
};
use numpy::{IntoPyArray, PyArray1, PyArray2, ndarray::Array2};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyBytes, PyDict},
};

use crate::{
    calibrate, decision, errors,
    frame::{Frame, NAME},
    names::{category, effort_of, kind},
    rows::slice,
    shape,
    source::FrameSource,
    threads, together,
};

/// A model of a table, with its classifier as soon as it is asked.
#[pyclass(module = "nbayes._core", frozen)]
pub(crate) struct Model {
    model: nb_io::Model,
    classifier: OnceLock<Classifier<String, FittedFamily>>,
}

/// What was decided, for the estimator to show.
type Report<'py> = (Model, Bound<'py, PyDict>);

/// Contributions, log-prior, values, the names of those that are categories, and names and cells of what
/// columns add together, whose contributions come after those of the features.
type Explained<'py> = (
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Vec<Option<String>>,
    Vec<(String, String)>,
);

#[pymethods]
impl Model {
    /// Makes a model of a table with columns of labels and perhaps of weights and groups. `kinds` says what
    /// columns hold, `trends` in which of them the probability of the class `positive` rises or falls, and
    /// `prior` has the probabilities of the classes: none for their shares, an empty list for the same of
    /// all.
    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "they are arguments of one call from Python")]
    fn train<'py>(
        py: Python<'py>,
        frame: &Frame,
        label: &str,
        effort: &str,
        kinds: Vec<(String, String)>,
        trends: Vec<(String, bool)>,
        positive: &str,
        prior: Option<Vec<(String, f64)>>,
        weight: Option<String>,
        group: Option<String>,
        n_threads: usize,
    ) -> PyResult<Report<'py>> {
        let effort = effort_of(effort)?;
        let prior = match prior {
            None => ClassPrior::Empirical,
            Some(given) if given.is_empty() => ClassPrior::Uniform,
            Some(given) => ClassPrior::Given(given),
        };
        let mut overrides = Overrides::default();
        for (column, kind) in kinds {
            overrides = match kind.as_str() {
                "numbers" => overrides.with(&column, KindChoice::Numeric),
                "counts" => overrides.with(&column, KindChoice::Count),
                "categories" => overrides.with(&column, KindChoice::Categorical),
                "text" => overrides.with(&column, KindChoice::Text),
                "dates" => overrides.with(&column, KindChoice::Dates),
                "ignore" => overrides.ignore(&column),
                other => {
                    let message = format!(
                        "columns[{column:?}] is {other:?}; it must be numbers, counts, categories, text, dates or ignore"
                    );
                    return Err(PyValueError::new_err(message));
                }
            };
        }
        // Which labels are those of regression is for scikit-learn to say.
        let trainer = Trainer::default().with_effort(effort).with_overrides(overrides).with_prior(prior);
        let of_column = |all: Trends, (column, rises): (String, bool)| {
            all.with(column, if rises { Trend::Increasing } else { Trend::Decreasing })
        };
        let trends = trends.into_iter().fold(Trends::default(), of_column).with_positive(positive);
        let trainer =
            trainer.with_choices(Choices::default().with_trends(trends)).with_regression_allowed(true);
        let new_levels = TableOptions::default().new_levels;
        let date_orders = BTreeMap::new();
        let table = FrameSource { frame, label, weight, group, new_levels, date_orders };
        let work = || trainer.train(&table).map_err(untrained);
        let trained = py.detach(|| threads::with(n_threads, usize::MAX, work))??;
        let report = PyDict::new(py);
        let columns = |all: &[Inference]| -> Vec<(String, &'static str, String)> {
            let about =
                |column: &Inference| (column.column.clone(), kind(&column.kind), column.reason.to_string());
            all.iter().map(about).collect()
        };
        report.set_item("columns", columns(&trained.columns.inferred.columns))?;
        report.set_item("left_out", columns(&trained.columns.left_out))?;
        report.set_item("plain", trained.plain.map(|why| why.to_string()))?;
        let warnings: Vec<String> = trained.warnings.iter().map(ToString::to_string).collect();
        report.set_item("warnings", warnings)?;
        report.set_item("n_rows", trained.n_rows)?;
        Ok((Self::new(trained.model), report))
    }

    /// The classes, in order.
    #[getter]
    fn classes(&self) -> Vec<String> {
        self.model.stats().classes().cloned().collect()
    }

    /// The columns: name and what they hold.
    #[getter]
    fn columns(&self) -> Vec<(String, &'static str)> {
        let columns = self.model.schema().columns.iter();
        columns.map(|column| (column.name.clone(), kind(&column.kind))).collect()
    }

    /// The name of the label column.
    #[getter]
    fn label(&self) -> &str {
        &self.model.schema().label
    }

    /// The names of the features: columns, terms of texts and parts of dates.
    #[getter]
    fn features(&self) -> Vec<String> {
        let schema = self.model.schema();
        (0..schema.n_features()).map(|feature| schema.feature_name(feature).unwrap_or_default()).collect()
    }

    /// How held-out rows were classified, if that is known.
    #[getter]
    fn held_out<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.model.held_out().map(|held_out| measures(py, held_out)).transpose()
    }

    /// The weight of each feature, by name; `None` of a plain model.
    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(refinement) = self.model.refinement() else { return Ok(None) };
        let weights = PyDict::new(py);
        for (name, weight) in self.features().into_iter().zip(&refinement.columns.weights) {
            weights.set_item(name, weight)?;
        }
        Ok(Some(weights))
    }

    /// Whether bins, categories or terms have corrections, and not weights alone.
    #[getter]
    fn has_corrections(&self) -> bool {
        let mut corrections =
            self.model.refinement().into_iter().flat_map(|learnt| &learnt.columns.corrections);
        corrections.any(|correction| !correction.is_constant())
    }

    /// Whether it has neither measures of held-out rows nor a fingerprint of its rows.
    #[getter]
    fn has_sums_only(&self) -> bool {
        self.model.held_out().is_none() && self.model.row_fingerprint().is_none()
    }

    /// The weight of each class.
    #[getter]
    fn class_weights<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let weights = self.model.stats().class_weights().iter().map(Exact::to_f64).collect();
        PyArray1::from_vec(py, weights)
    }

    /// The log-posterior of each class for each row.
    fn log_posterior<'py>(
        &self,
        py: Python<'py>,
        frame: &Frame,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let classifier = self.classifier()?;
        let n_classes = classifier.classes().len();
        let mut answers = Array2::zeros((frame.n_rows(), n_classes));
        let arrow = self.for_prediction();
        let work = || {
            frame.for_each(&arrow, self.model.schema(), |first, rows| {
                let part = numpy::ndarray::s![first..first + rows.n_rows(), ..];
                classifier
                    .predict_log_proba_into(rows, answers.slice_mut(part))
                    .map_err(|error| Problem(format!("rows from {first} on: {}", errors::message(&error))))
            })
        };
        py.detach(|| threads::with(n_threads, usize::MAX, work))?.map_err(Problem::into_error)?;
        Ok(answers.into_pyarray(py))
    }

    /// The place of the label of each row whose log-posteriors these are, by the decision rule of the model;
    /// -1 where it abstains.
    fn decide<'py>(
        &self,
        py: Python<'py>,
        log_posteriors: numpy::PyReadonlyArray2<'_, f64>,
    ) -> Bound<'py, PyArray1<i64>> {
        let decision = self.model.decision();
        let rows = log_posteriors.as_array();
        let labels = rows.rows().into_iter().map(|row| {
            let row = row.to_vec();
            let first = |best: usize, class: usize| if row[class] > row[best] { class } else { best };
            let most_probable = (0..row.len()).fold(0, first);
            let label = decision.map_or(Some(most_probable), |rule| rule.choose(most_probable, &row));
            label.map_or(-1, |label| label as i64)
        });
        labels.collect::<Vec<_>>().into_pyarray(py)
    }

    /// What each value of a feature adds to the score of each class, over these numbers if it has a curve;
    /// `None` if it has no term of its own.
    #[pyo3(signature = (feature, span=None))]
    fn shape<'py>(
        &self,
        py: Python<'py>,
        feature: usize,
        span: Option<(f64, f64)>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let schema = self.model.schema();
        let of_feature = schema.feature(feature);
        let kind = of_feature.as_ref().map(nb_io::Feature::kind);
        let classifier = self.uncalibrated()?;
        shape::shape(py, &classifier, feature, kind, span)
    }

    /// The column of each feature, by number.
    #[getter]
    fn feature_columns(&self) -> Vec<usize> {
        let ranges = self.model.schema().feature_ranges().enumerate();
        ranges.flat_map(|(column, features)| features.map(move |_| column)).collect()
    }

    /// The title of the family of each column, which is that of its first feature; empty if no family has it.
    #[getter]
    fn families(&self) -> PyResult<Vec<&'static str>> {
        let classifier = self.uncalibrated()?;
        let title = |feature| {
            shape::block(classifier.likelihood(), feature)
                .map_or("", |(family, _)| family.description().title)
        };
        let ranges = self.model.schema().feature_ranges();
        Ok(ranges.map(|features| if features.is_empty() { "" } else { title(features.start) }).collect())
    }

    /// What each feature adds to the joint log-likelihood of each class, for one row, with the log-prior, the
    /// values, and the names of those that are categories.
    fn explain<'py>(&self, py: Python<'py>, frame: &Frame, row: usize) -> PyResult<Explained<'py>> {
        let no_such = || PyValueError::new_err(format!("there is no row {row}"));
        let one = frame.row(row).ok_or_else(no_such)?;
        // Contributions are those before a calibration map.
        let classifier = self.uncalibrated()?;
        let mut answer = None;
        one.for_each(&self.for_prediction(), self.model.schema(), |_, rows| {
            let mut values = vec![0.0; rows.n_columns()];
            let mut buffer = nb_core::family::BlockBuffer::default();
            rows.copy_rows(&[0], &mut buffer);
            buffer.block().for_each_stored(|_, column, value| values[column] = value);
            let explained = classifier.explain(rows, 0);
            answer = Some((explained.map_err(|error| Problem(errors::message(&error)))?, values));
            Ok::<(), Problem>(())
        })
        .map_err(Problem::into_error)?;
        let (explanation, values) = answer.ok_or_else(no_such)?;
        let schema = self.model.schema();
        let features = schema.features().zip(&values);
        let categories: Vec<Option<String>> =
            features.map(|(feature, value)| category(feature.kind(), *value)).collect();
        let cell = |feature: usize| match &categories[feature] {
            Some(category) => category.clone(),
            None if values[feature].is_nan() => "missing".into(),
            None => values[feature].to_string(),
        };
        let interactions = explanation.interactions.iter();
        let interactions = interactions
            .map(|one| (schema.joint_name(&one.columns), schema.joint_cells(&one.columns, cell)))
            .collect();
        let contributions = together::contributions(&explanation).into_pyarray(py);
        let log_prior = PyArray1::from_vec(py, explanation.log_prior);
        Ok((contributions, log_prior, values.into_pyarray(py), categories, interactions))
    }

    /// A model with further rows; weights and corrections stay.
    fn updated(
        &self,
        py: Python<'_>,
        frame: &Frame,
        weight: Option<String>,
        n_threads: usize,
    ) -> PyResult<Self> {
        let added = py.detach(|| threads::with(n_threads, usize::MAX, || self.model_of(frame, weight)))??;
        // Measures of training stay what they were.
        let added =
            added.with_held_out(self.model.uncalibrated_held_out().copied()).map_err(errors::value)?;
        let mut model = self.model.clone();
        model.merge(&added).map_err(errors::value)?;
        Self::of_changed(model)
    }

    /// A model without rows that it has.
    fn without(
        &self,
        py: Python<'_>,
        frame: &Frame,
        weight: Option<String>,
        n_threads: usize,
    ) -> PyResult<Self> {
        let removed =
            py.detach(|| threads::with(n_threads, usize::MAX, || self.model_of(frame, weight)))??;
        let mut model = self.model.clone();
        model.forget(&removed).map_err(errors::value)?;
        Self::of_changed(model)
    }

    /// A model with the rows of both.
    fn merged(&self, other: &Self) -> PyResult<Self> {
        let mut model = self.model.clone();
        model.merge(&other.model).map_err(errors::value)?;
        Self::of_changed(model)
    }

    /// A model in which the weights of all rows are multiplied.
    fn scaled(&self, factor: f64) -> PyResult<Self> {
        let mut model = self.model.clone();
        model.scale(factor).map_err(errors::value)?;
        Ok(Self::new(model))
    }

    /// A model whose weights and corrections are learnt again, and the log-losses of the rows with those of
    /// before and of now.
    #[expect(clippy::too_many_arguments, reason = "they are arguments of one call from Python")]
    fn refitted(
        &self,
        py: Python<'_>,
        frame: &Frame,
        effort: &str,
        weight: Option<String>,
        group: Option<String>,
        only_given: bool,
        even_if_worse: bool,
        n_threads: usize,
    ) -> PyResult<(Self, Option<(f64, f64)>)> {
        let options = RefitOptions::default().with_effort(effort_of(effort)?).with_only_given(only_given);
        let options = options.with_even_if_worse(even_if_worse);
        let label = self.model.schema().label.clone();
        let new_levels = NewLevels::Intern;
        let date_orders = self.model.reading().date_orders.clone();
        let table = FrameSource { frame, label: &label, weight, group, new_levels, date_orders };
        let work = || refit_with(self.model.clone(), &table, options).map_err(errors::value);
        let refitted = py.detach(|| threads::with(n_threads, usize::MAX, work))??;
        let change = refitted.change.map(|change| (change.before, change.after));
        Ok((Self::of_changed(refitted.model)?, change))
    }

    /// A model with calibrated probabilities, the measures of the rows before and after, and whether these
    /// are clearly worse. The log-posteriors are those of `uncalibrated_model`.
    fn calibrated<'py>(
        &self,
        py: Python<'py>,
        log_posteriors: numpy::PyReadonlyArray2<'_, f64>,
        truths: numpy::PyReadonlyArray1<'_, i64>,
        groups: Option<numpy::PyReadonlyArray1<'_, i64>>,
        method: &str,
    ) -> PyResult<(Self, Bound<'py, PyDict>, Bound<'py, PyDict>, bool)> {
        let groups = groups.as_ref().map(slice).transpose()?;
        let place = |&truth: &i64| usize::try_from(truth).ok();
        let truths = slice(&truths)?.iter().map(place).collect::<Option<Vec<usize>>>();
        let truths = truths.filter(|truths| groups.is_none_or(|groups| groups.len() == truths.len()));
        let truths = truths
            .ok_or_else(|| PyValueError::new_err("there must be one class, and one group, for each row"))?;
        let group = |row: usize| groups.map(|groups| groups[row]);
        let rows = CalibrationRows::new(log_posteriors.as_array().to_owned(), truths, group);
        let rows = rows.map_err(calibrate::explained)?;
        let calibrated = calibrate::calibrated(&self.model, &rows, method)?;
        let (before, after) = (measures(py, &calibrated.before)?, measures(py, &calibrated.after)?);
        Ok((Self::new(calibrated.model), before, after, calibrated.change.is_clear_loss()))
    }

    /// The threshold of a class that is best on rows: in a goal, or in recall at a precision.
    #[staticmethod]
    fn threshold(
        log_posteriors: numpy::PyReadonlyArray2<'_, f64>,
        truths: numpy::PyReadonlyArray1<'_, i64>,
        positive: usize,
        goal: Option<&str>,
        precision: f64,
    ) -> PyResult<f64> {
        let goal = match goal {
            None => ThresholdGoal::RecallAtPrecision(precision),
            Some("f1") => ThresholdGoal::F1,
            Some("accuracy") => ThresholdGoal::Accuracy,
            Some("balanced_accuracy") => ThresholdGoal::BalancedAccuracy,
            Some(other) => {
                let message = format!("maximise is {other:?}; it must be f1, accuracy or balanced_accuracy");
                return Err(PyValueError::new_err(message));
            }
        };
        let truths: Vec<_> = slice(&truths)?.iter().map(|&truth| usize::try_from(truth).ok()).collect();
        nb_train::threshold(&log_posteriors.as_array(), &truths, positive, goal).map_err(errors::value)
    }

    /// The model without a calibration map.
    fn uncalibrated_model(&self) -> PyResult<Self> {
        Ok(Self::new(self.model.clone().with_calibration(None).map_err(errors::value)?))
    }

    /// The model with a decision rule: "weights" or "costs" with numbers in the order of the classes,
    /// "threshold" with one and the place of a class, or `most_probable`; with the least probability of a
    /// label and the label below it, and with sets of labels by a coverage and the probabilities of the true
    /// classes of held-out rows.
    fn with_decision(
        &self,
        rule: &str,
        numbers: Vec<f64>,
        positive: usize,
        min_probability: Option<f64>,
        abstain: Option<String>,
        sets: Option<(f64, Vec<f64>)>,
    ) -> PyResult<Self> {
        let sets = sets.map(|(coverage, of_truth)| decision::Sets { coverage, of_truth });
        let rule = decision::rule(rule, numbers, positive);
        let decision = decision::of(self.classes(), rule, (min_probability, abstain), sets)?;
        Ok(Self::new(self.model.clone().with_decision(decision).map_err(errors::value)?))
    }

    /// The decision rule, if it is not the most probable class.
    #[getter]
    fn decision<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.model.decision().map(|decision| decision::described(py, decision)).transpose()
    }

    /// Whether the set of each row has each class; `None` if the model makes no sets.
    fn prediction_sets<'py>(
        &self,
        py: Python<'py>,
        log_posteriors: numpy::PyReadonlyArray2<'_, f64>,
    ) -> Option<Bound<'py, PyArray2<bool>>> {
        let sets = self.model.decision()?.sets()?;
        let rows = log_posteriors.as_array();
        let mut answer = Array2::from_elem(rows.dim(), false);
        for (row, mut own) in rows.rows().into_iter().zip(answer.rows_mut()) {
            for class in sets.set(&row.to_vec()) {
                own[class] = true;
            }
        }
        Some(answer.into_pyarray(py))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.model.to_bytes().map_err(errors::value)?))
    }

    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        Ok(Self::new(nb_io::Model::from_bytes(bytes).map_err(errors::file)?))
    }

    /// An ONNX graph with an input for each column.
    fn to_onnx<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.model.to_onnx(Inputs::Columns).map_err(errors::value)?))
    }

    /// The query that scores a table, for an SQL engine.
    fn to_sql(&self, table: &str, dialect: &str) -> PyResult<String> {
        let known = nb_sql::Dialect::ALL;
        let Some(dialect) = known.into_iter().find(|known| known.name().eq_ignore_ascii_case(dialect)) else {
            let names: Vec<&str> = known.iter().map(|known| known.name()).collect();
            let message = format!("there is no dialect {dialect:?}; there are {}", names.join(", "));
            return Err(PyValueError::new_err(message));
        };
        nb_sql::predict_query(&self.model, dialect, table, None).map_err(errors::value)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.model == other.model
    }
}

impl Model {
    fn new(model: nb_io::Model) -> Self {
        Self { model, classifier: OnceLock::new() }
    }

    /// The classifier before a calibration map, of which each feature has its own part.
    fn uncalibrated(&self) -> PyResult<Cow<'_, Classifier<String, FittedFamily>>> {
        Ok(match self.model.calibration() {
            Some(_) => Cow::Owned(self.model.uncalibrated_classifier().map_err(errors::value)?),
            None => Cow::Borrowed(self.classifier()?),
        })
    }

    /// A model whose rows have changed. Weights, corrections, calibration maps and decision rules are for the
    /// classes for which they were learnt: a model that has lost one of these could not answer.
    fn of_changed(model: nb_io::Model) -> PyResult<Self> {
        let has_others =
            |refinement: &ModelRefinement| !refinement.classes.iter().eq(model.stats().classes());
        if model.refinement().is_some_and(has_others) {
            model.uncalibrated_classifier().map_err(errors::value)?;
        }
        if let Some(calibration) = model.calibration() {
            calibration.check_classes(model.stats().classes()).map_err(errors::value)?;
        }
        model.check_decision().map_err(errors::value)?;
        Ok(Self::new(model))
    }

    /// A model like this one of the rows of a table with a column of labels and perhaps one of weights; new
    /// categories become known.
    fn model_of(&self, frame: &Frame, weight: Option<String>) -> PyResult<nb_io::Model> {
        let (schema, family) = (self.model.schema().clone(), self.model.family().clone());
        let empty = self.model.stats().empty();
        let model = nb_io::Model::from_parts(schema, family, Prior::Empirical, empty);
        let mut model = model.map_err(errors::value)?;
        let classes = self.model.stats().classes().cloned().collect();
        let table = TableOptions::default().with_new_levels(NewLevels::Intern);
        let date_orders = self.model.reading().date_orders.clone();
        let table = table.with_classes(classes).with_weight(weight).with_date_orders(date_orders);
        let reader = Arrow::default().with_table(table).read_batches(NAME, frame.reader(), model.schema());
        let mut watch = Watch::rows_only(model.schema());
        let mut reader = reader.map_err(errors::value)?;
        train(&mut model, &mut watch.reader(&mut reader)).map_err(errors::value)?;
        let rows = watch.finish(model.schema()).rows;
        Ok(model.with_row_fingerprint(rows))
    }

    /// How rows to be predicted are read: dates as in training, and the policy of the model decides about
    /// unseen categories.
    fn for_prediction(&self) -> Arrow {
        let date_orders = self.model.reading().date_orders.clone();
        let table = TableOptions::default().with_new_levels(NewLevels::Unseen).with_date_orders(date_orders);
        Arrow::default().with_table(table)
    }

    fn classifier(&self) -> PyResult<&Classifier<String, FittedFamily>> {
        if let Some(classifier) = self.classifier.get() {
            return Ok(classifier);
        }
        let classifier = self.model.classifier().map_err(errors::value)?;
        Ok(self.classifier.get_or_init(|| classifier))
    }
}

/// Measures by name.
fn measures<'py>(py: Python<'py>, held_out: &HeldOutMeasures) -> PyResult<Bound<'py, PyDict>> {
    let HeldOutMeasures { log_loss, log_loss_of_prior, accuracy, majority, auc, calibration_error, .. } =
        *held_out;
    let measures = PyDict::new(py);
    measures.set_item("accuracy", accuracy)?;
    measures.set_item("majority", majority)?;
    measures.set_item("log_loss", log_loss)?;
    measures.set_item("log_loss_of_prior", log_loss_of_prior)?;
    measures.set_item("auc", auc)?;
    measures.set_item("calibration_error", calibration_error)?;
    Ok(measures)
}

/// Why there is no model, and how to keep the last column that is left out.
fn untrained(error: TrainerError) -> PyErr {
    match &error {
        TrainerError::NoColumns { column, .. } if column.reason != Reason::AllMissing => {
            let name = &column.column;
            PyValueError::new_err(format!("{error}; columns={{{name:?}: \"numbers\"}} keeps it"))
        }
        _ => errors::value(error),
    }
}

/// A message on its way to Python.
struct Problem(String);

impl Problem {
    fn into_error(self) -> PyErr {
        PyValueError::new_err(self.0)
    }
}

impl From<nb_io::read::ReadError> for Problem {
    fn from(error: nb_io::read::ReadError) -> Self {
        Self(errors::message(&error))
    }
}
