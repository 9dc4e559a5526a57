//! Adding a block of rows to a vector of sums, column by column: the inner loop of fitting.
//!
//! A strip of columns keeps its accumulators in registers while it runs down the rows. The additions are the exact
//! chain of [`ExactSums::add`] without its branches; a flag notes whether anything left the last component. If so,
//! which is rare, the strip is thrown away and its columns are added the slow way, so that the result is exact
//! either way.

use super::{ExactSums, sums::PLANES, two_prod, two_sum};

/// Columns that are worked on together.
const LANES: usize = 8;

/// The accumulators of one strip: `[component][lane]`.
type Strip = [[f64; LANES]; PLANES];

/// Adds to `sums[j]` the total of column `j` of the row-major `rows`.
pub(crate) fn add_column_sums(rows: &[f64], sums: &mut ExactSums) {
    let n_columns = sums.len();
    for first in (0..n_columns).step_by(LANES) {
        let width = LANES.min(n_columns - first);
        let done = (!sums.has_rounding_planes()
            && try_strip(&mut [&mut *sums], first, width, 1, rows, sum_plain))
            || try_strip(&mut [&mut *sums], first, width, PLANES, rows, sum_exact);
        if !done {
            for row in rows.chunks_exact(n_columns) {
                for (column, &value) in row.iter().enumerate().skip(first).take(width) {
                    sums.add(column, value);
                }
            }
        }
    }
}

/// Adds to `sums[j]` the total of column `j` of the row-major `rows`, and to `squares[j]` that of its squares.
pub(crate) fn add_column_sums_and_squares(rows: &[f64], sums: &mut ExactSums, squares: &mut ExactSums) {
    let n_columns = sums.len();
    for first in (0..n_columns).step_by(LANES) {
        let width = LANES.min(n_columns - first);
        let plain = !sums.has_rounding_planes() && !squares.has_rounding_planes();
        let both = &mut [&mut *sums, &mut *squares];
        let done = (plain && try_strip(both, first, width, 1, rows, moments_plain))
            || try_strip(both, first, width, PLANES, rows, moments_exact);
        if !done {
            for row in rows.chunks_exact(n_columns) {
                for (column, &value) in row.iter().enumerate().skip(first).take(width) {
                    sums.add(column, value);
                    squares.add_product(column, value, value);
                }
            }
        }
    }
}

/// Loads a strip of `N` vectors of sums, lets `step` add every row to it, and stores it unless bits were lost;
/// whether it was stored. `planes` says how many components the step uses.
#[inline(always)]
fn try_strip<const N: usize>(
    sums: &mut [&mut ExactSums; N],
    first: usize,
    width: usize,
    planes: usize,
    rows: &[f64],
    step: impl Fn(&mut [Strip; N], &[f64; LANES]) -> bool,
) -> bool {
    let n_columns = sums[0].len();
    let mut strips = [[[0.0; LANES]; PLANES]; N];
    for (sums, strip) in sums.iter_mut().zip(&mut strips) {
        sums.ensure_planes(planes);
        for (plane, lanes) in sums.planes_mut().zip(strip) {
            lanes[..width].copy_from_slice(&plane[first..first + width]);
        }
    }
    let mut lost = false;
    let mut lanes = [0.0; LANES];
    for row in rows.chunks_exact(n_columns) {
        if let Ok(full) = <&[f64; LANES]>::try_from(&row[first..first + width]) {
            lost |= step(&mut strips, full);
        } else {
            lanes[..width].copy_from_slice(&row[first..first + width]);
            lost |= step(&mut strips, &lanes);
        }
    }
    if lost {
        return false;
    }
    for (sums, strip) in sums.iter_mut().zip(&mut strips) {
        renormalize(strip);
        for (plane, lanes) in sums.planes_mut().zip(strip) {
            plane[first..first + width].copy_from_slice(&lanes[..width]);
        }
    }
    true
}

/// Moves what the lower components have gathered back up, exactly, so that they keep room for more.
#[inline(always)]
fn renormalize([high, middle, low]: &mut Strip) {
    for lane in 0..LANES {
        (middle[lane], low[lane]) = two_sum(middle[lane], low[lane]);
        (high[lane], middle[lane]) = two_sum(high[lane], middle[lane]);
        (middle[lane], low[lane]) = two_sum(middle[lane], low[lane]);
    }
}

