//! Linear families of any type, for mixed models.

use nb_core::{
    Accumulator, Block, ClassSums, ExactSums, FamilyError, FeatureModel, LayoutError, SumLayout, ValueError,
    Weights,
};

use crate::LinearDensity;

/// A linear family whose type is not known at compile time, for [`Blocks`](nb_core::Blocks) of different linear
/// families: that all of them are linear stays a fact of types.
///
/// ```
/// use nb_core::{Blocks, Categorical, NaiveBayes};
/// use nb_linear::{LinearForm, LinearModel, SharedGaussian};
/// use ndarray::array;
///
/// let mixed = Blocks::default()
///     .with_same([0], LinearModel::new(SharedGaussian::default()))
///     .with_same([1], LinearModel::new(Categorical::default()));
/// let x = array![[1.8, 0.0], [1.7, 1.0], [1.1, 1.0], [1.3, 1.0]];
/// let classifier = NaiveBayes::new(mixed).fit(&x, &["adult", "adult", "child", "child"])?;
/// let form = LinearForm::new(&classifier);
/// assert_eq!(form.features().len(), 3); // the height, and two categories
/// assert_eq!(form.predict(&x)?, classifier.predict(&x)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Other families do not compile here:
///
/// ```compile_fail,E0277
/// use nb_core::Gaussian;
/// use nb_linear::LinearModel;
///
/// let model = LinearModel::new(Gaussian::default());
/// ```
pub struct LinearModel(Box<dyn ErasedModel>);

impl LinearModel {
    /// Hides the type of a family.
    pub fn new<M>(model: M) -> Self
    where
        M: FeatureModel + 'static,
        M::Fitted: LinearDensity + 'static,
    {
        Self(Box::new(model))
    }
}

impl std::fmt::Debug for LinearModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LinearModel").finish_non_exhaustive()
    }
}

/// [`FeatureModel`] without its associated type.
trait ErasedModel: Send + Sync {
    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError>;
    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError>;
    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]);
    fn accumulator(&self, n_columns: usize) -> Option<Box<dyn Accumulator + '_>>;
    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<Box<dyn LinearDensity>, FamilyError>;
}

impl<M> ErasedModel for M
where
    M: FeatureModel,
    M::Fitted: LinearDensity + 'static,
{
    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        FeatureModel::layout(self, n_columns)
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        FeatureModel::check(self, rows)
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        FeatureModel::update(self, rows, weights, sums);
    }

    fn accumulator(&self, n_columns: usize) -> Option<Box<dyn Accumulator + '_>> {
        FeatureModel::accumulator(self, n_columns)
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<Box<dyn LinearDensity>, FamilyError> {
        Ok(Box::new(FeatureModel::fit(self, classes)?))
    }
}

impl FeatureModel for LinearModel {
    type Fitted = Box<dyn LinearDensity>;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        self.0.layout(n_columns)
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        self.0.check(rows)
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        self.0.update(rows, weights, sums);
    }

    fn accumulator(&self, n_columns: usize) -> Option<Box<dyn Accumulator + '_>> {
        self.0.accumulator(n_columns)
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<Box<dyn LinearDensity>, FamilyError> {
        self.0.fit(classes)
    }
}
