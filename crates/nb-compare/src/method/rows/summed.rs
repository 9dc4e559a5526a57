//! Methods whose training is a sum: folds are taken out of the sums of all rows, and rows are added to those
//! of fewer rows.

use nb_core::{
    FeatureModel, SufficientStats,
    selection::{FoldAssignment, FoldedStats},
};
use ndarray::Array2;

use crate::{
    Fitted, Folds, MethodError, Table,
    method::{
        Growing, Retracting,
        rows::parts::{chosen, labels_of},
    },
};

/// Up to this many folds keep statistics of their own; of more, the rows are taken out and put back.
const MOST_KEPT_FOLDS: usize = 64;

pub(in crate::method) type Stats = SufficientStats<usize>;

/// Makes a classifier of a model and statistics.
pub(in crate::method) type Finish<'a, M> =
    Box<dyn Fn(&M, &Stats) -> Result<Box<dyn Fitted>, MethodError> + 'a>;

/// A model that learns nothing before it sums the rows of a table of columns.
pub(in crate::method) struct Summable<'a, M> {
    pub(in crate::method) model: M,
    pub(in crate::method) x: &'a Array2<f64>,
    pub(in crate::method) table: &'a Table,
    pub(in crate::method) finish: Finish<'a, M>,
}

impl<'a, M: FeatureModel + 'a> Summable<'a, M> {
    /// Sums all rows, so that folds can be taken out.
    pub(in crate::method) fn fold(self, folds: &'a Folds) -> Result<Box<dyn Retracting + 'a>, MethodError> {
        let Self { model, x, table, .. } = &self;
        let of_row: Vec<usize> = folds.of_row.iter().flatten().copied().collect();
        let is_whole = of_row.len() == table.n_rows();
        let (whole, parts) = if is_whole && (2..=MOST_KEPT_FOLDS).contains(&folds.n_folds) {
            let kept = FoldedStats::new(model, x.ncols(), folds.n_folds, FoldAssignment::Plain);
            let mut kept = kept.map_err(MethodError::failed)?;
            kept.update_assigned(model, *x, &table.labels, &of_row).map_err(MethodError::failed)?;
            (kept.whole(), Some(kept))
        } else {
            let mut all = Stats::new(model, x.ncols()).map_err(MethodError::failed)?;
            all.update(model, *x, &table.labels).map_err(MethodError::failed)?;
            (all, None)
        };
        Ok(Box::new(Summed { of: self, folds, whole, parts }))
    }

    /// Sums no rows, so that some can be added.
    pub(in crate::method) fn grow(self) -> Result<Box<dyn Growing + 'a>, MethodError> {
        let stats = Stats::new(&self.model, self.x.ncols()).map_err(MethodError::failed)?;
        Ok(Box::new(Grown { of: self, stats }))
    }
}

/// The statistics of all rows, and of each fold if there are few.
struct Summed<'a, M> {
    of: Summable<'a, M>,
    folds: &'a Folds,
    whole: Stats,
    parts: Option<FoldedStats<usize>>,
}

impl<M: FeatureModel> Retracting for Summed<'_, M> {
    fn without(&mut self, fold: usize) -> Result<Box<dyn Fitted>, MethodError> {
        let Summable { model, x, table, finish } = &self.of;
        if let Some(part) = self.parts.as_ref().and_then(|parts| parts.folds().get(fold)) {
            let mut rest = self.whole.clone();
            rest.subtract(part).map_err(MethodError::failed)?;
            return finish(model, &rest);
        }
        let rows = self.folds.test(fold);
        let labels = labels_of(table, &rows)?;
        let chosen = chosen(x, &rows)?;
        self.whole.retract(model, &chosen, &labels).map_err(MethodError::failed)?;
        let fitted = finish(model, &self.whole);
        self.whole.update(model, &chosen, &labels).map_err(MethodError::failed)?;
        fitted
    }
}

/// The statistics of some rows.
struct Grown<'a, M> {
    of: Summable<'a, M>,
    stats: Stats,
}

impl<M: FeatureModel> Growing for Grown<'_, M> {
    fn add(&mut self, rows: &[usize]) -> Result<(), MethodError> {
        let Summable { model, x, table, .. } = &self.of;
        let labels = labels_of(table, rows)?;
        self.stats.update(model, &chosen(x, rows)?, &labels).map_err(MethodError::failed)
    }

    fn fit(&self) -> Result<Box<dyn Fitted>, MethodError> {
        (self.of.finish)(&self.of.model, &self.stats)
    }
}
