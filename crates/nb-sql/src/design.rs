//! What the sums of a table are: its label, its weights, and what is kept of each column.

use nb_core::{
    description::{Columns, Summand},
    exact::domain::{MAX_ABS_VALUE, MIN_ABS_NONZERO},
};
use nb_io::Family;

use crate::Dialect;

/// The columns of a table, and what is kept of each.
#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    /// The name of the label column.
    pub label: String,
    /// The name of the column of weights, if there is one.
    pub weights: Option<String>,
    /// The name of the column of groups, such as customers, each of which gets a model; `None` for one model
    /// of all rows.
    pub group: Option<String>,
    /// The columns of the model, in its order.
    pub columns: Vec<DesignColumn>,
}

/// A column of a [`Design`].
#[derive(Clone, Debug, PartialEq)]
pub struct DesignColumn {
    /// The name.
    pub name: String,
    /// What is kept of it.
    pub kept: Kept,
}

/// What a query keeps of a column for each class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kept {
    /// The sum and the sum of squares, for the Gaussian families.
    Moments,
    /// The same of the numbers other than this one, and their weight, for the zero-inflated Gaussian family.
    MomentsBeside(f64),
    /// The sum and the sum of squares of whole, non-negative numbers, for the negative binomial family.
    CountMoments,
    /// The sum of whole, non-negative numbers, for the multinomial, complement and Poisson families.
    Counts,
    /// The weight above a threshold, for the Bernoulli family.
    Above(f64),
    /// The weight of each category, for the categorical family.
    Categories,
}

/// The largest whole number up to which doubles hold all of them.
pub(crate) const LARGEST_COUNT: f64 = 9_007_199_254_740_992.0;

impl Kept {
    /// What a family needs of each of its columns; `None` if it does not say, or it is more than a query
    /// keeps.
    ///
    /// ```
    /// use nb_core::{Bernoulli, Poisson};
    /// use nb_io::Family;
    /// use nb_sql::Kept;
    ///
    /// assert_eq!(Kept::of(&Family::from(Poisson::default())), Some(Kept::Counts));
    /// assert_eq!(Kept::of(&Family::from(Bernoulli::default())), Some(Kept::Above(0.0)));
    /// ```
    pub fn of(family: &Family) -> Option<Self> {
        let summands = family.summands()?;
        let has = |wanted: Summand| summands.contains(&wanted);
        let beside = summands.iter().find_map(|summand| match summand {
            Summand::PowerBeside(_, value) => Some(Self::MomentsBeside(*value)),
            Summand::Above(threshold) => Some(Self::Above(*threshold)),
            Summand::Category => Some(Self::Categories),
            _ => None,
        });
        let of_numbers = || match family.description().columns {
            Columns::Counts if has(Summand::Power(2)) => Some(Self::CountMoments),
            Columns::Counts => Some(Self::Counts),
            Columns::Real => Some(Self::Moments),
            Columns::Categories | Columns::Mixed => None,
        };
        beside.or_else(of_numbers)
    }

    /// Whether squares are summed, for which numbers are shifted.
    pub(crate) fn has_squares(self) -> bool {
        matches!(self, Self::Moments | Self::MomentsBeside(_) | Self::CountMoments)
    }

    /// The condition under which a number that is not missing is one that the family cannot observe: the
    /// bounds are those within which sums are exact in nb-core.
    pub(crate) fn refused(self, dialect: Dialect, x: &str) -> String {
        let double = |value| dialect.double(value);
        match self {
            Self::Moments | Self::MomentsBeside(_) => format!(
                "abs({x}) > {} OR (abs({x}) < {} AND {x} <> {})",
                double(MAX_ABS_VALUE),
                double(MIN_ABS_NONZERO),
                double(0.0)
            ),
            Self::Counts | Self::CountMoments => {
                format!("{x} < {} OR {x} > {} OR {x} <> floor({x})", double(0.0), double(LARGEST_COUNT))
            }
            Self::Above(_) => format!("abs({x}) > {}", double(f64::MAX)),
            Self::Categories => "FALSE".into(),
        }
    }
}

/// What keeps a design from being one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DesignError {
    /// There are no columns.
    #[error("the design has no columns; a model needs at least one that is not ignored")]
    NoColumns,
    /// A name is duplicated.
    #[error(
        "the name {name:?} is duplicated in the design; label, weights, group and columns need distinct names"
    )]
    Duplicate {
        /// The name.
        name: String,
    },
}

impl Design {
    /// Refuses a design without columns or with a duplicate name.
    ///
    /// # Errors
    /// [`DesignError`] names what is wrong.
    pub fn check(&self) -> Result<(), DesignError> {
        if self.columns.is_empty() {
            return Err(DesignError::NoColumns);
        }
        let names = self.columns.iter().map(|column| &column.name);
        let mut names: Vec<&String> =
            names.chain([&self.label]).chain(&self.weights).chain(&self.group).collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(DesignError::Duplicate { name: pair[0].clone() }),
            None => Ok(()),
        }
    }
}
