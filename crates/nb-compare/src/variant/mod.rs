//! Variants: what is compared, as a design says it.

mod answers;
mod dependent;
mod presets;
mod read;
mod smoothing;
mod tune;

use nb_calibration::Calibration;
use nb_core::Prior;
use nb_private::Budget;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

pub use answers::AnswerFile;
pub use dependent::DependentChoice;
pub use smoothing::{HdpChoice, SmoothingChoice};
pub use tune::Tune;

use crate::{
    Method,
    method::{
        CalibratedMethod, CategoryModel, ColumnModel, CountRatioMethod, DirichletMultinomialMethod,
        LogisticMethod, NaiveBayesMethod, PriorMethod, PrivateMethod, RefinedMethod, TunedMethod,
        WrongGaussian, WrongRule,
    },
};

/// A variant: a way to learn with its options, and the name it goes by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Variant {
    /// The name in reports, different for each variant of a design.
    pub name: String,
    /// How posteriors are calibrated, if they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<CalibrationChoice>,
    /// Which options are tuned, if any are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tune: Option<Tune>,
    /// The way to learn.
    #[serde(flatten)]
    pub learner: Learner,
}

/// How posteriors are calibrated: on scores of the training rows that are cross-validated with five folds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum CalibrationChoice {
    /// Temperature scaling.
    Temperature,
    /// Platt's sigmoid.
    Platt,
    /// Isotonic regression.
    Isotonic,
}

/// How many folds calibration scores the training rows with.
const CALIBRATION_FOLDS: usize = 5;

/// A way to learn with its options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "kebab-case", deny_unknown_fields, remote = "Self")]
#[non_exhaustive]
#[expect(clippy::large_enum_variant, reason = "a design has a few of them")]
pub enum Learner {
    /// Naive Bayes with a family for each kind of column.
    NaiveBayes {
        /// For columns of numbers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        numeric: Option<ColumnModel>,
        /// For columns of counts and for documents.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        count: Option<ColumnModel>,
        /// For the terms of texts: if none is given, that for counts if it is one for counts only, else
        /// multinomial.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<ColumnModel>,
        /// The pseudo-count of categories.
        #[serde(default = "crate::method::one")]
        l: f64,
        /// How categories are modelled.
        #[serde(default, skip_serializing_if = "is_default")]
        categories: CategoryModel,
        /// The prior of the classes.
        #[serde(default)]
        prior: PriorChoice,
    },
    /// A family of columns that depend on one another, with numbers discretised: `method` is the name of the
    /// family.
    #[serde(skip)]
    Dependent(DependentChoice),
    /// Naive Bayes on bins and categories with a weight per column and, unless only weights are wanted, a
    /// correction per bin and category, by conditional likelihood.
    Refined {
        /// Whether there are weights alone.
        #[serde(default)]
        weights_only: bool,
        /// About how many bins a column of numbers has.
        #[serde(default = "bins")]
        bins: usize,
        /// The most pairs of columns that have corrections, for each column: none in designs that do not say
        /// it.
        #[serde(default, skip_serializing_if = "is_default")]
        pairs: usize,
        /// Whether columns of numbers have slopes beside their bins: not in designs that do not say it.
        #[serde(default, skip_serializing_if = "is_default")]
        slopes: bool,
        /// How categories are modelled.
        #[serde(default, skip_serializing_if = "is_default")]
        categories: CategoryModel,
    },
    /// Naive Bayes with Dirichlet-multinomial distributions, for documents and tables of counts.
    DirichletMultinomial {
        /// How many rows with a single occurrence are added for each column.
        #[serde(default = "crate::method::one")]
        l: f64,
    },
    /// Logistic regression on log-count ratios, for documents and tables of counts.
    CountRatio {
        /// The pseudo-count of the ratios.
        #[serde(default = "crate::method::one")]
        alpha: f64,
        /// Whether counts are taken as 0 or 1.
        #[serde(default = "yes")]
        binarize: bool,
        /// The penalty.
        #[serde(default = "crate::method::one")]
        l2: f64,
    },
    /// Logistic regression with a penalty on squares of weights.
    Logistic {
        /// The penalty.
        #[serde(default = "crate::method::one")]
        l2: f64,
    },
    /// The class prior alone.
    Prior {},
    /// Normal distributions and categories from sums with noise: differential privacy.
    Private {
        /// The budget of pure differential privacy; 1 if none is given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        epsilon: Option<f64>,
        /// The budget of concentrated differential privacy, in place of the other.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rho: Option<f64>,
        /// The seed of the noise.
        #[serde(default)]
        seed: u64,
    },
    /// No learning: the answers of another program, from a file.
    Answers(AnswerFile),
    /// Gaussian naive Bayes computed wrongly on purpose, to show what that does.
    Wrong {
        /// What is wrong.
        how: WrongRule,
    },
}

