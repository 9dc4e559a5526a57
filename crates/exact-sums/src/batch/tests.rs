//! Sums in bins against one addition at a time.

use super::*;
use crate::{
    batch::split::{
        BinnedCounts, BinnedMoments as MomentSlices, BinnedMomentsF32, FixedMoments, FixedMomentsF32,
    },
    test_support::{any_doubles, doubles},
};
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
                sums[0].add_weighted(column, 1.0, value);
                sums[1].add_weighted_square(column, 1.0, value);
            }
        }
    }
    sums
}

/// Every set of instructions, with every order in which column groups are added.
fn ways() -> impl Iterator<Item = (InstructionSet, PrefetchHint)> {
    InstructionSet::ALL.into_iter().flat_map(|set| {
        [PrefetchHint::Nothing, PrefetchHint::Following(3), PrefetchHint::InRow]
            .map(move |ahead| (set, ahead))
    })
}

/// Adds two sets of rows of one table, and compares with the expected sums.
fn check_moments<S: Split<Sums = [ExactSums; 2]>>(
    set: InstructionSet,
    n_columns: usize,
    [first, second]: [RowView<'_, S::Cell>; 2],
    expected: &([ExactSums; 2], ExactSums),
) -> Result<(), TestCaseError> {
    let mut binned = BinnedSums::<S>::new(set, n_columns);
    // After the first time they are empty.
    for _ in 0..2 {
        prop_assert!(binned.add(&second, Nan::Count));
        prop_assert!(binned.add(&first, Nan::Count));
        prop_assert_eq!(&binned.finish(), expected);
    }
    // What is in other rows does not matter.
    for rows in [first, second] {
        let cells = |row: u32| &rows.values[row as usize * n_columns..][..n_columns];
        let some_missing = rows.rows.iter().any(|&row| cells(row).iter().any(|cell| cell.to_f64().is_nan()));
        let mut binned = BinnedSums::<S>::new(set, n_columns);
        prop_assert_eq!(binned.add(&rows, Nan::Refuse), !some_missing);
    }
    Ok(())
}

proptest! {
    #[test]
    fn windows_equal_one_addition_at_a_time(
        n_columns in 1..20_usize,
        cells in prop_oneof![
            prop::collection::vec(values(), 20 * 90),
            prop::collection::vec(-1.0..1.0_f64, 20 * 90),
            // Many values of which products are not exact, and few.
            prop::collection::vec(any_doubles(), 20 * 90),
            prop::collection::vec(prop_oneof![99 => -1.0..1.0_f64, 1 => any_doubles()], 20 * 90),
            prop::collection::vec((0..100_u32).prop_map(f64::from), 20 * 90),
            // Of two bins, of many, and of bins that move down.
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
        let [sums, squares, nan] = slowly(cells, n_columns);
        let numbers: Vec<u32> = (0..n_rows).collect();
        let (first, second) = numbers.split_at(cut.min(n_rows) as usize);
        for (set, ahead) in ways() {
            let of = |rows| RowView { values: cells, n_columns, rows, ahead };
            let expected = ([sums.clone(), squares.clone()], nan.clone());
            check_moments::<MomentSlices>(set, n_columns, [of(first), of(second)], &expected)?;
            check_moments::<FixedMoments>(set, n_columns, [of(first), of(second)], &expected)?;

            let mut binned = BinnedSums::<BinnedCounts>::new(set, n_columns);
            let negative = cells.iter().any(|&value| value < 0.0);
            prop_assert_eq!(binned.add(&of(&numbers), Nan::Count), !negative);
            if !negative {
                prop_assert_eq!(binned.finish(), (sums.clone(), nan.clone()));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn several_batches_together_equal_one_addition_at_a_time(
        misfits in prop::collection::vec((0..1000 * 9_usize, prop_oneof![Just(f64::NAN), doubles(), any_doubles()]), 0..12),
    ) {
        let (n_rows, n_columns) = (1000, 9);
        let mut cells: Vec<f64> = (0..n_rows * n_columns).map(|cell| 1.0 + (cell * 7919 % 1009) as f64).collect();
        for &(cell, value) in &misfits {
            cells[cell] = value;
        }
        let [sums, squares, nan] = slowly(&cells, n_columns);
        let numbers: Vec<u32> = (0..n_rows as u32).collect();
        let (first, second) = numbers.split_at(n_rows / 3);
        for set in InstructionSet::ALL {
            let of = |rows| RowView { values: &cells, n_columns, rows, ahead: PrefetchHint::InRow };
            let expected = ([sums.clone(), squares.clone()], nan.clone());
            check_moments::<FixedMoments>(set, n_columns, [of(first), of(second)], &expected)?;
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
        let [sums, squares, nan] = slowly(&wide, n_columns);
        let numbers: Vec<u32> = (0..n_rows).collect();
        for (set, ahead) in ways() {
            let of = |rows| RowView { values: cells, n_columns, rows, ahead };
            let (first, second) = numbers.split_at(numbers.len() / 3);
            let expected = ([sums.clone(), squares.clone()], nan.clone());
            check_moments::<BinnedMomentsF32>(set, n_columns, [of(first), of(second)], &expected)?;
            check_moments::<FixedMomentsF32>(set, n_columns, [of(first), of(second)], &expected)?;
        }
    }
}

/// Mantissas full of ones, `largest` being one at the top of the bin, of all sizes that fit it, and in one
/// column of all that fit the one below, too.
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
        // The largest first, as a bin is placed by what comes first.
        _ => f64::from(1000 - row % 1000) / 1024.0,
    }
}

/// Adds many more rows than fit a bin, from a table of nine columns, and compares.
fn check_full<S: Split<Sums = [ExactSums; 2]>>(cells: &[S::Cell]) {
    let wide: Vec<f64> = cells.iter().map(|cell| cell.to_f64()).collect();
    let [sums, squares, _] = slowly(&wide, 9);
    let numbers: Vec<u32> = (0..cells.len() as u32 / 9).collect();
    for (set, ahead) in ways() {
        let of = |rows| RowView { values: cells, n_columns: 9, rows, ahead };
        let mut binned = BinnedSums::<S>::new(set, 9);
        assert!(binned.add(&of(&numbers[..S::MOST_ROWS]), Nan::Refuse));
        assert!(binned.sums.iter().all(ExactSums::is_zero), "{set:?}: all fits the binned");
        for some in numbers[S::MOST_ROWS..].chunks(999) {
            assert!(binned.add(&of(some), Nan::Refuse));
        }
        let ([found, found_squares], _) = binned.finish();
        assert!(found == sums && found_squares == squares, "{set:?}");
    }
}

#[test]
fn full_windows_do_not_round() {
    fn cells<S: Split>(largest: f64) -> impl Iterator<Item = f64> {
        let sizes = S::RANGE.cast_unsigned() - 1;
        (0..3 * S::MOST_ROWS as u32 + 77)
            .flat_map(move |row| (0..9).map(move |column| full(row, column, largest, sizes)))
    }
    fn check_doubles<S: Split<Cell = f64, Sums = [ExactSums; 2]>>() {
        check_full::<S>(&cells::<S>(2.0 - f64::EPSILON).collect::<Vec<_>>());
    }
    fn check_singles<S: Split<Cell = f32, Sums = [ExactSums; 2]>>() {
        let largest = f64::from(2.0 - f32::EPSILON);
        check_full::<S>(&cells::<S>(largest).map(|value| value as f32).collect::<Vec<_>>());
    }
    check_doubles::<MomentSlices>();
    check_doubles::<FixedMoments>();
    check_singles::<BinnedMomentsF32>();
    check_singles::<FixedMomentsF32>();
}

/// Adds a table of eight columns to bins, all of which fits them if `all_fits`, and compares.
fn check_table<S: Split<Sums = [ExactSums; 2]>>(cells: &[S::Cell], all_fits: bool, case: &[f64]) {
    let wide: Vec<f64> = cells.iter().map(|cell| cell.to_f64()).collect();
    let [sums, squares, _] = slowly(&wide, LANES);
    let numbers: Vec<u32> = (0..(cells.len() / LANES) as u32).collect();
    for (set, ahead) in ways() {
        let mut binned = BinnedSums::<S>::new(set, LANES);
        let rows = RowView { values: cells, n_columns: LANES, rows: &numbers, ahead };
        assert!(binned.add(&rows, Nan::Refuse));
        if all_fits {
            assert!(binned.sums.iter().all(ExactSums::is_zero), "{case:?}, {set:?}: all fits the binned");
        }
        let ([found, found_squares], _) = binned.finish();
        assert!(found == sums && found_squares == squares, "{case:?}, {set:?}");
    }
}

/// Fills a bin whose place is that of ones with other values, and compares.
fn check_filled<S: Split<Sums = [ExactSums; 2]>>(cell: fn(f64) -> S::Cell, values: &[f64]) {
    let value = |place: usize| if place < MANY_ROWS * LANES { 1.0 } else { values[place % values.len()] };
    let cells: Vec<S::Cell> = (0..S::MOST_ROWS * LANES).map(|place| cell(value(place))).collect();
    check_table::<S>(&cells, false, values);
}

#[test]
fn the_largest_rests_fill_no_sum() {
    // Halfway between two numbers in fixed point, of which the lower or the upper is even.
    for value in [1.0, 1.0 + 2.0_f64.powi(-48)].map(|value| value + 2.0_f64.powi(-49)) {
        for value in [value, -value] {
            check_table::<FixedMoments>(&vec![value; FixedMoments::MOST_ROWS * LANES], true, &[value]);
        }
    }
}

#[test]
fn values_somewhat_above_windows_count() {
    for exponent in 1..12 {
        let top = 2.0_f64.powi(exponent);
        let (double, single) = (top - top * f64::EPSILON, top - top * f64::from(f32::EPSILON));
        for [first, second] in [[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]] {
            check_filled::<MomentSlices>(|value| value, &[first * double, second * double, double]);
            check_filled::<FixedMoments>(|value| value, &[first * double, second * double, double]);
            check_filled::<FixedMoments>(|value| value, &[first * double]);
            check_filled::<FixedMomentsF32>(|value| value as f32, &[first * single, second * single, single]);
            check_filled::<FixedMomentsF32>(|value| value as f32, &[first * single]);
        }
    }
}

/// Fills a bin with values whose squares leave large rests, and adds the least value that fits, which is
/// `odd` times a power of two: the last bit of its square is one. `step` is between the values that are
/// tried.
fn check_last_bits<S: Split<Sums = [ExactSums; 2]>>(step: f64, odd: f64, cell: fn(f64) -> S::Cell) {
    let top = 4.0;
    let unit = 2.0 * S::MOST_ROWS as f64 * top * top * f64::EPSILON;
    let leaves_much = |value: &f64| (0.3..0.5).contains(&(value * value / unit).fract());
    let large =
        (0..1 << 15).map(|times| 1.5 + f64::from(times) * step).find(leaves_much).expect("one of many");
    let small = odd * top * 2.0_f64.powi(-S::RANGE);
    let mut wide = vec![large; LANES * (S::MOST_ROWS - 1)];
    wide.extend([small; LANES]);
    let cells: Vec<S::Cell> = wide.iter().map(|&value| cell(value)).collect();
    check_table::<S>(&cells, true, &[large, small]);
}

#[test]
fn the_least_values_count_beside_large_ones() {
    let odd = 1.0 + f64::from((1 << 26) + 1) * f64::EPSILON;
    check_last_bits::<MomentSlices>(f64::EPSILON, odd, |value| value);
    check_last_bits::<FixedMoments>(f64::EPSILON, odd, |value| value);
    let step = f64::from(f32::EPSILON);
    check_last_bits::<BinnedMomentsF32>(step, 1.0 + step, |value| value as f32);
    check_last_bits::<FixedMomentsF32>(step, 1.0 + step, |value| value as f32);
}

/// Adds rows with these values in two of them, where the bins have their places already, and compares.
fn check_among_others<S: Split<Sums = [ExactSums; 2]>>(cell: fn(f64) -> S::Cell, values: [f64; 2]) {
    let mut cells: Vec<S::Cell> =
        (1..=2 * BATCH * LANES).map(|place| cell((1.0 / place as f64).sin())).collect();
    for (row, value) in (MANY_ROWS + 3..).zip(values) {
        cells[row * LANES + 5] = cell(value);
    }
    check_table::<S>(&cells, false, &values);
}

#[test]
fn nothing_is_too_small_or_too_large_to_be_seen() {
    // Around the bounds of all bins, and far from them.
    for exponent in (-50..20).chain([-125, -90, -77, -76, -75, -74, 60, 120]) {
        let value = 2.0_f64.powi(exponent);
        for values in [[value, 0.5], [3.0 * value, 0.5], [value, value], [value, -value]] {
            for values in [values, values.map(|value| -value)] {
                check_among_others::<MomentSlices>(|value| value, values);
                check_among_others::<FixedMoments>(|value| value, values);
                check_among_others::<BinnedMomentsF32>(|value| value as f32, values);
                check_among_others::<FixedMomentsF32>(|value| value as f32, values);
            }
        }
    }
}

#[test]
fn windows_of_narrow_tables_are_never_too_full() {
    for n_columns in 1..LANES {
        let cells: Vec<f64> =
            (0..3 * MomentSlices::MOST_ROWS * n_columns).map(|cell| (cell % 7) as f64 + 1.0).collect();
        let last = (cells.len() / n_columns) as u32;
        for (set, ahead) in ways() {
            let mut binned = BinnedSums::<MomentSlices>::new(set, n_columns);
            let of = |rows| RowView { values: &cells, n_columns, rows, ahead };
            // The last rows of the table are added apart, to a bin that is full except for a few.
            let most: Vec<u32> = (0..MomentSlices::MOST_ROWS as u32 - 3).collect();
            assert!(binned.add(&of(&most), Nan::Refuse));
            let few: Vec<u32> = (last - (LANES / n_columns) as u32..last).collect();
            for _ in 0..LANES {
                assert!(binned.add(&of(&few), Nan::Refuse));
                assert!(binned.bins[0].rows <= MomentSlices::MOST_ROWS, "{n_columns} columns, {set:?}");
            }
        }
    }
}

fn check_bin_below<S: Split<Cell = f64, Sums = [ExactSums; 2]>>() {
    // Half of the rows fit the bin and half the one below it: they have more bits than fixed point holds in
    // the bin.
    let below = 2.0_f64.powi(-S::RANGE - 4);
    let cells: Vec<f64> = (0..4 * S::MOST_ROWS * LANES)
        .map(|cell| {
            (1.1 + 0.1 * (cell % 5) as f64) * if (cell / LANES).is_multiple_of(2) { 1.0 } else { below }
        })
        .collect();
    let [sums, squares, _] = slowly(&cells, LANES);
    let numbers: Vec<u32> = (0..4 * S::MOST_ROWS as u32).collect();
    for (set, ahead) in ways() {
        let mut binned = BinnedSums::<S>::new(set, LANES);
        let mut most_below = 0;
        for rows in numbers.chunks(S::MOST_ROWS - 1) {
            assert!(binned.add(&RowView { values: &cells, n_columns: LANES, rows, ahead }, Nan::Refuse));
            let (rows, below) = (binned.bins[0].rows, binned.below[0].rows);
            assert!(below <= rows && rows <= S::MOST_ROWS, "{below} {rows}, {set:?}");
            most_below = most_below.max(below);
        }
        assert!(most_below > S::MOST_ROWS / 2, "{most_below}, {set:?}");
        let ([found, found_squares], _) = binned.finish();
        assert!(found == sums && found_squares == squares, "{set:?}");
    }
}

#[test]
fn the_bin_below_is_never_fuller() {
    check_bin_below::<MomentSlices>();
    check_bin_below::<FixedMoments>();
}

#[test]
fn sums_of_whole_numbers_reach_the_ends_of_their_bits() {
    // Bins keep their places when they are emptied: the top is 4, and fixed point holds numbers from -8 to
    // below 8.
    let (few, most) = (MANY_ROWS * LANES, FixedMoments::MOST_ROWS * LANES);
    for value in [-8.0, 8.0 - 4.0 * f64::EPSILON, 8.0 - 2.0_f64.powi(-48)] {
        let mut cells = vec![1.0; few];
        cells.resize(few + most, value);
        let [sums, squares, _] = slowly(&cells[few..], LANES);
        let numbers: Vec<u32> = (0..(cells.len() / LANES) as u32).collect();
        let (first, rest) = numbers.split_at(MANY_ROWS);
        for (set, ahead) in ways() {
            let of = |rows| RowView { values: &cells, n_columns: LANES, rows, ahead };
            let mut binned = BinnedSums::<FixedMoments>::new(set, LANES);
            assert!(binned.add(&of(first), Nan::Refuse));
            binned.finish();
            assert!(binned.add(&of(rest), Nan::Refuse));
            let ([found, found_squares], _) = binned.finish();
            assert!(found == sums && found_squares == squares, "{value}, {set:?}");
        }
    }
}

#[test]
fn bins_at_the_ends_of_their_range_are_exact() {
    for exponent in
        [-359, -345, -330, -315, -300, -293, -286, -273, -272, -270, -268, 370, 390, 396, 397, 398, 399]
    {
        let scale = 2.0_f64.powi(exponent);
        // With numbers of many sizes, all of them in the domain, and mantissas of all bits.
        let cells: Vec<f64> = (0..3 * BATCH * LANES)
            .map(|cell| {
                let down = [0, 20, 40][cell / LANES % 3];
                let value = (1.0 + (cell as f64).sin().abs()) * scale * 2.0_f64.powi(-down);
                let sign = if cell % 7 == 0 { -1.0 } else { 1.0 };
                sign * value.max(domain::MIN_ABS_NONZERO)
            })
            .collect();
        check_table::<MomentSlices>(&cells, false, &[scale]);
        check_table::<FixedMoments>(&cells, false, &[scale]);
    }
}

fn check_whole_numbers<S: Split<Cell = f64, Sums = [ExactSums; 2]>>() {
    let cells: Vec<f64> = (0..3000).map(|value| f64::from(value % 50)).collect();
    let numbers: Vec<u32> = (0..300).collect();
    let mut binned = BinnedSums::<S>::new(InstructionSet::current(), 10);
    let rows = RowView { values: &cells, n_columns: 10, rows: &numbers, ahead: PrefetchHint::Nothing };
    assert!(binned.add(&rows, Nan::Refuse));
    let ([sums, squares], _) = binned.finish();
    assert!(!sums.has_rounding_planes() && !squares.has_rounding_planes());
}

#[test]
fn whole_numbers_stay_in_one_plane() {
    check_whole_numbers::<MomentSlices>();
    check_whole_numbers::<FixedMoments>();
}

fn check_refusal<S: Split<Cell = f64>>(value: f64) {
    for column in [0, 7, 8, 12] {
        let mut cells = vec![0.5; 13 * 4];
        cells[13 * 2 + column] = value;
        for (set, ahead) in ways() {
            let mut binned = BinnedSums::<S>::new(set, 13);
            let rows = RowView { values: &cells, n_columns: 13, rows: &[0, 1, 2, 3], ahead };
            assert!(!binned.add(&rows, Nan::Refuse), "{value}");
        }
    }
}

#[test]
fn what_cannot_be_observed_is_refused() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        check_refusal::<MomentSlices>(value);
        check_refusal::<FixedMoments>(value);
        check_refusal::<BinnedCounts>(value);
    }
    for value in [-1.0, -1e200, -1e-200, -1e-310] {
        check_refusal::<BinnedCounts>(value);
    }
}
