//! Linear families of any type, for mixed models.

use nb_core::{
    FeatureModel,
    error::FamilyError,
    family::{ClassSums, forward_family},
};

use crate::LinearDensity;

/// A linear family whose type is not known at compile time, for [`Blocks`](nb_core::Blocks) of different
/// linear families: that all of them are linear stays a fact of types.
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
pub struct LinearModel(Box<dyn FeatureModel<Fitted = Box<dyn LinearDensity>>>);

impl LinearModel {
    /// Hides the type of a family.
    ///
    /// ```
    /// # use nb_core::NaiveBayes;
    /// # use nb_linear::{LinearModel, SharedGaussian};
    /// # use ndarray::array;
    /// let model = LinearModel::new(SharedGaussian::default());
    /// let x = array![[1.0], [3.0], [3.0], [5.0]];
    /// let classifier = NaiveBayes::new(model).fit(&x, &['a', 'a', 'b', 'b'])?;
    /// assert_eq!(classifier.predict(&array![[2.0], [4.0]])?, ['a', 'b']);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new<M>(model: M) -> Self
    where
        M: FeatureModel + 'static,
        M::Fitted: LinearDensity + 'static,
    {
        Self(Box::new(Erased(model)))
    }
}

impl std::fmt::Debug for LinearModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LinearModel").finish_non_exhaustive()
    }
}

/// A linear family whose fitted form is boxed.
struct Erased<M>(M);

/// What is erased, or boxed.
macro_rules! inner {
    ($self:ident, $inner:ident => $work:expr) => {{
        let $inner = &$self.0;
        $work
    }};
}

impl<M> FeatureModel for Erased<M>
where
    M: FeatureModel,
    M::Fitted: LinearDensity + 'static,
{
    type Fitted = Box<dyn LinearDensity>;

    forward_family!(self, inner);

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<Box<dyn LinearDensity>, FamilyError> {
        Ok(Box::new(self.0.fit(classes)?))
    }
}

impl FeatureModel for LinearModel {
    type Fitted = Box<dyn LinearDensity>;

    forward_family!(self, inner);

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<Box<dyn LinearDensity>, FamilyError> {
        self.0.fit(classes)
    }
}
