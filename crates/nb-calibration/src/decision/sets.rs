//! Sets of labels that have the true one with a given probability.

use super::DecisionError;

/// Prediction sets by split conformal prediction: a set has every class whose probability reaches a bound,
/// which held-out rows give. It is the *least ambiguous set-valued classifier* of Sadinle, Lei and Wasserman
/// (2019), *Least ambiguous set-valued classifiers with bounded error levels*, Journal of the American
/// Statistical Association 114, 223-234; the guarantee is that of Vovk, Gammerman and Shafer (2005),
/// *Algorithmic Learning in a Random World*.
///
/// For further rows that are exchangeable with the held-out ones, the set has the true class with a
/// probability of at least the coverage, over the draws of both. It may have no class, or all of them.
///
/// ```
/// use nb_calibration::PredictionSets;
///
/// // The posterior probabilities of the true classes of nine rows.
/// let sets = PredictionSets::calibrated(vec![0.9, 0.8, 0.95, 0.3, 0.7, 0.99, 0.6, 0.85, 0.4], 0.8)?;
/// assert_eq!(sets.least(), 0.4); // the eighth of nine, as 0.8 (9 + 1) is 8
/// assert_eq!(sets.set(&[0.55_f64, 0.42, 0.03].map(f64::ln)), [0, 1]);
/// # Ok::<(), nb_calibration::DecisionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PredictionSets {
    coverage: f64,
    least: f64,
    n_rows: u64,
}

impl PredictionSets {
    /// The bound from held-out rows: of the posterior probabilities of their true classes the `⌈(n + 1)
    /// coverage⌉`-th largest, or 0 if that is beyond the last.
    ///
    /// ```
    /// # use nb_calibration::PredictionSets;
    /// let sets = PredictionSets::calibrated(vec![0.9, 0.6, 0.3], 0.5)?;
    /// assert_eq!(sets.least(), 0.6); // the second of three, as 0.5 (3 + 1) is 2
    /// # Ok::<(), nb_calibration::DecisionError>(())
    /// ```
    ///
    /// # Errors
    /// [`DecisionError`] if there are no rows, or the coverage or a probability is none.
    pub fn calibrated(mut probabilities: Vec<f64>, coverage: f64) -> Result<Self, DecisionError> {
        if probabilities.is_empty() {
            return Err(DecisionError::NoRows);
        }
        if let Some(&value) = probabilities.iter().find(|value| !(0.0..=1.0).contains(*value)) {
            return Err(DecisionError::Probability { value });
        }
        probabilities.sort_by(|a, b| b.total_cmp(a));
        let n = probabilities.len();
        // What rounding has added to a whole number is no row more.
        let rank = ((n as f64 + 1.0) * coverage * (1.0 - f64::EPSILON)).ceil().max(1.0);
        let least = probabilities.get(rank as usize - 1).copied().unwrap_or(0.0);
        Self::new(coverage, least, n as u64)
    }

    /// A bound that is known already, with the number of held-out rows that it comes from.
    ///
    /// ```
    /// use nb_calibration::PredictionSets;
    ///
    /// let sets = PredictionSets::new(0.9, 0.25, 1000)?;
    /// assert_eq!(sets.set(&[0.5_f64, 0.3, 0.2].map(f64::ln)), [0, 1]);
    /// # Ok::<(), nb_calibration::DecisionError>(())
    /// ```
    ///
    /// # Errors
    /// [`DecisionError`] if the coverage is not between 0 and 1, or the bound is no probability.
    pub fn new(coverage: f64, least: f64, n_rows: u64) -> Result<Self, DecisionError> {
        if !(coverage > 0.0 && coverage < 1.0) {
            return Err(DecisionError::Probability { value: coverage });
        }
        if !(0.0..=1.0).contains(&least) {
            return Err(DecisionError::Probability { value: least });
        }
        Ok(Self { coverage, least, n_rows })
    }

