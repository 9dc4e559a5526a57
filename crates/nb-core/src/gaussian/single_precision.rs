//! Estimates of Gaussian scores in single precision: sixteen columns at a time, rows as they lie in memory.
//!
//! The labels of nearly all rows need no more than six digits of their scores. Values are taken relative to a center of
//! their column, so that an offset that all classes share costs no digits.
//!
//! # Bound
//! With `u = 2^-24`, `d = x - μ` and `m = μ - center`, rounding `x - center`, `m` and their difference makes `d` wrong by
//! no more than `2u(|d| + |m|)`, and `d²` by `u(6d² + 2m²)`, as `2|d||m| ≤ d² + m²`. Rounding `1 / 2v`, the square and
//! its product with that adds `3u d²`, and the sum of a panel of `s` strips `(s + 4)u` of itself. With what is of higher
//! order, a panel's `Σ d² / 2v` is wrong by less than `u((s + 16) Σ d² / 2v + 3 Σ m² / 2v)`; the compensated score, by
//! less than another `u Σ d² / 2v`, and by what it leaves out of means, `2^-53 |z|` a term of `z² / 2`: less than
//! `u z² / 2`, or else than `2^-81`. What is too small for single precision is below `2^-80` a term, as `1 / 2v` is at
//! most `2^64`; what is too large is infinite or not a number, and so is the bound.

use super::fitted::FittedGaussian;
use crate::{
    Estimates,
    instructions::{Code, Kernel, LANES, SINGLES, Singles, Vector},
    prefetcher::Prefetcher,
    tiles::TILE_ROWS,
};

/// The strips of sixteen columns that are summed in single precision: with the rows of a tile, 16 KiB.
const PANEL: usize = 16;

/// Rounding to single precision.
const UNIT: f64 = (f32::EPSILON / 2.0) as f64;

/// Sixteen columns, or of sixteen rows one number each: a whole line of the cache, as reading two halves would take twice
/// the time.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Strip([f32; SINGLES]);

impl Strip {
    const ZERO: Self = Self([0.0; SINGLES]);
}

/// The parameters of a fitted family in single precision.
#[derive(Clone, Debug)]
pub(super) struct SinglePrecision {
    n_columns: usize,
    /// Where the columns' values are taken from.
    centers: Vec<Strip>,
    /// The mean less the center and `1 / 2v`, strip by strip, class after class. The last strip takes its full width from
    /// the columns before it, where `1 / 2v` is then zero.
    terms: Vec<[Strip; 2]>,
    /// `Σ m² / 2v`, the largest of all classes.
    shift: f64,
}

impl SinglePrecision {
    /// The parameters, if rows like those that were fitted get useful bounds from them.
    pub(super) fn new(fitted: &FittedGaussian, n_columns: usize) -> Option<Self> {
        /// What is left unsure: differences of scores of twice this.
        const WIDEST: f64 = 1.0 / 16.0;
        const PRECISIONS: std::ops::RangeInclusive<f64> = 1.0 / (1_u128 << 64) as f64..=(1_u128 << 64) as f64;
        let n_classes = fitted.n_classes();
        // Then all values that are not infinite in single precision can be scored.
        if n_columns < SINGLES || n_classes == 0 || fitted.least_limit() < 1e40 {
            return None;
        }
        let n_strips = n_columns.div_ceil(SINGLES);
        let mut single = Self {
            n_columns,
            centers: vec![Strip::ZERO; n_strips],
            terms: vec![[Strip::ZERO; 2]; n_strips * n_classes],
            shift: 0.0,
        };
        // Of each class: Σ m² / 2v, and how large Σ d² / 2v may well be for a row of another class.
        let mut sizes = vec![(0.0, 0.0); n_classes];
        for column in 0..n_columns {
            let term = |class: usize| fitted.class(class).terms[column];
            let total: f64 = (0..n_classes).map(|class| term(class)[0]).sum();
            let center = (total / n_classes as f64) as f32;
            let mean = |class: usize| (term(class)[0] - f64::from(center)) + term(class)[1];
            let mut spread = 0.0;
            for class in 0..n_classes {
                let half_precision = term(class)[2];
                if half_precision != 0.0 && !PRECISIONS.contains(&half_precision) {
                    return None;
                }
                let variance = if half_precision > 0.0 { 0.5 / half_precision } else { 0.0 };
                spread = f64::max(spread, 2.0 * (mean(class) * mean(class) + variance));
            }
            if !(spread < 1e30 && center.abs() < 1e30) {
                return None;
            }
            let strip = column / SINGLES;
            let lane = column - single.first_column(strip);
            for (class, (shift, size)) in sizes.iter_mut().enumerate() {
                let half_precision = term(class)[2];
                *shift += mean(class) * mean(class) * half_precision;
                *size += (spread + 2.0 * mean(class) * mean(class)) * half_precision;
                let [means, half_precisions] = &mut single.terms[class * n_strips + strip];
                (means.0[lane], half_precisions.0[lane]) = (mean(class) as f32, half_precision as f32);
            }
            single.centers[strip].0[lane] = center;
        }
        let largest =
            |sizes: &[(f64, f64)], of: fn(&(f64, f64)) -> f64| sizes.iter().map(of).fold(0.0, f64::max);
        single.shift = largest(&sizes, |(shift, _)| *shift);
        let widest = single.factor() * largest(&sizes, |(_, size)| *size) + single.least_bound();
        (widest <= WIDEST).then_some(single)
    }

