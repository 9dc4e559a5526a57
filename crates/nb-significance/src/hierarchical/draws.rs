//! Random numbers of given densities.

use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Exp1, Open01, StandardNormal};

/// A number between 0 and 1, without the ends.
pub(super) fn uniform(random: &mut ChaCha8Rng) -> f64 {
    Open01.sample(random)
}

/// A standard normal number.
pub(super) fn normal(random: &mut ChaCha8Rng) -> f64 {
    StandardNormal.sample(random)
}

/// A gamma variate of this shape, at least 1, and rate 1: Marsaglia and Tsang 2000, *A simple method for
/// generating gamma variables*, ACM Transactions on Mathematical Software 26, 363-372.
pub(super) fn gamma(shape: f64, random: &mut ChaCha8Rng) -> f64 {
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(random);
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && libm::log(uniform(random)) < 0.5 * x * x + d - d * v + d * libm::log(v) {
            return d * v;
        }
    }
}

/// The next state of a chain whose stationary distribution has this logarithm of a density, up to a constant,
/// between two bounds, outside of which it is none: slice sampling by stepping out and shrinking. `width` is
/// a guess of the width of the density; towards an infinite bound it must fall off. Neal 2003, *Slice
/// sampling*, Annals of Statistics 31, 705-767.
pub(super) fn slice(
    now: f64,
    (least, most): (f64, f64),
    width: f64,
    log_density: impl Fn(f64) -> f64,
    random: &mut ChaCha8Rng,
) -> f64 {
    let below: f64 = Exp1.sample(random);
    let level = log_density(now) - below;
    let mut left = now - width * uniform(random);
    let mut right = left + width;
    while left > least && log_density(left) > level {
        left -= width;
    }
    while right < most && log_density(right) > level {
        right += width;
    }
    (left, right) = (left.max(least), right.min(most));
    loop {
        let next = left + (right - left) * uniform(random);
        if log_density(next) >= level || right - left <= f64::EPSILON * now.abs() {
            return next;
        }
        if next < now {
            left = next;
        } else {
            right = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::rand_core::SeedableRng;

    /// Mean and variance of many draws.
    fn moments(draws: &[f64]) -> (f64, f64) {
        let n = draws.len() as f64;
        let mean = draws.iter().sum::<f64>() / n;
        (mean, draws.iter().map(|draw| (draw - mean).powi(2)).sum::<f64>() / n)
    }

    #[test]
    fn draws_have_their_moments() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for shape in [1.0, 2.5, 30.0] {
            let draws: Vec<f64> = (0..20_000).map(|_| gamma(shape, &mut random)).collect();
            let (mean, variance) = moments(&draws);
            assert!((mean / shape - 1.0).abs() < 0.03 && (variance / shape - 1.0).abs() < 0.06, "{shape}");
        }
        // Normal around 2, cut off below 1: mean 2 + φ(1)/Φ(1), variance 1 - φ/Φ - (φ/Φ)², with φ/Φ =
        // 0.287600.
        for width in [0.1, 1.0, 30.0] {
            let mut state = 5.0;
            let mut next = || {
                let bounds = (1.0, f64::INFINITY);
                state = slice(state, bounds, width, |x| -0.5 * (x - 2.0) * (x - 2.0), &mut random);
                state
            };
            let draws: Vec<f64> = (0..20_000).map(|_| next()).collect();
            let (mean, variance) = moments(&draws);
            assert!(
                (mean - 2.2876).abs() < 0.03 && (variance - 0.629_686).abs() < 0.04,
                "{mean}, {variance}"
            );
        }
    }
}
