//! The maximum of the likelihood of a class.

use super::counts::Counts;

/// Counts up to this are summed one by one.
const ONE_BY_ONE: u64 = 256;

/// The most rounds, and the number of steps of the fixed point in each, which ends with the best `A`.
const ROUNDS: usize = 500;
const STEPS: usize = 8;

/// The iteration ends when a round raises the log-likelihood by less than this share of it.
const GAIN: f64 = 1e-12;

/// Bounds of `A`.
const LEAST: f64 = 1e-6;
const LARGEST: f64 = 1e8;

/// How often the interval in which the best `ln A` lies is halved.
const HALVINGS: usize = 44;

/// `ψ(x + α) - ψ(α)`, the sum of `1 / (α + j)` for `j` below `x`.
fn rise(count: u64, alpha: f64) -> f64 {
    if count <= ONE_BY_ONE {
        (0..count).map(|j| 1.0 / (alpha + j as f64)).sum()
    } else {
        let first: f64 = (0..ONE_BY_ONE).map(|j| 1.0 / (alpha + j as f64)).sum();
        // ψ(z) ~ ln z - 1/(2z) - 1/(12z²) + 1/(120z⁴) for large z (Abramowitz and Stegun 1964, 6.3.18).
        let (from, to) = (alpha + ONE_BY_ONE as f64, alpha + count as f64);
        let correction = |z: f64| -0.5 / z - 1.0 / (12.0 * z * z) + 1.0 / (120.0 * z * z * z * z);
        first + libm::log1p((to - from) / from) + (correction(to) - correction(from))
    }
}

/// `ln Γ(x + α) - ln Γ(α)`.
pub(super) fn log_rise(count: u64, alpha: f64) -> f64 {
    if count <= ONE_BY_ONE {
        (0..count).map(|j| libm::log(alpha + j as f64)).sum()
    } else {
        libm::lgamma(alpha + count as f64) - libm::lgamma(alpha)
    }
}

/// The logarithm of the likelihood, without the factor that does not depend on `α`.
fn log_likelihood(counts: &Counts, alphas: &[f64]) -> f64 {
    let total = alphas.iter().sum();
    counts.by_column(alphas, log_rise).sum::<f64>() - counts.by_total(total, log_rise)
}

/// The `α_i` with the largest likelihood of counts of which every column has some; the number of steps if
/// they are too few.
pub(super) fn concentrations(counts: &Counts) -> Result<Vec<f64>, usize> {
    let sums = counts.sums();
    let total: f64 = sums.iter().sum();
    let mut alphas: Vec<f64> = sums.iter().map(|sum| sum / total).collect();
    rescale(counts, &mut alphas);
    let mut before = log_likelihood(counts, &alphas);
    for _ in 0..ROUNDS {
        for _ in 0..STEPS {
            let all = counts.by_total(alphas.iter().sum(), rise);
            let next: Vec<f64> =
                counts.by_column(&alphas, rise).zip(&alphas).map(|(own, alpha)| alpha * own / all).collect();
            alphas = next;
        }
        rescale(counts, &mut alphas);
        let now = log_likelihood(counts, &alphas);
        if now - before <= GAIN * now.abs().max(1.0) {
            return Ok(alphas);
        }
        before = now;
    }
    Err(ROUNDS * STEPS)
}

/// Multiplies by what makes the likelihood largest. The slope over `ln A` is positive below the only maximum
/// and negative above.
fn rescale(counts: &Counts, alphas: &mut [f64]) {
    let total: f64 = alphas.iter().sum();
    let slope = |log_total: f64| {
        let scaled: Vec<f64> = alphas.iter().map(|alpha| alpha * libm::exp(log_total) / total).collect();
        let own: f64 = counts.by_column(&scaled, rise).zip(&scaled).map(|(rise, alpha)| alpha * rise).sum();
        let total: f64 = scaled.iter().sum();
        own - total * counts.by_total(total, rise)
    };
    let (mut low, mut high) = (libm::log(LEAST), libm::log(LARGEST));
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let factor = libm::exp(f64::midpoint(low, high)) / total;
    for alpha in alphas {
        *alpha *= factor;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rises_are_sums() {
        for alpha in [1e-3, 0.7, 40.0, 1e7] {
            for count in [0_u32, 1, 5, 256, 257, 3000] {
                let plain: f64 = (0..count).map(|j| 1.0 / (alpha + f64::from(j))).sum();
                assert!((rise(count.into(), alpha) - plain).abs() <= 1e-12 * plain, "{alpha}, {count}");
                let plain: f64 = (0..count).map(|j| libm::log(alpha + f64::from(j))).sum();
                let error = (log_rise(count.into(), alpha) - plain).abs();
                assert!(error <= 1e-8 * plain.abs().max(1.0), "{alpha}, {count}: {error}");
            }
        }
    }
}
