//! What a model keeps of its training beside sums.

use super::{HeldOutMeasures, Model, ModelCalibration, ModelError};
use crate::{RowFingerprint, ValueRanges};

/// What is known of the rows of a model, and of rows that were held out.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Training {
    /// How held-out rows were classified, if the model has no refinement, which has its own measures.
    pub(crate) held_out: Option<HeldOutMeasures>,
    /// Which rows it has.
    pub(crate) rows: Option<RowFingerprint>,
    /// The ranges of its columns of numbers.
    pub(crate) ranges: ValueRanges,
}

impl Model {
    /// How rows were classified that were held out in training, if they were. They are measures of that
    /// training: rows that are added or taken out later change the model and not them.
    pub fn held_out(&self) -> Option<&HeldOutMeasures> {
        let of_calibration = self.calibration.as_ref().map(ModelCalibration::held_out);
        of_calibration.or_else(|| self.uncalibrated_held_out())
    }

    /// The same without its [calibration](Self::calibration), if the model has one.
    pub fn uncalibrated_held_out(&self) -> Option<&HeldOutMeasures> {
        self.refinement.as_ref().map(|refinement| &refinement.held_out).or(self.training.held_out.as_ref())
    }

    /// The same model with measures of held-out rows, or without; those of a model with weights and
    /// corrections are in its [`ModelRefinement`](crate::ModelRefinement), those of a calibrated one in
    /// its [`ModelCalibration`](crate::ModelCalibration), and both stay.
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// use nb_io::HeldOutMeasures;
    ///
    /// let measures = HeldOutMeasures::new([0.4, 0.7], [0.8, 0.5]); // each with that of the class prior alone
    /// let model = model.with_held_out(Some(measures))?;
    /// assert_eq!(Model::from_bytes(&model.to_bytes()?)?.held_out(), Some(&measures));
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ModelError::Layout`] if a measure is no number.
    pub fn with_held_out(mut self, measures: Option<HeldOutMeasures>) -> Result<Self, ModelError> {
        if let Some(measures) = &measures {
            measures.check()?;
        }
        if self.refinement.is_none() {
            self.training.held_out = measures;
        }
        Ok(self)
    }

    /// Which rows the model has, if that is known: it is not if rows were added or taken out whose
    /// fingerprint is unknown.
    pub fn row_fingerprint(&self) -> Option<&RowFingerprint> {
        self.training.rows.as_ref()
    }

    /// The same model with the fingerprint of its rows, or without. It is kept as models are merged and
    /// subtracted that have one.
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// # use ndarray::array;
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// use nb_io::{RowFingerprinter, SeenRows, read::Table};
    ///
    /// let (rows, labels) = (array![[1.0], [9.0]], ["a", "b"].map(String::from));
    /// let mut fingerprinter = RowFingerprinter::new(model.schema());
    /// fingerprinter.add(model.schema(), &Table::Dense(rows.clone()), &labels);
    /// let fingerprint = fingerprinter.finish();
    /// model.update(&rows, &labels)?;
    /// let model = model.with_row_fingerprint(Some(fingerprint.clone()));
    /// assert_eq!(model.row_fingerprint().unwrap().seen(&fingerprint), SeenRows::All);
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    #[must_use]
    pub fn with_row_fingerprint(mut self, fingerprint: Option<RowFingerprint>) -> Self {
        self.training.rows = fingerprint;
        self
    }

    /// The ranges of the columns of numbers in the rows that the model was made from, as far as they are
    /// known.
    pub fn value_ranges(&self) -> &ValueRanges {
        &self.training.ranges
    }

    /// The same model with these ranges; [`BeyondRanges`](crate::BeyondRanges) has an example.
    #[must_use]
    pub fn with_value_ranges(mut self, ranges: ValueRanges) -> Self {
        self.training.ranges = ranges;
        self
    }

    /// What is known of its training.
    pub(crate) fn training(&self) -> &Training {
        &self.training
    }

    /// The same model with what a file says of its training.
    pub(crate) fn with_training(self, training: Training) -> Result<Self, ModelError> {
        let Training { held_out, rows, ranges } = training;
        Ok(self.with_held_out(held_out)?.with_row_fingerprint(rows).with_value_ranges(ranges))
    }

    /// Adds what is known of the rows of another model.
    pub(super) fn merge_training(&mut self, other: &Self) {
        if self.training.held_out != other.training.held_out {
            self.training.held_out = None;
        }
        self.training.ranges.merge(&other.training.ranges);
        let is_empty = |model: &Self| model.stats.classes().len() == 0;
        self.training.rows = match (self.training.rows.take(), &other.training.rows) {
            (Some(mut own), Some(others)) => {
                own.merge(others);
                Some(own)
            }
            (own, None) if is_empty(other) => own,
            (None, Some(others)) if is_empty(self) => Some(others.clone()),
            _ => None,
        };
    }

    /// Takes out what is known of the rows of another model.
    pub(super) fn subtract_training(&mut self, other: &Self) {
        let is_empty = other.stats.classes().len() == 0;
        self.training.rows = match (self.training.rows.take(), &other.training.rows) {
            (Some(own), Some(others)) => own.without(others),
            (own, None) if is_empty => own,
            _ => None,
        };
    }
}
