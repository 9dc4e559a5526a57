//! Asking for memory before it is needed, a little at a time.
//!
//! A processor waits for a few dozen lines of memory at once. Asked for a whole tile it stalls until most of
//! it has come, and while the tile is worked on the memory idles. So kernels ask for the tiles to come in the
//! midst of their work, a line or two at each step: labels of dense counts take three quarters of the time
//! that way.

use std::hint::black_box;

use crate::{LINE, tile::TILE_ROWS};

/// Asks for the cache line that lies `ahead` numbers behind the first of these. Neither need exist: this is a
/// hint that reads nothing and cannot fail.
///
/// It goes into the second-level cache. The nearest one has few places for what is on its way, and cells at
/// hand wait for them: on Zen 4, dense rows take up to twice the time that way, and sparse ones up to a half
/// more.
#[inline(always)]
#[cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "a prefetch reads nothing, whatever its address")
)]
pub fn prefetch<T>(numbers: &[T], ahead: usize) {
    let address = numbers.as_ptr().wrapping_add(ahead);
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: a prefetch does not access memory as the language sees it, and faults on no address.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(address.cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// After this many columns a kernel does well to take a step: more often takes longer than it gains.
pub const COLUMNS: usize = 16;

/// Up to this many cells a block and the one after it fit into the second-level cache together.
const SMALL: usize = 1 << 16;

/// Asks for cells while a kernel works through the tiles of a block, panel by panel.
#[derive(Debug)]
pub struct Prefetcher<'a, T> {
    n_columns: usize,
    panel: usize,
    /// Whether a tile is followed by the next panel of its rows, and not by the next rows of its panel.
    along_rows: bool,
    walk: Walk<'a, T>,
    /// The lines of a tile that were not asked for yet, and how many to ask for at a step.
    left: usize,
    lines: usize,
}

/// A walk through the lines of a tile: the first of each row, the second of each row, and so on; or all as if
/// they were of one row.
#[derive(Clone, Copy, Debug)]
pub struct Walk<'a, T> {
    /// Whole rows, one after the other; more are likely to follow them.
    cells: &'a [T],
    next: usize,
    stride: usize,
    /// The rows until the next line of the first one, and how far that is from where the walk would go on.
    rows: usize,
    back: usize,
}

impl<T> Walk<'_, T> {
    /// Whether all lines are as if of one row.
    #[inline(always)]
    fn is_straight(&self) -> bool {
        self.rows > TILE_ROWS
    }

    /// Asks for the next line.
    #[inline(always)]
    pub fn step(&mut self) {
        prefetch(self.cells, self.next);
        self.next += self.stride;
        self.rows -= 1;
        if self.rows == 0 {
            self.next -= self.back;
            self.rows = TILE_ROWS;
        }
    }
}

impl<'a, T: Copy> Prefetcher<'a, T> {
    /// For rows of this many columns, of which a panel is worked on at a time.
    pub fn new(cells: &'a [T], n_columns: usize, panel: usize) -> Self {
        let walk = Walk { cells, next: 0, stride: 0, rows: usize::MAX, back: 0 };
        Self { n_columns, panel: panel.min(n_columns), along_rows: false, walk, left: 0, lines: 0 }
    }

    /// The same for a kernel that works through all panels of a tile's rows before it goes on to the next
    /// rows. In large blocks it prefetches two panels ahead: with one, labels of 20,000 columns take a
    /// seventh longer (Zen 5; measured by `predict dense`, 400 x 20000).
    pub fn along_rows(self) -> Self {
        Self { along_rows: true, ..self }
    }

    /// A tile is being worked on in this many steps.
    #[inline(always)]
    pub fn start_tile(&mut self, first_row: usize, first_column: usize, n_steps: usize) {
        let cells_a_line = LINE / size_of::<T>();
        let width = self.panel.min(self.n_columns - first_column);
        let n_cells = self.walk.cells.len();
        let n_rows = n_cells / self.n_columns;
        if n_cells <= SMALL {
            // The rows after a small block are likely the next to come: as many of them as there is of the
            // tile.
            let done = if self.along_rows {
                first_row * self.n_columns + first_column * TILE_ROWS.min(n_rows - first_row)
            } else {
                first_column * n_rows + first_row * width
            };
            self.walk.next = n_cells + done;
            (self.walk.stride, self.walk.rows) = (cells_a_line, usize::MAX);
            self.left = (TILE_ROWS * width).div_ceil(cells_a_line);
        } else {
            // In a large one it is the next tile, or along rows the one after the next.
            let (row, column) = if self.along_rows {
                let (row, column) = self.next_along(n_rows, first_row, first_column);
                self.next_along(n_rows, row, column)
            } else {
                self.next_down(n_rows, first_row, first_column)
            };
            self.walk.next = row * self.n_columns + column;
            (self.walk.stride, self.walk.rows) = (self.n_columns, TILE_ROWS);
            self.walk.back = TILE_ROWS * self.n_columns - cells_a_line;
            let width = self.panel.min(self.n_columns - column);
            self.left = TILE_ROWS * width.div_ceil(cells_a_line);
        }
        // Otherwise compilers divide again wherever they unroll what goes on for this many lines: forty times
        // a tile.
        self.lines = black_box(self.left.div_ceil(n_steps.max(1)));
    }

    /// The next tile of these rows, or else the first of the next rows, or of the next block.
    #[inline(always)]
    fn next_along(&self, n_rows: usize, row: usize, column: usize) -> (usize, usize) {
        let next = column + self.panel;
        if next < self.n_columns { (row, next) } else { (n_rows.min(row + TILE_ROWS), 0) }
    }

