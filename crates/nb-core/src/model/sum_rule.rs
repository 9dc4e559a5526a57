//! What sums of rows cannot violate, as data: the rules by which statistics that no rows can have are
//! refused.
//!
//! They are necessary conditions. Rows that were never added can pass them: a row of another data set whose
//! values are near those of a class leaves sums that other rows could have.

use exact_sums::{Dyadic, Exact, ExactSums};

use super::{
    ClassSums,
    remaining::{Number, remaining},
};

/// A condition on the sums of a class, by the parts of its [`SumLayout`](super::SumLayout). Sums of rows
/// satisfy it; other sums, such as those after removing rows that were never added, may not.
///
/// Where a rule speaks of a column it means the position within a part, unless it says otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SumRule {
    /// Weights of cells with some property: from 0 to the weight of the observed cells.
    Events {
        /// The part.
        part: usize,
        /// Which cells were observed.
        of: Observed,
    },
    /// Sums of numbers that are not negative: not negative, and 0 where no cell was observed.
    Amounts {
        /// The part.
        part: usize,
        /// Which cells were observed.
        of: Observed,
    },
    /// Sums of numbers and of their squares: `n Σ w x² ≥ (Σ w x)²` (Cauchy and Schwarz), and both 0 where no
    /// cell was observed.
    Moments {
        /// The part of `Σ w x`.
        sum: usize,
        /// The part of `Σ w x²`.
        squares: usize,
        /// Which cells were observed.
        of: Observed,
    },
    /// One part per column, one weight per category: not negative, and together at most the weight of the
    /// class.
    Categories {
        /// The part of the first column.
        first: usize,
        /// The number of columns.
        n_columns: usize,
    },
    /// The same where the weights of the categories of a column are there once for each combination of what
    /// else they depend on: the category of place `p` is the remainder of `p` by their number.
    Combinations {
        /// The part of the first column.
        first: usize,
        /// The number of categories of each column.
        n_categories: Vec<usize>,
    },
    /// The weights of pairs of categories, those of all columns counted one after the other: of the `a`-th
    /// and an earlier `b`-th, or of the `a`-th alone if `a = b`, in place `a (a + 1) / 2 + b`. They are
    /// not negative, and none is above the weight of the `a`-th category alone, which is at most that of
    /// the class.
    Pairs {
        /// The part.
        part: usize,
        /// The number of categories of each column.
        n_categories: Vec<usize>,
    },
    /// The rules of a block of a mixed model.
    Block {
        /// The columns of the model that the block has, in its order.
        columns: Vec<usize>,
        /// The first part of the block.
        first_part: usize,
        /// Its rules, by the parts and columns of the block.
        rules: Vec<Self>,
    },
}

/// The weight of the cells of a column that were observed in a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observed {
    /// That of all rows.
    All,
    /// That of all rows, less the weights in this part.
    Except(usize),
    /// The weights in this part.
    In(usize),
}

impl Observed {
    fn weight<N: Number>(self, class: &ClassSums<'_>, column: usize) -> N {
        match self {
            Self::All => N::of_exact(class.weight()),
            Self::Except(part) => class.weight_without(part, column),
            Self::In(part) => N::of(class.part(part), column),
        }
    }
}

/// Sums that no rows can have.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("column {column}{}: {problem}", category.map_or_else(String::new, |category| format!(", category {category}")))]
pub struct ImpossibleSums {
    /// The column, counted from 0.
    pub column: usize,
    /// The category, counted from 0, if the sum is that of a category.
    pub category: Option<usize>,
    /// What is wrong.
    pub problem: SumProblem,
}

