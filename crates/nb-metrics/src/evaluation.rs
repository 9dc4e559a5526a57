//! The evidence: rows go in one by one or by merging, measures come out.

use std::num::NonZeroU32;

use crate::{
    auc::Ranks,
    brier::Brier,
    calibration::Calibration,
    confusion::Confusion,
    error::{MergeError, RowError},
    log_loss::LogLoss,
    measures::Measures,
    tally::Counter,
};

/// The smallest weight but 0, `2^-60`.
pub(crate) const SMALLEST_WEIGHT: f64 = 1.0 / LARGEST_WEIGHT;

/// The largest weight, `2^60`.
pub(crate) const LARGEST_WEIGHT: f64 = (1_u64 << 60) as f64;

/// Whether a row may have this weight.
pub(crate) fn is_weight(weight: f64) -> bool {
    weight == 0.0 || (SMALLEST_WEIGHT..=LARGEST_WEIGHT).contains(&weight)
}

/// How far the sum of posteriors may be from 1: what single precision leaves.
pub(crate) const SUM_TOLERANCE: f64 = 1e-5;

/// What an [`Evaluation`] keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// The most bins by which calibration is measured, 15 by default: of about equal mass for
    /// [`calibration_error`](Measures::calibration_error), of equal width for
    /// [`reliability`](Measures::reliability).
    pub n_bins: NonZeroU32,
    /// Whether to keep the posteriors of every row, which the AUC needs: 16 bytes a row for two classes,
    /// `8 (n_classes + 1)` for more. Everything else takes memory that does not grow with the rows. On by
    /// default.
    pub keep_scores: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { n_bins: const { NonZeroU32::new(15).unwrap() }, keep_scores: true }
    }
}

/// # Options
impl Settings {
    /// The same with this [`n_bins`](Self::n_bins).
    #[must_use]
    pub fn with_n_bins(mut self, n_bins: NonZeroU32) -> Self {
        self.n_bins = n_bins;
        self
    }

    /// The same with this [`keep_scores`](Self::keep_scores).
    #[must_use]
    pub fn with_keep_scores(mut self, keep_scores: bool) -> Self {
        self.keep_scores = keep_scores;
        self
    }
}

/// Answers of a model beside the truth, kept as sums: it grows by rows and by merging, and either way, in any
/// order, gives the same [`Measures`] bit for bit, because the sums are exact.
///
/// A weight says how much a row counts: measures are weighted means and shares, the same as of equal rows
/// written out. A weighted row is still one observation, so that the interval of the accuracy and the
/// calibration error, which depend on how many of these there are, take the effective number of rows, `(Σ w)²
/// / Σ w²` (Kish 1965). Multiplying all weights by one number changes none of the measures.
///
/// ```
/// use nb_metrics::Evaluation;
///
/// // Natural logarithms of the posteriors of two classes, as `predict_log_proba` of a classifier gives them.
/// let rows = [(0, [0.9_f64, 0.1]), (0, [0.6, 0.4]), (1, [0.7, 0.3]), (1, [0.2, 0.8])];
/// let mut evaluation = Evaluation::new(2);
/// for (truth, posteriors) in rows {
///     let predicted = if posteriors[0] >= posteriors[1] { 0 } else { 1 };
///     evaluation.add(truth, predicted, &posteriors.map(f64::ln), 1.0)?;
/// }
/// let measures = evaluation.measures();
/// assert_eq!(measures.accuracy, Some(0.75));
/// assert_eq!(measures.auc, Some(0.75)); // of four pairs, (0.6, 0.4) and (0.7, 0.3) stand in the wrong order
/// # Ok::<(), nb_metrics::RowError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Evaluation {
    settings: Settings,
    all: Counter,
    unseen: Counter,
    unanswered: Counter,
    without_posteriors: Counter,
    confusion: Confusion,
    log_loss: LogLoss,
    brier: Brier,
    calibration: Calibration,
    ranks: Option<Ranks>,
}

impl Evaluation {
    /// No rows yet, of a model of `n_classes` classes, with the default [`Settings`].
    ///
    /// ```
    /// # use nb_metrics::Evaluation;
    /// assert_eq!(Evaluation::new(3).measures().accuracy, None);
    /// ```
    pub fn new(n_classes: usize) -> Self {
        Self::with(n_classes, Settings::default())
    }

