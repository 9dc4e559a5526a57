//! Estimates of Gaussian scores in single precision: sixteen columns at a time, rows as they lie in memory.
//!
//! The labels of nearly all rows need no more than six digits of their scores. Values are taken relative to a
//! center of their column, so that an offset that all classes share costs no digits. `parameters.rs` tells
//! how wrong estimates can be.

mod parameters;
mod tile;

pub(crate) use parameters::SinglePrecision;
use tile::{Cell, Strip, Tile};

use crate::kernels::gaussian::table::GaussianTable;
use nb_simd::{
    Isa, Kernel, LANES_F32, Vector, VectorF32,
    prefetch::Prefetcher,
    tile::{RowLanes, TILE_ROWS},
};

use crate::model::Estimates;

/// The strips of sixteen columns that are summed in single precision: with the rows of a tile, 8 KiB.
const PANEL: usize = 8;

/// What taking sums off estimates and adding norms rounds, relative to the estimates and norms.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Estimates the scores of rows that were not checked.
pub(crate) struct EstimateSingle<'a, 'b, T> {
    pub(crate) table: &'a GaussianTable,
    pub(crate) single: &'a SinglePrecision,
    /// Whole rows, one after the other.
    pub(crate) cells: &'a [T],
    pub(crate) estimates: &'a mut Estimates<'b>,
}

impl<T: Cell> Kernel for EstimateSingle<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(self) {
        let Self { table, single, cells, estimates } = self;
        let n_strips = single.n_strips;
        let n_rows = cells.len() / single.n_columns;
        let norms = (0..table.n_classes).map(|class| table.class(class).norm.0.abs());
        let largest_norm = norms.fold(0.0, f64::max);
        let mut tile = Tile::new(n_strips.min(PANEL));
        let mut prefetcher = Prefetcher::new(cells, single.n_columns, PANEL * LANES_F32).along_rows();
        for first_row in (0..n_rows).step_by(TILE_ROWS) {
            let starts = tile::starts(first_row..n_rows, single.n_columns);
            for first_strip in (0..n_strips).step_by(PANEL) {
                let strips = first_strip..n_strips.min(first_strip + PANEL);
                let is_last = strips.end == n_strips;
                tile.fill(single, cells, &starts, strips.clone());
                let mut largest = Largest::empty();
                prefetcher.start_tile(first_row, first_strip * LANES_F32, table.n_classes);
                for class in 0..table.n_classes {
                    let terms = &single.terms[class * n_strips..][strips.clone()];
                    // As many rows at a time as there are registers for.
                    let sums = if C::HAS_32_REGISTERS {
                        sum_distances::<C, 8>(&tile.strips, terms)
                    } else {
                        sum_distances::<C, 4>(&tile.strips, terms)
                    };
                    prefetcher.step();
                    let norm = if is_last { table.class(class).norm.0 } else { 0.0 };
                    let values = &mut estimates.class_mut(class)[first_row..first_row + TILE_ROWS];
                    take_sums::<C>(values, sums, norm, &mut largest);
                }
                let least = if first_strip == 0 { single.least_bound() } else { 0.0 };
                let of_norms = if is_last { ROUNDING * largest_norm } else { 0.0 };
                let bounds = largest.bounds::<C::Vector>(single.factor(), least + of_norms);
                estimates.add_errors(first_row, bounds.as_flattened());
            }
        }
    }
}

/// `Σ (x - μ)² / 2v` for each row, `ROWS` at a time: two multiply-adds a term, where subtracting first takes
/// three operations.
#[inline(always)]
fn sum_distances<C: Isa, const ROWS: usize>(
    tile: &[[Strip; TILE_ROWS]],
    terms: &[[Strip; 2]],
) -> C::VectorF32 {
    let zero = C::VectorF32::splat(0.0);
    let mut totals = [zero; TILE_ROWS];
    for first in (0..TILE_ROWS).step_by(ROWS) {
        let mut sums = [zero; ROWS];
        for (values, [scales, offsets]) in tile.iter().zip(terms) {
            let (scale, offset) = (C::VectorF32::load(&scales.0), C::VectorF32::load(&offsets.0));
            for row in 0..ROWS {
                let deviation = C::VectorF32::load(&values[first + row].0).mul_add(scale, offset);
                sums[row] = deviation.mul_add(deviation, sums[row]);
            }
        }
        totals[first..first + ROWS].copy_from_slice(&sums);
    }
    C::VectorF32::lane_sums(&totals)
}

