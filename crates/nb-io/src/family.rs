//! Every family that a file can name, as one type.

use nb_core::{
    Accumulator, Bernoulli, Block, Blocks, BoxedModel, Categorical, ClassSums, Codes, Complement, Estimates,
    ExactSums, FamilyError, FeatureModel, FittedBernoulli, FittedBlocks, FittedCategorical, FittedComplement,
    FittedGaussian, FittedMultinomial, FittedPoisson, Gaussian, LayoutError, Likelihood, Multinomial,
    Poisson, Scores, SumLayout, ValueError, Weights,
};
use nb_linear::{FittedSharedGaussian, SharedGaussian};

/// A family with its hyper-parameters, chosen at run time: what a model file stores.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Family {
    /// Normal distributions with a variance per class and column.
    Gaussian(Gaussian),
    /// Normal distributions with a variance per column.
    SharedGaussian(SharedGaussian),
    /// Categories.
    Categorical(Categorical),
    /// Counts of events.
    Multinomial(Multinomial),
    /// Counts of events, scored by the other classes.
    Complement(Complement),
    /// Yes or no.
    Bernoulli(Bernoulli),
    /// Independent counts.
    Poisson(Poisson),
    /// Different families on different columns.
    Blocks(Blocks<Family>),
}

/// A fitted [`Family`].
#[derive(Debug)]
#[non_exhaustive]
pub enum FittedFamily {
    /// See [`Family::Gaussian`].
    Gaussian(FittedGaussian),
    /// See [`Family::SharedGaussian`].
    SharedGaussian(FittedSharedGaussian),
    /// See [`Family::Categorical`].
    Categorical(FittedCategorical),
    /// See [`Family::Multinomial`].
    Multinomial(FittedMultinomial),
    /// See [`Family::Complement`].
    Complement(FittedComplement),
    /// See [`Family::Bernoulli`].
    Bernoulli(FittedBernoulli),
    /// See [`Family::Poisson`].
    Poisson(FittedPoisson),
    /// See [`Family::Blocks`].
    Blocks(FittedBlocks<FittedFamily>),
}

/// Does the same with whichever family it is.
macro_rules! each {
    ($type:ident, $value:expr, $family:ident => $work:expr) => {
        match $value {
            $type::Gaussian($family) => $work,
            $type::SharedGaussian($family) => $work,
            $type::Categorical($family) => $work,
            $type::Multinomial($family) => $work,
            $type::Complement($family) => $work,
            $type::Bernoulli($family) => $work,
            $type::Poisson($family) => $work,
            $type::Blocks($family) => $work,
        }
    };
}

impl Family {
    /// The family as a probability distribution, to be sampled; `None` if the complement model, which is none, is in
    /// it.
    pub fn density(&self) -> Option<BoxedModel> {
        Some(match self {
            Self::Gaussian(family) => BoxedModel::new(*family),
            Self::SharedGaussian(family) => BoxedModel::new(*family),
            Self::Categorical(family) => BoxedModel::new(family.clone()),
            Self::Multinomial(family) => BoxedModel::new(family.clone()),
            Self::Bernoulli(family) => BoxedModel::new(family.clone()),
            Self::Poisson(family) => BoxedModel::new(family.clone()),
            Self::Complement(_) => return None,
            Self::Blocks(blocks) => {
                let mut boxed = Blocks::default().ignore(blocks.ignored().iter().copied());
                for (columns, family) in blocks.iter() {
                    boxed = boxed.with_same(columns.iter().copied(), family.density()?);
                }
                BoxedModel::new(boxed)
            }
        })
    }
}

impl FeatureModel for Family {
    type Fitted = FittedFamily;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        each!(Self, self, family => family.layout(n_columns))
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        each!(Self, self, family => family.check(rows))
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        each!(Self, self, family => family.update(rows, weights, sums));
    }

    fn accumulator(&self, n_columns: usize) -> Option<Box<dyn Accumulator + '_>> {
        each!(Self, self, family => family.accumulator(n_columns))
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedFamily, FamilyError> {
        Ok(match self {
            Self::Gaussian(family) => FittedFamily::Gaussian(family.fit(classes)?),
            Self::SharedGaussian(family) => FittedFamily::SharedGaussian(family.fit(classes)?),
            Self::Categorical(family) => FittedFamily::Categorical(family.fit(classes)?),
            Self::Multinomial(family) => FittedFamily::Multinomial(family.fit(classes)?),
            Self::Complement(family) => FittedFamily::Complement(family.fit(classes)?),
            Self::Bernoulli(family) => FittedFamily::Bernoulli(family.fit(classes)?),
            Self::Poisson(family) => FittedFamily::Poisson(family.fit(classes)?),
            Self::Blocks(blocks) => FittedFamily::Blocks(blocks.fit(classes)?),
        })
    }
}

impl Likelihood for FittedFamily {
    fn shape(&self) -> Option<(usize, usize)> {
        each!(Self, self, fitted => fitted.shape())
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        each!(Self, self, fitted => fitted.check(rows))
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        each!(Self, self, fitted => fitted.log_likelihood(class, column, value))
    }

    fn add_log_likelihood(&self, rows: &Block<'_>, scores: &mut Scores<'_>) {
        each!(Self, self, fitted => fitted.add_log_likelihood(rows, scores));
    }

    fn check_and_add_log_likelihood(
        &self,
        rows: &Block<'_>,
        scores: &mut Scores<'_>,
    ) -> Result<(), ValueError> {
        each!(Self, self, fitted => fitted.check_and_add_log_likelihood(rows, scores))
    }

    fn estimate_log_likelihood(&self, rows: &Block<'_>, estimates: &mut Estimates<'_>) -> bool {
        each!(Self, self, fitted => fitted.estimate_log_likelihood(rows, estimates))
    }

    fn estimate_codes(&self, rows: &Codes<'_>, estimates: &mut Estimates<'_>) -> bool {
        each!(Self, self, fitted => fitted.estimate_codes(rows, estimates))
    }

    fn sum_layout(&self) -> Option<SumLayout> {
        each!(Self, self, fitted => fitted.sum_layout())
    }

    fn log_likelihood_of_sums(&self, class: usize, sums: &ClassSums<'_>) -> Option<f64> {
        each!(Self, self, fitted => fitted.log_likelihood_of_sums(class, sums))
    }
}
