//! Published experiments by name, with their options and results.

use std::{num::NonZeroUsize, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{
    ExperimentError, Progress,
    assumptions::{self, Assumptions},
    ng_jordan::{self, NgJordan},
    truncation::{self, Truncation},
};

/// An experiment, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Experiment {
    /// [`ng_jordan`]: learning curves of naive Bayes and logistic regression.
    NgJordan,
    /// [`assumptions`]: where the coefficients of both agree.
    Assumptions,
    /// [`truncation`]: what truncated densities do.
    Truncation,
}

/// The options of all experiments.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {
    /// Random seed.
    pub seed: u64,
    /// The options of [`Experiment::NgJordan`].
    pub ng_jordan: NgJordan,
    /// The options of [`Experiment::Assumptions`].
    pub assumptions: Assumptions,
    /// The options of [`Experiment::Truncation`].
    pub truncation: Truncation,
}

/// What came of an experiment, with the options that it can be repeated from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "experiment", rename_all = "kebab-case")]
pub enum Results {
    /// Of [`Experiment::NgJordan`].
    NgJordan {
        /// The seed.
        seed: u64,
        /// The options.
        options: NgJordan,
        /// One for each problem.
        curves: Vec<ng_jordan::Curve>,
    },
    /// Of [`Experiment::Assumptions`].
    Assumptions {
        /// The seed.
        seed: u64,
        /// The options.
        options: Assumptions,
        /// One for each scenario.
        outcomes: Vec<assumptions::Outcome>,
    },
    /// Of [`Experiment::Truncation`].
    Truncation {
        /// The seed.
        seed: u64,
        /// The options.
        options: Truncation,
        /// All that was seen.
        outcome: truncation::Outcome,
    },
}

impl Experiment {
    /// All experiments.
    pub const ALL: [Self; 3] = [Self::NgJordan, Self::Assumptions, Self::Truncation];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::NgJordan => "ng-jordan",
            Self::Assumptions => "assumptions",
            Self::Truncation => "truncation",
        }
    }

    /// Carries the experiment out. The results depend on the options and on nothing else. `progress` hears
    /// how much of the work is done; if it breaks off there are no results.
    ///
    /// # Errors
    /// [`ExperimentError`] if an option is out of range, a learner fails or `progress` breaks off.
    pub fn run(
        self,
        options: &Options,
        threads: NonZeroUsize,
        progress: Progress<'_>,
    ) -> Result<Results, ExperimentError> {
        let seed = options.seed;
        Ok(match self {
            Self::NgJordan => Results::NgJordan {
                seed,
                options: options.ng_jordan.clone(),
                curves: options.ng_jordan.run(seed, threads, progress)?,
            },
            Self::Assumptions => Results::Assumptions {
                seed,
                options: options.assumptions,
                outcomes: options.assumptions.run(seed, threads, progress)?,
            },
            Self::Truncation => Results::Truncation {
                seed,
                options: options.truncation.clone(),
                outcome: options.truncation.run(seed, threads, progress)?,
            },
        })
    }
}

impl FromStr for Experiment {
    type Err = ExperimentError;

    fn from_str(name: &str) -> Result<Self, ExperimentError> {
        Self::ALL.into_iter().find(|experiment| experiment.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).to_vec();
            ExperimentError::NoSuchExperiment { name: name.to_owned(), names }
        })
    }
}
