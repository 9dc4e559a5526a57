//! The fitted family of groups: a table of categories, and which of them are together.

use nb_core::{
    Density, Likelihood, Missing, Unseen,
    error::{FamilyError, FamilyProblem},
    family::{forward_density, forward_likelihood},
    fitted::FittedCategorical,
};
use ndarray::{Array2, ArrayView2};

/// The fitted probabilities of categories in groups.
///
/// ```
/// use nb_core::{Missing, NaiveBayes, Unseen};
/// use nb_variants::Grouped;
/// use ndarray::Array2;
///
/// let x = Array2::from_shape_fn((48, 1), |(row, _)| (row % 12) as f64);
/// let y: Vec<&str> = (0..48).map(|row| if row % 2 == 0 { "a" } else { "b" }).collect();
/// let classifier = NaiveBayes::new(Grouped::default()).fit(&x, &y)?;
/// let fitted = classifier.likelihood();
/// assert_eq!(fitted.groups(0)[0], [0, 2, 4, 6, 8, 10]);
/// assert_eq!(fitted.categories().log_probabilities(0).unwrap().dim(), (12, 2));
/// // All 24 rows of "a" are in the first of two groups.
/// let log = fitted.log_probabilities_of_groups(0).unwrap()[[0, 0]];
/// assert!((log - (25.0_f64 / 26.0).ln()).abs() < 1e-15);
/// assert_eq!((fitted.missing(), fitted.unseen()), (Missing::default(), Unseen::default()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FittedGrouped {
    /// `log p(x | c)`.
    categories: FittedCategorical,
    /// The codes in each group, by column.
    groups: Vec<Vec<Vec<usize>>>,
    /// `log p(g | c)`, with the number of the group as code.
    of_groups: FittedCategorical,
}

impl FittedGrouped {
    /// From the codes and `log p(x | c)` of each column.
    pub(super) fn new(
        columns: Vec<(Vec<usize>, Array2<f64>)>,
        groups: Vec<Vec<Vec<usize>>>,
        of_groups: FittedCategorical,
        unseen: Unseen,
    ) -> Result<Self, FamilyError> {
        let categories = FittedCategorical::of_codes(columns, unseen, of_groups.missing());
        let categories = categories.map_err(|_| FamilyError {
            class: 0,
            column: 0,
            problem: FamilyProblem::Impossible { sum: f64::NAN },
        })?;
        Ok(Self { categories, groups, of_groups })
    }

    /// The same probabilities as a categorical family, which scores the same.
    pub fn categories(&self) -> &FittedCategorical {
        &self.categories
    }

    /// The codes of the categories in each group of a column: the group with the most rows first, and last
    /// that of declared categories without rows, if there are any. Empty if there is no such column.
    pub fn groups(&self, column: usize) -> &[Vec<usize>] {
        self.groups.get(column).map_or(&[], Vec::as_slice)
    }

    /// `log p(g | c)` of a column, `n_groups × n_classes`; with [`Unseen::Other`] the last row is that of the
    /// reserved group. `None` if there is no such column.
    pub fn log_probabilities_of_groups(&self, column: usize) -> Option<ArrayView2<'_, f64>> {
        self.of_groups.log_probabilities(column)
    }

    /// What is done with missing cells.
    pub fn missing(&self) -> Missing {
        self.categories.missing()
    }

    /// What is done with categories not seen in training.
    pub fn unseen(&self) -> Unseen {
        self.categories.unseen()
    }
}

/// Finds the table of categories.
macro_rules! categories {
    ($self:ident, $inner:ident => $work:expr) => {{
        let $inner = &$self.categories;
        $work
    }};
}

impl Likelihood for FittedGrouped {
    forward_likelihood!(self, categories);
}

impl Density for FittedGrouped {
    forward_density!(self, categories);
}
