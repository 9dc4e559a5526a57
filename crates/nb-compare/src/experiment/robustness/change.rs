//! Changes against level 0, and who loses more.

use nb_significance::{CorrectedT, corrected_resampled_t};
use serde::Serialize;

use super::{Disturbance, SetOutcome};
use crate::{Measure, experiment::Trial};

/// A measure at a level of a disturbance, and its change against level 0 by folds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The disturbance.
    pub disturbance: Disturbance,
    /// Its level.
    pub level: f64,
    /// The mean of the measure over folds; infinite if one of them is.
    #[serde(with = "crate::json::number")]
    pub mean: f64,
    /// The mean of the measure at the level less that at level 0; `None` if one of them is infinite.
    pub change: Option<Gap>,
}

/// A mean difference over folds, by the corrected resampled t-test (Nadeau and Bengio 2003, *Inference for
/// the generalization error*, Machine Learning 52), which allows for rows that folds share.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Gap {
    /// The mean.
    pub mean: f64,
    /// The 95 % interval.
    pub interval: [f64; 2],
    /// The p-value; `None` if all folds have the same difference.
    pub p: Option<f64>,
}

impl Gap {
    fn new(first: &[f64], second: &[f64], test_to_train: f64) -> Option<Self> {
        // Infinite values and a single fold are errors of the test, and no test is what there is then.
        let t: CorrectedT = corrected_resampled_t(first, second, test_to_train, 0.95).ok()?;
        Some(Self {
            mean: t.mean_difference,
            interval: [t.interval.lower, t.interval.upper],
            p: (t.standard_error > 0.0).then_some(t.p),
        })
    }
}

impl SetOutcome {
    /// The mean of a measure of a variant at level 0; `None` if a fold has none.
    pub fn undisturbed_mean(&self, variant: usize, measure: Measure) -> Option<f64> {
        of_folds(self.undisturbed.get(variant)?, measure).map(|values| mean(&values))
    }

    /// A measure of a variant at a level, by its position in [`disturbed`](Self::disturbed); `None` if a fold
    /// has none.
    pub fn change(&self, variant: usize, level: usize, measure: Measure) -> Option<Change> {
        let at = self.disturbed.get(level)?;
        let values = of_folds(at.variants.get(variant)?, measure)?;
        let before = of_folds(self.undisturbed.get(variant)?, measure);
        Some(Change {
            disturbance: at.disturbance,
            level: at.level,
            mean: mean(&values),
            change: before.and_then(|before| Gap::new(&values, &before, self.test_to_train)),
        })
    }

    /// The change of the first variant less that of the second, as in [`change`](Self::change): positive
    /// where the measure of the first rises more or falls less.
    pub fn change_gap(&self, [first, second]: [usize; 2], level: usize, measure: Measure) -> Option<Gap> {
        let at = self.disturbed.get(level)?;
        let changes = |variant: usize| -> Option<Vec<f64>> {
            let after = of_folds(at.variants.get(variant)?, measure)?;
            let before = of_folds(self.undisturbed.get(variant)?, measure)?;
            Some(after.iter().zip(before).map(|(after, before)| after - before).collect())
        };
        Gap::new(&changes(first)?, &changes(second)?, self.test_to_train)
    }

    /// Why a variant has no result at level 0 or at a level; the first reason.
    pub fn reason(&self, variant: usize, level: Option<usize>) -> Option<&str> {
        let folds = match level {
            None => self.undisturbed.get(variant)?,
            Some(level) => self.disturbed.get(level)?.variants.get(variant)?,
        };
        folds.iter().find_map(Trial::reason)
    }
}

fn of_folds(folds: &[Trial], measure: Measure) -> Option<Vec<f64>> {
    folds.iter().map(|fold| fold.values()?.get(measure)).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
