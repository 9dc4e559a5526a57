//! Rows of counts as a regression sees them.

use nb_core::{
    FeatureModel, Multinomial, Rows,
    error::ValueError,
    family::{Block, BlockBuffer},
};

use crate::walk::each_block;

/// Rows whose cells are indicators of counts, or the counts themselves, times a number per column. Rows that
/// are sparse stay sparse.
pub(super) struct Features<'a, R: ?Sized> {
    pub(super) rows: &'a R,
    pub(super) binarize: bool,
    pub(super) scale: Option<&'a [f64]>,
}

impl<R: Rows + ?Sized> Features<'_, R> {
    #[inline]
    fn of(&self, column: usize, count: f64) -> f64 {
        let feature = if self.binarize { f64::from(u8::from(count > 0.0)) } else { count };
        self.scale.map_or(feature, |scale| feature * scale[column])
    }
}

impl<R: Rows + ?Sized> Rows for Features<'_, R> {
    fn n_rows(&self) -> usize {
        self.rows.n_rows()
    }

    fn n_columns(&self) -> usize {
        self.rows.n_columns()
    }

    fn copy_rows(&self, rows: &[usize], buffer: &mut BlockBuffer) {
        let mut counts = BlockBuffer::default();
        self.rows.copy_rows(rows, &mut counts);
        let feature = |(column, &count): (usize, &f64)| self.of(column, count);
        if let Block::Sparse(sparse) = counts.block() {
            buffer.start_sparse(self.n_columns());
            for (columns, cells) in sparse.rows() {
                let cells = columns.iter().zip(cells);
                buffer.push_sparse_row(cells.map(|cell| (cell.0, feature(cell))));
            }
        } else {
            buffer.start_dense(self.n_columns());
            counts.block().for_each_row(|_, cells| {
                buffer.push_dense_row(cells.iter().enumerate().map(feature));
            });
        }
    }
}

/// Refuses rows that are no counts: missing, infinite or negative cells.
pub(super) fn check_counts(rows: &(impl Rows + ?Sized)) -> Result<(), ValueError> {
    each_block(rows, |first, block| {
        let checked = Multinomial::default().check(block);
        checked.map_err(|error| ValueError { row: first + error.row, ..error })
    })
}
