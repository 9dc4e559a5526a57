//! Rows of each fold, classified by the model of the others.

use nb_core::{
    Classifier, RowSubset, SufficientStats,
    error::{PredictError, ValueError},
    exact::Exact,
    selection::FoldedStats,
};
use nb_io::{FittedFamily, HeldOutMeasures, RowFingerprinter, Schema, read::Chunk};
use nb_metrics::{Evaluation, RowError, Settings};
use nb_table::hash::fnv_1a;

use super::deal::{Dealer, FOLDS};
use crate::{StandardErrors, source::groups, standard_errors::Spread};

/// About how many rows are classified: with this number the standard error of the accuracy is 0.001 at most.
const MOST_ROWS: u64 = 1 << 18;
/// About how many posteriors are computed, of rows times classes, and the rows that are classified in any
/// case.
const MOST_POSTERIORS: u64 = 1 << 26;
const FEWEST_ROWS: u64 = 1000;
/// The most numbers that are kept for the AUC.
const MOST_SCORES: u64 = 1 << 20;
/// About how many posteriors are in memory at a time.
const POSTERIORS: usize = 1 << 20;

/// Models without each of five folds, which classify the rows of their fold.
#[derive(Debug)]
pub(crate) struct Judges {
    models: Vec<Classifier<String, FittedFamily>>,
    dealer: Dealer,
    classes: Vec<String>,
    /// Whether the class of a row is known to a model without it.
    has_others: Vec<bool>,
    shares: Vec<f64>,
    evaluation: Evaluation,
    spread: Spread,
    /// One row in this number is classified.
    every: u64,
    keys: RowFingerprinter,
    n_lone: u64,
}

/// How rows were classified by models without their fold, of which there are five: cross-validation (Stone
/// 1974, *Cross-validatory choice and assessment of statistical predictions*), for which sums of folds are
/// added up in the first pass over the rows.
///
/// ```
/// use nb_train::{Effort, Trainer};
/// use ndarray::Array2;
///
/// let rows = Array2::from_shape_fn((60, 1), |(row, _)| (row % 2 * 3 + row % 5) as f64 + 0.5);
/// let labels: Vec<&str> = (0..60).map(|row| ["a", "b"][row % 2]).collect();
/// let schema = nb_io::Schema::numeric(["x"], "class");
/// let trained = Trainer::default().with_effort(Effort::Plain).fit(&schema, &rows, &labels)?;
/// let folds = trained.folds.unwrap()?;
/// assert!(folds.n_rows == 60 && folds.measures.accuracy > folds.measures.majority);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct FoldMeasures {
    /// How well, beside the class prior.
    pub measures: HeldOutMeasures,
    /// Those of the measures.
    pub errors: StandardErrors,
    /// The number of rows that were classified.
    pub n_rows: u64,
    /// Rows that are impossible under every class.
    pub impossible_rows: u64,
    /// Rows that are not classified, as all rows of their class are in their fold.
    pub lone_rows: u64,
}

