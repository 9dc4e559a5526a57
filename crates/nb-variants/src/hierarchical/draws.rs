//! Random numbers of the sampler.

use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Exp1, Open01, StandardNormal};

/// A number between 0 and 1, without the ends.
fn uniform(random: &mut ChaCha8Rng) -> f64 {
    Open01.sample(random)
}

/// The logarithm of a gamma variate of this shape, above 0, and rate 1: Marsaglia and Tsang 2000, *A simple
/// method for generating gamma variables*, ACM Transactions on Mathematical Software 26, 363-372. With small
/// shapes the variate itself underflows.
pub(super) fn ln_gamma_variate(shape: f64, random: &mut ChaCha8Rng) -> f64 {
    if shape < 1.0 {
        return ln_gamma_variate(shape + 1.0, random) + libm::log(uniform(random)) / shape;
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x: f64 = StandardNormal.sample(random);
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 {
            let ln_v = libm::log(v);
            if libm::log(uniform(random)) < 0.5 * x * x + d - d * v + d * ln_v {
                return libm::log(d) + ln_v;
            }
        }
    }
}

/// The logarithm of a beta variate with these parameters.
pub(super) fn ln_beta_variate(a: f64, b: f64, random: &mut ChaCha8Rng) -> f64 {
    let (first, second) = (ln_gamma_variate(a, random), ln_gamma_variate(b, random));
    // ln(e^first / (e^first + e^second)), from the larger.
    if first > second {
        -libm::log1p(libm::exp(second - first))
    } else {
        first - second - libm::log1p(libm::exp(first - second))
    }
}

/// At how many tables `customers` sit in a Chinese restaurant with this concentration: one for the first, and
/// one more with probability `c / (c + i)` for a customer after `i` others.
///
/// Of those after two others, candidates are drawn by the rate `c ln(i / (i - 1))`, which is above that of
/// new tables, `ln(1 + c / i)`, and thinned (Lewis and Shedler 1979, *Simulation of nonhomogeneous Poisson
/// processes by thinning*, Naval Research Logistics Quarterly 26, 403-413): the work grows with the number of
/// tables, not of customers.
pub(super) fn tables(customers: u64, concentration: f64, random: &mut ChaCha8Rng) -> u64 {
    if customers < 2 {
        return customers;
    }
    let second = uniform(random) * (concentration + 1.0) < concentration;
    let mut tables = 1 + u64::from(second);
    let (mut seated, customers) = (1.0, customers as f64);
    loop {
        let step: f64 = Exp1.sample(random);
        let candidate = (seated * libm::exp(step / concentration)).ceil().max(seated + 1.0);
        // Also if the power is infinite, or not a number as both are 0.
        if !matches!(candidate.partial_cmp(&customers), Some(std::cmp::Ordering::Less)) {
            return tables;
        }
        let proposed = -libm::expm1(-concentration * libm::log(candidate / (candidate - 1.0)));
        let own = concentration / (concentration + candidate);
        tables += u64::from(uniform(random) * proposed < own);
        seated = candidate;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::rand_core::SeedableRng;

    fn moments(draws: &[f64]) -> (f64, f64) {
        let n = draws.len() as f64;
        let mean = draws.iter().sum::<f64>() / n;
        (mean, draws.iter().map(|draw| (draw - mean).powi(2)).sum::<f64>() / (n - 1.0))
    }

    #[test]
    fn gamma_and_beta_have_their_moments() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for shape in [0.3, 1.0, 7.5] {
            let draws: Vec<f64> =
                (0..20_000).map(|_| libm::exp(ln_gamma_variate(shape, &mut random))).collect();
            let (mean, variance) = moments(&draws);
            assert!((mean - shape).abs() < 5.0 * (shape / 20_000.0_f64).sqrt(), "{mean} {shape}");
            assert!((variance / shape - 1.0).abs() < 0.15, "{variance} {shape}");
        }
        let draws: Vec<f64> =
            (0..20_000).map(|_| libm::exp(ln_beta_variate(2.0, 6.0, &mut random))).collect();
        let (mean, variance) = moments(&draws);
        assert!((mean - 0.25).abs() < 0.005 && (variance - 0.25 * 0.75 / 9.0).abs() < 0.002);
        // Of a variate near 0 the logarithm has all digits.
        assert!(ln_gamma_variate(1e-5, &mut random) < -1000.0);
    }

    #[test]
    fn tables_have_the_moments_of_sums_of_bernoulli_variates() {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        for (customers, concentration) in
            [(2, 0.4), (3, 5.0), (40, 0.01), (40, 2.0), (300, 70.0), (5000, 0.7)]
        {
            let chances: Vec<f64> =
                (0..customers).map(|i| concentration / (concentration + f64::from(i))).collect();
            let expected: f64 = chances.iter().sum();
            let spread: f64 = chances.iter().map(|chance| chance * (1.0 - chance)).sum();
            let draws: Vec<f64> = (0..20_000)
                .map(|_| tables(u64::from(customers as u32), concentration, &mut random) as f64)
                .collect();
            let (mean, variance) = moments(&draws);
            let bound = 5.0 * (spread / 20_000.0).sqrt();
            assert!((mean - expected).abs() < bound, "{customers} {concentration}: {mean} {expected}");
            assert!(
                (variance / spread - 1.0).abs() < 0.1,
                "{customers} {concentration}: {variance} {spread}"
            );
        }
        assert_eq!([0, 1].map(|customers| tables(customers, 3.0, &mut random)), [0, 1]);
        assert_eq!(tables(1000, 0.0, &mut random), 1);
    }
}
