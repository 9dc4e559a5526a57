//! Which rows a model was trained on, in two kilobytes.

mod keys;

use nb_core::Rows;

use crate::{Schema, read::Table};
use keys::Keys;

/// The number of counters of the sketch.
pub(crate) const COUNTERS: usize = 512;
/// An estimate counts if it is at least this number of standard errors above zero: by chance, one in thirty
/// thousand is.
const STANDARD_ERRORS: f64 = 4.0;
/// Fewer rows may be equal to rows of a model by accident.
const FEWEST_ROWS: f64 = 10.0;

/// What tells rows from others: their number, the sum of their hashes, and a sketch of these. It does not
/// depend on the order of rows and categories, and is added and subtracted as evidence is, so that it is
/// exact whatever the history of a model.
///
/// ```
/// use nb_io::{RowFingerprint, RowFingerprinter, Schema, SeenRows, read::Table};
/// use ndarray::array;
///
/// let schema = Schema::numeric(["length"], "species");
/// let of = |rows, labels: &[&str]| {
///     let mut fingerprinter = RowFingerprinter::new(&schema);
///     fingerprinter.add(&schema, &Table::Dense(rows), &labels.iter().map(|&label| label.into()).collect::<Vec<_>>());
///     fingerprinter.finish()
/// };
/// let trained_on = of(array![[1.0], [2.0]], &["a", "b"]);
/// assert_eq!(trained_on.seen(&of(array![[2.0], [1.0]], &["b", "a"])), SeenRows::All);
/// assert_eq!(trained_on.seen(&of(array![[2.0], [1.0]], &["a", "b"])), SeenRows::Unknown);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowFingerprint {
    pub(crate) n_rows: u64,
    /// The sum of the hashes, modulo 2^64.
    pub(crate) sum: u64,
    /// Each hash adds 1 to one of these or takes 1 off (Charikar, Chen and Farach-Colton 2002, *Finding
    /// frequent items in data streams*), modulo 2^32.
    pub(crate) counters: Box<[i32]>,
}

/// How many of some rows are among those of a model, as fingerprints tell it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SeenRows {
    /// They are the rows of the model, all of them and no others.
    All,
    /// About this share of them is, which is more than chance explains.
    Share(f64),
    /// Nothing is known: few of them or none, or too many rows are equal to each other.
    Unknown,
}

impl Default for RowFingerprint {
    /// That of no rows.
    fn default() -> Self {
        Self { n_rows: 0, sum: 0, counters: vec![0; COUNTERS].into() }
    }
}

impl RowFingerprint {
    /// The number of rows.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// The sum of the hashes of the rows, modulo 2^64: equal for the same rows in any order, and different
    /// for others but by chance, once in 2^64 times. To write down which rows a model has.
    ///
    /// ```
    /// use nb_io::{RowFingerprinter, Schema, read::Table};
    /// use ndarray::array;
    ///
    /// let schema = Schema::numeric(["length"], "species");
    /// let sum = |rows, labels: [&str; 2]| {
    ///     let mut fingerprinter = RowFingerprinter::new(&schema);
    ///     fingerprinter.add(&schema, &Table::Dense(rows), &labels.map(String::from));
    ///     fingerprinter.finish().sum_of_hashes()
    /// };
    /// assert_eq!(sum(array![[1.0], [2.0]], ["a", "b"]), sum(array![[2.0], [1.0]], ["b", "a"]));
    /// assert_ne!(sum(array![[1.0], [2.0]], ["a", "b"]), sum(array![[1.0], [2.0]], ["b", "a"]));
    /// ```
    pub fn sum_of_hashes(&self) -> u64 {
        self.sum
    }

    fn add_hash(&mut self, hash: u64) {
        self.n_rows += 1;
        self.sum = self.sum.wrapping_add(hash);
        let counter = &mut self.counters[(hash % COUNTERS as u64) as usize];
        *counter = counter.wrapping_add(if (hash / COUNTERS as u64).is_multiple_of(2) { 1 } else { -1 });
    }