    /// The first column of a strip.
    fn first_column(&self, strip: usize) -> usize {
        (strip * SINGLES).min(self.n_columns - SINGLES)
    }

    /// How wrong sums of distances are, relative to themselves.
    fn factor(&self) -> f64 {
        (self.centers.len().min(PANEL) as f64 + 18.0) * UNIT
    }

    /// How wrong sums of distances are beside that.
    fn least_bound(&self) -> f64 {
        /// `2^-79`.
        const TOO_SMALL: f64 = f64::from_bits((1023 - 79) << 52);
        4.0 * UNIT * self.shift + self.n_columns as f64 * TOO_SMALL
    }
}

/// A number as it lies in memory.
pub(super) trait Cell: Copy {
    /// Sixteen differences in single precision.
    fn minus(cells: &[Self; SINGLES], centers: &Strip) -> Strip;
}

impl Cell for f64 {
    #[inline(always)]
    fn minus(cells: &[Self; SINGLES], Strip(centers): &Strip) -> Strip {
        let mut differences = [0.0; SINGLES];
        for lane in 0..SINGLES {
            differences[lane] = (cells[lane] - f64::from(centers[lane])) as f32;
        }
        Strip(differences)
    }
}

impl Cell for f32 {
    #[inline(always)]
    fn minus(cells: &[Self; SINGLES], Strip(centers): &Strip) -> Strip {
        let mut differences = [0.0; SINGLES];
        for lane in 0..SINGLES {
            differences[lane] = cells[lane] - centers[lane];
        }
        Strip(differences)
    }
}

/// Estimates the scores of rows that were not checked.
pub(super) struct EstimateSingle<'a, 'b, T> {
    pub(super) fitted: &'a FittedGaussian,
    pub(super) single: &'a SinglePrecision,
    /// Whole rows, one after the other.
    pub(super) cells: &'a [T],
    pub(super) estimates: &'a mut Estimates<'b>,
}

impl<T: Cell> Kernel for EstimateSingle<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn run<C: Code>(self) {
        let Self { fitted, single, cells, estimates } = self;
        let n_strips = single.centers.len();
        let n_rows = cells.len() / single.n_columns;
        let mut tile = vec![[Strip::ZERO; TILE_ROWS]; n_strips.min(PANEL)];
        let mut prefetcher = Prefetcher::new(cells, single.n_columns, PANEL * SINGLES).along_rows();
        for first_row in (0..n_rows).step_by(TILE_ROWS) {
            let rows = first_row..n_rows.min(first_row + TILE_ROWS);
            for first_strip in (0..n_strips).step_by(PANEL) {
                let strips = first_strip..n_strips.min(first_strip + PANEL);
                single.fill(&mut tile, cells, rows.clone(), strips.clone());
                let mut bounds = [[0.0; LANES]; 2];
                prefetcher.start_tile(first_row, first_strip * SINGLES, fitted.n_classes());
                for class in 0..fitted.n_classes() {
                    let terms = &single.terms[class * n_strips..][strips.clone()];
                    // As many rows at a time as there are registers for.
                    let sums = if C::MANY_REGISTERS {
                        sum_distances::<C, 8>(&tile, terms)
                    } else {
                        sum_distances::<C, 4>(&tile, terms)
                    };
                    prefetcher.step();
                    let norm = if strips.end == n_strips { fitted.class(class).norm.0 } else { 0.0 };
                    let values = &mut estimates.class_mut(class)[first_row..first_row + TILE_ROWS];
                    take_sums::<C>(values, &sums, norm, single.factor(), &mut bounds);
                }
                let least = if first_strip == 0 { single.least_bound() } else { 0.0 };
                bounds.as_flattened_mut().iter_mut().for_each(|bound| *bound += least);
                estimates.add_errors(first_row, bounds.as_flattened());
            }
        }
    }
}

