//! Families whose type is chosen at run time, densities and others.

use nb_core::{
    Accumulator, Block, BoxedDensity, BoxedModel, Cells, ClassSums, Codes, Complement, Density, Estimates,
    ExactSums, FamilyError, FeatureModel, FittedComplement, LayoutError, Likelihood, Scores, SumLayout,
    ValueError, Weights,
};
use nb_variants::{Binned, FittedBinned};

/// A family for some columns.
#[derive(Debug)]
pub(crate) enum Family {
    /// A distribution, of any type.
    Density(BoxedModel),
    /// The complement model, which is none.
    Complement(Complement),
    /// Bins, whose values have no distribution within them.
    Binned(Binned),
}

/// A fitted [`Family`].
#[derive(Debug)]
pub(crate) enum FittedFamily {
    Density(BoxedDensity),
    Complement(FittedComplement),
    Binned(FittedBinned),
}

impl Family {
    /// Hides the type of a distribution.
    pub(crate) fn density<M>(model: M) -> Self
    where
        M: FeatureModel + 'static,
        M::Fitted: Density + 'static,
    {
        Self::Density(BoxedModel::new(model))
    }
}

/// Does the same with whichever it is.
macro_rules! each {
    ($type:ident, $value:expr, $family:ident => $work:expr) => {
        match $value {
            $type::Density($family) => $work,
            $type::Complement($family) => $work,
            $type::Binned($family) => $work,
        }
    };
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
            Self::Density(family) => FittedFamily::Density(family.fit(classes)?),
            Self::Complement(family) => FittedFamily::Complement(family.fit(classes)?),
            Self::Binned(family) => FittedFamily::Binned(family.fit(classes)?),
        })
    }
}

impl Likelihood for FittedFamily {
    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        each!(Self, self, fitted => fitted.check(rows))
    }

    fn shape(&self) -> Option<(usize, usize)> {
        each!(Self, self, fitted => fitted.shape())
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

    fn estimate_singles(&self, rows: &Cells<'_, f32>, estimates: &mut Estimates<'_>) -> bool {
        each!(Self, self, fitted => fitted.estimate_singles(rows, estimates))
    }
}