/// The largest of what the classes have for each row of a tile, which says how wrong estimates can be.
struct Largest {
    /// Of the sums of distances.
    sums: Strip,
    /// Of the sizes of the estimates before the sums were taken off.
    sizes: RowLanes,
}

impl Largest {
    fn empty() -> Self {
        Self { sums: Strip::ZERO, sizes: RowLanes::default() }
    }

    /// How wrong estimates are once the sums were taken off, if those are wrong by `factor` relative to
    /// themselves and all else makes `least`.
    #[inline(always)]
    fn bounds<V: Vector>(&self, factor: f64, least: f64) -> RowLanes {
        let (factor, least, rounding) = (V::splat(factor), V::splat(least), V::splat(ROUNDING));
        let (sums, _) = self.sums.0.as_chunks();
        let mut bounds = RowLanes::default();
        for ((bounds, sums), sizes) in bounds.iter_mut().zip(sums).zip(&self.sizes) {
            let of_sizes = V::load(sizes).mul(rounding).add(least);
            of_sizes.add(V::load_f32(sums).mul(factor)).store(bounds);
        }
        bounds
    }
}

/// Takes distances off the estimates of a class and adds its norm; notes what is the largest so far.
#[inline(always)]
fn take_sums<C: Isa>(values: &mut [f64], sums: C::VectorF32, norm: f64, largest: &mut Largest) {
    // Not a number where a value is none, for the last class at least.
    sums.max(C::VectorF32::load(&largest.sums.0)).store(&mut largest.sums.0);
    let mut of_rows = Strip::ZERO;
    sums.store(&mut of_rows.0);
    let (values, _) = values.as_chunks_mut();
    let (sums, _) = of_rows.0.as_chunks();
    let norm = C::Vector::splat(norm);
    for ((values, sums), sizes) in values.iter_mut().zip(sums).zip(&mut largest.sizes) {
        let value = C::Vector::load(values);
        value.abs().max(C::Vector::load(sizes)).store(sizes);
        value.sub(C::Vector::load_f32(sums)).add(norm).store(values);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nb_simd::InstructionSet;

    use crate::{
        data::{Block, Dense},
        families::FittedGaussian,
        model::{Missing, Scores, scores::padded, test_rng::uniforms},
    };
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
        let mut next = uniforms(seed);
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
            let single = fitted.single().expect("single precision is enough");
            let wide = widened(&cells);
            let rows = Dense::new(&wide, n_rows, n_columns).expect("whole rows");
            let stride = padded(n_rows);
            let start = || (0..n_classes).flat_map(|class| vec![-0.5 * class as f64; stride]).collect::<Vec<_>>();
            let (mut high, mut low) = (start(), vec![0.0; n_classes * stride]);
            fitted.add_row_by_row(&Block::F64(rows), &mut Scores::new(n_rows, &mut high, &mut low));
            for set in InstructionSet::ALL {
                for narrow in [false, true] {
                    let (mut values, mut errors) = (start(), vec![0.0; stride]);
                    let estimates = &mut Estimates::new(n_rows, &mut values, &mut errors);
                    let fitted = &fitted;
                    if narrow {
                        set.run(EstimateSingle { table: fitted.table(), single, cells: &cells, estimates });
                    } else {
                        set.run(EstimateSingle { table: fitted.table(), single, cells: &wide, estimates });
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
                    let single = fitted.single().expect("single precision is enough");
                    if narrow {
                        set.run(EstimateSingle { table: fitted.table(), single, cells: &cells, estimates });
                    } else {
                        set.run(EstimateSingle { table: fitted.table(), single, cells: wide, estimates });
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
