//! The model: schema, hyper-parameters and evidence together.

mod algebra;
mod calibration;
mod check;
mod decision;
mod error;
mod for_schema;
mod forget;
mod held_out;
mod label;
mod reading;
mod refinement;
mod remap;
mod removal;
mod training;

use nb_calibration::Decision;
use nb_core::{
    Classifier, NaiveBayes, Prior, SufficientStats,
    error::{FitError, MismatchError},
    exact::ExactSums,
};

use crate::{Family, Feature, FittedFamily, Schema};

pub use calibration::{ModelCalibration, ModelCalibrationError};
pub(crate) use check::MAX_DEPTH;
use check::{check_depth, check_kinds};
pub use decision::OtherClassesError;
pub use error::{MergeError, ModelError};
pub use held_out::HeldOutMeasures;
pub use label::{Label, LabelError, ToLabel};
pub use reading::Reading;
pub use refinement::ModelRefinement;
pub(crate) use remap::adapted;
pub use removal::RemovalError;
pub(crate) use training::Training;

/// What a model file holds: the schema of the columns, the family with its hyper-parameters, the prior, and
/// the evidence, from which [`classifier`](Self::classifier) reads the parameters.
///
/// Labels are kept as texts; [`classifier_of`](Self::classifier_of) answers with labels of other types.
/// Hyper-parameters and prior can be exchanged at any time, the evidence stays.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    schema: Schema,
    family: Family,
    prior: Prior,
    stats: SufficientStats<String>,
    reading: Reading,
    refinement: Option<ModelRefinement>,
    calibration: Option<ModelCalibration>,
    decision: Option<Decision<String>>,
    training: Training,
}

impl Model {
    /// A model without evidence.
    ///
    /// ```
    /// use nb_core::{Gaussian, Prior};
    /// use nb_io::{Family, Model, Schema};
    ///
    /// let schema = Schema::numeric(["length", "width"], "species");
    /// let model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// assert_eq!(model.stats().classes().len(), 0);
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ModelError`] if schema and family do not fit together.
    pub fn new(schema: Schema, family: Family, prior: Prior) -> Result<Self, ModelError> {
        schema.check()?;
        let stats = SufficientStats::new(&family, schema.n_features())?;
        Self::with_checked_schema(schema, family, prior, stats)
    }

    /// A model from its parts.
    ///
    /// ```
    /// use nb_core::{Gaussian, Prior, SufficientStats};
    /// use nb_io::{Family, Model, Schema};
    /// use ndarray::array;
    ///
    /// // Statistics that were collected without a model: of the family with which they will be fitted.
    /// let family = Family::Gaussian(Gaussian::default());
    /// let mut stats = SufficientStats::new(&family, 1)?;
    /// stats.update(&family, &array![[1.0], [3.0]], &["a", "b"].map(String::from))?;
    /// let model = Model::from_parts(Schema::numeric(["length"], "species"), family, Prior::Uniform, stats)?;
    /// assert_eq!(model.stats().classes().len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ModelError`] if they do not fit together.
    pub fn from_parts(
        schema: Schema,
        family: Family,
        prior: Prior,
        stats: SufficientStats<String>,
    ) -> Result<Self, ModelError> {
        schema.check()?;
        Self::with_checked_schema(schema, family, prior, stats)
    }

    /// The same for a schema that was checked.
    pub(crate) fn with_checked_schema(
        schema: Schema,
        family: Family,
        prior: Prior,
        stats: SufficientStats<String>,
    ) -> Result<Self, ModelError> {
        prior.check()?;
        stats.check_model(&family)?;
        let n_features = schema.n_features();
        if stats.n_columns() != n_features {
            return Err(MismatchError::Columns { left: stats.n_columns(), right: n_features }.into());
        }
        check_depth(&family, 0)?;
        let features: Vec<Feature<'_>> = schema.features().collect();
        check_kinds(&family, &features)?;
        Ok(Self {
            schema,
            family,
            prior,
            stats,
            reading: Reading::default(),
            refinement: None,
            calibration: None,
            decision: None,
            training: Training::default(),
        })
    }

    /// The columns.
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// # use ndarray::array;
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # model.update(&array![[1.0], [3.0], [7.0], [9.0]], &["a", "a", "b", "b"])?;
    /// assert_eq!(model.schema().columns[0].name, "length");
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The family with its hyper-parameters.
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// # use ndarray::array;
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # model.update(&array![[1.0], [3.0], [7.0], [9.0]], &["a", "a", "b", "b"])?;
    /// assert_eq!(*model.family(), Family::Gaussian(Gaussian::default()));
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    pub fn family(&self) -> &Family {
        &self.family
    }

    /// The prior.
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// # use ndarray::array;
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # model.update(&array![[1.0], [3.0], [7.0], [9.0]], &["a", "a", "b", "b"])?;
    /// assert_eq!(*model.prior(), Prior::Empirical);
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    pub fn prior(&self) -> &Prior {
        &self.prior
    }

