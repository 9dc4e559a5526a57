//! Columns of numbers and of categories as columns of codes.

use nb_core::{
    Missing,
    description::{Setting, Value},
    error::{LayoutError, ValueError, ValueProblem},
    family::{Block, BlockBuffer},
};

use crate::Cuts;

/// How the cells of each column become codes 0, 1, 2, ...: categories are codes as they are, numbers become
/// the number of their bin.
///
/// ```
/// use nb_variants::{Codings, Cuts};
///
/// // Three categories; numbers up to 2.5, up to 5, and above.
/// let codings = Codings::new(vec![3, 0], Cuts::new(vec![vec![], vec![2.5, 5.0]])?)?;
/// assert_eq!((codings.n_codes(0), codings.n_codes(1)), (3, 3));
/// assert_eq!(codings.code(1, 4.0), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Codings {
    /// The number of categories of each column; 0 for one of numbers.
    n_categories: Vec<usize>,
    /// The cut points of each column of numbers; none for one of categories.
    cuts: Cuts,
}

impl Codings {
    /// Columns with these numbers of categories, and those with 0 of them of numbers with these cut points.
    ///
    /// ```
    /// # use nb_variants::{Codings, Cuts};
    /// let cuts = Cuts::new(vec![vec![], vec![2.5, 5.0]])?;
    /// assert_eq!(Codings::new(vec![3, 0], cuts.clone())?.n_columns(), 2);
    /// assert!(Codings::new(vec![3], cuts).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError`] if there is not a list of cut points for each column.
    pub fn new(n_categories: Vec<usize>, cuts: Cuts) -> Result<Self, LayoutError> {
        let (found, n_columns) = (cuts.n_columns(), n_categories.len());
        if found != n_columns {
            return Err(LayoutError::Length { name: "the cut points", found, n_columns });
        }
        Ok(Self { n_categories, cuts })
    }

    /// Columns of categories, with these numbers of them.
    ///
    /// ```
    /// # use nb_variants::Codings;
    /// assert_eq!(Codings::categories(vec![3, 2]).n_codes(1), 2);
    /// ```
    pub fn categories(n_categories: Vec<usize>) -> Self {
        let cuts = Cuts::none(n_categories.len());
        Self { n_categories, cuts }
    }

    /// The number of columns.
    ///
    /// ```
    /// # use nb_variants::Codings;
    /// assert_eq!(Codings::categories(vec![3, 2]).n_columns(), 2);
    /// ```
    pub fn n_columns(&self) -> usize {
        self.n_categories.len()
    }

    /// The cut points of all columns; a column of categories has none.
    ///
    /// ```
    /// # use nb_variants::{Codings, Cuts};
    /// // Three categories; numbers up to 2.5, up to 5, and above.
    /// let codings = Codings::new(vec![3, 0], Cuts::new(vec![vec![], vec![2.5, 5.0]])?)?;
    /// assert_eq!(codings.cuts().column(1), [2.5, 5.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cuts(&self) -> &Cuts {
        &self.cuts
    }

    /// The number of categories of each column; 0 for one of numbers.
    ///
    /// ```
    /// # use nb_variants::{Codings, Cuts};
    /// // Three categories; numbers up to 2.5, up to 5, and above.
    /// let codings = Codings::new(vec![3, 0], Cuts::new(vec![vec![], vec![2.5, 5.0]])?)?;
    /// assert_eq!(codings.n_categories(), [3, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn n_categories(&self) -> &[usize] {
        &self.n_categories
    }

    /// The number of codes of a column.
    ///
    /// ```
    /// # use nb_variants::{Codings, Cuts};
    /// // Three categories; numbers up to 2.5, up to 5, and above.
    /// let codings = Codings::new(vec![3, 0], Cuts::new(vec![vec![], vec![2.5, 5.0]])?)?;
    /// assert_eq!((codings.n_codes(0), codings.n_codes(1)), (3, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such column.
    pub fn n_codes(&self, column: usize) -> usize {
        if self.is_of_numbers(column) { self.cuts.n_bins(column) } else { self.n_categories[column] }
    }

    /// Whether a column has numbers.
    pub(crate) fn is_of_numbers(&self, column: usize) -> bool {
        self.n_categories[column] == 0
    }

    /// The code of a cell; NaN for a missing one.
    ///
    /// ```
    /// # use nb_variants::{Codings, Cuts};
    /// // Three categories; numbers up to 2.5, up to 5, and above.
    /// let codings = Codings::new(vec![3, 0], Cuts::new(vec![vec![], vec![2.5, 5.0]])?)?;
    /// assert_eq!((codings.code(0, 2.0), codings.code(1, 4.0)), (2.0, 1.0));
    /// assert!(codings.code(1, f64::NAN).is_nan());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such column.
    pub fn code(&self, column: usize, value: f64) -> f64 {
        if self.is_of_numbers(column) && value.is_finite() {
            self.cuts.bin(column, value) as f64
        } else {
            value
        }
    }

    /// Refuses infinite numbers and, where they are errors, missing ones.
    pub(super) fn check_numbers(&self, rows: &Block<'_>, missing: Missing) -> Result<(), ValueError> {
        if self.n_categories.iter().all(|&count| count > 0) {
            return Ok(());
        }
        ValueError::first(rows.find_stored(|column, value| {
            if !self.is_of_numbers(column) {
                return None;
            }
            match missing {
                Missing::Error if value.is_nan() => Some(ValueProblem::Missing),
                _ => value.is_infinite().then_some(ValueProblem::Infinite),
            }
        }))
    }

    /// Calls `work` with the codes of rows whose numbers were checked.
    pub(super) fn with_codes<R>(&self, rows: &Block<'_>, work: impl FnOnce(&Block<'_>) -> R) -> R {
        if self.n_categories.iter().all(|&count| count > 0) {
            return work(rows);
        }
        let mut buffer = BlockBuffer::default();
        buffer.start_dense(rows.n_columns());
        rows.for_each_row(|_, cells| {
            buffer.push_dense_row(cells.iter().enumerate().map(|(column, &value)| self.code(column, value)));
        });
        work(&buffer.block())
    }
}

/// The numbers of categories. Columns that become numbers by it have no cut points yet.
impl Setting for Codings {
    fn value(&self) -> Value {
        Value::Numbers(self.n_categories.iter().map(|&count| count as f64).collect())
    }

    fn set(&mut self, value: &Value) -> Result<bool, LayoutError> {
        let Value::Numbers(counts) = value else { return Ok(false) };
        let is_count = |count: &f64| *count >= 0.0 && count.fract() == 0.0 && *count < 1e15;
        if !counts.iter().all(is_count) {
            return Ok(false);
        }
        *self = Self::categories(counts.iter().map(|&count| count as usize).collect());
        Ok(true)
    }
}