    /// The probability with which a set has the true class, at least.
    ///
    /// ```
    /// # use nb_calibration::PredictionSets;
    /// let sets = PredictionSets::new(0.9, 0.25, 1000)?;
    /// assert_eq!(sets.coverage(), 0.9);
    /// # Ok::<(), nb_calibration::DecisionError>(())
    /// ```
    pub fn coverage(&self) -> f64 {
        self.coverage
    }

    /// The least probability of a class in a set.
    ///
    /// ```
    /// # use nb_calibration::PredictionSets;
    /// let sets = PredictionSets::new(0.9, 0.25, 1000)?;
    /// assert_eq!(sets.least(), 0.25);
    /// # Ok::<(), nb_calibration::DecisionError>(())
    /// ```
    pub fn least(&self) -> f64 {
        self.least
    }

    /// The number of held-out rows.
    ///
    /// ```
    /// # use nb_calibration::PredictionSets;
    /// let sets = PredictionSets::new(0.9, 0.25, 1000)?;
    /// assert_eq!(sets.n_rows(), 1000);
    /// # Ok::<(), nb_calibration::DecisionError>(())
    /// ```
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// The places of the classes in the set of a row, by the natural logarithms of its posterior
    /// probabilities. A row that is impossible under every class has only probabilities of 0.
    ///
    /// ```
    /// # use nb_calibration::PredictionSets;
    /// let sets = PredictionSets::new(0.9, 0.25, 1000)?;
    /// assert_eq!(sets.set(&[0.5_f64, 0.2, 0.3].map(f64::ln)), [0, 2]);
    /// assert!(sets.set(&[f64::NEG_INFINITY; 3]).is_empty());
    /// # Ok::<(), nb_calibration::DecisionError>(())
    /// ```
    pub fn set(&self, log_posterior: &[f64]) -> Vec<usize> {
        (0..log_posterior.len()).filter(|&class| libm::exp(log_posterior[class]) >= self.least).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rank_is_that_of_the_finite_sample() {
        let tenths = || (1..=9).map(|tenth| f64::from(tenth) / 10.0).collect::<Vec<_>>();
        for (coverage, least) in [(0.1, 0.9), (0.11, 0.8), (0.7, 0.3), (0.9, 0.1), (0.91, 0.0)] {
            assert_eq!(PredictionSets::calibrated(tenths(), coverage).unwrap().least(), least, "{coverage}");
        }
        assert!(PredictionSets::calibrated(Vec::new(), 0.9).is_err());
        assert!(PredictionSets::calibrated(tenths(), 1.0).is_err());
        assert!(PredictionSets::calibrated(vec![f64::NAN], 0.9).is_err());
    }

    /// Over draws of held-out rows and a further one, coverage is between `c` and `c + 1 / (n + 1)` where
    /// scores have no ties, even if the probabilities are wrong.
    #[test]
    fn exchangeable_rows_are_covered() {
        // SplitMix64.
        let mut state = 5_u64;
        let mut uniform = || {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
        };
        // Two classes, of which the second has a chance of 0.3; the probability of it is a number that has
        // little to do with that.
        let mut row = || {
            let is_second = uniform() < 0.3;
            let p = uniform() * if is_second { 0.9 } else { 0.7 };
            (usize::from(is_second), [1.0 - p, p])
        };
        let (n_rows, n_draws, coverage) = (39, 20_000, 0.85);
        let mut covered = 0;
        for _ in 0..n_draws {
            let held_out: Vec<f64> = (0..n_rows).map(|_| row()).map(|(label, p)| p[label]).collect();
            let sets = PredictionSets::calibrated(held_out, coverage).unwrap();
            let (label, p) = row();
            covered += u32::from(sets.set(&p.map(f64::ln)).contains(&label));
        }
        let share = f64::from(covered) / f64::from(n_draws);
        // Four standard deviations of the simulation are 0.01.
        assert!((coverage - 0.01..coverage + 1.0 / 40.0 + 0.01).contains(&share), "{share}");
    }
}
