//! The data sets: which, how many rows of them, and in which folds.

use nb_compare::{Features, Folds, Plan, Table};
use nb_datasets::{Group, catalogue};

/// Smaller sets are examples for books.
const LEAST_ROWS: usize = 100;

/// Of larger sets some rows are drawn, as boosting is slow.
pub(super) const MOST_ROWS: usize = 4000;

/// The number of folds.
pub(super) const FOLDS: usize = 5;

/// What rows and folds are drawn with.
const SEED: u64 = 0;

/// A data set with the fold of each row.
#[derive(Debug)]
pub(super) struct Data {
    /// The rows.
    pub(super) table: Table,
    /// Where they are tested.
    pub(super) folds: Folds,
}

/// The names of all data sets of the comparison.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let is_wanted = |set: &&nb_datasets::Info| set.group == Group::Classic && set.rows >= LEAST_ROWS;
    catalogue().iter().filter(is_wanted).map(|set| set.name.as_str())
}

impl Data {
    /// Loads a data set, and draws rows and folds, both by classes.
    pub(super) fn load(name: &str) -> Result<Self, String> {
        let whole = Table::embedded(name).map_err(|error| error.to_string())?;
        let table = if whole.n_rows() > MOST_ROWS { drawn(&whole)? } else { whole };
        let plan = Plan::CrossValidation { folds: FOLDS, repeats: 1 };
        let folds = plan.folds(&table, SEED, 0).map_err(|error| error.to_string())?;
        Ok(Self { table, folds })
    }

    /// The columns and their cells.
    pub(super) fn columns(&self) -> Result<(&[nb_compare::Column], &ndarray::Array2<f64>), String> {
        match &self.table.features {
            Features::Columns { columns, .. } if columns.iter().any(|column| column.kind.is_text()) => {
                Err(format!("{} has columns of texts", self.table.name))
            }
            Features::Columns { columns, x } => Ok((columns, x)),
            Features::Documents(_) => Err(format!("{} has no columns", self.table.name)),
        }
    }
}

/// As many rows as are wanted at most.
fn drawn(table: &Table) -> Result<Table, String> {
    let plan = Plan::HeldOut { test: MOST_ROWS as f64 / table.n_rows() as f64, repeats: 1 };
    let rows = plan.folds(table, SEED, 0).map_err(|error| error.to_string())?.test(0);
    let Features::Columns { columns, x } = &table.features else {
        return Err(format!("{} has no columns", table.name));
    };
    Table::new(
        &table.name,
        columns.clone(),
        x.select(ndarray::Axis(0), &rows),
        table.classes.clone(),
        rows.iter().map(|&row| table.labels[row]).collect(),
    )
    .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_sets_are_drawn_by_classes_and_small_ones_are_whole() {
        let wine = Data::load("wine").expect("wine");
        assert_eq!(wine.table.n_rows(), 178);
        let adult = Data::load("adult").expect("adult");
        assert_eq!(adult.table.n_rows(), MOST_ROWS);
        // 24.081 % of all rows.
        assert_eq!(adult.table.class_sizes(), [963, 3037]);
        for fold in 0..FOLDS {
            let rows = adult.folds.test(fold);
            assert_eq!(rows.len(), MOST_ROWS / FOLDS);
            assert!((192..=193).contains(&rows.iter().filter(|&&row| adult.table.labels[row] == 0).count()));
        }
    }

    #[test]
    fn examples_and_other_groups_are_left_out() {
        let names: Vec<&str> = names().collect();
        assert!(names.contains(&"iris") && names.contains(&"shuttle"));
        for name in ["playtennis", "lenses", "iir_china", "sms", "offset_1e9"] {
            assert!(!names.contains(&name), "{name}");
        }
    }
}