/// Adds `values` from component `LEVEL` downwards; whether anything left the last one.
#[inline(always)]
fn add_from<const LEVEL: usize>(strip: &mut Strip, values: &[f64; LANES]) -> bool {
    let mut lost = false;
    for lane in 0..LANES {
        let mut carry = values[lane];
        for component in &mut strip[LEVEL..] {
            (component[lane], carry) = two_sum(component[lane], carry);
        }
        lost |= carry != 0.0;
    }
    lost
}

/// Adds `values` to the first component only; whether an addition rounded.
#[inline(always)]
fn add_plain(strip: &mut Strip, values: &[f64; LANES]) -> bool {
    let mut lost = false;
    for lane in 0..LANES {
        let (sum, error) = two_sum(strip[0][lane], values[lane]);
        strip[0][lane] = sum;
        lost |= error != 0.0;
    }
    lost
}

#[inline(always)]
fn squares_of(values: &[f64; LANES]) -> ([f64; LANES], [f64; LANES]) {
    let (mut products, mut errors) = ([0.0; LANES], [0.0; LANES]);
    for lane in 0..LANES {
        (products[lane], errors[lane]) = two_prod(values[lane], values[lane]);
    }
    (products, errors)
}

#[inline(always)]
fn sum_plain([sums]: &mut [Strip; 1], values: &[f64; LANES]) -> bool {
    add_plain(sums, values)
}

#[inline(always)]
fn sum_exact([sums]: &mut [Strip; 1], values: &[f64; LANES]) -> bool {
    add_from::<0>(sums, values)
}

#[inline(always)]
fn moments_plain([sums, squares]: &mut [Strip; 2], values: &[f64; LANES]) -> bool {
    let (products, errors) = squares_of(values);
    let lost = add_plain(sums, values) | add_plain(squares, &products);
    lost || errors != [0.0; LANES]
}

#[inline(always)]
fn moments_exact([sums, squares]: &mut [Strip; 2], values: &[f64; LANES]) -> bool {
    let (products, errors) = squares_of(values);
    // The error of a product is below half a unit of it, so it starts one component lower.
    add_from::<0>(sums, values) | add_from::<0>(squares, &products) | add_from::<1>(squares, &errors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::value::tests::doubles;
    use proptest::prelude::*;

    fn slowly(rows: &[f64], n_columns: usize) -> (ExactSums, ExactSums) {
        let (mut sums, mut squares) = (ExactSums::new(n_columns), ExactSums::new(n_columns));
        for row in rows.chunks_exact(n_columns) {
            for (column, &value) in row.iter().enumerate() {
                sums.add(column, value);
                squares.add_product(column, value, value);
            }
        }
        (sums, squares)
    }

    fn values() -> impl Strategy<Value = f64> {
        prop_oneof![
            doubles(),
            (-1000..1000_i32).prop_map(f64::from),
            (-1.0..1.0_f64).prop_map(|x| 1e12 + x),
            -1.0..1.0_f64,
        ]
    }

    proptest! {
        #[test]
        fn strips_equal_one_addition_at_a_time(
            n_columns in 1..20_usize,
            seed in prop::collection::vec(values(), 20 * 30),
            n_rows in 0..30_usize,
        ) {
            let rows = &seed[..n_rows * n_columns];
            let (expected_sums, expected_squares) = slowly(rows, n_columns);
            let (mut sums, mut squares) = (ExactSums::new(n_columns), ExactSums::new(n_columns));
            let half = n_rows / 2 * n_columns;
            add_column_sums_and_squares(&rows[..half], &mut sums, &mut squares);
            add_column_sums_and_squares(&rows[half..], &mut sums, &mut squares);
            prop_assert_eq!(&sums, &expected_sums);
            prop_assert_eq!(&squares, &expected_squares);
            let mut alone = ExactSums::new(n_columns);
            add_column_sums(rows, &mut alone);
            prop_assert_eq!(&alone, &expected_sums);
        }
    }

    #[test]
    fn integers_stay_in_one_plane() {
        let rows: Vec<f64> = (0..300).map(f64::from).collect();
        let (mut sums, mut squares) = (ExactSums::new(10), ExactSums::new(10));
        add_column_sums_and_squares(&rows, &mut sums, &mut squares);
        assert!(!sums.has_rounding_planes() && !squares.has_rounding_planes());
    }
}
