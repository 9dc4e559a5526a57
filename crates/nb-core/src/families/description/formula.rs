//! Log-likelihoods as formulas, for programs that write them in another language.

use crate::families::gaussian::in_units;

/// A function of one cell.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Formula {
    /// The value of the cell.
    Cell,
    /// A number; infinite only where nothing is multiplied with it.
    Number(f64),
    /// A sum.
    Sum(Vec<Formula>),
    /// A product.
    Product(Vec<Formula>),
    /// A quotient.
    Quotient(Box<Formula>, Box<Formula>),
    /// The natural logarithm of a positive number.
    Ln(Box<Formula>),
    /// `ln(1 + t)` for `t` above -1, which may be small.
    Ln1p(Box<Formula>),
    /// The exponential.
    Exp(Box<Formula>),
    /// One formula where the cell is this value, and another elsewhere.
    At(f64, Box<Formula>, Box<Formula>),
    /// One formula where the cell is above this value, and another up to it.
    Above(f64, Box<Formula>, Box<Formula>),
}

impl Formula {
    /// The value of the formula for a cell.
    pub fn evaluate(&self, cell: f64) -> f64 {
        match self {
            Self::Cell => cell,
            Self::Number(number) => *number,
            Self::Sum(terms) => terms.iter().map(|term| term.evaluate(cell)).sum(),
            Self::Product(factors) => factors.iter().map(|factor| factor.evaluate(cell)).product(),
            Self::Quotient(dividend, divisor) => dividend.evaluate(cell) / divisor.evaluate(cell),
            Self::Ln(inner) => libm::log(inner.evaluate(cell)),
            Self::Ln1p(inner) => libm::log1p(inner.evaluate(cell)),
            Self::Exp(inner) => libm::exp(inner.evaluate(cell)),
            Self::At(value, there, elsewhere) => {
                if cell == *value {
                    there.evaluate(cell)
                } else {
                    elsewhere.evaluate(cell)
                }
            }
            Self::Above(value, above, up_to) => {
                if cell > *value {
                    above.evaluate(cell)
                } else {
                    up_to.evaluate(cell)
                }
            }
        }
    }

    /// The cell times a power of two, which may be beyond the largest double: in two steps.
    pub fn cell_in_units(exponent: i64) -> Self {
        if exponent == 0 {
            return Self::Cell;
        }
        let power = |exponent| Self::Number(in_units(1.0, exponent));
        Self::Product(vec![Self::Cell, power(exponent / 2), power(exponent - exponent / 2)])
    }

    /// `weight x`, where zero times negative infinity is zero.
    pub fn times_cell(weight: f64) -> Self {
        if weight == f64::NEG_INFINITY {
            return Self::Above(0.0, Self::Number(weight).into(), Self::Number(0.0).into());
        }
        Self::Product(vec![Self::Cell, Self::Number(weight)])
    }
}
