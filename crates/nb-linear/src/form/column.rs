//! What a cell adds to the scores.

use nb_core::{Missing, error::ValueProblem, family::LARGEST_CODE};

use crate::{ColumnTerm, LinearColumn};

/// Terms beyond this size are refused, so that no sum of them overflows.
const LARGEST_TERM: f64 = 1e300;

/// A column of a form, with the range of values that surely can be scored.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Column {
    pub(super) linear: LinearColumn,
    /// Up to this size numbers can be scored; negative if none can.
    limit: f64,
}

/// What a cell adds to the score of every class, beyond the constants of its column.
#[derive(Clone, Copy, Debug)]
pub(super) enum Excess<'a> {
    /// Nothing.
    Zero,
    /// The product of weight and factor.
    Product(&'a [f64], f64),
    /// A separate score.
    Score(&'a [f64]),
}

impl Excess<'_> {
    #[inline(always)]
    pub(super) fn of(self, class: usize) -> f64 {
        match self {
            Excess::Zero => 0.0,
            Excess::Product(weights, factor) => weights[class] * factor,
            Excess::Score(scores) => scores[class],
        }
    }
}

impl Column {
    pub(super) fn new(mut linear: LinearColumn, n_classes: usize) -> Self {
        set_n_classes(&mut linear.term, n_classes);
        let largest = |values: &[f64], may_be_impossible: bool| {
            let usable = |value: &f64| value.is_finite() || may_be_impossible && *value == f64::NEG_INFINITY;
            let finite = values.iter().filter(|value| value.is_finite());
            let largest = finite.fold(0.0_f64, |largest, value| largest.max(value.abs()));
            values.iter().all(usable).then_some(largest)
        };
        let reach = |weights: &[f64], constants: &[f64], counts: bool| {
            let (weight, constant) = (largest(weights, counts)?, largest(constants, false)?);
            (constant <= LARGEST_TERM).then_some(LARGEST_TERM / weight.max(1.0))
        };
        let limit = match &linear.term {
            ColumnTerm::Real { center, weights, constants, .. } => {
                reach(weights, constants, false).map(|reach| reach - center.abs())
            }
            ColumnTerm::Count { weights, constants } => reach(weights, constants, true),
            _ => Some(f64::MAX),
        };
        Self { linear, limit: limit.unwrap_or(-1.0) }
    }

    /// The constants that are part of the intercepts while the cell is not missing, if there are any.
    pub(super) fn constants(&self) -> Option<&[f64]> {
        match &self.linear.term {
            ColumnTerm::Real { constants, .. } | ColumnTerm::Count { constants, .. } => Some(constants),
            _ => None,
        }
    }

    /// What keeps a value from being scored, if anything.
    #[inline]
    pub(super) fn problem(&self, value: f64) -> Option<ValueProblem> {
        if value.abs() <= self.limit {
            return match &self.linear.term {
                ColumnTerm::Count { .. } if value < 0.0 => Some(ValueProblem::Negative),
                ColumnTerm::Categories { codes, other, .. } => code_problem(value, codes, other.is_some()),
                _ => None,
            };
        }
        if self.linear.term == ColumnTerm::Ignored {
            None
        } else if value.is_infinite() {
            Some(ValueProblem::Infinite)
        } else if !value.is_nan() || self.limit < 0.0 {
            // Without finite constants there is nothing that a missing cell could leave out, either.
            Some(ValueProblem::Unscorable)
        } else {
            (self.linear.missing == Missing::Error).then_some(ValueProblem::Missing)
        }
    }

    /// What a checked value adds.
    #[inline]
    pub(super) fn excess(&self, value: f64) -> Excess<'_> {
        match &self.linear.term {
            ColumnTerm::Real { constants, .. } | ColumnTerm::Count { constants, .. } if value.is_nan() => {
                Excess::Product(constants, -1.0)
            }
            ColumnTerm::Real { center, weights, .. } => Excess::Product(weights, value - center),
            // What did not happen cannot be impossible: zero times negative infinity is zero.
            ColumnTerm::Count { weights, .. } if value > 0.0 => Excess::Product(weights, value),
            ColumnTerm::Threshold { threshold, above, .. } if value > *threshold => Excess::Score(above),
            ColumnTerm::Threshold { below, .. } if !value.is_nan() => Excess::Score(below),
            ColumnTerm::Categories { codes, scores, other } if !value.is_nan() => {
                match codes.binary_search(&(value as usize)) {
                    Ok(position) => Excess::Score(&scores[position]),
                    Err(_) => other.as_deref().map_or(Excess::Zero, Excess::Score),
                }
            }
            _ => Excess::Zero,
        }
    }
}

/// Gives all vectors one entry per class, as they should have; whoever made them may have erred.
fn set_n_classes(term: &mut ColumnTerm, n_classes: usize) {
    let resize = |values: &mut Vec<f64>| values.resize(n_classes, 0.0);
    match term {
        ColumnTerm::Real { weights: a, constants: b, .. }
        | ColumnTerm::Count { weights: a, constants: b }
        | ColumnTerm::Threshold { below: a, above: b, .. } => [a, b].into_iter().for_each(resize),
        ColumnTerm::Categories { codes, scores, other } => {
            scores.resize(codes.len(), Vec::new());
            scores.iter_mut().chain(other).for_each(resize);
        }
        ColumnTerm::Ignored => {}
    }
}

/// What keeps a number from being a category code, if anything.
fn code_problem(value: f64, codes: &[usize], takes_others: bool) -> Option<ValueProblem> {
    if value < 0.0 {
        Some(ValueProblem::Negative)
    } else if value.fract() != 0.0 {
        Some(ValueProblem::Fractional)
    } else if value > LARGEST_CODE as f64 {
        Some(ValueProblem::CodeTooLarge { largest: LARGEST_CODE })
    } else {
        (!takes_others && codes.binary_search(&(value as usize)).is_err()).then_some(ValueProblem::Unseen)
    }
}
