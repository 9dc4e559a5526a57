//! Families from elsewhere, whose type this crate does not know.

use std::{any::Any, fmt};

use nb_core::{
    Accumulator, Block, BoxedModel, Cells, ClassSums, Codes, Estimates, ExactSums, FamilyError, FeatureModel,
    LayoutError, Likelihood, Scores, SumLayout, ValueError, Weights,
    description::{Described, Description, Hyper, Inspect, Summand},
};

/// A family from elsewhere, with its hyper-parameters; see [`Family::other`](super::Family::other).
pub struct OtherFamily(Box<dyn ErasedFamily>);

/// The fitted form of an [`OtherFamily`].
pub struct FittedOther {
    description: Description,
    fitted: Box<dyn ErasedFitted>,
}

/// [`Described`] without its associated type.
trait ErasedFamily: Send + Sync {
    fn model(&self) -> &dyn FeatureModel<Fitted = FittedOther>;
    fn describe(&self) -> Description;
    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>>;
    fn summands(&self) -> Option<Vec<Summand>>;
    fn density(&self) -> Option<BoxedModel>;
    fn copy(&self) -> Box<dyn ErasedFamily>;
    fn equals(&self, other: &dyn ErasedFamily) -> bool;
    fn as_any(&self) -> &dyn Any;
    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

/// A family whose fitted form has no static type.
struct Erased<M>(M);

impl<M> ErasedFamily for Erased<M>
where
    M: Described,
    M::Fitted: Inspect + 'static,
{
    fn model(&self) -> &dyn FeatureModel<Fitted = FittedOther> {
        self
    }

    fn describe(&self) -> Description {
        M::describe()
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        self.0.hyper_parameters()
    }

    fn summands(&self) -> Option<Vec<Summand>> {
        self.0.summands()
    }

    fn density(&self) -> Option<BoxedModel> {
        self.0.density()
    }

    fn copy(&self) -> Box<dyn ErasedFamily> {
        Box::new(Self(self.0.clone()))
    }

    fn equals(&self, other: &dyn ErasedFamily) -> bool {
        other.as_any().downcast_ref::<M>().is_some_and(|other| *other == self.0)
    }

    fn as_any(&self) -> &dyn Any {
        &self.0
    }

    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl OtherFamily {
    /// Hides the type of a family.
    pub(super) fn new<M>(family: M) -> Self
    where
        M: Described,
        M::Fitted: Inspect + 'static,
    {
        Self(Box::new(Erased(family)))
    }

    /// The family itself, if it is an `M`.
    pub fn downcast_ref<M: Described>(&self) -> Option<&M> {
        self.0.as_any().downcast_ref()
    }

    /// What it is called, and what it is for.
    pub fn description(&self) -> Description {
        self.0.describe()
    }

    pub(super) fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        self.0.hyper_parameters()
    }

    pub(super) fn summands(&self) -> Option<Vec<Summand>> {
        self.0.summands()
    }

    pub(super) fn density(&self) -> Option<BoxedModel> {
        self.0.density()
    }
}

impl Clone for OtherFamily {
    fn clone(&self) -> Self {
        Self(self.0.copy())
    }
}

impl PartialEq for OtherFamily {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(&*other.0)
    }
}

impl fmt::Debug for OtherFamily {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.debug(f)
    }
}

impl FittedOther {
    /// The fitted family itself, if it is an `F`.
    pub fn downcast_ref<F: Likelihood + 'static>(&self) -> Option<&F> {
        self.fitted.as_any().downcast_ref()
    }

    /// What its family is called, and what it is for.
    pub fn description(&self) -> Description {
        self.description
    }

    pub(super) fn inspect(&self) -> &dyn Inspect {
        self.fitted.inspect()
    }
}

/// [`Inspect`] that still knows its type.
trait ErasedFitted: Inspect {
    fn as_any(&self) -> &dyn Any;
    fn inspect(&self) -> &dyn Inspect;
}

impl<F: Inspect + 'static> ErasedFitted for F {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn inspect(&self) -> &dyn Inspect {
        self
    }
}

impl fmt::Debug for FittedOther {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FittedOther").finish_non_exhaustive()
    }
}

impl<M> FeatureModel for Erased<M>
where
    M: Described,
    M::Fitted: Inspect + 'static,
{
    type Fitted = FittedOther;

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

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedOther, FamilyError> {
        Ok(FittedOther { description: M::describe(), fitted: Box::new(self.0.fit(classes)?) })
    }
}

impl FeatureModel for OtherFamily {
    type Fitted = FittedOther;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        self.0.model().layout(n_columns)
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        self.0.model().check(rows)
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        self.0.model().update(rows, weights, sums);
    }

    fn accumulator(&self, n_columns: usize) -> Option<Box<dyn Accumulator + '_>> {
        self.0.model().accumulator(n_columns)
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedOther, FamilyError> {
        self.0.model().fit(classes)
    }
}

impl Likelihood for FittedOther {
    fn shape(&self) -> Option<(usize, usize)> {
        self.fitted.shape()
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        self.fitted.check(rows)
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        self.fitted.log_likelihood(class, column, value)
    }

    fn add_log_likelihood(&self, rows: &Block<'_>, scores: &mut Scores<'_>) {
        self.fitted.add_log_likelihood(rows, scores);
    }

    fn check_and_add_log_likelihood(
        &self,
        rows: &Block<'_>,
        scores: &mut Scores<'_>,
    ) -> Result<(), ValueError> {
        self.fitted.check_and_add_log_likelihood(rows, scores)
    }

    fn estimate_log_likelihood(&self, rows: &Block<'_>, estimates: &mut Estimates<'_>) -> bool {
        self.fitted.estimate_log_likelihood(rows, estimates)
    }

    fn estimate_codes(&self, rows: &Codes<'_>, estimates: &mut Estimates<'_>) -> bool {
        self.fitted.estimate_codes(rows, estimates)
    }

    fn estimate_singles(&self, rows: &Cells<'_, f32>, estimates: &mut Estimates<'_>) -> bool {
        self.fitted.estimate_singles(rows, estimates)
    }

    fn sum_layout(&self) -> Option<SumLayout> {
        self.fitted.sum_layout()
    }

    fn log_likelihood_of_sums(&self, class: usize, sums: &ClassSums<'_>) -> Option<f64> {
        self.fitted.log_likelihood_of_sums(class, sums)
    }
}