impl SinglePrecision {
    /// Some columns of some rows relative to their centers; what the tile has of other rows is left as it is.
    ///
    /// Sixteen rows are read side by side and to their ends, panel after panel, which processors see coming: one after the
    /// other, or panels of all rows, took twice the time in wide rows (on Zen 4).
    #[inline(always)]
    fn fill<T: Cell>(
        &self,
        tile: &mut [[Strip; TILE_ROWS]],
        cells: &[T],
        rows: std::ops::Range<usize>,
        strips: std::ops::Range<usize>,
    ) {
        for (strip, turned) in strips.zip(tile) {
            let first = rows.start * self.n_columns + self.first_column(strip);
            let center = self.centers[strip];
            // Each is as long as a row, so that the next starts at the same column one row further down.
            let starts = cells[first..].chunks(self.n_columns).take(rows.len());
            for (cells, turned) in starts.zip(turned) {
                let cells = cells.first_chunk();
                let cells = cells.unwrap_or_else(|| unreachable!("a strip lies within the row"));
                *turned = T::minus(cells, &center);
            }
        }
    }
}

/// `Σ (x - μ)² / 2v` for each row, `ROWS` at a time.
#[inline(always)]
fn sum_distances<C: Code, const ROWS: usize>(tile: &[[Strip; TILE_ROWS]], terms: &[[Strip; 2]]) -> Strip {
    let zero = C::Singles::splat(0.0);
    let mut totals = [zero; TILE_ROWS];
    for first in (0..TILE_ROWS).step_by(ROWS) {
        let mut sums = [zero; ROWS];
        for (values, [means, half_precisions]) in tile.iter().zip(terms) {
            let (mean, half_precision) = (C::Singles::load(&means.0), C::Singles::load(&half_precisions.0));
            for row in 0..ROWS {
                let difference = mean.minus(C::Singles::load(&values[first + row].0));
                let square = difference.times(difference);
                sums[row] = square.times_plus(half_precision, sums[row]);
            }
        }
        totals[first..first + ROWS].copy_from_slice(&sums);
    }
    let mut sums = Strip::ZERO;
    C::Singles::lane_sums(&totals).store(&mut sums.0);
    sums
}

