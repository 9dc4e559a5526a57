//! The inner loops of Gaussian scores: sixteen rows, all classes, column by column.
//!
//! The three operations `(x - μ)² / 2v` lose nothing at any offset. As a matrix product, `x² a + x b`, they
//! would take as many multiplications and lose all digits far from the origin.

mod estimate;
mod score;
mod sum_blocks;

pub(crate) use estimate::Estimate;
pub(crate) use score::Score;
pub(crate) use sum_blocks::{SUM_BLOCK, bias, max_partial_sum};

use nb_simd::{
    Vector,
    tile::{Column, VECTORS},
};

/// The columns that are turned at a time: 32 KiB of them, which is about the first-level cache. The distances
/// of this many are summed together.
pub(crate) const PANEL: usize = 256;

/// The largest size of each row; what is no number is passed over.
#[inline(always)]
fn sizes<V: Vector>(columns: &[Column]) -> [V; VECTORS] {
    let mut sizes = [V::splat(0.0); VECTORS];
    for Column(values) in columns {
        for vector in 0..VECTORS {
            sizes[vector] = sizes[vector].max(V::load(&values[vector]).abs());
        }
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;
    use nb_simd::InstructionSet;

    use exact_sums::Exact;

    use crate::{
        data::{Block, Dense},
        families::FittedGaussian,
        kernels::gaussian::table::{Class, distance},
        model::{
            Estimates, Likelihood, Missing, Scores, ValueError, ValueProblem, scores::padded,
            test_rng::uniforms,
        },
    };
    use ndarray::Array2;
    use proptest::prelude::*;
    use std::convert::Infallible;

    /// Parameters and rows around an offset, from one seed.
    fn case(
        n_classes: usize,
        n_rows: usize,
        n_columns: usize,
        offset: f64,
        seed: u64,
    ) -> (FittedGaussian, Vec<f64>) {
        let mut next = uniforms(seed);
        // What is left of means beyond a double: so little that it does not count, for all classes, none, or
        // some.
        let unit = |class: usize| match seed % 3 {
            0 => 0.5,
            1 => 1e-3,
            _ => [1e-3, 1e-3, 0.5][class % 3],
        };
        let mut fitted = FittedGaussian::empty(n_classes, n_columns, Missing::Error);
        let mut piece = fitted.piece();
        for class in 0..n_classes {
            let parameters = |_| {
                let mean = offset + next();
                let rest = mean * unit(class) * f64::EPSILON * (next() - 0.5);
                Ok::<_, Infallible>(((mean, rest), Some(0.01 + next())))
            };
            piece.set_class(class, parameters).unwrap_or_else(|never| match never {});
        }
        let fitted = fitted.finish();
        let cells = (0..n_rows * n_columns).map(|_| offset + 3.0 * next() - 1.0).collect();
        (fitted, cells)
    }

    fn bits(values: &[f64]) -> Vec<u64> {
        values.iter().map(|value| value.to_bits()).collect()
    }

    proptest! {
        #[test]
        fn tiles_score_as_rows_do(
            n_classes in prop_oneof![1..6_usize, 16..20_usize],
            n_rows in 1..40_usize,
            n_columns in prop_oneof![1..40_usize, 250..270_usize],
            offset in prop_oneof![Just(0.0), Just(1e9), Just(-1e15)],
            far in any::<bool>(),
            seed in any::<u64>(),
        ) {
            let (fitted, mut cells) = case(n_classes, n_rows, n_columns, offset, seed);
            if far {
                // Sums of distances then leave the range in which they are cheap.
                cells.iter_mut().step_by(n_columns + 3).for_each(|cell| *cell += 1e5);
            }
            let rows = Dense::new(&cells, n_rows, n_columns).expect("whole rows");
            let start = || -> Vec<f64> {
                (0..n_classes).flat_map(|class| vec![-0.5 * class as f64; padded(n_rows)]).collect()
            };
            let (mut high, mut low) = (start(), vec![0.0; n_classes * padded(n_rows)]);
            fitted.add_row_by_row(&Block::F64(rows), &mut Scores::new(n_rows, &mut high, &mut low));
            let row = |values: &[f64], row: usize| -> Vec<f64> {
                values[row..].iter().step_by(padded(n_rows)).copied().collect()
            };
            for set in InstructionSet::ALL {
                let (mut tile_high, mut tile_low) = (start(), vec![0.0; n_classes * padded(n_rows)]);
                let mut scores = Scores::new(n_rows, &mut tile_high, &mut tile_low);
                let is_sure = set.run(Score { table: fitted.table(), rows: &rows, scores: &mut scores });
                prop_assert!(is_sure);
                let (mut values, mut errors) = (start(), vec![0.0; padded(n_rows)]);
                let mut estimates = Estimates::new(n_rows, &mut values, &mut errors);
                set.run(Estimate { table: fitted.table(), rows: &rows, estimates: &mut estimates });
                for (number, &error) in errors[..n_rows].iter().enumerate() {
                    prop_assert_eq!(bits(&row(&tile_high, number)), bits(&row(&high, number)));
                    prop_assert_eq!(bits(&row(&tile_low, number)), bits(&row(&low, number)));
                    let exact = row(&high, number).into_iter().zip(row(&low, number));
                    for (value, (high, low)) in row(&values, number).into_iter().zip(exact) {
                        let distance = ((value - high) - low).abs();
                        prop_assert!(distance <= error, "{} > {}", distance, error);
                    }
                    // And not so wide that every label would be in doubt.
                    prop_assert!(error <= 1e-12 * (1.0 + row(&high, number)[0].abs() * n_columns as f64));
                }
            }
        }
    }

    proptest! {
        #[test]
        fn scores_are_exact_sums_of_rounded_bundles(
            n_columns in prop_oneof![1..40_usize, 250..600_usize],
            far in prop::sample::select(vec![0.0, 30.0, 1e3, 1e8]),
            seed in any::<u64>(),
        ) {
            let (fitted, mut cells) = case(2, 3, n_columns, 0.0, seed);
            cells.iter_mut().step_by(7).for_each(|cell| *cell += far);
            let rows = Dense::new(&cells, 3, n_columns).expect("whole rows");
            let (mut high, mut low) = (vec![-0.75; 2 * padded(3)], vec![0.0; 2 * padded(3)]);
            let mut scores = Scores::new(3, &mut high, &mut low);
            fitted.score(&Block::F64(rows), &mut scores).expect("valid rows");
            for (row, class) in [(0, 0), (1, 1), (2, 0)] {
                let Class { terms, norm, needs_mean_low } = fitted.class(class);
                let cells = &cells[row * n_columns..(row + 1) * n_columns];
                let mut summed = vec![-0.75, norm.0, norm.1];
                for (cells, terms) in cells.chunks(PANEL).zip(terms.chunks(PANEL)) {
                    let distances = |needs_mean_low: bool| -> Vec<f64> {
                        let rest = |rest| if needs_mean_low { rest } else { 0.0 };
                        let terms = terms.iter().map(|&[mean, mean_rest, factor]| [mean, rest(mean_rest), factor]);
                        cells.iter().zip(terms).map(|(&value, term)| -distance(value, &term)).collect()
                    };
                    let bundled = distances(needs_mean_low);
                    let sum_blocks = bundled.chunks(SUM_BLOCK).map(|sum_block| sum_block.iter().sum::<f64>());
                    if sum_blocks.clone().sum::<f64>() >= bias(cells.len()) {
                        summed.extend(sum_blocks);
                    } else {
                        summed.extend(distances(true));
                    }
                }
                let exact = Exact::sum(summed);
                let at = class * padded(3) + row;
                let error = &exact - &Exact::sum([high[at], low[at]]);
                // What rounding may take from the errors of the sums, and much less than it takes from a double.
                prop_assert!(error.to_f64().abs() <= 1e-30 * (1000.0 * n_columns as f64 + exact.to_f64().abs()));
            }
        }
    }

    #[test]
    fn scoring_refuses_what_checking_refuses() {
        let (narrow, _) = case(3, 1, 5, 0.0, 7);
        // A column that is so narrow that its values must be small leaves doubts of all others.
        let mut variances = Array2::ones((2, 5));
        variances[[1, 3]] = 1e-200;
        let means = Array2::zeros((2, 5));
        let doubtful =
            FittedGaussian::new(&means.view(), &variances.view(), Missing::Error).expect("parameters");
        for fitted in [&narrow, &doubtful] {
            let n_classes = fitted.table().n_classes;
            for value in [0.5, 1e60, 1e130, -1e160, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                for (n_rows, column) in [(1, 2), (1, 3), (20, 2), (20, 3)] {
                    let mut cells = vec![0.25; n_rows * 5];
                    cells[(n_rows - 1) * 5 + column] = value;
                    let rows = Block::F64(Dense::new(&cells, n_rows, 5).expect("whole rows"));
                    let size = n_classes * padded(n_rows);
                    let (mut high, mut low) = (vec![0.0; size], vec![0.0; size]);
                    let mut scores = Scores::new(n_rows, &mut high, &mut low);
                    let scored = fitted.score(&rows, &mut scores);
                    let checked = fitted.check(&rows);
                    // Kernels leave values that are too far from one class to others, who may score them for
                    // another.
                    let is_left = |error: &ValueError| error.reason == ValueProblem::Unscorable;
                    if checked.is_ok() && scored.as_ref().is_err_and(is_left) {
                        assert!(value.abs() >= 1e60);
                        continue;
                    }
                    // As text, in which a value that is no number equals itself.
                    let (said, expected) = (format!("{scored:?}"), format!("{checked:?}"));
                    assert_eq!(said, expected, "{value} in column {column}");
                }
            }
        }
    }

    #[test]
    fn rows_that_may_be_refused_are_never_sure() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e200, -1e160] {
            for n_rows in [1, 20] {
                let (fitted, mut cells) = case(3, n_rows, 5, 0.0, 7);
                cells[(n_rows - 1) * 5 + 2] = value;
                let rows = Block::F64(Dense::new(&cells, n_rows, 5).expect("whole rows"));
                let (mut values, mut errors) = (vec![0.0; 3 * padded(n_rows)], vec![0.0; padded(n_rows)]);
                let mut estimates = Estimates::new(n_rows, &mut values, &mut errors);
                assert!(fitted.estimate(&rows, &mut estimates));
                assert!(!errors[n_rows - 1].is_finite(), "{value}: {}", errors[n_rows - 1]);
                assert!(errors[..n_rows - 1].iter().all(|error| error.is_finite()));
            }
        }
    }
}
