//! Check 4, the rest: situations in which naive Bayes implementations are known to go wrong.

mod large_counts;
mod log_odds;
mod partitions;
mod prior;
mod single_precision;
mod smoothing;
mod streaming;
mod ties;
mod units;
mod unseen;

use super::check::{Check, Group, Outcome, Problem};

pub(super) fn checks() -> Vec<Check> {
    [
        large_counts::checks(),
        log_odds::checks(),
        single_precision::checks(),
        partitions::checks(),
        streaming::checks(),
        units::checks(),
        smoothing::checks(),
        ties::checks(),
        unseen::checks(),
        prior::checks(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A check of this group.
fn special(
    name: impl Into<String>,
    source: &str,
    run: impl Fn() -> Result<Outcome, Problem> + Send + 'static,
) -> Check {
    Check::new(Group::Special, name, source, run)
}

/// Whether all doubles of two tables have the same bits.
fn same_bits(a: &ndarray::Array2<f64>, b: &ndarray::Array2<f64>) -> bool {
    a.dim() == b.dim() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}
