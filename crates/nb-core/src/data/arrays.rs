//! Rows that are arrays, slices or vectors of their own.

use std::ops::Range;

use super::{Block, BlockBuffer, Dense, Element, Rows};

/// `n_rows × N`: a slice of rows of the same length.
///
/// ```
/// use nb_core::{Gaussian, NaiveBayes};
///
/// let x = [[1.0, 5.0], [2.0, 6.0], [8.0, 1.0], [9.0, 2.0]];
/// let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
/// assert_eq!(classifier.predict(&[[1.5, 5.5]])?, ["low"]);
/// let read: Vec<[f32; 2]> = vec![[8.5, 1.5]];
/// assert_eq!(classifier.predict(&read)?, ["high"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<T: Element, const N: usize> Rows for [[T; N]] {
    fn n_rows(&self) -> usize {
        self.len()
    }

    fn n_columns(&self) -> usize {
        N
    }

    fn copy_rows(&self, rows: &[usize], buffer: &mut BlockBuffer) {
        buffer.start_dense(N);
        for &row in rows {
            buffer.push_dense_row(self[row].iter().map(|&value| value.to_f64()));
        }
    }

    fn block(&self, rows: Range<usize>) -> Option<Block<'_>> {
        let rows = self.get(rows)?;
        T::block(Dense::new(rows.as_flattened(), rows.len(), N)?)
    }
}

/// Does what the slice does.
macro_rules! as_slice {
    ($([$($generics:tt)*] $type:ty),*) => {$(
        impl<T: Element, $($generics)*> Rows for $type {
            fn n_rows(&self) -> usize {
                self.as_slice().n_rows()
            }

            fn n_columns(&self) -> usize {
                N
            }

            fn copy_rows(&self, rows: &[usize], buffer: &mut BlockBuffer) {
                self.as_slice().copy_rows(rows, buffer);
            }

            fn block(&self, rows: Range<usize>) -> Option<Block<'_>> {
                self.as_slice().block(rows)
            }
        }
    )*};
}

as_slice!([const N: usize] Vec<[T; N]>, [const N: usize, const M: usize] [[T; N]; M]);

/// Rows that are slices or vectors, which were checked to have the same length.
///
/// ```
/// use nb_core::{Gaussian, NaiveBayes, rows::RowSlices};
///
/// let x = vec![vec![1.0, 5.0], vec![2.0, 6.0], vec![8.0, 1.0], vec![9.0, 2.0]];
/// let x = RowSlices::new(&x)?;
/// let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
/// assert_eq!(classifier.predict(&RowSlices::new(&[[8.5, 1.5]])?)?, ["high"]);
///
/// let error = RowSlices::new(&[vec![1.0, 5.0], vec![2.0]]).unwrap_err();
/// assert_eq!(error.to_string(), "row 1 (counted from 0) has 1 cell where the first row has 2; rows need the same length");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RowSlices<'a, R, T = f64> {
    rows: &'a [R],
    n_columns: usize,
    cells: std::marker::PhantomData<fn() -> T>,
}

/// A row has another length than the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "row {row} (counted from 0) has {found} {} where the first row has {expected}; rows need the same length",
    if *.found == 1 { "cell" } else { "cells" }
)]
#[non_exhaustive]
pub struct RowLengthError {
    /// The row.
    pub row: usize,
    /// The length of the first row.
    pub expected: usize,
    /// The length of this row.
    pub found: usize,
}

impl<'a, R: AsRef<[T]>, T: Element> RowSlices<'a, R, T> {
    /// Checks that all rows have the length of the first.
    ///
    /// # Errors
    /// [`RowLengthError`] names the first row of another length.
    pub fn new(rows: &'a [R]) -> Result<Self, RowLengthError> {
        let n_columns = rows.first().map_or(0, |row| row.as_ref().len());
        match rows.iter().position(|row| row.as_ref().len() != n_columns) {
            None => Ok(Self { rows, n_columns, cells: std::marker::PhantomData }),
            Some(row) => {
                let (expected, found) = (n_columns, rows[row].as_ref().len());
                Err(RowLengthError { row, expected, found })
            }
        }
    }
}

impl<R: AsRef<[T]> + Sync, T: Element> Rows for RowSlices<'_, R, T> {
    fn n_rows(&self) -> usize {
        self.rows.len()
    }

    fn n_columns(&self) -> usize {
        self.n_columns
    }

    fn copy_rows(&self, rows: &[usize], buffer: &mut BlockBuffer) {
        buffer.start_dense(self.n_columns);
        for &row in rows {
            // A type may give another slice each time; missing cells keep what follows from it from being a
            // panic.
            let cells = self.rows[row].as_ref().iter().map(|&value| value.to_f64());
            buffer.push_dense_row(cells.chain(std::iter::repeat(f64::NAN)).take(self.n_columns));
        }
    }
}