fn bins() -> usize {
    nb_discriminative::Learner::default().bins
}

/// Designs do not write what they need not.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn yes() -> bool {
    true
}

/// Where the prior probabilities of the classes come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PriorChoice {
    /// The shares of the classes in the training rows.
    #[default]
    Empirical,
    /// The same for every class.
    Uniform,
}

/// Why a variant cannot be understood.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VariantError {
    /// There is no variant of this name.
    #[error("there is no variant `{name}`; there are {}", known.join(", "))]
    Unknown {
        /// The name.
        name: String,
        /// The names that exist.
        known: Vec<&'static str>,
    },
    /// An option is not understood.
    #[error("variant `{variant}`: {problem}")]
    Option {
        /// The variant as it was written.
        variant: String,
        /// What is wrong with it.
        problem: String,
    },
}

impl Variant {
    /// The names that [`parse`](Self::parse) knows, with what they mean.
    pub fn presets() -> impl Iterator<Item = (&'static str, &'static str)> {
        presets::all()
    }

    /// Reads a variant as it is written on a command line: a name, and options behind a colon. Options are
    /// those of the design file; what belongs to a kind of columns has its name before a dot.
    ///
    /// ```
    /// use nb_compare::Variant;
    ///
    /// let variant = Variant::parse("gaussian:numeric.floor=1e-6,prior=uniform,name=wide")?;
    /// assert_eq!(variant.name, "wide");
    /// assert!(Variant::parse("gausian").is_err());
    /// # Ok::<(), nb_compare::VariantError>(())
    /// ```
    ///
    /// # Errors
    /// [`VariantError`] says which part is not understood.
    pub fn parse(text: &str) -> Result<Self, VariantError> {
        let (preset, options) = text.split_once(':').unwrap_or((text, ""));
        let mut table = presets::table(preset)?;
        let problem = |problem: String| VariantError::Option { variant: text.to_owned(), problem };
        for option in split_options(options).into_iter().filter(|option| !option.trim().is_empty()) {
            let (key, value) = option
                .split_once('=')
                .ok_or_else(|| problem(format!("`{option}` is no option; write `option=value`")))?;
            merge(&mut table, one_option(key.trim(), value.trim()).map_err(problem)?);
        }
        let name = if options.is_empty() { preset } else { text };
        table.entry("name").or_insert_with(|| name.into());
        Self::from_table(table).map_err(problem)
    }

    /// Reads a variant of a design file, which may begin with a `preset`.
    pub(crate) fn from_table(mut table: toml::Table) -> Result<Self, String> {
        if let Some(preset) = table.remove("preset") {
            let name = preset.as_str().ok_or("`preset` is the name of a variant")?;
            let mut base = presets::table(name).map_err(|error| error.to_string())?;
            base.insert("name".into(), name.into());
            merge(&mut base, table);
            table = base;
        }
        let name = table.remove("name").ok_or("a variant needs a `name`, or a `preset`")?;
        let name =
            name.as_str().filter(|name| !name.trim().is_empty()).ok_or("`name` is a text, and not empty")?;
        let name = name.to_owned();
        let calibration = table.remove("calibration").map(toml::Value::try_into).transpose();
        let calibration = calibration.map_err(|error: toml::de::Error| error.message().trim().to_owned())?;
        let tune = table.remove("tune").map(Tune::from_value).transpose()?;
        let learner = Learner::from_table(&table)?;
        if let Some(tune) = &tune {
            tune.candidates(&learner)?;
        }
        if matches!(learner, Learner::Answers(_)) && (calibration.is_some() || tune.is_some()) {
            return Err("answers of another program are neither tuned nor calibrated here".into());
        }
        Ok(Self { name, calibration, tune, learner })
    }

    /// The way to learn.
    pub fn method(&self) -> Box<dyn Method> {
        let method: Box<dyn Method> = match &self.tune {
            None => self.learner.method(),
            Some(tune) => {
                // They were read when the variant was.
                let candidates = tune.candidates(&self.learner).unwrap_or_default();
                let candidates =
                    candidates.into_iter().map(|(name, learner)| (name, learner.method())).collect();
                Box::new(TunedMethod::new(candidates, tune.by, tune.folds))
            }
        };
        let calibration = match self.calibration {
            None => return method,
            Some(CalibrationChoice::Temperature) => Calibration::Temperature,
            Some(CalibrationChoice::Platt) => Calibration::Platt,
            Some(CalibrationChoice::Isotonic) => Calibration::Isotonic,
        };
        Box::new(CalibratedMethod::new(method, calibration, CALIBRATION_FOLDS))
    }
}

