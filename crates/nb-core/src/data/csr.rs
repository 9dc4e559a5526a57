//! Sparse input: a validated view of compressed sparse rows.

use std::ops::Range;

use crate::data::{Block, BlockBuffer, Dense, Element, Indices, Rows, Sparse, range_of};

/// An integer type for the positions and column numbers of a [`CsrView`].
pub trait Index: Copy + Ord + Send + Sync + 'static {
    /// The number as `usize`, or `None` if it is negative or too large.
    fn to_usize(self) -> Option<usize>;

    /// The slice itself, if blocks can refer to numbers of the type.
    fn indices(slice: &[Self]) -> Option<Indices<'_>> {
        let _ = slice;
        None
    }
}

impl Index for usize {
    fn to_usize(self) -> Option<usize> {
        Some(self)
    }

    fn indices(slice: &[Self]) -> Option<Indices<'_>> {
        Some(Indices::Usize(slice))
    }
}

impl Index for i32 {
    fn to_usize(self) -> Option<usize> {
        usize::try_from(self).ok()
    }

    fn indices(slice: &[Self]) -> Option<Indices<'_>> {
        Some(Indices::I32(slice))
    }
}

/// A number that was checked, so that it is not negative.
#[inline(always)]
pub(crate) fn number(index: impl Index) -> usize {
    index.to_usize().unwrap_or(0)
}

macro_rules! index {
    ($($int:ty),*) => {$(
        impl Index for $int {
            fn to_usize(self) -> Option<usize> {
                usize::try_from(self).ok()
            }
        }
    )*};
}

index!(i64, u32, u64);

/// A table in compressed sparse row form, as SciPy, sprs and Arrow lay it out: cells that are not stored are
/// zero.
///
/// ```
/// use nb_core::CsrView;
///
/// // [[0, 2, 0], [1, 0, 3]]
/// let x = CsrView::new(3, &[0, 1, 3], &[1, 0, 2], &[2.0, 1.0, 3.0])?;
/// # Ok::<(), nb_core::error::CsrError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CsrView<'a, T = f64, I = usize> {
    n_columns: usize,
    indptr: &'a [I],
    indices: &'a [I],
    values: &'a [T],
}

/// What is wrong with the three slices of a [`CsrView`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CsrError {
    /// `indptr` has no entry; even a table without rows has one.
    #[error("indptr is empty; it needs one entry more than there are rows")]
    NoIndptr,
    /// The number of column indices and that of values differ.
    #[error("{indices} column indices but {values} values; there must be one of each per stored cell")]
    Lengths {
        /// The number of column indices.
        indices: usize,
        /// The number of values.
        values: usize,
    },
    /// `indptr` does not start at zero, decreases, or does not end at the number of stored cells.
    #[error("indptr[{position}] is out of order; indptr must rise from 0 to the number of stored cells")]
    Indptr {
        /// The offending entry of `indptr`.
        position: usize,
    },
    /// A column index is negative or not below the number of columns.
    #[error("row {row} has a column index that is negative or not below {n_columns}")]
    Column {
        /// The row.
        row: usize,
        /// The number of columns.
        n_columns: usize,
    },
    /// The column indices of a row do not increase.
    #[error("the column indices of row {row} do not increase; sort them and add up duplicates first")]
    Unsorted {
        /// The row.
        row: usize,
    },
}

impl<'a, T: Element, I: Index> CsrView<'a, T, I> {
    /// Checks and wraps the three slices: row `i` has the cells `indptr[i]..indptr[i + 1]` of `indices`
    /// (column numbers, increasing) and `values`.
    ///
    /// # Errors
    /// [`CsrError`] names the first thing that is wrong.
    pub fn new(
        n_columns: usize,
        indptr: &'a [I],
        indices: &'a [I],
        values: &'a [T],
    ) -> Result<Self, CsrError> {
        if indptr.is_empty() {
            return Err(CsrError::NoIndptr);
        }
        if indices.len() != values.len() {
            return Err(CsrError::Lengths { indices: indices.len(), values: values.len() });
        }
        let mut start = 0;
        for (position, entry) in indptr.iter().enumerate() {
            let first_is_wrong = position == 0 && entry.to_usize() != Some(0);
            match entry.to_usize() {
                Some(end) if !first_is_wrong && end >= start && end <= values.len() => {
                    if position > 0 {
                        check_row(position - 1, &indices[start..end], n_columns)?;
                    }
                    start = end;
                }
                _ => return Err(CsrError::Indptr { position }),
            }
        }
        if start != values.len() {
            return Err(CsrError::Indptr { position: indptr.len() - 1 });
        }
        Ok(Self { n_columns, indptr, indices, values })
    }

