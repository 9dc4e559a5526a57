//! The rules by which families learn from rows, and their names.

use std::{fmt, str::FromStr};

use nb_variants::Parents;

/// How numbers become bins.
///
/// ```
/// use nb_io::BinRule;
///
/// assert_eq!("width:5".parse::<BinRule>(), Ok(BinRule::EqualWidth(5)));
/// assert_eq!(BinRule::EqualFrequency(10).to_string(), "frequency:10");
/// assert!("width:0".parse::<BinRule>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum BinRule {
    /// By the description length of the classes: [`Cuts::mdl`](nb_variants::Cuts::mdl).
    #[default]
    Mdl,
    /// The most probable ones: [`Cuts::modl`](nb_variants::Cuts::modl).
    Modl,
    /// As many of equal width: [`Cuts::equal_width`](nb_variants::Cuts::equal_width).
    EqualWidth(usize),
    /// As many with about as many rows each: [`Cuts::equal_frequency`](nb_variants::Cuts::equal_frequency).
    EqualFrequency(usize),
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

/// On which columns the columns of k-dependence Bayes depend.
///
/// ```
/// use nb_io::ParentRule;
///
/// assert_eq!("3".parse::<ParentRule>(), Ok(ParentRule::Most(3)));
/// assert_eq!(ParentRule::Tree.to_string(), "tree");
/// assert!("-1".parse::<ParentRule>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParentRule {
    /// On up to this number of the columns that say more of the class: [`Parents::Most`].
    Most(usize),
    /// On one each, as a tree: [`Parents::Tree`].
    Tree,
}

impl Default for ParentRule {
    /// On up to two others.
    fn default() -> Self {
        Self::Most(2)
    }
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

impl FromStr for BinRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let (name, number) = text.split_once(':').map_or((text, None), |(name, number)| (name, Some(number)));
        let number = number.map(|number| number.parse().ok().filter(|&n: &usize| n > 0));
        match (name, number) {
            ("mdl", None) => Ok(Self::Mdl),
            ("modl", None) => Ok(Self::Modl),
            ("width", Some(Some(n_bins))) => Ok(Self::EqualWidth(n_bins)),
            ("frequency", Some(Some(n_bins))) => Ok(Self::EqualFrequency(n_bins)),
            _ => Err(RuleError {
                what: "rule for bins",
                name: text.into(),
                known: "mdl, modl, width:K or frequency:K with a number K of bins",
            }),
        }
    }
}

impl fmt::Display for BinRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mdl => write!(f, "mdl"),
            Self::Modl => write!(f, "modl"),
            Self::EqualWidth(n_bins) => write!(f, "width:{n_bins}"),
            Self::EqualFrequency(n_bins) => write!(f, "frequency:{n_bins}"),
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

impl FromStr for ParentRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        match text {
            "tree" => Ok(Self::Tree),
            number => number.parse().map(Self::Most).map_err(|_| RuleError {
                what: "rule for parents",
                name: text.into(),
                known: "the largest number of parents of a column, such as 2, or tree",
            }),
        }
    }
}

impl fmt::Display for ParentRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Most(k) => write!(f, "{k}"),
            Self::Tree => write!(f, "tree"),
        }
    }
}

impl From<ParentRule> for Parents {
    fn from(rule: ParentRule) -> Self {
        match rule {
            ParentRule::Most(k) => Self::Most(k),
            ParentRule::Tree => Self::Tree,
        }
    }
}
