//! Probabilities of a model made as sure as they are right, by rows that were held out from its training.

mod error;
mod rows;

use nb_calibration::{Calibration, CalibrationMap, FittedCalibration, FittedIsotonic};
use nb_core::{Likelihood, exact::Exact};
use nb_io::{HeldOutMeasures, Model, ModelCalibration, ModelRefinement};

use crate::LossChange;
pub use error::CalibrateError;
pub use rows::CalibrationRows;

/// A model with calibrated probabilities.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Calibrated {
    /// The model with the map of all rows.
    pub model: Model,
    /// That map.
    pub map: ModelMap,
    /// How the rows are classified by the model as it was.
    pub before: HeldOutMeasures,
    /// The same, each row by a map of the rows of the other folds; the model has these measures.
    pub after: HeldOutMeasures,
    /// The number of rows that were judged by the probabilities before, as all rows of the other folds are
    /// answered right, so that these have no best map.
    pub n_kept: usize,
    /// Whether the probabilities of the rows have become worse.
    pub change: LossChange,
}

/// How a map is written into a model.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelMap {
    /// Log-odds times a factor, and an offset for each class: weights of the columns and offsets of the
    /// classes.
    Line {
        /// The factor, above 0.
        factor: f64,
        /// The offsets, in label order.
        offsets: Vec<f64>,
    },
    /// A map that does not fall, of each class against the rest, applied after the columns are added up.
    Isotonic(FittedIsotonic),
}

impl ModelMap {
    /// `None` if a map is neither.
    fn of(fitted: FittedCalibration) -> Option<Self> {
        match fitted {
            FittedCalibration::Temperature(map) => {
                let offsets = vec![0.0; map.n_classes()];
                Some(Self::Line { factor: map.inverse_temperature(), offsets })
            }
            FittedCalibration::Platt(map) if map.n_classes() == 2 => {
                let sigmoid = map.sigmoids().first()?;
                Some(Self::Line { factor: sigmoid.slope, offsets: vec![0.0, sigmoid.intercept()] })
            }
            FittedCalibration::Isotonic(map) => Some(Self::Isotonic(map)),
            _ => None,
        }
    }
}

/// The model with the best map of held-out rows, which replaces an isotonic one that it has: `rows` are what
/// the model says without that.
///
/// The map is measured by cross-fitting: the rows of each fold by a map of the others. Whether a model whose
/// probabilities [have become worse](LossChange::is_clear_loss) is wanted is for the caller to say.
///
/// # Errors
/// [`CalibrateError`] if the rows have no best map, or the model cannot have it.
///
/// Temperature scaling is that of Guo, Pleiss, Sun and Weinberger (2017), the sigmoid that of Platt (1999),
/// isotonic regression that of Zadrozny and Elkan (2002).
///
/// ```
/// use nb_calibration::Calibration;
/// use nb_train::{CalibrationRows, Effort, Trainer, calibrate};
/// use ndarray::Array2;
///
/// // Naive Bayes counts a length twice that stands in two columns, and is overconfident.
/// let lengths = |first, n_rows| Array2::from_shape_fn((n_rows, 2), |(row, _)| ((first + row) % 10) as f64);
/// let place = |row: usize| usize::from(row % 10 + row * 3 % 7 > 7);
/// let labels: Vec<String> = (0..200).map(|row| ["large", "small"][place(row)].into()).collect();
/// let schema = nb_io::Schema::numeric(["length", "again"], "size");
/// let model = Trainer::default().with_effort(Effort::Plain).fit(&schema, &lengths(0, 200), &labels)?.model;
///
/// let log_posteriors = model.classifier()?.predict_log_proba(&lengths(200, 150))?;
/// let truths = (200..350).map(place).collect();
/// let rows = CalibrationRows::new(log_posteriors, truths, |_| None::<&str>)?;
/// let calibrated = calibrate(&model, &rows, Calibration::Temperature)?;
/// assert!(calibrated.after.log_loss < calibrated.before.log_loss);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn calibrate(
    model: &Model,
    rows: &CalibrationRows,
    calibration: Calibration,
) -> Result<Calibrated, CalibrateError> {
    let classes: Vec<String> = model.stats().classes().cloned().collect();
    let map = rows.map(calibration, &classes)?;
    let measured = rows.measures(calibration, &classes, &class_shares(model))?;
    let model = with_map(model.clone().with_calibration(None)?, &map, rows.n_rows() as u64, measured.after)?;
    let rows::Measured { before, after, n_kept, change } = measured;
    Ok(Calibrated { model, map, before, after, n_kept, change })
}

fn with_map(
    model: Model,
    map: &ModelMap,
    n_rows: u64,
    measures: HeldOutMeasures,
) -> Result<Model, CalibrateError> {
    match map {
        ModelMap::Isotonic(map) => {
            let classes = model.stats().classes().cloned().collect();
            Ok(model.with_calibration(Some(ModelCalibration::new(
                classes,
                map.clone(),
                n_rows,
                measures,
            )?))?)
        }
        ModelMap::Line { factor, offsets } => {
            let plain = model.clone().with_refinement(None)?.classifier()?;
            if !plain.likelihood().is_additive() {
                return Err(CalibrateError::NotAdditive);
            }
            let refinement = ModelRefinement::calibrated(
                model.refinement(),
                plain.classes(),
                plain.log_prior(),
                model.schema().n_features(),
                (*factor, offsets),
                (model.refinement().map_or(n_rows, |refinement| refinement.n_rows), measures),
            );
            Ok(model.with_refinement(Some(refinement))?)
        }
    }
}

/// The shares of the classes among the rows of the model, in label order.
fn class_shares(model: &Model) -> Vec<f64> {
    let weights: Vec<f64> = model.stats().class_weights().iter().map(Exact::to_f64).collect();
    let total: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / total).collect()
}
