//! Windows against one addition at a time.

use super::*;
use crate::exact::{Counts, MomentSlices, SingleMoments, value::tests::doubles};
use proptest::prelude::*;

fn values() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => doubles(),
        4 => (-1000..1000_i32).prop_map(f64::from),
        4 => (-1.0..1.0_f64).prop_map(|x| 1e12 + x),
        4 => -1.0..1.0_f64,
        1 => Just(f64::NAN),
        1 => Just(-0.0),
    ]
}

/// Up to one, less a power of two of `n` that are `apart`.
fn scaled(n: i32, apart: i32) -> impl Strategy<Value = f64> {
    (-1.0..1.0_f64, 0..n).prop_map(move |(value, times)| value * 2.0_f64.powi(-times * apart))
}

/// The sums, the sums of squares and the numbers of missing cells, one value at a time.
fn slowly(rows: &[f64], n_columns: usize) -> [ExactSums; 3] {
    let mut sums = [(); 3].map(|()| ExactSums::new(n_columns));
    for row in rows.chunks_exact(n_columns) {
        for (column, &value) in row.iter().enumerate() {
            if value.is_nan() {
                sums[2].add(column, 1.0);
            } else {
                sums[0].add(column, value);
                sums[1].add_product(column, value, value);
            }
        }
    }
    sums
}

/// Every set of instructions, with every order in which strips are added.
fn ways() -> impl Iterator<Item = (InstructionSet, Ahead)> {
    InstructionSet::ALL
        .into_iter()
        .flat_map(|set| [Ahead::Nothing, Ahead::Following(3), Ahead::InRow].map(move |ahead| (set, ahead)))
}

proptest! {
    #[test]
    fn windows_equal_one_addition_at_a_time(
        n_columns in 1..20_usize,
        cells in prop_oneof![
            prop::collection::vec(values(), 20 * 90),
            prop::collection::vec(-1.0..1.0_f64, 20 * 90),
            prop::collection::vec((0..100_u32).prop_map(f64::from), 20 * 90),
            // Of two windows, of many, and of windows that move down.
            prop::collection::vec(scaled(3, 10), 20 * 90),
            prop::collection::vec(scaled(8, 25), 20 * 90),
            prop::collection::vec(-1.0..1.0_f64, 20 * 90).prop_map(|mut cells| {
                cells.iter_mut().zip(0..).for_each(|(cell, place)| *cell *= 2.0_f64.powi(place / 300 * -12));
                cells
            }),
        ],
        n_rows in 0..90_u32,
        cut in 0..90_u32,
    ) {
        let cells = &cells[..n_rows as usize * n_columns];
        let [sums, squares, missing] = slowly(cells, n_columns);
        let numbers: Vec<u32> = (0..n_rows).collect();
        let (first, second) = numbers.split_at(cut.min(n_rows) as usize);
        for (set, ahead) in ways() {
            let of = |rows| RowSet { values: cells, n_columns, rows, ahead };
            let mut windows = Windows::<MomentSlices>::new(set, n_columns);
            prop_assert!(windows.add(&of(second), Missing::Skip));
            prop_assert!(windows.add(&of(first), Missing::Skip));
            prop_assert_eq!(windows.finish(), ([sums.clone(), squares.clone()], missing.clone()));
            // After that they are empty.
            prop_assert!(windows.add(&of(second), Missing::Skip));
            prop_assert!(windows.add(&of(first), Missing::Skip));
            prop_assert_eq!(windows.finish(), ([sums.clone(), squares.clone()], missing.clone()));
            if !missing.is_zero() {
                prop_assert!(!windows.add(&of(&numbers), Missing::Error));
            }

            // What is in other rows does not matter.
            let some_missing = cells[..first.len() * n_columns].iter().any(|value| value.is_nan());
            let mut windows = Windows::<MomentSlices>::new(set, n_columns);
            prop_assert_eq!(windows.add(&of(first), Missing::Error), !some_missing);

            let mut windows = Windows::<Counts>::new(set, n_columns);
            let negative = cells.iter().any(|&value| value < 0.0);
            prop_assert_eq!(windows.add(&of(&numbers), Missing::Skip), !negative);
            if !negative {
                prop_assert_eq!(windows.finish(), (sums.clone(), missing.clone()));
            }
        }
    }
}

