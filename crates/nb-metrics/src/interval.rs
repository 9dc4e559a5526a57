//! The uncertainty of a proportion: Wilson's score interval.

/// The 0.975 quantile of the standard normal distribution, for two-sided intervals of 95 %.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// An interval of proportions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Its lower end, from 0 to 1.
    pub lower: f64,
    /// Its upper end, from 0 to 1.
    pub upper: f64,
}

impl Interval {
    /// The score interval of a proportion, at `z` standard deviations of the normal distribution ([`Z_95`]):
    ///
    /// `(k + z²/2 ± z √(k (n - k)/n + z²/4)) / (n + z²)`, with `k` successes in `n` trials.
    ///
    /// It is never empty, never leaves 0 to 1 and is fair for small samples and for proportions near 0 or 1,
    /// where the textbook interval `p ± z √(p (1 - p)/n)` is not. The lower end is computed as the
    /// quotient of the product of the two ends by the upper one, so that few successes in many trials
    /// keep their digits.
    ///
    /// `None` if there are no trials, or if the numbers are no counts of successes in trials.
    ///
    /// Wilson 1927, *Probable inference, the law of succession, and statistical inference*, Journal of the
    /// American Statistical Association 22, 209-212; recommended by Brown, Cai and DasGupta 2001,
    /// *Interval estimation for a binomial proportion*, Statistical Science 16, 101-133.
    ///
    /// ```
    /// use nb_metrics::{Interval, Z_95};
    ///
    /// let interval = Interval::wilson(9.0, 10.0, Z_95).unwrap();
    /// assert!((interval.lower - 0.5958).abs() < 1e-4 && (interval.upper - 0.9821).abs() < 1e-4);
    /// assert_eq!(Interval::wilson(0.0, 10.0, Z_95).unwrap().lower, 0.0);
    /// assert_eq!(Interval::wilson(0.0, 0.0, Z_95), None);
    /// ```
    pub fn wilson(successes: f64, trials: f64, z: f64) -> Option<Self> {
        let is_count = successes >= 0.0 && successes <= trials && trials > 0.0 && trials.is_finite();
        if !(is_count && z >= 0.0 && z.is_finite()) {
            return None;
        }
        let failures = trials - successes;
        let lower = lower_end(successes, failures, trials, z);
        Some(Self { lower, upper: 1.0 - lower_end(failures, successes, trials, z) })
    }
}

/// The lower end of the interval of `k` successes and `rest` failures; the upper one is one less that of the
/// failures.
fn lower_end(k: f64, rest: f64, n: f64, z: f64) -> f64 {
    let spread = z * (k * (rest / n) + z * z / 4.0).sqrt();
    let upper = k + z * z / 2.0 + spread;
    if upper > 0.0 { k * (k / n) / upper } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_those_of_the_printed_formula() {
        // As printed, it loses digits, but few at these sizes.
        for (k, n) in [(1.0, 7.0), (81.0, 263.0), (15.0, 148.0), (29.5, 29.75)] {
            let p: f64 = k / n;
            let z2 = Z_95 * Z_95;
            let center = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
            let half = Z_95 / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
            let interval = Interval::wilson(k, n, Z_95).unwrap_or(Interval { lower: 2.0, upper: 2.0 });
            assert!((interval.lower - (center - half)).abs() < 1e-15, "{k} of {n}: {interval:?}");
            assert!((interval.upper - (center + half)).abs() < 1e-15, "{k} of {n}: {interval:?}");
        }
    }

    #[test]
    fn the_published_examples_of_newcombe() {
        // Newcombe 1998, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17,
        // table I, method 3.
        for (k, n, lower, upper) in [
            (81.0, 263.0, 0.2553, 0.3662),
            (15.0, 148.0, 0.0624, 0.1605),
            (0.0, 20.0, 0.0, 0.1611),
            (1.0, 29.0, 0.0061, 0.1718),
        ] {
            let interval = Interval::wilson(k, n, Z_95).unwrap_or(Interval { lower: 2.0, upper: 2.0 });
            assert!((interval.lower - lower).abs() < 5.1e-5, "{k} of {n}: {interval:?}");
            assert!((interval.upper - upper).abs() < 5.1e-5, "{k} of {n}: {interval:?}");
        }
    }

    #[test]
    fn the_ends_of_the_scale_are_exact() {
        let all = Interval::wilson(12.0, 12.0, Z_95);
        assert_eq!(all.map(|interval| interval.upper), Some(1.0));
        assert_eq!(Interval::wilson(3.0, 4.0, 0.0), Some(Interval { lower: 0.75, upper: 0.75 }));
        assert_eq!(Interval::wilson(0.0, 4.0, 0.0), Some(Interval { lower: 0.0, upper: 0.0 }));
    }

    #[test]
    fn what_is_no_count_has_no_interval() {
        for (k, n, z) in [
            (5.0, 4.0, 1.0),
            (-1.0, 4.0, 1.0),
            (f64::NAN, 4.0, 1.0),
            (1.0, f64::INFINITY, 1.0),
            (1.0, 4.0, f64::NAN),
            (1.0, 4.0, -1.0),
        ] {
            assert_eq!(Interval::wilson(k, n, z), None, "{k} of {n} at {z}");
        }
    }
}
