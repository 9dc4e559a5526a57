//! Families whose type is not known at compile time.

use std::{any::Any, fmt, sync::Arc};

use crate::{
    __forward_density as forward_density, __forward_family as forward_family,
    __forward_likelihood as forward_likelihood,
    model::{ClassSums, Density, FamilyError, FeatureModel, Likelihood},
};

/// A family whose type is not known at compile time, for [`Blocks`](crate::Blocks) of different families.
/// Copies share it.
#[derive(Clone)]
pub struct BoxedModel(Arc<dyn FeatureModel<Fitted = BoxedDensity>>);

/// The fitted form of a [`BoxedModel`]. Copies share it.
#[derive(Clone)]
pub struct BoxedDensity(Arc<dyn ErasedDensity>);

/// What is in a box.
macro_rules! boxed {
    ($self:ident, $inner:ident => $work:expr) => {{
        let $inner = &*$self.0;
        $work
    }};
}

impl BoxedModel {
    /// Hides the type of a family.
    pub fn new<M>(model: M) -> Self
    where
        M: FeatureModel + 'static,
        M::Fitted: Density + 'static,
    {
        Self(Arc::new(Erased(model)))
    }
}

impl FeatureModel for BoxedModel {
    type Fitted = BoxedDensity;

    forward_family!(self, boxed);

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<BoxedDensity, FamilyError> {
        self.0.fit(classes)
    }
}

impl fmt::Debug for BoxedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoxedModel").finish_non_exhaustive()
    }
}

/// A family whose fitted form is boxed.
struct Erased<M>(M);

/// What is erased.
macro_rules! erased {
    ($self:ident, $inner:ident => $work:expr) => {{
        let $inner = &$self.0;
        $work
    }};
}

impl<M> FeatureModel for Erased<M>
where
    M: FeatureModel,
    M::Fitted: Density + 'static,
{
    type Fitted = BoxedDensity;

    forward_family!(self, erased);

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<BoxedDensity, FamilyError> {
        Ok(BoxedDensity(Arc::new(self.0.fit(classes)?)))
    }
}

impl BoxedDensity {
    /// The fitted family itself, if it is a `T`.
    ///
    /// ```
    /// use nb_core::{Blocks, Gaussian, NaiveBayes, Poisson, fitted::FittedGaussian};
    /// use ndarray::array;
    ///
    /// let blocks = Blocks::new().with([0], Gaussian::default()).with([1], Poisson::default());
    /// let classifier = NaiveBayes::new(blocks).fit(&array![[1.0, 4.0], [3.0, 5.0]], &["a", "a"])?;
    /// let (_, fitted) = classifier.likelihood().iter().next().unwrap();
    /// assert_eq!(fitted.downcast_ref::<FittedGaussian>().unwrap().means()[[0, 0]], 2.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn downcast_ref<T: Density + 'static>(&self) -> Option<&T> {
        // `Box<dyn ErasedDensity>` is itself a `Density`: downcast its contents, not the box.
        (*self.0).as_any().downcast_ref()
    }
}

impl Likelihood for BoxedDensity {
    forward_likelihood!(self, boxed);
}

impl Density for BoxedDensity {
    forward_density!(self, boxed);
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
