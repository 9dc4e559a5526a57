//! The sums of sparse rows under construction: plain doubles, the classes of a column side by side.

use crate::{ClassifiedRows, SparseBlock};

/// Values up to this are gathered.
pub(super) const LARGEST_COUNT: f64 = (1 << 20) as f64;

/// So many rows are gathered, each with at most one value in a column: a sum stays below `2^20 2^32`, and sums of whole
/// numbers below `2^53` do not round.
const MOST_ROWS: u64 = 1 << 32;

/// With more classes than this, the sums themselves are as good: most of what a row adds to is far apart either way, and
/// memory for all classes twice is a lot.
const MOST_CLASSES: usize = 256;

/// The columns that are turned together.
const STRIP: usize = 128;

/// Whole counts by column and class.
///
/// A stored cell adds to a place in a table of 16 MB in a text model of 20 classes and 100,000 words. What that costs is
/// the way to memory, so that neighbouring cells of frequent words should share lines.
#[derive(Debug, Default)]
pub(super) struct Cells {
    n_columns: usize,
    n_classes: usize,
    /// Places for so many classes lie between the columns.
    stride: usize,
    n_rows: u64,
    /// By column and class.
    sums: Vec<f64>,
    /// By class, once the table has been taken apart.
    planes: Vec<Vec<f64>>,
}

impl Cells {
    pub(super) fn new(n_columns: usize) -> Self {
        Self { n_columns, ..Self::default() }
    }

    /// Adds `count(value)` for every stored cell: a whole number up to [`LARGEST_COUNT`]. Whether there was room.
    pub(super) fn add(
        &mut self,
        block: &SparseBlock<'_>,
        rows: &ClassifiedRows<'_>,
        count: impl Fn(f64) -> f64,
    ) -> bool {
        self.n_rows += block.indptr.len() as u64;
        if rows.n_classes() > MOST_CLASSES || self.n_rows > MOST_ROWS {
            return false;
        }
        self.reserve(rows.n_classes());
        for class in 0..rows.n_classes() {
            let sums = &mut self.sums[class..];
            for &row in rows.of_class(class) {
                let stored = block.indptr[row as usize]..block.indptr[row as usize + 1];
                for (&column, &value) in block.indices[stored.clone()].iter().zip(&block.values[stored]) {
                    sums[column * self.stride] += count(value);
                }
            }
        }
        true
    }

    /// Makes room for so many classes.
    fn reserve(&mut self, n_classes: usize) {
        self.n_classes = n_classes;
        if n_classes <= self.stride {
            return;
        }
        let stride = if self.stride == 0 { n_classes } else { n_classes.max(self.stride * 5 / 4) };
        let mut sums = vec![0.0; self.n_columns * stride];
        if self.stride > 0 {
            for (to, from) in sums.chunks_exact_mut(stride).zip(self.sums.chunks_exact(self.stride)) {
                to[..from.len()].copy_from_slice(from);
            }
        }
        (self.stride, self.sums) = (stride, sums);
    }

    /// The sums of a class, once; `None` if it has none.
    pub(super) fn take(&mut self, class: usize) -> Option<Vec<f64>> {
        if !self.sums.is_empty() {
            self.planes = vec![vec![0.0; self.n_columns]; self.n_classes];
            for (strip, sums) in self.sums.chunks(STRIP * self.stride).enumerate() {
                for (class, plane) in self.planes.iter_mut().enumerate() {
                    let plane = plane[strip * STRIP..].iter_mut();
                    plane.zip(sums[class..].iter().step_by(self.stride)).for_each(|(to, from)| *to = *from);
                }
            }
            self.sums = Vec::new();
        }
        self.planes.get_mut(class).map(std::mem::take).filter(|plane| !plane.is_empty())
    }
}
