//! The density of one class and column: normal kernels at the points of a grid.

use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

/// `-½ log(2π)`.
const LOG_NORM: f64 = -0.918_938_533_204_672_8;

/// Kernels so far away that all of them together add less than `exp(-REACH)`, about a tenth of half a unit in
/// the last place, to a sum of at least one are left out on either side.
const REACH: f64 = 39.0;

/// A mixture of normal distributions of one standard deviation, on the points of a grid that have any mass.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mixture {
    /// Where the kernels are, from the origin of the grid; increasing.
    offsets: Vec<f64>,
    /// The logarithm of each one's share of the mass.
    log_weights: Vec<f64>,
    bandwidth: f64,
}

impl Mixture {
    /// Kernels with increasing offsets, at least one, and logarithms of their shares, which add up to one.
    pub(super) fn new(kernels: impl IntoIterator<Item = (f64, f64)>, bandwidth: f64) -> Self {
        let (offsets, log_weights) = kernels.into_iter().unzip();
        Self { offsets, log_weights, bandwidth }
    }

    pub(super) fn bandwidth(&self) -> f64 {
        self.bandwidth
    }

    /// The offsets of the first and the last kernel.
    pub(super) fn ends(&self) -> [f64; 2] {
        [self.offsets[0], self.offsets[self.offsets.len() - 1]]
    }

    /// Mean, from this origin on, and standard deviation.
    pub(super) fn moments(&self, origin: f64) -> (f64, f64) {
        let kernels = || self.offsets.iter().zip(&self.log_weights).map(|(at, log)| (at, libm::exp(*log)));
        let mean: f64 = kernels().map(|(at, weight)| at * weight).sum();
        let variance: f64 = kernels().map(|(at, weight)| weight * (at - mean) * (at - mean)).sum();
        (origin + mean, libm::sqrt(variance + self.bandwidth * self.bandwidth))
    }

    /// The logarithm of the density at an offset from the origin, by log-sum-exp over the kernels that count.
    /// Negative infinity only where the logarithm is below the least double.
    pub(super) fn log_density(&self, offset: f64) -> f64 {
        let exponent = |kernel: usize| {
            let distance = (offset - self.offsets[kernel]) / self.bandwidth;
            -0.5 * distance * distance
        };
        let n_kernels = self.offsets.len();
        let above = self.offsets.partition_point(|&center| center < offset).min(n_kernels - 1);
        let near = if above > 0 && exponent(above - 1) > exponent(above) { above - 1 } else { above };
        let mut best = (near, exponent(near) + self.log_weights[near]);
        if best.1 == f64::NEG_INFINITY {
            return best.1;
        }
        // The weights add up to one: what is beyond a kernel adds less than the exponential of its exponent.
        let mut walk = |kernel: usize| {
            let exponent = exponent(kernel);
            if exponent < best.1 - REACH {
                return false;
            }
            let term = exponent + self.log_weights[kernel];
            if term > best.1 {
                best = (kernel, term);
            }
            true
        };
        let end = (near + 1..n_kernels).find(|&kernel| !walk(kernel)).unwrap_or(n_kernels);
        let start = (0..near).rev().find(|&kernel| !walk(kernel)).map_or(0, |beyond| beyond + 1);
        let term = |kernel: usize| libm::exp(exponent(kernel) + self.log_weights[kernel] - best.1);
        let others: f64 = (start..end).filter(|&kernel| kernel != best.0).map(term).sum();
        best.1 + libm::log1p(others) + LOG_NORM - libm::log(self.bandwidth)
    }

    /// Draws an offset: a kernel by its weight, then a normal number.
    pub(super) fn sample(&self, rng: &mut dyn Rng) -> f64 {
        let weights = self.log_weights.iter().map(|&log| libm::exp(log));
        // Uniform in [0, total): 53 bits of the generator's next word.
        let mut left = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 * weights.clone().sum::<f64>();
        let drawn = weights.enumerate().find(|&(_, weight)| {
            left -= weight;
            left < 0.0
        });
        let kernel = drawn.map_or(self.offsets.len() - 1, |(kernel, _)| kernel);
        let normal: f64 = StandardNormal.sample(rng);
        self.offsets[kernel] + self.bandwidth * normal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum with all kernels, in plain arithmetic.
    fn plain(kernels: &[(f64, f64)], bandwidth: f64, offset: f64) -> f64 {
        let density: f64 = kernels
            .iter()
            .map(|(center, log_weight)| {
                let distance = (offset - center) / bandwidth;
                (log_weight - 0.5 * distance * distance).exp()
            })
            .sum();
        (density / (bandwidth * std::f64::consts::TAU.sqrt())).ln()
    }

    #[test]
    fn what_is_left_out_does_not_show() {
        // Weights from 1 to 2^-40: the nearest kernel is not the one that counts.
        let kernels: Vec<(f64, f64)> = (0..41).map(|k| (f64::from(k), -0.7 * f64::from(k))).collect();
        let total: f64 = kernels.iter().map(|(_, log)| log.exp()).sum();
        let kernels: Vec<_> = kernels.into_iter().map(|(at, log)| (at, log - total.ln())).collect();
        for bandwidth in [1.0, 2.5, 30.0] {
            let mixture = Mixture::new(kernels.iter().copied(), bandwidth);
            for tenth in -200..600 {
                let offset = f64::from(tenth) / 10.0;
                let (found, expected) = (mixture.log_density(offset), plain(&kernels, bandwidth, offset));
                assert!(
                    (found - expected).abs() <= 4e-15 * expected.abs().max(10.0),
                    "{offset}: {found}, {expected}"
                );
            }
        }
    }

    #[test]
    fn far_away_the_nearest_kernel_is_all() {
        let half = -std::f64::consts::LN_2;
        let mixture = Mixture::new([(0.0, half), (1.0, half)], 1.0);
        let far = libm::ldexp(1.0, 500);
        assert_eq!(mixture.log_density(far), -libm::ldexp(1.0, 999));
        assert_eq!(mixture.log_density(-far), -libm::ldexp(1.0, 999));
        assert_eq!(mixture.log_density(far * far), f64::NEG_INFINITY);
        let near = mixture.log_density(-6.0) - (half + LOG_NORM - 18.0);
        assert!((near - libm::log1p(libm::exp(-6.5))).abs() < 1e-15 * 20.0, "{near}");
    }
}
