//! Learning weights and corrections.

mod absent;
mod axis;
mod coding;
mod columns;
mod counts;
mod curvature;
mod export;
mod fold;
mod folds;
mod held_out;
mod labelled;
mod learner;
mod learnt;
mod linear;
mod minimise;
mod multiplied;
mod pairs;
mod parts;
mod purify;
#[cfg(test)]
mod reference;
mod rising;
mod row_weights;
mod settings;
mod shares;
mod stack;
mod sums;
mod tables;
mod text;
#[cfg(test)]
mod weighted_rows;
mod weights;

pub use labelled::LabelledRows;
pub use learner::{Learner, Penalty};
pub use learnt::{HeldOutPosteriors, Learnt, Summary};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnKind {
    /// Numbers, which are discretised; NaN is a missing cell.
    Numbers,
    /// This many categories: 0, 1, and so on; NaN is a missing cell.
    Categories(usize),
    /// This number of categories, in groups by [`modl_groups`](nb_variants::modl_groups) of the rows that are
    /// learnt from, each counted once. Groups are fixed where a row is left out, as cut points are; rows
    /// that are held out have no part in them.
    Grouped(usize),
    /// Counts, or other numbers from 0, of a term of a text: the terms of a text have the same number, and
    /// one weight.
    Term(usize),
    /// Nothing that matters.
    Ignored,
}