    /// That of the rows of both.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.n_rows = self.n_rows.wrapping_add(other.n_rows);
        self.sum = self.sum.wrapping_add(other.sum);
        for (counter, other) in self.counters.iter_mut().zip(&other.counters) {
            *counter = counter.wrapping_add(*other);
        }
    }

    /// That of the rows that are not among the others; `None` if there are too few.
    pub(crate) fn without(&self, other: &Self) -> Option<Self> {
        let n_rows = self.n_rows.checked_sub(other.n_rows)?;
        let counters = self.counters.iter().zip(&other.counters);
        let counters = counters.map(|(counter, other)| counter.wrapping_sub(*other)).collect();
        Some(Self { n_rows, sum: self.sum.wrapping_sub(other.sum), counters })
    }

    /// Whether all of some rows may be among these. Rows that are get no other answer but by chance, once in
    /// a million times; of few other rows beside many of a model it is not seen that they are none of
    /// them.
    pub fn may_have(&self, rows: &Self) -> bool {
        /// Of the estimated number of equal rows.
        const STANDARD_ERRORS: f64 = 5.0;
        let Some(rest) = self.without(rows) else { return false };
        if self.n_rows > 1 << 31 {
            return true;
        }
        // Each of the other rows is in one counter, with either sign.
        if rest.counters.iter().map(|counter| u64::from(counter.unsigned_abs())).sum::<u64>() > rest.n_rows {
            return false;
        }
        let (pairs, error) = self.equal_pairs(rows);
        pairs + STANDARD_ERRORS * error >= rows.n_rows as f64
    }

    /// How many pairs of a row of these and an equal one of others there are, and the standard error of this
    /// estimate.
    fn equal_pairs(&self, rows: &Self) -> (f64, f64) {
        let pairs = self.product(rows);
        let own_pairs = self.product(self).max(self.n_rows as f64);
        let other_pairs = rows.product(rows).max(rows.n_rows as f64);
        (pairs, ((own_pairs * other_pairs + pairs * pairs) / COUNTERS as f64).sqrt())
    }

    fn product(&self, other: &Self) -> f64 {
        self.counters.iter().zip(&other.counters).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
    }

    /// How many of other rows are among these.
    ///
    /// The inner product of two sketches estimates how many pairs of equal rows there are. What rows that are
    /// equal by chance give is taken off: as many as there are among the rows themselves.
    pub fn seen(&self, rows: &Self) -> SeenRows {
        if rows.n_rows > 0 && (self.n_rows, self.sum) == (rows.n_rows, rows.sum) {
            return SeenRows::All;
        }
        // Beyond, a counter may have gone round.
        if self.n_rows < 2 || rows.n_rows == 0 || self.n_rows.max(rows.n_rows) > 1 << 31 {
            return SeenRows::Unknown;
        }
        let (own, others) = (self.n_rows as f64, rows.n_rows as f64);
        let ((pairs, error_of_pairs), own_pairs) = (self.equal_pairs(rows), self.product(self).max(own));
        let by_chance = (own_pairs - own) / (own - 1.0);
        let share = pairs / others - by_chance;
        let counters = COUNTERS as f64;
        let error_of_chance = (2.0 / counters).sqrt() * own_pairs / own;
        let error_of_sampling = (by_chance * own_pairs / own / others).sqrt();
        let error = (error_of_pairs / others).hypot(error_of_chance).hypot(error_of_sampling);
        if share * others >= FEWEST_ROWS && share > STANDARD_ERRORS * error {
            SeenRows::Share(share.min(1.0))
        } else {
            SeenRows::Unknown
        }
    }
}

/// Makes a fingerprint of the rows of one or several readers; [`RowFingerprint`] has an example.
///
/// Cells are taken as a model sees them: numbers, the names of categories, the counts of terms. A row has the
/// same hash whatever the order of its columns, of their categories and of the terms of texts is.
#[derive(Clone, Debug)]
pub struct RowFingerprinter {
    keys: Keys,
    fingerprint: RowFingerprint,
}

impl RowFingerprinter {
    /// For rows with these columns.
    pub fn new(schema: &Schema) -> Self {
        Self { keys: Keys::new(schema), fingerprint: RowFingerprint::default() }
    }

    /// Adds rows, one label each, and returns their hashes. The schema is that of [`new`](Self::new), and may
    /// have more categories.
    pub fn add(&mut self, schema: &Schema, rows: &Table, labels: &[String]) -> Vec<u64> {
        self.keys.grow(schema);
        let hashes: Vec<u64> =
            (0..rows.n_rows()).zip(labels).map(|(row, label)| self.keys.hash(rows, row, label)).collect();
        for &hash in &hashes {
            self.fingerprint.add_hash(hash);
        }
        hashes
    }

