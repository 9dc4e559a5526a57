//! Tiles: a few rows turned so that each column lies in one vector, for scoring many rows at once.
//!
//! A register then holds one column of eight rows. The parameters of a class are broadcast, every row is
//! summed in the order of the columns as if it were alone, and nothing is added across a register.

use std::ops::Range;

use crate::{Isa, LANES, Vector};

/// Rows of doubles, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct RowMajor<'a> {
    /// All cells, row after row.
    pub values: &'a [f64],
    /// The number of rows.
    pub n_rows: usize,
    /// The number of columns.
    pub n_columns: usize,
}

/// Vectors side by side: two, so that an operation need not wait for the one before it.
pub const VECTORS: usize = 2;

/// The rows of a tile.
pub const TILE_ROWS: usize = VECTORS * LANES;

/// One number for each row of a tile.
pub type RowLanes = [[f64; LANES]; VECTORS];

/// The numbers of the rows of a tile.
#[inline(always)]
pub fn load<V: Vector>(values: &[f64]) -> [V; VECTORS] {
    let (lanes, _) = values.as_chunks();
    let mut vectors = [V::splat(0.0); VECTORS];
    for (vector, lanes) in vectors.iter_mut().zip(lanes) {
        *vector = V::load(lanes);
    }
    vectors
}

/// Puts back the numbers of the rows of a tile.
#[inline(always)]
pub fn store<V: Vector>(vectors: [V; VECTORS], values: &mut [f64]) {
    let (lanes, _) = values.as_chunks_mut();
    for (lanes, vector) in lanes.iter_mut().zip(vectors) {
        vector.store(lanes);
    }
}

/// One column of the rows of a tile. Whole lines of the cache, as reading two halves would take twice the
/// time.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Column(pub RowLanes);

/// A panel of columns of [`TILE_ROWS`] rows, turned.
#[derive(Debug)]
pub struct Tile {
    columns: Vec<Column>,
}

impl Tile {
    /// Memory for a tile of a block, of this many columns at most.
    #[inline]
    pub fn new(block: &RowMajor<'_>, panel: usize) -> Self {
        Self { columns: vec![Column([[0.0; LANES]; VECTORS]); block.n_columns.min(panel)] }
    }

    /// Turns the columns `first_column..` of the rows `first_row..`; fewer than a panel at the end. Rows
    /// beyond the last are the last once more.
    #[inline(always)]
    pub fn transpose<C: Isa>(
        &mut self,
        block: &RowMajor<'_>,
        first_row: usize,
        first_column: usize,
    ) -> &mut [Column] {
        let width = self.columns.len().min(block.n_columns - first_column);
        let columns = &mut self.columns[..width];
        for vector in 0..VECTORS {
            let rows = Rows8::of(block, first_row + vector * LANES, first_column..first_column + width);
            // Not by way of `for_each_transposed`, with which posteriors of 30 columns take 6 % longer.
            let mut done = 0;
            while done < width && width >= LANES {
                // The last square takes its full width from the columns before it.
                let left = done.min(width - LANES);
                for (column, turned) in columns[left..left + LANES].iter_mut().zip(rows.transpose::<C>(left))
                {
                    column.0[vector] = turned;
                }
                done = left + LANES;
            }
            for (number, column) in columns.iter_mut().enumerate().skip(done) {
                rows.copy_column(number, &mut column.0[vector]);
            }
        }
        columns
    }
}

/// Some columns of eight rows.
#[derive(Debug)]
pub struct Rows8<'a>([&'a [f64]; LANES]);

impl<'a> Rows8<'a> {
    /// From a row on; the last row is repeated to fill the tile.
    #[inline(always)]
    pub fn of(block: &RowMajor<'a>, first_row: usize, columns: Range<usize>) -> Self {
        let row = |lane: usize| {
            let row = (first_row + lane).min(block.n_rows - 1);
            &block.values[row * block.n_columns + columns.start..][..columns.len()]
        };
        Self([row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)])
    }

    /// How many columns there are.
    #[inline(always)]
    pub fn n_columns(&self) -> usize {
        self.0[0].len()
    }

    /// Copies a column cell by cell to where it is read from. An array that is returned would be read at
    /// once, and wait for its cells: labels of four columns take three fifths longer that way.
    #[inline(always)]
    fn copy_column(&self, number: usize, column: &mut [f64; LANES]) {
        for (cell, row) in column.iter_mut().zip(self.0) {
            *cell = row[number];
        }
    }

    /// Eight columns from one on, turned.
    #[inline(always)]
    fn transpose<C: Isa>(&self, left: usize) -> [[f64; LANES]; LANES] {
        let square: [&[f64; LANES]; LANES] = std::array::from_fn(|lane| {
            let cells = self.0[lane][left..].first_chunk();
            cells.unwrap_or_else(|| unreachable!("a square lies within the columns"))
        });
        C::transpose(&square)
    }

    /// Turns all columns and gives them to `take` in order, with their numbers: eight at a time, and what is
    /// left at the end.
    #[inline(always)]
    pub fn for_each_transposed<C: Isa>(&self, mut take: impl FnMut(Range<usize>, &[[f64; LANES]])) {
        let width = self.n_columns();
        let n_done = width / LANES * LANES;
        for left in (0..n_done).step_by(LANES) {
            take(left..left + LANES, &self.transpose::<C>(left));
        }
        if n_done > 0 && n_done < width {
            // The last square takes its full width from the columns before it.
            let left = width - LANES;
            take(n_done..width, &self.transpose::<C>(left)[n_done - left..]);
        } else {
            for number in n_done..width {
                let mut column = [0.0; LANES];
                self.copy_column(number, &mut column);
                take(number..number + 1, &[column]);
            }
        }
    }
}
