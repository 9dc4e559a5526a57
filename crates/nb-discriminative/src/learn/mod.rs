//! Learning weights and corrections.

mod coding;
mod columns;
mod counts;
mod curvature;
mod fold;
mod folds;
mod learner;
mod learnt;
mod minimise;
mod parts;
#[cfg(test)]
mod reference;
mod shares;
mod stack;
mod sums;
mod tables;
mod weights;

pub use learner::{Learner, Penalty};
pub use learnt::{HeldOut, Learnt, Summary};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Feature {
    /// Numbers, which are discretised; NaN is a missing cell.
    Numbers,
    /// So many categories: 0, 1, and so on; NaN is a missing cell.
    Categories(usize),
}
