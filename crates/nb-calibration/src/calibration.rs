//! The choice of a calibration at run time.

use ndarray::ArrayView2;

use crate::{
    CalibrationError, CalibrationMap, Calibrator, FittedIsotonic, FittedPlatt, FittedTemperature, Isotonic,
    Platt, Temperature, rows::CheckedRows,
};

/// How to calibrate, chosen at run time. Which to choose is said in the [documentation of the crate](crate).
///
/// ```
/// use nb_calibration::{Calibration, CalibrationMap, Calibrator};
/// use ndarray::array;
///
/// let scores = array![[-0.1, -2.4], [-3.0, -0.05], [-0.3, -1.4], [-0.2, -1.7]];
/// for calibration in [Calibration::None, Calibration::Temperature, Calibration::Platt, Calibration::Isotonic] {
///     let map = calibration.fit(scores.view(), &[0, 1, 1, 0], None)?;
///     let mut calibrated = scores.clone();
///     map.apply(calibrated.view_mut())?;
///     assert_eq!(calibrated == scores, calibration == Calibration::None);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Calibration {
    /// Scores stay as they are.
    None,
    /// [`Temperature`] scaling.
    #[default]
    Temperature,
    /// [`Platt`]'s sigmoid.
    Platt,
    /// [`Isotonic`] regression with smoothed ends.
    Isotonic,
}

/// The map of a [`Calibration`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum FittedCalibration {
    /// Scores stay as they are, normalised or not.
    None {
        /// The number of classes.
        n_classes: usize,
    },
    /// A temperature.
    Temperature(FittedTemperature),
    /// Sigmoids.
    Platt(FittedPlatt),
    /// Functions that do not fall.
    Isotonic(FittedIsotonic),
}

impl Calibrator for Calibration {
    type Fitted = FittedCalibration;

    fn fit(
        &self,
        log_posteriors: ArrayView2<'_, f64>,
        truth: &[usize],
        weights: Option<&[f64]>,
    ) -> Result<FittedCalibration, CalibrationError> {
        Ok(match self {
            Self::None => {
                let n_classes = CheckedRows::new(&log_posteriors, truth, weights)?.n_classes();
                FittedCalibration::None { n_classes }
            }
            Self::Temperature => {
                FittedCalibration::Temperature(Temperature.fit(log_posteriors, truth, weights)?)
            }
            Self::Platt => FittedCalibration::Platt(Platt.fit(log_posteriors, truth, weights)?),
            Self::Isotonic => {
                FittedCalibration::Isotonic(Isotonic::default().fit(log_posteriors, truth, weights)?)
            }
        })
    }
}

impl CalibrationMap for FittedCalibration {
    fn n_classes(&self) -> usize {
        match self {
            Self::None { n_classes } => *n_classes,
            Self::Temperature(map) => map.n_classes(),
            Self::Platt(map) => map.n_classes(),
            Self::Isotonic(map) => map.n_classes(),
        }
    }

    fn apply_row(&self, log_posteriors: &mut [f64]) {
        match self {
            Self::None { .. } => {}
            Self::Temperature(map) => map.apply_row(log_posteriors),
            Self::Platt(map) => map.apply_row(log_posteriors),
            Self::Isotonic(map) => map.apply_row(log_posteriors),
        }
    }
}
