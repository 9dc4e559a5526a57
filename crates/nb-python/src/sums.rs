//! What an estimator keeps of its rows.

use std::collections::BTreeSet;

use nb_core::{
    NaiveBayes, Prior, Rows, SufficientStats,
    error::UpdateError,
    exact::{Exact, ExactSums},
};
use nb_io::{Family, Limits, Preparation};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyBytes, PyDict},
};

use crate::{
    classifier::Classifier,
    density::Density,
    errors,
    family::{family, with_settings},
    files,
    held_out::{self, Added},
    rows::{Table, n_cells, slice},
    threads,
};

/// The exact sums of rows by class; classes are numbers, of which the estimator knows the labels.
#[pyclass(module = "nbayes._core")]
#[derive(Clone)]
pub(crate) struct Sums {
    pub(crate) family: Family,
    pub(crate) stats: SufficientStats<i64>,
}

#[pymethods]
impl Sums {
    #[new]
    fn new(name: &str, settings: &Bound<'_, PyDict>, n_columns: usize) -> PyResult<Self> {
        let family = family(name, settings)?;
        let stats = SufficientStats::new(&family, n_columns).map_err(errors::value)?;
        Ok(Self { family, stats })
    }

    /// No sums yet, of a family with cut points, grids, powers or parents that it learns from these rows.
    #[staticmethod]
    #[pyo3(signature = (name, settings, rule, rows, classes, parents=None))]
    fn prepared(
        py: Python<'_>,
        name: &str,
        settings: &Bound<'_, PyDict>,
        rule: Option<&str>,
        rows: Table<'_>,
        classes: PyReadonlyArray1<'_, i64>,
        parents: Option<&str>,
    ) -> PyResult<Self> {
        let (rows, family) = (rows.rows()?, family(name, settings)?);
        let mut rules = Preparation::default();
        let first = family.description().learnt_by.first();
        for (name, text) in first.copied().zip(rule).into_iter().chain(parents.map(|text| ("parents", text)))
        {
            rules.set(name, text).map_err(errors::value)?;
        }
        let classes: Vec<usize> = slice(&classes)?.iter().map(|&class| class as usize).collect();
        let family = py.detach(|| family.prepared(rules, &*rows, &classes)).map_err(errors::value)?;
        let stats = SufficientStats::new(&family, rows.n_columns()).map_err(errors::value)?;
        Ok(Self { family, stats })
    }

    /// No sums yet, of the same family.
    fn emptied(&self) -> Self {
        Self { family: self.family.clone(), stats: self.stats.empty() }
    }

    /// Adds rows.
    #[pyo3(signature = (rows, classes, weights=None, n_threads=1))]
    fn update(
        &mut self,
        py: Python<'_>,
        rows: Table<'_>,
        classes: PyReadonlyArray1<'_, i64>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        n_threads: usize,
    ) -> PyResult<()> {
        let weights = weights.as_ref().map(slice).transpose()?;
        self.check_memory(slice(&classes)?)?;
        self.change(py, &rows, slice(&classes)?, n_threads, |family, stats, rows, classes| match weights {
            None => stats.update(family, rows, classes),
            Some(weights) => stats.update_weighted(family, rows, classes, weights),
        })
    }

    /// Takes rows out that were added before.
    #[pyo3(signature = (rows, classes, weights=None, n_threads=1))]
    fn retract(
        &mut self,
        py: Python<'_>,
        rows: Table<'_>,
        classes: PyReadonlyArray1<'_, i64>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        n_threads: usize,
    ) -> PyResult<()> {
        let weights = weights.as_ref().map(slice).transpose()?;
        self.change(py, &rows, slice(&classes)?, n_threads, |family, stats, rows, classes| match weights {
            None => stats.retract(family, rows, classes),
            Some(weights) => stats.retract_weighted(family, rows, classes, weights),
        })
    }

    /// Adds the sums of other rows.
    fn merge(&mut self, other: &Self) -> PyResult<()> {
        if self.family.is_learnt() && self.family != other.family {
            return Err(PyValueError::new_err(
                "the estimators have learnt other cut points, grids or powers, or have other settings; fit one, and the others \
                 from its `emptied()`",
            ));
        }
        let n_cells = self.n_cells().max(other.n_cells());
        threads::with(1, n_cells, || self.stats.merge(&other.stats))?.map_err(errors::value)
    }

    /// Takes the sums of rows out that were added before.
    fn subtract(&mut self, other: &Self) -> PyResult<()> {
        let n_cells = self.n_cells().max(other.n_cells());
        threads::with(1, n_cells, || self.stats.subtract(&other.stats))?.map_err(errors::value)
    }

