//! The model: schema, hyper-parameters and evidence together.

mod remap;

use nb_core::{
    Classifier, NaiveBayes, Prior, Rows, SufficientStats,
    error::{
        FitError, LayoutError, MismatchError, PriorError, RetractError, ScaleError, StatsError, UpdateError,
    },
};

use crate::{Column, Family, FittedFamily, Kind, Schema, SchemaError};

pub(crate) use remap::adapted;

/// What a model file holds: the schema of the columns, the family with its hyper-parameters, the prior, and the
/// evidence, from which [`classifier`](Self::classifier) reads the parameters.
///
/// Labels are names. Hyper-parameters and prior can be exchanged at any time, the evidence stays.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    schema: Schema,
    family: Family,
    prior: Prior,
    stats: SufficientStats<String>,
}

/// What keeps parts from being a model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The schema is none.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// The family does not take the columns.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The family gives the sums another meaning than the evidence has.
    #[error(transparent)]
    Mismatch(#[from] MismatchError),
    /// The prior is no distribution.
    #[error(transparent)]
    Prior(#[from] PriorError),
    /// The evidence does not fit.
    #[error(transparent)]
    Stats(#[from] StatsError),
    /// A column of named categories belongs to a family that would take the codes for numbers.
    #[error(
        "column {column:?} has named categories, but its family takes numbers; put it into a categorical block"
    )]
    CategoriesAsNumbers {
        /// The column.
        column: String,
    },
    /// A column of texts belongs to a family that does not count terms.
    #[error(
        "column {column:?} has texts, of which terms are counted; put it into a multinomial, complement or Bernoulli block"
    )]
    TextAsNumbers {
        /// The column.
        column: String,
    },
    /// The terms of a column of texts are not all in one block, so that it cannot have further ones.
    #[error(
        "column {column:?} cannot get further terms, because its terms are not together in one block; put them there, in \
         order, or train all models with one vocabulary"
    )]
    TermsApart {
        /// The column.
        column: String,
    },
    /// The family has hyper-parameters for each term, so that there cannot be further ones.
    #[error(
        "the columns cannot get further terms, because the family has one smoothing per term; choose the same for all, or \
         train all models with one vocabulary"
    )]
    SmoothingPerTerm,
    /// The family takes a term that is not there for one that is.
    #[error(
        "the columns cannot get further terms, because the threshold {threshold} takes absent ones for present; raise it \
         to 0, or train all models with one vocabulary"
    )]
    Threshold {
        /// The threshold of the Bernoulli family.
        threshold: f64,
    },
    /// A column has a name for fewer or more categories than the family declares.
    #[error("column {column:?} has {levels} named categories, but its family declares {declared}")]
    Levels {
        /// The column.
        column: String,
        /// The number of names.
        levels: usize,
        /// The number of categories that the family declares.
        declared: usize,
    },
}

