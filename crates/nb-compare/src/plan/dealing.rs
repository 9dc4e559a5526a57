//! What a table says of its splits.

use std::collections::{BTreeMap, BTreeSet};

use super::{Folds, PlanError};

/// What the rows of a table say of how they may be split.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Dealing {
    /// Nothing: each row is dealt by itself.
    #[default]
    Rows,
    /// Rows belong to groups, such as the visits of a patient, and a group is either trained on or tested.
    Groups {
        /// The column that assigns them.
        column: String,
        /// The group of each row, a number from 0.
        of_row: Vec<usize>,
    },
    /// The splits of each repeat are given, as those of a published benchmark; plan and seed of the design
    /// are not used.
    Given(Vec<Folds>),
}

impl Dealing {
    /// Refuses what no table of this name and number of rows can be split by.
    pub(crate) fn check(&self, table: &str, n_rows: usize) -> Result<(), PlanError> {
        let given = |problem: String| Err(PlanError::Given { table: table.to_owned(), problem });
        match self {
            Self::Groups { of_row, .. } if of_row.len() != n_rows => {
                given(format!("there are groups of {} rows, and {n_rows} rows", of_row.len()))
            }
            Self::Rows | Self::Groups { .. } => Ok(()),
            Self::Given(repeats) if repeats.is_empty() => given("there are no splits".into()),
            Self::Given(repeats) => {
                for (repeat, folds) in repeats.iter().enumerate() {
                    if folds.of_row.len() != n_rows {
                        return given(format!(
                            "repeat {repeat} splits {} rows, and there are {n_rows}",
                            folds.of_row.len()
                        ));
                    }
                    if folds.n_folds == 0 {
                        return given(format!(
                            "repeat {repeat} tests no row; repeats and folds are counted from 0"
                        ));
                    }
                    if let Some(fold) = folds.of_row.iter().flatten().find(|&&fold| fold >= folds.n_folds) {
                        return given(format!(
                            "repeat {repeat} has rows of fold {fold} and {} folds",
                            folds.n_folds
                        ));
                    }
                    let sizes = folds.sizes();
                    if let Some(fold) = sizes.iter().position(|&size| size == 0) {
                        return given(format!(
                            "fold {fold} of repeat {repeat} tests no row; folds are counted from 0"
                        ));
                    }
                    if let Some(fold) = sizes.iter().position(|&size| size == n_rows) {
                        return given(format!(
                            "fold {fold} of repeat {repeat} tests all rows and trains on no row"
                        ));
                    }
                }
                Ok(())
            }
        }
    }

    /// What some of the rows say. Splits that are given are those of all rows.
    pub(crate) fn of_rows(&self, rows: &[usize]) -> Self {
        match self {
            Self::Rows | Self::Given(_) => Self::Rows,
            Self::Groups { column, of_row } => {
                let groups: BTreeSet<usize> = rows.iter().map(|&row| of_row[row]).collect();
                // Numbers without gaps.
                let places: BTreeMap<usize, usize> =
                    groups.into_iter().enumerate().map(|(place, group)| (group, place)).collect();
                let of_row = rows.iter().filter_map(|&row| places.get(&of_row[row]).copied()).collect();
                Self::Groups { column: column.clone(), of_row }
            }
        }
    }

    /// All that decides about splits, for checksums; empty if rows are dealt one by one.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let number = |number: usize| (number as u64).to_le_bytes();
        match self {
            Self::Rows => Vec::new(),
            Self::Groups { of_row, .. } => {
                [b"groups".to_vec(), of_row.iter().copied().flat_map(number).collect()].concat()
            }
            Self::Given(repeats) => {
                let mut bytes = b"given".to_vec();
                for folds in repeats {
                    bytes.extend(number(folds.n_folds));
                    bytes
                        .extend(folds.of_row.iter().flat_map(|fold| number(fold.map_or(0, |fold| fold + 1))));
                }
                bytes
            }
        }
    }
}
