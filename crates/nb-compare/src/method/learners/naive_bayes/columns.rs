//! How a kind of column is modelled, as a design says it.

use std::collections::BTreeMap;

use nb_core::{
    Gaussian, Missing, Smoothing, VarianceSmoothing,
    description::{Columns, Parameter, Value, parameters},
};
use nb_io::{BinRule, Family, Registry};
use nb_variants::{Bandwidth, Binned, KernelDensity, PowerTransform, Transform, Transformed};
use ndarray::Array2;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error, ser::SerializeMap};

use crate::method::MethodError;

/// A family for columns of numbers or counts, with its options. Missing cells are left out, in training and
/// in answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum ColumnModel {
    /// A family by its name and hyper-parameters: one of those that [`Registry`] has by default.
    Listed(#[serde(serialize_with = "options")] Family),
    /// A family that looks at training rows before it sums them, or transforms them.
    Learnt(LearntModel),
}

/// A family that [looks at training rows](ColumnModel::Learnt) or transforms them, with its options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "family", rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub enum LearntModel {
    /// Kernel densities (John and Langley 1995) on a grid.
    Kernel {
        /// How wide the kernels are.
        #[serde(default)]
        bandwidth: KernelWidth,
        /// The number of points of the grid of each column.
        #[serde(default = "points")]
        points: usize,
    },
    /// A normal distribution of the logarithm, for positive numbers.
    LogNormal {
        /// A variance is at least this share of the variance of its column.
        #[serde(default = "floor")]
        floor: f64,
    },
    /// A normal distribution after the transform of Yeo and Johnson (2000), with a power learnt for each
    /// column.
    Power {
        /// A variance is at least this share of the variance of its column.
        #[serde(default = "floor")]
        floor: f64,
    },
    /// Bins as categories.
    Binned {
        /// How the bins are found.
        #[serde(default)]
        bins: Discretisation,
        /// The pseudo-count of each bin.
        #[serde(default = "one")]
        l: f64,
    },
}

/// How wide the kernels of a density are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum KernelWidth {
    /// Silverman's rule of thumb.
    #[default]
    Silverman,
    /// Scott's rule of thumb.
    Scott,
    /// The plug-in rule of Sheather and Jones.
    SheatherJones,
    /// Least-squares cross-validation.
    Ucv,
    /// One divided by the root of the number of rows of the class.
    JohnLangley,
    /// A number, in the unit of the columns.
    Fixed(f64),
}

/// How numbers become bins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Discretisation {
    /// By the description length of the classes (Fayyad and Irani 1993).
    #[default]
    Mdl,
    /// The most probable ones (Boullé 2006).
    Modl,
    /// Those of the search of its paper, which may miss the most probable ones.
    ModlGreedy,
    /// Number of bins with about as many training rows each.
    EqualFrequency(usize),
    /// Number of bins of the same width.
    EqualWidth(usize),
    /// As many bins as each has training rows (Yang and Webb 2009).
    Proportional,
}

fn points() -> usize {
    KernelDensity::POINTS
}

pub(crate) fn floor() -> f64 {
    1e-9
}

pub(crate) fn one() -> f64 {
    1.0
}

/// Training rows, as far as a family may look at them before it sums them.
#[derive(Clone, Copy)]
pub(crate) struct Training<'a> {
    /// All rows of the table.
    pub(crate) x: &'a Array2<f64>,
    /// The numbers of the training rows.
    pub(crate) rows: &'a [usize],
    /// Their labels.
    pub(crate) labels: &'a [usize],
}

/// Columns, and their powers.
pub(crate) type Limits = Vec<(usize, f64)>;

/// The names of the families in designs.
const LEARNT: [&str; 4] = ["kernel", "log-normal", "power", "binned"];

impl ColumnModel {
    /// A family with its hyper-parameters; missing cells are left out.
    pub fn listed(family: impl Into<Family>) -> Self {
        let mut family = family.into();
        // Every family of the list can leave them out.
        let _ = family.set(parameters::MISSING.name, &Value::Name("skip".into()));
        Self::Listed(family)
    }

    /// Whether the family looks at training rows before it sums them, so that folds need their own sums.
    pub(crate) fn learns(&self) -> bool {
        matches!(self, Self::Learnt(model) if !matches!(model, LearntModel::LogNormal { .. }))
    }

