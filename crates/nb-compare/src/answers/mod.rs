//! Answers of other programs to the rows that a design tests.

mod error;

pub use error::AnswerError;
use ndarray::Array2;

use crate::{
    Condition, Design, Folds, MethodError, Outcome, PlanError, Splits, Table, Unit, labels,
    run::{Tested, Wanted},
};

/// How far the sum of the probabilities of a row may be from 1: what single precision leaves, as in
/// nb-metrics.
pub(crate) const TOLERANCE: f64 = 1e-5;

/// What another program answered for a tested row of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Answer<'a> {
    /// The repeat, counted from 0.
    pub repeat: usize,
    /// The fold in which the row was tested, counted from 0.
    pub fold: usize,
    /// The row of the table, counted from 0.
    pub row: usize,
    /// Its class as the program names it, if it does.
    pub label: Option<&'a str>,
    /// The class that was predicted; without one it is the class of the largest log-posterior.
    pub predicted: Option<&'a str>,
    /// The natural logarithm of the probability of each class of the table, in its order, if the program
    /// gives probabilities.
    pub log_posteriors: Option<&'a [f64]>,
}

/// The answers of another program to all rows of a table that a design tests: one for each row in each
/// repeat, made by what the program learnt from the rows that are not in the fold.
///
/// ```
/// use nb_compare::{Answer, Answers, Design, Table};
///
/// let design = Design::from_toml(r#"
///     sets = ["iris"]
///     variants = ["gaussian", { method = "answers", file = "oracle.csv", name = "oracle" }]
///     plan = { kind = "cross-validation", folds = 3, repeats = 1 }
/// "#)?;
/// let table = Table::embedded("iris")?;
/// let folds = design.plan.folds(&table, design.seed, 0)?;
/// let mut answers = Answers::new(&design, &table)?;
/// for (row, fold) in folds.of_row.iter().enumerate() {
///     let fold = fold.ok_or("every row is tested")?;
///     let class = table.classes[table.labels[row]].as_str();
///     answers.add(&Answer { fold, row, predicted: Some(class), ..Answer::default() })?;
/// }
/// let units = answers.units("oracle", design.predictions)?;
/// let done = units[0].done().ok_or("all rows have an answer")?;
/// assert_eq!(done.pooled.get(nb_compare::Measure::Accuracy), Some(1.0));
/// assert_eq!(done.pooled.get(nb_compare::Measure::LogLoss), None); // there are labels alone
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The units go to [`run`](crate::run) as done.
#[derive(Debug)]
pub struct Answers<'a> {
    table: &'a Table,
    /// What is measured besides what there always is.
    wanted: Wanted,
    /// The splits of each repeat.
    splits: Vec<Folds>,
    /// The answers of each repeat, by row.
    found: Vec<Vec<Option<Found>>>,
    /// Whether answers have probabilities: all or none.
    have_posteriors: Option<bool>,
}

/// A checked answer.
#[derive(Clone, Debug)]
struct Found {
    predicted: Option<usize>,
    log_posteriors: Vec<f64>,
}

impl<'a> Answers<'a> {
    /// No answers yet, to the rows of a table that a design tests.
    ///
    /// # Errors
    /// [`PlanError`] if the table cannot be split as the design says.
    pub fn new(design: &Design, table: &'a Table) -> Result<Self, PlanError> {
        let key = table.split_key();
        let repeats = 0..Splits::new(design.plan, table).repeats;
        let splits: Vec<Folds> = repeats
            .map(|repeat| design.plan.folds_of(table, &key, design.seed, repeat))
            .collect::<Result<_, _>>()?;
        let found = vec![vec![None; table.n_rows()]; splits.len()];
        Ok(Self { table, wanted: design.wanted_of(table), splits, found, have_posteriors: None })
    }

    /// Adds an answer.
    ///
    /// # Errors
    /// [`AnswerError`] if the row is not tested there, has an answer already or another label; if a class is
    /// not in the table; if probabilities are no distribution; and if only some of the answers have them.
    /// Nothing was added then.
    pub fn add(&mut self, answer: &Answer<'_>) -> Result<(), AnswerError> {
        let Answer { repeat, fold, row, .. } = *answer;
        let repeats = self.splits.len();
        let folds = self.splits.get(repeat).ok_or(AnswerError::NoRepeat { repeat, repeats })?;
        let n_rows = self.table.n_rows();
        let tested = *folds.of_row.get(row).ok_or(AnswerError::NoRow { row, n_rows })?;
        let tested = tested.ok_or(AnswerError::NotTested { row, repeat })?;
        if tested != fold {
            return Err(AnswerError::Fold { row, repeat, fold, tested });
        }
        if self.found[repeat][row].is_some() {
            return Err(AnswerError::Twice { row, repeat });
        }
        let own = &self.table.classes[self.table.labels[row]];
        if let Some(label) = answer.label.filter(|label| label != own) {
            return Err(AnswerError::Label { row, label: label.to_owned(), own: own.clone() });
        }
        let predicted = answer.predicted.map(|label| self.class(row, label)).transpose()?;
        let log_posteriors = answer.log_posteriors.unwrap_or_default().to_vec();
        let has_posteriors = answer.log_posteriors.is_some();
        if has_posteriors {
            self.check(row, &log_posteriors)?;
        } else if predicted.is_none() {
            return Err(AnswerError::NoAnswer { row });
        }
        if has_posteriors != *self.have_posteriors.get_or_insert(has_posteriors) {
            return Err(AnswerError::SomePosteriors { row });
        }
        self.found[repeat][row] = Some(Found { predicted, log_posteriors });
        Ok(())
    }

