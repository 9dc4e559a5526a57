//! Adding rows to a strip of sums by chains of error-free additions: the way that always works.
//!
//! A strip of columns keeps its accumulators in registers while it runs down the rows. The additions are the
//! exact chain of [`ExactSums::add`] without its branches; a flag notes whether anything left the last
//! component. If so, which is rare, the strip is thrown away and its columns are added one value at a time,
//! so that the result is exact either way.
//!
//! [`add_lanes`] is the same chain with the vectors of the caller's instruction set, for those who have lanes
//! at hand.

use std::ops::Range;

use nb_simd::error_free::{two_prod, two_sum};

use crate::{
    number::Exact,
    sums::{ExactSums, PLANES},
};
use nb_simd::{InstructionSet, Isa, Kernel, LANES, Vector};

/// The accumulators of one strip: `[component][lane]`.
type ColumnGroup = [[f64; LANES]; PLANES];

/// Adds rows of at most eight cells to the sums from `first` on.
pub(crate) fn add_strip_sums<'a>(
    sums: &mut ExactSums,
    first: usize,
    rows: impl Iterator<Item = &'a [f64]> + Clone,
) {
    // Closures, as functions by their names would be called for every row.
    let plain = |strips: &mut [ColumnGroup; 1], values: &_| sum_plain(strips, values);
    let exact = |strips: &mut [ColumnGroup; 1], values: &_| sum_exact(strips, values);
    let done = (!sums.has_rounding_planes() && try_strip(&mut [&mut *sums], first, 1, rows.clone(), plain))
        || try_strip(&mut [&mut *sums], first, PLANES, rows.clone(), exact);
    if !done {
        for cells in rows {
            for (lane, &value) in cells.iter().enumerate() {
                sums.add_narrow(first + lane, value);
            }
        }
    }
}

/// Adds the lanes `own` of some rows to as many sums; lane 0 stands for sum `first`. What [`add_strip_sums`]
/// does, with the instructions of the caller.
#[inline(always)]
pub(crate) fn add_lanes<V: Vector>(
    sums: &mut ExactSums,
    first: usize,
    own: Range<usize>,
    rows: &[[f64; LANES]],
) {
    if !try_lanes::<V>(sums, first, &own, rows) {
        add_strip_sums(sums, first + own.start, rows.iter().map(|row| &row[own.clone()]));
    }
}

/// [`add_lanes`] unless there are fewer sums than lanes, or bits would be lost; whether it was done.
#[inline(always)]
fn try_lanes<V: Vector>(
    sums: &mut ExactSums,
    first: usize,
    own: &Range<usize>,
    rows: &[[f64; LANES]],
) -> bool {
    if first + LANES > sums.len() {
        return false;
    }
    let mut strip = [V::splat(0.0); PLANES];
    for (component, plane) in strip.iter_mut().zip(sums.planes()) {
        if let Some(lanes) = plane[first..].first_chunk() {
            *component = V::load(lanes);
        }
    }
    let mut lost = V::splat(0.0);
    for row in rows {
        let mut row = *row;
        if *own != (0..LANES) {
            row[..own.start].fill(0.0);
            row[own.end..].fill(0.0);
        }
        let mut carry = V::load(&row);
        for component in &mut strip {
            (*component, carry) = sum_and_error(*component, carry);
        }
        lost = lost.max(carry.abs());
    }
    if !lost.all_le(V::splat(0.0)) {
        return false;
    }
    let [high, middle, low] = &mut strip;
    (*middle, *low) = sum_and_error(*middle, *low);
    (*high, *middle) = sum_and_error(*high, *middle);
    (*middle, *low) = sum_and_error(*middle, *low);
    // Sums that are doubles, as those of counts, need no further planes.
    let rests = middle.abs().max(low.abs());
    sums.ensure_planes(if rests.all_le(V::splat(0.0)) { 1 } else { PLANES });
    for (component, plane) in strip.iter().zip(sums.planes_mut()) {
        if let Some(lanes) = plane[first..].first_chunk_mut() {
            component.store(lanes);
        }
    }
    true
}

/// The exact total of some numbers: [`Exact::sum`], several at a time.
///
/// ```
/// # use exact_sums::total;
/// assert_eq!(total(&[1e100, 1.0, -1e100]).to_f64(), 1.0);
/// ```
pub fn total(values: &[f64]) -> Exact {
    let (rows, rest) = values.as_chunks();
    let rest = Exact::sum(rest.iter().copied());
    if rows.is_empty() {
        return rest;
    }
    let mut sums = ExactSums::new(LANES);
    InstructionSet::current().run(AddLanes { sums: &mut sums, first: 0, own: 0..LANES, rows });
    let total = &sums.total() + &rest;
    // Of numbers near the largest the lanes may have overflowed.
    if total.to_f64().is_finite() { total } else { Exact::sum(values.iter().copied()) }
}

