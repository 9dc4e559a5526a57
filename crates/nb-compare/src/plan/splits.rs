//! How many splits a table has.

use serde::{Deserialize, Serialize};

use super::{Dealing, Folds, Plan};
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
    /// The number of rows that are trained on for the first fold of the first repeat.
    pub trained: usize,
    /// The number of rows that are never tested, in whatever repeat.
    pub never_tested: usize,
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
                        let trained = of_row.iter().filter(|&&group| group != 0).count();
                        let test_to_train = 1.0 / (n_groups as f64 - 1.0);
                        Self { folds: n_groups, trained, test_to_train, by, ..planned }
                    }
                    _ => Self { by, ..planned },
                }
            }
            Dealing::Given(repeats) => {
                let sizes: Vec<Vec<usize>> = repeats.iter().map(Folds::sizes).collect();
                let tested: usize = sizes.iter().flatten().sum();
                let trained = sizes.iter().map(Vec::len).sum::<usize>() * table.n_rows() - tested;
                Self {
                    repeats: repeats.len(),
                    folds: sizes.first().map_or(0, Vec::len),
                    tested: sizes.first().map_or(0, |sizes| sizes.iter().sum()),
                    trained: table.n_rows() - sizes.first().and_then(|sizes| sizes.first()).unwrap_or(&0),
                    never_tested: never_tested(table.n_rows(), repeats),
                    test_to_train: tested as f64 / trained as f64,
                    by: SplitBy::Given,
                }
            }
        }
    }

    /// The same with the sizes of the parts that groups make, which the plan does not know.
    pub(crate) fn dealt(plan: Plan, table: &Table, seed: u64) -> Self {
        let splits = Self::new(plan, table);
        let is_known = match table.dealing {
            Dealing::Rows => !matches!(plan, Plan::HeldOut { .. }),
            Dealing::Groups { .. } => false,
            Dealing::Given(_) => true,
        };
        if is_known {
            return splits;
        }
        let key = table.split_key();
        let repeats: Vec<Folds> =
            (0..splits.repeats).filter_map(|repeat| plan.folds_of(table, &key, seed, repeat).ok()).collect();
        let sizes: Vec<Vec<usize>> = repeats.iter().map(Folds::sizes).collect();
        let tested: usize = sizes.iter().flatten().sum();
        let trained = sizes.iter().map(Vec::len).sum::<usize>() * table.n_rows() - tested;
        let first = sizes.first().map_or(splits.tested, |sizes| sizes.iter().sum());
        let of_first = sizes.first().and_then(|sizes| sizes.first());
        Self {
            tested: first,
            trained: of_first.map_or(splits.trained, |size| table.n_rows() - size),
            never_tested: never_tested(table.n_rows(), &repeats),
            test_to_train: tested as f64 / trained.max(1) as f64,
            ..splits
        }
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
        let of_first = tested.div_ceil(folds);
        Self {
            repeats: plan.repeats(),
            folds,
            tested,
            trained: n_rows - of_first,
            never_tested: n_rows - tested,
            test_to_train,
            by: SplitBy::Plan,
        }
    }
}

/// The number of rows that no repeat tests.
fn never_tested(n_rows: usize, repeats: &[Folds]) -> usize {
    let is_tested = |row: &usize| repeats.iter().any(|folds| folds.of_row[*row].is_some());
    (0..n_rows).filter(|row| !is_tested(row)).count()
}
