//! What is counted of the rows.

use anyhow::Result;
use nb_calibration::Decision;
use nb_io::Model;
use nb_metrics::{Evaluation, Settings};
use serde::Serialize;

/// A row: its class, what the model predicts and with which logarithms of probabilities, and its weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    /// `None`: a class that the model does not know.
    pub(super) truth: Option<usize>,
    /// `None`: the row is impossible under every class.
    pub(super) most_probable: Option<usize>,
    pub(super) log_posterior: &'a [f64],
    pub(super) weight: f64,
}

/// The rows so far.
pub(super) struct Tallies {
    /// With the most probable classes.
    pub(super) posteriors: Evaluation,
    /// With the classes that the decision rule of the model chooses, if there is one.
    labels: Option<Evaluation>,
    /// With the shares that the classes had in training, for all rows.
    pub(super) baseline: Evaluation,
    log_shares: Vec<f64>,
    majority: Option<usize>,
    decision: Option<Decision<String>>,
    pub(super) covered: Option<Covered>,
    pub(super) abstained: u64,
    sets: Sets,
}

/// The prediction sets of the rows.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Sets {
    /// The share of rows whose class is in the set.
    pub(super) coverage: f64,
    pub(super) mean_size: f64,
}

impl Tallies {
    pub(super) fn new(model: &Model, settings: Settings, covered: Option<Covered>) -> Self {
        let weights: Vec<f64> =
            model.stats().class_weights().iter().map(nb_core::exact::Exact::to_f64).collect();
        let total: f64 = weights.iter().sum();
        let n_classes = weights.len();
        let largest =
            (0..n_classes).reduce(|best, class| if weights[class] > weights[best] { class } else { best });
        let labels_alone = settings.with_keep_scores(false);
        let decision = model.decision().cloned();
        Self {
            posteriors: Evaluation::with(n_classes, settings),
            labels: decision.is_some().then(|| Evaluation::with(n_classes, labels_alone)),
            baseline: Evaluation::with(n_classes, labels_alone),
            log_shares: weights.iter().map(|weight| (weight / total).ln()).collect(),
            majority: largest,
            decision,
            covered,
            abstained: 0,
            sets: Sets::default(),
        }
    }

    pub(super) fn add(&mut self, row: Row<'_>) -> Result<()> {
        let Row { truth, most_probable, log_posterior, weight } = row;
        self.posteriors.add(truth, most_probable, log_posterior, weight)?;
        self.baseline.add(truth, self.majority, &self.log_shares, weight)?;
        let mut found = most_probable;
        if let (Some(decision), Some(labels)) = (&self.decision, &mut self.labels) {
            found = most_probable.and_then(|class| decision.choose(class, log_posterior));
            labels.add(truth, found, log_posterior, weight)?;
            self.abstained += u64::from(found.is_none() && most_probable.is_some());
            if let Some(sets) = decision.sets() {
                let set = sets.set(log_posterior);
                self.sets.mean_size += weight * set.len() as f64;
                self.sets.coverage +=
                    if truth.is_some_and(|truth| set.contains(&truth)) { weight } else { 0.0 };
            }
        }
        if let Some(covered) = self.covered.as_mut().filter(|_| found.is_some()) {
            covered.look(log_posterior, truth == found, weight);
        }
        Ok(())
    }

    /// The evaluation of the labels.
    pub(super) fn labels(&self) -> &Evaluation {
        self.labels.as_ref().unwrap_or(&self.posteriors)
    }

    /// The prediction sets, if the model makes such sets.
    pub(super) fn sets(&self) -> Option<Sets> {
        self.decision.as_ref().filter(|decision| decision.sets().is_some())?;
        let all = self.posteriors.measures().rows.weight;
        Some(Sets { coverage: self.sets.coverage / all, mean_size: self.sets.mean_size / all })
    }
}

/// The rows whose most probable class is probable enough.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct Covered {
    pub(super) min_probability: f64,
    /// Their share of the weight of all rows.
    pub(super) coverage: Option<f64>,
    #[serde(rename = "covered_accuracy")]
    pub(super) accuracy: Option<f64>,
    #[serde(skip)]
    weight: f64,
    #[serde(skip)]
    correct: f64,
}

impl Covered {
    pub(super) fn new(min_probability: f64) -> Self {
        Self { min_probability, coverage: None, accuracy: None, weight: 0.0, correct: 0.0 }
    }

    /// Looks at one more row, with its logarithms of probabilities.
    fn look(&mut self, posterior: &[f64], is_correct: bool, weight: f64) {
        if posterior.iter().any(|log_proba| log_proba.exp() >= self.min_probability) {
            self.weight += weight;
            self.correct += if is_correct { weight } else { 0.0 };
        }
    }

    /// The same with the results, where rows of this weight were looked at.
    pub(super) fn of(self, all: f64) -> Self {
        let share = |part: f64, of: f64| (of > 0.0).then(|| part / of);
        Self { coverage: share(self.weight, all), accuracy: share(self.correct, self.weight), ..self }
    }
}
