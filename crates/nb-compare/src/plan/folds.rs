//! The parts of the rows of a table.

/// The parts of the rows of a table in one repeat of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folds {
    /// The fold of each row. Rows that are never tested have no fold.
    pub of_row: Vec<Option<usize>>,
    /// The number of folds.
    pub n_folds: usize,
}

impl Folds {
    /// The number of rows that each fold tests.
    pub fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.n_folds];
        for &fold in self.of_row.iter().flatten() {
            if let Some(size) = sizes.get_mut(fold) {
                *size += 1;
            }
        }
        sizes
    }

    /// Whether every fold is one row.
    pub fn is_leave_one_out(&self) -> bool {
        self.n_folds == self.of_row.len()
    }

    /// The rows of a fold, ascending.
    pub fn test(&self, fold: usize) -> Vec<usize> {
        (0..self.of_row.len()).filter(|&row| self.of_row[row] == Some(fold)).collect()
    }

    /// All rows but those of a fold, ascending.
    pub fn train(&self, fold: usize) -> Vec<usize> {
        (0..self.of_row.len()).filter(|&row| self.of_row[row] != Some(fold)).collect()
    }
}
