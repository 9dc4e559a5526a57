//! The regularised incomplete beta function, and binomial probabilities from it.
//!
//! That of statrs stops after 140 terms, which is too few for the counts of a large test set, and takes `x`
//! alone, which has lost `1 - x` when it is near 1.

use libm::lgamma;
use std::f64::consts::PI;

/// A number from 0 to 1 and what is missing to 1, both with all digits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proportion {
    pub(crate) part: f64,
    pub(crate) rest: f64,
}

impl Proportion {
    /// One half.
    pub(crate) const HALF: Self = Self { part: 0.5, rest: 0.5 };

    /// From `part / rest`, from 0 to infinity.
    pub(crate) fn of_odds(odds: f64) -> Self {
        Self { part: 1.0 / (1.0 + 1.0 / odds), rest: 1.0 / (1.0 + odds) }
    }
}

/// `I_x(a, b)`, the distribution function of the beta distribution.
///
/// The continued fraction of Abramowitz and Stegun 1964, *Handbook of mathematical functions*, 26.5.8, on the
/// side of the mean where it converges fast.
pub(crate) fn incomplete_beta(a: f64, b: f64, x: Proportion) -> f64 {
    if x.part <= 0.0 {
        return 0.0;
    }
    if x.rest <= 0.0 {
        return 1.0;
    }
    let value = if x.part < (a + 1.0) / (a + b + 2.0) {
        leading_factor(a, b, x) * continued_fraction(a, b, x.part) / a
    } else {
        let flipped = Proportion { part: x.rest, rest: x.part };
        1.0 - leading_factor(b, a, flipped) * continued_fraction(b, a, flipped.part) / b
    };
    value.clamp(0.0, 1.0)
}

/// The probability of `k` heads in `n` throws of a fair coin: `x^a (1 - x)^b / B(a, b)` with `a = k + 1` and
/// `b = n - k + 1` is `(n + 1) x (1 - x)` times the binomial probability.
pub(crate) fn half_binomial_probability(k: f64, n: f64) -> f64 {
    4.0 * leading_factor(k + 1.0, n - k + 1.0, Proportion::HALF) / (n + 1.0)
}

/// `x^a (1 - x)^b / B(a, b)`, by what Stirling's formula leaves of the gamma functions and by deviances, so
/// that huge terms need not cancel: the saddle-point expansion of Loader 2000, *Fast and accurate computation
/// of binomial probabilities*.
fn leading_factor(a: f64, b: f64, x: Proportion) -> f64 {
    let n = a + b;
    let distance = a * x.rest - b * x.part;
    let deviance = half_deviance(a, n * x.part, distance) + half_deviance(b, n * x.rest, -distance);
    let correction = stirling_error(n) - stirling_error(a) - stirling_error(b);
    (a / (2.0 * PI) * (b / n)).sqrt() * (correction - deviance).exp()
}

/// `x ln(x/m) + m - x` with `distance = x - m`, which is better known than the difference. Loader 2000.
fn half_deviance(x: f64, m: f64, distance: f64) -> f64 {
    if distance.abs() >= 0.1 * (x + m) {
        return x * (x / m).ln() - distance;
    }
    // With v = (x - m)/(x + m), x/m = (1 + v)/(1 - v), whose logarithm is 2 (v + v³/3 + v⁵/5 + ...).
    let v = distance / (x + m);
    let mut sum = distance * v;
    let mut power = 2.0 * x * v;
    let mut odd = 3.0;
    loop {
        power *= v * v;
        let next = sum + power / odd;
        if next == sum {
            return sum;
        }
        sum = next;
        odd += 2.0;
    }
}

/// `ln Γ(z) - (z - 1/2) ln z + z - ln(2π)/2`. Abramowitz and Stegun 1964, 6.1.41.
fn stirling_error(z: f64) -> f64 {
    if z < 10.0 {
        return lgamma(z) - (z - 0.5) * z.ln() + z - 0.5 * (2.0 * PI).ln();
    }
    let w = 1.0 / (z * z);
    let tail = 1.0 / 1680.0 - w * (1.0 / 1188.0 - w * (691.0 / 360_360.0 - w / 156.0));
    (1.0 / 12.0 - w * (1.0 / 360.0 - w * (1.0 / 1260.0 - w * tail))) / z
}

/// The continued fraction of 26.5.8 by the method of Lentz as modified by Thompson and Barnett 1986, *Coulomb
/// and Bessel functions of complex arguments and order*, Journal of Computational Physics 64, 490-509.
fn continued_fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away_from_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) / (a + 1.0) * x);
    let mut value = d;
    // Near the mean it takes a few times the square root of the larger parameter.
    let most = 1000.0 + 20.0 * (a + b).sqrt();
    let mut m = 1.0;
    while m < most {
        let even = m * (b - m) / ((a + 2.0 * m - 1.0) * (a + 2.0 * m)) * x;
        let odd = -(a + m) * (a + b + m) / ((a + 2.0 * m) * (a + 2.0 * m + 1.0)) * x;
        let mut factor = 1.0;
        for term in [even, odd] {
            d = 1.0 / away_from_zero(1.0 + term * d);
            c = away_from_zero(1.0 + term / c);
            factor = c * d;
            value *= factor;
        }
        if (factor - 1.0).abs() <= 2.0 * f64::EPSILON {
            break;
        }
        m += 1.0;
    }
    value
}
