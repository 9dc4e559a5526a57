//! Averaged two-dependence estimators on tables of columns, numbers discretised.

use nb_core::FeatureModel;
use nb_variants::{A2de, PseudoCounts};

use crate::{
    Fitted, Folds, Method, MethodError, Table,
    method::{
        Growing, Retracting,
        columns::{Discretisation, Training},
        dependent::{MOST_BYTES, categories_of, check_memory, finish, learn, sums},
        parts::{columns_of, labels_of},
        summed::{Stats, Summable},
    },
};

/// [`A2de`], with numbers and counts discretised in each training part.
///
/// Counts and tables of all classes that take more than 1 GiB are refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct A2deMethod {
    /// How numbers become categories.
    pub discretisation: Discretisation,
    /// The pseudo-count of all estimates.
    pub l: f64,
    /// What it is given to.
    pub pseudo_counts: PseudoCounts,
    /// How many training rows must have two values so that they are parents.
    pub minimum_count: f64,
}

impl A2deMethod {
    fn family(&self, table: &Table, training: Training<'_>) -> Result<A2de, MethodError> {
        let counts = learn(self.discretisation, (self.l, self.pseudo_counts), table, training)?;
        let family = A2de { counts, minimum_count: self.minimum_count };
        // Refuses too many categories before anything is allocated.
        family.layout(training.x.ncols()).map_err(MethodError::failed)?;
        let n_classes = table.classes.len();
        check_memory("every three values", family.memory(n_classes), n_classes, "aode")?;
        Ok(family)
    }

    /// The family, if it learns nothing before rows are summed.
    fn summable<'a>(&'a self, table: &'a Table) -> Result<Option<Summable<'a, A2de>>, MethodError> {
        let Some(x) = categories_of(table) else { return Ok(None) };
        let rows: Vec<usize> = (0..table.n_rows()).collect();
        let model = self.family(table, Training { x, rows: &rows, labels: &table.labels })?;
        let n_classes = table.classes.len();
        let finish = move |family: &A2de, stats: &Stats| finish(family, stats, n_classes);
        Ok(Some(Summable { model, x, table, finish: Box::new(finish) }))
    }
}

impl Method for A2deMethod {
    fn fit(&self, table: &Table, train: &[usize]) -> Result<Box<dyn Fitted>, MethodError> {
        let labels = labels_of(table, train)?;
        let (_, x) = columns_of(table)?;
        let family = self.family(table, Training { x, rows: train, labels: &labels })?;
        let stats = sums(&family, &x.select(ndarray::Axis(0), train), &labels)?;
        finish(&family, &stats, table.classes.len())
    }

    fn fold<'a>(
        &'a self,
        table: &'a Table,
        folds: &'a Folds,
    ) -> Result<Option<Box<dyn Retracting + 'a>>, MethodError> {
        let Some(summable) = self.summable(table)? else { return Ok(None) };
        // Counts of each fold are kept beside those of all rows.
        if summable.model.memory(table.classes.len()).saturating_mul(folds.n_folds as u64) > MOST_BYTES {
            return Ok(None);
        }
        summable.fold(folds).map(Some)
    }

    fn grow<'a>(&'a self, table: &'a Table) -> Result<Option<Box<dyn Growing + 'a>>, MethodError> {
        self.summable(table)?.map(Summable::grow).transpose()
    }
}
