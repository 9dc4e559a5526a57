//! Robustness: what variants lose as their data get worse.
//!
//! Each fold of a design is disturbed, classifiers are trained and tested on it, and the measures are set
//! beside those of the undisturbed fold. All variants see the same disturbed rows, the labels of tested rows
//! are never touched, and what a level disturbs every higher one does as well. So all comparisons are of
//! pairs.

mod change;
mod disturb;
mod report;

use ndarray::Array2;
use serde::{Deserialize, Serialize};

pub use super::Trial;
pub use change::{Change, Gap};
pub use disturb::Disturbance;
pub use report::{report, results_csv, results_json};

use crate::{
    Comparison, Condition, Dealing, DesignError, Done, Fitted, Folds, Method, MethodError, Plan, PlanError,
    Table, Unit, labels, plan::generator, run::Tested,
};
use disturb::Disturbed;

/// The options of robustness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Robustness {
    /// What is disturbed, and by how much.
    pub series: Vec<Series>,
}

/// A disturbance at its levels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Series {
    /// The disturbance.
    pub disturbance: Disturbance,
    /// Its levels, ascending. Level 0, without a disturbance, is always there and not among them.
    pub levels: Vec<f64>,
}

impl Default for Robustness {
    /// Missing cells in all rows, label noise, unbalanced classes and copies of a column, at their default
    /// levels.
    fn default() -> Self {
        let all =
            [Disturbance::Missing, Disturbance::LabelNoise, Disturbance::Unbalanced, Disturbance::Copies];
        Self { series: all.map(Series::from).to_vec() }
    }
}

impl From<Disturbance> for Series {
    fn from(disturbance: Disturbance) -> Self {
        Self { disturbance, levels: disturbance.default_levels() }
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// The options.
    pub options: Robustness,
    /// The names of the variants.
    pub variants: Vec<String>,
    /// One for each data set.
    pub sets: Vec<SetOutcome>,
}

/// What the variants lose on a data set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SetOutcome {
    /// The name of the data set.
    pub name: String,
    /// The number of rows tested for each one trained on.
    pub test_to_train: f64,
    /// Level 0: the results of each variant, fold by fold of all repeats.
    pub undisturbed: Vec<Vec<Trial>>,
    /// All levels of all series.
    pub disturbed: Vec<Level>,
}

/// The results at a level of a disturbance.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Level {
    /// The disturbance.
    pub disturbance: Disturbance,
    /// Its level.
    pub level: f64,
    /// The results of each variant, in the order of the undisturbed folds.
    pub variants: Vec<Vec<Trial>>,
}

impl Robustness {
    /// All levels of all series.
    fn levels(&self) -> impl Iterator<Item = (Disturbance, f64)> {
        self.series.iter().flat_map(|series| series.levels.iter().map(|&level| (series.disturbance, level)))
    }

    /// Level 0 and all levels of all series.
    pub(super) fn conditions(&self, plan: Plan, table: &Table) -> Result<Vec<Condition>, PlanError> {
        if plan.is_leave_one_out() && matches!(table.dealing, Dealing::Rows) {
            return Err(PlanError::LeaveOneOut);
        }
        let levels = self.levels().map(|(disturbance, level)| Condition::Disturbed { disturbance, level });
        Ok([Condition::Plain].into_iter().chain(levels).collect())
    }

    pub(super) fn check(&self) -> Result<(), DesignError> {
        if self.levels().next().is_none() {
            return Err(DesignError::Option {
                name: "the number of levels",
                value: 0.0,
                must_be: "at least 1",
            });
        }
        for series in &self.series {
            let (disturbance, levels) = (series.disturbance, &series.levels);
            let error =
                |level: f64, must_be| DesignError::Level { disturbance: disturbance.name(), level, must_be };
            if let Some(&level) = levels.iter().find(|level| !disturbance.allows(**level)) {
                return Err(error(level, disturbance.bounds()));
            }
            if let Some(pair) = levels.windows(2).find(|pair| pair[0] >= pair[1]) {
                return Err(error(pair[1], "larger than the one before it"));
            }
            if self.series.iter().filter(|other| other.disturbance == disturbance).count() > 1 {
                return Err(error(
                    levels.first().copied().unwrap_or_default(),
                    "given once for each disturbance",
                ));
            }
        }
        Ok(())
    }
}

