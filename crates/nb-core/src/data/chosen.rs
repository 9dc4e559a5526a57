//! Some rows of a table.

use crate::data::{BlockBuffer, Rows};

/// The rows of the given numbers, in the given order, without a copy: a part to train on and a part to test.
///
/// ```
/// use nb_core::{RowSubset, Gaussian, NaiveBayes};
/// use ndarray::array;
///
/// let (x, y) = (array![[1.0], [8.0], [2.0], [9.0], [1.5]], ["low", "high", "low", "high", "low"]);
/// let train = [0, 1, 2, 3];
/// let rows = RowSubset::new(&x, &train).expect("rows of x");
/// let classifier = NaiveBayes::new(Gaussian::default()).fit(&rows, &train.map(|row| y[row]))?;
/// assert_eq!(classifier.predict(&RowSubset::new(&x, &[4]).expect("a row of x"))?, ["low"]);
/// assert!(RowSubset::new(&x, &[5]).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Errors name rows by their place among the chosen ones.
#[derive(Debug)]
pub struct RowSubset<'a, R: ?Sized> {
    rows: &'a R,
    numbers: &'a [usize],
}

impl<'a, R: Rows + ?Sized> RowSubset<'a, R> {
    /// Chooses rows. `None` if one of the numbers is not a row.
    pub fn new(rows: &'a R, numbers: &'a [usize]) -> Option<Self> {
        numbers.iter().all(|&number| number < rows.n_rows()).then_some(Self { rows, numbers })
    }
}

impl<R: ?Sized> Clone for RowSubset<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: ?Sized> Copy for RowSubset<'_, R> {}

impl<R: Rows + ?Sized> Rows for RowSubset<'_, R> {
    fn n_rows(&self) -> usize {
        self.numbers.len()
    }

    fn n_columns(&self) -> usize {
        self.rows.n_columns()
    }

    fn copy_rows(&self, rows: &[usize], buffer: &mut BlockBuffer) {
        let numbers: Vec<usize> = rows.iter().map(|&row| self.numbers[row]).collect();
        self.rows.copy_rows(&numbers, buffer);
    }
}
