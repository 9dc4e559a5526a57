//! Families whose type is not known at compile time.

use std::{any::Any, fmt};

use rand::Rng;

use crate::{
    Accumulator, Block, Cells, ClassSums, Codes, Density, Estimates, ExactSums, FamilyError, FeatureModel,
    LayoutError, Likelihood, Scores, SumLayout, ValueError, Weights,
};

/// A family whose type is not known at compile time, for [`Blocks`](crate::Blocks) of different families.
pub struct BoxedModel(Box<dyn ErasedModel>);

/// The fitted form of a [`BoxedModel`].
pub struct BoxedDensity(Box<dyn ErasedDensity>);

impl BoxedModel {
    /// Hides the type of a family.
    pub fn new<M>(model: M) -> Self
    where
        M: FeatureModel + 'static,
        M::Fitted: Density + 'static,
    {
        Self(Box::new(model))
    }
}

impl fmt::Debug for BoxedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoxedModel").finish_non_exhaustive()
    }
}

/// [`FeatureModel`] without its associated type.
trait ErasedModel: Send + Sync {
    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError>;
    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError>;
    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]);
    fn accumulator(&self, n_columns: usize) -> Option<Box<dyn Accumulator + '_>>;
    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<BoxedDensity, FamilyError>;
}

impl<M> ErasedModel for M
where
    M: FeatureModel,
    M::Fitted: Density + 'static,
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

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<BoxedDensity, FamilyError> {
        Ok(BoxedDensity(Box::new(FeatureModel::fit(self, classes)?)))
    }
}

impl FeatureModel for BoxedModel {
    type Fitted = BoxedDensity;

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

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<BoxedDensity, FamilyError> {
        self.0.fit(classes)
    }
}

impl BoxedDensity {
    /// The fitted family itself, if it is a `T`.
    ///
    /// ```
    /// use nb_core::{Blocks, FittedGaussian, Gaussian, NaiveBayes, Poisson};
    /// use ndarray::array;
    ///
    /// let blocks = Blocks::new().with([0], Gaussian::default()).with([1], Poisson::default());
    /// let classifier = NaiveBayes::new(blocks).fit(&array![[1.0, 4.0], [3.0, 5.0]], &["a", "a"])?;
    /// let (_, fitted) = classifier.likelihood().iter().next().unwrap();
    /// assert_eq!(fitted.downcast_ref::<FittedGaussian>().unwrap().means()[[0, 0]], 2.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn downcast_ref<T: Density + 'static>(&self) -> Option<&T> {
        // The box is a `Density`, too; what is asked for is in it.
        (*self.0).as_any().downcast_ref()
    }
}

impl fmt::Debug for BoxedDensity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoxedDensity").finish_non_exhaustive()
    }
}

/// [`Density`] that still knows its type.
trait ErasedDensity: Density {
    fn as_any(&self) -> &dyn Any;
}

impl<T: Density + 'static> ErasedDensity for T {
    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Likelihood for BoxedDensity {
    fn shape(&self) -> Option<(usize, usize)> {
        self.0.shape()
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        self.0.check(rows)
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        self.0.log_likelihood(class, column, value)
    }

    fn add_log_likelihood(&self, rows: &Block<'_>, scores: &mut Scores<'_>) {
        self.0.add_log_likelihood(rows, scores);
    }

    fn check_and_add_log_likelihood(
        &self,
        rows: &Block<'_>,
        scores: &mut Scores<'_>,
    ) -> Result<(), ValueError> {
        self.0.check_and_add_log_likelihood(rows, scores)
    }

    fn estimate_log_likelihood(&self, rows: &Block<'_>, estimates: &mut Estimates<'_>) -> bool {
        self.0.estimate_log_likelihood(rows, estimates)
    }

    fn estimate_codes(&self, rows: &Codes<'_>, estimates: &mut Estimates<'_>) -> bool {
        self.0.estimate_codes(rows, estimates)
    }

    fn sum_layout(&self) -> Option<SumLayout> {
        self.0.sum_layout()
    }

    fn log_likelihood_of_sums(&self, class: usize, sums: &ClassSums<'_>) -> Option<f64> {
        self.0.log_likelihood_of_sums(class, sums)
    }

    fn estimate_singles(&self, rows: &Cells<'_, f32>, estimates: &mut Estimates<'_>) -> bool {
        self.0.estimate_singles(rows, estimates)
    }
}

impl Density for BoxedDensity {
    fn sample(&self, class: usize, column: usize, rng: &mut dyn Rng) -> f64 {
        self.0.sample(class, column, rng)
    }

    fn add_log_base_measure(&self, rows: &Block<'_>, log_density: &mut [f64]) {
        self.0.add_log_base_measure(rows, log_density);
    }
}
