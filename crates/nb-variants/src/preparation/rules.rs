//! The rules by which families learn from rows, and their names.

use std::{fmt, str::FromStr};

use ndarray::Array2;

use crate::{Cuts, DiscretiseError, Parents, WeightRule};

/// How numbers become bins.
///
/// ```
/// use nb_variants::BinRule;
///
/// assert_eq!("width:5".parse::<BinRule>(), Ok(BinRule::EqualWidth(5)));
/// assert_eq!(BinRule::EqualFrequency(10).to_string(), "frequency:10");
/// assert!("width:0".parse::<BinRule>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum BinRule {
    /// By the description length of the classes: [`Cuts::mdl`](crate::Cuts::mdl).
    #[default]
    Mdl,
    /// The most probable ones: [`Cuts::modl`](crate::Cuts::modl).
    Modl,
    /// Those of the search of the paper on MODL, which may miss the most probable ones:
    /// [`Cuts::modl_greedy`](crate::Cuts::modl_greedy).
    ModlGreedy,
    /// As many of equal width: [`Cuts::equal_width`](crate::Cuts::equal_width).
    EqualWidth(usize),
    /// As many with about as many rows each: [`Cuts::equal_frequency`](crate::Cuts::equal_frequency).
    EqualFrequency(usize),
    /// As many as each has rows: [`Cuts::proportional`](crate::Cuts::proportional).
    Proportional,
}

/// What numbers go through before they are normal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PowerRule {
    /// A power of Yeo and Johnson (2000), for numbers of either sign.
    #[default]
    YeoJohnson,
    /// A power of Box and Cox (1964), for positive numbers.
    BoxCox,
    /// The logarithm, of positive numbers.
    Log,
}

/// Why a text names no rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no {what} {name:?}; choose {known}")]
#[non_exhaustive]
pub struct RuleError {
    what: &'static str,
    name: String,
    known: &'static str,
}

impl RuleError {
    pub(super) fn unknown(name: &str) -> Self {
        Self { what: "rule", name: name.into(), known: "bins, transform, parents or column_weights" }
    }
}

impl BinRule {
    /// The cut points of all columns of rows with a class number each.
    ///
    /// ```
    /// # use nb_variants::BinRule;
    /// # use ndarray::array;
    /// let cuts = BinRule::EqualWidth(3).cuts(&array![[1.0], [10.0]], &[0, 1])?;
    /// assert_eq!(cuts.column(0), [4.0, 7.0]);
    /// # Ok::<(), nb_variants::DiscretiseError>(())
    /// ```
    ///
    /// # Errors
    /// [`DiscretiseError`] if a cell is infinite, or there are too many bins.
    pub fn cuts(self, rows: &Array2<f64>, classes: &[usize]) -> Result<Cuts, DiscretiseError> {
        match self {
            Self::Mdl => Cuts::mdl(rows, classes),
            Self::Modl => Cuts::modl(rows, classes),
            Self::ModlGreedy => Cuts::modl_greedy(rows, classes),
            Self::EqualWidth(n_bins) => Cuts::equal_width(rows, n_bins),
            Self::EqualFrequency(n_bins) => Cuts::equal_frequency(rows, n_bins),
            Self::Proportional => Cuts::proportional(rows),
        }
    }

    /// Whether it looks at the classes, and may find no cut point.
    pub(crate) fn is_by_class(self) -> bool {
        matches!(self, Self::Mdl | Self::Modl | Self::ModlGreedy)
    }
}

impl FromStr for BinRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let (name, number) = text.split_once(':').map_or((text, None), |(name, number)| (name, Some(number)));
        let number = number.map(|number| number.parse().ok().filter(|&n: &usize| n > 0));
        match (name, number) {
            ("mdl", None) => Ok(Self::Mdl),
            ("modl", None) => Ok(Self::Modl),
            ("modl-greedy", None) => Ok(Self::ModlGreedy),
            ("width", Some(Some(n_bins))) => Ok(Self::EqualWidth(n_bins)),
            ("frequency", Some(Some(n_bins))) => Ok(Self::EqualFrequency(n_bins)),
            ("proportional", None) => Ok(Self::Proportional),
            _ => Err(RuleError {
                what: "rule for bins",
                name: text.into(),
                known: "mdl, modl, modl-greedy, width:K or frequency:K with a number K of bins, or proportional",
            }),
        }
    }
}

impl fmt::Display for BinRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mdl => write!(f, "mdl"),
            Self::Modl => write!(f, "modl"),
            Self::ModlGreedy => write!(f, "modl-greedy"),
            Self::EqualWidth(n_bins) => write!(f, "width:{n_bins}"),
            Self::EqualFrequency(n_bins) => write!(f, "frequency:{n_bins}"),
            Self::Proportional => write!(f, "proportional"),
        }
    }
}

impl FromStr for PowerRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        match text {
            "yeo-johnson" => Ok(Self::YeoJohnson),
            "box-cox" => Ok(Self::BoxCox),
            "log" => Ok(Self::Log),
            _ => {
                Err(RuleError { what: "transform", name: text.into(), known: "yeo-johnson, box-cox or log" })
            }
        }
    }
}

impl fmt::Display for PowerRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::YeoJohnson => "yeo-johnson",
            Self::BoxCox => "box-cox",
            Self::Log => "log",
        })
    }
}

impl FromStr for Parents {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        match text {
            "tree" => Ok(Self::Tree),
            "selective" => Ok(Self::SELECTIVE),
            _ => {
                let (rule, number): (fn(usize) -> Self, &str) = text
                    .strip_prefix("selective:")
                    .map_or((Self::Most, text), |number| (Self::Selective, number));
                number.parse().map(rule).map_err(|_| RuleError {
                    what: "rule for parents",
                    name: text.into(),
                    known: "the largest number of parents of a column, such as 2, tree, or selective or selective:K with the largest number K",
                })
            }
        }
    }
}

impl fmt::Display for Parents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Most(k) => write!(f, "{k}"),
            Self::Tree => write!(f, "tree"),
            Self::Selective(k) => write!(f, "selective:{k}"),
        }
    }
}

impl FromStr for WeightRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let rule = Self::ALL.into_iter().find(|rule| rule.name() == text);
        rule.ok_or_else(|| RuleError {
            what: "rule for weights of columns",
            name: text.into(),
            known: "cll, mse, rnb, cfw or aiwnb",
        })
    }
}

impl fmt::Display for WeightRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
