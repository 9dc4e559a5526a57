//! Hyper-parameters by name.

use std::fmt;

use crate::{
    families::{Categories, RatePrior, Unseen, VarianceEstimator, VarianceSmoothing},
    model::{LayoutError, Missing, Smoothing},
};

/// What users know of a hyper-parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Parameter {
    /// The name in files, options and designs: lower case with underscores. Families that share a
    /// hyper-parameter have the same name for it.
    pub name: &'static str,
    /// A short name that designs take as well; empty if there is none.
    pub short: &'static str,
    /// How a value of it is called in help, such as `L`.
    pub value: &'static str,
    /// What it is, as a sentence without its full stop.
    pub about: &'static str,
    /// Values worth comparing when it is tuned; empty if it is not.
    pub grid: &'static [f64],
}

impl Parameter {
    /// A hyper-parameter of this name.
    pub const fn new(name: &'static str, about: &'static str) -> Self {
        Self { name, short: "", value: "VALUE", about, grid: &[] }
    }

    /// The same with a short name, which may be empty, and a name of its values.
    #[must_use]
    pub const fn called(mut self, short: &'static str, value: &'static str) -> Self {
        (self.short, self.value) = (short, value);
        self
    }

    /// The same with values worth comparing.
    #[must_use]
    pub const fn tuned_over(mut self, grid: &'static [f64]) -> Self {
        self.grid = grid;
        self
    }

    /// Whether this is its name, with underscores or hyphens, or its short name.
    pub fn is_called(&self, name: &str) -> bool {
        name.replace('-', "_") == self.name || (!self.short.is_empty() && name == self.short)
    }
}

/// The hyper-parameters that families share.
pub mod parameters {
    use crate::families::description::setting::Parameter;

    /// The pseudo-count of [`Smoothing`](crate::Smoothing).
    pub static SMOOTHING: Parameter = Parameter::new(
        "smoothing",
        "Additive (Laplace, Lidstone) smoothing `l` (alpha in scikit-learn); 0 is maximum likelihood",
    )
    .called("l", "L")
    .tuned_over(&[0.0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 0.5, 1.0, 2.0, 5.0, 10.0, 100.0]);
    /// The share of [`VarianceSmoothing::RelativeFloor`](crate::VarianceSmoothing::RelativeFloor).
    pub static VARIANCE_FLOOR: Parameter = Parameter::new(
        "variance_floor",
        "Minimum variance, as a fraction of the column's variance over all rows",
    )
    .called("floor", "SHARE")
    .tuned_over(&[1e-12, 1e-9, 1e-6, 1e-5, 1e-4, 1e-3, 0.003, 0.01, 0.03, 0.1, 0.3]);
    /// The [`VarianceEstimator`](crate::VarianceEstimator).
    pub static UNBIASED: Parameter =
        Parameter::new("unbiased", "Use the unbiased variance (divide by n - 1)");
    /// The [`RatePrior`](crate::RatePrior).
    pub static RATE_PRIOR: Parameter =
        Parameter::new("rate_prior", "What smoothing shrinks the rates of counts towards");
    /// What to do with [`Missing`](crate::Missing) cells.
    pub static MISSING: Parameter = Parameter::new("missing_cells", "How to handle missing values");
    /// What to do with [`Unseen`](crate::Unseen) categories.
    pub static UNSEEN: Parameter = Parameter::new("unseen", "How to handle categories not seen in training");
    /// The numbers of categories that are [declared](crate::Categories::Declared).
    pub static CATEGORIES: Parameter = Parameter::new(
        "categories",
        "The number of categories of each column; none if they are found in the rows",
    );
}

/// The value of a hyper-parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// Numbers, one per column.
    Numbers(Vec<f64>),
    /// Yes or no.
    Flag(bool),
    /// One of some names, lower case with underscores.
    Name(String),
    /// One of some names, with a number.
    Amount(String, f64),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{}", Short(*number)),
            Self::Numbers(numbers) => write!(f, "{} numbers", numbers.len()),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Name(name) => write!(f, "{}", name.replace('_', " ")),
            Self::Amount(name, number) => write!(f, "{} {}", name.replace('_', " "), Short(*number)),
        }
    }
}

