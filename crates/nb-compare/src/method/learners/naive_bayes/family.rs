//! Families whose type is chosen at run time, densities and others.

use nb_core::{
    Density, FeatureModel, Likelihood,
    error::FamilyError,
    family::{BoxedDensity, BoxedModel, ClassSums, forward_family, forward_likelihood},
};
use nb_variants::{Binned, FittedBinned};

/// A family for some columns.
#[derive(Debug)]
pub(crate) enum Family {
    /// A distribution, of any type.
    Density(BoxedModel),
    /// A family of the list.
    Listed(nb_io::Family),
    /// Bins, whose values have no distribution within them.
    Binned(Binned),
}

/// A fitted [`Family`].
#[derive(Debug)]
pub(crate) enum FittedFamily {
    Density(BoxedDensity),
    Listed(Box<nb_io::FittedFamily>),
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
    ($self:ident, $family:ident => $work:expr) => {
        match $self {
            Self::Density($family) => $work,
            Self::Listed($family) => $work,
            Self::Binned($family) => $work,
        }
    };
}

impl FeatureModel for Family {
    type Fitted = FittedFamily;

    forward_family!(self, each);

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedFamily, FamilyError> {
        Ok(match self {
            Self::Density(family) => FittedFamily::Density(family.fit(classes)?),
            Self::Listed(family) => FittedFamily::Listed(Box::new(family.fit(classes)?)),
            Self::Binned(family) => FittedFamily::Binned(family.fit(classes)?),
        })
    }
}

impl Likelihood for FittedFamily {
    forward_likelihood!(self, each);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_passed_on() {
        nb_laws::check_forwarding(Family::density);
    }
}
