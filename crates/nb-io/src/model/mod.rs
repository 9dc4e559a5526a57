//! The model: schema, hyper-parameters and evidence together.

mod error;
mod for_schema;
mod refinement;
mod remap;
mod removal;

use nb_core::{
    Classifier, NaiveBayes, Prior, Rows, SufficientStats,
    error::{FitError, MismatchError, ScaleError, UpdateError},
    exact::ExactSums,
};

use crate::{
    Decision, Family, Feature, FittedFamily, Kind, Label, LabelError, Reading, Schema, ToLabel, label,
};

pub use error::{MergeError, ModelError};
pub use refinement::{HeldOutMeasures, ModelRefinement};
pub(crate) use remap::adapted;
pub use removal::RemovalError;

/// What a model file holds: the schema of the columns, the family with its hyper-parameters, the prior, and the
/// evidence, from which [`classifier`](Self::classifier) reads the parameters.
///
/// Labels are kept as texts; [`classifier_of`](Self::classifier_of) answers with labels of other types. Hyper-parameters and prior can be exchanged at any time, the evidence stays.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    schema: Schema,
    family: Family,
    prior: Prior,
    stats: SufficientStats<String>,
    reading: Reading,
    refinement: Option<ModelRefinement>,
    decision: Option<Decision>,
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
    /// // Statistics that were collected without a model: of the family that they are to be fitted with.
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
            decision: None,
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
            self.decision,
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
            self.decision,
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

    /// The same model with weights and corrections, or without. They change what [`classifier`](Self::classifier) answers and
    /// nothing of the evidence.
    ///
    /// ```
    /// use nb_core::Prior;
    /// use nb_discriminative::{Feature, Learner};
    /// use nb_io::{Family, Model, ModelRefinement, Schema};
    /// use nb_variants::{Binned, Cuts};
    /// use ndarray::array;
    ///
    /// let rows = array![[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]];
    /// let labels = ["a", "a", "a", "b", "b", "b"];
    /// let learnt = Learner::default().learn(&rows, &[Feature::Numbers], &[0, 0, 0, 1, 1, 1], 2)?;
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
        if let Some(refinement) = &refinement {
            refinement.check(self.schema.n_features())?;
        }
        Ok(Self { refinement, ..self })
    }

    /// The same model with what belongs to another one.
    fn completed(
        self,
        reading: Reading,
        refinement: Option<ModelRefinement>,
        decision: Option<Decision>,
    ) -> Result<Self, ModelError> {
        let model = self.with_reading(reading).with_refinement(refinement)?;
        Ok(Self { decision, ..model })
    }

    /// How posteriors become labels, if not by the most probable class; [`with_decision`](Self::with_decision) has an example.
    pub fn decision(&self) -> Option<&Decision> {
        self.decision.as_ref()
    }

    /// The same model with another decision rule, or without. It changes no probability, and nothing that
    /// [`classifier`](Self::classifier) answers: who labels rows asks [`Decision::choose`].
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Decision, DecisionRule, Family, Model, Schema};
    /// # use ndarray::array;
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # model.update(&array![[1.0], [3.0], [7.0], [9.0]], &["a", "a", "b", "b"])?;
    /// let rule = DecisionRule::Threshold { positive: 1, threshold: 0.3 }; // "b" from a probability of 0.3 on
    /// let model = model.with_decision(Some(Decision::new(vec!["a".into(), "b".into()], rule)?))?;
    /// let log_posterior = model.classifier()?.predict_log_proba(&array![[4.9]])?.row(0).to_vec();
    /// assert!(log_posterior[0] > log_posterior[1]);
    /// assert_eq!(model.decision().unwrap().choose(0, &log_posterior), Some(1));
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ModelError::Decision`] if it is for other classes than those of the model.
    pub fn with_decision(self, decision: Option<Decision>) -> Result<Self, ModelError> {
        if let Some(decision) = &decision {
            decision.check_classes(self.stats.classes())?;
        }
        Ok(Self { decision, ..self })
    }

    /// The same model with a decision that may be for other classes: rows of others were added after it was made.
    pub(crate) fn with_loaded_decision(self, decision: Option<Decision>) -> Self {
        Self { decision, ..self }
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
        let Some(refinement) = &self.refinement else {
            return NaiveBayes { model: &self.family, prior: self.prior.clone() }.fit_stats(&self.stats);
        };
        refinement.check_classes(self.stats.classes())?;
        let places: Vec<usize> = (0..refinement.classes.len()).collect();
        refinement.classifier(&self.family, self.prior.clone(), &self.stats, &places)
    }

    /// The classifier with labels of another type than texts: the classes of the model are read back as such, and are in
    /// their order, so that 9 comes before 10.
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
    /// [`LabelError`] if a class is not a label of this type, or there is no evidence or it does not determine a
    /// classifier.
    pub fn classifier_of<L: Label>(&self) -> Result<Classifier<L, FittedFamily>, LabelError> {
        let labels = label::in_order::<L>(self.stats.classes())?;
        let weights = self.stats.class_weights();
        let sums: Vec<&[ExactSums]> = self.stats.class_sums().collect();
        let prior = match &self.prior {
            // Probabilities are in the order of the classes; where they are too few or too many `fit` says so.
            Prior::Given(given) if given.len() == labels.len() => {
                Prior::Given(labels.iter().map(|&(_, place)| given[place]).collect())
            }
            prior => prior.clone(),
        };
        let places: Vec<usize> = labels.iter().map(|&(_, place)| place).collect();
        let classes =
            labels.into_iter().map(|(label, place)| (label, weights[place].clone(), sums[place].to_vec()));
        let stats = SufficientStats::from_parts(&self.family, self.stats.n_columns(), classes)?;
        let Some(refinement) = &self.refinement else {
            return Ok(NaiveBayes { model: &self.family, prior }.fit_stats(&stats)?);
        };
        refinement.check_classes(self.stats.classes())?;
        Ok(refinement.classifier(&self.family, prior, &stats, &places)?)
    }

    /// Adds rows with one label per row: texts, or what has a text ([`ToLabel`]).
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// # use ndarray::array;
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # model.update(&array![[1.0], [3.0], [7.0], [9.0]], &["a", "a", "b", "b"])?;
    /// model.update(&array![[100.0], [102.0]], &["c", "c"])?; // a class that it did not know
    /// assert_eq!(model.classifier()?.predict(&array![[99.0]])?, ["c"]);
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`UpdateError`] names what is wrong; nothing was added then.
    pub fn update(
        &mut self,
        rows: &(impl Rows + ?Sized),
        labels: &[impl ToLabel],
    ) -> Result<(), UpdateError> {
        self.stats.update(&self.family, rows, &ToLabel::to_labels(labels))
    }

    /// Adds rows with weights.
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// # use ndarray::array;
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # model.update(&array![[1.0], [3.0], [7.0], [9.0]], &["a", "a", "b", "b"])?;
    /// model.update_weighted(&array![[2.0]], &["a"], &[10.0])?; // as ten such rows
    /// assert_eq!(model.stats().class_weights()[0].to_f64(), 12.0);
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`UpdateError`] names what is wrong; nothing was added then.
    pub fn update_weighted(
        &mut self,
        rows: &(impl Rows + ?Sized),
        labels: &[impl ToLabel],
        weights: &[f64],
    ) -> Result<(), UpdateError> {
        self.stats.update_weighted(&self.family, rows, &ToLabel::to_labels(labels), weights)
    }

    /// Takes rows out that were added before, without a trace.
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// # use ndarray::array;
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # model.update(&array![[1.0], [3.0], [7.0], [9.0]], &["a", "a", "b", "b"])?;
    /// let before = model.clone();
    /// model.update(&array![[2.5]], &["a"])?;
    /// model.retract(&array![[2.5]], &["a"])?;
    /// assert_eq!(model, before); // to the last bit
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`RemovalError`] if the rows are invalid or cannot all have been added; nothing was changed then.
    pub fn retract(
        &mut self,
        rows: &(impl Rows + ?Sized),
        labels: &[impl ToLabel],
    ) -> Result<(), RemovalError> {
        let mut removed = self.stats.empty();
        removed.update(&self.family, rows, &ToLabel::to_labels(labels)).map_err(RemovalError::Rows)?;
        remove(&mut self.stats, &removed, &self.schema)
    }

    /// Takes rows out that were added with these weights.
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// # use ndarray::array;
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # model.update(&array![[1.0], [3.0], [7.0], [9.0]], &["a", "a", "b", "b"])?;
    /// let before = model.clone();
    /// model.update_weighted(&array![[0.1]], &["a"], &[0.3])?;
    /// model.retract_weighted(&array![[0.1]], &["a"], &[0.3])?;
    /// assert_eq!(model, before);
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`RemovalError`] if the rows are invalid or cannot all have been added; nothing was changed then.
    pub fn retract_weighted(
        &mut self,
        rows: &(impl Rows + ?Sized),
        labels: &[impl ToLabel],
        weights: &[f64],
    ) -> Result<(), RemovalError> {
        let mut removed = self.stats.empty();
        let labels = ToLabel::to_labels(labels);
        removed.update_weighted(&self.family, rows, &labels, weights).map_err(RemovalError::Rows)?;
        remove(&mut self.stats, &removed, &self.schema)
    }

    /// Multiplies all evidence by a factor, as in forgetting old rows exponentially.
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// # use ndarray::array;
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # model.update(&array![[1.0], [3.0], [7.0], [9.0]], &["a", "a", "b", "b"])?;
    /// model.scale(0.5)?;
    /// assert_eq!(model.stats().class_weights()[0].to_f64(), 1.0); // two rows, each half as much as before
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ScaleError`] if the factor is out of range.
    pub fn scale(&mut self, factor: f64) -> Result<(), ScaleError> {
        self.stats.scale(factor)
    }

    /// Adds the evidence of another model with the same columns. Categories and terms of texts are matched by name, and
    /// are in the order of their names afterwards. Hyper-parameters and prior stay those of `self`. A decision rule that one of them
    /// has is kept.
    ///
    /// The evidence of two vocabularies is that of both together if each had all terms of its own texts; what a model
    /// did not know when it read a text, such as a term of too few texts, it cannot say later. Values that depend on the
    /// whole file (inverse document frequencies) must be the same in both.
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// # use ndarray::array;
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # model.update(&array![[1.0], [3.0], [7.0], [9.0]], &["a", "a", "b", "b"])?;
    /// let mut other = Model::new(model.schema().clone(), model.family().clone(), Prior::Empirical)?;
    /// other.update(&array![[5.0]], &["b"])?;
    /// model.merge(&other)?;
    /// assert_eq!(model.stats().class_weights()[1].to_f64(), 3.0);
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`MergeError`] if columns or families differ, or weights and corrections; nothing was changed then.
    pub fn merge(&mut self, other: &Self) -> Result<(), MergeError> {
        let schema = self.schema.union(&other.schema)?;
        let mut merged = self.with_schema(&schema)?;
        let other = other.with_schema(&schema)?;
        if other.refinement.is_some() && other.refinement != merged.refinement {
            return Err(MergeError::Refinements);
        }
        merged.check_learnt(&other)?;
        merged.stats.merge(&other.stats)?;
        merged.decision = match (&self.decision, &other.decision) {
            (Some(own), Some(others)) if own != others => return Err(MergeError::Decision),
            (own, others) => own.as_ref().or(others.as_ref()).cloned(),
        };
        *self = merged;
        Ok(())
    }

    /// Takes out the evidence of another model: the inverse of [`merge`](Self::merge).
    ///
    /// ```
    /// # use nb_core::{Gaussian, Prior};
    /// # use nb_io::{Family, Model, Schema};
    /// # use ndarray::array;
    /// # let schema = Schema::numeric(["length"], "species");
    /// # let mut model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    /// # model.update(&array![[1.0], [3.0], [7.0], [9.0]], &["a", "a", "b", "b"])?;
    /// let mut both = model.clone();
    /// both.merge(&model)?;
    /// both.subtract(&model)?;
    /// assert_eq!(both, model);
    /// # Ok::<(), nb_io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`MergeError`] if columns or families differ, or the evidence is not all in this model; nothing was changed
    /// then.
    pub fn subtract(&mut self, other: &Self) -> Result<(), MergeError> {
        let schema = self.schema.union(&other.schema)?;
        let mut rest = self.with_schema(&schema)?;
        let other = other.with_schema(&schema)?;
        rest.check_learnt(&other)?;
        remove(&mut rest.stats, &other.stats, &schema)?;
        *self = rest;
        Ok(())
    }

    /// Refuses another model with the same columns, of which one has other cut points, another grid or another power.
    fn check_learnt(&self, other: &Self) -> Result<(), MergeError> {
        match self.family.first_learnt_otherwise(&other.family) {
            Some(feature) => {
                Err(MergeError::Learnt { column: self.schema.feature_name(feature).unwrap_or_default() })
            }
            None => Ok(()),
        }
    }
}

