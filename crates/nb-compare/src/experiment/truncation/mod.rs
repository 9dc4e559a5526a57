//! What it costs to leave log space: right posteriors beside three ways to truncate densities.
//!
//! A posterior is a ratio of products of densities, and the logarithm of a product of any number of densities
//! is an ordinary number. The densities themselves are not: a double underflows at about 38 standard
//! deviations, or in a product of some hundred columns. The [wrong rules](crate::WrongRule) mend that by a
//! threshold, by a small number that is added, or not at all.
//!
//! The experiment looks at four things: the data set `spam` with unbiased variances, for which the output of
//! klaR was published; normal columns whose number grows while the distance of the classes stays the same, so
//! that the Bayes rate does; the same columns in other units, which change no posterior; and one column along
//! a line. Parameters of the normal columns are known and not estimated, so that all that goes wrong is
//! arithmetic.

mod columns;
mod line;
pub(super) mod report;
mod spam;

use std::num::NonZeroUsize;

use ndarray::ArrayView1;
use serde::{Deserialize, Serialize};

pub use columns::RulePoint;
pub use line::LinePoint;
pub use spam::Confusion;

use crate::{
    WrongRule,
    experiment::{ExperimentError, Progress, tasks},
    method::learners::wrong::Parameters,
};

/// The options of the experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Truncation {
    /// How many rows are answered for each number of columns and each unit, at least 2. The default is 4000.
    pub rows: usize,
    /// The numbers of columns. By default they go up to 5000.
    pub columns: Vec<usize>,
    /// Units, as powers of ten: values are multiplied by them. The default is from -40 to 40.
    pub units: Vec<i32>,
}

impl Default for Truncation {
    fn default() -> Self {
        Self {
            rows: 4000,
            columns: vec![
                1, 2, 5, 10, 20, 50, 100, 200, 300, 400, 450, 500, 520, 540, 560, 580, 600, 700, 1000, 2000,
                5000,
            ],
            units: (-20..=20).map(|half| 2 * half).collect(),
        }
    }
}

/// What came of it. Where there is one value for each rule, they stand in the order of `rules`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The names of the rules; the first is the right one.
    pub rules: Vec<String>,
    /// The answers on `spam`, for each rule.
    pub spam: Vec<Confusion>,
    /// The error of the best rule for the normal columns, whatever their number or unit.
    pub bayes_error: f64,
    /// Errors by the number of columns.
    pub columns: Vec<RulePoint>,
    /// Errors of [`N_COLUMNS`](Self::N_COLUMNS) columns by the power of ten that their values are multiplied
    /// with.
    pub units: Vec<RulePoint>,
    /// Posteriors along a line.
    pub line: Vec<LinePoint>,
}

impl Outcome {
    /// How many columns there are where the unit changes.
    pub const N_COLUMNS: usize = 10;
}

/// The right rule or a wrong one.
#[derive(Clone, Copy, Debug)]
enum Rule {
    LogSpace,
    Wrong(WrongRule),
}

const RULES: [Rule; 4] = [
    Rule::LogSpace,
    Rule::Wrong(WrongRule::ALL[0]),
    Rule::Wrong(WrongRule::ALL[1]),
    Rule::Wrong(WrongRule::ALL[2]),
];

impl Rule {
    fn name(self) -> String {
        match self {
            Self::LogSpace => "log space".to_owned(),
            Self::Wrong(rule) => rule.name(),
        }
    }

    /// The posterior of the second of two classes; NaN where a wrong rule has none.
    fn posterior(self, parameters: &Parameters, row: &ArrayView1<'_, f64>) -> f64 {
        match self {
            Self::LogSpace => {
                let score = |class: usize| {
                    let cells =
                        row.iter().zip(parameters.means.row(class)).zip(parameters.deviations.row(class));
                    let log_density = |((value, mean), deviation): ((&f64, &f64), &f64)| {
                        -0.5 * ((value - mean) / deviation).powi(2) - libm::log(*deviation)
                    };
                    libm::log(parameters.priors[class]) + cells.map(log_density).sum::<f64>()
                };
                1.0 / (1.0 + libm::exp(score(0) - score(1)))
            }
            Self::Wrong(rule) => rule.posteriors(parameters, row)[1],
        }
    }
}

impl Truncation {
    /// Carries the experiment out. Progress is counted in numbers of columns and units.
    ///
    /// ```
    /// use std::{num::NonZeroUsize, ops::ControlFlow};
    /// use nb_compare::experiment::truncation::Truncation;
    ///
    /// let options = Truncation { rows: 200, columns: vec![10, 1000], units: vec![0] };
    /// let outcome = options.run(1, NonZeroUsize::MIN, &mut |_, _| ControlFlow::Continue(()))?;
    /// assert_eq!(outcome.spam[0].right(), 3772);
    /// assert_eq!(outcome.columns[1].unanswered[1], 1.0); // products of a thousand densities
    /// # Ok::<(), nb_compare::experiment::ExperimentError>(())
    /// ```
    ///
    /// # Errors
    /// [`ExperimentError`] if an option is out of range, the set cannot be read or `progress` breaks off.
    pub fn run(
        &self,
        seed: u64,
        threads: NonZeroUsize,
        progress: Progress<'_>,
    ) -> Result<Outcome, ExperimentError> {
        self.check()?;
        let mut columns = tasks::each(self.columns.len() + self.units.len(), threads, progress, |task| {
            Ok(if let Some(&n_columns) = self.columns.get(task) {
                columns::point(n_columns, n_columns as f64, 1.0, self.rows, seed)
            } else {
                let unit = f64::from(self.units[task - self.columns.len()]);
                columns::point(Outcome::N_COLUMNS, unit, libm::exp10(unit), self.rows, seed)
            })
        })?;
        let units = columns.split_off(self.columns.len());
        Ok(Outcome {
            rules: RULES.iter().map(|rule| rule.name()).collect(),
            spam: spam::confusions()?,
            bayes_error: columns::bayes_error(),
            columns,
            units,
            line: line::points(),
        })
    }

    fn check(&self) -> Result<(), ExperimentError> {
        let error = |name, value, must_be| Err(ExperimentError::Option { name, value, must_be });
        if !(2..=1 << 24).contains(&self.rows) {
            return error("the number of rows", self.rows as f64, "from 2 to 16777216");
        }
        if let Some(&n_columns) = self.columns.iter().find(|n_columns| !(1..=1_000_000).contains(*n_columns))
        {
            return error("a number of columns", n_columns as f64, "from 1 to 1000000");
        }
        if let Some(&unit) = self.units.iter().find(|unit| unit.abs() > 100) {
            return error("a power of ten", f64::from(unit), "from -100 to 100");
        }
        Ok(())
    }
}