    /// No rows yet, with other settings.
    ///
    /// ```
    /// # use nb_metrics::{Evaluation, Settings};
    /// let mut evaluation = Evaluation::with(2, Settings::default().with_keep_scores(false));
    /// evaluation.add(0, 0, &[0.8_f64.ln(), 0.2_f64.ln()], 1.0)?;
    /// evaluation.add(1, 1, &[0.3_f64.ln(), 0.7_f64.ln()], 1.0)?;
    /// assert_eq!(evaluation.measures().accuracy, Some(1.0));
    /// assert_eq!(evaluation.measures().auc, None);
    /// # Ok::<(), nb_metrics::RowError>(())
    /// ```
    pub fn with(n_classes: usize, settings: Settings) -> Self {
        Self {
            settings,
            all: Counter::default(),
            unseen: Counter::default(),
            unanswered: Counter::default(),
            without_posteriors: Counter::default(),
            confusion: Confusion::new(n_classes),
            log_loss: LogLoss::default(),
            brier: Brier::default(),
            calibration: Calibration::new(settings.n_bins),
            ranks: settings.keep_scores.then(|| Ranks::new(n_classes)),
        }
    }

    /// Adds a row: its true class, the class that was predicted, the natural logarithms of the posteriors of
    /// all classes in label order, and the weight.
    ///
    /// - `truth` is `None` for a class that the model never saw: the row is an error, and its log-loss is
    ///   infinite. [`Measures`] says of each measure what such rows do to it.
    /// - `predicted` is `None` for a row without an answer, for example because it is impossible under every
    ///   class (all its log-posteriors are then negative infinity): the row is an error, but no prediction of
    ///   any class.
    /// - A row of weight 0 is checked and leaves no trace.
    ///
    /// # Errors
    /// If a class does not exist, the posteriors are no distribution over the classes (they add up to 1,
    /// within 1e-5, or all are 0), or the weight is neither 0 nor within `2^-60` and `2^60`. Nothing was
    /// added then.
    ///
    /// ```
    /// # use nb_metrics::{Evaluation, RowError};
    /// let mut evaluation = Evaluation::new(2);
    /// let log_posteriors = [0.75_f64.ln(), 0.25_f64.ln()];
    /// evaluation.add(0, 0, &log_posteriors, 1.0)?;
    /// evaluation.add(None, 0, &log_posteriors, 1.0)?; // neither of the two classes
    /// evaluation.add(1, None, &[f64::NEG_INFINITY; 2], 1.0)?; // impossible under both
    /// assert_eq!(evaluation.measures().accuracy, Some(1.0 / 3.0));
    ///
    /// let refused = evaluation.add(0, 0, &[-3.0, -7.0], 1.0);
    /// assert!(matches!(refused, Err(RowError::Sum { .. }))); // joint, not posterior
    /// # Ok::<(), RowError>(())
    /// ```
    pub fn add(
        &mut self,
        truth: impl Into<Option<usize>>,
        predicted: impl Into<Option<usize>>,
        log_posteriors: &[f64],
        weight: f64,
    ) -> Result<(), RowError> {
        let (truth, predicted) = (truth.into(), predicted.into());
        self.check(truth, predicted, weight)?;
        check_posteriors(log_posteriors, self.n_classes())?;
        if weight == 0.0 {
            return Ok(());
        }
        // What rounding has left above 0.
        if log_posteriors.iter().any(|&value| value > 0.0) {
            let clipped: Vec<f64> = log_posteriors.iter().map(|value| value.min(0.0)).collect();
            self.add_posteriors(truth, predicted, &clipped, weight);
        } else {
            self.add_posteriors(truth, predicted, log_posteriors, weight);
        }
        self.count(truth, predicted, weight);
        Ok(())
    }

