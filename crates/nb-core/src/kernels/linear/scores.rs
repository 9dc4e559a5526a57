//! Scores that are linear in counts, `b + Σ x w`: estimates for labels, and the scores themselves.
//!
//! ```text
//!  sparse rows, few rows ─── one at a time ─▶ x w, classes along the lanes ──▶ sums in registers
//!  many dense rows ──── sixteen at a time ──▶ x w, rows along the lanes ─────▶ sums in registers
//! ```

use crate::kernels::linear::{
    by_row, by_tile,
    centered::Centered,
    narrow::{Entry, Quantized, WeightsF32, WeightsI16},
    table::Table,
};
use nb_simd::{InstructionSet, Isa, Kernel, LANES, tile::TILE_ROWS};

use exact_sums::domain::{MAX_ABS_VALUE, MIN_ABS_NONZERO};

use crate::{
    data::{Block, Doubles},
    kernels::{amortized::AmortizedLazy, by_class_vectors::score_rows},
    model::{Estimates, Scores},
};

/// `b + Σ x w`, and what is needed to bound the error of such sums.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Linear {
    /// `w`.
    table: Table,
    /// The same in single precision, for sparse rows.
    singles: AmortizedLazy<WeightsF32>,
    /// The same in sixteen bits, for sparse rows where single precision takes more than a cache has.
    shorts: AmortizedLazy<WeightsI16>,
    /// The same less the means of the columns, in single precision, for dense rows.
    centered: AmortizedLazy<Centered>,
    /// `b`, for each class.
    base: Vec<f64>,
    /// The largest size of a finite `b`.
    base_size: f64,
    /// The largest size of a finite `w`.
    largest: f64,
    /// The least and the most that a `w` is; none is positive infinity or not a number.
    extremes: (f64, f64),
}

impl Linear {
    /// Entries of `w` are finite or negative infinity, those of `b` too.
    pub(crate) fn new(table: Table, base: Vec<f64>) -> Self {
        let set = InstructionSet::current();
        let Extremes { least, most, largest } = set.run(ExtremesOf(table.entries()));
        let base_size = set.run(ExtremesOf(&base)).largest;
        Self {
            base_size,
            largest,
            extremes: (least, most),
            base,
            table,
            singles: AmortizedLazy::default(),
            shorts: AmortizedLazy::default(),
            centered: AmortizedLazy::default(),
        }
    }

    /// `b = 0`.
    pub(crate) fn without_base(table: Table) -> Self {
        let n_classes = table.dim().0;
        Self::new(table, vec![0.0; n_classes])
    }

    /// `w`.
    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    /// `b` of a class.
    pub(crate) fn base(&self, class: usize) -> f64 {
        self.base[class]
    }

    /// The largest size of a finite `w`.
    pub(crate) fn largest(&self) -> f64 {
        self.largest
    }

    /// Whether no `w` is infinite.
    pub(crate) fn is_finite(&self) -> bool {
        self.extremes.0 > f64::NEG_INFINITY
    }

    /// The sign that all `w` have, or not a number.
    pub(crate) fn sign(&self) -> f64 {
        match self.extremes {
            (_, most) if most <= 0.0 => -1.0,
            (least, _) if least >= 0.0 => 1.0,
            _ => f64::NAN,
        }
    }

    /// Estimates the scores of rows that were not checked; whether there is a way for these rows.
    pub(crate) fn estimate(
        &self,
        rows: &Block<'_>,
        count: impl Count,
        estimates: &mut Estimates<'_>,
    ) -> bool {
        let Some(rows) = rows.doubles() else { return false };
        let set = InstructionSet::current();
        match &rows {
            // Zero times infinity is not a number, and nearly every row has a zero.
            Doubles::Dense(_) if !self.is_finite() => return false,
            Doubles::Dense(rows) if rows.n_rows() >= TILE_ROWS / 2 => {
                let (linear, centered) = (self, self.centered(rows.n_rows()));
                match set {
                    // As many classes as let sums take up two thirds of the registers at most.
                    InstructionSet::Avx512 | InstructionSet::Avx512Ifma => {
                        set.run(by_tile::Estimate::<_, 5> { linear, centered, rows, count, estimates });
                    }
                    InstructionSet::Avx2 => {
                        set.run(by_tile::Estimate::<_, 2> { linear, centered, rows, count, estimates });
                    }
                    InstructionSet::Portable => {
                        set.run(by_tile::Estimate::<_, 1> { linear, centered, rows, count, estimates });
                    }
                }
            }
            Doubles::Dense(_) => {
                self.estimate_by_row(Quantized::of_table(&self.table), &rows, count, estimates);
            }
            Doubles::Sparse(_) => {
                let n_cells = rows.stored().len();
                if let Some(shorts) = self.shorts(n_cells) {
                    self.estimate_by_row(shorts.entries(), &rows, count, estimates);
                } else if let Some(singles) = self.singles(n_cells) {
                    self.estimate_by_row(singles.entries(), &rows, count, estimates);
                } else {
                    self.estimate_by_row(Quantized::of_table(&self.table), &rows, count, estimates);
                }
            }
        }
        true
    }

