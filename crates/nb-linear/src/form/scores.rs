//! Scoring rows, dense and sparse.

use nb_core::{
    Rows,
    error::{PredictError, ValueError},
    family::{Block, BlockBuffer, Sparse},
};
use ndarray::Array2;

use super::{Column, LinearForm, column::Excess};
use exact_sums::Compensated;

/// How many rows are scored at a time.
const CHUNK_ROWS: usize = 256;

/// The scores of a row of zeros. A sparse row starts from them; the cells that it stores take back the very
/// doubles that went in, so that compensated sums lose nothing where a large start is all but cancelled.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Zeros {
    /// Per class, without what is infinite.
    sums: Vec<Compensated>,
    /// Per class the number of columns in which a zero is impossible.
    impossible: Vec<usize>,
    /// The columns that refuse a zero.
    refused: Vec<usize>,
}

impl Zeros {
    pub(super) fn new(columns: &[Column], intercepts: &[Compensated]) -> Self {
        let (mut sums, mut impossible) = (intercepts.to_vec(), vec![0; intercepts.len()]);
        let mut refused = Vec::new();
        for (number, column) in columns.iter().enumerate() {
            if column.problem(0.0).is_some() {
                refused.push(number);
                continue;
            }
            let zero = column.excess(0.0);
            for class in 0..sums.len() {
                match zero.of(class) {
                    term if term.is_finite() => sums[class].add(term),
                    _ => impossible[class] += 1,
                }
            }
        }
        Self { sums, impossible, refused }
    }
}

impl<L> LinearForm<L> {
    /// The scores of the classes, `n_rows × n_classes`: the joint log-likelihoods of the naive Bayes
    /// classifier up to a term per row that no class depends on. Negative infinity where a class cannot
    /// have produced a row.
    ///
    /// ```
    /// # use nb_linear::LinearForm;
    /// # use ndarray::array;
    /// let weights = array![[0.0], [2.0]]; // the log-odds of "yes" are 2 x - 6
    /// let form = LinearForm::from_parameters(vec!["no", "yes"], &[0.0], &weights.view(), &[0.0, -6.0])?;
    /// assert_eq!(form.scores(&array![[2.0], [4.0]])?, array![[0.0, -2.0], [0.0, 2.0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PredictError`] names the cell that cannot be scored.
    pub fn scores(&self, rows: &(impl Rows + ?Sized)) -> Result<Array2<f64>, PredictError> {
        let mut out = Array2::zeros((rows.n_rows(), self.classes.len()));
        self.for_each_row(rows, |row, sums| {
            out.row_mut(row).iter_mut().zip(sums).for_each(|(out, sum)| *out = sum.value());
        })?;
        Ok(out)
    }

    /// Calls `visit(row, scores)` for every row, once all its cells were checked.
    pub(super) fn for_each_row(
        &self,
        rows: &(impl Rows + ?Sized),
        mut visit: impl FnMut(usize, &[Compensated]),
    ) -> Result<(), PredictError> {
        if rows.n_columns() != self.columns.len() {
            return Err(PredictError::Columns { expected: self.columns.len(), found: rows.n_columns() });
        }
        let mut buffer = BlockBuffer::default();
        for first in (0..rows.n_rows()).step_by(CHUNK_ROWS) {
            let end = rows.n_rows().min(first + CHUNK_ROWS);
            let block = buffer.read(rows, first..end);
            self.check(&block).map_err(|error| ValueError { row: first + error.row, ..error })?;
            match block {
                Block::Sparse(sparse) => self.score_sparse(&sparse, |row, sums| visit(first + row, sums)),
                _ => self.score_dense(&block, |row, sums| visit(first + row, sums)),
            }
        }
        Ok(())
    }

    /// Refuses cells that cannot be scored.
    fn check(&self, block: &Block<'_>) -> Result<(), ValueError> {
        let stored =
            ValueError::first(block.find_stored(|column, value| self.columns[column].problem(value)));
        let zero = match block {
            Block::Sparse(sparse) if !self.zeros.refused.is_empty() => self.refused_zero(sparse),
            _ => None,
        };
        let errors = stored.err().into_iter().chain(zero);
        errors.min_by_key(|error| (error.row, error.column)).map_or(Ok(()), Err)
    }

    /// The first cell that is not stored, and so zero, in a column that refuses zeros.
    fn refused_zero(&self, rows: &Sparse<'_>) -> Option<ValueError> {
        rows.rows().enumerate().find_map(|(row, (stored, _))| {
            let mut refused = self.zeros.refused.iter();
            let &column = refused.find(|&&column| stored.find(column).is_none())?;
            let reason = self.columns[column].problem(0.0)?;
            Some(ValueError { row, column, value: 0.0, reason })
        })
    }

    fn score_dense(&self, block: &Block<'_>, mut visit: impl FnMut(usize, &[Compensated])) {
        let mut sums = self.intercepts.clone();
        block.for_each_row(|row, cells| {
            sums.copy_from_slice(&self.intercepts);
            for (column, &value) in self.columns.iter().zip(cells) {
                add(column.excess(value), &mut sums);
            }
            visit(row, &sums);
        });
    }

    /// Work in proportion to what is stored.
    fn score_sparse(&self, rows: &Sparse<'_>, mut visit: impl FnMut(usize, &[Compensated])) {
        let mut sums = self.zeros.sums.clone();
        let mut impossible = self.zeros.impossible.clone();
        for (row, (columns, values)) in rows.rows().enumerate() {
            sums.copy_from_slice(&self.zeros.sums);
            impossible.copy_from_slice(&self.zeros.impossible);
            for (column, &value) in columns.iter().zip(values) {
                let column = &self.columns[column];
                // A column that refuses zeros is not part of the start.
                if column.problem(0.0).is_none() {
                    let zero = column.excess(0.0);
                    for (class, sum) in sums.iter_mut().enumerate() {
                        match zero.of(class) {
                            term if term.is_finite() => sum.add(-term),
                            _ => impossible[class] -= 1,
                        }
                    }
                }
                add(column.excess(value), &mut sums);
            }
            for (sum, &impossible) in sums.iter_mut().zip(&impossible) {
                if impossible > 0 {
                    sum.add(f64::NEG_INFINITY);
                }
            }
            visit(row, &sums);
        }
    }
}

/// Adds what a cell says to the scores of all classes.
#[inline(always)]
fn add(excess: Excess<'_>, sums: &mut [Compensated]) {
    match excess {
        Excess::Zero => {}
        Excess::Product(weights, factor) => {
            sums.iter_mut().zip(weights).for_each(|(sum, weight)| sum.add(weight * factor));
        }
        Excess::Score(scores) => sums.iter_mut().zip(scores).for_each(|(sum, &score)| sum.add(score)),
    }
}