    /// The evidence.
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// # use ndarray::array;
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # model.update(&array![[1.0], [3.0], [7.0], [9.0]], &["a", "a", "b", "b"])?;
    /// assert_eq!(model.stats().class_weights()[0].to_f64(), 2.0); // rows of class "a"
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    pub fn stats(&self) -> &SufficientStats<String> {
        &self.stats
    }

    /// The evidence, without a copy.
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # model.update(&ndarray::array![[1.0], [3.0]], &["a", "b"])?;
    /// let stats = model.stats().clone();
    /// assert_eq!(model.into_stats(), stats);
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    pub fn into_stats(self) -> SufficientStats<String> {
        self.stats
    }

    /// The same evidence under another prior.
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// # use ndarray::array;
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # model.update(&array![[1.0], [3.0], [7.0], [9.0]], &["a", "a", "b", "b"])?;
    /// let model = model.with_prior(Prior::Given(vec![0.9, 0.1]))?; // of "a" and "b"
    /// assert_eq!(model.classifier()?.predict(&array![[5.1]])?, ["a"]);
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ModelError::Prior`] if given probabilities are not a distribution.
    pub fn with_prior(self, prior: Prior) -> Result<Self, ModelError> {
        Self::from_parts(self.schema, self.family, prior, self.stats)?.completed(
            self.reading,
            self.refinement,
            self.calibration,
            self.decision,
            self.training,
        )
    }

    /// The same evidence under other hyper-parameters.
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// # use ndarray::array;
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # model.update(&array![[1.0], [3.0], [7.0], [9.0]], &["a", "a", "b", "b"])?;
    /// use nb_core::VarianceSmoothing;
    ///
    /// let gaussian = Gaussian { smoothing: VarianceSmoothing::AbsoluteFloor(4.0), ..Gaussian::default() };
    /// let wider = model.clone().with_family(Family::Gaussian(gaussian))?; // no row is read again
    /// let probability = |model: &Model| Ok::<_, nb_io::Error>(model.classifier()?.predict_proba(&array![[4.9]])?[[0, 0]]);
    /// assert!(probability(&wider)? < 0.6 && probability(&model)? > 0.6);
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ModelError`] if the family gives the sums another meaning.
    pub fn with_family(self, family: Family) -> Result<Self, ModelError> {
        Self::from_parts(self.schema, family, self.prior, self.stats)?.completed(
            self.reading,
            self.refinement,
            self.calibration,
            self.decision,
            self.training,
        )
    }

    /// How files of rows are read. Nothing in this library uses it by itself.
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Reading, Schema};
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// assert_eq!(model.reading(), &Reading::default());
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// The same model for files that are read in another way; [`Reading`] has an example.
    #[must_use]
    pub fn with_reading(self, reading: Reading) -> Self {
        Self { reading, ..self }
    }

    /// Weights and corrections, if it has any; [`with_refinement`](Self::with_refinement) has an example.
    pub fn refinement(&self) -> Option<&ModelRefinement> {
        self.refinement.as_ref()
    }

    /// The same model with weights and corrections, or without. They change what
    /// [`classifier`](Self::classifier) answers and nothing of the evidence.
    ///
    /// ```
    /// use nb_core::Prior;
    /// use nb_discriminative::{ColumnKind, Learner};
    /// use nb_io::{Family, Model, ModelRefinement, Schema};
    /// use nb_variants::{Binned, Cuts};
    /// use ndarray::array;
    ///
    /// let rows = array![[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]];
    /// let labels = ["a", "a", "a", "b", "b", "b"];
    /// let learnt = Learner::default().learn(&rows, &[ColumnKind::Numbers], &[0, 0, 0, 1, 1, 1], 2)?;
    /// let family = Family::from(Binned::new(Cuts::new(learnt.cuts.clone())?));
    /// let mut model = Model::new(Schema::numeric(["length"], "species"), family, Prior::Empirical)?;
    /// model.update(&rows, &labels)?;
    /// let refinement = ModelRefinement::new(&learnt, vec!["a".into(), "b".into()], &[0.5, 0.5]);
    /// let refined = model.clone().with_refinement(Some(refinement))?;
    /// assert_eq!(refined.classifier()?.predict(&array![[2.5], [7.5]])?, ["a", "b"]);
    /// assert_eq!(refined.with_refinement(None)?, model);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ModelError::Layout`] if they are not one weight and correction per feature, or are not numbers.
    pub fn with_refinement(self, refinement: Option<ModelRefinement>) -> Result<Self, ModelError> {
        let mut training = self.training;
        if let Some(refinement) = &refinement {
            refinement.check(self.schema.n_features())?;
            training.held_out = None;
        }
        Ok(Self { refinement, training, ..self })
    }

    /// The same model with what belongs to another one.
    fn completed(
        self,
        reading: Reading,
        refinement: Option<ModelRefinement>,
        calibration: Option<ModelCalibration>,
        decision: Option<Decision<String>>,
        training: Training,
    ) -> Result<Self, ModelError> {
        let model = self.with_reading(reading).with_refinement(refinement)?;
        Ok(Self { calibration, decision, training, ..model })
    }

    /// The map of the posteriors to calibrated ones, if there is one; [`ModelCalibration`] has an example.
    pub fn calibration(&self) -> Option<&ModelCalibration> {
        self.calibration.as_ref()
    }

    /// The same model with calibrated posteriors, or without. It changes what
    /// [`classifier`](Self::classifier) answers and nothing of the evidence.
    ///
    /// # Errors
    /// [`ModelError::Calibration`] if it is for other classes than those of the model.
    pub fn with_calibration(self, calibration: Option<ModelCalibration>) -> Result<Self, ModelError> {
        if let Some(calibration) = &calibration {
            calibration.check_classes(self.stats.classes())?;
        }
        Ok(Self { calibration, ..self })
    }

    /// The same model with a calibration that may be for other classes: rows of others were added after it
    /// was made.
    pub(crate) fn with_loaded_calibration(self, calibration: Option<ModelCalibration>) -> Self {
        Self { calibration, ..self }
    }

    /// Reads the classifier off the evidence.
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// # use ndarray::array;
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # model.update(&array![[1.0], [3.0], [7.0], [9.0]], &["a", "a", "b", "b"])?;
    /// let classifier = model.classifier()?;
    /// assert_eq!(classifier.predict(&array![[2.0], [8.0]])?, ["a", "b"]);
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`FitError`] if there is no evidence or it does not determine a classifier.
    pub fn classifier(&self) -> Result<Classifier<String, FittedFamily>, FitError> {
        let classifier = self.uncalibrated_classifier()?;
        let Some(calibration) = &self.calibration else { return Ok(classifier) };
        self.check_calibration(calibration)?;
        let places = (0..calibration.classes().len()).collect();
        calibration.calibrated(&classifier, places)
    }

    /// Reads the classifier off the evidence without the [calibration](Self::calibration), if the model has
    /// one: its scores are sums over the columns, so that it can be explained.
    ///
    /// # Errors
    /// [`FitError`] as from [`classifier`](Self::classifier).
    pub fn uncalibrated_classifier(&self) -> Result<Classifier<String, FittedFamily>, FitError> {
        let Some(refinement) = &self.refinement else {
            return NaiveBayes { model: &self.family, prior: self.prior.clone() }.fit_stats(&self.stats);
        };
        refinement.check_classes(self.stats.classes())?;
        let places: Vec<usize> = (0..refinement.classes.len()).collect();
        refinement.classifier(&self.family, self.prior.clone(), &self.stats, &places)
    }

    /// The classifier with labels of another type than texts: the classes of the model are read back as such,
    /// and are in their order, so that 9 comes before 10.
    ///
    /// ```
    /// use nb_core::{Gaussian, Prior};
    /// use nb_io::{Family, Model, Schema};
    /// use ndarray::array;
    ///
    /// let schema = Schema::numeric(["length"], "rings");
    /// let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// model.update(&array![[1.0], [2.0], [7.0], [8.0]], &[9, 9, 10, 10])?;
    /// let classifier = model.classifier_of::<u32>()?;
    /// assert_eq!(classifier.classes(), [9, 10]);
    /// assert_eq!(classifier.predict(&array![[6.5]])?, [10]);
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`LabelError`] if a class is not a label of this type, or there is no evidence or it does not
    /// determine a classifier.
    pub fn classifier_of<L: Label>(&self) -> Result<Classifier<L, FittedFamily>, LabelError> {
        let labels = label::in_order::<L>(self.stats.classes())?;
        let weights = self.stats.class_weights();
        let sums: Vec<&[ExactSums]> = self.stats.class_sums().collect();
        let prior = match &self.prior {
            // Probabilities are in the order of the classes; where they are too few or too many, `fit`
            // returns an error.
            Prior::Given(given) if given.len() == labels.len() => {
                Prior::Given(labels.iter().map(|&(_, place)| given[place]).collect())
            }
            prior => prior.clone(),
        };
        let places: Vec<usize> = labels.iter().map(|&(_, place)| place).collect();
        let classes =
            labels.into_iter().map(|(label, place)| (label, weights[place].clone(), sums[place].to_vec()));
        let stats = SufficientStats::from_parts(&self.family, self.stats.n_columns(), classes)?;
        let classifier = match &self.refinement {
            None => NaiveBayes { model: &self.family, prior }.fit_stats(&stats)?,
            Some(refinement) => {
                refinement.check_classes(self.stats.classes())?;
                refinement.classifier(&self.family, prior, &stats, &places)?
            }
        };
        let Some(calibration) = &self.calibration else { return Ok(classifier) };
        self.check_calibration(calibration)?;
        Ok(calibration.calibrated(&classifier, places)?)
    }

    fn check_calibration(&self, calibration: &ModelCalibration) -> Result<(), FitError> {
        let checked = calibration.check_classes(self.stats.classes());
        checked.map_err(|error| FitError::Other(error.to_string()))
    }
}
