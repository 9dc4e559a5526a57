//! The bars: how large an error may be.

use crate::verify::ulp::{ulp, ulps_between};

/// Parameters may be off by this many units in the last place.
pub(super) const PARAMETER_ULPS: u64 = 4;

/// Joint log-likelihoods may be off by this share of the sum of the absolute terms that they add up.
const SCORE: f64 = 1e-14;

/// The error of a parameter, in units of its bar.
pub(super) fn parameter_error(expected: f64, got: f64) -> f64 {
    ulps_between(expected, got) as f64 / PARAMETER_ULPS as f64
}

/// The bar of a joint log-likelihood whose terms have this size. An infinite score is compared for equality
/// and has no use for a bar.
pub(super) fn score_bar(size: f64) -> f64 {
    SCORE * size
}

/// The error of a joint log-likelihood, in units of its bar. Zero expects zero, infinity infinity.
pub(super) fn score_error(expected: f64, got: f64, bar: f64) -> f64 {
    ratio(expected, got, bar)
}

/// The bars of the log-posteriors of a row, given the exact ones and the bars of the scores.
///
/// If every score `s_k` is off by some `δ_k`, `log p_c = -log Σ_k exp(s_k - s_c)` becomes
/// `log p_c - log Σ_k p_k exp(δ_k - δ_c)`. The term `k = c` is exact, and with `|δ_k| ≤ E_k` the change is at
/// most `Σ_{k ≠ c} p_k (exp(E_c + E_k) - 1)` in either direction (upwards by `log(1 + t) ≤ t`, downwards by
/// Jensen's inequality). For a sure row and its best class this is tiny, because all other `p_k` are: the
/// logarithm of a posterior of `1 - 1e-18` must be `-1e-18`, not 0. Four units in the last place are granted
/// for `exp` and `log1p`.
pub(super) fn posterior_bars(log_posterior: &[f64], score_bars: &[f64]) -> Vec<f64> {
    let classes = || log_posterior.iter().zip(score_bars).enumerate();
    classes()
        .map(|(class, (&own, own_bar))| {
            let others = classes().filter(|&(other, _)| other != class);
            let change: f64 = others
                .filter(|(_, (other, _))| other.is_finite())
                .map(|(_, (other, bar))| grown(*other, own_bar + bar))
                .sum();
            // Nor can it be more than the errors of two scores.
            let most = score_bars.iter().fold(0.0, |most, bar| f64::max(most, own_bar + bar));
            if own.is_finite() { change.min(most) + PARAMETER_ULPS as f64 * ulp(own) } else { 0.0 }
        })
        .collect()
}

/// `p (e^bar - 1)` of a probability by its logarithm, also where that is below all doubles and the bar above.
fn grown(log: f64, bar: f64) -> f64 {
    if bar < 1.0 { log.exp() * bar.exp_m1() } else { (log + bar).exp() }
}

/// The bar of a posterior by its logarithm and the bar of that: `p (e^bar - 1)`, and some units in the last
/// place for `exp`.
pub(super) fn probability_bar(log_posterior: f64, bar: f64) -> f64 {
    grown(log_posterior, bar) + PARAMETER_ULPS as f64 * ulp(log_posterior.exp())
}

/// The error of a log-posterior, in units of its bar.
pub(super) fn posterior_error(expected: f64, got: f64, bar: f64) -> f64 {
    ratio(expected, got, bar)
}

fn ratio(expected: f64, got: f64, bar: f64) -> f64 {
    if expected == got {
        return 0.0;
    }
    // A bound is infinite where the score is; then only equality passes.
    let ratio = (got - expected).abs() / bar;
    if ratio.is_nan() || bar.is_infinite() { f64::INFINITY } else { ratio }
}

/// The largest of many errors in units of their bars, and where it was.
#[derive(Default)]
pub(super) struct Worst {
    pub(super) ratio: f64,
    place: String,
    n: usize,
}

impl Worst {
    /// Takes one more error into account.
    pub(super) fn add(&mut self, ratio: f64, place: impl FnOnce() -> String) {
        self.n += 1;
        if ratio > self.ratio {
            self.ratio = ratio;
            self.place = place();
        }
    }

    /// How many numbers were compared.
    pub(super) fn n(&self) -> usize {
        self.n
    }

    /// What is wrong, if the largest error exceeds its bar.
    pub(super) fn problem(&self) -> Option<String> {
        (self.ratio > 1.0).then(|| format!("{} ({:.3} bars)", self.place, self.ratio))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinities_must_agree() {
        assert_eq!(score_error(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::INFINITY), 0.0);
        assert_eq!(score_error(f64::NEG_INFINITY, -700.0, 1e-12), f64::INFINITY);
        assert_eq!(score_error(-700.0, f64::NEG_INFINITY, f64::INFINITY), f64::INFINITY);
        assert_eq!(score_error(-700.0, -600.0, f64::INFINITY), f64::INFINITY);
        assert_eq!(score_error(-700.0, f64::NAN, 1e-12), f64::INFINITY);
        assert_eq!(parameter_error(1.0, f64::NAN), u64::MAX as f64 / 4.0);
    }

    #[test]
    fn bars_of_huge_scores_are_numbers() {
        let bars = posterior_bars(&[-0.0, -1e18], &[1e4, 1e4]);
        assert!(bars.iter().all(|bar| bar.is_finite()), "{bars:?}");
        assert!(bars[0] < 1e-300, "{bars:?}");
        assert!(probability_bar(-1e18, 1e4) < 1e-300);
        assert!((1e-13..3e-13).contains(&probability_bar(-1.0, 4e-13)));
    }

    #[test]
    fn sure_rows_have_tight_bars() {
        let bars = posterior_bars(&[-1e-18, -41.446_531_673_892_82], &[1e-12, 1e-12]);
        assert!(bars[0] < 3e-30, "{bars:?}");
        assert!((1.9e-12..2.2e-12).contains(&bars[1]), "{bars:?}");
    }
}
