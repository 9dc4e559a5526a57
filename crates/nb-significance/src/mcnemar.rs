//! McNemar's test: two classifiers over the rows of one test set.

use crate::{
    interval::Interval,
    special::{Proportion, chi_squared_tail, half_binomial_probability, halve, incomplete_beta},
};

/// The most discordant rows, `2^40`; the exact interval takes time that grows with the square root of their
/// number.
const MOST: u64 = 1 << 40;

/// Why there is no McNemar test.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum McNemarError {
    /// The lists do not pair up.
    #[error(
        "there are {first} rows of the first classifier and {second} of the second; test both on the same rows"
    )]
    Lengths {
        /// How many of the first.
        first: usize,
        /// How many of the second.
        second: usize,
    },
    /// There are no rows.
    #[error("there are no rows; give at least one")]
    NoRows,
    /// There are more discordant rows than can be computed with.
    #[error(
        "{only_first} and {only_second} discordant rows are more than {MOST} together; test a sample of the rows"
    )]
    TooMany {
        /// Rows that only the first classifier got right.
        only_first: u64,
        /// Rows that only the second got right.
        only_second: u64,
    },
    /// The confidence level is none.
    #[error("the confidence level is {level}; it must lie between 0 and 1, such as 0.95")]
    Level {
        /// The level.
        level: f64,
    },
}

/// What McNemar's test says.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct McNemar {
    /// `b`, rows that only the first classifier got right.
    pub only_first: u64,
    /// `c`, rows that only the second got right.
    pub only_second: u64,
    /// The exact two-sided p-value, `2 P(X ≤ min(b, c))` and at most 1, where `X` is binomial with `b + c`
    /// throws of a fair coin. It errs on the side of no difference.
    pub p_exact: f64,
    /// The two-sided mid-p-value, `2 P(X < min(b, c)) + P(X = min(b, c))`; for `b = c`, where both tails
    /// have the middle in common, `1 - P(X = b)/2`. Closer to the nominal level, and what Fagerland and
    /// others recommend. 1 without discordant rows.
    pub p_mid: f64,
    /// `(b - c)²/(b + c)`, and 0 without discordant rows.
    pub chi_squared: f64,
    /// Its p-value, of χ² with one degree of freedom.
    pub p_chi_squared: f64,
    /// With the correction of Edwards, `(|b - c| - 1)²/(b + c)`, and 0 where `b = c`.
    pub chi_squared_corrected: f64,
    /// Its p-value.
    pub p_chi_squared_corrected: f64,
    /// `b/c`, the conditional odds ratio: infinite where only `c` is 0, nothing where both are.
    pub odds_ratio: Option<f64>,
    /// The confidence level of the interval.
    pub level: f64,
    /// The exact confidence interval of the odds ratio: that of Clopper and Pearson for the proportion
    /// `b/(b + c)`, as odds. From 0 to infinity without discordant rows.
    pub odds_ratio_interval: Interval,
}

