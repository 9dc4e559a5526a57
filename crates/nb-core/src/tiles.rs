//! Tiles: a few rows turned so that each column lies in one vector, for scoring many rows at once.
//!
//! A register then holds one column of eight rows. The parameters of a class are broadcast, every row is summed in the
//! order of the columns as if it were alone, and nothing is added across a register.

use crate::{
    DenseBlock,
    instructions::{LANES, prefetch},
};

/// Vectors side by side: two, so that an addition need not wait for the one before it.
pub(crate) const VECTORS: usize = 2;

/// The rows of a tile.
pub(crate) const TILE_ROWS: usize = VECTORS * LANES;

/// The columns that are turned at a time: 32 KiB of them, which is about the first-level cache.
pub(crate) const PANEL: usize = 256;

/// One column of the rows of a tile.
pub(crate) type Turned = [[f64; LANES]; VECTORS];

/// Some columns of up to [`TILE_ROWS`] rows, turned. Rows beyond the last are zero.
#[derive(Debug)]
pub(crate) struct Tile {
    columns: Vec<Turned>,
}

impl Tile {
    /// Memory for a tile of a block.
    pub(crate) fn new(block: &DenseBlock<'_>) -> Self {
        Self { columns: vec![[[0.0; LANES]; VECTORS]; block.n_columns().min(PANEL)] }
    }

    /// Turns the columns `first_column..` of the rows `first_row..`; fewer than a panel at the end.
    #[inline(always)]
    pub(crate) fn turn(
        &mut self,
        block: &DenseBlock<'_>,
        first_row: usize,
        first_column: usize,
    ) -> &[Turned] {
        let n_columns = block.n_columns();
        let width = self.columns.len().min(n_columns - first_column);
        let columns = &mut self.columns[..width];
        let n_rows = (block.n_rows() - first_row).min(TILE_ROWS);
        if n_rows < TILE_ROWS {
            columns.fill([[0.0; LANES]; VECTORS]);
        }
        let cells = &block.values()[first_row * n_columns + first_column..];
        // The rows after the block are likely the next to come.
        let ahead = if block.values().len() <= 1 << 16 { block.values().len() } else { 0 };
        for vector in 0..VECTORS {
            let rows = n_rows.saturating_sub(vector * LANES).min(LANES);
            let cells = &cells[(vector * LANES * n_columns).min(cells.len())..];
            let mut column = 0;
            if rows == LANES {
                // Eight by eight, which the compiler turns in registers.
                while column + LANES <= width {
                    let mut square = [[0.0; LANES]; LANES];
                    for (lane, square) in square.iter_mut().enumerate() {
                        let row = &cells[lane * n_columns + column..][..LANES];
                        prefetch(&row[0], ahead);
                        square.copy_from_slice(row);
                    }
                    for (offset, turned) in columns[column..column + LANES].iter_mut().enumerate() {
                        for lane in 0..LANES {
                            turned[vector][lane] = square[lane][offset];
                        }
                    }
                    column += LANES;
                }
            }
            for lane in 0..rows {
                let row = &cells[lane * n_columns..][..width];
                for (turned, &value) in columns[column..].iter_mut().zip(&row[column..]) {
                    turned[vector][lane] = value;
                }
            }
        }
        columns
    }
}
