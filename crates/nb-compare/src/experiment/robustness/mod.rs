//! Robustness: what variants lose as their data get worse.
//!
//! Each fold of a design is disturbed, classifiers are trained and tested on it, and the measures are set beside those of the
//! undisturbed fold. All variants see the same disturbed rows, the labels of tested rows are never touched, and what a
//! level disturbs every higher one does as well. So all comparisons are of pairs.

mod change;
mod disturb;
pub(super) mod report;

use std::num::NonZeroUsize;

use serde::Serialize;

pub use super::score::Trial;
pub use change::{Change, Gap};
pub use disturb::Disturbance;
pub use report::{report, results_csv};

use crate::{
    Dealing, Design, Method, MethodError, Splits, Table,
    experiment::{ExperimentError, Progress, score::score, tasks},
    plan::generator,
};
use disturb::Disturbed;

/// The options of the experiment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Robustness {
    /// What is disturbed, and by how much.
    pub series: Vec<Series>,
}

/// A disturbance at its levels.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Series {
    /// The disturbance.
    pub disturbance: Disturbance,
    /// Its levels, ascending. Level 0, without a disturbance, is always there and not among them.
    pub levels: Vec<f64>,
}

impl Default for Robustness {
    /// Missing cells in all rows, label noise, unbalanced classes and copies of a column, at their default levels.
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
    /// The seed.
    pub seed: u64,
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
    /// Disturbs the folds of a design on these tables. `progress` counts pairs of a repeat and a variant. The result depends
    /// on the seed of the design, the tables and the options alone, and at level 0 it is that of [`run`](crate::run).
    ///
    /// ```
    /// use std::{num::NonZeroUsize, ops::ControlFlow};
    /// use nb_compare::{Design, Measure, Table, experiment::robustness::{Disturbance, Robustness}};
    ///
    /// let design = Design::from_toml(r#"
    ///     sets = ["iris"]
    ///     variants = ["gaussian"]
    ///     plan = { kind = "cross-validation", folds = 5, repeats = 1 }
    /// "#)?;
    /// let options = Robustness { series: vec![Disturbance::LabelNoise.into()] };
    /// let tables = [Table::embedded("iris")?];
    /// let outcome = options.run(&design, &tables, NonZeroUsize::MIN, &mut |_, _| ControlFlow::Continue(()))?;
    /// let change = outcome.sets[0].change(0, 2, Measure::Accuracy).expect("a result in each fold");
    /// assert_eq!(change.level, 0.4);
    /// assert!(change.mean < 0.9667);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ExperimentError`] if a level is out of range, a table has too few rows for the plan, the plan is leave-one-out of rows or
    /// `progress` breaks off. That a variant is not for a table, or fails on disturbed rows, is in the results.
    pub fn run(
        &self,
        design: &Design,
        tables: &[Table],
        threads: NonZeroUsize,
        progress: Progress<'_>,
    ) -> Result<Outcome, ExperimentError> {
        self.check()?;
        let is_by_row = |table: &Table| matches!(table.dealing, Dealing::Rows);
        if design.plan.is_leave_one_out() && tables.iter().any(is_by_row) {
            return Err(ExperimentError::LeaveOneOut);
        }
        if let Some(table) = tables.iter().find(|table| matches!(table.dealing, Dealing::Given(_))) {
            return Err(ExperimentError::Splits { table: table.name.clone(), splits: "given splits" });
        }
        let keys: Vec<String> = tables.iter().map(Table::split_key).collect();
        let (n_variants, repeats) = (design.variants.len(), design.plan.repeats());
        let results = tasks::each(tables.len() * repeats * n_variants, threads, progress, |task| {
            let (set, repeat, variant) =
                (task / (repeats * n_variants), task / n_variants % repeats, task % n_variants);
            self.of_repeat(design, variant, (&tables[set], &keys[set]), repeat)
        })?;
        let n_levels: usize = self.series.iter().map(|series| series.levels.len()).sum();
        let of_set = |(set, table): (usize, &Table)| {
            // The folds of all repeats of a variant, at level 0 or one that is disturbed.
            let of = |variant: usize, level: usize| -> Vec<Trial> {
                let at = |repeat: usize| &results[(set * repeats + repeat) * n_variants + variant];
                (0..repeats).flat_map(|repeat| at(repeat).iter().map(|fold| fold[level].clone())).collect()
            };
            let of_level = |level: usize| (0..n_variants).map(|variant| of(variant, level)).collect();
            let disturbed = self.levels().zip(1..=n_levels);
            SetOutcome {
                name: table.name.clone(),
                test_to_train: Splits::dealt(design.plan, table, design.seed).test_to_train,
                undisturbed: of_level(0),
                disturbed: disturbed
                    .map(|((disturbance, level), number)| Level {
                        disturbance,
                        level,
                        variants: of_level(number),
                    })
                    .collect(),
            }
        };
        Ok(Outcome {
            seed: design.seed,
            options: self.clone(),
            variants: design.variants.iter().map(|variant| variant.name.clone()).collect(),
            sets: tables.iter().enumerate().map(of_set).collect(),
        })
    }

