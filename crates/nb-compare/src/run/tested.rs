//! The answers to all tested rows of a repeat, as they come fold by fold.

use nb_metrics::Evaluation;
use ndarray::Array2;

use crate::{Done, Folds, Losses, MethodError, Reliability, Table, Values, evaluate::evaluate};

/// The answers so far.
pub(crate) struct Tested<'a> {
    table: &'a Table,
    folds: &'a Folds,
    /// Whether log-posteriors are kept.
    keep: bool,
    /// The positive class, if the table has it.
    positive: Option<usize>,
    pooled: Evaluation,
    of_folds: Vec<Values>,
    labels: Vec<Option<u32>>,
    /// None as soon as a fold has no log-posteriors.
    losses: Option<Vec<f64>>,
    kept: Vec<(usize, Vec<f64>)>,
}

impl<'a> Tested<'a> {
    pub(crate) fn new(table: &'a Table, folds: &'a Folds, keep: bool, positive: Option<usize>) -> Self {
        Self {
            table,
            folds,
            keep,
            positive,
            pooled: Evaluation::new(table.classes.len()),
            of_folds: Vec::new(),
            labels: vec![None; table.n_rows()],
            losses: Some(Vec::new()),
            kept: Vec::new(),
        }
    }

    /// Adds the answers to the rows of a fold: labels, and log-posteriors if there are any.
    pub(crate) fn add(
        &mut self,
        rows: &[usize],
        log_posteriors: Option<&Array2<f64>>,
        predicted: &[Option<usize>],
    ) -> Result<(), MethodError> {
        let evaluation = evaluate(self.table, rows, log_posteriors, predicted)?;
        match (&mut self.losses, log_posteriors) {
            (Some(losses), Some(all)) => losses
                .extend(rows.iter().zip(all.rows()).map(|(&row, values)| -values[self.table.labels[row]])),
            _ => self.losses = None,
        }
        if let Some(all) = log_posteriors.filter(|_| self.keep) {
            self.kept.extend(rows.iter().copied().zip(all.rows().into_iter().map(|row| row.to_vec())));
        }
        for (&row, label) in rows.iter().zip(predicted) {
            self.labels[row] = label.map(|label| label as u32);
        }
        if !self.folds.is_leave_one_out() {
            self.of_folds.push(Values::of(&evaluation.measures(), self.positive).of_fold());
        }
        self.pooled.merge(&evaluation).map_err(MethodError::failed)
    }

    /// All that answers say; what only a model has is left to the caller.
    pub(crate) fn done(mut self) -> Done {
        let measures = self.pooled.measures();
        let pooled = Values::of(&measures, self.positive);
        if self.folds.is_leave_one_out() {
            self.of_folds.push(pooled.clone());
        }
        self.kept.sort_unstable_by_key(|(row, _)| *row);
        let is_tested = || self.folds.of_row.iter().map(Option::is_some);
        Done {
            folds: self.of_folds,
            pooled,
            labels: self.labels,
            tested: if is_tested().all(|tested| tested) { Vec::new() } else { is_tested().collect() },
            log_posteriors: self.kept.into_iter().flat_map(|(_, values)| values).collect(),
            chosen: Vec::new(),
            failed: Vec::new(),
            limits: Vec::new(),
            reliability: measures
                .reliability
                .iter()
                .map(|bin| Reliability {
                    upper: bin.upper,
                    rows: bin.rows.rows,
                    confidence: bin.confidence,
                    accuracy: bin.accuracy,
                })
                .collect(),
            losses: self.losses.map(Losses::of),
            n_parameters: None,
            times: None,
        }
    }
}
