//! Noise in whole numbers, drawn with whole numbers alone: no rounding, so that the promise holds as it is
//! proved. Canonne, Kamath and Steinke 2020, *The discrete Gaussian for differential privacy*, algorithms 1
//! to 3.

use rand::CryptoRng;

/// The denominator of the `ε` of a sum.
const UNIT: u128 = 1 << 32;
/// The largest variance of the Gaussian noise: its products fit into 128 bits.
const LARGEST_VARIANCE: f64 = (1_u64 << 54) as f64;
/// The noise of sums that one row changes by at most a number of steps, which is the same for each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Noise {
    /// `P(z) ∝ exp(-|z| ε / Δ)`, where `ε` is this number divided by [`UNIT`].
    Laplace(u128),
    /// `P(z) ∝ exp(-z² / (2 σ²))`, where `σ²` is this number times `Δ²`.
    Gaussian(f64),
}

impl Noise {
    /// Of pure budgets; `None` if it would be too large.
    pub(crate) fn laplace(epsilon: f64) -> Option<Self> {
        let units = (epsilon * UNIT as f64).floor() as u128;
        (units >= 1 << 10).then_some(Self::Laplace(units))
    }

    /// Of concentrated ones; `None` if it would be too large.
    pub(crate) fn gaussian(rho: f64) -> Option<Self> {
        let variance = 0.5 / rho;
        let largest = crate::column::LARGEST_SQUARE as f64;
        (largest * largest * variance < LARGEST_VARIANCE).then_some(Self::Gaussian(variance))
    }

    /// The variance for a sum that changes by `sensitivity`.
    pub(crate) fn variance(self, sensitivity: i64) -> f64 {
        match self {
            Self::Laplace(units) => {
                // 2 q / (1 - q)², with q = exp(-a).
                let a = units as f64 / (UNIT as f64 * sensitivity as f64);
                let sinh = (a / 2.0).sinh();
                0.5 / (sinh * sinh)
            }
            Self::Gaussian(variance) => gaussian_variance(variance, sensitivity) as f64,
        }
    }

    /// Draws noise for a sum that changes by `sensitivity`.
    pub(crate) fn draw(self, sensitivity: i64, rng: &mut impl CryptoRng) -> i64 {
        let noise = match self {
            Self::Laplace(units) => laplace(sensitivity.unsigned_abs().into(), units, UNIT, rng),
            Self::Gaussian(variance) => gaussian(gaussian_variance(variance, sensitivity), rng),
        };
        // Beyond 64 bits with a probability below exp(-2^20).
        i64::try_from(noise).unwrap_or(if noise < 0 { i64::MIN } else { i64::MAX })
    }
}

/// The variance in steps, a whole number so that it is exact.
fn gaussian_variance(variance: f64, sensitivity: i64) -> u128 {
    ((sensitivity as f64).powi(2) * variance).ceil() as u128
}

/// A whole number below `n`, each with the same probability.
fn below(n: u128, rng: &mut impl CryptoRng) -> u128 {
    let mask = u128::MAX.checked_shr((n - 1).leading_zeros()).unwrap_or(0);
    loop {
        let drawn = (u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64())) & mask;
        if drawn < n {
            return drawn;
        }
    }
}

/// True with the probability `exp(-numerator / denominator)`, of a fraction of at most one.
fn exp_of_fraction(numerator: u128, denominator: u128, rng: &mut impl CryptoRng) -> bool {
    // The series of exp with alternating signs: how many factors are there before the first that fails?
    let mut k = 1;
    while below(denominator * k, rng) < numerator {
        k += 1;
    }
    k % 2 == 1
}

/// True with the probability `exp(-numerator / denominator)`.
fn exp_of(numerator: u128, denominator: u128, rng: &mut impl CryptoRng) -> bool {
    for _ in 0..numerator / denominator {
        if !exp_of_fraction(1, 1, rng) {
            return false;
        }
    }
    exp_of_fraction(numerator % denominator, denominator, rng)
}

/// Discrete Laplace noise of the scale `sensitivity * unit / units`.
fn laplace(sensitivity: u128, units: u128, unit: u128, rng: &mut impl CryptoRng) -> i128 {
    let scale = sensitivity * unit;
    loop {
        let remainder = below(scale, rng);
        if !exp_of_fraction(remainder, scale, rng) {
            continue;
        }
        let mut whole = 0;
        while exp_of_fraction(1, 1, rng) {
            whole += 1;
        }
        let size = ((remainder + scale * whole) / units).cast_signed();
        let is_negative = rng.next_u64() & 1 == 1;
        match (is_negative, size) {
            (true, 0) => {} // Zero has one sign.
            (true, _) => return -size,
            (false, _) => return size,
        }
    }
}

