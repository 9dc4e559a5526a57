//! Sixteen rows in single precision, as sums of distances take them.

use std::ops::Range;

use crate::kernels::gaussian::single::parameters::SinglePrecision;
use nb_simd::{LANES_F32, tile::TILE_ROWS};

/// Sixteen columns, or of sixteen rows one number each: a whole line of the cache, as reading two halves
/// would take twice the time.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Strip(pub(crate) [f32; LANES_F32]);

impl Strip {
    pub(crate) const ZERO: Self = Self([0.0; LANES_F32]);
}

/// A number as it lies in memory.
pub(crate) trait Cell: Copy {
    /// The difference in single precision.
    fn sub_single(self, center: f32) -> f32;

    /// Sixteen of them.
    #[inline(always)]
    fn sub_all(cells: &[Self; LANES_F32], Strip(centers): &Strip) -> Strip {
        let mut differences = [0.0; LANES_F32];
        for lane in 0..LANES_F32 {
            differences[lane] = cells[lane].sub_single(centers[lane]);
        }
        Strip(differences)
    }
}

impl Cell for f64 {
    #[inline(always)]
    fn sub_single(self, center: f32) -> f32 {
        (self - f64::from(center)) as f32
    }
}

impl Cell for f32 {
    #[inline(always)]
    fn sub_single(self, center: f32) -> f32 {
        self - center
    }
}

/// Sixteen rows relative to the columns' centers.
pub(crate) struct Tile {
    pub(crate) strips: Vec<[Strip; TILE_ROWS]>,
}

impl Tile {
    /// Memory for this many strips.
    pub(crate) fn new(n_strips: usize) -> Self {
        Self { strips: vec![[Strip::ZERO; TILE_ROWS]; n_strips] }
    }

    /// Some columns of sixteen rows relative to their centers.
    ///
    /// The rows are read side by side and to their ends, panel after panel, which processors see coming: one
    /// after the other, or panels of all rows, took twice the time in wide rows (on Zen 4).
    #[inline(always)]
    pub(crate) fn fill<T: Cell>(
        &mut self,
        single: &SinglePrecision,
        cells: &[T],
        starts: &[usize; TILE_ROWS],
        strips: Range<usize>,
    ) {
        for (strip, turned) in strips.zip(&mut self.strips) {
            let first_column = single.first_column(strip);
            let center = Strip(*chunk(&single.centers, first_column));
            for row in 0..TILE_ROWS {
                turned[row] = T::sub_all(chunk(cells, starts[row] + first_column), &center);
            }
        }
    }
}

/// Where the first sixteen of the rows start among the cells. The last row is repeated to fill the tile.
pub(crate) fn starts(rows: Range<usize>, n_columns: usize) -> [usize; TILE_ROWS] {
    std::array::from_fn(|row| (rows.start + row).min(rows.end - 1) * n_columns)
}

/// Number of values from the first on.
#[inline(always)]
fn chunk<T, const N: usize>(numbers: &[T], first: usize) -> &[T; N] {
    numbers[first..].first_chunk().unwrap_or_else(|| unreachable!("strips lie within the row"))
}