    /// All levels of all series.
    fn levels(&self) -> impl Iterator<Item = (Disturbance, f64)> {
        self.series.iter().flat_map(|series| series.levels.iter().map(|&level| (series.disturbance, level)))
    }

    /// The folds of a repeat, and in each the result at level 0 and at all others.
    fn of_repeat(
        &self,
        design: &Design,
        variant: usize,
        (table, key): (&Table, &str),
        repeat: usize,
    ) -> Result<Vec<Vec<Trial>>, ExperimentError> {
        let method = design.variants[variant].method();
        let folds = design.plan.folds_of(table, key, design.seed, repeat)?;
        let of_fold = |fold: usize| -> Vec<Trial> {
            let (train, test) = (folds.train(fold), folds.test(fold));
            let fitted = method.fit(table, &train);
            let first = match &fitted {
                Ok(fitted) => score(&**fitted, table, &test),
                Err(error) => Err(MethodError::failed(error.to_string())),
            };
            let mut trials = vec![Trial::of_fold(first)];
            for (disturbance, level) in self.levels() {
                let name = format!("{} of {key}", disturbance.name());
                let random = generator(design.seed, &name, repeat * folds.n_folds + fold);
                let disturbed = Disturbed::new(table, [&train, &test], (disturbance, level), random);
                let result = disturbed.and_then(|Disturbed { table, train }| match &fitted {
                    Ok(fitted) if disturbance.keeps_training() => score(&**fitted, &table, &test),
                    _ => trained(&*method, &table, [&train, &test]),
                });
                trials.push(Trial::of_fold(result));
            }
            trials
        };
        Ok((0..folds.n_folds).map(of_fold).collect())
    }

    fn check(&self) -> Result<(), ExperimentError> {
        if self.levels().next().is_none() {
            return Err(ExperimentError::Option {
                name: "the number of levels",
                value: 0.0,
                must_be: "at least 1",
            });
        }
        for series in &self.series {
            let (disturbance, levels) = (series.disturbance, &series.levels);
            let error = |level: f64, must_be| ExperimentError::Level {
                disturbance: disturbance.name(),
                level,
                must_be,
            };
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

/// Trains and tests.
fn trained(
    method: &dyn Method,
    table: &Table,
    [train, test]: [&[usize]; 2],
) -> Result<crate::Values, MethodError> {
    method.fit(table, train).and_then(|fitted| score(&*fitted, table, test))
}

impl Trial {
    /// A result of a fold, whose rows are too few for a calibration error.
    fn of_fold(result: Result<crate::Values, MethodError>) -> Self {
        Self::new(result.map(|values| values.of_fold()))
    }
}

#[cfg(test)]
mod tests;
