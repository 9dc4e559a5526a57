//! How much a model relies on each column: what becomes of its predictions when the cells of a column are
//! permuted, or left out (`rises`), and what its parameters say without rows (`information`, `informative`).
//!
//! Scores are sums over columns and pairs of columns, so that no row is predicted again: the terms of a
//! column are taken off the scores, and those of another row, or of a missing cell, are added.

pub(crate) mod information;
mod informative;
mod rises;
mod terms;

pub(crate) use informative::{Informative, informative, most_informative};
pub(crate) use rises::{Importance, Rise, rises};
pub(crate) use terms::Terms;
