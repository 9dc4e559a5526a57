//! Paired scores: two classifiers on the same folds or data sets.

/// Which scores are the better ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// The larger ones, as of accuracy, F1 and AUC.
    Larger,
    /// The smaller ones, as of log-loss, Brier score and error rate.
    Smaller,
}

/// Units in the last place by which scores may differ for no other reason than rounding: a mean of quotients
/// is off by one or two, the measures that are means of means by a few more.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Whether two scores are equal except for rounding: they differ by at most 16 units in the last place
/// (3.6e-15 of the larger one). 122 of 200 rows are the same accuracy, however the folds are that it is the
/// mean of. All tests of this crate call such scores tied.
///
/// ```
/// use nb_significance::are_tied;
///
/// assert!(are_tied(0.1 + 0.2, 0.3));
/// assert!(!are_tied(0.3, 0.300_000_000_001));
/// ```
pub fn are_tied(first: f64, second: f64) -> bool {
    let difference = first - second;
    first == second || difference.is_finite() && difference.abs() <= allowance(first, second)
}

/// By how much two scores may differ through rounding.
fn allowance(first: f64, second: f64) -> f64 {
    ROUNDING * first.abs().max(second.abs())
}

/// Why two lists of scores cannot be compared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ScoreError {
    /// The lists do not pair up.
    #[error(
        "there are {first} scores of the first classifier and {second} of the second; give them in pairs"
    )]
    Lengths {
        /// How many of the first.
        first: usize,
        /// How many of the second.
        second: usize,
    },
    /// There are too few pairs.
    #[error("there are {found} pairs of scores; this test needs at least {needed}")]
    TooFew {
        /// How many there are.
        found: usize,
        /// How many there must be.
        needed: usize,
    },
    /// There are too many pairs.
    #[error("there are {found} pairs of scores; this test is one of {most}")]
    TooMany {
        /// How many there are.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// A pair has no finite difference.
    #[error(
        "pair {index}: the scores {first} and {second} have no finite difference; drop the pair or mend it"
    )]
    NotFinite {
        /// The pair, counted from 0.
        index: usize,
        /// The score of the first classifier.
        first: f64,
        /// The score of the second.
        second: f64,
    },
}

/// Differences of pairs, and by how much each may be off for no other reason than rounding.
///
/// Scores such as 0.9 and 0.8 are not what they seem in binary, so that `0.9 - 0.8` and `0.8 - 0.7` are two
/// numbers; and a mean taken in another order ends in another bit. What [`are_tied`] allows for this is far
/// below what any score can tell apart.
#[derive(Debug)]
pub(crate) struct Differences {
    /// First less second; 0 where rounding alone can set them apart.
    pub(crate) values: Vec<f64>,
    /// The allowance of each.
    pub(crate) rounding: Vec<f64>,
}

impl Differences {
    /// Pairs the scores up.
    pub(crate) fn of(first: &[f64], second: &[f64], needed: usize) -> Result<Self, ScoreError> {
        if first.len() != second.len() {
            return Err(ScoreError::Lengths { first: first.len(), second: second.len() });
        }
        if first.len() < needed {
            return Err(ScoreError::TooFew { found: first.len(), needed });
        }
        let mut differences = Self { values: Vec::new(), rounding: Vec::new() };
        for (index, (&first, &second)) in first.iter().zip(second).enumerate() {
            let difference = first - second;
            if !difference.is_finite() {
                return Err(ScoreError::NotFinite { index, first, second });
            }
            let rounding = allowance(first, second);
            differences.values.push(if difference.abs() <= rounding { 0.0 } else { difference });
            differences.rounding.push(rounding);
        }
        Ok(differences)
    }

    /// Whether all are one number, up to rounding.
    pub(crate) fn are_equal(&self) -> bool {
        let fold =
            |start, choose: fn(f64, f64) -> f64, values: &[f64]| values.iter().copied().fold(start, choose);
        let smallest = fold(f64::INFINITY, f64::min, &self.values);
        let largest = fold(f64::NEG_INFINITY, f64::max, &self.values);
        largest - smallest <= 2.0 * fold(0.0, f64::max, &self.rounding)
    }