    /// Where the cells of `row` begin. The entries were checked, so that none is negative.
    fn start(&self, row: usize) -> usize {
        number(self.indptr[row])
    }

    /// The values, if they are doubles.
    fn doubles(&self) -> Option<&[f64]> {
        match T::block(Dense::new(self.values, 1, self.values.len())?)? {
            Block::F64(values) => Some(values.values()),
            _ => None,
        }
    }

    fn copy_range(&self, rows: Range<usize>, buffer: &mut BlockBuffer) {
        let start = self.start(rows.start);
        let cells = start..self.start(rows.end);
        buffer.fill_sparse(
            self.n_columns,
            (rows.start..=rows.end).map(|row| self.start(row) - start),
            self.indices[cells.clone()].iter().copied().map(number),
            self.values[cells].iter().map(|value| value.to_f64()),
        );
    }
}

fn check_row<I: Index>(row: usize, columns: &[I], n_columns: usize) -> Result<(), CsrError> {
    // Without branches and in the caller's type, so that many are compared at a time: if they increase, none
    // is negative unless the first is, and none too large unless the last is.
    let pairs = columns.iter().zip(columns.get(1..).unwrap_or(&[]));
    let increase = pairs.filter(|(a, b)| a >= b).count() == 0;
    let ends = [columns.first(), columns.last()];
    let is_column = |end: &I| end.to_usize().is_some_and(|column| column < n_columns);
    if increase && ends.into_iter().flatten().all(is_column) {
        return Ok(());
    }
    let mut least = 0;
    for column in columns {
        match column.to_usize() {
            Some(column) if column < n_columns => {
                if column < least {
                    return Err(CsrError::Unsorted { row });
                }
                least = column + 1;
            }
            _ => return Err(CsrError::Column { row, n_columns }),
        }
    }
    Ok(())
}

impl<T: Element, I: Index> Rows for CsrView<'_, T, I> {
    fn n_rows(&self) -> usize {
        self.indptr.len() - 1
    }

    fn n_columns(&self) -> usize {
        self.n_columns
    }

    fn copy_rows(&self, rows: &[usize], buffer: &mut BlockBuffer) {
        if let Some(range) = range_of(rows) {
            return self.copy_range(range, buffer);
        }
        buffer.start_sparse(self.n_columns);
        for &row in rows {
            let cells = self.start(row)..self.start(row + 1);
            let columns = self.indices[cells.clone()].iter().copied().map(number);
            let values = self.values[cells].iter().map(|value| value.to_f64());
            buffer.push_sparse_row(columns.zip(values));
        }
    }

    fn block(&self, rows: Range<usize>) -> Option<Block<'_>> {
        // Positions in `indptr` count from the start of the whole table, so the cells stay whole.
        Some(Block::Sparse(Sparse {
            indptr: I::indices(self.indptr.get(rows.start..=rows.end)?)?,
            columns: I::indices(self.indices)?,
            values: self.doubles()?,
            n_columns: self.n_columns,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_defect_has_its_error() {
        let new = |indptr: &[i32], indices: &[i32], n_values: usize| {
            CsrView::new(3, indptr, indices, &vec![1.0; n_values]).map(|_| ())
        };
        assert_eq!(new(&[0, 1, 3], &[1, 0, 2], 3), Ok(()));
        assert_eq!(new(&[0], &[], 0), Ok(()));
        assert_eq!(new(&[], &[], 0), Err(CsrError::NoIndptr));
        assert_eq!(new(&[0, 1], &[1], 2), Err(CsrError::Lengths { indices: 1, values: 2 }));
        assert_eq!(new(&[1, 1], &[1], 1), Err(CsrError::Indptr { position: 0 }));
        assert_eq!(new(&[0, 2, 1], &[0, 1], 2), Err(CsrError::Indptr { position: 2 }));
        assert_eq!(new(&[0, 1], &[0, 1], 2), Err(CsrError::Indptr { position: 1 }));
        assert_eq!(new(&[0, -1], &[], 0), Err(CsrError::Indptr { position: 1 }));
        assert_eq!(new(&[0, 1], &[3], 1), Err(CsrError::Column { row: 0, n_columns: 3 }));
        assert_eq!(new(&[0, 1], &[-1], 1), Err(CsrError::Column { row: 0, n_columns: 3 }));
        assert_eq!(new(&[0, 0, 2], &[1, 1], 2), Err(CsrError::Unsorted { row: 1 }));
        assert_eq!(new(&[0, 2], &[2, 1], 2), Err(CsrError::Unsorted { row: 0 }));
    }
}
