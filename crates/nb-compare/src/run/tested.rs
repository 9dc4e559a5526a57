//! The answers to all tested rows of a repeat, as they come fold by fold.

use nb_metrics::{Evaluation, GroupEvaluation};
use ndarray::Array2;

use super::sets::SetRows;
use crate::{
    Done, Folds, GroupOutcome, Losses, Measure, MethodError, Protected, Reliability, Table, Values,
    evaluate::evaluate,
};

/// What is measured besides what there always is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    /// The positive class, if the table has it.
    pub(crate) positive: Option<usize>,
    /// The coverage of prediction sets.
    pub(crate) coverage: Option<f64>,
    /// The groups between which predictions of the positive class are compared.
    pub(crate) protected: Option<Protected>,
}

/// The answers so far.
pub(crate) struct Tested<'a> {
    table: &'a Table,
    folds: &'a Folds,
    /// Whether log-posteriors are kept.
    keep: bool,
    wanted: Wanted,
    /// None without a coverage, and as soon as a fold has no log-posteriors.
    sets: Option<SetRows>,
    pooled: Evaluation,
    of_folds: Vec<Values>,
    labels: Vec<Option<u32>>,
    /// None as soon as a fold has no log-posteriors.
    losses: Option<Vec<f64>>,
    kept: Vec<(usize, Vec<f64>)>,
}

impl<'a> Tested<'a> {
    pub(crate) fn new(table: &'a Table, folds: &'a Folds, wanted: Wanted, keep: bool) -> Self {
        Self {
            table,
            folds,
            keep,
            sets: wanted.coverage.map(|coverage| SetRows::new(coverage, table.classes.len())),
            wanted,
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
        match (&mut self.sets, log_posteriors) {
            (Some(sets), Some(all)) => {
                let classes = rows.iter().map(|&row| self.table.labels[row]);
                sets.add(classes.zip(all.rows().into_iter().map(|row| row.to_vec())));
            }
            _ => self.sets = None,
        }
        if let Some(all) = log_posteriors.filter(|_| self.keep) {
            self.kept.extend(rows.iter().copied().zip(all.rows().into_iter().map(|row| row.to_vec())));
        }
        for (&row, label) in rows.iter().zip(predicted) {
            self.labels[row] = label.map(|label| label as u32);
        }
        if !self.folds.is_leave_one_out() {
            self.of_folds.push(Values::of(&evaluation.measures(), self.wanted.positive).of_fold());
        }
        self.pooled.merge(&evaluation).map_err(MethodError::failed)
    }

    /// All that answers say; what only a model has is left to the caller.
    pub(crate) fn done(mut self) -> Result<Done, MethodError> {
        let measures = self.pooled.measures();
        let mut pooled = Values::of(&measures, self.wanted.positive);
        let groups = self.groups(&mut pooled)?;
        let mut sets = None;
        // Without a second row there is nothing to make sets of.
        if let Some((outcome, of_folds)) = self.sets.as_ref().and_then(|sets| sets.outcome().ok()) {
            pooled.set(Measure::Coverage, Some(outcome.coverage));
            pooled.set(Measure::SetSize, Some(outcome.mean_size));
            for (values, found) in self.of_folds.iter_mut().zip(&of_folds) {
                for measure in Measure::ALL.into_iter().filter(|measure| measure.needs_coverage()) {
                    values.set(measure, found.get(measure));
                }
            }
            sets = Some(outcome);
        }
        if self.folds.is_leave_one_out() {
            self.of_folds.push(pooled.clone());
        }
        self.kept.sort_unstable_by_key(|(row, _)| *row);
        let is_tested = || self.folds.of_row.iter().map(Option::is_some);
        Ok(Done {
            sets,
            groups,
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
        })
    }

    /// What was predicted of each protected group, and how groups differ; nothing without groups or a
    /// positive class.
    fn groups(&self, pooled: &mut Values) -> Result<Vec<GroupOutcome>, MethodError> {
        let (Some(positive), Some(protected)) = (self.wanted.positive, &self.wanted.protected) else {
            return Ok(Vec::new());
        };
        let mut evaluation = GroupEvaluation::new(protected.groups.len());
        for (row, &group) in protected.of_row.iter().enumerate() {
            let (Some(group), Some(_)) = (group, self.folds.of_row[row]) else { continue };
            let is_predicted = self.labels[row] == Some(positive as u32);
            let added = evaluation.add(group, self.table.labels[row] == positive, is_predicted, 1.0);
            added.map_err(MethodError::failed)?;
        }
        let found = evaluation.measures();
        pooled.set(Measure::DemographicParity, found.demographic_parity_difference);
        pooled.set(Measure::EqualOpportunity, found.equal_opportunity_difference);
        pooled.set(Measure::EqualizedOdds, found.equalized_odds_difference);
        let groups = protected.groups.iter().zip(&found.groups).map(|(group, rates)| GroupOutcome {
            group: group.clone(),
            rows: rates.rows.rows,
            selection_rate: rates.selection_rate,
            true_positive_rate: rates.true_positive_rate,
            false_positive_rate: rates.false_positive_rate,
        });
        Ok(groups.collect())
    }
}