    fn estimate_by_row<T: Entry>(
        &self,
        table: Quantized<'_, T>,
        rows: &Doubles<'_>,
        count: impl Count,
        estimates: &mut Estimates<'_>,
    ) {
        InstructionSet::current().run(by_row::Estimate { linear: self, table, rows, count, estimates });
    }

    /// The table in sixteen bits if that is good enough, needed, and pays for the stored cells about to be
    /// estimated.
    fn shorts(&self, n_cells: usize) -> Option<&WeightsI16> {
        /// Entries in single precision that fill most second-level caches.
        const MOST_SINGLES: usize = 1 << 18;
        let (least, most) = self.extremes;
        let fits = self.is_finite() && self.largest <= f64::from(f32::MAX);
        let is_needed = self.table.entries().len() > MOST_SINGLES;
        let make = || WeightsI16::new(&self.table, least, most);
        (fits && is_needed).then(|| self.shorts.get(n_cells, self.cost(), make))?
    }

    /// The table in single precision if that is good enough, and pays for the stored cells about to be
    /// estimated.
    fn singles(&self, n_cells: usize) -> Option<&WeightsF32> {
        let fits = self.largest <= f64::from(f32::MAX);
        let make = || WeightsF32::new(&self.table, self.largest);
        fits.then(|| self.singles.get(n_cells, self.cost(), make))?
    }

    /// What it costs to make a table of smaller entries, in estimates of stored cells at most.
    fn cost(&self) -> usize {
        const EACH_COLUMN: usize = 8;
        self.table.dim().1.saturating_mul(EACH_COLUMN)
    }

    /// The table less the means of its columns if that is good enough, and pays for the dense rows about to
    /// be estimated.
    fn centered(&self, n_rows: usize) -> Option<&Centered> {
        /// In estimates of rows, at most.
        const COST: usize = 256;
        const MAX_ABS_VALUE: f64 = 1e30;
        let fits = self.is_finite() && self.largest <= MAX_ABS_VALUE;
        fits.then(|| self.centered.get(n_rows, COST, || Centered::new(&self.table)))?
    }

    /// Adds `x w` to the scores of checked rows for every `x` above zero.
    pub(crate) fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) {
        rows.with_doubles(|rows| match rows {
            Doubles::Dense(dense) if self.is_finite() && dense.n_rows() >= TILE_ROWS / 2 => {
                InstructionSet::current().run(by_tile::Score { linear: self, rows: dense, scores });
            }
            _ => score_rows(&by_row::Terms { linear: self, rows }, scores),
        });
    }

    /// A bound for the errors of a plain sum of `n_terms` products: each product and each addition rounds by
    /// at most half a unit of all sizes together; twice that also covers how the scores themselves round.
    #[inline(always)]
    pub(crate) fn bound(&self, n_terms: usize, total: f64) -> f64 {
        (n_terms as f64 + 16.0) * f64::EPSILON * (total * self.largest + self.base_size)
    }
}

/// The least and the largest of some numbers, and the largest size of a finite one; of none, what any number
/// replaces.
struct Extremes {
    least: f64,
    most: f64,
    largest: f64,
}

/// Finds the extremes of numbers that are finite or negative infinity.
struct ExtremesOf<'a>(&'a [f64]);