fn singles() -> impl Strategy<Value = f32> {
    prop_oneof![
        8 => (any::<u32>(), -20..3_i32).prop_map(|(bits, exponent)| {
            (1.0 + (bits >> 9) as f32 * f32::EPSILON) * 2.0_f32.powi(exponent)
        }),
        8 => -1.0..1.0_f32,
        2 => (-1000..1000_i16).prop_map(f32::from),
        1 => prop::sample::select(vec![f32::MAX, f32::MIN, f32::MIN_POSITIVE, 1e-45, -1e-45, 0.0, -0.0, f32::NAN]),
    ]
}

proptest! {
    #[test]
    fn windows_of_singles_equal_one_addition_at_a_time(
        n_columns in 1..20_usize,
        cells in prop_oneof![
            prop::collection::vec(singles(), 20 * 90),
            prop::collection::vec(0.01..1.0_f32, 20 * 90),
        ],
        n_rows in 0..90_u32,
    ) {
        let cells = &cells[..n_rows as usize * n_columns];
        let wide: Vec<f64> = cells.iter().map(|&value| f64::from(value)).collect();
        let [sums, squares, missing] = slowly(&wide, n_columns);
        let numbers: Vec<u32> = (0..n_rows).collect();
        for (set, ahead) in ways() {
            let of = |rows| RowSet { values: cells, n_columns, rows, ahead };
            let mut windows = Windows::<SingleMoments>::new(set, n_columns);
            prop_assert!(windows.add(&of(&numbers), Missing::Skip));
            prop_assert_eq!(windows.finish(), ([sums.clone(), squares.clone()], missing.clone()));
            if !missing.is_zero() {
                prop_assert!(!windows.add(&of(&numbers), Missing::Error));
            }
        }
    }
}

/// Mantissas full of ones, `largest` being one at the top of the window, of all sizes that fit it, and in one column of
/// all that fit the one below, too.
fn full(row: u32, column: u32, largest: f64, sizes: u32) -> f64 {
    match column {
        0 => largest,
        1 if row.is_multiple_of(2) => largest,
        1 => -largest,
        2 => largest * 2.0_f64.powi(-(row % sizes).cast_signed()),
        3 if row == 0 => largest,
        3 => largest * 2.0_f64.powi(1 - sizes.cast_signed()),
        // 17 has no divisor in common with the number of sizes.
        4 => largest * 2.0_f64.powi(-(17 * row % (2 * sizes)).cast_signed()),
        // The largest first, as a window is placed by what comes first.
        _ => f64::from(1000 - row % 1000) / 1024.0,
    }
}

/// Adds many more rows than fit a window, from a table of nine columns, and compares.
fn check_full<S: Slices<Sums = [ExactSums; 2]>>(cells: &[S::Cell]) {
    let wide: Vec<f64> = cells.iter().map(|cell| cell.to_f64()).collect();
    let [sums, squares, _] = slowly(&wide, 9);
    let numbers: Vec<u32> = (0..cells.len() as u32 / 9).collect();
    for (set, ahead) in ways() {
        let of = |rows| RowSet { values: cells, n_columns: 9, rows, ahead };
        let mut windows = Windows::<S>::new(set, 9);
        assert!(windows.add(&of(&numbers[..MOST_ROWS]), Missing::Error));
        assert!(windows.sums.iter().all(ExactSums::is_zero), "{set:?}: all fits the windows");
        for some in numbers[MOST_ROWS..].chunks(999) {
            assert!(windows.add(&of(some), Missing::Error));
        }
        let ([found, found_squares], _) = windows.finish();
        assert!(found == sums && found_squares == squares, "{set:?}");
    }
}

#[test]
fn full_windows_do_not_round() {
    let cells = |largest: f64, sizes: u32| {
        (0..3 * MOST_ROWS as u32 + 77)
            .flat_map(move |row| (0..9).map(move |column| full(row, column, largest, sizes)))
    };
    check_full::<MomentSlices>(
        &cells(2.0 - f64::EPSILON, MomentSlices::RANGE.cast_unsigned() - 1).collect::<Vec<_>>(),
    );
    let largest = f64::from(2.0 - f32::EPSILON);
    check_full::<SingleMoments>(
        &cells(largest, SingleMoments::RANGE.cast_unsigned() - 1)
            .map(|value| value as f32)
            .collect::<Vec<_>>(),
    );
}

