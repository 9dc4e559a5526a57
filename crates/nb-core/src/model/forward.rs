//! Passing every method of a family on to another one: written once, so that no forwarder can miss a method.

use std::sync::Arc;

use crate::model::{ClassSums, Density, FamilyError, FeatureModel, Likelihood};

/// Writes every method of a [`FeatureModel`](crate::FeatureModel) but `fit`, whose result differs, in an
/// `impl` of a type that passes them on.
///
/// The second argument names a macro that finds the other family: called as `find!(self, inner => work)`, it
/// must evaluate `work` with `inner` bound to a reference to it. A match in it serves enums.
///
/// ```
/// use nb_core::{FeatureModel, Gaussian, error::FamilyError, family::{ClassSums, forward_family}};
///
/// /// A Gaussian family with a name.
/// struct Named(&'static str, Gaussian);
///
/// macro_rules! of_named {
///     ($self:ident, $inner:ident => $work:expr) => {{
///         let $inner = &$self.1;
///         $work
///     }};
/// }
///
/// impl FeatureModel for Named {
///     type Fitted = <Gaussian as FeatureModel>::Fitted;
///
///     forward_family!(self, of_named);
///
///     fn fit(&self, classes: &[ClassSums<'_>]) -> Result<Self::Fitted, FamilyError> {
///         self.1.fit(classes)
///     }
/// }
/// assert_eq!(Named("height", Gaussian::default()).layout(2)?, Gaussian::default().layout(2)?);
/// # Ok::<(), nb_core::error::LayoutError>(())
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __forward_family {
    ($self:ident, $find:ident) => {
        fn layout(&$self, n_columns: usize) -> Result<$crate::family::SumLayout, $crate::error::LayoutError> {
            $find!($self, inner => $crate::FeatureModel::layout(inner, n_columns))
        }

        fn check(&$self, rows: &$crate::family::Block<'_>) -> Result<(), $crate::error::ValueError> {
            $find!($self, inner => $crate::FeatureModel::check(inner, rows))
        }

        fn update(&$self, rows: &$crate::family::Block<'_>, weights: $crate::family::Weights<'_>, sums: &mut [$crate::exact::ExactSums]) {
            $find!($self, inner => $crate::FeatureModel::update(inner, rows, weights, sums));
        }

        fn accumulator(&$self, n_columns: usize) -> Option<Box<dyn $crate::family::Accumulator + '_>> {
            $find!($self, inner => $crate::FeatureModel::accumulator(inner, n_columns))
        }
    };
}

/// Writes every method of a [`Likelihood`](crate::Likelihood) in an `impl` of a type that passes them on, as
/// [`forward_family!`](crate::family::forward_family) does for a family.
#[doc(hidden)]
#[macro_export]
macro_rules! __forward_likelihood {
    ($self:ident, $find:ident) => {
        fn check(&$self, rows: &$crate::family::Block<'_>) -> Result<(), $crate::error::ValueError> {
            $find!($self, inner => $crate::Likelihood::check(inner, rows))
        }

        fn shape(&$self) -> Option<(usize, usize)> {
            $find!($self, inner => $crate::Likelihood::shape(inner))
        }

        fn is_additive(&$self) -> bool {
            $find!($self, inner => $crate::Likelihood::is_additive(inner))
        }

        fn interactions(&$self) -> Option<&dyn $crate::family::Interactions> {
            $find!($self, inner => $crate::Likelihood::interactions(inner))
        }

        #[inline]
        fn log_likelihood(&$self, class: usize, column: usize, value: f64) -> f64 {
            $find!($self, inner => $crate::Likelihood::log_likelihood(inner, class, column, value))
        }

        fn score(&$self, rows: &$crate::family::Block<'_>, scores: &mut $crate::family::Scores<'_>) -> Result<(), $crate::error::ValueError> {
            $find!($self, inner => $crate::Likelihood::score(inner, rows, scores))
        }

        fn estimate(&$self, rows: &$crate::family::Block<'_>, estimates: &mut $crate::family::Estimates<'_>) -> bool {
            $find!($self, inner => $crate::Likelihood::estimate(inner, rows, estimates))
        }

        fn of_sums(&$self) -> Option<&dyn $crate::family::SumForm> {
            $find!($self, inner => $crate::Likelihood::of_sums(inner))
        }
    };
}

/// Writes every method of a [`Density`](crate::Density) in an `impl` of a type that passes them on, as
/// [`forward_family!`](crate::family::forward_family) does for a family.
#[doc(hidden)]
#[macro_export]
macro_rules! __forward_density {
    ($self:ident, $find:ident) => {
        fn sample(&$self, class: usize, column: usize, rng: &mut dyn $crate::family::__Rng) -> f64 {
            $find!($self, inner => $crate::Density::sample(inner, class, column, rng))
        }

        fn add_log_base_measure(&$self, rows: &$crate::family::Block<'_>, log_density: &mut [f64]) {
            $find!($self, inner => $crate::Density::add_log_base_measure(inner, rows, log_density));
        }
    };
}

/// What a pointer points to.
macro_rules! behind {
    ($self:ident, $inner:ident => $work:expr) => {{
        let $inner = &**$self;
        $work
    }};
}

macro_rules! forward_pointer {
    ($($pointer:ty),*) => {$(
        impl<M: FeatureModel + ?Sized> FeatureModel for $pointer {
            type Fitted = M::Fitted;

            crate::__forward_family!(self, behind);

            fn fit(&self, classes: &[ClassSums<'_>]) -> Result<M::Fitted, FamilyError> {
                (**self).fit(classes)
            }
        }

        impl<M: Likelihood + ?Sized> Likelihood for $pointer {
            crate::__forward_likelihood!(self, behind);
        }

        impl<M: Density + ?Sized> Density for $pointer {
            crate::__forward_density!(self, behind);
        }
    )*};
}

forward_pointer!(&M, Box<M>, Arc<M>);