/// Why no rows can have some sums.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SumProblem {
    /// A weight or a sum of counts is below 0.
    #[error("negative count ({value})")]
    Negative {
        /// The sum.
        value: f64,
    },
    /// The weight of some of the cells is above that of all.
    #[error("count {value} above the weight {weight} of the rows")]
    AboveWeight {
        /// The weight of some of the cells.
        value: f64,
        /// The weight of all.
        weight: f64,
    },
    /// A sum over no cells is not 0.
    #[error("sum {value} of no values")]
    OfNothing {
        /// The sum.
        value: f64,
    },
    /// The mean of the squares is below the square of the mean.
    #[error("negative variance ({variance})")]
    NegativeVariance {
        /// The variance.
        variance: f64,
    },
}

impl SumRule {
    /// The first column whose sums violate the rule, if there is one.
    pub(crate) fn violation(&self, class: &ClassSums<'_>) -> Option<ImpossibleSums> {
        if class.parts().iter().any(ExactSums::has_wide) {
            self.violation_in::<Dyadic>(class)
        } else {
            self.violation_in::<Exact>(class)
        }
    }

    fn violation_in<N: Number>(&self, class: &ClassSums<'_>) -> Option<ImpossibleSums> {
        let in_column = |column, problem| ImpossibleSums { column, category: None, problem };
        match self {
            Self::Events { part, of } => {
                if matches!(of, Observed::All) && is_plain_from_zero_to(class.part(*part), class.weight()) {
                    return None;
                }
                first::<N>(class.part(*part), |column, sum| {
                    between_zero_and(&sum, &of.weight(class, column))
                        .map(|problem| in_column(column, problem))
                })
            }
            Self::Amounts { part, of } => {
                if matches!(of, Observed::All) && are_plain_amounts(class.part(*part), class.weight()) {
                    return None;
                }
                first::<N>(class.part(*part), |column, sum| {
                    amount(&sum, || of.weight(class, column)).map(|problem| in_column(column, problem))
                })
            }
            Self::Moments { sum, squares, of } => first::<N>(class.part(*sum), |column, sum| {
                let (weight, squares) = (of.weight(class, column), N::of(class.part(*squares), column));
                moments(&weight, &sum, &squares).map(|problem| in_column(column, problem))
            }),
            Self::Categories { first, n_columns } => (0..*n_columns).find_map(|column| {
                let (category, problem) = categories::<N>(class.part(first + column), class.weight())?;
                Some(ImpossibleSums { column, category, problem })
            }),
            Self::Combinations { first, n_categories } => {
                n_categories.iter().enumerate().find_map(|(column, n)| {
                    let (place, problem) = categories::<N>(class.part(first + column), class.weight())?;
                    Some(ImpossibleSums { column, category: place.map(|place| place % n), problem })
                })
            }
            Self::Pairs { part, n_categories } => pairs::<N>(class.part(*part), n_categories, class.weight()),
            Self::Block { columns, first_part, rules } => {
                let block = class.slice(*first_part..class.n_parts());
                let found = rules.iter().find_map(|rule| rule.violation_in::<N>(&block))?;
                let column = columns.get(found.column).copied().unwrap_or(found.column);
                Some(ImpossibleSums { column, ..found })
            }
        }
    }
}

fn first<N: Number>(
    sums: &ExactSums,
    mut violation: impl FnMut(usize, N) -> Option<ImpossibleSums>,
) -> Option<ImpossibleSums> {
    (0..sums.len()).find_map(|column| violation(column, N::of(sums, column)))
}

/// Whether all sums are single doubles from 0 to a weight: quick, and true of nearly all counts.
fn is_plain_from_zero_to(sums: &ExactSums, weight: &Exact) -> bool {
    let weight = weight.to_f64().next_down();
    sums.as_plain().is_some_and(|sums| sums.iter().all(|&sum| (0.0..=weight).contains(&sum)))
}

/// Whether all sums are single doubles from 0, of rows that have a weight: quick, and true of nearly all
/// counts.
fn are_plain_amounts(sums: &ExactSums, weight: &Exact) -> bool {
    weight.to_f64() > 0.0 && sums.as_plain().is_some_and(|sums| sums.iter().all(|&sum| sum >= 0.0))
}