    /// Mean and standard deviation (with divisor `n - 1`, for two or more).
    pub(crate) fn moments(&self) -> Moments {
        let n = self.values.len() as f64;
        // In units of the largest one, squares neither overflow nor vanish.
        let unit = self.values.iter().fold(0.0_f64, |unit, value| unit.max(value.abs()));
        if unit == 0.0 {
            return Moments { mean: 0.0, deviation: 0.0 };
        }
        let mean = self.values.iter().map(|value| value / unit).sum::<f64>() / n;
        if self.are_equal() {
            return Moments { mean: mean * unit, deviation: 0.0 };
        }
        let squares: f64 = self.values.iter().map(|value| (value / unit - mean).powi(2)).sum();
        Moments { mean: mean * unit, deviation: (squares / (n - 1.0)).sqrt() * unit }
    }
}

/// Mean and standard deviation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moments {
    pub(crate) mean: f64,
    pub(crate) deviation: f64,
}

impl Moments {
    /// The mean in units of `scale` standard deviations: infinite where all values are one and not 0, and 0
    /// where all are 0.
    pub(crate) fn standardized(self, scale: f64) -> f64 {
        if self.mean == 0.0 { 0.0 } else { self.mean / self.deviation / scale }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_differences_are_equal() -> Result<(), ScoreError> {
        let differences = Differences::of(&[0.9, 0.8, 0.3], &[0.8, 0.7, 0.2], 1)?;
        assert_ne!(differences.values[0], differences.values[1]);
        assert!(differences.are_equal());
        assert!(!Differences::of(&[0.9, 0.8], &[0.8, 0.700_000_000_000_01], 1)?.are_equal());
        assert_eq!(Differences::of(&[0.1 + 0.2], &[0.3], 1)?.values, [0.0]);
        // The allowance of one pair is not that of another.
        assert!(Differences::of(&[3e-17, 9.0], &[1e-17, 9.0], 1)?.values[0] > 0.0);
        Ok(())
    }

    #[test]
    fn ties_are_the_same_everywhere() -> Result<(), ScoreError> {
        // 122 of 200 rows in ten folds of twenty, in two ways.
        let mean = |right: [u8; 10]| right.map(|right| f64::from(right) / 20.0).iter().sum::<f64>() / 10.0;
        let one = mean([8, 6, 12, 7, 19, 18, 19, 16, 10, 7]);
        let other = mean([19, 4, 16, 17, 4, 18, 12, 11, 7, 14]);
        assert_ne!(one, other);
        assert!(are_tied(one, other) && are_tied(-one, -other));
        assert_eq!(Differences::of(&[one], &[other], 1)?.values, [0.0]);
        for (first, second) in
            [(0.0, 1e-300), (f64::INFINITY, 1.0), (f64::INFINITY, -f64::INFINITY), (f64::NAN, f64::NAN)]
        {
            assert!(!are_tied(first, second), "{first} {second}");
        }
        assert!(are_tied(f64::INFINITY, f64::INFINITY) && are_tied(0.0, -0.0));
        Ok(())
    }

    #[test]
    fn huge_and_tiny_values_have_moments() -> Result<(), ScoreError> {
        for unit in [1e-300, 1.0, 1e300] {
            let moments = Differences::of(&[3.0 * unit, 5.0 * unit, 7.0 * unit], &[0.0; 3], 1)?.moments();
            assert!((moments.mean / unit - 5.0).abs() < 1e-14, "{moments:?}");
            assert!((moments.deviation / unit - 2.0).abs() < 1e-14, "{moments:?}");
        }
        Ok(())
    }

    #[test]
    fn what_cannot_be_paired_is_refused() {
        assert!(matches!(Differences::of(&[1.0], &[], 1), Err(ScoreError::Lengths { first: 1, second: 0 })));
        assert!(matches!(Differences::of(&[], &[], 1), Err(ScoreError::TooFew { found: 0, needed: 1 })));
        for bad in [f64::NAN, f64::INFINITY, -f64::MAX] {
            let refused = Differences::of(&[1.0, f64::MAX], &[1.0, bad], 1);
            assert!(matches!(refused, Err(ScoreError::NotFinite { index: 1, .. })), "{refused:?}");
        }
    }
}
