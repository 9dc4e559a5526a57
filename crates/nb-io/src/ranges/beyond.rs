//! Numbers beyond the ranges that a model knows.

use nb_core::Rows;
use nb_table::read::Table;

use super::finder::columns_of_numbers;
use crate::{Family, Model};

/// Counts the numbers of new rows that are beyond the ranges of a model ([`Model::value_ranges`]), and those
/// of binary columns that are neither 0 nor 1.
///
/// ```
/// # use nb_core::{Gaussian, Prior};
/// # use nb_io::{Family, Model, Schema};
/// use nb_io::{BeyondRanges, ValueRanges, read::Table};
/// use ndarray::array;
///
/// # let schema = Schema::numeric(["mass"], "species");
/// # let model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
/// let model = model.with_value_ranges(ValueRanges::default().with("mass", 2700.0, 6300.0));
/// let mut beyond = BeyondRanges::new(&model);
/// beyond.look(&Table::Dense(array![[4.2], [3.9], [4000.0]])); // kilograms
/// let found = beyond.finish();
/// assert_eq!((found[0].column.as_str(), found[0].n_beyond, found[0].n_cells), ("mass", 2, 3));
/// assert_eq!((found[0].least, found[0].greatest), (3.9, 4.2));
/// assert!(found[0].is_notable(344.0));
/// # Ok::<(), nb_io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct BeyondRanges {
    /// For each feature, what is known of it.
    columns: Vec<Option<Beyond>>,
    /// For each feature, how many cells sparse rows have stored.
    n_stored: Vec<u64>,
    /// How many rows were sparse.
    n_sparse: u64,
}

/// The numbers of a column that are beyond its range.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Beyond {
    /// The column.
    pub column: String,
    /// The range that the model knows.
    pub range: [f64; 2],
    /// Whether the column is binary for its family: its numbers are 0 and 1.
    pub is_binary: bool,
    /// How many cells are numbers.
    pub n_cells: u64,
    /// How many are beyond the range.
    pub n_beyond: u64,
    /// How many are far beyond it: by its width or more; of another sign; or, if all numbers were positive,
    /// smaller than the least of them by as large a factor as that is smaller than the greatest.
    pub n_far: u64,
    /// The least of those beyond; infinite if there are none.
    pub least: f64,
    /// The greatest of those beyond; infinite if there are none.
    pub greatest: f64,
}

impl Beyond {
    fn new(column: &str, range: [f64; 2], is_binary: bool) -> Self {
        Self {
            column: column.into(),
            range,
            is_binary,
            n_cells: 0,
            n_beyond: 0,
            n_far: 0,
            least: f64::INFINITY,
            greatest: f64::NEG_INFINITY,
        }
    }

    #[inline]
    fn add(&mut self, value: f64) {
        let [low, high] = self.range;
        self.n_cells += u64::from(!value.is_nan());
        if value < low || value > high || (self.is_binary && value > 0.0 && value < 1.0) {
            self.add_beyond(value);
        }
    }

    #[cold]
    fn add_beyond(&mut self, value: f64) {
        let [low, high] = self.range;
        let width = high - low;
        let is_far = value - high >= width
            || low - value >= width
            || (low >= 0.0 && value < 0.0)
            || (low > 0.0 && value <= low / high * low);
        self.n_beyond += 1;
        self.n_far += u64::from(is_far);
        self.least = self.least.min(value);
        self.greatest = self.greatest.max(value);
    }

    /// An upper bound of the probability of as many numbers beyond the range of `n_rows` others by chance, if
    /// all are drawn in the same way.
    ///
    /// That `a` of `m` new numbers are above `n` others, and `b` below, is that the `a` greatest and the `b`
    /// least of all are new: as each choice of the new ones is as probable as the others, its probability
    /// is at most the product of (m - i) / (n + m - i) for i from 0 to a + b - 1 (Wilks 1941,
    /// *Determination of sample sizes for setting tolerance limits*), and there are a + b + 1 ways
    /// to share them out.
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{BeyondRanges, Family, Model, Schema, ValueRanges, read::Table};
    /// # let schema = Schema::numeric(["x"], "class");
    /// # let model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # let model = model.with_value_ranges(ValueRanges::default().with("x", 0.0, 1.0));
    /// # let mut beyond = BeyondRanges::new(&model);
    /// beyond.look(&Table::Dense(ndarray::array![[1.1], [0.5]]));
    /// assert_eq!(beyond.finish()[0].chance(98.0), 2.0 * 2.0 / 100.0); // one of two beyond 98
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    pub fn chance(&self, n_rows: f64) -> f64 {
        let mut chance = self.n_beyond as f64 + 1.0;
        for above in 0..self.n_beyond {
            let rest = (self.n_cells - above) as f64;
            chance *= rest / (n_rows + rest);
            if chance == 0.0 {
                break;
            }
        }
        chance.min(1.0)
    }

    /// Whether a user should know of them: the column is binary, one is far beyond, or there are more than
    /// chance explains (by [`chance`](Self::chance) once in a hundred times).
    pub fn is_notable(&self, n_rows: f64) -> bool {
        self.n_beyond > 0 && (self.is_binary || self.n_far > 0 || self.chance(n_rows) < 0.01)
    }
}

