//! Naive Bayes of sums with noise.

use nb_core::{Classifier, NaiveBayes, fitted::FittedBlocks};
use nb_private::{Budget, Column, Design};
use ndarray::{Array2, Axis};
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};

use crate::{
    Fitted, Kind, Method, MethodError, Table,
    method::rows::parts::{columns_of, labels_of, spread},
};

/// Differentially private naive Bayes: normal distributions of numbers and categories, from sums of the
/// training rows with noise.
///
/// The bounds of numbers are those of the training rows, as if they were known without them: a comparison of
/// methods, not a promise about these rows. A missing number is the middle of its bounds, a missing category
/// one of its own. The noise is drawn from a seed and the numbers of the training rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrivateMethod {
    /// How much each training may betray of a row.
    pub budget: Budget,
    /// The seed.
    pub seed: u64,
}

/// What a column is, and what its missing cells are.
fn columns(table: &Table, train: &[usize]) -> Result<Vec<(Column, f64)>, MethodError> {
    let (columns, x) = columns_of(table)?;
    let each = columns.iter().zip(x.axis_iter(Axis(1))).map(|(column, cells)| match &column.kind {
        Kind::Categorical { levels } => (Column::Categories { n: levels.len() + 1 }, levels.len() as f64),
        Kind::Numeric | Kind::Count | Kind::Text { .. } => {
            let observed = train.iter().map(|&row| cells[row]).filter(|cell| !cell.is_nan());
            let (low, high) =
                observed.fold((f64::MAX, f64::MIN), |(low, high), cell| (low.min(cell), high.max(cell)));
            // A constant, or no number at all.
            let (low, high) = match (low < high, low > high) {
                (true, _) => (low, high),
                (_, true) => (0.0, 1.0),
                _ => (low - 0.5 * low.abs().max(1.0), high + 0.5 * high.abs().max(1.0)),
            };
            (Column::Number { low, high }, f64::midpoint(low, high))
        }
    });
    Ok(each.collect())
}

/// Some rows, without missing cells.
fn filled(table: &Table, columns: &[(Column, f64)], rows: &[usize]) -> Result<Array2<f64>, MethodError> {
    let (_, x) = columns_of(table)?;
    Ok(Array2::from_shape_fn((rows.len(), columns.len()), |(row, column)| {
        let cell = x[[rows[row], column]];
        if cell.is_nan() { columns[column].1 } else { cell }
    }))
}

impl Method for PrivateMethod {
    fn fit(&self, table: &Table, train: &[usize]) -> Result<Box<dyn Fitted>, MethodError> {
        let labels = labels_of(table, train)?;
        let columns = columns(table, train)?;
        let x = filled(table, &columns, train)?;
        let n_classes = table.classes.len();
        let design = Design::new(0..n_classes, columns.iter().map(|(column, _)| *column));
        let design = design.map_err(MethodError::failed)?;
        let own = train.iter().fold(self.seed, |hash, &row| {
            (hash ^ row as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
        });
        let mut rng = ChaCha20Rng::seed_from_u64(own);
        let sums = design.release(&x, &labels, self.budget, &mut rng).map_err(MethodError::failed)?;
        let stats = sums.stats().map_err(MethodError::failed)?;
        let classifier = NaiveBayes::new(sums.model()).fit_stats(&stats).map_err(MethodError::failed)?;
        let n_sums = |(column, _): &(Column, f64)| match column {
            Column::Categories { n } => n - 1,
            Column::Number { .. } => 2,
        };
        let n_parameters = n_classes * (1 + columns.iter().map(n_sums).sum::<usize>());
        Ok(Box::new(FittedPrivate { classifier, columns, n_parameters }))
    }
}

struct FittedPrivate {
    classifier: Classifier<usize, FittedBlocks>,
    columns: Vec<(Column, f64)>,
    n_parameters: usize,
}

impl Fitted for FittedPrivate {
    fn log_posteriors(&self, table: &Table, rows: &[usize]) -> Result<Array2<f64>, MethodError> {
        let x = filled(table, &self.columns, rows)?;
        let found = self.classifier.predict_log_proba(&x).map_err(MethodError::failed)?;
        Ok(spread(&found, self.classifier.classes(), table.classes.len()))
    }

    fn n_parameters(&self) -> usize {
        self.n_parameters
    }
}
