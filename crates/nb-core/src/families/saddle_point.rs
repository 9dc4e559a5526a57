//! What is large in Stirling's formula for probabilities of counts, taken together so that nothing cancels.
//!
//! Loader, *Fast and accurate computation of binomial probabilities* (2000): `log x!` is `x log x - x` and a
//! small rest, and `x log x - x` goes with the terms of the parameters into a deviance, which is small where
//! the count is near its mean.

/// `½ log 2π`.
pub(crate) const HALF_LN_TAU: f64 = 0.918_938_533_204_672_8;

/// `x log(x / m) + m - x`, given `x - m` as well.
pub(crate) fn deviance(x: f64, m: f64, difference: f64) -> f64 {
    if difference.abs() >= 0.1 * (x + m) {
        let is_near = (0.5 * m..=2.0 * m).contains(&x);
        let log = if is_near { libm::log1p(difference / m) } else { libm::log(x / m) };
        return x * log - difference;
    }
    // The series in v = (x - m) / (x + m), of which log(x / m) is twice the inverse hyperbolic tangent.
    let v = difference / (x + m);
    let (mut sum, mut power) = (difference * v, 2.0 * x * v);
    for odd in (3..).step_by(2) {
        power *= v * v;
        let next = sum + power / f64::from(odd);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

/// `log Γ(x + 1) - ((x + ½) log x - x + ½ log 2π)`, for `x` above zero.
pub(crate) fn stirling_error(x: f64) -> f64 {
    if x < 15.0 {
        return libm::lgamma(x + 1.0) - (x + 0.5) * libm::log(x) + x - HALF_LN_TAU;
    }
    let terms = [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360_360.0];
    let square = 1.0 / (x * x);
    terms.iter().rev().fold(0.0, |sum, term| sum * square + term) / x
}

/// `log Γ(x + 1) - (x log x - x)` for a number above zero; whole ones below 16 have a table.
pub(crate) fn log_factorial_rest(x: f64) -> f64 {
    /// From 1 on, by mpmath with 60 digits: `loggamma(n + 1) - n * log(n) + n`.
    const FIRST: [f64; 15] = [
        1.0,
        1.306_852_819_440_054_6,
        1.495_922_603_223_725_8,
        1.632_876_385_868_383_2,
        1.740_302_180_611_544_2,
        1.828_694_396_641_771,
        1.903_790_317_678_221_2,
        1.969_070_569_306_562_9,
        2.026_806_284_055_495_2,
        2.078_561_643_135_058_6,
        2.125_459_845_091_81,
        2.168_334_698_205_882,
        2.207_822_206_123_445,
        2.244_418_568_125_061,
        2.278_518_367_307_740_7,
    ];
    match FIRST.get((x as usize).wrapping_sub(1)) {
        Some(&rest) if x.fract() == 0.0 => rest,
        _ => stirling_error(x) + HALF_LN_TAU + 0.5 * libm::log(x),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rests_of_factorials_go_on_without_a_jump() {
        for count in 1..200 {
            let x = f64::from(count);
            let expected = libm::lgamma(x + 1.0) - (x * libm::log(x) - x);
            let size = (x * libm::log(x)).max(1.0);
            assert!((log_factorial_rest(x) - expected).abs() <= 4.0 * f64::EPSILON * size, "{count}");
        }
        // Pictures of densities ask for what is between the counts, too.
        for x in [0.25, 0.5, 1.5, 7.75, 15.5] {
            let expected = libm::lgamma(x + 1.0) - (x * libm::log(x) - x);
            assert!((log_factorial_rest(x) - expected).abs() <= 1e-14, "{x}");
        }
        // 20 digits by mpmath.
        for (x, expected) in [(16.0, 2.310_440_550_244_173), (1e15, 18.188_326_730_660_016)] {
            assert!((log_factorial_rest(x) - expected).abs() <= f64::EPSILON * expected, "{x}");
        }
    }

    /// By mpmath 1.3 with 60 digits: `x * log(x / m) + m - x`.
    const DEVIANCES: [(f64, f64, f64); 10] = [
        (1.0, 2.5, 0.583_709_268_125_844_9),
        (7.0, 6.0, 0.079_054_758_790_808_13),
        (11.0, 9.0, 0.207_377_650_083_662_77),
        (1e6, 1.0005e6, 0.124_958_348_952_085_93),
        (1e9, 1.2e9, 17_678_443.206_045_374),
        (1e9, 1.23e9, 22_985_830.615_673_874),
        (1e9, 7.9e8, 25_722_333.521_069_873),
        (1e15, 1.000_000_1e15, 4.999_999_666_666_691_5),
        (1e15, 3e15, 901_387_711_331_890.2),
        (3.0, 1e-8, 55.557_879_107_861_424),
    ];

    #[test]
    fn deviances_keep_their_digits() {
        for (x, m, expected) in DEVIANCES {
            let found = deviance(x, m, x - m);
            assert!((found - expected).abs() <= 8.0 * f64::EPSILON * expected, "{x} {m}: {found} {expected}");
        }
    }
}
