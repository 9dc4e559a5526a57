//! Networks with a fixed number of parents a column, on tables of columns, numbers discretised.

use nb_variants::{HierarchicalDirichlet, Kdb, Parents, PseudoCounts};

use crate::{
    Fitted, Method, MethodError, Table,
    method::{
        columns::{Discretisation, Training},
        dependent::{check_memory, finish, learn, sums},
        parts::{columns_of, labels_of},
    },
};

/// [`Kdb`], with numbers and counts discretised, and parents learnt, in each training part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KdbMethod {
    /// How numbers become categories.
    pub discretisation: Discretisation,
    /// The pseudo-count of all estimates.
    pub l: f64,
    /// What it is given to.
    pub pseudo_counts: PseudoCounts,
    /// The hierarchy that takes the place of pseudo-counts, if there is one.
    pub hierarchical: Option<HierarchicalDirichlet>,
    /// Which columns are parents.
    pub parents: Parents,
}

impl Method for KdbMethod {
    fn fit(&self, table: &Table, train: &[usize]) -> Result<Box<dyn Fitted>, MethodError> {
        let labels = labels_of(table, train)?;
        let (_, x) = columns_of(table)?;
        let counts = learn(
            self.discretisation,
            (self.l, self.pseudo_counts),
            table,
            Training { x, rows: train, labels: &labels },
        )?;
        let rows = x.select(ndarray::Axis(0), train);
        let family = Kdb::with_learnt(counts, self.parents, &rows, &labels);
        let mut family = family.map_err(MethodError::failed)?;
        let n_classes = table.classes.len();
        check_memory("values with their parents", family.memory(n_classes), n_classes, "fewer parents")?;
        if let Some(smoothing) = self.hierarchical {
            family = family.with_hierarchical(smoothing);
        }
        finish(&family, &sums(&family, &rows, &labels)?, table.classes.len())
    }
}
