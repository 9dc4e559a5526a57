//! k-dependence Bayes on tables of columns, numbers discretised.

use nb_variants::{Kdb, PseudoCounts};

use crate::{
    Fitted, Method, MethodError, Table,
    method::{
        columns::{Discretisation, Training},
        dependent::{finish, learn, sums},
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
    /// How many parents a column has at most.
    pub k: usize,
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
        let family = Kdb::learn(counts, self.k, &rows, &labels).map_err(MethodError::failed)?;
        finish(&family, &sums(&family, &rows, &labels)?, table.classes.len())
    }
}
