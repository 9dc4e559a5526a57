//! The probabilities of the categories of one column.

use ndarray::Array2;

/// The fitted probabilities of one column. Categories are numbered in the order of their codes, without gaps.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Column {
    /// The code of each category.
    pub(crate) codes: Vec<usize>,
    /// The category of each code, where it has one.
    pub(crate) categories: Vec<Option<usize>>,
    /// The category that stands for everything unseen.
    pub(crate) other: Option<usize>,
    /// `log θ`, `n_categories × n_classes`.
    pub(crate) log_probabilities: Array2<f64>,
}

impl Column {
    /// The column of increasing codes, with a row of `log θ` for each, and then one for the reserved other
    /// category if there is one.
    pub(crate) fn new(codes: Vec<usize>, other: Option<usize>, log_probabilities: Array2<f64>) -> Self {
        let mut categories = vec![None; codes.last().map_or(0, |largest| largest + 1)];
        codes.iter().enumerate().for_each(|(category, &code)| categories[code] = Some(category));
        Self { codes, categories, other, log_probabilities }
    }

    /// The category that a value counts as, if any; the value was checked to be a code.
    #[inline]
    pub(crate) fn category(&self, value: f64) -> Option<usize> {
        self.categories.get(value as usize).copied().flatten().or(self.other)
    }
}
