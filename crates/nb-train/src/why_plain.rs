//! Why rows have a plain model.

use nb_io::Schema;

use crate::Sample;

/// With more classes there are too few rows of each, and too many terms.
const MOST_CLASSES: usize = 200;
/// With more terms there are too many corrections.
const MOST_TERMS: usize = 500_000;

/// Why nothing is weighted or corrected.
///
/// ```
/// use nb_train::WhyPlain;
///
/// assert_eq!(WhyPlain::OneClass.to_string(), "there are no two classes");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WhyPlain {
    /// There are too many features.
    #[error("there are more than {MOST_TERMS} features")]
    Features,
    /// Rows are sparse, and not for texts.
    #[error("only some cells of a row are stored")]
    Sparse,
    /// There is one class.
    #[error("there are no two classes")]
    OneClass,
    /// There are too many classes.
    #[error("there are more than {MOST_CLASSES} classes")]
    ManyClasses,
    /// A class has no rows in the sample that weights and corrections are learnt from.
    #[error("the sample that weights and corrections are learnt from has no rows of class {class:?}")]
    NotSampled {
        /// The class.
        class: String,
    },
    /// Hyper-parameters of families are tuned.
    #[error("hyper-parameters of families are tuned")]
    Tuned,
    /// A hyper-parameter of families is given.
    #[error("{name:?} is of families")]
    Given {
        /// Its name.
        name: String,
    },
    /// The family of the words of texts is given.
    #[error("the family of the words of texts is given")]
    TextFamily,
    /// The family of a column is given.
    #[error("the family of column {column:?} is given")]
    Family {
        /// The column.
        column: String,
    },
}

impl WhyPlain {
    /// Whether rows of these columns can have weights and corrections at all.
    ///
    /// # Errors
    /// Why not.
    pub(crate) fn of_schema(schema: &Schema) -> Result<(), Self> {
        if schema.n_features() > MOST_TERMS { Err(Self::Features) } else { Ok(()) }
    }

    /// Whether these rows can.
    pub(crate) fn of_sample(sample: &Sample) -> Result<(), Self> {
        match sample.classes.len() {
            0 | 1 => Err(Self::OneClass),
            n_classes if n_classes > MOST_CLASSES => Err(Self::ManyClasses),
            _ => Ok(()),
        }
    }
}
