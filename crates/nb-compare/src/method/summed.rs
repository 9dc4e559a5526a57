//! Folds by retraction: the statistics of all rows are summed once, and those of a fold taken out.

use nb_core::{FeatureModel, FoldAssignment, FoldedStats, SufficientStats};
use ndarray::Array2;

use crate::{
    Fitted, Folds, MethodError, Table,
    method::{
        Retracting,
        parts::{chosen, labels_of},
    },
};

/// Up to so many folds keep statistics of their own; of more, the rows are taken out and put back.
const MOST_KEPT_FOLDS: usize = 64;

pub(super) type Stats = SufficientStats<usize>;

/// The statistics of all rows, and of each fold if there are few.
pub(super) struct Summed<'a, M, F> {
    model: M,
    x: &'a Array2<f64>,
    table: &'a Table,
    folds: &'a Folds,
    whole: Stats,
    parts: Option<FoldedStats<usize>>,
    finish: F,
}

impl<'a, M, F> Summed<'a, M, F>
where
    M: FeatureModel,
    F: Fn(&M, &Stats) -> Result<Box<dyn Fitted>, MethodError>,
{
    /// Sums the rows of a table of columns; `finish` makes a classifier of statistics.
    pub(super) fn new(
        model: M,
        x: &'a Array2<f64>,
        table: &'a Table,
        folds: &'a Folds,
        finish: F,
    ) -> Result<Self, MethodError> {
        let of_row: Vec<usize> = folds.of_row.iter().flatten().copied().collect();
        let is_whole = of_row.len() == table.n_rows();
        let (whole, parts) = if is_whole && (2..=MOST_KEPT_FOLDS).contains(&folds.n_folds) {
            let kept = FoldedStats::new(&model, x.ncols(), folds.n_folds, FoldAssignment::Plain);
            let mut kept = kept.map_err(MethodError::failed)?;
            kept.update_assigned(&model, x, &table.labels, &of_row).map_err(MethodError::failed)?;
            (kept.whole(), Some(kept))
        } else {
            let mut all = Stats::new(&model, x.ncols()).map_err(MethodError::failed)?;
            all.update(&model, x, &table.labels).map_err(MethodError::failed)?;
            (all, None)
        };
        Ok(Self { model, x, table, folds, whole, parts, finish })
    }
}

impl<M, F> Retracting for Summed<'_, M, F>
where
    M: FeatureModel,
    F: Fn(&M, &Stats) -> Result<Box<dyn Fitted>, MethodError>,
{
    fn without(&mut self, fold: usize) -> Result<Box<dyn Fitted>, MethodError> {
        if let Some(part) = self.parts.as_ref().and_then(|parts| parts.folds().get(fold)) {
            let mut rest = self.whole.clone();
            rest.subtract(part).map_err(MethodError::failed)?;
            return (self.finish)(&self.model, &rest);
        }
        let rows = self.folds.test(fold);
        let labels = labels_of(self.table, &rows)?;
        let chosen = chosen(self.x, &rows)?;
        self.whole.retract(&self.model, &chosen, &labels).map_err(MethodError::failed)?;
        let fitted = (self.finish)(&self.model, &self.whole);
        self.whole.update(&self.model, &chosen, &labels).map_err(MethodError::failed)?;
        fitted
    }
}
