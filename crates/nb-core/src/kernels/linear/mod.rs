//! What the families of counts share.

mod accumulator;
mod by_row;
mod by_tile;
mod by_tile_single;
mod cells;
mod centered;
mod logs;
mod narrow;
mod scores;
mod seen;
mod table;

pub(crate) use accumulator::{CountAccumulator, Counted};
pub(crate) use logs::{Divisor, tables_of_logs, whole_total};
pub(crate) use scores::{Above, Linear, Value};
pub(crate) use table::Table;

use nb_simd::InstructionSet;

use exact_sums::{
    Dyadic, Exact, ExactSums,
    batch::{BinnedCounts, BinnedSums, PrefetchHint, RowView},
    domain::{MAX_ABS_VALUE, Nan},
};

use crate::{
    data::Block,
    model::{FamilyError, FamilyProblem, ValueProblem, Weights},
};

/// Adds `Σ w x` of every column; missing cells add nothing.
pub(crate) fn add_counts(rows: &Block<'_>, weights: Weights<'_>, sums: &mut ExactSums) {
    if let (Block::F64(dense), Weights::Unit) = (rows, weights) {
        let rows: Vec<u32> = (0..rows.n_rows() as u32).collect();
        let n_columns = sums.len();
        let mut windows = BinnedSums::<BinnedCounts>::new(InstructionSet::current(), n_columns);
        let ahead = PrefetchHint::of_block(dense.values(), 0, false);
        let rows = RowView { values: dense.values(), n_columns, rows: &rows, ahead };
        if windows.add(&rows, Nan::Count) {
            return sums.merge(&windows.finish().0);
        }
    }
    rows.for_each_stored(|row, column, value| match weights {
        _ if value.is_nan() || value == 0.0 => {}
        Weights::Unit => sums.add_weighted(column, 1.0, value),
        Weights::Each(weights) => sums.add_weighted(column, weights[row], value),
    });
}

/// The sums of a class, refused if one is not a count.
pub(crate) fn checked_counts(class: usize, sums: &ExactSums) -> Result<Vec<Exact>, FamilyError> {
    let counts: Vec<Exact> = sums.iter().collect();
    // Counts are infinite only after absurd scaling; then they are as impossible as negative ones.
    match counts.iter().position(|count| count.is_negative() || !count.to_f64().is_finite()) {
        Some(column) => Err(impossible(class, column, &counts[column])),
        None => Ok(counts),
    }
}

/// [`checked_counts`] for counts of any size.
pub(crate) fn checked_wide_counts(class: usize, sums: &ExactSums) -> Result<Vec<Dyadic>, FamilyError> {
    let counts: Vec<Dyadic> = (0..sums.len()).map(|column| sums.get_dyadic(column)).collect();
    match counts.iter().position(Dyadic::is_negative) {
        Some(column) => Err(impossible(class, column, &Exact::from(counts[column].to_f64()))),
        None => Ok(counts),
    }
}

/// What keeps a count that is not negative from being scored, given the logarithms that classes multiply it
/// with: all products are below the least double.
pub(crate) fn overflows(count: f64, mut logs: impl Iterator<Item = f64>) -> Option<ValueProblem> {
    let is_huge = count > MAX_ABS_VALUE && count.is_finite();
    (is_huge && logs.all(|log| log.is_finite() && (count * log).is_infinite()))
        .then_some(ValueProblem::Unscorable)
}

/// The error for a sum that no rows can have.
pub(crate) fn impossible(class: usize, column: usize, sum: &Exact) -> FamilyError {
    FamilyError { class, column, problem: FamilyProblem::Impossible { sum: sum.to_f64() } }
}

/// `count * log_probability`, where zero times negative infinity is zero: what did not happen cannot be
/// impossible. A missing cell says nothing.
#[inline]
pub(crate) fn times_log(count: f64, log_probability: f64) -> f64 {
    if count > 0.0 { count * log_probability } else { 0.0 }
}
