//! The exponential that posteriors need, and logarithms, without branches, of one number or of many at a
//! time.
//!
//! All are within 0.9 units in the last place of the exact value (tested over their ranges against exact
//! rational arithmetic) and use additions, multiplications, divisions and powers of two only, in one order:
//! they give the same bits on every processor and with every instruction set.

use std::{
    hint::black_box,
    ops::{Add, Div, Mul, Sub},
};

use crate::{LANES, SHIFTER, Vector, mul_power_of_two, split_exponent};

const LN2_HIGH: f64 = f64::from_bits(0x3FE6_2E42_FEFA_3800); // 42 bits, so that multiples up to 2^11 are exact
const LN2_LOW: f64 = 5.497_923_018_708_371e-14; // ln 2 less LN2_HIGH

/// One number, or several that are worked on together.
pub trait Number:
    Copy + From<f64> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// `then` where `self` is above `limit`, else `otherwise`.
    fn select_gt(self, limit: Self, then: Self, otherwise: Self) -> Self;

    /// `self * factor + term`, for exact products.
    fn mul_add(self, factor: Self, term: Self) -> Self;

    /// `self - term`, by the multiplier if it is fused; `one` is 1, unknown to the compiler.
    fn sub_on_fma_port(self, term: Self, one: Self) -> Self;

    /// As [`mul_power_of_two`] does it.
    fn mul_power_of_two(self, exponent: Self) -> Self;

    /// The larger one; `self` if either is not a number.
    fn max(self, other: Self) -> Self;

    /// Whole `k` and `f` with `f * 2^k == self` and `√½ ≤ f < √2`, for positive normal numbers.
    fn split_exponent(self) -> (Self, Self);
}

impl Number for f64 {
    #[inline(always)]
    fn select_gt(self, limit: Self, then: Self, otherwise: Self) -> Self {
        if self > limit { then } else { otherwise }
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        self * factor + term
    }

    #[inline(always)]
    fn sub_on_fma_port(self, term: Self, _: Self) -> Self {
        self - term
    }

    #[inline(always)]
    fn mul_power_of_two(self, exponent: Self) -> Self {
        mul_power_of_two(self, exponent)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if other > self { other } else { self }
    }

    #[inline(always)]
    fn split_exponent(self) -> (Self, Self) {
        split_exponent(self)
    }
}

/// The lanes of a few vectors, so that one need not wait for the other, with the operators of numbers.
#[derive(Clone, Copy, Debug)]
pub struct Lanes<V, const N: usize>(pub [V; N]);

impl<V: Vector, const N: usize> From<f64> for Lanes<V, N> {
    #[inline(always)]
    fn from(value: f64) -> Self {
        Self([V::splat(value); N])
    }
}

macro_rules! operator {
    ($($operator:ident, $method:ident;)*) => {$(
        impl<V: Vector, const N: usize> $operator for Lanes<V, N> {
            type Output = Self;

            #[inline(always)]
            fn $method(mut self, other: Self) -> Self {
                for (vector, other) in self.0.iter_mut().zip(other.0) {
                    *vector = vector.$method(other);
                }
                self
            }
        }
    )*};
}

operator! {
    Add, add;
    Sub, sub;
    Mul, mul;
    Div, div;
}

impl<V: Vector, const N: usize> Number for Lanes<V, N> {
    #[inline(always)]
    fn select_gt(self, limit: Self, then: Self, mut otherwise: Self) -> Self {
        for i in 0..N {
            otherwise.0[i] = self.0[i].select_gt(limit.0[i], then.0[i], otherwise.0[i]);
        }
        otherwise
    }

    #[inline(always)]
    fn mul_add(mut self, factor: Self, term: Self) -> Self {
        for i in 0..N {
            self.0[i] = self.0[i].mul_add(factor.0[i], term.0[i]);
        }
        self
    }

    #[inline(always)]
    fn sub_on_fma_port(mut self, term: Self, one: Self) -> Self {
        for i in 0..N {
            self.0[i] = self.0[i].sub_on_fma_port(term.0[i], one.0[i]);
        }
        self
    }

    #[inline(always)]
    fn mul_power_of_two(mut self, exponent: Self) -> Self {
        for (vector, exponent) in self.0.iter_mut().zip(exponent.0) {
            *vector = vector.mul_power_of_two(exponent);
        }
        self
    }

    #[inline(always)]
    fn max(mut self, other: Self) -> Self {
        for (vector, other) in self.0.iter_mut().zip(other.0) {
            *vector = vector.max(other);
        }
        self
    }