/// Takes distances off the estimates of a class and adds its norm; widens the bounds.
#[inline(always)]
fn take_sums<C: Code>(
    values: &mut [f64],
    sums: &Strip,
    norm: f64,
    factor: f64,
    bounds: &mut [[f64; LANES]; 2],
) {
    let (values, _) = values.as_chunks_mut::<LANES>();
    let (sums, _) = sums.0.as_chunks::<LANES>();
    let (factor, norm) = (C::Vector::splat(factor), C::Vector::splat(norm));
    let rounding = C::Vector::splat(4.0 * f64::EPSILON);
    for ((values, sums), bounds) in values.iter_mut().zip(sums).zip(bounds) {
        let mut wide = [0.0; LANES];
        for lane in 0..LANES {
            wide[lane] = f64::from(sums[lane]);
        }
        let (value, sum) = (C::Vector::load(values), C::Vector::load(&wide));
        let rest = value.size().plus(norm.size());
        // Not a number where a value is none, for the last class at least.
        let bound = rest.times(rounding).plus(sum.times(factor));
        value.minus(sum).plus(norm).store(values);
        bound.larger(C::Vector::load(bounds)).store(bounds);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Block, DenseBlock, InstructionSet, Missing, Scores, scores::padded};
    use ndarray::Array2;
    use proptest::prelude::*;

    /// Parameters around an offset, and rows of numbers that single precision has exactly.
    fn case(
        n_classes: usize,
        n_rows: usize,
        n_columns: usize,
        offset: f32,
        seed: u64,
    ) -> (FittedGaussian, Vec<f32>) {
        let mut state = seed;
        let mut next = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let means = Array2::from_shape_fn((n_classes, n_columns), |_| f64::from(offset) + next());
        let variances = Array2::from_shape_fn((n_classes, n_columns), |_| 0.05 + next());
        let fitted =
            FittedGaussian::new(&means.view(), &variances.view(), Missing::Error).expect("parameters");
        let cells = (0..n_rows * n_columns).map(|_| offset + (3.0 * next() - 1.0) as f32).collect();
        (fitted, cells)
    }

    fn widened(cells: &[f32]) -> Vec<f64> {
        cells.iter().map(|&cell| f64::from(cell)).collect()
    }

    proptest! {
        #[test]
        fn estimates_are_within_their_bounds(
            n_classes in 1..6_usize,
            n_rows in 1..40_usize,
            n_columns in prop_oneof![16..40_usize, 250..270_usize],
            offset in prop_oneof![Just(0.0), Just(-1e3), Just(1e9_f32)],
            seed in any::<u64>(),
        ) {
            let (fitted, cells) = case(n_classes, n_rows, n_columns, offset, seed);
            let single = fitted.single().expect("single precision will do");
            let wide = widened(&cells);
            let rows = DenseBlock::new(&wide, n_rows, n_columns).expect("whole rows");
            let stride = padded(n_rows);
            let start = || (0..n_classes).flat_map(|class| vec![-0.5 * class as f64; stride]).collect::<Vec<_>>();
            let (mut high, mut low) = (start(), vec![0.0; n_classes * stride]);
            fitted.add_row_by_row(&Block::Dense(rows), &mut Scores::new(n_rows, &mut high, &mut low));
            for set in InstructionSet::ALL {
                for narrow in [false, true] {
                    let (mut values, mut errors) = (start(), vec![0.0; stride]);
                    let estimates = &mut Estimates::new(n_rows, &mut values, &mut errors);
                    let fitted = &fitted;
                    if narrow {
                        set.run(EstimateSingle { fitted, single, cells: &cells, estimates });
                    } else {
                        set.run(EstimateSingle { fitted, single, cells: &wide, estimates });
                    }
                    for (row, &error) in errors[..n_rows].iter().enumerate() {
                        let mut largest = 0.0;
                        for class in (row..n_classes * stride).step_by(stride) {
                            let distance = ((values[class] - high[class]) - low[class]).abs();
                            prop_assert!(distance <= error, "{set:?}: {distance} > {error}");
                            largest = f64::max(largest, high[class].abs());
                        }
                        // And not so wide that every label would be in doubt.
                        prop_assert!(error <= 1e-5 * (n_columns as f64 + largest), "{error}, {largest}");
                    }
                }
            }
        }
    }

    #[test]
    fn rows_that_may_be_refused_are_never_sure() {
        for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 3e38] {
            for n_rows in [2, 20] {
                let (fitted, mut cells) = case(3, n_rows, 20, 0.0, 7);
                cells[(n_rows - 1) * 20 + 2] = value;
                let mut wide = widened(&cells);
                let is_finite = |narrow: bool, wide: &[f64]| -> Vec<bool> {
                    let (mut values, mut errors) = (vec![0.0; 3 * padded(n_rows)], vec![0.0; padded(n_rows)]);
                    let estimates = &mut Estimates::new(n_rows, &mut values, &mut errors);
                    let (set, fitted) = (InstructionSet::current(), &fitted);
                    let single = fitted.single().expect("single precision will do");
                    if narrow {
                        set.run(EstimateSingle { fitted, single, cells: &cells, estimates });
                    } else {
                        set.run(EstimateSingle { fitted, single, cells: wide, estimates });
                    }
                    errors[..n_rows].iter().map(|error| error.is_finite()).collect()
                };
                let mut expected = vec![true; n_rows];
                expected[n_rows - 1] = false;
                assert_eq!(is_finite(true, &wide), expected, "{value}");
                assert_eq!(is_finite(false, &wide), expected, "{value}");
                wide[(n_rows - 1) * 20 + 2] *= 1e200;
                assert_eq!(is_finite(false, &wide), expected, "{value}");
            }
        }
    }

    #[test]
    fn it_is_known_where_single_precision_will_not_do() {
        let fitted = |mean: f64, variance: f64, n_columns: usize| {
            let mut means = Array2::zeros((2, n_columns));
            let mut variances = Array2::ones((2, n_columns));
            (means[[1, 3]], variances[[1, 3]]) = (mean, variance);
            FittedGaussian::new(&means.view(), &variances.view(), Missing::Error).expect("parameters")
        };
        assert!(fitted(1.0, 1.0, 20).single().is_some());
        assert!(fitted(1.0, 1.0, 15).single().is_none(), "few columns");
        assert!(fitted(1e6, 1.0, 20).single().is_none(), "classes far apart");
        assert!(fitted(1.0, 1e-9, 20).single().is_none(), "a narrow class");
        assert!(fitted(1.0, 1e40, 20).single().is_none(), "a wide class");
        assert!(fitted(1e60, 1.0, 20).single().is_none(), "out of range");
        assert!(fitted(1.0, 1e-300, 20).single().is_none(), "out of range");
    }
}
