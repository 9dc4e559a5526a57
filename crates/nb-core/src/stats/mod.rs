//! Sufficient statistics, and how rows get into them: many at once, by class, one by one.

pub(crate) mod class_index;
pub(crate) mod grouping;
pub(crate) mod stream;
pub(crate) mod sufficient_stats;
pub(crate) mod update;
mod weighted;

pub use stream::Stream;
pub use sufficient_stats::SufficientStats;
