//! What bins are emptied into: exact sums of each column, and all that does not fit a bin.

use crate::{
    Dyadic,
    chains::{add_strip_squares, add_strip_sums},
    sums::ExactSums,
};

/// Exact sums of columns under construction.
pub trait Totals: Sized + Clone + std::fmt::Debug + Send {
    /// Sums of `n_columns` columns, all zero.
    fn of_columns(n_columns: usize) -> Self;

    /// The sums of columns side by side.
    fn concatenated(parts: Vec<Self>) -> Self;

    /// Asks the memory for the sums of a column.
    fn ask_for(&self, column: usize);

    /// Adds one value to the sums of a column.
    fn add_one(&mut self, column: usize, value: f64);

    /// Adds one finite value outside the domain to the sums of a column.
    fn add_wide(&mut self, column: usize, value: f64);

    /// Adds rows to the sums of the columns from `first` on, one value at a time.
    fn add_slowly<'a>(&mut self, first: usize, rows: impl Iterator<Item = &'a [f64]> + Clone);
}

/// `Σ x`.
impl Totals for ExactSums {
    fn of_columns(n_columns: usize) -> Self {
        Self::new(n_columns)
    }

    fn concatenated(parts: Vec<Self>) -> Self {
        Self::concatenated(&parts)
    }

    fn ask_for(&self, column: usize) {
        self.ask_for(column);
    }

    fn add_one(&mut self, column: usize, value: f64) {
        self.add(column, value);
    }

    fn add_wide(&mut self, column: usize, value: f64) {
        self.add_wide(column, &Dyadic::from(value));
    }

    fn add_slowly<'a>(&mut self, first: usize, rows: impl Iterator<Item = &'a [f64]> + Clone) {
        add_strip_sums(self, first, rows);
    }
}

/// `Σ x` and `Σ x²`.
impl Totals for [ExactSums; 2] {
    fn of_columns(n_columns: usize) -> Self {
        [ExactSums::new(n_columns), ExactSums::new(n_columns)]
    }

    fn concatenated(parts: Vec<Self>) -> Self {
        let (sums, squares): (Vec<_>, Vec<_>) = parts.into_iter().map(|[sum, square]| (sum, square)).unzip();
        [ExactSums::concatenated(&sums), ExactSums::concatenated(&squares)]
    }

    fn ask_for(&self, column: usize) {
        let [sums, squares] = self;
        sums.ask_for(column);
        squares.ask_for(column);
    }

    fn add_one(&mut self, column: usize, value: f64) {
        let [sums, squares] = self;
        sums.add(column, value);
        squares.add_product(column, value, value);
    }

    fn add_wide(&mut self, column: usize, value: f64) {
        let [sums, squares] = self;
        let value = Dyadic::from(value);
        sums.add_wide(column, &value);
        squares.add_wide(column, &(&value * &value));
    }

    fn add_slowly<'a>(&mut self, first: usize, rows: impl Iterator<Item = &'a [f64]> + Clone) {
        let [sums, squares] = self;
        add_strip_squares(sums, squares, first, rows);
    }
}
