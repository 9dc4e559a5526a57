//! A map of the posteriors of a model to calibrated ones.

use std::sync::Arc;

use nb_calibration::FittedIsotonic;
use nb_core::{Classifier, error::FitError};

use super::{HeldOutMeasures, error::listed};
use crate::{FittedFamily, family::FittedCalibrated};

/// A map of posteriors by isotonic regression, learnt from rows that were held out from training.
///
/// It is kept as the evidence of the model grows or shrinks, as weights and corrections are, and is for the
/// classes that it was learnt for. Temperatures and sigmoids are not here: they are weights and offsets
/// ([`ModelRefinement::calibrated`](crate::ModelRefinement::calibrated)).
///
/// ```
/// use nb_calibration::{Calibrator, Isotonic};
/// use nb_core::{Gaussian, Prior};
/// use nb_io::{Family, HeldOutMeasures, Model, ModelCalibration, Schema};
/// use ndarray::array;
///
/// let mut model = Model::new(Schema::numeric(["length"], "species"), Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
/// model.update(&array![[1.0], [3.0], [7.0], [9.0]], &["a", "a", "b", "b"])?;
/// let held_out = array![[2.0], [4.0], [4.5], [6.0], [8.0]];
/// let map = Isotonic::default().fit(model.classifier()?.predict_log_proba(&held_out)?.view(), &[0, 1, 0, 1, 1], None)?;
/// let measures = HeldOutMeasures::new([0.5, 0.7], [0.8, 0.6]); // of rows that the map was not learnt from
/// let classes = ["a", "b"].map(String::from).to_vec();
/// let model = model.with_calibration(Some(ModelCalibration::new(classes, map, 5, measures)?))?;
/// // The row with the largest length, alone in its block with that of 6: Laplace's rule of succession.
/// let probability = model.classifier()?.predict_proba(&array![[9.0]])?[[0, 1]];
/// assert!((probability - 0.75).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ModelCalibration {
    classes: Vec<String>,
    map: Arc<FittedIsotonic>,
    n_rows: u64,
    held_out: HeldOutMeasures,
}

/// Why there is no such calibration, or none for this model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelCalibrationError {
    /// The classes are not in order, or not those of the map.
    #[error(
        "the calibration map is for {found}, and there must be a name for each, in the order of the labels, each once"
    )]
    Classes {
        /// The number of classes of the map, in words.
        found: String,
    },
    /// A probability is 0 or 1.
    #[error(
        "the calibration map has a probability of {value}, with which a single row can make the log-loss infinite; learn it with \
         smoothed ends"
    )]
    Sure {
        /// The probability.
        value: f64,
    },
    /// A measure is no number.
    #[error(transparent)]
    Measures(#[from] nb_core::error::LayoutError),
    /// The model has other classes.
    #[error(
        "the calibration was learnt for the classes {}, and the model has {}; calibrate it again (`nbayes calibrate`)",
        listed(.of_map), listed(.of_model)
    )]
    Others {
        /// The classes of the map.
        of_map: Vec<String>,
        /// The classes of the model.
        of_model: Vec<String>,
    },
}

impl ModelCalibration {
    /// A map with its classes, in order, how many rows it was learnt from, and how rows were classified by
    /// maps of others.
    ///
    /// # Errors
    /// [`ModelCalibrationError`] if the classes are not in order or not as many as those of the map, a
    /// measure is not finite, or a probability of the map is 0 or 1, as of one with
    /// [`Ends::Exact`](nb_calibration::Ends::Exact).
    pub fn new(
        classes: Vec<String>,
        map: FittedIsotonic,
        n_rows: u64,
        held_out: HeldOutMeasures,
    ) -> Result<Self, ModelCalibrationError> {
        use nb_calibration::CalibrationMap;

        let n_classes = map.n_classes();
        if classes.len() != n_classes || !classes.is_sorted_by(|class, next| class < next) {
            let found = if n_classes == 1 { "1 class".into() } else { format!("{n_classes} classes") };
            return Err(ModelCalibrationError::Classes { found });
        }
        let steps = map.steps().iter().flatten();
        if let Some(step) = steps.into_iter().find(|step| !(step.probability > 0.0 && step.probability < 1.0))
        {
            return Err(ModelCalibrationError::Sure { value: step.probability });
        }
        held_out.check()?;
        Ok(Self { classes, map: Arc::new(map), n_rows, held_out })
    }

    /// The classes, in the order of their labels.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// The map, of the log-posteriors of the model without it, one per class in the order of the labels.
    pub fn map(&self) -> &FittedIsotonic {
        &self.map
    }

    /// How many rows it was learnt from.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// How rows were classified that were held out from the model and from the map.
    pub fn held_out(&self) -> &HeldOutMeasures {
        &self.held_out
    }

    /// Refuses other classes than those that it was learnt for.
    ///
    /// # Errors
    /// [`ModelCalibrationError::Others`] with the classes of both.
    pub fn check_classes<'a>(
        &self,
        classes: impl Iterator<Item = &'a String>,
    ) -> Result<(), ModelCalibrationError> {
        let of_model: Vec<String> = classes.cloned().collect();
        if of_model == self.classes {
            return Ok(());
        }
        Err(ModelCalibrationError::Others { of_map: self.classes.clone(), of_model })
    }

    /// A classifier with calibrated posteriors: `places` has for each of its classes the place among those of
    /// the map.
    pub(super) fn calibrated<L: Ord + Clone>(
        &self,
        classifier: &Classifier<L, FittedFamily>,
        places: Vec<usize>,
    ) -> Result<Classifier<L, FittedFamily>, FitError> {
        let classes = classifier.classes().to_vec();
        let (log_prior, n_columns) = (classifier.log_prior().to_vec(), classifier.n_columns());
        let other = |error: nb_core::error::ParameterError| FitError::Other(error.to_string());
        let numbers: Vec<usize> = (0..classes.len()).collect();
        let inner = classifier.likelihood().clone();
        let inner = Classifier::from_parts(numbers, log_prior.clone(), inner, n_columns).map_err(other)?;
        let calibrated = FittedCalibrated::new(inner, Arc::clone(&self.map), places);
        let fitted = FittedFamily::Calibrated(Box::new(calibrated));
        Classifier::from_parts(classes, log_prior, fitted, n_columns).map_err(other)
    }
}
