//! Designs: everything that decides the results of a comparison.

use serde::{Deserialize, Serialize};

use crate::{Measure, Plan, PlanError, Variant};

/// Variants × data sets, and how they are compared. A run can be repeated from it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Design {
    /// What the comparison is called.
    pub title: String,
    /// Random seed.
    pub seed: u64,
    /// Significance level of the tests.
    pub alpha: f64,
    /// The measure that variants are ranked by.
    pub measure: Measure,
    /// Baseline variant, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// The names of the data sets: embedded ones, or files.
    pub sets: Vec<Set>,
    /// How rows are split.
    pub plan: Plan,
    /// What is compared.
    pub variants: Vec<Variant>,
}

/// A data set of a design.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Set {
    /// An embedded data set.
    Embedded(String),
    /// A file, whose reader is not this crate's business.
    File {
        /// Its path.
        file: String,
        /// The column with the classes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        label: Option<String>,
    },
}

/// Why a design cannot be carried out.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DesignError {
    /// The text is no TOML, or has entries that are not understood.
    #[error("the design cannot be read: {0}")]
    Toml(String),
    /// Something is missing.
    #[error("the design has no {0}")]
    Nothing(&'static str),
    /// Two variants or two data sets have the same name.
    #[error("`{0}` is duplicated in the design; give one of them another name")]
    Twice(String),
    /// The baseline is no variant.
    #[error("the baseline `{baseline}` is none of the variants {}", variants.join(", "))]
    Baseline {
        /// The name.
        baseline: String,
        /// Those that exist.
        variants: Vec<String>,
    },
    /// Significance level of the tests is no probability.
    #[error("alpha is {0}, but must be above 0 and below 1")]
    Alpha(f64),
    /// The plan is out of range.
    #[error(transparent)]
    Plan(#[from] PlanError),
}

/// A design as the file has it, before variants are read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    #[serde(default = "title")]
    title: String,
    #[serde(default)]
    seed: u64,
    #[serde(default = "alpha")]
    alpha: f64,
    #[serde(default = "measure")]
    measure: Measure,
    #[serde(default)]
    baseline: Option<String>,
    sets: Vec<Set>,
    #[serde(default = "plan")]
    plan: Plan,
    variants: Vec<Entry>,
}

/// A variant of a design file: as on the command line, or a table.
#[derive(Deserialize)]
#[serde(untagged)]
enum Entry {
    Text(String),
    Table(toml::Table),
}

fn title() -> String {
    "Comparison of naive Bayes variants".to_owned()
}

fn alpha() -> f64 {
    0.05
}

fn measure() -> Measure {
    Measure::Accuracy
}

fn plan() -> Plan {
    Plan::CrossValidation { folds: 10, repeats: 10 }
}

impl Design {
    /// A design of these sets and variants: ten times ten-fold cross-validation, ranked by accuracy, seed 0.
    ///
    /// # Errors
    /// [`DesignError`] if something is missing or is duplicated.
    pub fn new(sets: Vec<Set>, variants: Vec<Variant>) -> Result<Self, DesignError> {
        let design = Self {
            title: title(),
            seed: 0,
            alpha: alpha(),
            measure: measure(),
            baseline: None,
            sets,
            plan: plan(),
            variants,
        };
        design.check()?;
        Ok(design)
    }

    /// Reads a design from TOML.
    ///
    /// ```
    /// let design = nb_compare::Design::from_toml(r#"
    ///     title = "Three variants"
    ///     seed = 1
    ///     sets = ["iris", "wine"]
    ///     variants = ["gaussian", "logistic:l2=0.1", { preset = "gaussian", name = "uniform", prior = "uniform" }]
    ///     plan = { kind = "cross-validation", folds = 5, repeats = 2 }
    /// "#)?;
    /// assert_eq!(design.variants[1].name, "logistic:l2=0.1");
    /// assert_eq!(nb_compare::Design::from_toml(&design.to_toml())?, design);
    /// # Ok::<(), nb_compare::DesignError>(())
    /// ```
    ///
    /// # Errors
    /// [`DesignError`] says what is not understood, missing or out of range.
    pub fn from_toml(text: &str) -> Result<Self, DesignError> {
        let file: File = toml::from_str(text).map_err(|error| DesignError::Toml(error.to_string()))?;
        let variants = file.variants.into_iter().map(|entry| match entry {
            Entry::Text(text) => Variant::parse(&text).map_err(|error| DesignError::Toml(error.to_string())),
            Entry::Table(table) => Variant::from_table(table).map_err(DesignError::Toml),
        });
        let embedded = |set| match set {
            // As on the command line.
            Set::Embedded(name) => Set::Embedded(name.trim_start_matches('@').to_owned()),
            file @ Set::File { .. } => file,
        };
        let design = Self {
            title: file.title,
            seed: file.seed,
            alpha: file.alpha,
            measure: file.measure,
            baseline: file.baseline,
            sets: file.sets.into_iter().map(embedded).collect(),
            plan: file.plan,
            variants: variants.collect::<Result<_, _>>()?,
        };
        design.check()?;
        Ok(design)
    }

    /// Writes the design as TOML, with every option of every variant.
    pub fn to_toml(&self) -> String {
        // All keys are texts and no value is a unit, so that there is nothing to fail on.
        toml::to_string(self).unwrap_or_default()
    }

    /// Refuses a design that cannot be carried out.
    ///
    /// # Errors
    /// [`DesignError`] says why.
    pub fn check(&self) -> Result<(), DesignError> {
        if self.sets.is_empty() {
            return Err(DesignError::Nothing("data sets"));
        }
        if self.variants.is_empty() {
            return Err(DesignError::Nothing("variants"));
        }
        let names: Vec<&str> = self.variants.iter().map(|variant| variant.name.as_str()).collect();
        let sets: Vec<&str> = self.sets.iter().map(Set::name).collect();
        if let Some(name) = twice(&names).or_else(|| twice(&sets)) {
            return Err(DesignError::Twice(name.to_owned()));
        }
        if !(self.alpha > 0.0 && self.alpha < 1.0) {
            return Err(DesignError::Alpha(self.alpha));
        }
        match &self.baseline {
            Some(baseline) if !names.contains(&baseline.as_str()) => Err(DesignError::Baseline {
                baseline: baseline.clone(),
                variants: names.into_iter().map(str::to_owned).collect(),
            }),
            _ => Ok(self.plan.check()?),
        }
    }
}

impl Set {
    /// The name of the set in reports: that of an embedded set, or the path of a file.
    pub fn name(&self) -> &str {
        match self {
            Self::Embedded(name) | Self::File { file: name, .. } => name,
        }
    }
}

/// The first duplicate name.
fn twice<'a>(names: &[&'a str]) -> Option<&'a str> {
    names.iter().enumerate().find(|(position, name)| names[..*position].contains(name)).map(|(_, name)| *name)
}
