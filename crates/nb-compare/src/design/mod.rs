//! Designs: everything that decides the results of a comparison.

mod error;
mod set;
mod suite;

use serde::{Deserialize, Serialize};

pub use error::DesignError;
pub use set::{FileSet, Set};

use crate::{
    Condition, Measure, Plan, PlanError, Table, Variant,
    experiment::{Study, learning_curve::LearningCurve},
    run::Wanted,
};

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
    /// Differences of the measure up to this are practically none: half the width of the region of practical
    /// equivalence.
    pub region: f64,
    /// The measure that variants are ranked by.
    pub measure: Measure,
    /// The class that precision, recall, F1 and AUC are of, on the data sets that have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positive: Option<String>,
    /// The column whose groups measures of fairness compare, on the data sets that have it and the positive
    /// class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protected: Option<String>,
    /// The coverage that prediction sets are made for, if they are wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<f64>,
    /// Baseline variant, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// The names of the data sets: embedded ones, or files.
    pub sets: Vec<Set>,
    /// How rows are split.
    pub plan: Plan,
    /// What is varied beside these, if something is: the number of training rows, or the state of the data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub experiment: Option<Study>,
    /// Whether the log-posteriors of all tested rows are kept, which takes the memory of as many numbers.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub predictions: bool,
    /// What is compared.
    pub variants: Vec<Variant>,
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
    #[serde(default = "region")]
    region: f64,
    #[serde(default = "measure")]
    measure: Measure,
    #[serde(default)]
    positive: Option<String>,
    #[serde(default)]
    protected: Option<String>,
    #[serde(default)]
    coverage: Option<f64>,
    #[serde(default)]
    baseline: Option<String>,
    sets: Vec<toml::Value>,
    plan: Option<Plan>,
    experiment: Option<Study>,
    #[serde(default)]
    predictions: bool,
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

fn region() -> f64 {
    0.01
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
            region: region(),
            measure: measure(),
            positive: None,
            protected: None,
            coverage: None,
            baseline: None,
            sets,
            plan: plan(),
            experiment: None,
            predictions: false,
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
        let design = Self {
            title: file.title,
            seed: file.seed,
            alpha: file.alpha,
            region: file.region,
            measure: file.measure,
            positive: file.positive,
            protected: file.protected,
            coverage: file.coverage,
            baseline: file.baseline,
            sets: file.sets.into_iter().map(Set::from_value).collect::<Result<_, _>>()?,
            plan: file.plan.unwrap_or(match file.experiment {
                Some(Study::LearningCurve(_)) => LearningCurve::PLAN,
                _ => plan(),
            }),
            experiment: file.experiment,
            predictions: file.predictions,
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
        let sets = self.set_names();
        let sets: Vec<&str> = sets.iter().map(String::as_str).collect();
        if let Some(name) = twice(&names).or_else(|| twice(&sets)) {
            return Err(DesignError::Twice(name.to_owned()));
        }
        if !(self.alpha > 0.0 && self.alpha < 1.0) {
            return Err(DesignError::Alpha(self.alpha));
        }
        if !(self.region >= 0.0 && self.region.is_finite()) {
            return Err(DesignError::Region(self.region));
        }
        if self.measure.needs_positive() && self.positive.is_none() {
            return Err(DesignError::Positive(self.measure.title()));
        }
        if self.measure.needs_protected() && self.protected.is_none() {
            return Err(DesignError::Protected(self.measure.title()));
        }
        if self.protected.is_some() && self.positive.is_none() {
            return Err(DesignError::Positive("fairness"));
        }
        if let Some(coverage) = self.coverage.filter(|coverage| !(*coverage > 0.0 && *coverage < 1.0)) {
            return Err(DesignError::Coverage(coverage));
        }
        if self.measure.needs_coverage() && self.coverage.is_none() {
            return Err(DesignError::NoCoverage(self.measure.title()));
        }
        if !self.measure.is_ranked() {
            return Err(DesignError::Unranked(self.measure.title()));
        }
        match &self.baseline {
            Some(baseline) if !names.contains(&baseline.as_str()) => Err(DesignError::Baseline {
                baseline: baseline.clone(),
                variants: names.into_iter().map(str::to_owned).collect(),
            }),
            _ => {
                self.plan.check()?;
                let Some(study) = &self.experiment else { return Ok(()) };
                match self.variants.iter().find(|variant| variant.answers().is_some()) {
                    Some(variant) => Err(DesignError::Answers(variant.name.clone())),
                    None => study.check(self.plan),
                }
            }
        }
    }
}