    #[inline(always)]
    fn split_exponent(mut self) -> (Self, Self) {
        let mut fractions = self;
        for (vector, fraction) in self.0.iter_mut().zip(&mut fractions.0) {
            (*vector, *fraction) = vector.split_exponent();
        }
        (self, fractions)
    }
}

impl<V: Vector, const N: usize> Lanes<V, N> {
    /// From memory.
    #[inline(always)]
    pub fn load(lanes: &[[f64; LANES]; N]) -> Self {
        let mut vectors = [V::splat(0.0); N];
        for (vector, lanes) in vectors.iter_mut().zip(lanes) {
            *vector = V::load(lanes);
        }
        Self(vectors)
    }

    /// To memory.
    #[inline(always)]
    pub fn store(self, lanes: &mut [[f64; LANES]; N]) {
        for (vector, lanes) in self.0.into_iter().zip(lanes) {
            vector.store(lanes);
        }
    }

    /// Zero where two others are the same.
    #[inline(always)]
    pub fn zero_where_eq(mut self, left: Self, right: Self) -> Self {
        for i in 0..N {
            self.0[i] = self.0[i].zero_where_eq(left.0[i], right.0[i]);
        }
        self
    }

    /// Lane by lane, without the sign.
    #[inline(always)]
    pub fn abs(mut self) -> Self {
        for vector in &mut self.0 {
            *vector = vector.abs();
        }
        self
    }
}

/// `1 / n!` for `n` from 13 to 2, and 1.
const EXP_SERIES: [f64; 13] = [
    1.0 / 6_227_020_800.0,
    1.0 / 479_001_600.0,
    1.0 / 39_916_800.0,
    1.0 / 3_628_800.0,
    1.0 / 362_880.0,
    1.0 / 40_320.0,
    1.0 / 5_040.0,
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    1.0 / 2.0,
    1.0,
];

/// `e^x` for `x ≤ 0`; exactly 1 for 0. Below -745.2 the result is 0, and from -708.4 on, where it is not
/// normal any more, it is rounded once more.
///
/// `x = k ln 2 + r` with `|r| ≤ ln 2 / 2`, then the Taylor polynomial of degree 13, whose rest is below
/// `2^-57`.
#[inline(always)]
pub fn exp_of_negative<N: Number>(x: N) -> N {
    // Unknown to the compiler, which would unroll the loop and put the chains of several vectors one behind
    // the other, and leave out the multiplications by one.
    let [highest, coefficients @ .., one] = black_box(&EXP_SERIES);
    let shifter = N::from(SHIFTER);
    let x = x.max(N::from(-750.0));
    let k = (x * N::from(std::f64::consts::LOG2_E) + shifter) - shifter;
    let high = k.mul_add(N::from(-LN2_HIGH), x);
    let low = k * N::from(LN2_LOW);
    let r = high - low;
    let one = N::from(*one);
    let rest = high.sub_on_fma_port(r, one).sub_on_fma_port(low, one);
    let mut tail = N::from(*highest);
    for &coefficient in coefficients {
        tail = tail * r + N::from(coefficient);
    }
    let value = one + (r + (r * r * tail + rest));
    value.mul_power_of_two(k)
}

/// `ln(1 + x)` for finite `x ≥ 0`: with `1 + x = u + c` exactly, `c` enters as `c / u`.
#[inline(always)]
pub fn log1p_of_positive<N: Number>(x: N) -> N {
    let one = N::from(1.0);
    // As `two_sum` has it.
    let u = one + x;
    let x_rounded = u - one;
    let c = (one - (u - x_rounded)) + (x - x_rounded);
    ln_and(u, c / u)
}

/// `ln(2πv)` for `v` from 2.3e-308 to 1e280, also where the product is near one and the logarithm near zero.
#[inline(always)]
pub fn ln_tau_times<N: Number>(v: N) -> N {
    const TAU: f64 = std::f64::consts::TAU;
    const TAU_HIGH: f64 = f64::from_bits(TAU.to_bits() & 0xFFFF_FFFF_F800_0000); // 26 bits
    const TAU_LOW: f64 = TAU - TAU_HIGH;
    const TAU_REST: f64 = 2.449_293_598_294_706_4e-16; // 2π less its double
    const SPLITTER: f64 = 134_217_729.0; // 2^27 + 1
    // The rounded product and its error, by halves of the factors (Dekker 1971).
    let product = v * N::from(TAU);
    let shifted = v * N::from(SPLITTER);
    let high = shifted - (shifted - v);
    let low = v - high;
    let (tau_high, tau_low) = (N::from(TAU_HIGH), N::from(TAU_LOW));
    let error = ((high * tau_high - product) + high * tau_low + low * tau_high) + low * tau_low;
    ln_and(product, (v * N::from(TAU_REST) + error) / product)
}