    /// What the variant of this name did in each repeat, with log-posteriors if they are kept.
    ///
    /// # Errors
    /// [`AnswerError::Missing`] if a tested row has no answer.
    pub fn units(self, variant: &str, keep: bool) -> Result<Vec<Unit>, AnswerError> {
        let mut units = Vec::with_capacity(self.splits.len());
        for (repeat, (folds, found)) in self.splits.iter().zip(&self.found).enumerate() {
            let is_missing = |row: &usize| folds.of_row[*row].is_some() && found[*row].is_none();
            let missing: Vec<usize> = (0..found.len()).filter(is_missing).collect();
            if let Some(&row) = missing.first() {
                return Err(AnswerError::Missing { row, repeat, n: missing.len() });
            }
            let outcome = match self.tested(folds, found, keep).and_then(Tested::done) {
                Ok(done) => Outcome::Done(Box::new(done)),
                Err(error) => Outcome::Failed { reason: error.to_string() },
            };
            units.push(Unit {
                set: self.table.name.clone(),
                variant: variant.to_owned(),
                repeat,
                condition: Condition::Plain,
                outcome,
            });
        }
        Ok(units)
    }

    fn tested<'b>(
        &'b self,
        folds: &'b Folds,
        found: &[Option<Found>],
        keep: bool,
    ) -> Result<Tested<'b>, MethodError> {
        let mut tested = Tested::new(self.table, folds, self.wanted.clone(), keep);
        for fold in 0..folds.n_folds {
            let rows = folds.test(fold);
            let of_rows: Vec<&Found> = rows.iter().filter_map(|&row| found[row].as_ref()).collect();
            let given: Vec<Option<usize>> = of_rows.iter().map(|found| found.predicted).collect();
            if self.have_posteriors != Some(true) {
                tested.add(&rows, None, &given)?;
                continue;
            }
            let values = of_rows.iter().flat_map(|found| &found.log_posteriors).copied().collect();
            let shape = (rows.len(), self.table.classes.len());
            let log_posteriors = Array2::from_shape_vec(shape, values).map_err(MethodError::failed)?;
            let best = labels(&log_posteriors);
            let predicted: Vec<Option<usize>> =
                given.into_iter().zip(best).map(|(given, best)| given.or(best)).collect();
            tested.add(&rows, Some(&log_posteriors), &predicted)?;
        }
        Ok(tested)
    }

    fn class(&self, row: usize, label: &str) -> Result<usize, AnswerError> {
        self.table.classes.iter().position(|class| class == label).ok_or_else(|| AnswerError::Class {
            row,
            label: label.to_owned(),
            classes: self.table.classes.clone(),
        })
    }

    /// Refuses what is no distribution, except that all probabilities may be 0.
    fn check(&self, row: usize, log_posteriors: &[f64]) -> Result<(), AnswerError> {
        let classes = &self.table.classes;
        if log_posteriors.len() != classes.len() {
            return Err(AnswerError::Length { row, found: log_posteriors.len(), classes: classes.len() });
        }
        let probabilities: Vec<f64> = log_posteriors.iter().map(|&value| libm::exp(value)).collect();
        let wrong = probabilities.iter().position(|p| !(0.0..=1.0 + TOLERANCE).contains(p));
        if let Some(class) = wrong {
            let (class, value) = (classes[class].clone(), probabilities[class]);
            return Err(AnswerError::Probability { row, class, value });
        }
        let sum: f64 = probabilities.iter().sum();
        let is_impossible = log_posteriors.iter().all(|&value| value == f64::NEG_INFINITY);
        if is_impossible || (sum - 1.0).abs() <= TOLERANCE {
            Ok(())
        } else {
            // With the digits that matter.
            Err(AnswerError::Sum { row, sum: (sum * 1e6).round() / 1e6 })
        }
    }
}
