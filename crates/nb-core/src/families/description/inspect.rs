//! What a fitted family says of a column.

use std::borrow::Cow;

use crate::families::description::Formula;
use crate::model::{Likelihood, Missing};

/// A fitted family that can be looked into, column by column.
pub trait Inspect: Likelihood {
    /// What is done with missing cells.
    fn missing_cells(&self) -> Missing;

    /// The parameters of a column: their names, and for each the values of all classes. By default there are
    /// none to show.
    fn parameters(&self, column: usize) -> Vec<(ParameterName, Vec<f64>)> {
        let _ = column;
        Vec::new()
    }

    /// The values to expect in a column. By default unknown.
    fn outline(&self, column: usize) -> Option<Outline> {
        let _ = column;
        None
    }

    /// For each class `c` what a column is expected to add to the log-odds against all classes in these
    /// proportions: `Σ_k w_k KL(p_c ‖ p_k)`, the Kullback-Leibler divergences (Kullback and Leibler
    /// 1951). By default that is not known.
    fn divergences(&self, column: usize, weights: &[f64]) -> Option<Vec<f64>> {
        let _ = (column, weights);
        None
    }

    /// `log p(x | class)` of a cell that is not missing as a formula, up to a term that no class depends on,
    /// with the values for which it holds; `None`, which is the default, if it has none.
    fn formula(&self, class: usize, column: usize) -> Option<Formula> {
        let _ = (class, column);
        None
    }

    /// The cut points of a column, none if it has categories; `None`, which is the default, if the family has
    /// no bins.
    fn cuts(&self, column: usize) -> Option<&[f64]> {
        let _ = column;
        None
    }

    /// On which columns others depend, where they do by their own rule. By default they depend on the class
    /// alone.
    fn dependence(&self) -> Option<Dependence> {
        None
    }

    /// The values that can be scored.
    fn values(&self) -> Values;
}

/// On which other columns the columns of a family depend. Columns are numbered within the family.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Dependence {
    /// Each on up to one other.
    One(Vec<Option<usize>>),
    /// Each on some others, the one that says most first; one that is left out on itself.
    Some(Vec<Vec<usize>>),
    /// Each on all others, with these weights, a list for each column.
    All(Vec<Vec<f64>>),
    /// Each is in turn the one on which all others depend, with these weights.
    Each(Vec<f64>),
}

/// The values that a family can score, beside missing ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// Real numbers.
    Real,
    /// All finite numbers.
    Finite,
    /// Real numbers above zero.
    Positive,
    /// Numbers from zero.
    NotNegative,
    /// Whole numbers from zero.
    Whole,
    /// Category codes.
    Codes,
}

/// The name of a parameter of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterName {
    /// A name.
    Text(Cow<'static, str>),
    /// The probability of the category with this code, or of all that were never seen.
    Category(Option<usize>),
    /// The probability of a group of categories, those with these codes.
    Group(Vec<usize>),
}

impl From<&'static str> for ParameterName {
    fn from(name: &'static str) -> Self {
        Self::Text(name.into())
    }
}

/// The values to expect in a column, by class.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Outline {
    /// Real numbers: mean and standard deviation of each class.
    Real(Vec<(f64, f64)>),
    /// Real numbers with densities of any shape.
    Smooth {
        /// Mean and standard deviation of each class, or about these.
        moments: Vec<(f64, f64)>,
        /// Increasing numbers from one end of the expected range to the other, so close together that every
        /// density is nearly a polynomial of low degree between neighbours.
        nodes: Vec<f64>,
    },
    /// A point mass at a value, and real numbers beside it: mean and standard deviation of each class.
    Beside {
        /// The value.
        value: f64,
        /// Mean and standard deviation of the others, for each class.
        others: Vec<(f64, f64)>,
    },
    /// Counts: mean and standard deviation of each class.
    Counts(Vec<(f64, f64)>),
    /// The share of the column in the events of its family, for each class.
    Share(Vec<f64>),
    /// A weight for each class that is no probability.
    Weight(Vec<f64>),
    /// Whether a value is above a threshold, with the probabilities of being up to it and above it for each
    /// class.
    Threshold {
        /// The threshold.
        threshold: f64,
        /// The probabilities of values up to the threshold.
        up_to: Vec<f64>,
        /// The probabilities of values above it.
        above: Vec<f64>,
    },
    /// Categories: codes, and for each the probabilities of all classes.
    Categories(Vec<(usize, Vec<f64>)>),
    /// Bins of numbers: for each the probabilities of all classes.
    Bins(Vec<Vec<f64>>),
}
