//! Options that are tuned: a grid of their values.

use serde::{Deserialize, Serialize};

use super::{Learner, merge};
use crate::Measure;

/// More combinations than anybody waits for.
const MOST: usize = 10_000;

/// Options of which the best values are looked for by cross-validation within the training rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Tune {
    /// By which measure values are judged.
    #[serde(default = "measure")]
    pub by: Measure,
    /// How many folds the training rows are dealt into.
    #[serde(default = "folds")]
    pub folds: usize,
    /// The values of each option, with options and their parts as in the variant itself.
    #[serde(flatten)]
    pub grid: toml::Table,
}

fn measure() -> Measure {
    Measure::LogLoss
}

fn folds() -> usize {
    5
}

impl Tune {
    /// Reads what a variant says of tuning.
    pub(super) fn from_value(value: toml::Value) -> Result<Self, String> {
        let toml::Value::Table(keys) = &value else {
            return Err(format!(
                "tune is {value}, and must have options with lists of values, such as tune.l = [0.1, 1, 10]"
            ));
        };
        if keys.contains_key("method") {
            return Err("tune.method: ways to learn are compared as variants, not tuned".into());
        }
        let tune: Self = value.try_into().map_err(|error| format!("tune: {}", error.message().trim()))?;
        if tune.by.needs_positive() {
            return Err(format!(
                "tune.by is {}, which needs a positive class; tune by f1 of all classes (macro-f1)",
                tune.by.key()
            ));
        }
        if tune.by.needs_coverage() {
            return Err(format!(
                "tune.by is {}, which is of prediction sets; tune by log-loss",
                tune.by.key()
            ));
        }
        if tune.folds < 2 {
            return Err(format!("tune.folds is {}, but must be at least 2", tune.folds));
        }
        Ok(tune)
    }

    /// All ways to learn in the grid, each with what it is in words. The first option varies slowest.
    pub(super) fn candidates(&self, learner: &Learner) -> Result<Vec<(String, Learner)>, String> {
        let base = toml::Table::try_from(learner).map_err(|error| error.to_string())?;
        let mut axes = Vec::new();
        axes_of(&self.grid, &mut Vec::new(), &mut axes)?;
        if axes.is_empty() {
            return Err(
                "tune has no options; give one of them a list of values, such as l = [0.1, 1, 10]".into()
            );
        }
        let n: usize = axes.iter().map(|(_, values)| values.len()).product();
        if n > MOST {
            return Err(format!("the grid has {n} combinations, and may have {MOST}"));
        }
        let mut combinations: Vec<(Vec<String>, toml::Table)> = vec![(Vec::new(), base)];
        for (path, values) in &axes {
            let with = |(words, table): &(Vec<String>, toml::Table), value: &toml::Value| {
                let (mut words, mut table) = (words.clone(), table.clone());
                words.push(format!("{}={}", path.join("."), shown(value)));
                merge(&mut table, nested(path, value.clone()));
                (words, table)
            };
            combinations = combinations
                .iter()
                .flat_map(|combination| values.iter().map(move |value| with(combination, value)))
                .collect();
        }
        let learner = |(words, table): (Vec<String>, toml::Table)| {
            let name = words.join(",");
            let learner = Learner::from_table(&table);
            let learner = learner.map_err(|problem| format!("tune, with {name}: {problem}"))?;
            Ok((name, learner))
        };
        combinations.into_iter().map(learner).collect()
    }
}

/// The options of a grid, by their paths.
fn axes_of(
    grid: &toml::Table,
    path: &mut Vec<String>,
    axes: &mut Vec<(Vec<String>, Vec<toml::Value>)>,
) -> Result<(), String> {
    for (key, value) in grid {
        path.push(key.clone());
        match value {
            toml::Value::Table(parts) => axes_of(parts, path, axes)?,
            toml::Value::Array(values) if !values.is_empty() => axes.push((path.clone(), values.clone())),
            other => {
                return Err(format!(
                    "tune.{}: {other} is no list of values, such as [0.1, 1, 10]",
                    path.join(".")
                ));
            }
        }
        path.pop();
    }
    Ok(())
}

fn nested(path: &[String], value: toml::Value) -> toml::Table {
    match path {
        [] => toml::Table::new(),
        [last] => [(last.clone(), value)].into_iter().collect(),
        [first, rest @ ..] => [(first.clone(), nested(rest, value).into())].into_iter().collect(),
    }
}

/// A value as it is written on a command line.
fn shown(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        // The shortest digits that are read as the same number.
        toml::Value::Float(number) => format!("{number:?}"),
        other => other.to_string(),
    }
}
