//! Adding rows to a strip of sums by chains of error-free additions: the way that always works.
//!
//! A strip of columns keeps its accumulators in registers while it runs down the rows. The additions are the exact
//! chain of [`ExactSums::add`] without its branches; a flag notes whether anything left the last component. If so,
//! which is rare, the strip is thrown away and its columns are added one value at a time, so that the result is exact
//! either way.

use super::{ExactSums, sums::PLANES, two_prod, two_sum};
use crate::instructions::LANES;

/// The accumulators of one strip: `[component][lane]`.
type Strip = [[f64; LANES]; PLANES];

/// Adds rows of at most eight cells to the sums from `first` on.
pub(super) fn add_strip_sums<'a>(
    sums: &mut ExactSums,
    first: usize,
    rows: impl Iterator<Item = &'a [f64]> + Clone,
) {
    // Closures, as functions by their names would be called for every row.
    let plain = |strips: &mut [Strip; 1], values: &_| sum_plain(strips, values);
    let exact = |strips: &mut [Strip; 1], values: &_| sum_exact(strips, values);
    let done = (!sums.has_rounding_planes() && try_strip(&mut [&mut *sums], first, 1, rows.clone(), plain))
        || try_strip(&mut [&mut *sums], first, PLANES, rows.clone(), exact);
    if !done {
        for cells in rows {
            for (lane, &value) in cells.iter().enumerate() {
                sums.add(first + lane, value);
            }
        }
    }
}

/// Adds rows of at most eight cells to the sums from `first` on, and their squares to `squares`.
pub(super) fn add_strip_squares<'a>(
    sums: &mut ExactSums,
    squares: &mut ExactSums,
    first: usize,
    rows: impl Iterator<Item = &'a [f64]> + Clone,
) {
    if !try_strip(&mut [&mut *sums, &mut *squares], first, PLANES, rows.clone(), moments_exact) {
        for cells in rows {
            for (lane, &value) in cells.iter().enumerate() {
                sums.add(first + lane, value);
                squares.add_product(first + lane, value, value);
            }
        }
    }
}

/// Adds `sign` (1 or -1) times other sums, at most as many.
pub(super) fn add_sums(sums: &mut ExactSums, other: &ExactSums, sign: f64) {
    for first in (0..other.len()).step_by(LANES) {
        let width = LANES.min(other.len() - first);
        let mut rows = [[0.0; LANES]; PLANES];
        for (row, plane) in rows.iter_mut().zip(other.planes()) {
            for (cell, value) in row.iter_mut().zip(&plane[first..first + width]) {
                *cell = sign * value;
            }
        }
        let rows = rows.iter().take(other.n_planes());
        add_strip_sums(sums, first, rows.map(|row| &row[..width]));
    }
}

/// Loads a strip of `N` vectors of sums, lets `step` add every row to it, and stores it unless bits were lost;
/// whether it was stored. `planes` says how many components the step uses.
#[inline(always)]
fn try_strip<'a, const N: usize>(
    sums: &mut [&mut ExactSums; N],
    first: usize,
    planes: usize,
    rows: impl Iterator<Item = &'a [f64]>,
    step: impl Fn(&mut [Strip; N], &[f64; LANES]) -> bool,
) -> bool {
    let width = LANES.min(sums[0].len() - first);
    let mut strips = [[[0.0; LANES]; PLANES]; N];
    for (sums, strip) in sums.iter_mut().zip(&mut strips) {
        for (plane, lanes) in sums.planes_mut().zip(strip) {
            lanes[..width].copy_from_slice(&plane[first..first + width]);
        }
    }
    let mut lost = false;
    let mut lanes = [0.0; LANES];
    for cells in rows {
        lanes[..cells.len()].copy_from_slice(cells);
        lost |= step(&mut strips, &lanes);
    }
    if lost {
        return false;
    }
    for (sums, strip) in sums.iter_mut().zip(&mut strips) {
        renormalize(strip);
        sums.ensure_planes(planes);
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
fn moments_exact([sums, squares]: &mut [Strip; 2], values: &[f64; LANES]) -> bool {
    let (products, errors) = squares_of(values);
    // The error of a product is below half a unit of it, so it starts one component lower.
    add_from::<0>(sums, values) | add_from::<0>(squares, &products) | add_from::<1>(squares, &errors)
}
