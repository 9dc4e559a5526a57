//! Exact sums: the arithmetic under the sufficient statistics.
//!
//! ```text
//!  value ──two_sum──▶ hi ──error──▶ mid ──error──▶ lo ──error──▶ tail (rare, grows)
//! ```
//!
//! A sum is an unevaluated sum of doubles, an *expansion* (Priest 1991; Shewchuk 1997). Nothing is ever rounded
//! away, so addition is associative and commutative, and subtraction undoes it, for every finite input.

mod columns;
mod edges;
mod panels;
mod row_set;
mod slices;
mod sums;
mod totals;
mod value;
mod window;

pub(crate) use columns::total;
pub(crate) use panels::Panels;
pub(crate) use row_set::{Ahead, Cell, RowSet};
pub(crate) use slices::{
    Counts, FixedMoments, FixedSingleMoments, Moments as MomentSlices, SingleMoments, Slices,
};
pub use sums::{ExactSums, PlanesError, SumPlanes};
pub use value::Exact;
pub(crate) use value::quotient;
pub(crate) use window::Windows;