    /// Multiplies the weights of all rows.
    fn scale(&mut self, factor: f64) -> PyResult<()> {
        self.stats.scale(factor).map_err(errors::value)
    }

    /// The same sums with other numbers for the classes: class `c` becomes `numbers[c]`.
    fn renumbered(&self, numbers: Vec<i64>) -> PyResult<Self> {
        let number = |class: &i64| usize::try_from(*class).ok().and_then(|class| numbers.get(class).copied());
        let missing = || PyValueError::new_err("a class has no number");
        let mut classes = Vec::with_capacity(numbers.len());
        let weights = self.stats.class_weights();
        for ((class, weight), sums) in self.stats.classes().zip(weights).zip(self.stats.class_sums()) {
            classes.push((number(class).ok_or_else(missing)?, weight, sums.to_vec()));
        }
        let stats = SufficientStats::from_parts(&self.family, self.stats.n_columns(), classes);
        Ok(Self { family: self.family.clone(), stats: stats.map_err(errors::value)? })
    }

    /// The sums of the rows of all classes, as one class 0.
    fn pooled(&self) -> PyResult<Self> {
        let mut pooled = self.stats.empty();
        let weights = self.stats.class_weights();
        for (weight, sums) in weights.into_iter().zip(self.stats.class_sums()) {
            let class = [(0, weight, sums.to_vec())];
            let class = SufficientStats::from_parts(&self.family, self.stats.n_columns(), class);
            let class = class.map_err(errors::value)?;
            threads::with(1, self.n_cells(), || pooled.merge(&class))?.map_err(errors::value)?;
        }
        Ok(Self { family: self.family.clone(), stats: pooled })
    }

    fn copy(&self) -> Self {
        self.clone()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.family == other.family && self.stats == other.stats
    }

    /// The number of columns.
    #[getter]
    fn n_columns(&self) -> usize {
        self.stats.n_columns()
    }

    /// The classes that have rows.
    #[getter]
    fn classes(&self) -> Vec<i64> {
        self.stats.classes().copied().collect()
    }

    /// The weight of the rows of each class that has rows.
    #[getter]
    fn class_weights<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let weights = self.stats.class_weights().iter().map(Exact::to_f64).collect();
        PyArray1::from_vec(py, weights)
    }

    /// A part of the sums by class, each rounded once; parts have the order of the layout of the family.
    fn part<'py>(&self, py: Python<'py>, part: usize) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let classes: Vec<&[ExactSums]> = self.stats.class_sums().collect();
        let no_such = || PyValueError::new_err("there is no such part");
        let parts: Option<Vec<&ExactSums>> = classes.iter().map(|class| class.get(part)).collect();
        let parts = parts.ok_or_else(no_such)?;
        // Categories are as many as a class has seen.
        let length = parts.iter().map(|part| part.len()).max().unwrap_or(0);
        let cell = |sums: &ExactSums, place| if place < sums.len() { sums.get(place).to_f64() } else { 0.0 };
        let rows: Vec<Vec<f64>> =
            parts.iter().map(|sums| (0..length).map(|place| cell(sums, place)).collect()).collect();
        PyArray2::from_vec2(py, &rows).map_err(errors::value)
    }

    /// The classifier of these sums. The prior is `None` for the shares of the classes, `"uniform"`, or a
    /// probability for each class that has rows.
    #[pyo3(signature = (settings, prior=None, n_threads=1))]
    fn fit(
        &self,
        py: Python<'_>,
        settings: &Bound<'_, PyDict>,
        prior: Option<Bound<'_, PyAny>>,
        n_threads: usize,
    ) -> PyResult<Classifier> {
        let (family, prior) = self.settings(settings, prior)?;
        let n_cells = self.n_cells();
        let fit = || NaiveBayes { model: &family, prior }.fit_stats(&self.stats);
        let classifier = py.detach(|| threads::with(n_threads, n_cells, fit))?.map_err(errors::value)?;
        Ok(Classifier::new(classifier))
    }

    /// The joint distribution of rows and classes, if the family is a distribution.
    #[pyo3(signature = (settings, prior=None))]
    fn density(&self, settings: &Bound<'_, PyDict>, prior: Option<Bound<'_, PyAny>>) -> PyResult<Density> {
        let (family, prior) = self.settings(settings, prior)?;
        let none = || {
            PyValueError::new_err(match &self.family {
                family if family.pair_counts().is_some() => {
                    "the columns of AODE, TAN and their relatives depend on each other, so rows cannot be generated column by column, and a \
                     row has no evidence that is a sum over columns; use another estimator, such as CategoricalNB"
                }
                Family::Binned(_) => {
                    "bins say how probable an interval is, and nothing of the numbers within it; use KernelNB or GaussianNB"
                }
                _ => "complement naive Bayes is not a probability distribution of rows; use MultinomialNB",
            })
        };
        let model = family.density().ok_or_else(none)?;
        let fit = || NaiveBayes { model, prior }.fit_stats(&self.stats);
        Ok(Density::new(threads::with(1, self.n_cells(), fit)?.map_err(errors::value)?))
    }

    /// The log-posteriors of rows that were added, each without all rows of its fold.
    #[pyo3(signature = (settings, rows, classes, folds, weights=None, prior=None, n_threads=1))]
    #[expect(clippy::too_many_arguments, reason = "they are arguments of one call from Python")]
    fn held_out<'py>(
        &self,
        py: Python<'py>,
        settings: &Bound<'_, PyDict>,
        rows: Table<'_>,
        classes: PyReadonlyArray1<'_, i64>,
        folds: PyReadonlyArray1<'_, i64>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        prior: Option<Bound<'_, PyAny>>,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (family, prior) = self.settings(settings, prior)?;
        let (rows, classes, folds) = (rows.rows()?, slice(&classes)?, slice(&folds)?);
        let weights = weights.as_ref().map(slice).transpose()?;
        let added = Added { rows: &*rows, classes, weights };
        let work = || held_out::log_posteriors(&self.stats, &family, &prior, &added, folds);
        Ok(py.detach(|| threads::with(n_threads, n_cells(&*rows), work))??.into_pyarray(py))
    }

    /// A model file, with the labels of all classes, the names of all columns, and their kinds where a file
    /// had them.
    #[pyo3(signature = (settings, labels, names, label, prior=None, kinds=Vec::new()))]
    #[expect(clippy::too_many_arguments, reason = "they are arguments of one call from Python")]
    fn to_bytes<'py>(
        &self,
        py: Python<'py>,
        settings: &Bound<'_, PyDict>,
        labels: Vec<String>,
        names: Vec<String>,
        label: String,
        prior: Option<Vec<f64>>,
        kinds: Vec<files::KindParts>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let family = with_settings(&self.family, settings)?;
        let model = files::model(&self.stats, family, &labels, names, label, prior, &kinds)?;
        Ok(PyBytes::new(py, &model.to_bytes().map_err(errors::value)?))
    }

    /// The sums in a model file, the name and settings of its family, and its labels and names of columns.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<files::Parts> {
        files::parts(py, bytes)
    }
}

