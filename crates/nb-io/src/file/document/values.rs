//! Hyper-parameters and their wire forms, one for one.

use nb_core::{Missing, Prior, Smoothing, VarianceEstimator, VarianceSmoothing, error::LayoutError};

use super::{
    PriorDocument,
    family::{EstimatorDocument, MissingDocument, SmoothingDocument, VarianceSmoothingDocument},
};

impl EstimatorDocument {
    pub(super) fn of(estimator: VarianceEstimator) -> Self {
        match estimator {
            VarianceEstimator::MaximumLikelihood => Self::MaximumLikelihood,
            VarianceEstimator::Unbiased => Self::Unbiased,
        }
    }

    pub(super) fn into_estimator(self) -> VarianceEstimator {
        match self {
            Self::MaximumLikelihood => VarianceEstimator::MaximumLikelihood,
            Self::Unbiased => VarianceEstimator::Unbiased,
        }
    }
}

impl VarianceSmoothingDocument {
    pub(super) fn of(smoothing: VarianceSmoothing) -> Self {
        match smoothing {
            VarianceSmoothing::RelativeFloor(share) => Self::RelativeFloor(share),
            VarianceSmoothing::LargestVariance(share) => Self::LargestVariance(share),
            VarianceSmoothing::AbsoluteFloor(floor) => Self::AbsoluteFloor(floor),
            VarianceSmoothing::None => Self::None,
        }
    }

    pub(super) fn into_smoothing(self) -> VarianceSmoothing {
        match self {
            Self::RelativeFloor(share) => VarianceSmoothing::RelativeFloor(share),
            Self::LargestVariance(share) => VarianceSmoothing::LargestVariance(share),
            Self::AbsoluteFloor(floor) => VarianceSmoothing::AbsoluteFloor(floor),
            Self::None => VarianceSmoothing::None,
        }
    }
}

impl MissingDocument {
    pub(super) fn of(missing: Missing) -> Self {
        match missing {
            Missing::Error => Self::Error,
            Missing::Skip => Self::Skip,
        }
    }

    pub(super) fn into_missing(self) -> Missing {
        match self {
            Self::Error => Missing::Error,
            Self::Skip => Missing::Skip,
        }
    }
}

impl SmoothingDocument {
    pub(super) fn of(smoothing: &Smoothing) -> Self {
        match smoothing.as_slice() {
            Some(l) => Self::PerFeature(l.to_vec()),
            None => Self::Same(smoothing.get(0)),
        }
    }

    pub(super) fn into_smoothing(self) -> Result<Smoothing, LayoutError> {
        match self {
            Self::Same(l) => Smoothing::new(l),
            Self::PerFeature(l) => Smoothing::per_feature(l),
        }
    }
}

impl PriorDocument {
    pub(super) fn of(prior: &Prior) -> Self {
        match prior {
            Prior::Empirical => Self::Empirical,
            Prior::Uniform => Self::Uniform,
            Prior::Given(probabilities) => Self::Given(probabilities.clone()),
        }
    }

    pub(super) fn into_prior(self) -> Prior {
        match self {
            Self::Empirical => Prior::Empirical,
            Self::Uniform => Prior::Uniform,
            Self::Given(probabilities) => Prior::Given(probabilities),
        }
    }
}
