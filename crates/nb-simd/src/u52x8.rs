//! Numbers in fixed point, as the bits of doubles: what sums of them need beside the operations of
//! [`Vector`].

use crate::{error_free::two_sum, f64x8::Vector};

/// Eight lanes whose bits are whole numbers, or that are rounded in a direction. By way of memory where a
/// processor has no instructions for it, or speed does not matter.
pub trait FixedPoint: Vector {
    /// Lane by lane, rounded down.
    #[inline(always)]
    fn add_down(self, other: Self) -> Self {
        self.map_lanes(other, |a, b| match two_sum(a, b) {
            (sum, error) if error < 0.0 => sum.next_down(),
            (sum, _) => sum,
        })
    }

    /// Lane by lane, rounded up.
    #[inline(always)]
    fn add_up(self, other: Self) -> Self {
        self.map_lanes(other, |a, b| match two_sum(a, b) {
            (sum, error) if error > 0.0 => sum.next_up(),
            (sum, _) => sum,
        })
    }

    /// The sums of the bits as whole numbers, modulo `2^64`.
    #[inline(always)]
    fn add_bits(self, other: Self) -> Self {
        self.map_bits(other, u64::wrapping_add)
    }

    /// The differences of the bits as whole numbers, modulo `2^64`.
    #[inline(always)]
    fn sub_bits(self, other: Self) -> Self {
        self.map_bits(other, u64::wrapping_sub)
    }

    /// The bits as whole numbers times a number, modulo `2^64`.
    #[inline(always)]
    fn mul_bits(self, factor: u64) -> Self {
        self.map_bits(self, |bits, _| bits.wrapping_mul(factor))
    }

    /// The bits of `self`, and those in which `a` and `b` differ.
    #[inline(always)]
    fn or_xor(self, a: Self, b: Self) -> Self {
        self.map_bits(a.map_bits(b, |a, b| a ^ b), |bits, differences| bits | differences)
    }

    /// `self` and the lower 52 bits of the product of the lower 52 bits of `a` and `b`, as whole numbers
    /// modulo `2^64`.
    #[inline(always)]
    fn madd52_low(self, a: Self, b: Self) -> Self {
        self.add_bits(a.map_bits(b, |a, b| product_of_52_bits(a, b).0))
    }

    /// The same with the upper 52 bits of the product.
    #[inline(always)]
    fn madd52_high(self, a: Self, b: Self) -> Self {
        self.add_bits(a.map_bits(b, |a, b| product_of_52_bits(a, b).1))
    }

    /// The bits as whole numbers with a sign, rounded down to doubles.
    #[inline(always)]
    fn i64_to_f64_down(self) -> Self {
        self.map_bits(self, |bits, _| {
            let number = bits.cast_signed();
            let nearest = number as f64;
            (if nearest as i128 > i128::from(number) { nearest.next_down() } else { nearest }).to_bits()
        })
    }

    /// Lane by lane, by way of memory.
    #[inline(always)]
    fn map_lanes(self, other: Self, operation: impl Fn(f64, f64) -> f64) -> Self {
        self.map_bits(other, |a, b| operation(f64::from_bits(a), f64::from_bits(b)).to_bits())
    }
}

/// The lower and the upper 52 bits of the product of the lower 52 bits of two numbers.
#[inline(always)]
pub(crate) fn product_of_52_bits(a: u64, b: u64) -> (u64, u64) {
    const LOWER: u64 = (1 << 52) - 1;
    let product = u128::from(a & LOWER) * u128::from(b & LOWER);
    (product as u64 & LOWER, (product >> 52) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{InstructionSet, Isa, Kernel, LANES};
    use proptest::prelude::*;

    /// What all operations give for three vectors.
    struct Operate([[f64; LANES]; 3]);

    impl Kernel for Operate {
        type Output = [[f64; LANES]; 9];

        #[inline(always)]
        fn run<C: Isa>(self) -> Self::Output {
            let [a, b, c] =
                [C::Vector::load(&self.0[0]), C::Vector::load(&self.0[1]), C::Vector::load(&self.0[2])];
            let found = [
                a.add_down(b),
                a.add_up(b),
                a.add_bits(b),
                a.sub_bits(b),
                a.mul_bits(1_000_003),
                a.or_xor(b, c),
                a.madd52_low(b, c),
                a.madd52_high(b, c),
                a.i64_to_f64_down(),
            ];
            let mut lanes = [[0.0; LANES]; 9];
            lanes.iter_mut().zip(found).for_each(|(lanes, vector)| vector.store(lanes));
            lanes
        }
    }

    /// The same for numbers, as bits; sums rounded in a direction only where a sum of integers tells them.
    fn expected([a, b, c]: [u64; 3]) -> [u64; 6] {
        let product = u128::from(b % (1 << 52)) * u128::from(c % (1 << 52));
        [
            a.wrapping_add(b),
            a.wrapping_sub(b),
            a.wrapping_mul(1_000_003),
            a | (b ^ c),
            a.wrapping_add((product % (1 << 52)) as u64),
            a.wrapping_add((product >> 52) as u64),
        ]
    }

    proptest! {
        #[test]
        fn every_set_operates_on_bits(bits in prop::array::uniform3(prop::array::uniform8(any::<u64>()))) {
            for set in InstructionSet::ALL {
                let [_, _, found @ .., whole] = set.run_with_ifma(Operate(bits.map(|lanes| lanes.map(f64::from_bits))));
                for lane in 0..LANES {
                    let expected = expected([bits[0][lane], bits[1][lane], bits[2][lane]]);
                    prop_assert_eq!(found.map(|lanes| lanes[lane].to_bits()), expected, "{:?}", set);
                    let (number, whole) = (i128::from(bits[0][lane].cast_signed()), whole[lane]);
                    prop_assert!(whole as i128 <= number && number < whole.next_up() as i128 || whole as i128 == number);
                }
            }
        }

        #[test]
        fn every_set_rounds_down_and_up(
            a in prop::array::uniform8(any::<i64>()),
            b in prop::array::uniform8(-1000..1000_i64),
        ) {
            // Of 53 bits and of few, so that sums have a bit or two too many.
            let (a, b) = (a.map(|lane| (lane >> 11) as f64 * 4.0), b.map(|lane| lane as f64));
            for set in InstructionSet::ALL {
                let [down, up, ..] = set.run_with_ifma(Operate([a, b, b]));
                for lane in 0..LANES {
                    let exact = a[lane] as i128 + b[lane] as i128;
                    let (down, up) = (down[lane], up[lane]);
                    prop_assert!(down as i128 <= exact && exact <= up as i128, "{:?}", set);
                    let is_between = down as i128 != exact && down.next_up() == up;
                    prop_assert!(is_between || down == up && down as i128 == exact, "{:?}", set);
                }
            }
        }
    }
}