    /// The fingerprint of all rows.
    pub fn finish(self) -> RowFingerprint {
        self.fingerprint
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fingerprint of rows that are whole numbers.
    fn of(rows: impl Iterator<Item = u32>) -> RowFingerprint {
        let schema = Schema::numeric(["x"], "y");
        let rows: Vec<f64> = rows.map(f64::from).collect();
        let labels = vec!["a".to_owned(); rows.len()];
        let mut fingerprinter = RowFingerprinter::new(&schema);
        let rows = ndarray::Array2::from_shape_vec((rows.len(), 1), rows).unwrap();
        fingerprinter.add(&schema, &Table::Dense(rows), &labels);
        fingerprinter.finish()
    }

    fn share(model: &RowFingerprint, rows: &RowFingerprint) -> f64 {
        match model.seen(rows) {
            SeenRows::All => 1.0,
            SeenRows::Share(share) => share,
            SeenRows::Unknown => 0.0,
        }
    }

    #[test]
    fn it_is_added_and_subtracted() {
        let (some, others) = (of(1..40), of(40..100));
        let mut both = some.clone();
        both.merge(&others);
        assert_eq!(both, of((1..100).rev()));
        assert_eq!(both.without(&others), Some(some.clone()));
        assert_eq!(some.without(&both), None);
        assert_eq!(both.without(&both), Some(RowFingerprint::default()));
        assert_eq!(RowFingerprint::default().seen(&RowFingerprint::default()), SeenRows::Unknown);
    }

    #[test]
    fn shares_are_estimated_and_others_are_not_accused() {
        let model = of(0..1000);
        for (rows, expected) in [
            (of(0..200), 1.0),
            (of(700..1000), 1.0),
            (of(0..1200), 1000.0 / 1200.0),
            (of(500..1500), 0.5),
            (of(0..2000), 0.5),
            (of(1000..2000), 0.0),
            (of(1000..1010), 0.0),
            // A few rows that are equal to others.
            (of(995..1010), 0.0),
            (of(0..1), 0.0),
            (of(5000..90_000), 0.0),
        ] {
            let found = share(&model, &rows);
            assert!((found - expected).abs() < 0.25, "{found} {expected}");
            assert!(expected > 0.0 || found == 0.0, "{found} {expected}");
        }
    }

    #[test]
    fn rows_that_cannot_have_been_added_are_known() {
        let kinds =
            |rows: std::ops::Range<u32>, n: u32| of(rows.map(move |row| row.wrapping_mul(2_654_435_761) % n));
        for (model, rows, may) in [
            (of(0..3), of(7..9), false),
            (of(0..3), of(1..3), true),
            (of(0..1372), of(5000..5660), false),
            (of(0..10_000), of(20_000..20_660), false),
            (of(0..100), of(0..101), false),
            (of(0..100), of(0..100), true),
            (kinds(0..5000, 14), kinds(100..400, 14), true),
            (kinds(0..5000, 400), kinds(100..4400, 400), true),
        ] {
            assert_eq!(model.may_have(&rows), may, "{} {}", model.n_rows, rows.n_rows);
        }
        for first in (0..200_000).step_by(97) {
            assert!(of(first..first + 700).may_have(&of(first + 50..first + 100 + first % 600)));
        }
    }

    #[test]
    fn rows_that_are_equal_by_chance_are_no_evidence() {
        // Rows of a few kinds, as of a table of categories: those held out are equal to those of training.
        for kinds in [2, 14, 100, 1000] {
            let draw = |row: u32| row.wrapping_mul(2_654_435_761) >> 7;
            let (model, rows) =
                (of((0..2000).map(|row| draw(row) % kinds)), of((2000..2500).map(|row| draw(row) % kinds)));
            assert_eq!(model.seen(&rows), SeenRows::Unknown, "{kinds}");
        }
    }

    #[test]
    fn it_rarely_accuses_by_chance() {
        let accused = (0..300_u32)
            .filter(|trial| {
                let first = 10_000 * trial;
                of(first..first + 300).seen(&of(first + 300..first + 400)) != SeenRows::Unknown
            })
            .count();
        assert_eq!(accused, 0);
    }
}