/// Why two models could not be merged. Nothing was changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// The columns differ.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// The families differ.
    #[error(transparent)]
    Mismatch(#[from] MismatchError),
    /// Evidence was to be taken out that is not in the model.
    #[error(transparent)]
    Retract(#[from] RetractError),
    /// The categories of both together do not fit the family.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl Model {
    /// A model without evidence.
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
        let columns: Vec<&Column> = schema.features().map(|feature| feature.column).collect();
        check_kinds(&family, &columns)?;
        Ok(Self { schema, family, prior, stats })
    }

    /// The columns.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The family with its hyper-parameters.
    pub fn family(&self) -> &Family {
        &self.family
    }

    /// The prior.
    pub fn prior(&self) -> &Prior {
        &self.prior
    }

    /// The evidence.
    pub fn stats(&self) -> &SufficientStats<String> {
        &self.stats
    }

    /// The same evidence under another prior.
    ///
    /// # Errors
    /// [`ModelError::Prior`] if given probabilities are not a distribution.
    pub fn with_prior(self, prior: Prior) -> Result<Self, ModelError> {
        Self::from_parts(self.schema, self.family, prior, self.stats)
    }

    /// The same evidence under other hyper-parameters.
    ///
    /// # Errors
    /// [`ModelError`] if the family gives the sums another meaning.
    pub fn with_family(self, family: Family) -> Result<Self, ModelError> {
        Self::from_parts(self.schema, family, self.prior, self.stats)
    }

    /// Reads the classifier off the evidence.
    ///
    /// # Errors
    /// [`FitError`] if there is no evidence or it does not determine a classifier.
    pub fn classifier(&self) -> Result<Classifier<String, FittedFamily>, FitError> {
        NaiveBayes { model: &self.family, prior: self.prior.clone() }.fit_stats(&self.stats)
    }

    /// Adds rows with one label per row.
    ///
    /// # Errors
    /// [`UpdateError`] names what is wrong; nothing was added then.
    pub fn update(&mut self, rows: &(impl Rows + ?Sized), labels: &[String]) -> Result<(), UpdateError> {
        self.stats.update(&self.family, rows, labels)
    }

    /// Adds rows with weights.
    ///
    /// # Errors
    /// [`UpdateError`] names what is wrong; nothing was added then.
    pub fn update_weighted(
        &mut self,
        rows: &(impl Rows + ?Sized),
        labels: &[String],
        weights: &[f64],
    ) -> Result<(), UpdateError> {
        self.stats.update_weighted(&self.family, rows, labels, weights)
    }

    /// Takes rows out that were added before, without a trace.
    ///
    /// # Errors
    /// [`UpdateError`] if the rows cannot all have been added; nothing was changed then.
    pub fn retract(&mut self, rows: &(impl Rows + ?Sized), labels: &[String]) -> Result<(), UpdateError> {
        self.stats.retract(&self.family, rows, labels)
    }

    /// Takes rows out that were added with these weights.
    ///
    /// # Errors
    /// [`UpdateError`] if the rows cannot all have been added; nothing was changed then.
    pub fn retract_weighted(
        &mut self,
        rows: &(impl Rows + ?Sized),
        labels: &[String],
        weights: &[f64],
    ) -> Result<(), UpdateError> {
        self.stats.retract_weighted(&self.family, rows, labels, weights)
    }

    /// Multiplies all evidence by a factor, as in forgetting old rows exponentially.
    ///
    /// # Errors
    /// [`ScaleError`] if the factor is out of range.
    pub fn scale(&mut self, factor: f64) -> Result<(), ScaleError> {
        self.stats.scale(factor)
    }

    /// Adds the evidence of another model with the same columns. Categories and terms of texts are matched by name, and
    /// are in the order of their names afterwards. Hyper-parameters and prior stay those of `self`.
    ///
    /// The evidence of two vocabularies is that of both together if each had all terms of its own texts; what a model
    /// did not know when it read a text, such as a term of too few texts, it cannot say later. Values that depend on the
    /// whole file (inverse document frequencies) must be the same in both.
    ///
    /// # Errors
    /// [`MergeError`] if columns or families differ; nothing was changed then.
    pub fn merge(&mut self, other: &Self) -> Result<(), MergeError> {
        let schema = self.schema.union(&other.schema)?;
        let mut merged = self.with_schema(&schema)?;
        merged.stats.merge(&other.with_schema(&schema)?.stats)?;
        *self = merged;
        Ok(())
    }

    /// Takes out the evidence of another model: the inverse of [`merge`](Self::merge).
    ///
    /// # Errors
    /// [`MergeError`] if columns or families differ, or the evidence is not all in this model; nothing was changed
    /// then.
    pub fn subtract(&mut self, other: &Self) -> Result<(), MergeError> {
        let schema = self.schema.union(&other.schema)?;
        let mut rest = self.with_schema(&schema)?;
        rest.stats.subtract(&other.with_schema(&schema)?.stats)?;
        *self = rest;
        Ok(())
    }
}

/// Refuses named categories and texts outside the families that take them, and names that are not as many as declared.
/// `columns` has the column of each feature that the family sees.
fn check_kinds(family: &Family, columns: &[&Column]) -> Result<(), ModelError> {
    if let Family::Blocks(blocks) = family {
        return blocks.iter().try_for_each(|(own, family)| {
            let columns: Vec<&Column> = own.iter().filter_map(|&place| columns.get(place).copied()).collect();
            check_kinds(family, &columns)
        });
    }
    let counts_terms = family.description().takes_terms;
    for (position, column) in columns.iter().enumerate() {
        let name = || column.name.clone();
        match (&column.kind, family) {
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