    /// Whether it is for counts only.
    pub(crate) fn is_for_counts(&self) -> bool {
        let Self::Listed(family) = self else { return false };
        let description = family.description();
        description.columns == Columns::Counts || description.takes_terms
    }

    /// The source of the family in full; empty if there is none.
    pub(crate) fn source(&self) -> &'static str {
        let learnt = |name| {
            let mut descriptions = Family::learnt().into_iter().map(|family| family.description());
            descriptions.find(|description| description.name == name).map_or("", |found| found.source)
        };
        match self {
            Self::Listed(family) => family.description().source,
            Self::Learnt(LearntModel::Kernel { .. }) => learnt("kernel"),
            Self::Learnt(LearntModel::Power { .. }) => learnt("power"),
            Self::Learnt(_) => "",
        }
    }

    /// The family, with all that it learns before rows are summed.
    ///
    /// # Errors
    /// If an option is out of range, or there is nothing to learn from.
    pub(crate) fn family(&self, columns: &[usize], training: Training<'_>) -> Result<Family, MethodError> {
        Ok(self.family_and_limits(columns, training)?.0)
    }

    /// The same, and the columns whose power was cut off where doubles end.
    pub(crate) fn family_and_limits(
        &self,
        columns: &[usize],
        training: Training<'_>,
    ) -> Result<(Family, Limits), MethodError> {
        match self {
            Self::Listed(family) => Ok((family.clone(), Limits::new())),
            Self::Learnt(LearntModel::Power { floor }) => power(*floor, columns, training),
            Self::Learnt(model) => Ok((model.family(columns, training)?, Limits::new())),
        }
    }
}

/// What an option is called.
pub(crate) fn option_name(parameter: &Parameter) -> &'static str {
    if parameter.short.is_empty() { parameter.name } else { parameter.short }
}

/// Whether comparisons decide it: missing cells are left out.
pub(crate) fn is_fixed(parameter: &Parameter) -> bool {
    [parameters::MISSING.name, parameters::UNSEEN.name].contains(&parameter.name)
}

/// A family and its options as designs write them, by their short names where they have one.
fn options<S: Serializer>(family: &Family, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry("family", &family.description().name.replace('_', "-"))?;
    for (parameter, value) in family.settings() {
        if !is_fixed(parameter) {
            entry(&mut map, option_name(parameter), &value)?;
        }
    }
    map.end()
}

/// The value of an option, as designs write it.
pub(crate) fn entry<M: SerializeMap>(map: &mut M, name: &str, value: &Value) -> Result<(), M::Error> {
    match value {
        Value::Number(number) => map.serialize_entry(name, number),
        Value::Numbers(numbers) => map.serialize_entry(name, numbers),
        Value::Flag(flag) => map.serialize_entry(name, flag),
        Value::Name(value) => map.serialize_entry(name, value),
        Value::Amount(rule, number) => map.serialize_entry(name, &BTreeMap::from([(rule, number)])),
    }
}

impl<'de> Deserialize<'de> for ColumnModel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut table = serde_json::Map::deserialize(deserializer)?;
        let name = table.get("family").and_then(serde_json::Value::as_str).map(str::to_owned);
        let name = name.ok_or_else(|| D::Error::missing_field("family"))?;
        if LEARNT.contains(&name.as_str()) {
            let model = serde_json::from_value(serde_json::Value::Object(table));
            return model.map(Self::Learnt).map_err(D::Error::custom);
        }
        let families = Registry::default();
        let unknown = |_| {
            let listed = families.descriptions().map(|description| description.name.replace('_', "-"));
            let known: Vec<String> = listed.chain(LEARNT.map(String::from)).collect();
            D::Error::custom(format!("unknown family `{name}`, expected one of {}", known.join(", ")))
        };
        let mut family = families.family(&name).map_err(unknown)?;
        table.remove("family");
        for (name, value) in table {
            let settings = family.settings();
            let known = settings.iter().filter(|(parameter, _)| !is_fixed(parameter));
            if !known.clone().any(|(parameter, _)| parameter.is_called(&name)) {
                let known: Vec<String> =
                    known.map(|(parameter, _)| format!("`{}`", option_name(parameter))).collect();
                let known = known.join(", ");
                return Err(D::Error::custom(format!("unknown field `{name}`, expected one of {known}")));
            }
            family.set(&name, &setting(&value)).map_err(D::Error::custom)?;
        }
        Ok(Self::listed(family))
    }
}