/// What a method answers under these conditions. Classifiers of undisturbed training rows are trained once
/// for all of them.
pub(crate) fn of_repeat<'a>(
    method: &dyn Method,
    (table, key): (&Table, &str),
    folds: &Folds,
    (seed, repeat): (u64, usize),
    conditions: &[Condition],
    tested: impl Fn() -> Tested<'a>,
) -> Vec<Result<Done, MethodError>> {
    let mut all: Vec<Result<Tested<'_>, MethodError>> = conditions.iter().map(|_| Ok(tested())).collect();
    for fold in 0..folds.n_folds {
        let (train, test) = (folds.train(fold), folds.test(fold));
        let fitted = method.fit(table, &train);
        for (condition, so_far) in conditions.iter().zip(&mut all) {
            let Ok(tested) = so_far else { continue };
            let random = |disturbance: Disturbance| {
                let name = format!("{} of {key}", disturbance.name());
                generator(seed, &name, repeat * folds.n_folds + fold)
            };
            let answers = match *condition {
                Condition::Disturbed { disturbance, level } => {
                    let parts = [train.as_slice(), test.as_slice()];
                    Disturbed::new(table, parts, (disturbance, level), random(disturbance)).and_then(
                        |disturbed| {
                            let Disturbed { table, train } = &disturbed;
                            if disturbance.keeps_training() {
                                answers(&fitted, table, &test)
                            } else {
                                answers(&method.fit(table, train), table, &test)
                            }
                        },
                    )
                }
                Condition::Plain | Condition::Size(_) => answers(&fitted, table, &test),
            };
            let added = answers.and_then(|answers| tested.add(&test, Some(&answers), &labels(&answers)));
            if let Err(error) = added {
                *so_far = Err(error);
            }
        }
    }
    all.into_iter().map(|tested| tested.and_then(Tested::done)).collect()
}

fn answers(
    fitted: &Result<Box<dyn Fitted>, MethodError>,
    table: &Table,
    rows: &[usize],
) -> Result<Array2<f64>, MethodError> {
    match fitted {
        Ok(fitted) => fitted.log_posteriors(table, rows),
        Err(MethodError::NotApplicable { reason }) => Err(MethodError::not_applicable(reason)),
        Err(error) => Err(MethodError::failed(error.to_string())),
    }
}

impl Outcome {
    /// What came of a comparison whose design has these options; at level 0 it is what comes of it without
    /// them.
    ///
    /// ```
    /// use std::{num::NonZeroUsize, ops::ControlFlow};
    /// use nb_compare::{Comparison, Design, Measure, Table, run};
    /// use nb_compare::experiment::{Study, robustness::{Disturbance, Outcome, Robustness}};
    ///
    /// let mut design = Design::from_toml(r#"
    ///     sets = ["iris"]
    ///     variants = ["gaussian"]
    ///     plan = { kind = "cross-validation", folds = 5, repeats = 1 }
    /// "#)?;
    /// let options = Robustness { series: vec![Disturbance::LabelNoise.into()] };
    /// design.experiment = Some(Study::Robustness(options.clone()));
    /// let tables = [Table::embedded("iris")?];
    /// let units = run(&design, &tables, Vec::new(), NonZeroUsize::MIN, |_| ControlFlow::Continue(()))?;
    /// let outcome = Outcome::new(&options, &Comparison::new(design, &tables, units));
    /// let change = outcome.sets[0].change(0, 2, Measure::Accuracy).expect("a result in each fold");
    /// assert_eq!(change.level, 0.4);
    /// assert!(change.mean < 0.9667);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(options: &Robustness, comparison: &Comparison) -> Self {
        let variants = || comparison.design.variants.iter().map(|variant| &variant.name);
        let of_set = |data: &crate::Data| {
            let units: Vec<&Unit> = comparison.units.iter().filter(|unit| unit.set == data.name).collect();
            // The folds of all repeats of each variant.
            let under = |condition: Condition| -> Vec<Vec<Trial>> {
                let of_variant = |name: &String| {
                    let is_of = |unit: &&&Unit| unit.variant == *name && unit.condition == condition;
                    units.iter().filter(is_of).flat_map(|unit| Trial::folds(unit)).collect()
                };
                variants().map(of_variant).collect()
            };
            let level = |(disturbance, level)| Level {
                disturbance,
                level,
                variants: under(Condition::Disturbed { disturbance, level }),
            };
            SetOutcome {
                name: data.name.clone(),
                test_to_train: data.splits.test_to_train,
                undisturbed: under(Condition::Plain),
                disturbed: options.levels().map(level).collect(),
            }
        };
        Self {
            options: options.clone(),
            variants: variants().cloned().collect(),
            sets: comparison.data.iter().map(of_set).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