fn between_zero_and<N: Number>(sum: &N, weight: &N) -> Option<SumProblem> {
    if sum.is_negative() {
        return Some(SumProblem::Negative { value: sum.to_f64() });
    }
    remaining(weight, sum)
        .is_negative()
        .then(|| SumProblem::AboveWeight { value: sum.to_f64(), weight: weight.to_f64() })
}

fn amount<N: Number>(sum: &N, weight: impl FnOnce() -> N) -> Option<SumProblem> {
    if sum.is_negative() {
        return Some(SumProblem::Negative { value: sum.to_f64() });
    }
    (!sum.is_zero() && weight().is_zero()).then(|| SumProblem::OfNothing { value: sum.to_f64() })
}

fn moments<N: Number>(weight: &N, sum: &N, squares: &N) -> Option<SumProblem> {
    if weight.is_negative() {
        return Some(SumProblem::Negative { value: weight.to_f64() });
    }
    if weight.is_zero() {
        let sum = if sum.is_zero() { squares } else { sum };
        return (!sum.is_zero()).then(|| SumProblem::OfNothing { value: sum.to_f64() });
    }
    if are_surely_moments(weight.to_f64(), sum.to_f64(), squares.to_f64()) {
        return None;
    }
    let deviation = remaining(&weight.times(squares), &sum.times(sum));
    deviation
        .is_negative()
        .then(|| SumProblem::NegativeVariance { variance: deviation.divided_by(&weight.times(weight)).0 })
}

/// Whether `n Σ w x² ≥ (Σ w x)²` of numbers that round to these, by more than rounding can be wrong: quick,
/// and true of nearly all moments.
fn are_surely_moments(weight: f64, sum: f64, squares: f64) -> bool {
    // Seven roundings of at most half an epsilon each, for products that neither overflow nor underflow.
    const LESS: f64 = 1.0 - 8.0 * f64::EPSILON;
    let (product, square) = (weight * squares * LESS, sum * sum);
    product.is_finite() && square >= f64::MIN_POSITIVE && product >= square
}

/// Whether all counts are single doubles that rows can have: quick, and true of nearly all counts.
fn are_plain_pairs(counts: &ExactSums, weight: &Exact) -> bool {
    let Some(counts) = counts.as_plain() else { return false };
    let weight = weight.to_f64().next_down();
    let (mut start, mut length) = (0, 1);
    while let Some(pairs) = counts.get(start..start + length) {
        let alone = pairs[length - 1];
        if !(alone <= weight && pairs.iter().all(|&pair| (0.0..=alone).contains(&pair))) {
            return false;
        }
        (start, length) = (start + length, length + 1);
    }
    start == counts.len()
}

/// The first column and category of which a pair with an earlier one, or the category alone, has an
/// impossible weight.
fn pairs<N: Number>(counts: &ExactSums, n_categories: &[usize], weight: &Exact) -> Option<ImpossibleSums> {
    if are_plain_pairs(counts, weight) {
        return None;
    }
    let names =
        n_categories.iter().enumerate().flat_map(|(column, &n)| (0..n).map(move |code| (column, code)));
    let mut start = 0;
    for (place, (column, category)) in names.enumerate() {
        let alone = N::of(counts, start + place);
        let problem = between_zero_and(&alone, &N::of_exact(weight)).or_else(|| {
            (start..start + place).find_map(|pair| between_zero_and(&N::of(counts, pair), &alone))
        });
        if let Some(problem) = problem {
            return Some(ImpossibleSums { column, category: Some(category), problem });
        }
        start += place + 1;
    }
    None
}

fn categories<N: Number>(counts: &ExactSums, weight: &Exact) -> Option<(Option<usize>, SumProblem)> {
    let mut total = N::from(0.0);
    for category in 0..counts.len() {
        let count = N::of(counts, category);
        if count.is_negative() {
            return Some((Some(category), SumProblem::Negative { value: count.to_f64() }));
        }
        total = total.plus(&count);
    }
    between_zero_and(&total, &N::of_exact(weight)).map(|problem| (None, problem))
}