    /// Adds a row of which no posteriors are known. Measures of posteriors do not exist once there is such a
    /// row, as they would speak of a part of the rows only.
    ///
    /// # Errors
    /// If a class does not exist, or the weight is neither 0 nor within `2^-60` and `2^60`. Nothing was added
    /// then.
    ///
    /// ```
    /// # use nb_metrics::Evaluation;
    /// let mut evaluation = Evaluation::new(2);
    /// evaluation.add_label(0, 0, 1.0)?;
    /// evaluation.add_label(1, 0, 1.0)?;
    /// assert_eq!(evaluation.measures().accuracy, Some(0.5));
    /// assert_eq!(evaluation.measures().log_loss, None);
    /// # Ok::<(), nb_metrics::RowError>(())
    /// ```
    pub fn add_label(
        &mut self,
        truth: impl Into<Option<usize>>,
        predicted: impl Into<Option<usize>>,
        weight: f64,
    ) -> Result<(), RowError> {
        let (truth, predicted) = (truth.into(), predicted.into());
        self.check(truth, predicted, weight)?;
        if weight > 0.0 {
            self.without_posteriors.add(weight);
            self.count(truth, predicted, weight);
        }
        Ok(())
    }

    /// Adds all rows of another evaluation.
    ///
    /// # Errors
    /// If the other has other classes or settings. Nothing was added then.
    ///
    /// ```
    /// # use nb_metrics::Evaluation;
    /// let mut whole = Evaluation::new(2);
    /// let mut parts = [Evaluation::new(2), Evaluation::new(2)];
    /// for (row, posterior) in [0.1_f64, 0.7, 0.9, 0.3, 0.6].into_iter().enumerate() {
    ///     let log_posteriors = [(1.0 - posterior).ln(), posterior.ln()];
    ///     whole.add(row % 2, 1, &log_posteriors, 0.1)?;
    ///     parts[row / 3].add(row % 2, 1, &log_posteriors, 0.1)?;
    /// }
    /// let [mut first, second] = parts;
    /// first.merge(&second)?;
    /// assert_eq!(first.measures(), whole.measures());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn merge(&mut self, other: &Self) -> Result<(), MergeError> {
        if self.n_classes() != other.n_classes() {
            return Err(MergeError::Classes { ours: self.n_classes(), theirs: other.n_classes() });
        }
        if self.settings != other.settings {
            return Err(MergeError::Settings);
        }
        self.all.merge(&other.all);
        self.unseen.merge(&other.unseen);
        self.unanswered.merge(&other.unanswered);
        self.without_posteriors.merge(&other.without_posteriors);
        self.confusion.merge(&other.confusion);
        self.log_loss.merge(&other.log_loss);
        self.brier.merge(&other.brier);
        self.calibration.merge(&other.calibration);
        if let (Some(ranks), Some(theirs)) = (&mut self.ranks, &other.ranks) {
            ranks.merge(theirs);
        }
        Ok(())
    }

    /// The number of classes of the model.
    ///
    /// ```
    /// assert_eq!(nb_metrics::Evaluation::new(3).n_classes(), 3);
    /// ```
    pub fn n_classes(&self) -> usize {
        self.confusion.n_classes()
    }

    /// The settings.
    ///
    /// ```
    /// assert_eq!(nb_metrics::Evaluation::new(3).settings().n_bins.get(), 15);
    /// ```
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// The confusion matrix.
    ///
    /// ```
    /// # use nb_metrics::Evaluation;
    /// let mut evaluation = Evaluation::new(2);
    /// evaluation.add_label(1, 0, 1.0)?;
    /// assert_eq!(evaluation.confusion().weight(1, 0), 1.0);
    /// # Ok::<(), nb_metrics::RowError>(())
    /// ```
    pub fn confusion(&self) -> &Confusion {
        &self.confusion
    }

    /// All measures of the rows so far. The AUC sorts the rows, once per class (once in all for two classes).
    ///
    /// ```
    /// # use nb_metrics::Evaluation;
    /// let mut evaluation = Evaluation::new(2);
    /// evaluation.add(1, 1, &[0.25_f64.ln(), 0.75_f64.ln()], 1.0)?;
    /// let measures = evaluation.measures();
    /// assert_eq!(measures.log_loss, Some(-0.75_f64.ln()));
    /// assert!((measures.brier.unwrap() - 2.0 / 16.0).abs() < 1e-15);
    /// assert_eq!(measures.auc, None); // there is only one class
    /// # Ok::<(), nb_metrics::RowError>(())
    /// ```
    pub fn measures(&self) -> Measures {
        let mut classes = self.confusion.classes();
        let agreement = self.confusion.agreement();
        let mut measures = Measures {
            rows: self.all.tally(),
            unseen: self.unseen.tally(),
            unanswered: self.unanswered.tally(),
            accuracy: self.confusion.accuracy(),
            accuracy_interval: self.confusion.accuracy_interval(self.all.effective()),
            balanced_accuracy: self.confusion.macro_average(classes.iter().map(|class| class.recall)),
            macro_f1: self.confusion.macro_average(classes.iter().map(|class| class.f1)),
            matthews: agreement.matthews,
            kappa: agreement.kappa,
            ..Measures::default()
        };
        if self.without_posteriors.is_empty() {
            measures.impossible = self.log_loss.impossible();
            measures.log_loss = self.log_loss.mean();
            measures.log_loss_of_possible = self.log_loss.mean_of_possible();
            measures.brier = self.brier.mean();
            // Unseen classes are one more, as for the Brier score.
            let n_classes = self.n_classes() + usize::from(!self.unseen.is_empty());
            measures.root_mean_squared_error = measures.brier.map(|brier| (brier / n_classes as f64).sqrt());
            let error = self.calibration.error();
            measures.calibration_error = error.map(|error| error.value);
            measures.calibration_bins = error.map_or(0, |error| error.n_bins);
            measures.reliability = self.calibration.bins();
            measures.expected_calibration_error = self.calibration.expected_error();
            if let Some(ranks) = &self.ranks {
                let areas = ranks.areas();
                measures.auc = areas.macro_average;
                measures.auc_pairwise = areas.pairwise;
                for (class, area) in classes.iter_mut().zip(areas.classes) {
                    class.auc = area;
                }
            }
        }
        measures.classes = classes;
        measures
    }

    fn check(&self, truth: Option<usize>, predicted: Option<usize>, weight: f64) -> Result<(), RowError> {
        let n_classes = self.n_classes();
        if let Some(class) = truth.filter(|&class| class >= n_classes) {
            return Err(RowError::Truth { class, n_classes });
        }
        if let Some(class) = predicted.filter(|&class| class >= n_classes) {
            return Err(RowError::Predicted { class, n_classes });
        }
        if is_weight(weight) { Ok(()) } else { Err(RowError::Weight { weight }) }
    }

    /// Adds a checked row to what labels suffice for.
    fn count(&mut self, truth: Option<usize>, predicted: Option<usize>, weight: f64) {
        self.all.add(weight);
        if truth.is_none() {
            self.unseen.add(weight);
        }
        if predicted.is_none() {
            self.unanswered.add(weight);
        }
        self.confusion.add(truth, predicted, weight);
    }

    /// Adds a checked row to what takes posteriors.
    fn add_posteriors(
        &mut self,
        truth: Option<usize>,
        predicted: Option<usize>,
        log_posteriors: &[f64],
        weight: f64,
    ) {
        self.log_loss.add(truth.map(|class| log_posteriors[class]), weight);
        self.brier.add(truth, log_posteriors, weight);
        if let Some(class) = predicted {
            self.calibration.add(log_posteriors[class], truth == predicted, weight);
        }
        if let (Some(ranks), Some(class)) = (&mut self.ranks, truth) {
            ranks.add(class, log_posteriors, weight);
        }
    }
}

/// Refuses what is no distribution, except that all posteriors may be 0.
fn check_posteriors(log_posteriors: &[f64], n_classes: usize) -> Result<(), RowError> {
    if log_posteriors.len() != n_classes {
        return Err(RowError::Length { found: log_posteriors.len(), n_classes });
    }
    if let Some(class) = log_posteriors.iter().position(|value| value.is_nan()) {
        return Err(RowError::NotANumber { class });
    }
    if log_posteriors.iter().all(|&value| value == f64::NEG_INFINITY) {
        return Ok(());
    }
    let sum = log_posteriors.iter().map(|value| value.exp()).sum::<f64>();
    if (sum - 1.0).abs() <= SUM_TOLERANCE { Ok(()) } else { Err(RowError::Sum { sum }) }
}