impl Kernel for ExtremesOf<'_> {
    type Output = Extremes;

    #[inline(always)]
    fn run<C: Isa>(self) -> Extremes {
        let mut least = [f64::INFINITY; LANES];
        let mut most = [f64::NEG_INFINITY; LANES];
        let mut largest = [0.0; LANES];
        let mut see = |lane: usize, value: f64| {
            let size = if value.abs() < f64::INFINITY { value.abs() } else { 0.0 };
            least[lane] = if value < least[lane] { value } else { least[lane] };
            most[lane] = if value > most[lane] { value } else { most[lane] };
            largest[lane] = if size > largest[lane] { size } else { largest[lane] };
        };
        let (strips, rest) = self.0.as_chunks::<LANES>();
        for strip in strips {
            for (lane, &value) in strip.iter().enumerate() {
                see(lane, value);
            }
        }
        for &value in rest {
            see(0, value);
        }
        Extremes {
            least: least.into_iter().fold(f64::INFINITY, f64::min),
            most: most.into_iter().fold(f64::NEG_INFINITY, f64::max),
            largest: largest.into_iter().fold(0.0, f64::max),
        }
    }
}

/// What is counted of a value, and which values an estimate can trust.
pub(crate) trait Count: Copy {
    /// Whether a value that can be scored may be negative.
    const SIGNED: bool;

    /// `x`, not negative for a value that can be scored.
    fn count(self, value: f64) -> f64;

    /// Counts in place of values.
    fn count_all(self, values: &mut [f64]);

    /// An integer that is zero or from [`LEAST`](Self::LEAST) to [`MOST`](Self::MOST) for a value that may be
    /// trusted.
    fn bits(self, value: f64) -> u64;

    /// As above.
    const LEAST: u64;

    /// As above.
    const MOST: u64;

    /// Whether a value may not be trusted. `zero` says whether a count of zero is fine.
    #[inline(always)]
    fn is_wrong(self, value: f64, zero: bool) -> bool {
        let bits = self.bits(value);
        // Zero less one is above all.
        (bits > Self::MOST) | (bits.wrapping_sub(1) < Self::LEAST - 1) | (!zero & (self.count(value) == 0.0))
    }
}

/// The value itself.
#[derive(Clone, Copy)]
pub(crate) struct Value;

impl Count for Value {
    const SIGNED: bool = false;

    #[inline(always)]
    fn count(self, value: f64) -> f64 {
        value
    }

    #[inline(always)]
    fn count_all(self, _: &mut [f64]) {}

    /// The bits of all that is negative or not a number lie above those of all others.
    #[inline(always)]
    fn bits(self, value: f64) -> u64 {
        value.to_bits()
    }

    const LEAST: u64 = MIN_ABS_NONZERO.to_bits();
    const MOST: u64 = MAX_ABS_VALUE.to_bits();
}

/// One for a value above the threshold.
#[derive(Clone, Copy)]
pub(crate) struct Above(pub(crate) f64);

impl Count for Above {
    const SIGNED: bool = true;

    #[inline(always)]
    fn count(self, value: f64) -> f64 {
        if value > self.0 { 1.0 } else { 0.0 }
    }

    #[inline(always)]
    fn count_all(self, values: &mut [f64]) {
        for value in values {
            *value = if *value > self.0 { 1.0 } else { 0.0 };
        }
    }

    #[inline(always)]
    fn bits(self, value: f64) -> u64 {
        value.abs().to_bits()
    }

    const LEAST: u64 = 1;
    const MOST: u64 = f64::INFINITY.to_bits() - 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_leave_infinite_sizes_out() {
        for set in InstructionSet::ALL {
            for length in [0, 1, 7, 8, 9, 40] {
                let values: Vec<f64> = (0..length).map(|place| -1.0 - f64::from(place)).collect();
                let Extremes { least, most, largest } = set.run(ExtremesOf(&values));
                let expected =
                    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), &value| {
                        (least.min(value), most.max(value))
                    });
                assert_eq!((least, most, largest), (expected.0, expected.1, f64::from(length)));
                for place in 0..values.len() {
                    let mut values = values.clone();
                    values[place] = f64::NEG_INFINITY;
                    let found = set.run(ExtremesOf(&values));
                    assert_eq!(found.least, f64::NEG_INFINITY);
                    assert!(found.largest <= f64::from(length) && found.most <= 0.0);
                    values[place] = 1000.0;
                    let found = set.run(ExtremesOf(&values));
                    assert_eq!((found.most, found.largest), (1000.0, 1000.0));
                }
            }
        }
    }
}