/// `ln u + rest` for positive normal `u` and a `rest` below its unit in the last place.
///
/// `u = 2^k (1 + f)` with `√½ ≤ 1 + f < √2`; then with `s = f / (2 + f)` `ln(1 + f) = 2s + 2s³/3 + 2s⁵/5 +
/// ...`, of which the terms after the eleventh are below `2^-58`. The steps are those of fdlibm's `log` (Sun
/// Microsystems 1993), with the series in place of its minimax polynomial.
#[inline(always)]
fn ln_and<N: Number>(u: N, rest: N) -> N {
    let (k, fraction) = u.split_exponent();
    let f = fraction - N::from(1.0);
    let s = f / (N::from(2.0) + f);
    let z = s * s;
    let mut series = N::from(2.0 / 23.0);
    for odd in [21.0, 19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0] {
        series = series * z + N::from(2.0 / odd);
    }
    // 2s = f - s f, arranged so that f, which is exact, comes last.
    let half_square = N::from(0.5) * f * f;
    let rest = s * (half_square + z * series) + (k * N::from(LN2_LOW) + rest);
    k * N::from(LN2_HIGH) - ((half_square - rest) - f)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{InstructionSet, Isa, Kernel, tile::VECTORS};
    use num_bigint::BigInt;
    use num_traits::{Signed, ToPrimitive};

    /// Numbers are integers in units of `2^-SCALE`.
    const SCALE: u64 = 1300;

    /// A double in units of `2^-SCALE`, exactly: none that is used here has bits below.
    fn fixed(value: f64) -> BigInt {
        let exponent = ((value.to_bits() >> 52) & 0x7FF).cast_signed();
        let mantissa = (value.to_bits() & ((1 << 52) - 1)) | if exponent > 0 { 1 << 52 } else { 0 };
        let shift = SCALE.cast_signed() + exponent.max(1) - 1075;
        let size = BigInt::from(mantissa) << u64::try_from(shift).expect("no bits below the unit");
        if value < 0.0 { -size } else { size }
    }

    fn product(a: &BigInt, b: &BigInt) -> BigInt {
        (a * b) >> SCALE
    }

    fn quotient(a: &BigInt, b: &BigInt) -> BigInt {
        (a << SCALE) / b
    }

    /// Taylor series of `e^x` at the argument divided by 2^12, squared as often.
    fn exact_exp(x: f64) -> BigInt {
        let argument = fixed(x) >> 12;
        let (mut sum, mut term) = (fixed(1.0), fixed(1.0));
        for n in 1..80 {
            term = product(&term, &argument) / n;
            sum += &term;
        }
        (0..12).fold(sum, |power, _| product(&power, &power))
    }

    /// `2 (s + s³/3 + ...)` with `s = x / (2 + x)`, after dividing `1 + x` by powers of two.
    fn exact_log1p(x: f64) -> BigInt {
        exact_log1p_of(&fixed(x))
    }

    fn exact_log1p_of(x: &BigInt) -> BigInt {
        let series = |s: BigInt| {
            let square = product(&s, &s);
            let (mut sum, mut power) = (BigInt::ZERO, s);
            for n in 0..300 {
                sum += &power / (2 * n + 1);
                power = product(&power, &square);
            }
            sum * 2
        };
        let one = fixed(1.0);
        let (mut u, mut k) = (x + &one, 0);
        while u > fixed(1.5) {
            u >>= 1;
            k += 1;
        }
        series(quotient(&(&u - &one), &(&u + &one))) + series(&one / 3) * k
    }

    /// The distance to the exact value in units in the last place of the result.
    fn ulps(found: f64, exact: &BigInt) -> f64 {
        let unit = fixed(found.next_up()) - fixed(found);
        let distance: BigInt = ((fixed(found) - exact).abs() << 20) / unit.abs();
        distance.to_f64().expect("finite") / f64::from(1 << 20)
    }

    #[test]
    fn exponentials_are_within_their_bound() {
        assert_eq!(exp_of_negative(0.0), 1.0);
        assert_eq!(exp_of_negative(-0.0), 1.0);
        assert_eq!(exp_of_negative(-746.0), 0.0);
        assert_eq!(exp_of_negative(f64::NEG_INFINITY), 0.0);
        let (mut worst, mut x) = (0.0, -1e-17);
        while x > -708.0 {
            worst = f64::max(worst, ulps(exp_of_negative(x), &exact_exp(x)));
            x = x * 1.137 - 1e-3;
        }
        for step in 0..300 {
            let x = -0.007 * f64::from(step) - 0.1;
            worst = f64::max(worst, ulps(exp_of_negative(x), &exact_exp(x)));
        }
        assert!(worst < 0.9, "{worst}");
        // Where results are not normal, one more rounding.
        for x in [-709.5, -720.3, -740.1, -744.9] {
            let error = ulps(exp_of_negative(x), &exact_exp(x));
            assert!(error <= 1.0, "{x}: {error}");
        }
    }

    #[test]
    fn logarithms_are_within_their_bound() {
        assert_eq!(log1p_of_positive(0.0), 0.0);
        assert_eq!(log1p_of_positive(1e-300), 1e-300);
        let (mut worst, mut x) = (0.0, 1e-20);
        while x < 1e6 {
            worst = f64::max(worst, ulps(log1p_of_positive(x), &exact_log1p(x)));
            x *= 1.113;
        }
        for step in 0..300 {
            let x = 0.01 * f64::from(step) + 0.005;
            worst = f64::max(worst, ulps(log1p_of_positive(x), &exact_log1p(x)));
        }
        assert!(worst < 0.9, "{worst}");
    }

    /// The logarithm of a multiple of `2^-SCALE`, on either side of one.
    fn exact_ln(u: &BigInt) -> BigInt {
        let one = fixed(1.0);
        if u >= &one { exact_log1p_of(&(u - &one)) } else { -exact_log1p_of(&(quotient(&one, u) - &one)) }
    }

    /// 2π in units of `2^-SCALE`, by Machin's formula.
    fn exact_tau() -> BigInt {
        let arctan_of_inverse = |n: u32| {
            let (mut sum, mut power) = (BigInt::ZERO, fixed(1.0) / n);
            for k in 0..600 {
                let term: BigInt = &power / (2 * k + 1);
                sum += if k % 2 == 0 { term } else { -term };
                power /= n * n;
            }
            sum
        };
        (arctan_of_inverse(5) * 4 - arctan_of_inverse(239)) * 8
    }

    #[test]
    fn logarithms_of_variances_are_within_their_bound() {
        let tau = exact_tau();
        let error = |v: f64| ulps(ln_tau_times(v), &exact_ln(&product(&tau, &fixed(v))));
        let (mut worst, mut v) = (0.0, 1e-200);
        while v < 1e200 {
            worst = f64::max(worst, error(v));
            v *= 7.77;
        }
        // Where the logarithm is small, and on both sides of every change of the exponent.
        let middle = 1.0 / std::f64::consts::TAU;
        for step in -60..60 {
            worst = f64::max(worst, error(middle * (1.0 + f64::from(step) * 0.011)));
            worst = f64::max(worst, error(middle * (1.0 + 0.5_f64.powi(step.abs()))));
            worst = f64::max(worst, error(middle * (1.0 - 0.4_f64.powi(step.abs() + 1))));
        }
        assert!(worst < 0.9, "{worst}");
        assert_eq!(ln_tau_times(f64::MIN_POSITIVE).round(), -707.0);
        assert_eq!(ln_tau_times(1e280).round(), 647.0);
    }

    /// The functions of sixteen numbers.
    struct OfSixteen([[f64; LANES]; VECTORS]);

    impl Kernel for OfSixteen {
        type Output = [[[f64; LANES]; VECTORS]; 3];

        #[inline(always)]
        fn run<C: Isa>(self) -> Self::Output {
            let mut results = [[[0.0; LANES]; VECTORS]; 3];
            let values = Lanes::<C::Vector, VECTORS>::load(&self.0);
            exp_of_negative(Lanes::from(0.0) - values).store(&mut results[0]);
            log1p_of_positive(values).store(&mut results[1]);
            ln_tau_times(values + Lanes::from(1e-9)).store(&mut results[2]);
            results
        }
    }

    #[test]
    fn sixteen_at_a_time_are_the_same_bits_with_every_set() {
        let mut x = 1e-20;
        while x < 2000.0 {
            let mut values = [[0.0; LANES]; VECTORS];
            for (lane, value) in values.as_flattened_mut().iter_mut().enumerate().skip(1) {
                *value = x * (1.0 + 0.013 * lane as f64);
            }
            for set in InstructionSet::ALL {
                let found = set.run(OfSixteen(values));
                for (lane, &value) in values.as_flattened().iter().enumerate() {
                    let expected: [f64; 3] =
                        [exp_of_negative(-value), log1p_of_positive(value), ln_tau_times(value + 1e-9)];
                    let found = found.each_ref().map(|results| results.as_flattened()[lane].to_bits());
                    assert_eq!(found, expected.map(f64::to_bits), "{set:?}, {value}");
                }
            }
            x *= 1.07;
        }
    }
}