/// A number as people write it.
struct Short(f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_usual = self.0 == 0.0 || (1e-4..1e15).contains(&self.0.abs());
        if is_usual { write!(f, "{}", self.0) } else { write!(f, "{:e}", self.0) }
    }
}

/// Why a hyper-parameter cannot be set.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingError {
    /// The family has no hyper-parameter of this name.
    #[error("there is no hyper-parameter {name:?}; there are: {known}")]
    Unknown {
        /// The name.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// The value is of another kind, or no name that is known.
    #[error("{name} is {value}; it must be {must_be}")]
    Value {
        /// The hyper-parameter.
        name: &'static str,
        /// The value, for people.
        value: String,
        /// What it must be.
        must_be: String,
    },
    /// The value is out of range.
    #[error(transparent)]
    Range(#[from] LayoutError),
}

/// A hyper-parameter, and the field of a family that holds it.
pub struct Hyper<'a> {
    /// What users know of it.
    pub parameter: &'static Parameter,
    setting: &'a mut dyn Setting,
}

impl fmt::Debug for Hyper<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hyper").field("name", &self.parameter.name).field("value", &self.value()).finish()
    }
}

impl<'a> Hyper<'a> {
    /// A hyper-parameter in a field.
    pub fn new(parameter: &'static Parameter, field: &'a mut dyn Setting) -> Self {
        Self { parameter, setting: field }
    }

    /// Its value.
    pub fn value(&self) -> Value {
        self.setting.value()
    }

    /// The names that it can have, each with what it means; none if it is no [`Value::Name`].
    pub fn names(&self) -> &'static [(&'static str, &'static str)] {
        self.setting.names()
    }

    /// Sets it.
    ///
    /// # Errors
    /// [`SettingError`] if it cannot have the value.
    pub fn set(&mut self, value: &Value) -> Result<(), SettingError> {
        if self.setting.set(value)? {
            return Ok(());
        }
        let names: Vec<&str> = self.names().iter().map(|(name, _)| *name).collect();
        let must_be = match self.value() {
            _ if !names.is_empty() => names.join(" or "),
            Value::Flag(_) => "true or false".into(),
            _ => "a number".into(),
        };
        Err(SettingError::Value { name: self.parameter.name, value: value.to_string(), must_be })
    }

    /// Sets it to what a text says.
    ///
    /// # Errors
    /// [`SettingError`] if it cannot have the value.
    pub fn set_text(&mut self, text: &str) -> Result<(), SettingError> {
        let value = match self.value() {
            Value::Flag(_) => text.parse().ok().map(Value::Flag),
            Value::Name(_) => None,
            _ => text.parse().ok().map(Value::Number),
        };
        self.set(&value.unwrap_or_else(|| Value::Name(text.replace('-', "_"))))
    }
}

/// A type of hyper-parameters: a field of a family.
pub trait Setting {
    /// Its value.
    fn value(&self) -> Value;

    /// The names that a [`Value::Name`] can be, each with what it means.
    fn names(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Sets it; `false` if the value is of another kind, or no name that is known.
    ///
    /// # Errors
    /// [`LayoutError`] if the value is out of range.
    fn set(&mut self, value: &Value) -> Result<bool, LayoutError>;
}

impl Setting for f64 {
    fn value(&self) -> Value {
        Value::Number(*self)
    }

    fn set(&mut self, value: &Value) -> Result<bool, LayoutError> {
        let Value::Number(number) = value else { return Ok(false) };
        *self = *number;
        Ok(true)
    }
}

impl Setting for bool {
    fn value(&self) -> Value {
        Value::Flag(*self)
    }

    fn set(&mut self, value: &Value) -> Result<bool, LayoutError> {
        let Value::Flag(flag) = value else { return Ok(false) };
        *self = *flag;
        Ok(true)
    }
}

impl Setting for Smoothing {
    fn value(&self) -> Value {
        self.as_slice().map_or_else(|| Value::Number(self.get(0)), |l| Value::Numbers(l.to_vec()))
    }