/// Fills a window with values whose squares leave large rests, and adds the least value that fits, which is `odd` times a
/// power of two: the last bit of its square is one. `step` is between the values that are tried.
fn check_last_bits<S: Slices<Sums = [ExactSums; 2]>>(step: f64, odd: f64, cell: fn(f64) -> S::Cell) {
    let top = 4.0;
    let unit = 2.0 * MOST_ROWS as f64 * top * top * f64::EPSILON;
    let leaves_much = |value: &f64| (0.3..0.5).contains(&(value * value / unit).fract());
    let large =
        (0..1 << 15).map(|times| 1.5 + f64::from(times) * step).find(leaves_much).expect("one of many");
    let small = odd * top * 2.0_f64.powi(-S::RANGE);
    let mut wide = vec![large; LANES * (MOST_ROWS - 1)];
    wide.extend([small; LANES]);
    let [sums, squares, _] = slowly(&wide, LANES);
    let cells: Vec<S::Cell> = wide.iter().map(|&value| cell(value)).collect();
    let numbers: Vec<u32> = (0..MOST_ROWS as u32).collect();
    for (set, ahead) in ways() {
        let mut windows = Windows::<S>::new(set, LANES);
        let rows = RowSet { values: &cells, n_columns: LANES, rows: &numbers, ahead };
        assert!(windows.add(&rows, Missing::Error));
        assert!(windows.sums.iter().all(ExactSums::is_zero), "{set:?}: all fits the windows");
        let ([found, found_squares], _) = windows.finish();
        assert!(found == sums && found_squares == squares, "{set:?}");
    }
}

#[test]
fn the_least_values_count_beside_large_ones() {
    let odd = 1.0 + f64::from((1 << 26) + 1) * f64::EPSILON;
    check_last_bits::<MomentSlices>(f64::EPSILON, odd, |value| value);
    let step = f64::from(f32::EPSILON);
    check_last_bits::<SingleMoments>(step, 1.0 + step, |value| value as f32);
}

#[test]
fn windows_of_narrow_tables_are_never_too_full() {
    for n_columns in 1..LANES {
        let cells: Vec<f64> = (0..3 * MOST_ROWS * n_columns).map(|cell| (cell % 7) as f64 + 1.0).collect();
        let last = (cells.len() / n_columns) as u32;
        for (set, ahead) in ways() {
            let mut windows = Windows::<MomentSlices>::new(set, n_columns);
            let of = |rows| RowSet { values: &cells, n_columns, rows, ahead };
            // The last rows of the table are added apart, to a window that is full but for a few.
            let most: Vec<u32> = (0..MOST_ROWS as u32 - 3).collect();
            assert!(windows.add(&of(&most), Missing::Error));
            let few: Vec<u32> = (last - (LANES / n_columns) as u32..last).collect();
            for _ in 0..LANES {
                assert!(windows.add(&of(&few), Missing::Error));
                assert!(windows.strips[0].rows <= MOST_ROWS, "{n_columns} columns, {set:?}");
            }
        }
    }
}

#[test]
fn whole_numbers_stay_in_one_plane() {
    let cells: Vec<f64> = (0..3000).map(|value| f64::from(value % 50)).collect();
    let numbers: Vec<u32> = (0..300).collect();
    let mut windows = Windows::<MomentSlices>::new(InstructionSet::current(), 10);
    let rows = RowSet { values: &cells, n_columns: 10, rows: &numbers, ahead: Ahead::Nothing };
    assert!(windows.add(&rows, Missing::Error));
    let ([sums, squares], _) = windows.finish();
    assert!(!sums.has_rounding_planes() && !squares.has_rounding_planes());
}

#[test]
fn what_cannot_be_observed_is_refused() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e200, 1e-200, -1e-310] {
        for column in [0, 7, 8, 12] {
            let mut cells = vec![0.5; 13 * 4];
            cells[13 * 2 + column] = value;
            for (set, ahead) in ways() {
                let mut windows = Windows::<MomentSlices>::new(set, 13);
                let rows = RowSet { values: &cells, n_columns: 13, rows: &[0, 1, 2, 3], ahead };
                assert!(!windows.add(&rows, Missing::Error), "{value}");
            }
        }
    }
}