/// Why rows cannot be classified.
#[derive(Debug, thiserror::Error)]
pub(crate) enum JudgeError {
    /// A model without a fold cannot score a row, which is named by its number in the chunk.
    #[error(transparent)]
    Predict(#[from] PredictError),
    /// An answer cannot be measured.
    #[error(transparent)]
    Row(#[from] RowError),
}

impl Judges {
    pub(super) fn new(
        models: Vec<Classifier<String, FittedFamily>>,
        stats: &FoldedStats<String>,
        whole: &SufficientStats<String>,
        (schema, dealer): (&Schema, &Dealer),
    ) -> Self {
        let classes: Vec<String> = whole.classes().cloned().collect();
        let mut n_folds = vec![0; classes.len()];
        for class in stats.folds().iter().flat_map(SufficientStats::classes) {
            if let Ok(class) = classes.binary_search(class) {
                n_folds[class] += 1;
            }
        }
        let has_others = n_folds.iter().map(|&n| n > 1).collect();
        let weights: Vec<f64> = whole.class_weights().iter().map(Exact::to_f64).collect();
        let total: f64 = weights.iter().sum();
        let most_rows = (MOST_POSTERIORS / classes.len().max(1) as u64).clamp(FEWEST_ROWS, MOST_ROWS);
        let every = dealer.n_rows().div_ceil(most_rows).max(1);
        let keeps_scores = (dealer.n_rows() / every).saturating_mul(classes.len() as u64) <= MOST_SCORES;
        let settings = Settings::default().with_keep_scores(keeps_scores);
        Self {
            models,
            dealer: dealer.again(),
            evaluation: Evaluation::with(classes.len(), settings),
            spread: Spread::default(),
            shares: weights.iter().map(|weight| weight / total).collect(),
            classes,
            has_others,
            every,
            keys: RowFingerprinter::new(schema),
            n_lone: 0,
        }
    }

    /// The classes of the rows so far, in order.
    pub(crate) fn classes(&self) -> Vec<String> {
        self.dealer.classes().cloned().collect()
    }

    /// Classifies the next rows, whose columns are now these, each by the model without its fold.
    ///
    /// # Errors
    /// [`JudgeError`] if that is impossible; the measures are of no rows then.
    pub(crate) fn judge(&mut self, schema: &Schema, chunk: &Chunk) -> Result<(), JudgeError> {
        let labels = chunk.labels.as_deref().unwrap_or_default();
        let mut own = vec![Vec::new(); FOLDS];
        let keys = self.keys.add(schema, &chunk.rows, labels);
        let folds = self.dealer.deal(labels, &keys, groups(chunk));
        for (row, ((label, fold), key)) in labels.iter().zip(folds).zip(keys).enumerate() {
            let class = self.classes.binary_search(label).ok();
            let is_lone = class.is_none_or(|class| !self.has_others[class]);
            self.n_lone += u64::from(is_lone);
            if !is_lone && self.dealer.is_one_of(self.every, key) {
                own[fold].push(row);
            }
        }
        let models = std::mem::take(&mut self.models);
        let judged = own.iter().zip(&models).try_for_each(|(rows, model)| {
            let length = (POSTERIORS / model.classes().len().max(1)).max(1);
            rows.chunks(length).try_for_each(|rows| self.judge_rows(model, chunk, rows))
        });
        self.models = models;
        judged
    }

    /// The rows of one fold, which the chunk has.
    fn judge_rows(
        &mut self,
        model: &Classifier<String, FittedFamily>,
        chunk: &Chunk,
        rows: &[usize],
    ) -> Result<(), JudgeError> {
        let Some(subset) = RowSubset::new(&chunk.rows, rows) else { return Ok(()) };
        let predicted = model.try_predict_each(&subset).map_err(|error| in_chunk(error, rows))?;
        let possible: Vec<usize> = (0..rows.len()).filter(|&row| predicted[row].is_some()).collect();
        let answers = match RowSubset::new(&subset, &possible) {
            Some(possible) => model.predict_log_proba(&possible)?,
            None => return Ok(()),
        };
        let mut answers = answers.rows().into_iter();
        let labels = chunk.labels.as_deref().unwrap_or_default();
        let place = |class: &String| self.classes.binary_search(class).ok();
        let places: Vec<Option<usize>> = model.classes().iter().map(place).collect();
        let mut log_posterior = vec![f64::NEG_INFINITY; self.classes.len()];
        for (predicted, &row) in predicted.iter().zip(rows) {
            log_posterior.fill(f64::NEG_INFINITY);
            let posterior = if predicted.is_some() { answers.next() } else { None };
            for (place, value) in places.iter().zip(posterior.iter().flatten()) {
                if let Some(place) = place {
                    log_posterior[*place] = *value;
                }
            }
            // A class that the model does not know is none that it could have said.
            let known = |label: &String| model.classes().binary_search(label).is_ok();
            let truth = Some(&labels[row]).filter(|label| known(label)).and_then(place);
            let weight = chunk.weights.as_ref().map_or(1.0, |weights| weights[row]);
            let found = predicted.as_ref().and_then(place);
            self.evaluation.add(truth, found, &log_posterior, weight)?;
            let loss = truth.map_or(f64::INFINITY, |class| -log_posterior[class]);
            let group = groups(chunk).map(|groups| fnv_1a(groups[row].as_bytes()));
            self.spread.add(group, weight, loss, truth.is_some() && found == truth);
        }
        Ok(())
    }

    /// How the rows were classified.
    pub(crate) fn measures(&self) -> FoldMeasures {
        let measures = self.evaluation.measures();
        let shares = self.shares.iter().copied().filter(|share| *share > 0.0);
        let of_prior: f64 = shares.map(|share| -share * share.ln()).sum();
        let majority = self.shares.iter().copied().fold(0.0, f64::max);
        let held_out = HeldOutMeasures::new(
            [measures.log_loss.unwrap_or(f64::INFINITY), of_prior],
            [measures.accuracy.unwrap_or(0.0), majority],
        );
        FoldMeasures {
            measures: held_out.with_auc_and_calibration(measures.auc, measures.calibration_error),
            errors: self.spread.clone().errors(),
            n_rows: measures.rows.rows,
            impossible_rows: measures.unanswered.rows,
            lone_rows: self.n_lone,
        }
    }
}

/// The error with the number of the row in the chunk.
fn in_chunk(error: PredictError, rows: &[usize]) -> PredictError {
    match error {
        PredictError::Value(ValueError { row, column, value, reason }) => {
            let row = rows.get(row).copied().unwrap_or(row);
            PredictError::Value(ValueError { row, column, value, reason })
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use nb_core::error::ValueProblem;

    use super::*;

    #[test]
    fn refused_cells_are_named_by_their_row_in_the_chunk() {
        let error = |row| ValueError { row, column: 2, value: 1.5, reason: ValueProblem::Missing };
        let PredictError::Value(found) = in_chunk(error(1).into(), &[3, 8, 9]) else {
            panic!("the error is of another kind")
        };
        assert_eq!((found.row, found.column), (8, 2));
    }
}
