//! The best of several ways to learn, by cross-validation within the training rows.

use nb_metrics::Evaluation;
use ndarray::Array2;

use crate::{
    FailedValues, Fitted, Folds, Measure, Method, MethodError, PowerLimit, Table, TunedValues, Values,
    evaluate::evaluate, labels, method::rows::parts::inner_folds,
};

/// A way to learn, and its name.
type Candidate = (String, Box<dyn Method>);

/// Ways to learn of which the best is chosen on the training rows alone, so that a measure of other rows is
/// one of choice and training together (nested cross-validation: Stone 1974, *Cross-validatory choice and
/// assessment of statistical predictions*, JRSS B 36; Varma and Simon 2006, *Bias in error estimation when
/// using cross-validation for model selection*, BMC Bioinformatics 7).
///
/// The training rows are dealt into stratified folds, groups as a whole; each candidate answers for each fold
/// after learning from the others, and that with the best measure of all these answers together, the first of
/// several, learns from all training rows. A method whose training is a sum ([`Method::fold`]) sums the
/// training rows once for all folds.
pub struct TunedMethod {
    candidates: Vec<Candidate>,
    by: Measure,
    n_folds: usize,
}

impl std::fmt::Debug for TunedMethod {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.candidates.iter().map(|(name, _)| name.as_str()).collect();
        let mut shown = f.debug_struct("TunedMethod");
        shown.field("candidates", &names).field("by", &self.by).field("n_folds", &self.n_folds).finish()
    }
}

impl TunedMethod {
    /// The best of these candidates, which have names, by a measure over this number of folds.
    pub fn new(candidates: Vec<(String, Box<dyn Method>)>, by: Measure, n_folds: usize) -> Self {
        Self { candidates, by, n_folds }
    }

    /// The folds of some rows of a table: labels and groups decide about them.
    ///
    /// # Errors
    /// [`MethodError`] if there are too few rows or groups.
    pub fn folds(&self, table: &Table, train: &[usize]) -> Result<Folds, MethodError> {
        inner_folds(&table.with_rows(train), self.n_folds, "tuning")
    }

    /// The candidate that is best on rows of a table, all of which are trained on.
    fn best(&self, train: &Table) -> Result<(&dyn Method, TunedValues), MethodError> {
        let folds = inner_folds(train, self.n_folds, "tuning")?;
        let mut best: Option<(f64, &Candidate)> = None;
        let (mut problem, mut failed) = (None, Vec::new());
        for candidate in &self.candidates {
            let answers = match answers(&*candidate.1, train, &folds) {
                Ok(answers) => answers,
                // Another candidate may do: a pseudo-count of 0 leaves classes impossible that one of 1 does
                // not.
                Err(error @ MethodError::Failed(_)) => {
                    let (values, reason) = (candidate.0.clone(), error.to_string());
                    failed.push(FailedValues { values, n_folds: 1, reason });
                    problem.get_or_insert(error);
                    continue;
                }
                Err(error) => return Err(error),
            };
            let Some(value) = Values::of(&answers.measures(), None).get(self.by) else { continue };
            let is_better = |most: f64| if self.by.larger_is_better() { value > most } else { value < most };
            if best.is_none_or(|(most, _)| is_better(most)) {
                best = Some((value, candidate));
            }
        }
        match (best, problem) {
            (Some((_, (name, method))), _) => Ok((&**method, TunedValues { name: name.clone(), failed })),
            (None, Some(problem)) => Err(problem),
            (None, None) => Err(MethodError::failed(format!(
                "no candidate has a {}; tune by another measure",
                self.by.title()
            ))),
        }
    }
}

/// The answers for all rows, each by what was learnt from other folds.
fn answers(method: &dyn Method, table: &Table, folds: &Folds) -> Result<Evaluation, MethodError> {
    let mut evaluation = Evaluation::new(table.classes.len());
    let mut retracting = method.fold(table, folds)?;
    for fold in 0..folds.n_folds {
        let fitted = match &mut retracting {
            Some(retracting) => retracting.without(fold)?,
            None => method.fit(table, &folds.train(fold))?,
        };
        let rows = folds.test(fold);
        let log_posteriors = fitted.log_posteriors(table, &rows)?;
        let of_fold = evaluate(table, &rows, Some(&log_posteriors), &labels(&log_posteriors))?;
        evaluation.merge(&of_fold).map_err(MethodError::failed)?;
    }
    Ok(evaluation)
}

impl Method for TunedMethod {
    fn fit(&self, table: &Table, train: &[usize]) -> Result<Box<dyn Fitted>, MethodError> {
        let (method, chosen) = self.best(&table.with_rows(train))?;
        Ok(Box::new(Tuned { fitted: method.fit(table, train)?, chosen }))
    }
}

struct Tuned {
    fitted: Box<dyn Fitted>,
    chosen: TunedValues,
}

impl Fitted for Tuned {
    fn log_posteriors(&self, table: &Table, rows: &[usize]) -> Result<Array2<f64>, MethodError> {
        self.fitted.log_posteriors(table, rows)
    }

    fn n_parameters(&self) -> usize {
        self.fitted.n_parameters()
    }

    fn chosen(&self) -> Option<&TunedValues> {
        Some(&self.chosen)
    }

    fn limits(&self) -> &[PowerLimit] {
        self.fitted.limits()
    }
}
