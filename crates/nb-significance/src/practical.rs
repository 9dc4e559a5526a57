//! The Bayesian correlated t-test: how probable is it that two classifiers are practically the same?

use crate::{CorrectedT, special::student_two_sided};

/// How probable each of three statements is of the mean difference of scores, first less second.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PracticalDifference {
    /// The difference is below the region: the second classifier has scores that are larger by more than the
    /// region.
    pub below: f64,
    /// The difference is in the region: the classifiers are practically equivalent.
    pub within: f64,
    /// The difference is above the region: the first classifier has scores that are larger by more than the
    /// region.
    pub above: f64,
}

impl CorrectedT {
    /// The posterior probabilities that the difference lies below, in and above the region of practical
    /// equivalence from `-region` to `region`, in the unit of the scores: the Bayesian correlated t-test.
    ///
    /// Under a prior that says nothing the mean difference has Student's distribution with `J - 1` degrees of
    /// freedom around the mean, with the corrected standard error as its scale, since a correlation of
    /// the splits of `ρ = n_test/n` makes the corrections the same. Corani and Benavoli 2015, *A Bayesian
    /// approach for comparing cross-validated algorithms on multiple data sets*, Machine Learning 100,
    /// 285-304; Benavoli, Corani, Demšar and Zaffalon 2017, *Time for a change: a tutorial for comparing
    /// multiple classifiers through Bayesian analysis*, Journal of Machine Learning Research 18(77).
    ///
    /// A region of 0 has no probability, except where all differences are 0, and one that is negative or no
    /// number counts as 0.
    ///
    /// ```
    /// use nb_significance::corrected_cross_validation_t;
    ///
    /// let (first, second) = ([0.81, 0.79, 0.84, 0.80, 0.82], [0.78, 0.80, 0.80, 0.79, 0.78]);
    /// let test = corrected_cross_validation_t(&first, &second, 5, 0.95)?;
    /// let found = test.practical_difference(0.01);
    /// assert!(found.above > 0.7 && found.within < 0.2);
    /// assert!((found.below + found.within + found.above - 1.0).abs() < 1e-12);
    /// # Ok::<(), nb_significance::CorrectedTError>(())
    /// ```
    pub fn practical_difference(&self, region: f64) -> PracticalDifference {
        let region = if region > 0.0 { region } else { 0.0 };
        let below = self.tail_below(-region);
        let above = self.tail_above(region);
        PracticalDifference { below, within: (1.0 - below - above).max(0.0), above }
    }

    /// The probability of a difference above a number.
    fn tail_above(&self, number: f64) -> f64 {
        let distance = number - self.mean_difference;
        if self.standard_error == 0.0 {
            return if distance < 0.0 { 1.0 } else { 0.0 };
        }
        let t = distance / self.standard_error;
        let outside = 0.5 * student_two_sided(t, self.degrees_of_freedom);
        if t > 0.0 { outside } else { 1.0 - outside }
    }

    /// The probability of a difference below a number.
    fn tail_below(&self, number: f64) -> f64 {
        let mirrored = Self { mean_difference: -self.mean_difference, ..*self };
        mirrored.tail_above(-number)
    }
}