impl Sums {
    /// Adds rows or takes them out, without the lock of the interpreter.
    fn change(
        &mut self,
        py: Python<'_>,
        rows: &Table<'_>,
        classes: &[i64],
        n_threads: usize,
        change: impl FnOnce(&Family, &mut SufficientStats<i64>, &dyn Rows, &[i64]) -> Result<(), UpdateError>
        + Send,
    ) -> PyResult<()> {
        let rows = rows.rows()?;
        let Self { family, stats } = self;
        let work = || change(family, stats, &*rows, classes);
        py.detach(|| threads::with(n_threads, n_cells(&*rows), work))?.map_err(errors::value)
    }

    /// Refuses rows of further classes if the counts of several columns at once would take more memory than a
    /// model file may.
    fn check_memory(&self, classes: &[i64]) -> PyResult<()> {
        if self.family.pair_counts().is_none() {
            return Ok(());
        }
        let most = Limits::default().max_memory;
        let known = self.stats.classes().len();
        let all: BTreeSet<&i64> = self.stats.classes().chain(classes).collect();
        for memory in self.family.code_memory(self.stats.n_columns(), all.len()) {
            if all.len() > known && memory.bytes > most {
                return Err(PyValueError::new_err(format!(
                    "{} features with {} bins and categories, and {} classes, need counts of {} {} in {} bytes of memory; the limit is {most} \
                     bytes: use fewer bins (such as bins=\"width:5\") or fewer features",
                    memory.features.len(),
                    memory.n_codes,
                    memory.n_classes,
                    memory.n_counts,
                    memory.of,
                    memory.bytes
                )));
            }
        }
        Ok(())
    }

    /// How many sums there are of each part.
    fn n_cells(&self) -> usize {
        self.stats.n_columns().saturating_mul(self.stats.classes().len())
    }

    /// The family with other settings, and the prior.
    fn settings(
        &self,
        settings: &Bound<'_, PyDict>,
        prior: Option<Bound<'_, PyAny>>,
    ) -> PyResult<(Family, Prior)> {
        let family = with_settings(&self.family, settings)?;
        Ok(match prior {
            None => (family, Prior::Empirical),
            Some(prior) if prior.extract::<&str>().is_ok_and(|name| name == "uniform") => {
                (family, Prior::Uniform)
            }
            Some(prior) => (family, Prior::Given(prior.extract()?)),
        })
    }
}
