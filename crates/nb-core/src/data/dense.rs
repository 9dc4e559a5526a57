//! Dense input: ndarray arrays and views in any memory order.

use std::ops::Range;

use ndarray::{ArrayBase, Data, Ix2};

use crate::data::{Block, BlockBuffer, Dense, Rows, range_of};

/// A number type that the cells of a table may have. Every value becomes an `f64` exactly.
pub trait Element: Copy + Send + Sync + 'static {
    /// The value as `f64`.
    fn to_f64(self) -> f64;

    /// The rows as they are stored, if there is a variant of [`Block`] for cells of this type.
    fn block(rows: Dense<'_, Self>) -> Option<Block<'_>> {
        let _ = rows;
        None
    }
}

impl Element for f64 {
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }

    fn block(rows: Dense<'_, Self>) -> Option<Block<'_>> {
        Some(Block::F64(rows))
    }
}

impl Element for f32 {
    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    fn block(rows: Dense<'_, Self>) -> Option<Block<'_>> {
        Some(Block::F32(rows))
    }
}

impl Element for u8 {
    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    fn block(rows: Dense<'_, Self>) -> Option<Block<'_>> {
        Some(Block::U8(rows))
    }
}

macro_rules! element {
    ($($number:ty),*) => {$(
        impl Element for $number {
            #[inline(always)]
            fn to_f64(self) -> f64 {
                f64::from(self)
            }
        }
    )*};
}

element!(i8, i16, i32, u16, u32);

impl<T: Element, S: Data<Elem = T> + Sync> Rows for ArrayBase<S, Ix2> {
    fn n_rows(&self) -> usize {
        self.nrows()
    }

    fn n_columns(&self) -> usize {
        self.ncols()
    }

    fn copy_rows(&self, rows: &[usize], buffer: &mut BlockBuffer) {
        let n_columns = self.ncols();
        if let Some(range) = range_of(rows)
            && let Some(cells) = self.as_slice()
            && let Some(cells) = cells.get(range.start * n_columns..range.end * n_columns)
        {
            return buffer.fill_dense(n_columns, range.len(), cells);
        }
        buffer.start_dense(n_columns);
        for &row in rows {
            buffer.push_dense_row(self.row(row).iter().map(|&value| value.to_f64()));
        }
    }

    fn block(&self, rows: Range<usize>) -> Option<Block<'_>> {
        let n_columns = self.ncols();
        let cells = self.as_slice()?.get(rows.start * n_columns..rows.end * n_columns)?;
        T::block(Dense::new(cells, rows.len(), n_columns)?)
    }
}