/// McNemar's test of whether two classifiers err equally often on the rows of one test set, given the numbers
/// of rows that only one of them got right. Rows that both or neither got right say nothing about it.
///
/// McNemar 1947, *Note on the sampling error of the difference between correlated proportions or
/// percentages*, Psychometrika 12, 153-157; the correction: Edwards 1948, *Note on the "correction for
/// continuity"*, Psychometrika 13, 185-187; mid-p and what to prefer: Fagerland, Lydersen and Laake 2013,
/// *The McNemar test for binary matched-pairs data*, BMC Medical Research Methodology 13, 91; the interval:
/// Clopper and Pearson 1934, Biometrika 26, 404-413, whose ends are quantiles of beta distributions.
///
/// # Errors
/// If the level is not between 0 and 1, or there are more than `2^40` discordant rows.
///
/// ```
/// use nb_significance::mcnemar;
///
/// // Of the rows that only one classifier got right, the first got 25 and the second 10.
/// let test = mcnemar(25, 10, 0.95)?;
/// assert!((test.p_exact - 0.016_7).abs() < 1e-4);
/// assert_eq!(test.odds_ratio, Some(2.5));
/// # Ok::<(), nb_significance::McNemarError>(())
/// ```
pub fn mcnemar(only_first: u64, only_second: u64, level: f64) -> Result<McNemar, McNemarError> {
    if !(level > 0.0 && level < 1.0) {
        return Err(McNemarError::Level { level });
    }
    if only_first > MOST || only_second > MOST - only_first {
        return Err(McNemarError::TooMany { only_first, only_second });
    }
    let (b, c) = (only_first as f64, only_second as f64);
    let n = b + c;
    let distance = (b - c).abs();
    let by_discordant = |square: f64| if n == 0.0 { 0.0 } else { square / n };
    let chi_squared = by_discordant(distance * distance);
    let chi_squared_corrected = by_discordant((distance - 1.0).max(0.0).powi(2));
    let (p_exact, p_mid) = binomial_p(b.min(c), n);
    Ok(McNemar {
        only_first,
        only_second,
        p_exact,
        p_mid,
        chi_squared,
        p_chi_squared: chi_squared_tail(chi_squared, 1.0),
        chi_squared_corrected,
        p_chi_squared_corrected: chi_squared_tail(chi_squared_corrected, 1.0),
        odds_ratio: (n > 0.0).then(|| b / c),
        level,
        odds_ratio_interval: odds_interval(b, c, (1.0 - level) / 2.0),
    })
}

/// Counts the rows that only the first classifier got right, and those that only the second did, from whether
/// each got each row right.
///
/// # Errors
/// If the lists differ in length or are empty.
///
/// ```
/// use nb_significance::discordant;
///
/// let (truth, first, second) = (["a", "b", "a", "b"], ["a", "b", "a", "a"], ["a", "a", "b", "b"]);
/// let right = |labels: [&str; 4]| -> Vec<bool> { labels.iter().zip(truth).map(|(l, t)| *l == t).collect() };
/// assert_eq!(discordant(&right(first), &right(second))?, (2, 1));
/// # Ok::<(), nb_significance::McNemarError>(())
/// ```
pub fn discordant(first: &[bool], second: &[bool]) -> Result<(u64, u64), McNemarError> {
    if first.len() != second.len() {
        return Err(McNemarError::Lengths { first: first.len(), second: second.len() });
    }
    if first.is_empty() {
        return Err(McNemarError::NoRows);
    }
    let mut counts = (0, 0);
    for pair in first.iter().zip(second) {
        match pair {
            (true, false) => counts.0 += 1,
            (false, true) => counts.1 += 1,
            _ => {}
        }
    }
    Ok(counts)
}

/// The exact p-value and the mid-p-value, of the smaller count.
fn binomial_p(smaller: f64, n: f64) -> (f64, f64) {
    if n == 0.0 {
        return (1.0, 1.0);
    }
    if smaller * 2.0 == n {
        // Both tails together hold the middle twice.
        return (1.0, 1.0 - 0.5 * half_binomial_probability(smaller, n));
    }
    // P(X ≤ k) = I_{1/2}(n - k, k + 1), Abramowitz and Stegun 1964, 26.5.24.
    let at_most = incomplete_beta(n - smaller, smaller + 1.0, Proportion::HALF);
    let p = (2.0 * at_most).min(1.0);
    // The difference loses nothing much: what was observed is at most half of the tail that it belongs to,
    // doubled.
    (p, p - half_binomial_probability(smaller, n))
}

/// The interval of Clopper and Pearson as odds: its lower end is where `I_x(b, c + 1)` is the tail, its upper
/// end where that of the roles exchanged is, inverted.
fn odds_interval(b: f64, c: f64, tail: f64) -> Interval {
    Interval { lower: lower_odds(b, c, tail), upper: 1.0 / lower_odds(c, b, tail) }
}

fn lower_odds(successes: f64, failures: f64, tail: f64) -> f64 {
    if successes == 0.0 {
        return 0.0;
    }
    // Halved over the logarithm, as odds may be of any size.
    halve(-745.0, 710.0, |log_odds| {
        incomplete_beta(successes, failures + 1.0, Proportion::of_odds(log_odds.exp())) <= tail
    })
    .exp()
}
