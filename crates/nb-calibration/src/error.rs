//! Errors: one enum per operation; every message says what to do next.

use nb_core::error::{FitError, LayoutError, PredictError, UpdateError};

/// Why a calibration could not be fitted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CalibrationError {
    /// There is nothing to fit from.
    #[error("there are no rows with a positive weight; hold out at least one")]
    NoRows,
    /// With fewer than two classes there is nothing to calibrate.
    #[error("the number of classes is {found}; calibration needs at least 2")]
    Classes {
        /// The number of columns of the log-posteriors.
        found: usize,
    },
    /// There is not one true class per row.
    #[error("rows: {rows}, true classes: {labels}; give one per row")]
    Labels {
        /// The number of rows.
        rows: usize,
        /// The number of true classes.
        labels: usize,
    },
    /// There is not one weight per row.
    #[error("rows: {rows}, weights: {weights}; give one weight per row")]
    Weights {
        /// The number of rows.
        rows: usize,
        /// The number of weights.
        weights: usize,
    },
    /// A weight is negative, not finite, or beyond the range in which sums are exact.
    #[error("the weight of row {row} is {weight}; weights are 0 or from 2^-60 to 2^60")]
    Weight {
        /// The row.
        row: usize,
        /// Its weight.
        weight: f64,
    },
    /// A true class does not exist.
    #[error("the true class of row {row} is {class}, but there are only {n_classes}, counted from 0")]
    Truth {
        /// The row.
        row: usize,
        /// Its class.
        class: usize,
        /// The number of classes.
        n_classes: usize,
    },
    /// A score is no logarithm.
    #[error("row {row}, class {class}: {value} is no log-posterior; it must be finite or negative infinity")]
    Score {
        /// The row.
        row: usize,
        /// The class.
        class: usize,
        /// The value.
        value: f64,
    },
    /// The true class of a row is impossible by its scores, so that the log-loss is infinite whatever the
    /// map.
    #[error(
        "row {row} is impossible in its true class {class}; fit the model with a smoothing above 0, \
         choose isotonic regression, or drop the row"
    )]
    Impossible {
        /// The row.
        row: usize,
        /// Its true class.
        class: usize,
    },
    /// A row has no log-odds, as it is impossible in every class.
    #[error(
        "row {row} is impossible in every class; fit the model with a smoothing above 0, or drop the row"
    )]
    NoClass {
        /// The row.
        row: usize,
    },
    /// All rows are answered right, so that the log-loss falls as long as the temperature does.
    #[error(
        "the scores answer every row right, so that no temperature is the best; \
         hold out more rows, choose Platt's sigmoid or isotonic regression, or leave the scores as they are"
    )]
    Separated,
    /// The log-loss is smallest at an infinite temperature, where the scores say nothing.
    #[error(
        "the scores are no better than saying nothing, so that no finite temperature is the best; \
         check that classes and columns are in the same order"
    )]
    Uninformative,
    /// The best temperature cannot be written as a double.
    #[error(
        "the best inverse temperature is {inverse_temperature:e}, out of the range of doubles; scale the scores"
    )]
    Range {
        /// The inverse temperature.
        inverse_temperature: f64,
    },
    /// The finite log-odds of a class are all the same, or there are none.
    #[error(
        "class {class} has the same log-odds in all rows where they are finite, so that they have no best slope; \
         hold out more rows, or choose isotonic regression"
    )]
    Flat {
        /// The class.
        class: usize,
    },
    /// Newton's method found no minimum.
    #[error(
        "the sigmoid of class {class} did not converge; drop rows of extreme scores, or choose isotonic regression"
    )]
    NoConvergence {
        /// The class.
        class: usize,
    },
}

impl CalibrationError {
    /// The error with the row number of a table from which `rows` were chosen.
    pub(crate) fn among(mut self, rows: &[usize]) -> Self {
        if let Self::Weight { row, .. }
        | Self::Truth { row, .. }
        | Self::Score { row, .. }
        | Self::Impossible { row, .. }
        | Self::NoClass { row } = &mut self
        {
            *row = rows[*row];
        }
        self
    }
}

/// Why a calibration could not be applied. Nothing was changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ApplyError {
    /// The scores are of another number of classes.
    #[error("there are scores of {found} classes, and the calibration is for {expected}")]
    Classes {
        /// The classes of the calibration.
        expected: usize,
        /// The classes of the scores.
        found: usize,
    },
    /// A score is no logarithm.
    #[error("row {row}, class {class}: {value} is no log-posterior; it must be finite or negative infinity")]
    Score {
        /// The row.
        row: usize,
        /// The class.
        class: usize,
        /// The value.
        value: f64,
    },
}

/// Why blocks are no map of isotonic regression.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StepsError {
    /// There is not one list of blocks for each class, or one for two classes.
    #[error(
        "there are {found} lists of blocks for {n_classes} classes; there must be one for two classes, and one for each of more"
    )]
    Maps {
        /// The number of classes.
        n_classes: usize,
        /// The number of lists.
        found: usize,
    },
    /// A list is empty, or its log-odds or probabilities do not rise.
    #[error(
        "block {step} of map {map} (counted from 0) is missing or does not rise: log-odds and probabilities must, and probabilities \
         be from 0 to 1"
    )]
    Step {
        /// The number of the list.
        map: usize,
        /// The number of the block.
        step: usize,
    },
}

/// Why rows could not be scored by models that have not seen them.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HeldOutError {
    /// The number of folds or a hyper-parameter is out of range.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The rows were refused.
    #[error(transparent)]
    Update(#[from] UpdateError),
    /// There is nothing to score.
    #[error("there are no rows with a positive weight; a model needs at least one")]
    NoRows,
    /// All rows of a class are in one fold, so that the model that scores them does not know it.
    #[error(
        "all rows of class {class} (in label order) are in fold {fold}, and a model that has not seen them does not \
         know the class; add rows of it with a positive weight, or leave it out"
    )]
    ClassInOneFold {
        /// Position of the class in label order.
        class: usize,
        /// The fold.
        fold: usize,
    },
    /// The rows of the other folds do not determine a classifier.
    #[error("without fold {fold}, {error}")]
    Fit {
        /// The fold that was held out.
        fold: usize,
        /// What keeps the others from determining one.
        error: FitError,
    },
    /// A row that was held out cannot be scored by a model that has not seen it.
    #[error("without fold {fold}, {error}")]
    Predict {
        /// The fold that was held out.
        fold: usize,
        /// What cannot be scored; rows are counted among all rows.
        error: PredictError,
    },
}

/// Why a calibrated classifier could not be fitted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CalibratedError {
    /// There are no scores of rows held out.
    #[error(transparent)]
    HeldOut(#[from] HeldOutError),
    /// All rows together do not determine a classifier.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// The scores do not determine a calibration.
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
    /// The calibration is for another number of classes than the classifier has.
    #[error(transparent)]
    Apply(#[from] ApplyError),
}