impl BeyondRanges {
    /// For new rows with the columns of a model.
    pub fn new(model: &Model) -> Self {
        let schema = model.schema();
        let mut is_binary = vec![false; schema.n_features()];
        for_each_binary(model.family(), &mut is_binary);
        let columns = columns_of_numbers(schema).zip(is_binary).map(|(column, is_binary)| {
            let column = column?;
            let range = if is_binary { Some([0.0, 1.0]) } else { model.value_ranges().get(column) };
            range.map(|range| Beyond::new(column, range, is_binary))
        });
        let columns: Vec<Option<Beyond>> = columns.collect();
        let n_stored = vec![0; columns.len()];
        Self { columns, n_stored, n_sparse: 0 }
    }

    /// Looks at rows; they may have further features behind those of the model.
    pub fn look(&mut self, rows: &Table) {
        match rows {
            Table::Dense(rows) => {
                for row in rows.rows() {
                    for (column, &cell) in self.columns.iter_mut().zip(row) {
                        if let Some(column) = column {
                            column.add(cell);
                        }
                    }
                }
            }
            Table::Sparse(rows) => {
                self.n_sparse += rows.n_rows() as u64;
                for (&feature, &cell) in rows.indices().iter().zip(rows.values()) {
                    if let Some(Some(column)) = self.columns.get_mut(feature) {
                        column.add(cell);
                        self.n_stored[feature] += 1;
                    }
                }
            }
        }
    }

    /// The columns with numbers beyond their range, in the order of the model.
    pub fn finish(&self) -> Vec<Beyond> {
        let columns = self.columns.iter().zip(&self.n_stored).filter_map(|(column, &n_stored)| {
            let mut column = column.clone()?;
            let n_zeros = self.n_sparse - n_stored.min(self.n_sparse);
            if n_zeros > 0 {
                let mut zero = Beyond::new("", column.range, column.is_binary);
                zero.add(0.0);
                column.n_cells += n_zeros;
                column.n_beyond += n_zeros * zero.n_beyond;
                column.n_far += n_zeros * zero.n_far;
                column.least = column.least.min(zero.least);
                column.greatest = column.greatest.max(zero.greatest);
            }
            (column.n_beyond > 0).then_some(column)
        });
        columns.collect()
    }
}

/// Marks the features of Bernoulli families.
fn for_each_binary(family: &Family, is_binary: &mut [bool]) {
    match family {
        Family::Bernoulli(_) => is_binary.fill(true),
        Family::Blocks(blocks) => {
            for (features, family) in blocks.iter() {
                if matches!(family, Family::Bernoulli(_)) {
                    for &feature in features {
                        if let Some(is_binary) = is_binary.get_mut(feature) {
                            *is_binary = true;
                        }
                    }
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use nb_core::{Gaussian, Prior};
    use nb_table::read::SparseTable;
    use ndarray::array;

    use super::*;
    use crate::{Schema, ValueRanges};

    fn beyond(range: [f64; 2]) -> BeyondRanges {
        let schema = Schema::numeric(["x"], "class");
        let model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical).unwrap();
        BeyondRanges::new(&model.with_value_ranges(ValueRanges::default().with("x", range[0], range[1])))
    }

    #[test]
    fn far_is_another_unit_or_sign() {
        for (range, value, is_far) in [
            ([2700.0, 6300.0], 6400.0, false),
            ([2700.0, 6300.0], 9900.0, true),
            ([2700.0, 6300.0], 1200.0, false),
            ([2700.0, 6300.0], 4.2, true),
            ([0.0, 80.0], -1.0, true),
            ([-5.0, 80.0], -6.0, false),
            ([0.0, 1.0], 2.0, true),
            ([0.0, 1.0], f64::INFINITY, true),
        ] {
            let mut beyond = beyond(range);
            beyond.look(&Table::Dense(array![[value]]));
            let found = beyond.finish();
            assert_eq!((found[0].n_beyond, found[0].n_far), (1, u64::from(is_far)), "{range:?} {value}");
            assert_eq!(found[0].is_notable(1000.0), is_far || found[0].chance(1000.0) < 0.01);
        }
    }

    #[test]
    fn zeros_of_sparse_rows_count() {
        let mut beyond = beyond([1.0, 2.0]);
        let rows = SparseTable::new(1, vec![0, 1, 1, 2], vec![0, 0], vec![1.5, 2.5]).unwrap();
        beyond.look(&Table::Sparse(rows));
        let found = beyond.finish();
        assert_eq!((found[0].n_cells, found[0].n_beyond), (3, 2));
        assert_eq!((found[0].least, found[0].greatest), (0.0, 2.5));
    }

    /// The share of samples with as many numbers beyond is at most the bound.
    #[test]
    fn chance_bounds_what_samples_have() {
        let (n, m) = (40_u8, 20);
        let mut state = 7_u64;
        let mut uniform = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let n_samples = 4000;
        let mut n_with = [0_u32; 4];
        for _ in 0..n_samples {
            let old: Vec<f64> = (0..n).map(|_| uniform()).collect();
            let least = old.iter().copied().fold(f64::INFINITY, f64::min);
            let greatest = old.iter().copied().fold(0.0, f64::max);
            let n_beyond = (0..m).map(|_| uniform()).filter(|&new| new < least || new > greatest).count();
            for count in n_with.iter_mut().take(n_beyond.min(3) + 1) {
                *count += 1;
            }
        }
        for (n_beyond, &count) in n_with.iter().enumerate().skip(1) {
            let beyond =
                Beyond { n_cells: m, n_beyond: n_beyond as u64, ..Beyond::new("x", [0.0, 1.0], false) };
            let share = f64::from(count) / f64::from(n_samples);
            assert!(
                share <= beyond.chance(f64::from(n)) + 0.02,
                "{n_beyond}: {share} {}",
                beyond.chance(f64::from(n))
            );
        }
    }
}
