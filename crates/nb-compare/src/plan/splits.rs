//! How many splits a table has.

use serde::{Deserialize, Serialize};

use super::{Dealing, Plan};
use crate::Table;

/// How many splits a table has under a plan, and how large their parts are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Splits {
    /// How often the rows are dealt.
    pub repeats: usize,
    /// The number of folds of a repeat, of the first one if they differ.
    pub folds: usize,
    /// The number of rows that are tested in a repeat, of the first one if they differ.
    pub tested: usize,
    /// The number of rows tested for each one trained on, which the corrected resampled t-test needs
    /// (Nadeau and Bengio 2003).
    pub test_to_train: f64,
    /// What decides about them.
    pub by: SplitBy,
}

/// What decides about the splits of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SplitBy {
    /// The plan alone.
    Plan,
    /// The plan, with rows of a group together.
    Groups {
        /// The column of the groups.
        column: String,
        /// How many there are.
        groups: usize,
    },
    /// The table, which brings them with it.
    Given,
}

impl Splits {
    /// Those of a table under a plan.
    pub fn new(plan: Plan, table: &Table) -> Self {
        match &table.dealing {
            Dealing::Rows => Self::planned(plan, table.n_rows()),
            Dealing::Groups { column, of_row } => {
                let n_groups = of_row.iter().max().map_or(0, |last| last + 1);
                let by = SplitBy::Groups { column: column.clone(), groups: n_groups };
                let planned = Self::planned(plan, table.n_rows());
                match plan {
                    Plan::LeaveOneOut {} => {
                        Self { folds: n_groups, test_to_train: 1.0 / (n_groups as f64 - 1.0), by, ..planned }
                    }
                    _ => Self { by, ..planned },
                }
            }
            Dealing::Given(repeats) => {
                let sizes: Vec<Vec<usize>> = repeats.iter().map(super::Folds::sizes).collect();
                let tested: usize = sizes.iter().flatten().sum();
                let trained = sizes.iter().map(Vec::len).sum::<usize>() * table.n_rows() - tested;
                Self {
                    repeats: repeats.len(),
                    folds: sizes.first().map_or(0, Vec::len),
                    tested: sizes.first().map_or(0, |sizes| sizes.iter().sum()),
                    test_to_train: tested as f64 / trained as f64,
                    by: SplitBy::Given,
                }
            }
        }
    }

    /// The same with the sizes of the parts that groups make, which the plan does not know.
    pub(crate) fn dealt(plan: Plan, table: &Table, seed: u64) -> Self {
        let splits = Self::new(plan, table);
        if !matches!(table.dealing, Dealing::Groups { .. }) {
            return splits;
        }
        let key = table.split_key();
        let repeats = (0..splits.repeats).filter_map(|repeat| plan.folds_of(table, &key, seed, repeat).ok());
        let sizes: Vec<Vec<usize>> = repeats.map(|folds| folds.sizes()).collect();
        let tested: usize = sizes.iter().flatten().sum();
        let trained = sizes.iter().map(Vec::len).sum::<usize>() * table.n_rows() - tested;
        let first = sizes.first().map_or(splits.tested, |sizes| sizes.iter().sum());
        Self { tested: first, test_to_train: tested as f64 / trained.max(1) as f64, ..splits }
    }

    fn planned(plan: Plan, n_rows: usize) -> Self {
        let (folds, tested, test_to_train) = match plan {
            Plan::CrossValidation { folds, .. } => (folds, n_rows, 1.0 / (folds as f64 - 1.0)),
            Plan::LeaveOneOut {} => (n_rows, n_rows, 1.0 / (n_rows as f64 - 1.0)),
            Plan::HeldOut { test, .. } => {
                let tested = (n_rows as f64 * test + 0.5).floor();
                (1, tested as usize, tested / (n_rows as f64 - tested))
            }
        };
        Self { repeats: plan.repeats(), folds, tested, test_to_train, by: SplitBy::Plan }
    }
}