impl Design {
    /// The names of the data sets in results and reports, in the order of the design: that of an embedded
    /// set, that which the design gives a file, or else the name of the file. Where two of the latter are
    /// alike, they get as many of their folders as tell them apart.
    ///
    /// ```
    /// let design = nb_compare::Design::from_toml(r#"
    ///     sets = ["iris", { file = "./2024/a.csv" }, { file = "2025/a.csv" }, { file = "/data/b.csv" }, { file = "c.csv", name = "c" }]
    ///     variants = ["gaussian"]
    /// "#)?;
    /// assert_eq!(design.set_names(), ["iris", "2024/a.csv", "2025/a.csv", "b.csv", "c"]);
    /// # Ok::<(), nb_compare::DesignError>(())
    /// ```
    pub fn set_names(&self) -> Vec<String> {
        let names = |n_parts: &[usize]| -> Vec<String> {
            self.sets.iter().zip(n_parts).map(|(set, &n_parts)| set.name(n_parts)).collect()
        };
        let mut n_parts = vec![1; self.sets.len()];
        loop {
            let found = names(&n_parts);
            let is_duplicate = |place: usize| found.iter().filter(|name| **name == found[place]).count() > 1;
            let can_grow = |place: usize| self.sets[place].name(n_parts[place] + 1) != found[place];
            let growing: Vec<usize> =
                (0..found.len()).filter(|&place| is_duplicate(place) && can_grow(place)).collect();
            if growing.is_empty() {
                return found;
            }
            for place in growing {
                n_parts[place] += 1;
            }
        }
    }

    /// The conditions under which variants are tried on a table of this [`Table::split_key`].
    pub(crate) fn conditions(&self, table: &Table, key: &str) -> Result<Vec<Condition>, PlanError> {
        match &self.experiment {
            None => Ok(vec![Condition::Plain]),
            Some(study) => study.conditions((self.plan, self.seed), table, key),
        }
    }

    /// What is measured of answers to the rows of a table besides what there always is.
    pub(crate) fn wanted_of(&self, table: &Table) -> Wanted {
        let place = |positive| table.classes.iter().position(|class| class == positive);
        Wanted {
            positive: self.positive.as_ref().and_then(place),
            coverage: self.coverage,
            protected: self.protected.as_ref().and_then(|column| table.protected_by(column)),
        }
    }

    /// The design with names of data sets in place of paths: what results are of, wherever the files are.
    pub(crate) fn without_paths(&self) -> Self {
        let sets = self.set_names().into_iter().zip(&self.sets).map(|(name, set)| match set {
            Set::Embedded(_) => Set::Embedded(name),
            Set::File(set) => Set::File(set.without_paths(name)),
        });
        Self { sets: sets.collect(), ..self.clone() }
    }

    /// The design of the results that are made here: without answers of other programs, which take part in
    /// none of them.
    pub(crate) fn of_results(&self) -> Self {
        let mut design = self.without_paths();
        design.variants.retain(|variant| variant.answers().is_none());
        let is_left = |name: &String| design.variants.iter().any(|variant| variant.name == *name);
        design.baseline = design.baseline.take().filter(is_left);
        design
    }
}

/// The first duplicate name.
fn twice<'a>(names: &[&'a str]) -> Option<&'a str> {
    names.iter().enumerate().find(|(position, name)| names[..*position].contains(name)).map(|(_, name)| *name)
}