impl Learner {
    /// Reads a way to learn, and refuses options that do not go together.
    fn from_table(table: &toml::Table) -> Result<Self, String> {
        let mut learner = read::read(table)?;
        if let Self::Private { epsilon, rho, .. } = &mut learner {
            let budget = match (&epsilon, &rho) {
                (Some(_), Some(_)) => return Err("give either epsilon or rho".into()),
                (None, None) => *epsilon.insert(1.0),
                (Some(budget), None) | (None, Some(budget)) => *budget,
            };
            if !(budget > 0.0 && budget <= 1024.0) {
                return Err(format!("a budget of {budget}; it must be above 0 and at most 1024"));
            }
        }
        Ok(learner)
    }

    fn method(&self) -> Box<dyn Method> {
        match self.clone() {
            Learner::NaiveBayes { numeric, count, text, l, categories, prior } => {
                Box::new(NaiveBayesMethod { numeric, count, text, l, categories, prior: prior.into() })
            }
            Learner::Dependent(choice) => Box::new(choice.method()),
            Learner::DirichletMultinomial { l } => Box::new(DirichletMultinomialMethod { l }),
            Learner::CountRatio { alpha, binarize, l2 } => Box::new(CountRatioMethod { alpha, binarize, l2 }),
            Learner::Refined { weights_only, bins, pairs, slopes, categories } => {
                let mut learner = nb_discriminative::Learner::default().with_bins(bins);
                learner.pairs_per_column = pairs;
                if !slopes {
                    learner.slope_penalties.clear();
                }
                Box::new(RefinedMethod {
                    learner: if weights_only { learner.weights_only() } else { learner },
                    categories,
                })
            }
            Learner::Logistic { l2 } => Box::new(LogisticMethod { l2 }),
            Learner::Prior {} => Box::<PriorMethod>::default(),
            Learner::Private { epsilon, rho, seed } => {
                let budget = match rho {
                    Some(rho) => Budget::Concentrated { rho },
                    None => Budget::Pure { epsilon: epsilon.unwrap_or(1.0) },
                };
                Box::new(PrivateMethod { budget, seed })
            }
            Learner::Answers(answers) => Box::new(answers::NoAnswers(answers.file)),
            Learner::Wrong { how } => Box::new(WrongGaussian { rule: how }),
        }
    }
}

impl Serialize for Learner {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Dependent(choice) => choice.serialize(serializer),
            other => Self::serialize(other, serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Learner {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let table = serde_json::Map::deserialize(deserializer)?;
        let method = table.get("method").and_then(serde_json::Value::as_str).unwrap_or_default().to_owned();
        if dependent::names().any(|name| name == method) {
            return DependentChoice::from_table(&table).map(Self::Dependent).map_err(D::Error::custom);
        }
        Self::deserialize(serde_json::Value::Object(table)).map_err(|error| {
            let error = error.to_string();
            let is_unknown = error.starts_with(&format!("unknown variant `{method}`"));
            let names: Vec<String> = dependent::names().map(|name| format!("`{name}`")).collect();
            let expected = "expected one of ";
            let known = format!("{expected}{}, ", names.join(", "));
            let known = if is_unknown { &known } else { expected };
            D::Error::custom(error.replacen(expected, known, 1))
        })
    }
}

impl From<PriorChoice> for Prior {
    fn from(choice: PriorChoice) -> Self {
        match choice {
            PriorChoice::Empirical => Self::Empirical,
            PriorChoice::Uniform => Self::Uniform,
        }
    }
}

/// Options between commas; those of a list are part of it.
fn split_options(options: &str) -> Vec<&str> {
    let mut depth = 0;
    options
        .split(move |letter| {
            match letter {
                '[' | '{' => depth += 1,
                ']' | '}' => depth -= 1,
                _ => {}
            }
            letter == ',' && depth == 0
        })
        .collect()
}

/// An option as a table; a value that is not TOML is a text.
fn one_option(key: &str, value: &str) -> Result<toml::Table, String> {
    let bare = format!("{key} = {value}");
    let quoted = || format!("{key} = {}", toml::Value::from(value));
    toml::from_str(&bare)
        .or_else(|_| toml::from_str(&quoted()))
        .map_err(|_| format!("`{key}` is no name of an option"))
}

/// Options of which the value is one of several, with its own number.
const CHOICES: [&str; 2] = ["bins", "bandwidth"];

/// Puts the entries of one table over those of another, by whichever of its names an option is called.
fn merge(base: &mut toml::Table, over: toml::Table) {
    for (key, value) in over {
        for other in dependent::other_names(&key) {
            base.remove(&other);
        }
        match (base.get_mut(&key), value) {
            // Of ways to find bins and of bandwidths there is one, and the other one goes.
            (Some(toml::Value::Table(base)), toml::Value::Table(over))
                if !CHOICES.contains(&key.as_str()) =>
            {
                merge(base, over);
            }
            (_, value) => {
                base.insert(key, value);
            }
        }
    }
}
