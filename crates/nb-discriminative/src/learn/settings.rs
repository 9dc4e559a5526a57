//! What terms are learnt with, and in which order settings are tried.

use crate::Penalty;

/// With fewer rows there are no pairs, and no slopes with weak penalties.
pub(super) const FEWEST_ROWS: usize = 150;

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

/// Which of the settings are tried. Those of a stage are tried one after the other, beginning with the best
/// of the stages before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// The penalties on the terms of columns.
    Columns,
    /// Weaker penalties on slopes.
    Slopes,
    /// The penalties on the terms of pairs.
    Pairs,
}
