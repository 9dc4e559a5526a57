//! Where one learning curve overtakes another.

use serde::{Deserialize, Serialize};

/// From how many training rows on one learner is ahead of another for good.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// Before the smallest size: it is ahead at every size.
    Before,
    /// At this number of training rows.
    At(f64),
    /// Not up to the largest size: there the other is ahead, or they are level.
    Beyond,
}
