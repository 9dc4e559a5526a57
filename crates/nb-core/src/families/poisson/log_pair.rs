//! Logarithms of two doubles, for differences of large multiples of them.

use exact_sums::{product, quotient};
use nb_simd::error_free::{two_prod, two_sum};

/// The natural logarithm of a positive normal number of two doubles, as two doubles, to about `2^-100`.
///
/// `log(2^k m) = k log 2 + 2 artanh(s)` with `s = (m - 1) / (m + 1)` and `m` from `√½` to `√2`, so that `s² <
/// 0.0295`.
pub(super) fn log_pair((high, low): (f64, f64)) -> (f64, f64) {
    /// `log 2` and what rounding takes from it.
    const LN_2: (f64, f64) = (std::f64::consts::LN_2, 2.319_046_813_846_299_6e-17);
    /// Terms from this one on are below `2^-53` of the first, so that doubles are enough for their sum.
    const SMALL: u32 = 11;
    const TERMS: u32 = 22;
    let bits = high.to_bits();
    let mut exponent = (bits >> 52).cast_signed() - 1023;
    let mut mantissa = f64::from_bits(bits & ((1 << 52) - 1) | 1.0_f64.to_bits());
    if mantissa > std::f64::consts::SQRT_2 {
        (exponent, mantissa) = (exponent + 1, mantissa / 2.0);
    }
    // Exact, or next to nothing.
    let rest = low / high * mantissa;
    let (sum, error) = two_sum(mantissa, 1.0);
    let s = ratio(two_sum(mantissa - 1.0, rest), two_sum(sum, error + rest));
    let square = product(s, s);
    let divisor = |term: u32| f64::from(2 * term + 1);
    let small = (SMALL..TERMS).rev().fold(0.0, |sum, term| sum * square.0 + 1.0 / divisor(term));
    let series = (0..SMALL).rev().fold((small, 0.0), |sum, term| {
        let (sum, (first, rest)) = (product(sum, square), quotient(1.0, divisor(term)));
        let (high, low) = two_sum(first, sum.0);
        two_sum(high, low + (rest + sum.1))
    });
    let log = product((2.0 * s.0, 2.0 * s.1), series);
    let (shift, shift_rest) = two_prod(exponent as f64, LN_2.0);
    let (high, low) = two_sum(shift, log.0);
    two_sum(high, low + (log.1 + shift_rest + exponent as f64 * LN_2.1))
}

/// The quotient of two numbers of two doubles each.
fn ratio(numerator: (f64, f64), divisor: (f64, f64)) -> (f64, f64) {
    let first = numerator.0 / divisor.0;
    let (product, error) = two_prod(first, divisor.0);
    let rest = ((numerator.0 - product) - error) + (numerator.1 - first * divisor.1);
    two_sum(first, rest / divisor.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By mpmath 1.3 with 60 digits: `log(x)` and what is left of it.
    const LOGS: [(f64, f64, f64); 14] = [
        (1e-150, -345.387_763_949_106_84, -1.184_128_227_604_034_7e-14),
        (0.1, -2.302_585_092_994_045_5, -1.715_024_362_805_798_5e-16),
        (0.7, -0.356_674_943_938_732_45, 4.825_563_799_376_62e-18),
        (std::f64::consts::FRAC_1_SQRT_2, -0.346_573_590_279_972_6, 1.251_701_276_129_902_2e-18),
        (0.999_999_9, -1.000_000_049_473_647_4e-7, -5.529_865_283_193_222e-24),
        (1.000_000_1, 9.999_999_505_838_704e-8, 1.524_970_952_844_149e-24),
        (std::f64::consts::SQRT_2, 0.346_573_590_279_972_7, 2.444_216_941_459_289_8e-17),
        (1.5, 0.405_465_108_108_164_4, -2.881_138_025_962_642_6e-18),
        (3.0, 1.098_612_288_668_109_8, -9.071_297_235_001_53e-17),
        (1_000_001.0, 13.815_511_557_963_774, 3.789_087_626_460_132_3e-16),
        (1_000_000_000.0, 20.723_265_836_946_41, 7.108_546_580_563_512e-16),
        (1_000_000_000_000_002.5, 34.538_776_394_910_69, -3.420_669_594_173_753e-15),
        (1e30, 69.077_552_789_821_37, 2.389_400_151_693_16e-15),
        (2.582_249_878_086_908_6e120, 277.258_872_223_978_13, -6.711_024_299_217_055_5e-15),
    ];

    #[test]
    fn logarithms_have_a_hundred_bits() {
        for (x, high, low) in LOGS {
            let found = log_pair((x, 0.0));
            assert_eq!(found.0, high, "{x:e}");
            assert!((found.1 - low).abs() <= high.abs() * 2.0_f64.powi(-98), "{x:e}: {found:?} {low:e}");
        }
        assert_eq!(log_pair((1.0, 0.0)), (0.0, 0.0));
        // log(1 + r) = r - r²/2
        let tiny = 2.0_f64.powi(-60);
        assert_eq!(log_pair((1.0, tiny)), (tiny, -tiny * tiny / 2.0));
    }
}
