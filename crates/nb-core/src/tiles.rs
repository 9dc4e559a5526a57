//! Tiles: a few rows turned so that each column lies in one vector, for scoring many rows at once.
//!
//! A register then holds one column of eight rows. The parameters of a class are broadcast, every row is summed in the
//! order of the columns as if it were alone, and nothing is added across a register.

use crate::{
    DenseBlock,
    instructions::{Code, LANES, prefetch},
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
    pub(crate) fn turn<C: Code>(
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
        // The rows after the block are likely the next to come.
        let ahead = if block.values().len() <= 1 << 16 { block.values().len() } else { 0 };
        for vector in 0..VECTORS {
            let top = vector * LANES;
            let rows = n_rows.saturating_sub(top).min(LANES);
            let cells = block.values().get((first_row + top) * n_columns + first_column..).unwrap_or(&[]);
            let row = |lane: usize, column: usize| -> &[f64; LANES] {
                let cells = cells[lane * n_columns + column..].first_chunk();
                cells.unwrap_or_else(|| unreachable!("a square lies within the block"))
            };
            let mut done = 0;
            if rows == LANES && width >= LANES {
                while done < width {
                    // The last square takes its full width from the columns before it.
                    let left = done.min(width - LANES);
                    let square: [&[f64; LANES]; LANES] = std::array::from_fn(|lane| row(lane, left));
                    for row in square {
                        prefetch(&row[0], ahead);
                    }
                    for (turned, column) in columns[left..left + LANES].iter_mut().zip(C::turn(&square)) {
                        turned[vector] = column;
                    }
                    done = left + LANES;
                }
            }
            for lane in 0..rows {
                let rest = &cells[lane * n_columns + done..lane * n_columns + width];
                for (turned, &value) in columns[done..].iter_mut().zip(rest) {
                    turned[vector][lane] = value;
                }
            }
        }
        columns
    }
}