    fn set(&mut self, value: &Value) -> Result<bool, LayoutError> {
        *self = match value {
            Value::Number(l) => Self::new(*l)?,
            Value::Numbers(l) => Self::per_feature(l.clone())?,
            _ => return Ok(false),
        };
        Ok(true)
    }
}

impl Setting for VarianceSmoothing {
    /// A number is the share of a relative floor.
    fn value(&self) -> Value {
        match self {
            Self::RelativeFloor(share) => Value::Number(*share),
            Self::LargestVariance(share) => Value::Amount("largest_variance".into(), *share),
            Self::AbsoluteFloor(floor) => Value::Amount("absolute_floor".into(), *floor),
            Self::None => Value::Name("none".into()),
        }
    }

    fn set(&mut self, value: &Value) -> Result<bool, LayoutError> {
        let smoothing = match value {
            Value::Number(share) => Self::RelativeFloor(*share),
            Value::Amount(name, number) => match name.as_str() {
                "relative_floor" => Self::RelativeFloor(*number),
                "largest_variance" => Self::LargestVariance(*number),
                "absolute_floor" => Self::AbsoluteFloor(*number),
                _ => return Ok(false),
            },
            Value::Name(name) if name == "none" => Self::None,
            _ => return Ok(false),
        };
        smoothing.check()?;
        *self = smoothing;
        Ok(true)
    }
}

impl Setting for VarianceEstimator {
    /// Whether it is unbiased.
    fn value(&self) -> Value {
        Value::Flag(*self == Self::Unbiased)
    }

    fn set(&mut self, value: &Value) -> Result<bool, LayoutError> {
        let Value::Flag(unbiased) = value else { return Ok(false) };
        *self = if *unbiased { Self::Unbiased } else { Self::MaximumLikelihood };
        Ok(true)
    }
}

/// None if they are found.
impl Setting for Categories {
    fn value(&self) -> Value {
        match self {
            Self::Inferred => Value::Numbers(Vec::new()),
            Self::Declared(counts) => Value::Numbers(counts.iter().map(|&count| count as f64).collect()),
        }
    }

    fn set(&mut self, value: &Value) -> Result<bool, LayoutError> {
        let Value::Numbers(counts) = value else { return Ok(false) };
        let is_count = |count: &f64| *count >= 0.0 && count.fract() == 0.0 && *count < 1e15;
        if !counts.iter().all(is_count) {
            return Ok(false);
        }
        let counts: Vec<usize> = counts.iter().map(|&count| count as usize).collect();
        *self = if counts.is_empty() { Self::Inferred } else { Self::Declared(counts) };
        Ok(true)
    }
}

/// Writes a setting that is one of some names.
macro_rules! names {
    ($type:ident { $($variant:ident = $name:literal $about:literal),* $(,)? }) => {
        impl $crate::families::description::Setting for $type {
            fn value(&self) -> $crate::families::description::Value {
                $crate::families::description::Value::Name(match self { $(Self::$variant => $name),* }.into())
            }

            fn names(&self) -> &'static [(&'static str, &'static str)] {
                &[$(($name, $about)),*]
            }

            fn set(&mut self, value: &$crate::families::description::Value) -> Result<bool, $crate::model::LayoutError> {
                let $crate::families::description::Value::Name(name) = value else { return Ok(false) };
                match name.as_str() {
                    $($name => *self = Self::$variant,)*
                    _ => return Ok(false),
                }
                Ok(true)
            }
        }
    };
}

pub(crate) use names;

names!(Missing { Skip = "skip" "It is ignored in its row", Error = "error" "It is refused" });

names!(RatePrior {
    Column = "column" "The rate of the column over all classes",
    Unit = "unit" "One event per row",
});

names!(Unseen {
    Ignore = "ignore" "It is ignored in its row",
    Other = "other" "It counts as one further category without training rows",
    Error = "error" "It is refused",
});
