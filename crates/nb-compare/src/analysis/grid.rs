//! Units by data set and variant.

use nb_core::exact::ExactSums;
use serde::Serialize;

use crate::{
    Data, Decomposition, Done, FailedValues, Losses, Measure, Outcome, PowerLimit, Reliability, Unit, Values,
};

/// What a variant did on a data set, over all repeats.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cell {
    /// Predictions in every repeat.
    Done(Box<Summary>),
    /// The variant is not for such data.
    NotApplicable {
        /// Why.
        reason: String,
    },
    /// The variant gave no classifier or no answer in some repeat.
    Failed {
        /// Why.
        reason: String,
    },
    /// The run was interrupted before it came to this.
    Open,
}

/// Measures of a variant on a data set, over all repeats.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The measures of each fold of each repeat, in this order.
    pub folds: Vec<Values>,
    /// The mean over folds; of the calibration error, and of a measure that some fold does not have (the AUC
    /// of a fold with one class), the mean over repeats of all tested rows together.
    pub mean: Values,
    /// The standard deviation over folds, divided by their number less one; none of a measure that some fold
    /// does not have or that is infinite.
    pub deviation: Values,
    /// How the log-loss is spread over rows: the mean over repeats of the median, and of the numbers of
    /// rows. None if only labels were predicted.
    pub losses: Option<LossSpread>,
    /// Bias and variance of the error, if several repeats test the same rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decomposition: Option<Decomposition>,
    /// How often posteriors came true, over all repeats.
    pub reliability: Vec<Reliability>,
    /// The values that could not be tried in some folds, if the variant is tuned.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<FailedValues>,
    /// The columns whose power was cut off in some folds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<PowerLimit>,
    /// The number of numbers that a classifier keeps, on average; none for answers of other programs, as the
    /// times.
    pub n_parameters: Option<f64>,
    /// The median over repeats of the seconds for a row trained on.
    pub fit_per_row: Option<f64>,
    /// The median over repeats of the seconds for a row answered.
    pub predict_per_row: Option<f64>,
}

/// [`Losses`](crate::Losses) over all repeats.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LossSpread {
    /// The mean of the medians.
    pub median: f64,
    /// The mean number of rows whose true class had posterior 0.
    pub n_impossible: f64,
    /// The mean of the least numbers of rows that make up half of the sum over the others.
    pub n_half: f64,
}

impl LossSpread {
    fn new(repeats: &[&Done]) -> Option<Self> {
        let all = repeats.iter().map(|done| done.losses).collect::<Option<Vec<Losses>>>()?;
        let mean_of = |value: fn(&Losses) -> f64| mean(&all.iter().map(value).collect::<Vec<_>>());
        Some(Self {
            median: mean_of(|losses| losses.median),
            n_impossible: mean_of(|losses| losses.n_impossible as f64),
            n_half: mean_of(|losses| losses.n_half as f64),
        })
    }
}

impl Cell {
    /// The measures, if there are any.
    pub fn summary(&self) -> Option<&Summary> {
        if let Self::Done(summary) = self { Some(summary) } else { None }
    }

    /// The mean of a measure, if it exists.
    pub fn mean(&self, measure: Measure) -> Option<f64> {
        self.summary()?.mean.get(measure)
    }

    pub(super) fn new(data: &Data, units: &[&Unit]) -> Self {
        let mut done = Vec::new();
        for unit in units {
            match &unit.outcome {
                Outcome::Done(outcome) => done.push(&**outcome),
                Outcome::NotApplicable { reason } => return Self::NotApplicable { reason: reason.clone() },
                Outcome::Failed { reason } => return Self::Failed { reason: reason.clone() },
            }
        }
        if done.len() < data.splits.repeats {
            Self::Open
        } else {
            Self::Done(Box::new(Summary::new(data, &done)))
        }
    }
}

impl Summary {
    fn new(data: &Data, repeats: &[&Done]) -> Self {
        let folds: Vec<Values> = repeats.iter().flat_map(|done| done.folds.iter().cloned()).collect();
        let pooled: Vec<&Values> = repeats.iter().map(|done| &done.pooled).collect();
        let of_folds = |measure| folds.iter().map(|fold| fold.get(measure)).collect::<Option<Vec<f64>>>();
        let of_repeats =
            |measure| pooled.iter().map(|values| values.get(measure)).collect::<Option<Vec<f64>>>();
        let mean_of = |measure| of_folds(measure).or_else(|| of_repeats(measure)).map(|values| mean(&values));
        let deviation_of = |measure| of_folds(measure).and_then(|values| deviation(&values));
        let each = |value: fn(&Done) -> Option<f64>| -> Option<Vec<f64>> {
            repeats.iter().map(|done| value(done)).collect()
        };
        let mut failed = Vec::new();
        for of_repeat in repeats.iter().flat_map(|done| &done.failed) {
            FailedValues::count(&mut failed, of_repeat);
        }
        let mut limits = Vec::new();
        for of_repeat in repeats.iter().flat_map(|done| &done.limits) {
            PowerLimit::count(&mut limits, of_repeat);
        }
        Self {
            mean: Values(Measure::ALL.map(mean_of)),
            deviation: Values(Measure::ALL.map(deviation_of)),
            losses: LossSpread::new(repeats),
            decomposition: Decomposition::of(repeats, &data.labels),
            reliability: pool(repeats),
            failed,
            limits,
            n_parameters: each(|done| done.n_parameters).map(|values| mean(&values)),
            fit_per_row: each(|done| Some(done.times?.fit_per_row)).map(median),
            predict_per_row: each(|done| Some(done.times?.predict_per_row)).map(median),
            folds,
        }
    }
}

/// Summed exactly, so that the same values in another order have the same mean, and ranks a tie.
fn mean(values: &[f64]) -> f64 {
    if values.iter().any(|value| value.is_infinite()) {
        return values.iter().sum();
    }
    let mut sum = ExactSums::new(1);
    for &value in values {
        sum.add(0, value);
    }
    sum.get(0).to_f64() / values.len() as f64
}

fn deviation(values: &[f64]) -> Option<f64> {
    let center = mean(values);
    if values.len() < 2 || !center.is_finite() {
        return None;
    }
    let squares: f64 = values.iter().map(|value| (value - center).powi(2)).sum();
    Some((squares / (values.len() as f64 - 1.0)).sqrt())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// The bins of all repeats, those with the same edges as one.
fn pool(repeats: &[&Done]) -> Vec<Reliability> {
    let mut bins: Vec<Reliability> = Vec::new();
    for bin in repeats.iter().flat_map(|done| &done.reliability) {
        match bins.binary_search_by(|pooled| pooled.upper.total_cmp(&bin.upper)) {
            Err(place) => bins.insert(place, *bin),
            Ok(place) => {
                let pooled = &mut bins[place];
                pooled.rows += bin.rows;
                let share = bin.rows as f64 / pooled.rows as f64;
                pooled.confidence += share * (bin.confidence - pooled.confidence);
                pooled.accuracy += share * (bin.accuracy - pooled.accuracy);
            }
        }
    }
    bins
}
