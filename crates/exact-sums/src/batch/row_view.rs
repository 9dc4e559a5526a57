//! Rows in memory, as exact sums take them: their cells, and those that come next.

use nb_simd::{LANES, Vector};

/// Some rows of a table that lie in memory one after the other.
#[derive(Clone, Copy, Debug)]
pub struct RowView<'a, T = f64> {
    /// All cells of the table, row after row.
    pub values: &'a [T],
    /// How many cells a row has.
    pub n_columns: usize,
    /// Which rows; the numbers increase.
    pub rows: &'a [u32],
    /// Which other cells will be needed.
    pub ahead: PrefetchHint,
}

impl<'a, T> RowView<'a, T> {
    /// These rows of them.
    fn only(&self, rows: &'a [u32]) -> Self {
        Self { rows, ..*self }
    }

    /// Whether rows that are walked through column group after column group are apart by a multiple of 512
    /// bytes. The cells of one column then belong to a few sets of the nearest cache and drive each other
    /// out; a batch of rows has room there. Tables of 4,096 columns take three fifths of the time that
    /// way.
    pub(crate) fn has_cache_set_conflicts(&self) -> bool {
        const APART: usize = 512;
        matches!(self.ahead, PrefetchHint::InRow) && (size_of::<T>() * self.n_columns).is_multiple_of(APART)
    }

    /// These rows in parts of at most this many.
    pub(crate) fn parts(&self, most: usize) -> impl Iterator<Item = Self> {
        self.rows.chunks(most).zip((0..).step_by(most)).map(|(rows, before)| {
            let ahead = match self.ahead {
                PrefetchHint::Following(rows_before) => PrefetchHint::Following(rows_before + before),
                ahead => ahead,
            };
            Self { ahead, ..self.only(rows) }
        })
    }

    /// The rows from whose start on there is a whole vector of cells, and the others: the last ones of a
    /// narrow table.
    pub(crate) fn split_last(&self) -> (Self, Self) {
        let has_vector = |&row: &u32| row as usize * self.n_columns + LANES <= self.values.len();
        let n_full =
            if self.n_columns < LANES { self.rows.partition_point(has_vector) } else { self.rows.len() };
        let (full, last) = self.rows.split_at(n_full);
        (self.only(full), self.only(last))
    }

    /// The same without the first columns. At least a group of columns must remain.
    ///
    /// The distance from row to row, `n_columns`, stays the same.
    ///
    /// ```
    /// # use exact_sums::batch::{PrefetchHint, RowView};
    /// let values: Vec<f64> = (0..20).map(f64::from).collect();
    /// let rows = RowView { values: &values, n_columns: 10, rows: &[0, 1], ahead: PrefetchHint::Nothing };
    /// let others = rows.without_columns(2);
    /// assert_eq!((others.values[0], others.n_columns), (2.0, 10));
    /// ```
    #[must_use]
    pub fn without_columns(&self, n_first: usize) -> Self {
        Self { values: &self.values[n_first.min(self.values.len())..], ..*self }
    }

    /// Number of cells of a row, or in a narrow table a vector of cells from its start on.
    #[inline(always)]
    pub(crate) fn cells(&self, row: u32, n_columns: usize) -> &'a [T] {
        &self.values[row as usize * self.n_columns..][..n_columns.max(LANES)]
    }

    /// The cells of a row from column `first` on, as many as a vector has.
    #[inline(always)]
    pub(crate) fn group(&self, row: u32, first: usize) -> &'a [T; LANES] {
        strip_of(self.values, row as usize * self.n_columns + first)
    }
}

/// The cells from one place on, as many as a vector has.
#[inline(always)]
pub(crate) fn strip_of<T>(cells: &[T], place: usize) -> &[T; LANES] {
    cells[place..].first_chunk().unwrap_or_else(|| unreachable!("bins end in their rows"))
}

/// Which cells to ask the memory for while others are worked on.
#[derive(Clone, Copy, Debug)]
pub enum PrefetchHint {
    /// None.
    Nothing,
    /// Those that follow the table, in the order of memory. This many rows of the table come before the given
    /// ones.
    Following(usize),
    /// The column groups further on in the same rows.
    InRow,
}

impl PrefetchHint {
    /// What suits the rows of a class in a block of these cells, if this many rows are of classes before it;
    /// `continues` says whether the cells behind the block come next.
    ///
    /// ```
    /// # use exact_sums::batch::PrefetchHint;
    /// assert!(matches!(PrefetchHint::of_block(&[0.0; 80], 7, true), PrefetchHint::Following(7)));
    /// assert!(matches!(PrefetchHint::of_block(&[0.0; 80], 7, false), PrefetchHint::Nothing));
    /// ```
    pub fn of_block<T>(cells: &[T], rows_before: usize, continues: bool) -> Self {
        /// Up to this many bytes a block and the one after it fit into the second-level cache together.
        const SMALL: usize = (1 << 20) / 2;
        match continues {
            _ if size_of_val(cells) > SMALL => Self::InRow,
            true => Self::Following(rows_before),
            false => Self::Nothing,
        }
    }
}

/// A number that rows are made of.
pub trait Cell: Copy + Send + Sync + 'static {
    /// The number, in double precision.
    fn to_f64(self) -> f64;

    /// Eight of them, in double precision.
    fn load<V: Vector>(cells: &[Self; LANES]) -> V;
}

impl Cell for f64 {
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }

    #[inline(always)]
    fn load<V: Vector>(cells: &[f64; LANES]) -> V {
        V::load(cells)
    }
}

impl Cell for f32 {
    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    #[inline(always)]
    fn load<V: Vector>(cells: &[f32; LANES]) -> V {
        V::load_f32(cells)
    }
}
