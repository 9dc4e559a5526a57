//! `cargo xtask bench --quality`: how good our answers are beside those of independent programs, on the same rows and folds.

mod data;
mod ours;
mod page;
mod python;
mod score;
mod short;

use std::fs;

use ndarray::Array2;

use super::{Print, machine, options::Quality, root};
use data::Data;
use score::Score;

/// A classifier that is compared.
#[derive(Clone, Copy, Debug)]
struct Contender {
    /// The name of the variant of nb-compare, or of the contender of `quality.py`.
    key: &'static str,
    /// Its name in tables.
    name: &'static str,
    /// What it is. `{PACKAGE}` becomes the name of a Python package with its version.
    about: &'static str,
    /// Whether it is one of this library.
    is_ours: bool,
}

impl Contender {
    const fn ours(key: &'static str, about: &'static str) -> Self {
        Self { key, name: key, about, is_ours: true }
    }

    const fn other(key: &'static str, name: &'static str, about: &'static str) -> Self {
        Self { key, name, about, is_ours: false }
    }
}

/// All contenders, in the order of the tables.
const CONTENDERS: &[Contender] = &[
    Contender::ours(PRIOR, "the shares of the classes among the training rows, whatever the row"),
    Contender::ours("gaussian", "naive Bayes: normal distributions, and categories"),
    Contender::ours("mdl", "naive Bayes: bins by description length, and categories"),
    Contender::ours("aode", "averaged one-dependence estimators on the same bins"),
    Contender::ours("logistic", "logistic regression, standardised numbers and indicators of categories"),
    Contender::ours("weighted", "naive Bayes on bins and categories with a weight per column"),
    Contender::ours("refined", "the same with corrections of bins and categories"),
    Contender::other(
        "naive-bayes",
        "sklearn naive Bayes",
        "{scikit-learn}: `GaussianNB` and `CategoricalNB` with one prior; a missing number is the mean of its column",
    ),
    Contender::other(
        "logistic",
        "sklearn logistic",
        "{scikit-learn}: `LogisticRegression`, standardised numbers and indicators of categories",
    ),
    Contender::other("ebm", "EBM", "{interpret-core}: `ExplainableBoostingClassifier` without interactions"),
    Contender::other(
        "khiops",
        "Khiops",
        "{khiops}: `KhiopsClassifier` without trees and pairs, a selective naive Bayes",
    ),
    Contender::other(
        "boosting",
        "boosted trees",
        "{scikit-learn}: `HistGradientBoostingClassifier`, which combines columns as none of the others but aode does",
    ),
];

/// The contender that looks at no column.
const PRIOR: &str = "prior";

/// The contender that all others are set against.
const BASELINE: usize = 6;

const _: () = assert!(matches!(CONTENDERS[BASELINE].key.as_bytes(), b"refined"));

/// The log-probabilities of all rows of each data set, or why there are none, and the processor time of training and prediction in
/// seconds.
type Answers = (Vec<Result<Array2<f64>, String>>, f64);

/// What came of a contender.
#[derive(Debug)]
struct Outcome {
    contender: Contender,
    /// One score for each data set, or why it has none.
    scores: Vec<Result<Score, String>>,
    /// Processor time of all training and prediction.
    seconds: f64,
}

/// Compares all contenders, and writes the page unless only some data sets are wanted.
///
/// # Errors
/// What could not be installed, trained or written.
pub(super) fn run(options: &Quality, progress: Print<'_>, print: Print<'_>) -> Result<(), String> {
    let sets = data::names().filter(|name| options.wants(name));
    let sets = sets.map(Data::load).collect::<Result<Vec<_>, _>>()?;
    let machine = machine::describe();
    progress("installing the contenders written for Python");
    let python = python::Python::new(&sets)?;
    let mut outcomes = Vec::new();
    for &contender in CONTENDERS {
        progress(contender.name);
        let (answers, seconds) = if contender.is_ours {
            ours::answer(contender.key, &sets)
        } else {
            python.answer(contender.key, &sets)
        }
        .map_err(|error| format!("{}: {error}", contender.name))?;
        let scores = sets.iter().zip(answers).map(|(set, answers)| match answers {
            Ok(answers) => score::score(&set.table, &answers).map(Ok),
            Err(reason) => Ok(Err(reason)),
        });
        let scores = scores.collect::<Result<_, String>>()?;
        outcomes.push(Outcome { contender, scores, seconds });
    }
    let summary = page::Page { sets: &sets, outcomes: &outcomes, versions: python.versions(), machine };
    if options.only.is_empty() {
        fs::write(root().join("docs/quality.md"), summary.text()?)
            .map_err(|error| format!("docs/quality.md cannot be written: {error}"))?;
        print(&summary.summary()?);
    } else {
        print(&summary.tables()?);
        print("docs/quality.md is left alone: it takes all data sets.");
    }
    Ok(())
}

/// Whether there is a data set of this name in the comparison, or which there are.
pub(super) fn check(name: &str) -> Result<(), String> {
    if data::names().any(|known| known == name) {
        return Ok(());
    }
    let all: Vec<&str> = data::names().collect();
    Err(format!("there is no data set {name:?} in the comparison, only {}", all.join(", ")))
}
