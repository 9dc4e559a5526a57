//! Scores to log-posteriors and log-odds, by differences from the best.
//!
//! Blanchard, Higham and Higham (2021), *Accurately computing the log-sum-exp and softmax functions*, IMA
//! Journal of Numerical Analysis 41: with `log1p` of the odds of the others the logarithms of sure rows keep
//! their digits.

/// The class of the largest score, the first of several; `None` if all are negative infinity.
pub(crate) fn best<'a>(scores: impl IntoIterator<Item = &'a f64>) -> Option<usize> {
    let (mut best, mut top) = (None, f64::NEG_INFINITY);
    for (class, &score) in scores.into_iter().enumerate() {
        if score > top {
            (best, top) = (Some(class), score);
        }
    }
    best
}

/// Replaces scores by `score - ln Σ exp(score)`; whether any was possible, without which nothing is changed.
pub(crate) fn normalise(scores: &mut [f64]) -> bool {
    let Some(best) = best(&*scores) else { return false };
    let top = scores[best];
    subtract(scores, top);
    let others = sum_of_exp(scores, best);
    let log_total = libm::log1p(others);
    subtract(scores, log_total);
    true
}

/// Replaces scores by the log-odds of each class against all others together: `s_c - ln Σ_{j ≠ c} exp(s_j)`.
/// At least one must be possible; one that is alone in this has infinite odds.
pub(crate) fn to_log_odds(scores: &mut [f64], best: usize) {
    let top = scores[best];
    subtract(scores, top);
    let others = sum_of_exp(scores, best);
    // The others of the best are measured from the second, so that they do not vanish where the best is very
    // sure.
    let second = excluding(scores, best).fold(f64::NEG_INFINITY, f64::max);
    let odds_of_best = if second == f64::NEG_INFINITY {
        f64::INFINITY
    } else {
        let total: f64 = excluding(scores, best).map(|score| libm::exp(score - second)).sum();
        -second - libm::log(total)
    };
    for score in scores.iter_mut() {
        // The sum is not below any of its terms, as rounding keeps the order; the difference is not negative.
        *score -= libm::log1p(others - libm::exp(*score));
    }
    scores[best] = odds_of_best;
}

fn subtract(scores: &mut [f64], number: f64) {
    for score in scores {
        *score -= number;
    }
}

fn excluding(scores: &[f64], class: usize) -> impl Iterator<Item = f64> + '_ {
    scores.iter().enumerate().filter(move |(other, _)| *other != class).map(|(_, &score)| score)
}

fn sum_of_exp(scores: &[f64], without: usize) -> f64 {
    excluding(scores, without).map(libm::exp).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_odds_of_sure_and_unsure_rows() {
        let log_odds = |mut scores: Vec<f64>| {
            let best = best(&scores).expect("possible");
            to_log_odds(&mut scores, best);
            scores
        };
        assert_eq!(log_odds(vec![-1e-300, -5000.0]), [5000.0, -5000.0]);
        let infinity = f64::INFINITY;
        assert_eq!(log_odds(vec![-infinity, 3.0, -infinity]), [-infinity, infinity, -infinity]);
        // ln(p/(1-p)) of the posteriors 1/6, 1/2, 1/3.
        let expected = [-(5.0_f64.ln()), 0.0, -(2.0_f64.ln())];
        for (odds, expected) in log_odds(vec![1.0_f64.ln(), 3.0_f64.ln(), 2.0_f64.ln()]).iter().zip(expected)
        {
            assert!((odds - expected).abs() < 1e-15, "{odds} {expected}");
        }
        // The others of the best are both far below the range of exponentials.
        let odds = log_odds(vec![-2000.0, 0.0, -2000.0]);
        assert!((odds[1] - (2000.0 - 2.0_f64.ln())).abs() < 1e-12);
    }

    #[test]
    fn a_sure_row_keeps_its_digits() {
        let mut scores = [0.0, -60.0];
        assert!(normalise(&mut scores));
        assert_eq!(scores, [-libm::exp(-60.0), -60.0]);
        let mut impossible = [f64::NEG_INFINITY; 3];
        assert!(!normalise(&mut impossible));
        assert_eq!(best(&[-1.0, 0.0, 0.0]), Some(1));
    }
}