/// The value of an option.
pub(crate) fn setting(value: &serde_json::Value) -> Value {
    match value {
        serde_json::Value::Bool(flag) => Value::Flag(*flag),
        serde_json::Value::Number(number) => Value::Number(number.as_f64().unwrap_or(f64::NAN)),
        serde_json::Value::Object(amount) if amount.len() == 1 => {
            let entry = amount.iter().next().and_then(|(rule, number)| Some((rule, number.as_f64()?)));
            entry.map_or(Value::Name(value.to_string()), |(rule, number)| {
                Value::Amount(rule.replace('-', "_"), number)
            })
        }
        serde_json::Value::String(name) => Value::Name(name.replace('-', "_")),
        other => Value::Name(other.to_string()),
    }
}

impl LearntModel {
    fn family(&self, columns: &[usize], training: Training<'_>) -> Result<Family, MethodError> {
        let missing = Missing::Skip;
        Ok(match *self {
            Self::Kernel { bandwidth, points } => {
                let grids = KernelDensity::for_rows(&training.block(columns), points, missing);
                let grids = grids.map_err(MethodError::failed)?;
                KernelDensity { bandwidth: bandwidth.into(), ..grids }.into()
            }
            Self::LogNormal { floor } => {
                let logarithms = Transformed::new(vec![Transform::Log; columns.len()]);
                Transformed { gaussian: gaussian(floor), ..logarithms }.into()
            }
            Self::Power { floor } => power(floor, columns, training)?.0,
            Self::Binned { bins, l } => {
                let cuts = BinRule::from(bins).cuts(&training.block(columns), training.labels);
                let smoothing = Smoothing::new(l).map_err(MethodError::failed)?;
                Binned { cuts: cuts.map_err(MethodError::failed)?, smoothing, missing }.into()
            }
        })
    }
}

/// Normal distributions after a power, and the columns in which that was cut off.
fn power(floor: f64, columns: &[usize], training: Training<'_>) -> Result<(Family, Limits), MethodError> {
    let (rows, labels) = (training.block(columns), training.labels);
    let learnt = Transformed::learn(&rows, labels, PowerTransform::YeoJohnson, Missing::Skip);
    let learnt = Transformed { gaussian: gaussian(floor), ..learnt.map_err(MethodError::failed)? };
    let limited = learnt.columns_at_limit(&rows, labels).map_err(MethodError::failed)?;
    let of_column = |place: usize| match learnt.transforms.get(place)? {
        Transform::YeoJohnson { lambda } | Transform::BoxCox { lambda } => Some((columns[place], *lambda)),
        Transform::Identity | Transform::Log => None,
    };
    let limits = limited.into_iter().filter_map(of_column).collect();
    Ok((learnt.into(), limits))
}

/// Normal distributions that leave missing cells out.
fn gaussian(floor: f64) -> Gaussian {
    let smoothing = VarianceSmoothing::RelativeFloor(floor);
    Gaussian { smoothing, missing: Missing::Skip, ..Gaussian::default() }
}

impl From<KernelWidth> for Bandwidth {
    fn from(width: KernelWidth) -> Self {
        match width {
            KernelWidth::Silverman => Self::Silverman,
            KernelWidth::Scott => Self::Scott,
            KernelWidth::SheatherJones => Self::SheatherJones,
            KernelWidth::Ucv => Self::CrossValidation,
            KernelWidth::JohnLangley => Self::JohnLangley,
            KernelWidth::Fixed(width) => Self::Fixed(width),
        }
    }
}

impl From<Discretisation> for BinRule {
    fn from(rule: Discretisation) -> Self {
        match rule {
            Discretisation::Mdl => Self::Mdl,
            Discretisation::Modl => Self::Modl,
            Discretisation::ModlGreedy => Self::ModlGreedy,
            Discretisation::EqualFrequency(n_bins) => Self::EqualFrequency(n_bins),
            Discretisation::EqualWidth(n_bins) => Self::EqualWidth(n_bins),
            Discretisation::Proportional => Self::Proportional,
        }
    }
}

impl Training<'_> {
    /// Some columns of the training rows.
    pub(crate) fn block(&self, columns: &[usize]) -> Array2<f64> {
        let cell = |(row, column): (usize, usize)| self.x[[self.rows[row], columns[column]]];
        Array2::from_shape_fn((self.rows.len(), columns.len()), cell)
    }
}
