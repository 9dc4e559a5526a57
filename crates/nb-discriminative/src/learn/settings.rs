//! What terms are learnt with.

use crate::Penalty;

/// What terms are learnt with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Settings {
    /// The penalties on the terms of columns.
    pub(super) penalty: Penalty,
    /// The ridge penalty on slopes, as a multiple of that on the terms of columns.
    pub(super) slopes: f64,
    /// The penalties on the terms of pairs, if there are pairs.
    pub(super) pairs: Option<Penalty>,
}