    /// The next tile of this panel, or else the first of the next panel, or of the next block.
    #[inline(always)]
    fn next_down(&self, n_rows: usize, row: usize, column: usize) -> (usize, usize) {
        let (next_row, next_column) = (row + TILE_ROWS, column + self.panel);
        match (next_row < n_rows, next_column < self.n_columns) {
            (true, _) => (next_row, column),
            (false, true) => (0, next_column),
            (false, false) => (n_rows, 0),
        }
    }

    /// A step is being done.
    #[inline(always)]
    pub fn step(&mut self) {
        let lines = self.lines.min(self.left);
        self.left -= lines;
        if self.walk.is_straight() {
            // The usual case, in as few instructions as possible.
            for line in 0..lines {
                prefetch(self.walk.cells, self.walk.next + line * self.walk.stride);
            }
            self.walk.next += lines * self.walk.stride;
        } else {
            for _ in 0..lines {
                self.walk.step();
            }
        }
    }

    /// A walk of this many lines, if there are lines left to ask for; else it leads nowhere. The caller must
    /// [`end`](Self::end) it.
    #[inline(always)]
    pub fn walk(&mut self, n_lines: usize) -> Walk<'a, T> {
        let mut walk = self.walk;
        if self.left == 0 {
            (walk.stride, walk.rows) = (0, usize::MAX);
        }
        self.left = self.left.saturating_sub(n_lines);
        walk
    }

    /// Goes on where a walk ended.
    #[inline(always)]
    pub fn end(&mut self, walk: Walk<'a, T>) {
        self.walk = walk;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places that are asked for while a tile is worked on, a line each.
    fn asked(prefetcher: &mut Prefetcher<'_, f64>, tile: (usize, usize)) -> Vec<usize> {
        prefetcher.start_tile(tile.0, tile.1, 7);
        let mut places = Vec::new();
        while prefetcher.left > 0 {
            let mut walk = prefetcher.walk(1);
            places.push(walk.next);
            walk.step();
            prefetcher.end(walk);
        }
        places
    }

    #[test]
    fn after_a_small_block_comes_the_next() {
        let cells = vec![0.0; 32 * 40];
        let mut prefetcher = Prefetcher::new(&cells, 40, 24);
        let mut places = Vec::new();
        for tile in [(0, 0), (16, 0), (0, 24), (16, 24)] {
            places.extend(asked(&mut prefetcher, tile));
        }
        let expected: Vec<usize> = (cells.len()..2 * cells.len()).step_by(8).collect();
        assert_eq!(places, expected);
    }

    #[test]
    fn in_a_large_block_the_next_tile_comes_next() {
        let n_columns = 5000;
        let cells = vec![0.0; 20 * n_columns];
        let mut prefetcher = Prefetcher::new(&cells, n_columns, 256);
        // Tile, and row, column and width of the one to ask for.
        for (tile, row, column, width) in [
            ((0, 0), 16, 0, 256),
            ((16, 0), 0, 256, 256),
            ((16, 4608), 0, 4864, 136),
            ((16, 4864), 20, 0, 256),
        ] {
            let lines = (column..column + width).step_by(8);
            let line = |column: usize| (row..row + TILE_ROWS).map(move |row| row * n_columns + column);
            let expected: Vec<usize> = lines.flat_map(line).collect();
            assert_eq!(asked(&mut prefetcher, tile), expected, "{tile:?}");
        }
    }

    #[test]
    fn along_rows_the_panel_after_the_next_comes_next() {
        let asked_first = |n_columns: usize, tile: (usize, usize)| {
            let cells = vec![0.0; 20 * n_columns];
            let mut prefetcher = Prefetcher::new(&cells, n_columns, 256).along_rows();
            asked(&mut prefetcher, tile).first().copied()
        };
        let large = 5000;
        for (tile, row, column) in [
            ((0, 0), 0, 512),
            ((0, 4608), 16, 0),
            ((0, 4864), 16, 256),
            ((16, 4608), 20, 0),
            ((16, 4864), 20, 256),
        ] {
            assert_eq!(asked_first(large, tile), Some(row * large + column), "{tile:?}");
        }
        let small = 300;
        for (tile, done) in
            [((0, 0), 0), ((0, 256), 16 * 256), ((16, 0), 16 * 300), ((16, 256), 16 * 300 + 4 * 256)]
        {
            assert_eq!(asked_first(small, tile), Some(20 * small + done), "{tile:?}");
        }
    }

    #[test]
    fn steps_ask_for_all_lines_and_no_more() {
        for n_rows in [16, 2000] {
            let cells = vec![0.0; n_rows * 40];
            let mut prefetcher = Prefetcher::new(&cells, 40, 24);
            for n_steps in [0, 1, 5, 1000] {
                let n_lines = asked(&mut prefetcher, (0, 0)).len();
                prefetcher.start_tile(0, 0, n_steps);
                let start = prefetcher.walk.next;
                for _ in 0..n_steps.max(1) {
                    prefetcher.step();
                }
                assert_eq!(prefetcher.left, 0);
                // Sixteen lines down, one to the right; or all in a row.
                let by_line = if n_rows == 16 { TILE_ROWS * 8 } else { 8 };
                assert_eq!(prefetcher.walk.next - start, n_lines / TILE_ROWS * by_line);
                let nowhere = prefetcher.walk(1);
                assert_eq!((nowhere.stride, nowhere.next), (0, prefetcher.walk.next));
            }
        }
    }

    #[test]
    fn nothing_is_asked_for_where_there_is_nothing() {
        let mut prefetcher = Prefetcher::<f64>::new(&[], 0, 8);
        prefetcher.step();
    }
}
