//! Why probabilities are not calibrated.

use nb_calibration::CalibrationError;
use nb_core::error::FitError;
use nb_io::{ModelCalibrationError, ModelError};
use nb_metrics::RowError;

/// Why the probabilities of a model are not calibrated by rows. Rows are counted from 0.
///
/// ```
/// use nb_train::{CalibrateError, CalibrationRows, Trainer, calibrate};
/// use ndarray::array;
///
/// let schema = nb_io::Schema::numeric(["length"], "size");
/// let lengths = array![[1.0], [1.2], [1.4], [1.3], [1.6], [1.8]];
/// let labels = ["small", "small", "small", "large", "large", "large"].map(String::from);
/// let model = Trainer::default().fit(&schema, &lengths, &labels)?.model;
///
/// let held_out = model.classifier()?.predict_log_proba(&array![[1.1], [1.2]])?;
/// let rows = CalibrationRows::new(held_out, vec![1, 1], |_| None::<&str>)?;
/// let error = calibrate(&model, &rows, Default::default()).unwrap_err();
/// assert!(matches!(error, CalibrateError::OneClass { class } if class == "small"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CalibrateError {
    /// There is not one class for each row of log-posteriors.
    #[error("{rows} rows of log-posteriors but {truths} classes; give one for each row")]
    Lengths {
        /// The number of rows.
        rows: usize,
        /// The number of their classes.
        truths: usize,
    },
    /// A class, or a column of log-posteriors, is not that of a class of the model.
    #[error("row {row}: there is no class at place {truth} of the {n_classes} classes of the model")]
    Truth {
        /// The row.
        row: usize,
        /// The place of its class.
        truth: usize,
        /// The number of classes.
        n_classes: usize,
    },
    /// The log-posteriors are those of another number of classes.
    #[error("there are log-posteriors of {found} classes, and the model has {n_classes}")]
    Classes {
        /// The number of columns of the log-posteriors.
        found: usize,
        /// The number of classes.
        n_classes: usize,
    },
    /// There is one class only.
    #[error(
        "all rows have the class {class:?}; probabilities are calibrated by rows of at least two classes"
    )]
    OneClass {
        /// The class.
        class: String,
    },
    /// The model says that the class of a row is impossible.
    #[error(
        "row {row}: the model says that its class {class:?} is impossible, which only isotonic regression changes; use it, or train with \
         smoothing above 0"
    )]
    Impossible {
        /// The row.
        row: usize,
        /// Its class.
        class: String,
    },
    /// All rows are answered right: the surer the better.
    #[error("all of these rows are answered right, so that no map is the best; hold out more rows")]
    Separated,
    /// The best probabilities are those without the columns.
    #[error(
        "the probabilities are no better than those of guessing, so that no map is the best; check the labels, or hold out more rows"
    )]
    Uninformative,
    /// All rows have the same log-odds of a class.
    #[error(
        "all rows have the same log-odds of class {class:?}, so that no map is the best; hold out more rows"
    )]
    Flat {
        /// The class.
        class: String,
    },
    /// Newton's method found no minimum.
    #[error(
        "no best map of class {class:?} was found, as some of its probabilities are too near 0 or 1; hold out more rows, or use another \
         map"
    )]
    NoConvergence {
        /// The class.
        class: String,
    },
    /// The map would fall.
    #[error("rows are the more often of a class the less probable the model says it is: check the labels")]
    Opposite,
    /// A sigmoid is for two classes.
    #[error("Platt's sigmoid is for two classes, and the model has {n_classes}; use a temperature")]
    NotTwoClasses {
        /// The number of classes.
        n_classes: usize,
    },
    /// No weights of the columns make the map.
    #[error("the score of this model is no sum over columns, so that only isotonic regression calibrates it")]
    NotAdditive,
    /// A map that no model has.
    #[error("a model has no such map; choose a temperature, Platt's sigmoid or isotonic regression")]
    NoMap,
    /// Something else is wrong with the rows.
    #[error(transparent)]
    Rows(CalibrationError),
    /// A log-posterior is no number.
    #[error(transparent)]
    Row(#[from] RowError),
    /// The model cannot be computed.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// The model cannot have the map.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The map cannot be in a model.
    #[error(transparent)]
    Map(#[from] ModelCalibrationError),
}

impl CalibrateError {
    /// The same with the names of classes.
    pub(super) fn of(error: CalibrationError, classes: &[String]) -> Self {
        match error {
            CalibrationError::Separated => Self::Separated,
            CalibrationError::Uninformative => Self::Uninformative,
            CalibrationError::Flat { class } => Self::Flat { class: classes[class].clone() },
            CalibrationError::NoConvergence { class } => {
                Self::NoConvergence { class: classes[class].clone() }
            }
            error => Self::Rows(error),
        }
    }
}
