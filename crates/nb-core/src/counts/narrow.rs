//! A table in single precision, for the estimates of sparse rows: half the memory that they walk about in.
//!
//! # Bound
//! Rounding makes an entry `w` wrong by no more than `2^-24 |w|`, or where it is too small for single precision by
//! `2^-150`; products and sums are those of double precision. So `Σ x w` is wrong by another `Σ x` times
//! [`Entry::error`], a ten-millionth of the largest entry, which leaves nearly every label beyond doubt.

use std::sync::{
    OnceLock,
    atomic::{AtomicUsize, Ordering},
};

use super::table::Table;
use crate::{
    exact::Cell,
    instructions::{Code, InstructionSet, Kernel},
};

/// What a table is made of.
pub(super) trait Entry: Cell {
    /// By how much an entry can be wrong, if none that is finite is larger than `largest`.
    fn error(largest: f64) -> f64;
}

impl Entry for f64 {
    #[inline(always)]
    fn error(_: f64) -> f64 {
        0.0
    }
}

impl Entry for f32 {
    #[inline(always)]
    fn error(largest: f64) -> f64 {
        const TOO_SMALL: f64 = f64::from_bits((1023 - 150) << 52);
        f64::from(f32::EPSILON) / 2.0 * largest + TOO_SMALL
    }
}

/// What making the table costs, in estimates of stored cells for each column, at most.
const COST: usize = 8;

/// The table, which is made when as many cells were estimated without it as it costs: a few rows never pay for it.
#[derive(Debug, Default)]
pub(super) struct Narrow {
    /// How many cells were estimated so far; no more are counted once the table is made.
    n_cells: AtomicUsize,
    /// As long as the cells of the table in double precision.
    cells: OnceLock<Vec<f32>>,
}

impl Narrow {
    /// The table in single precision, unless it does not pay yet; `n_cells` are about to be estimated, and no entry that
    /// is finite is larger than `largest`.
    pub(super) fn cells(&self, n_cells: usize, table: &Table, largest: f64) -> Option<&[f32]> {
        if largest > f64::from(f32::MAX) {
            return None;
        }
        if let Some(cells) = self.cells.get() {
            return Some(cells);
        }
        let so_far = self.n_cells.fetch_add(n_cells, Ordering::Relaxed).saturating_add(n_cells);
        let pays = so_far >= table.dim().1.saturating_mul(COST);
        pays.then(|| {
            self.cells.get_or_init(|| InstructionSet::current().run(Rounded(table.cells()))).as_slice()
        })
    }
}

/// A copy counts anew: it may be used less.
impl Clone for Narrow {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Rounds doubles to single precision.
struct Rounded<'a>(&'a [f64]);

impl Kernel for Rounded<'_> {
    type Output = Vec<f32>;

    #[inline(always)]
    fn run<C: Code>(self) -> Vec<f32> {
        self.0.iter().map(|&value| value as f32).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_made_when_it_pays_and_not_for_entries_that_overflow() {
        let table = Table::zeros(3, 100);
        let narrow = Narrow::default();
        assert_eq!(narrow.cells(100 * COST - 1, &table, 1.0), None);
        assert_eq!(narrow.cells(1, &table, 1.0), Some(&vec![0.0_f32; table.cells().len()][..]));
        assert!(narrow.cells(1, &table, 1.0).is_some());
        assert_eq!(narrow.clone().cells(1, &table, 1.0), None);
        assert_eq!(Narrow::default().cells(usize::MAX, &table, 1e39), None);
    }

    #[test]
    fn entries_are_as_wrong_as_is_said() {
        for value in [0.0, -0.1, 1.0 / 3.0, -1e-39, 1.1e-45, 0.7e-45, 3e-300, 1e38, f64::NEG_INFINITY] {
            for set in InstructionSet::ALL {
                let [rounded] = set.run(Rounded(&[value]))[..] else { unreachable!("one entry") };
                let (rounded, is_finite) = (f64::from(rounded), value.is_finite());
                let error = <f32 as Entry>::error(if is_finite { value.abs() } else { 0.0 });
                assert!(
                    rounded == value || is_finite && (rounded - value).abs() <= error,
                    "{value}: {rounded}"
                );
            }
        }
    }
}
