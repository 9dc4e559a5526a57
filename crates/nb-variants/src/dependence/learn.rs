//! Cut points of the columns of numbers among columns that depend on each other.

use nb_core::error::LayoutError;
use ndarray::{Array2, Axis};

use super::{Codings, PairCounts};
use crate::{Cuts, Preparation, PreparationError};

impl PairCounts {
    /// The same with cut points of its columns of numbers, learnt from rows with a class number each. If
    /// nothing was said of any column, all are of numbers.
    ///
    /// ```
    /// # use nb_variants::{BinRule, PairCounts, Preparation};
    /// # use ndarray::array;
    /// let rules = Preparation::default().with_bins(BinRule::EqualWidth(3));
    /// let counts = PairCounts::default().learnt(&rules, &array![[1.0], [10.0]], &[0, 1])?;
    /// assert_eq!(counts.codings.cuts().column(0), [4.0, 7.0]);
    /// # Ok::<(), nb_variants::PreparationError>(())
    /// ```
    ///
    /// # Errors
    /// [`PreparationError`] if a number is infinite, or there are too many bins.
    pub fn learnt(
        &self,
        rules: &Preparation,
        rows: &Array2<f64>,
        classes: &[usize],
    ) -> Result<Self, PreparationError> {
        let n_categories = match self.codings.n_categories() {
            [] => vec![0; rows.ncols()],
            n_categories => n_categories.to_vec(),
        };
        let numbers: Vec<usize> =
            (0..rows.ncols()).filter(|&column| n_categories.get(column) == Some(&0)).collect();
        let mut all = vec![Vec::new(); n_categories.len()];
        let own = rules.bins.cuts(&rows.select(Axis(1), &numbers), classes);
        let own = own.map_err(|error| PreparationError::from(error).in_columns(&numbers))?;
        let by_values = rules.few_values && rules.bins.is_by_class();
        for (place, &column) in numbers.iter().enumerate() {
            all[column] = match own.column(place) {
                [] if by_values => between_few_values(rows.column(column).iter().copied()),
                own => own.to_vec(),
            };
        }
        let codings = Cuts::new(all).ok().and_then(|cuts| Codings::new(n_categories, cuts).ok());
        let codings = codings.unwrap_or_else(|| unreachable!("the cuts are valid, a list for each column"));
        Ok(Self { codings, ..self.clone() })
    }

    /// The same with these cut points.
    ///
    /// ```
    /// # use nb_variants::{Cuts, PairCounts};
    /// // Numbers, and three categories.
    /// let counts = PairCounts::new(vec![0, 3]).with_cuts(Cuts::new(vec![vec![2.5], vec![]])?)?;
    /// assert_eq!((counts.codings.n_codes(0), counts.codings.n_codes(1)), (2, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError`] if they are not of the same number of columns.
    pub fn with_cuts(&self, cuts: Cuts) -> Result<Self, LayoutError> {
        let codings = Codings::new(self.codings.n_categories().to_vec(), cuts)?;
        Ok(Self { codings, ..self.clone() })
    }
}

/// Cut points halfway between the values of a column, if these are at most ten, and whole numbers; else none.
///
/// A column without cut points by the classes alone may say much of them beside another column, as in
/// exclusive or.
fn between_few_values(values: impl Iterator<Item = f64>) -> Vec<f64> {
    const MOST_VALUES: usize = 10;
    const LARGEST: f64 = (1_u64 << 52) as f64;
    let mut found: Vec<f64> = Vec::new();
    for value in values.filter(|value| !value.is_nan()) {
        let Err(place) = found.binary_search_by(|other| other.total_cmp(&(value + 0.0))) else { continue };
        if value.fract() != 0.0 || value.abs() >= LARGEST || found.len() == MOST_VALUES {
            return Vec::new();
        }
        found.insert(place, value + 0.0);
    }
    found.windows(2).map(|pair| f64::midpoint(pair[0], pair[1])).collect()
}
