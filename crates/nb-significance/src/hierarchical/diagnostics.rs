//! Whether chains agree, and how many independent samples they are worth.

/// What is known of the samples of one quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Diagnostics {
    /// The potential scale reduction of the halves of all chains; 1 if they agree.
    pub(super) r_hat: f64,
    /// The number of independent samples with the same error of the mean.
    pub(super) effective_samples: f64,
}

/// `R̂` and the effective sample size of chains of the same length, each halved: Gelman, Carlin, Stern,
/// Dunson, Vehtari and Rubin 2013, *Bayesian data analysis*, 11.4 and 11.5, with Geyer's initial monotone
/// sequence (1992, *Practical Markov chain Monte Carlo*, Statistical Science 7) of the autocorrelations.
/// `None` if the quantity is the same in all samples, or there are fewer than four.
pub(super) fn diagnose(chains: &[Vec<f64>]) -> Option<Diagnostics> {
    let length = chains.first()?.len() / 2;
    if length < 2 {
        return None;
    }
    let halves: Vec<&[f64]> =
        chains.iter().flat_map(|chain| [&chain[..length], &chain[chain.len() - length..]]).collect();
    let (n, m) = (length as f64, halves.len() as f64);
    let means: Vec<f64> = halves.iter().map(|half| half.iter().sum::<f64>() / n).collect();
    let mean = means.iter().sum::<f64>() / m;
    // The mean over the halves of the covariance with the number `lag` places before.
    let covariance = |lag: usize| {
        let of_half = |(half, mean): (&&[f64], &f64)| {
            half[lag..].iter().zip(*half).map(|(one, other)| (one - mean) * (other - mean)).sum::<f64>() / n
        };
        halves.iter().zip(&means).map(of_half).sum::<f64>() / m
    };
    let within = covariance(0) * n / (n - 1.0);
    let between = means.iter().map(|own| (own - mean) * (own - mean)).sum::<f64>() / (m - 1.0);
    let pooled = within * (n - 1.0) / n + between;
    if pooled <= 0.0 || !pooled.is_finite() {
        return None;
    }
    let correlation = |lag: usize| 1.0 - (within - covariance(lag) * n / (n - 1.0)) / pooled;
    let (mut sum, mut before) = (0.0, f64::INFINITY);
    for lag in (0..length - 1).step_by(2) {
        let pair = (if lag == 0 { 1.0 } else { correlation(lag) }) + correlation(lag + 1);
        if pair <= 0.0 {
            break;
        }
        before = pair.min(before);
        sum += before;
    }
    // Of chains that alternate, no more is believed than that they are independent (Vehtari et al. 2021 allow
    // a little more).
    let time = (2.0 * sum - 1.0).max(1.0);
    Some(Diagnostics { r_hat: (pooled / within).sqrt(), effective_samples: n * m / time })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchical::draws::normal;
    use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

    /// Chains with `x' = r x + √(1 - r²) z`, whose samples are worth `(1 - r) / (1 + r)` each.
    fn chains(r: f64, offset: f64) -> Vec<Vec<f64>> {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let chain = |number: u32| {
            let mut state = normal(&mut random);
            let mut next = || {
                state = r * state + (1.0 - r * r).sqrt() * normal(&mut random);
                state + offset * f64::from(number)
            };
            (0..4000).map(|_| next()).collect()
        };
        (0..4).map(chain).collect()
    }

    #[test]
    fn correlated_samples_are_worth_less() {
        for r in [0.0, 0.5, 0.9] {
            let found = diagnose(&chains(r, 0.0)).expect("varies");
            let share = found.effective_samples / 16_000.0;
            let expected = (1.0 - r) / (1.0 + r);
            assert!((share / expected - 1.0).abs() < 0.15, "{r}: {share}, not {expected}");
            assert!((found.r_hat - 1.0).abs() < 0.01, "{found:?}");
        }
    }

    #[test]
    fn chains_that_differ_are_seen() {
        // Means 0, 1, 2 and 3, each of two halves: the variance between is 10/7, and R̂ is √(1 + 10/7).
        let found = diagnose(&chains(0.0, 1.0)).expect("varies");
        assert!((found.r_hat - (1.0_f64 + 10.0 / 7.0).sqrt()).abs() < 0.02, "{found:?}");
        assert!(found.effective_samples < 100.0, "{found:?}");
        assert_eq!(diagnose(&[vec![1.0; 10], vec![1.0; 10]]), None);
        assert_eq!(diagnose(&[vec![1.0, 2.0, 3.0]]), None);
        assert_eq!(diagnose(&[]), None);
    }
}