/// [`add_lanes`] as a kernel.
struct AddLanes<'a> {
    sums: &'a mut ExactSums,
    first: usize,
    own: Range<usize>,
    rows: &'a [[f64; LANES]],
}

impl Kernel for AddLanes<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(self) {
        add_lanes::<C::Vector>(self.sums, self.first, self.own, self.rows);
    }
}

/// [`two_sum`], lane by lane.
#[inline(always)]
pub(crate) fn sum_and_error<V: Vector>(a: V, b: V) -> (V, V) {
    let sum = a.add(b);
    let b_rounded = sum.sub(a);
    (sum, a.sub(sum.sub(b_rounded)).add(b.sub(b_rounded)))
}

/// Adds rows of at most eight cells to the sums from `first` on, and their squares to `squares`.
pub(crate) fn add_strip_squares<'a>(
    sums: &mut ExactSums,
    squares: &mut ExactSums,
    first: usize,
    rows: impl Iterator<Item = &'a [f64]> + Clone,
) {
    if !try_strip(&mut [&mut *sums, &mut *squares], first, PLANES, rows.clone(), moments_exact) {
        for cells in rows {
            for (lane, &value) in cells.iter().enumerate() {
                sums.add_narrow(first + lane, value);
                squares.add_product(first + lane, value, value);
            }
        }
    }
}

/// Adds `sign` (1 or -1) times other sums, at most as many.
pub(crate) fn add_sums(sums: &mut ExactSums, other: &ExactSums, sign: f64) {
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

/// Loads a strip of `N` vectors of sums, lets `step` add every row to it, and stores it unless bits were
/// lost; whether it was stored. `planes` says how many components the step uses.
#[inline(always)]
fn try_strip<'a, const N: usize>(
    sums: &mut [&mut ExactSums; N],
    first: usize,
    planes: usize,
    rows: impl Iterator<Item = &'a [f64]>,
    step: impl Fn(&mut [ColumnGroup; N], &[f64; LANES]) -> bool,
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
fn renormalize([high, middle, low]: &mut ColumnGroup) {
    for lane in 0..LANES {
        (middle[lane], low[lane]) = two_sum(middle[lane], low[lane]);
        (high[lane], middle[lane]) = two_sum(high[lane], middle[lane]);
        (middle[lane], low[lane]) = two_sum(middle[lane], low[lane]);
    }
}

/// Adds `values` from component `LEVEL` downwards; whether anything left the last one.
#[inline(always)]
fn add_from<const LEVEL: usize>(strip: &mut ColumnGroup, values: &[f64; LANES]) -> bool {
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
fn add_plain(strip: &mut ColumnGroup, values: &[f64; LANES]) -> bool {
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
fn sum_plain([sums]: &mut [ColumnGroup; 1], values: &[f64; LANES]) -> bool {
    add_plain(sums, values)
}

#[inline(always)]
fn sum_exact([sums]: &mut [ColumnGroup; 1], values: &[f64; LANES]) -> bool {
    add_from::<0>(sums, values)
}

#[inline(always)]
fn moments_exact([sums, squares]: &mut [ColumnGroup; 2], values: &[f64; LANES]) -> bool {
    let (products, errors) = squares_of(values);
    // The error of a product is below half a unit of it, so it starts one component lower.
    add_from::<0>(sums, values) | add_from::<0>(squares, &products) | add_from::<1>(squares, &errors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{any_doubles, doubles};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn totals_are_those_of_one_addition_at_a_time(values in prop::collection::vec(doubles(), 0..60)) {
            prop_assert_eq!(total(&values), Exact::sum(values.iter().copied()));
        }

        #[test]
        fn totals_of_any_doubles_are_exact(values in prop::collection::vec(any_doubles(), 0..30)) {
            prop_assert_eq!(total(&values), Exact::sum(values.iter().copied()));
        }

        #[test]
        fn every_set_adds_lanes_as_one_value_at_a_time(
            rows in prop::collection::vec(prop::array::uniform8(doubles()), 1..6),
            own in (0..5_usize, 5..9_usize),
        ) {
            let own = own.0..own.1;
            let mut expected = ExactSums::new(11);
            for row in &rows {
                for lane in own.clone() {
                    expected.add(3 + lane, row[lane]);
                }
            }
            for set in InstructionSet::ALL {
                let mut sums = ExactSums::new(11);
                set.run(AddLanes { sums: &mut sums, first: 3, own: own.clone(), rows: &rows });
                prop_assert_eq!(&sums, &expected);
            }
        }
    }
}
