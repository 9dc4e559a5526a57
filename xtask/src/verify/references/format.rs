//! The reference files; `data/README.md` describes them.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, de};

use crate::verify::check::Problem;

/// All that is known about one data set.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reference {
    /// Name of the reference, which is not always that of the data set.
    pub(crate) dataset: String,
    /// The classes, sorted as byte strings.
    pub(crate) classes: Vec<String>,
    pub(crate) rows_total: usize,
    #[serde(default)]
    pub(crate) numeric_features: Features,
    #[serde(default)]
    pub(crate) categorical_features: Vec<String>,
    /// The values of each categorical feature, in the order of their codes.
    #[serde(default)]
    pub(crate) levels: Vec<Vec<String>>,
    /// The means of each class over all training rows; absent for wide sets.
    #[serde(default)]
    pub(crate) means: Matrix,
    pub(crate) variants: BTreeMap<String, Variant>,
}

/// Names of features, or their number if it is all of them.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Features {
    Names(Vec<String>),
    All(usize),
}

impl Default for Features {
    fn default() -> Self {
        Self::Names(Vec::new())
    }
}

/// The numbers of one model; a model that does not exist has none.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Variant {
    pub(crate) spec: Spec,
    pub(crate) undefined: Option<Undefined>,
    #[serde(default)]
    pub(crate) log_prior: Vec<Decimal>,
    /// By class, then feature; by feature only where the classes share it.
    #[serde(default)]
    variance: serde_json::Value,
    /// By feature, class and level.
    #[serde(default)]
    pub(crate) log_probability: Vec<Matrix>,
    /// By class, then feature; the first features of wide sets.
    #[serde(default)]
    pub(crate) log_theta: Matrix,
    /// As `log_theta`.
    #[serde(default)]
    pub(crate) weights: Matrix,
    /// The rows of the file for which there are scores.
    #[serde(default)]
    pub(crate) rows: Vec<usize>,
    /// Joint log-likelihoods, by row, then class.
    #[serde(default)]
    pub(crate) jll: Matrix,
    /// By row, then class; `None` for a row that no class can produce.
    #[serde(default)]
    pub(crate) log_posterior: Vec<Vec<Option<Decimal>>>,
    #[serde(default, deserialize_with = "labels")]
    pub(crate) labels: Vec<Option<usize>>,
    /// Rows of the file with exactly equal best classes.
    #[serde(default, deserialize_with = "ties")]
    pub(crate) ties: BTreeMap<usize, Vec<usize>>,
    #[serde(default)]
    pub(crate) correct: usize,
}

impl Variant {
    /// The variances by class, then feature; empty for wide sets. A variance that is shared stands under
    /// every class.
    pub(crate) fn variances(&self, n_classes: usize) -> Result<Matrix, serde_json::Error> {
        if self.variance.is_null() {
            return Ok(Matrix::new());
        }
        if self.spec.shared_variance {
            return Ok(vec![Vec::deserialize(&self.variance)?; n_classes]);
        }
        Matrix::deserialize(&self.variance)
    }

    /// The logarithms of the variances, which may be outside the range of doubles themselves.
    pub(crate) fn log_variances(&self, n_classes: usize) -> Result<Vec<Vec<f64>>, Problem> {
        let row = |value: &serde_json::Value| -> Result<Vec<f64>, Problem> {
            Vec::<String>::deserialize(value)?.iter().map(|text| log_of(text)).collect()
        };
        match &self.variance {
            serde_json::Value::Array(_) if self.spec.shared_variance => {
                Ok(vec![row(&self.variance)?; n_classes])
            }
            serde_json::Value::Array(classes) => classes.iter().map(row).collect(),
            _ => Ok(Vec::new()),
        }
    }
}

/// The natural logarithm of a decimal such as `1.5e-620`.
fn log_of(text: &str) -> Result<f64, Problem> {
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    Ok(digits.parse::<f64>()?.ln() + exponent.parse::<f64>()? * std::f64::consts::LN_10)
}

/// The model of a variant.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Spec {
    pub(crate) model: Family,
    #[serde(default)]
    pub(crate) shared_variance: bool,
    #[serde(default)]
    pub(crate) var_smoothing: f64,
    #[serde(default)]
    pub(crate) ddof: u8,
    #[serde(default)]
    pub(crate) l: f64,
    #[serde(default)]
    pub(crate) norm: bool,
    /// Absent for the complement model, which has none.
    pub(crate) prior: Option<PriorKind>,
    pub(crate) split: Option<Split>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Family {
    Gaussian,
    Multinomial,
    Bernoulli,
    Complement,
    Categorical,
    /// Gaussian on the numeric, categorical on the other features.
    Mixed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PriorKind {
    Empirical,
    Uniform,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Split {
    EvenTrainOddTest,
}

/// Why a model does not exist.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Undefined {
    pub(crate) reason: String,
    /// How many pairs of class and feature are at fault.
    pub(crate) count: usize,
    /// The first of them; no class where the classes share the parameter.
    pub(crate) where_class_feature: Vec<(Option<usize>, usize)>,
}

/// The double nearest to a number that the file writes as a decimal of up to 30 digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Decimal(pub(crate) f64);

pub(crate) type Matrix = Vec<Vec<Decimal>>;

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Self).map_err(de::Error::custom)
    }
}

/// Labels are one character a row, or numbers if there are more classes than characters.
fn labels<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Option<usize>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Labels {
        Characters(String),
        Numbers(Vec<usize>),
    }
    match Labels::deserialize(deserializer)? {
        Labels::Numbers(numbers) => Ok(numbers.into_iter().map(Some).collect()),
        Labels::Characters(text) => {
            text.chars().map(|character| label(character).map_err(de::Error::custom)).collect()
        }
    }
}

/// 0-9, A-Z and a-z are classes, a point is no label.
fn label(character: char) -> Result<Option<usize>, String> {
    let class = match character {
        '.' => return Ok(None),
        '0'..='9' => character as usize - '0' as usize,
        'A'..='Z' => character as usize - 'A' as usize + 10,
        'a'..='z' => character as usize - 'a' as usize + 36,
        _ => return Err(format!("{character:?} is no label")),
    };
    Ok(Some(class))
}

/// JSON keys are strings.
fn ties<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<usize, Vec<usize>>, D::Error> {
    let ties = BTreeMap::<String, Vec<usize>>::deserialize(deserializer)?;
    let parse = |(row, classes): (String, _)| Ok((row.parse().map_err(de::Error::custom)?, classes));
    ties.into_iter().map(parse).collect()
}

#[cfg(test)]
impl Variant {
    /// Makes the first variance wrong in its tenth digit.
    pub(super) fn disturb_variance(&mut self) {
        let first = &mut self.variance[0][0];
        let text = first.as_str().unwrap_or_default();
        let wrong = text.parse::<f64>().unwrap_or_default() * (1.0 + 1e-10);
        *first = format!("{wrong:e}").into();
    }
}
