//! Families from elsewhere, whose type this crate does not know.

use std::{any::Any, fmt, sync::Arc};

use nb_core::{
    FeatureModel, Likelihood,
    description::{Described, Description, Hyper, Inspect, Summand},
    error::FamilyError,
    family::{BoxedModel, ClassSums, forward_family, forward_likelihood},
};

/// A family from elsewhere, with its hyper-parameters; see [`Family::other`](super::Family::other).
pub struct OtherFamily(Box<dyn ErasedFamily>);

/// The fitted form of an [`OtherFamily`]. Copies share it.
#[derive(Clone)]
pub struct FittedOther {
    description: Description,
    fitted: Arc<dyn ErasedFitted>,
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

macro_rules! erased {
    ($self:ident, $inner:ident => $work:expr) => {{
        let $inner = &$self.0;
        $work
    }};
}

impl<M> FeatureModel for Erased<M>
where
    M: Described,
    M::Fitted: Inspect + 'static,
{
    type Fitted = FittedOther;

    forward_family!(self, erased);

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedOther, FamilyError> {
        Ok(FittedOther { description: M::describe(), fitted: Arc::new(self.0.fit(classes)?) })
    }
}

macro_rules! model {
    ($self:ident, $inner:ident => $work:expr) => {{
        let $inner = $self.0.model();
        $work
    }};
}

impl FeatureModel for OtherFamily {
    type Fitted = FittedOther;

    forward_family!(self, model);

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedOther, FamilyError> {
        self.0.model().fit(classes)
    }
}

macro_rules! fitted {
    ($self:ident, $inner:ident => $work:expr) => {{
        let $inner = &*$self.fitted;
        $work
    }};
}

impl Likelihood for FittedOther {
    forward_likelihood!(self, fitted);
}