/// Takes `removed` out of `stats`, or says in the names of the schema why not.
fn remove(
    stats: &mut SufficientStats<String>,
    removed: &SufficientStats<String>,
    schema: &Schema,
) -> Result<(), RemovalError> {
    stats.subtract(removed).map_err(|error| RemovalError::of(error, schema, stats, removed))
}

/// How many blocks may be within one another: more than any model needs, and fewer than the smallest stack has room for.
pub(crate) const MAX_DEPTH: usize = 8;

fn check_depth(family: &Family, depth: usize) -> Result<(), ModelError> {
    let Family::Blocks(blocks) = family else { return Ok(()) };
    if depth == MAX_DEPTH {
        return Err(ModelError::Depth);
    }
    blocks.iter().try_for_each(|(_, family)| check_depth(family, depth + 1))
}

/// Refuses named categories and texts outside the families that take them, and names that are not as many as declared.
/// `features` are those that the family sees.
fn check_kinds(family: &Family, features: &[Feature<'_>]) -> Result<(), ModelError> {
    if let Family::Blocks(blocks) = family {
        return blocks.iter().try_for_each(|(own, family)| {
            let features: Vec<Feature<'_>> =
                own.iter().filter_map(|&place| features.get(place).copied()).collect();
            check_kinds(family, &features)
        });
    }
    let counts_terms = family.description().takes_terms;
    for (position, feature) in features.iter().enumerate() {
        let name = || match feature.column.kind {
            Kind::Dates(_) => feature.name(),
            _ => feature.column.name.clone(),
        };
        match (feature.kind(), family) {
            (Kind::Categorical { levels }, Family::Categorical(categorical)) => {
                if let Some(declared) = categorical.categories.declared(position)
                    && declared != levels.len()
                {
                    return Err(ModelError::Levels { column: name(), levels: levels.len(), declared });
                }
            }
            (Kind::Categorical { .. }, _) => return Err(ModelError::CategoriesAsNumbers { column: name() }),
            (Kind::Text(_), _) if !counts_terms => return Err(ModelError::TextAsNumbers { column: name() }),
            _ => {}
        }
    }
    Ok(())
}