/// Discrete Gaussian noise.
fn gaussian(variance: u128, rng: &mut impl CryptoRng) -> i128 {
    let scale = variance.isqrt() + 1;
    loop {
        let noise = laplace(scale, 1, 1, rng);
        let away = (noise.unsigned_abs() * scale).abs_diff(variance);
        // exp(-(|z| - σ²/t)² / (2 σ²)), times t² above and below.
        let (Some(above), below) = (away.checked_mul(away), 2 * variance * scale * scale) else { continue };
        if exp_of(above, below, rng) {
            return noise;
        }
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};

    use super::{Noise, UNIT, below, exp_of, gaussian, gaussian_variance, laplace};

    const DRAWS: usize = 200_000;

    /// The sum of `(observed - expected)² / expected` over whole numbers from -6 to 6 and those beyond, where
    /// `mass` is proportional to the probability of a number. With 13 degrees of freedom it is below 40 in all
    /// but one of 7,000 cases; seeds are fixed.
    fn chi_square(mut draw: impl FnMut() -> i128, mass: impl Fn(f64) -> f64) -> f64 {
        let mut counts = [0.0; 14];
        for _ in 0..DRAWS {
            let drawn = draw();
            counts[if (-6..=6).contains(&drawn) { (drawn + 6) as usize } else { 13 }] += 1.0;
        }
        let total: f64 = (-2000..=2000).map(|z| mass(f64::from(z))).sum();
        let mut expected: Vec<f64> = (-6..=6).map(|z| mass(f64::from(z)) / total).collect();
        expected.push(1.0 - expected.iter().sum::<f64>());
        let each = counts.iter().zip(&expected).map(|(count, p)| {
            let expected = p * DRAWS as f64;
            (count - expected).powi(2) / expected
        });
        each.sum()
    }

    #[test]
    fn noise_has_the_distribution_that_is_proved_private() {
        let mut rng = ChaCha20Rng::seed_from_u64(7);
        let of_laplace =
            chi_square(|| laplace(3, UNIT * 7 / 5, UNIT, &mut rng), |z| (-z.abs() * 1.4 / 3.0).exp());
        assert!(of_laplace < 40.0, "{of_laplace}");
        let of_gaussian = chi_square(|| gaussian(9, &mut rng), |z| (-z * z / 18.0).exp());
        assert!(of_gaussian < 40.0, "{of_gaussian}");
        let other = chi_square(|| gaussian(9, &mut rng), |z| (-z * z / 18.4).exp());
        assert!(other > 40.0, "a test that finds 2 % more variance: {other}");
    }

    #[test]
    fn probabilities_are_exponentials() {
        let mut rng = ChaCha20Rng::seed_from_u64(8);
        for (numerator, denominator) in [(0, 3), (1, 3), (3, 3), (7, 3)] {
            let hits = (0..DRAWS).filter(|_| exp_of(numerator, denominator, &mut rng)).count() as f64;
            let p = (-(numerator as f64) / denominator as f64).exp();
            let deviation = (hits - p * DRAWS as f64) / (p * (1.0 - p) * DRAWS as f64).sqrt().max(1e-9);
            assert!(deviation.abs() < 4.0, "{numerator}/{denominator}: {hits}");
        }
        assert_eq!(below(1, &mut rng), 0);
    }

    /// The largest numbers that a budget admits: nothing overflows (tests check that), and the spread is right.
    #[test]
    fn the_largest_noise_fits() {
        let mut rng = ChaCha20Rng::seed_from_u64(9);
        for noise in [Noise::laplace(2.4e-7).unwrap(), Noise::gaussian(1.2e-7).unwrap()] {
            let sensitivity = crate::column::LARGEST_SQUARE;
            let mean =
                (0..2000).map(|_| (noise.draw(sensitivity, &mut rng) as f64).powi(2)).sum::<f64>() / 2000.0;
            let ratio = mean / noise.variance(sensitivity);
            assert!((0.8..1.25).contains(&ratio), "{ratio}");
        }
        assert_eq!((Noise::laplace(1e-8), Noise::gaussian(1e-8)), (None, None));
        assert_eq!(gaussian_variance(0.5, 3), 5);
    }
}
