//! Multiples of sums: what rows of the same weight add.

use nb_simd::{LANES, error_free::two_prod};

use super::{ExactSums, PLANES};
use crate::{chains::add_strip_sums, dyadic::Dyadic};

/// A product with a multiple of `2^-112`, as weights are, has no bit below `2^-1074` if the other factor is a
/// multiple of this: `2^-940`.
const LEAST_UNIT: f64 = f64::from_bits((1023 - 940) << 52);
/// A product with a weight of at most `2^60` is below `2^970` if the other factor is at most this: `2^900`.
const LARGEST: f64 = f64::from_bits((1023 + 900) << 52);

impl ExactSums {
    /// Adds `factor` times another vector, sum by sum, exactly. The factor is a weight of the
    /// [`domain`](crate::domain).
    ///
    /// The terms of the other vector times the factor are then in the first vector, [wide](Self::add_wide)
    /// ones among the wide ones.
    ///
    /// ```
    /// # use exact_sums::ExactSums;
    /// let (mut sums, mut of_a_weight) = (ExactSums::new(1), ExactSums::new(1));
    /// of_a_weight.add(0, 1e16);
    /// of_a_weight.add(0, 1.0);
    /// sums.add_multiple(&of_a_weight, 3.0);
    /// sums.add(0, -3e16);
    /// assert_eq!(sums.get(0).to_f64(), 3.0);
    /// ```
    pub fn add_multiple(&mut self, other: &Self, factor: f64) {
        self.grow(other.len);
        for (index, sum) in other.wide.iter() {
            self.add_wide(index, &(sum * &Dyadic::from(factor)));
        }
        for first in (0..other.len).step_by(LANES) {
            let own = first..other.len.min(first + LANES);
            let mut rows = [[[0.0; LANES]; 2]; PLANES];
            let mut are_exact = true;
            for ([products, errors], plane) in rows.iter_mut().zip(other.planes()) {
                for (lane, &component) in plane[own.clone()].iter().enumerate() {
                    are_exact &= has_exact_products(component);
                    (products[lane], errors[lane]) = two_prod(component, factor);
                }
            }
            let rows = &rows.as_flattened()[..2 * other.n_planes()];
            if are_exact {
                add_strip_sums(self, first, rows.iter().map(|row| &row[..own.len()]));
            } else {
                let components = other.planes().flat_map(|plane| own.clone().zip(&plane[own.clone()]));
                components
                    .for_each(|(index, &component)| self.add_product_of_any_size(index, component, factor));
            }
        }
        for (&index, components) in &other.overflow {
            for &part in components {
                self.add_product_of_any_size(index, part, factor);
            }
        }
    }

    fn add_product_of_any_size(&mut self, index: usize, component: f64, factor: f64) {
        if has_exact_products(component) {
            self.add_product(index, component, factor);
        } else {
            self.add_wide(index, &(&Dyadic::from(component) * &Dyadic::from(factor)));
        }
    }
}

/// Whether products of a number with weights lose no bits: it is a multiple of the least unit, and not too
/// large.
#[expect(clippy::needless_bitwise_bool, reason = "without branches all lanes go the same way")]
#[inline(always)]
fn has_exact_products(component: f64) -> bool {
    let size = component.abs();
    // The unit in the last place of their sum is the least unit: numbers that are no multiples are rounded.
    let shift = LEAST_UNIT * (1_u64 << 52) as f64;
    ((size >= shift) | ((size + shift) - shift == size)) & (size <= LARGEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{any_doubles, doubles};
    use proptest::prelude::*;

    /// Terms in the domain: what `add_weighted` and `add_weighted_square` add for weight 1.
    fn terms() -> impl Strategy<Value = Vec<(usize, f64)>> {
        prop::collection::vec((0..11_usize, prop_oneof![3 => doubles(), 1 => any_doubles()]), 0..60)
    }

    proptest! {
        #[test]
        fn a_multiple_of_a_sum_is_the_sum_of_multiples(
            before in terms(),
            terms in terms(),
            factor in prop_oneof![
                Just(1.0), Just(3.0), Just(0.7), Just(2.0_f64.powi(-60).next_up()), Just(2.0_f64.powi(60).next_down()),
                0.001..1000.0,
            ],
        ) {
            let (mut found, mut expected, mut of_the_weight) =
                (ExactSums::new(4), ExactSums::new(11), ExactSums::new(11));
            for (index, value) in before {
                found.grow(index + 1);
                found.add_weighted(index, 1.0, value);
                expected.add_weighted(index, 1.0, value);
            }
            for (index, value) in terms {
                of_the_weight.add_weighted(index, 1.0, value);
                of_the_weight.add_weighted_square(index, 1.0, value);
                expected.add_weighted(index, factor, value);
                expected.add_weighted_square(index, factor, value);
            }
            found.add_multiple(&of_the_weight, factor);
            prop_assert_eq!(&found, &expected);
            prop_assert_eq!(&found.wide, &expected.wide);
        }

        #[test]
        fn terms_of_any_size_are_multiplied_exactly(
            values in prop::collection::vec(any_doubles(), 0..30),
            factor in 1e-18..1e18,
        ) {
            let (mut found, mut expected, mut of_the_weight) =
                (ExactSums::new(1), ExactSums::new(1), ExactSums::new(1));
            for value in values {
                of_the_weight.add(0, value);
                expected.add_wide(0, &(&Dyadic::from(value) * &Dyadic::from(factor)));
            }
            found.add_multiple(&of_the_weight, factor);
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn bits_that_a_product_may_lose_are_seen() {
        for (number, expected) in [
            (0.0, true),
            (1.0, true),
            (-LEAST_UNIT, true),
            (3.0 * LEAST_UNIT, true),
            (1.5 * LEAST_UNIT, false),
            (LEAST_UNIT / 2.0, false),
            (-5e-324, false),
            (LEAST_UNIT * 2.0_f64.next_up(), false),
            (LARGEST, true),
            (-LARGEST.next_up(), false),
        ] {
            assert_eq!(has_exact_products(number), expected, "{number:e}");
        }
    }
}
