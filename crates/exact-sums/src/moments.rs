//! Sums and sums of squares of a few rows, for which bins do not pay.

use std::ops::Range;

use crate::{
    chains::{add_strip_squares, sum_and_error},
    sums::{ExactSums, PLANES},
};
use nb_simd::{InstructionSet, Isa, Kernel, LANES, Vector};

/// Adds rows to `sums` and the squares of their cells to `squares`. All cells must be in the
/// [`domain`](crate::domain), and each row has one for every sum.
///
/// ```
/// use exact_sums::{ExactSums, add_moments};
///
/// let (mut sums, mut squares) = (ExactSums::new(2), ExactSums::new(2));
/// add_moments(&mut sums, &mut squares, &[1.0, 0.5, 3.0, -0.5]); // two rows
/// assert_eq!((sums.get(0).to_f64(), squares.get(0).to_f64()), (4.0, 10.0));
/// assert_eq!((sums.get(1).to_f64(), squares.get(1).to_f64()), (0.0, 0.5));
/// ```
///
/// # Panics
/// If there are fewer squares than sums.
pub fn add_moments(sums: &mut ExactSums, squares: &mut ExactSums, rows: &[f64]) {
    InstructionSet::current().run(AddMoments { sums, squares, rows });
}

struct AddMoments<'a> {
    sums: &'a mut ExactSums,
    squares: &'a mut ExactSums,
    rows: &'a [f64],
}

impl Kernel for AddMoments<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(self) {
        let Self { sums, squares, rows } = self;
        let n_columns = sums.len();
        for first in (0..n_columns).step_by(LANES) {
            let own = first..n_columns.min(first + LANES);
            if !try_columns::<C::Vector>(sums, squares, own.clone(), rows) {
                let rows = rows.chunks_exact(n_columns);
                add_strip_squares(sums, squares, first, rows.map(|row| &row[own.clone()]));
            }
        }
    }
}

/// Adds some columns of the rows, at most as many as there are lanes, unless there are fewer sums than lanes,
/// or bits would be lost; whether it was done.
#[inline(always)]
fn try_columns<V: Vector>(
    sums: &mut ExactSums,
    squares: &mut ExactSums,
    own: Range<usize>,
    rows: &[f64],
) -> bool {
    let n_columns = sums.len();
    let Some(start) = n_columns.checked_sub(LANES).map(|last| last.min(own.start)) else { return false };
    // The last columns come with some before them, whose lanes are left out.
    let others = (1_u16 << (own.start - start)) as u8 - 1;
    sums.ensure_planes(PLANES);
    squares.ensure_planes(PLANES);
    let (mut sum, mut square) = (load::<V>(sums, start), load::<V>(squares, start));
    let mut lost = V::splat(0.0);
    for row in rows.chunks_exact(n_columns) {
        let Some(lanes) = row[start..].first_chunk() else { return false };
        let mut carry = V::load(lanes).zero_lanes(others);
        let (mut product, mut error) = carry.square();
        for (level, (sum, square)) in sum.iter_mut().zip(&mut square).enumerate() {
            (*sum, carry) = sum_and_error(*sum, carry);
            (*square, product) = sum_and_error(*square, product);
            // The error of a product is below half a unit of it, so that it starts one component lower.
            if level > 0 {
                (*square, error) = sum_and_error(*square, error);
            }
        }
        lost = lost.max(carry.abs()).max(product.abs()).max(error.abs());
    }
    if !lost.all_le(V::splat(0.0)) {
        return false;
    }
    store(sum, sums, start);
    store(square, squares, start);
    true
}

#[inline(always)]
fn load<V: Vector>(sums: &ExactSums, start: usize) -> [V; PLANES] {
    let mut components = [V::splat(0.0); PLANES];
    for (component, plane) in components.iter_mut().zip(sums.planes()) {
        if let Some(lanes) = plane[start..].first_chunk() {
            *component = V::load(lanes);
        }
    }
    components
}

/// Stores components, of which lower ones are moved up so that they keep room for more.
#[inline(always)]
fn store<V: Vector>([high, middle, low]: [V; PLANES], sums: &mut ExactSums, start: usize) {
    let (middle, low) = sum_and_error(middle, low);
    let (high, middle) = sum_and_error(high, middle);
    let (middle, low) = sum_and_error(middle, low);
    for (component, plane) in [high, middle, low].iter().zip(sums.planes_mut()) {
        if let Some(lanes) = plane[start..].first_chunk_mut() {
            component.store(lanes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::doubles;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_add_what_their_cells_add(
            (n_columns, cells) in (1..40_usize).prop_flat_map(|n_columns| {
                let cell = prop_oneof![4 => -100.0..100.0_f64, 1 => doubles(), 1 => Just(0.0)];
                (Just(n_columns), prop::collection::vec(cell, 3 * n_columns))
            }),
        ) {
            let (mut sums, mut squares) = (ExactSums::new(n_columns), ExactSums::new(n_columns));
            for row in cells.chunks_exact(n_columns) {
                for (column, &cell) in row.iter().enumerate() {
                    sums.add(column, cell);
                    squares.add_product(column, cell, cell);
                }
            }
            for set in InstructionSet::ALL {
                // Together, and one after the other.
                for step in [3 * n_columns, n_columns] {
                    let (mut found, mut found_squares) = (ExactSums::new(n_columns), ExactSums::new(n_columns));
                    for rows in cells.chunks(step) {
                        set.run(AddMoments { sums: &mut found, squares: &mut found_squares, rows });
                    }
                    prop_assert_eq!(&found, &sums, "{:?}", set);
                    prop_assert_eq!(&found_squares, &squares, "{:?}", set);
                }
            }
        }
    }
}
