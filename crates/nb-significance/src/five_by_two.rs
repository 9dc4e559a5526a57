//! The combined 5×2 cross-validated F test: two classifiers over five repeats of two folds.

use crate::{
    scores::{Differences, ScoreError},
    special::f_tail,
};

/// Two halves in each of five repeats.
const REPEATS: usize = 5;

/// Degrees of freedom of the numerator and of the denominator.
const DEGREES_OF_FREEDOM: (f64, f64) = (10.0, 5.0);

/// What the combined 5×2 cross-validated F test says about first less second.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct FiveByTwo {
    /// The mean of the ten differences.
    pub mean_difference: f64,
    /// The sum of their squares by twice the sum of the five variances. If both halves of each repeat have
    /// the same difference, the limit: infinite, or 0 if all differences are 0.
    pub f: f64,
    /// Its degrees of freedom, 10 and 5.
    pub degrees_of_freedom: (f64, f64),
    /// The p-value: 0 or 1 at the limits.
    pub p: f64,
}

/// The combined 5×2 cross-validated F test, for two classifiers trained and tested on the same five random
/// halvings of one data set, each half once for training and once for testing. With the differences `d_ij` of
/// repeat `i` and half `j`, and the variances `s_i² = (d_i1 - m_i)² + (d_i2 - m_i)²` about their mean,
///
/// `f = Σ_ij d_ij² / (2 Σ_i s_i²)`
///
/// has about the F distribution with 10 and 5 degrees of freedom. Alpaydin 1999, *Combined 5 × 2 cv F test
/// for comparing supervised classification learning algorithms*, Neural Computation 11, 1885-1892.
///
/// `first` and `second` are ten scores each, repeat by repeat.
///
/// # Errors
/// If there are not ten pairs of scores with finite differences.
///
/// ```
/// use nb_significance::five_by_two;
///
/// let first = [0.81, 0.79, 0.84, 0.80, 0.82, 0.78, 0.83, 0.80, 0.79, 0.82];
/// let second = [0.78, 0.80, 0.80, 0.79, 0.78, 0.77, 0.80, 0.81, 0.77, 0.78];
/// let test = five_by_two(&first, &second)?;
/// // mlxtend 0.25, `combined_ftest_5x2cv` with these scores.
/// assert!((test.f - 1.370_370_370_370_371).abs() < 1e-12);
/// assert!((test.p - 0.382_851_461_414_171_87).abs() < 1e-12);
/// # Ok::<(), nb_significance::ScoreError>(())
/// ```
pub fn five_by_two(first: &[f64], second: &[f64]) -> Result<FiveByTwo, ScoreError> {
    let needed = 2 * REPEATS;
    let differences = Differences::of(first, second, needed)?;
    if first.len() > needed {
        return Err(ScoreError::TooMany { found: first.len(), most: needed });
    }
    let mean_difference = differences.moments().mean;
    // In units of the largest difference, squares neither overflow nor vanish.
    let unit = differences.values.iter().fold(0.0_f64, |unit, value| unit.max(value.abs()));
    if unit == 0.0 {
        return Ok(FiveByTwo { mean_difference, f: 0.0, degrees_of_freedom: DEGREES_OF_FREEDOM, p: 1.0 });
    }
    let (mut squares, mut variances) = (0.0, 0.0);
    for (halves, rounding) in differences.values.chunks_exact(2).zip(differences.rounding.chunks_exact(2)) {
        squares += halves.iter().map(|value| (value / unit).powi(2)).sum::<f64>();
        let gap = halves[0] - halves[1];
        // (d1 - m)² + (d2 - m)² of two numbers is half of (d1 - d2)².
        if gap.abs() > rounding[0] + rounding[1] {
            variances += (gap / unit).powi(2) / 2.0;
        }
    }
    let f = squares / (2.0 * variances);
    let (numerator, denominator) = DEGREES_OF_FREEDOM;
    let p = f_tail(f, numerator, denominator);
    Ok(FiveByTwo { mean_difference, f, degrees_of_freedom: DEGREES_OF_FREEDOM, p })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_and_refusals() -> Result<(), ScoreError> {
        let same = five_by_two(&[0.8; 10], &[0.8; 10])?;
        assert_eq!((same.f, same.p), (0.0, 1.0));
        let apart = five_by_two(&[0.9; 10], &[0.8; 10])?;
        assert_eq!((apart.f, apart.p), (f64::INFINITY, 0.0));
        assert_eq!(five_by_two(&[0.5; 8], &[0.5; 8]), Err(ScoreError::TooFew { found: 8, needed: 10 }));
        assert_eq!(five_by_two(&[0.5; 12], &[0.5; 12]), Err(ScoreError::TooMany { found: 12, most: 10 }));
        let (mut first, second) = ([0.8, 0.7, 0.6, 0.9, 0.5, 0.8, 0.7, 0.6, 0.9, 0.5], [0.6; 10]);
        let f = five_by_two(&first, &second)?.f;
        assert_eq!(five_by_two(&second, &first)?.f, f);
        for value in &mut first {
            *value = (*value - 0.6) * 1e-200 + 0.0;
        }
        assert!((five_by_two(&first, &[0.0; 10])?.f / f - 1.0).abs() < 1e-12);
        Ok(())
    }
}
