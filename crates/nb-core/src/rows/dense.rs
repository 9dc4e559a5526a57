//! Dense input: ndarray arrays and views in any memory order.

use ndarray::{ArrayBase, Data, Ix2};

use super::{Block, BlockBuffer, Cells, Codes, DenseBlock, Rows};

/// A number type that the cells of a table may have. Every value becomes an `f64` exactly.
pub trait Element: Copy + Send + Sync + 'static {
    /// The value as `f64`.
    fn to_f64(self) -> f64;

    /// The slice itself, if the type is `f64`.
    fn as_f64_slice(slice: &[Self]) -> Option<&[f64]> {
        let _ = slice;
        None
    }

    /// The slice itself, if the type is `f32`.
    fn as_f32_slice(slice: &[Self]) -> Option<&[f32]> {
        let _ = slice;
        None
    }

    /// The slice itself, if the type is `u8`.
    fn as_u8_slice(slice: &[Self]) -> Option<&[u8]> {
        let _ = slice;
        None
    }
}

impl Element for f64 {
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }

    fn as_f64_slice(slice: &[Self]) -> Option<&[f64]> {
        Some(slice)
    }
}

impl Element for f32 {
    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    fn as_f32_slice(slice: &[Self]) -> Option<&[f32]> {
        Some(slice)
    }
}

impl Element for u8 {
    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    fn as_u8_slice(slice: &[Self]) -> Option<&[u8]> {
        Some(slice)
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
        buffer.start_dense(self.ncols());
        for &row in rows {
            buffer.push_dense_row(self.row(row).iter().map(|&value| value.to_f64()));
        }
    }

    fn copy_range(&self, first: usize, end: usize, buffer: &mut BlockBuffer) {
        let n_columns = self.ncols();
        let numbers = first * n_columns..end * n_columns;
        if let Some(cells) = self.as_slice().and_then(|cells| cells.get(numbers)) {
            buffer.fill_dense(n_columns, end - first, cells);
        } else {
            let numbers: Vec<usize> = (first..end).collect();
            self.copy_rows(&numbers, buffer);
        }
    }

    fn block(&self, first: usize, end: usize) -> Option<Block<'_>> {
        let (n_rows, n_columns) = (end.checked_sub(first)?, self.ncols());
        let cells = self.as_slice()?.get(first * n_columns..end * n_columns)?;
        DenseBlock::new(T::as_f64_slice(cells)?, n_rows, n_columns).map(Block::Dense)
    }

    fn codes(&self, first: usize, end: usize) -> Option<Codes<'_>> {
        cells(self, first, end, T::as_u8_slice)
    }

    fn singles(&self, first: usize, end: usize) -> Option<Cells<'_, f32>> {
        cells(self, first, end, T::as_f32_slice)
    }
}

/// Some rows as they lie in memory, if they lie one after the other and `cast` has their type.
fn cells<'a, T: Element, S: Data<Elem = T>, U>(
    table: &'a ArrayBase<S, Ix2>,
    first: usize,
    end: usize,
    cast: impl Fn(&'a [T]) -> Option<&'a [U]>,
) -> Option<Cells<'a, U>> {
    let (n_rows, n_columns) = (end.checked_sub(first)?, table.ncols());
    let cells = table.as_slice()?.get(first * n_columns..end * n_columns)?;
    Cells::new(cast(cells)?, n_rows, n_columns)
}
