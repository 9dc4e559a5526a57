//! Rows and evidence added to a model and taken out of it.

use nb_core::{
    Rows, SufficientStats,
    error::{ScaleError, UpdateError},
};

use super::{MergeError, Model, RemovalError};
use crate::{Schema, ToLabel};

impl Model {
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
        self.stats.update(&self.family, rows, &ToLabel::to_labels(labels))?;
        self.training.rows = None;
        Ok(())
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
        self.stats.update_weighted(&self.family, rows, &ToLabel::to_labels(labels), weights)?;
        self.training.rows = None;
        Ok(())
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
        remove(&mut self.stats, &removed, &self.schema)?;
        self.training.rows = None;
        Ok(())
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
        remove(&mut self.stats, &removed, &self.schema)?;
        self.training.rows = None;
        Ok(())
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

    /// Adds the evidence of another model with the same columns. Categories and terms of texts are matched by
    /// name, and are in the order of their names afterwards. Hyper-parameters and prior stay those of
    /// `self`. A decision rule that one of them has is kept, and so are measures of held-out rows that
    /// are the same in both.
    ///
    /// The evidence of two vocabularies is that of both together if each had all terms of its own texts; what
    /// a model did not know when it read a text, such as a term of too few texts, it cannot say later.
    /// Inverse document frequencies of terms that both have must be the same in both.
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
        merged.merge_training(&other);
        // Where dates of one model were all as ISO 8601 writes them, those of the other say more.
        for (column, order) in &other.reading.date_orders {
            merged.reading.date_orders.entry(column.clone()).or_insert(*order);
        }
        merged.stats.merge(&other.stats)?;
        merged.decision = match (&self.decision, &other.decision) {
            (Some(own), Some(others)) if own != others => return Err(MergeError::Decision),
            (own, others) => own.as_ref().or(others.as_ref()).cloned(),
        };
        if other.calibration.is_some() && other.calibration != merged.calibration {
            return Err(MergeError::Calibration);
        }
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
    /// [`MergeError`] if columns or families differ, or the evidence is not all in this model; nothing was
    /// changed then.
    pub fn subtract(&mut self, other: &Self) -> Result<(), MergeError> {
        let schema = self.schema.union(&other.schema)?;
        let mut rest = self.with_schema(&schema)?;
        rest.subtract_training(other);
        let other = other.with_schema(&schema)?;
        rest.check_learnt(&other)?;
        remove(&mut rest.stats, &other.stats, &schema)?;
        *self = rest;
        Ok(())
    }

    /// Refuses another model with the same columns, of which one has other cut points, another grid, another
    /// power or other parents.
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
