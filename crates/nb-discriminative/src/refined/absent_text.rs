//! What is added for a text of which no term is known.

use std::ops::Range;

use nb_core::error::LayoutError;

/// What is added to the scores of the classes for a text that has none of its terms: about what a text adds
/// on average, so that such a row is as probable in each class as rows are before a word is read.
#[derive(Clone, Debug, PartialEq)]
pub struct AbsentText {
    /// The columns of the terms.
    pub terms: Range<usize>,
    /// One number per class.
    pub added: Vec<f64>,
}

impl AbsentText {
    pub(super) fn check(&self, n_columns: usize, n_classes: usize) -> Result<(), LayoutError> {
        let parameter = |name, value: f64, must_be| Err(LayoutError::Parameter { name, value, must_be });
        if self.terms.is_empty() || self.terms.end > n_columns {
            return parameter("the last column of a text", self.terms.end as f64, "one of the columns");
        }
        if self.added.len() != n_classes {
            return parameter(
                "the number of corrections of a text",
                self.added.len() as f64,
                "that of the classes",
            );
        }
        match self.added.iter().find(|value| !value.is_finite()) {
            Some(&value) => parameter("a correction", value, "finite"),
            None => Ok(()),
        }
    }
}
