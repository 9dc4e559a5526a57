//! The exponential and the logarithm that posteriors need, without branches, so that eight rows can be worked on
//! together.
//!
//! Both are within 0.9 units in the last place of the exact value (tested over their ranges against exact rational
//! arithmetic) and use additions and multiplications only, in one order: they give the same bits on every processor and
//! with every instruction set.

const LN2_HIGH: f64 = f64::from_bits(0x3FE6_2E42_FEFA_3800); // 42 bits, so that multiples up to 2^11 are exact
const LN2_LOW: f64 = 5.497_923_018_708_371e-14; // ln 2 less LN2_HIGH

/// `e^x` for `x ≤ 0`; exactly 1 for 0. Below -745.2 the result is 0, and from -708.4 on, where it is not normal any
/// more, it is rounded once more.
///
/// `x = k ln 2 + r` with `|r| ≤ ln 2 / 2`, then the Taylor polynomial of degree 13, whose rest is below `2^-57`.
#[inline(always)]
pub(crate) fn exp_of_negative(x: f64) -> f64 {
    const SHIFTER: f64 = 6_755_399_441_055_744.0; // 1.5 * 2^52: adding it rounds to an integer in the low bits
    let x = if x < -750.0 { -750.0 } else { x };
    let shifted = x * std::f64::consts::LOG2_E + SHIFTER;
    let k = shifted - SHIFTER;
    let high = x - k * LN2_HIGH;
    let low = k * LN2_LOW;
    let r = high - low;
    let rest = (high - r) - low;
    let mut tail = 1.0 / 6_227_020_800.0;
    for factorial in
        [479_001_600.0, 39_916_800.0, 3_628_800.0, 362_880.0, 40_320.0, 5_040.0, 720.0, 120.0, 24.0, 6.0, 2.0]
    {
        tail = tail * r + 1.0 / factorial;
    }
    let value = 1.0 + (r + (r * r * tail + rest));
    // Two steps, so that neither power of two is out of range where the result is not normal.
    let k = shifted.to_bits().wrapping_sub(SHIFTER.to_bits()).cast_signed();
    let half = k >> 1;
    value * power_of_two(half) * power_of_two(k - half)
}

#[inline(always)]
fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// `ln(1 + x)` for finite `x ≥ 0`.
///
/// `1 + x = u + c` exactly and `u = 2^k (1 + f)` with `√½ ≤ 1 + f < √2`; then with `s = f / (2 + f)`
/// `ln(1 + f) = 2s + 2s³/3 + 2s⁵/5 + ...`, of which the terms after the eleventh are below `2^-58`, and `c` enters as
/// `c / u`.
#[inline(always)]
pub(crate) fn log1p_of_positive(x: f64) -> f64 {
    const ROOT_HALF: u64 = 0x3FE6_A09E_667F_3BCD;
    let (u, c) = crate::exact::two_sum(1.0, x);
    // Counting exponents from √½: k is what the high bits say, and what is left belongs to the fraction.
    let offset = u.to_bits().wrapping_sub(ROOT_HALF);
    let exponent = offset & 0xFFF0_0000_0000_0000;
    let f = f64::from_bits(u.to_bits().wrapping_sub(exponent)) - 1.0;
    let k = small_integer(exponent >> 52);
    let s = f / (2.0 + f);
    let z = s * s;
    let mut series = 2.0 / 23.0;
    for odd in [21.0, 19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0] {
        series = series * z + 2.0 / odd;
    }
    // 2s = f - s f, arranged so that f, which is exact, comes last.
    let half_square = 0.5 * f * f;
    let rest = s * (half_square + z * series) + (k * LN2_LOW + c / u);
    k * LN2_HIGH - ((half_square - rest) - f)
}

/// An integer from 0 to 2047 as a double, by way of its bits: a conversion that every instruction set has.
#[inline(always)]
fn small_integer(integer: u64) -> f64 {
    const SHIFTER: f64 = 4_503_599_627_370_496.0; // 2^52
    f64::from_bits(SHIFTER.to_bits() | integer) - SHIFTER
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let (mut u, mut k) = (fixed(x) + &one, 0);
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
}
