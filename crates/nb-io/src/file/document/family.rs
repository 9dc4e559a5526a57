//! Families and their hyper-parameters on the wire.

use nb_core::{
    Bernoulli, Blocks, Categorical, Categories, Complement, Gaussian, Multinomial, Poisson, RatePrior,
    Unseen,
    description::{Parameter, SettingError, Value},
    error::LayoutError,
};
use nb_linear::SharedGaussian;
use nb_variants::{Binned, Cuts, CutsError, LearntError};
use serde::{Deserialize, Serialize};

use super::{REFINEMENT_VERSION, learnt, nested};
use crate::{Family, Registry, RegistryError};

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(in crate::file) enum FamilyDocument {
    Gaussian {
        estimator: EstimatorDocument,
        smoothing: VarianceSmoothingDocument,
        missing: MissingDocument,
    },
    SharedGaussian {
        estimator: EstimatorDocument,
        smoothing: VarianceSmoothingDocument,
        missing: MissingDocument,
    },
    Categorical {
        categories: CategoriesDocument,
        smoothing: SmoothingDocument,
        unseen: UnseenDocument,
        missing: MissingDocument,
    },
    Multinomial {
        smoothing: SmoothingDocument,
        missing: MissingDocument,
    },
    Complement {
        smoothing: SmoothingDocument,
        normalize: bool,
        missing: MissingDocument,
    },
    Bernoulli {
        threshold: f64,
        smoothing: SmoothingDocument,
        missing: MissingDocument,
    },
    Poisson {
        smoothing: SmoothingDocument,
        missing: MissingDocument,
    },
    Blocks {
        blocks: Vec<BlockDocument>,
        ignored: Vec<u64>,
    },
    /// Every other family: since version 2.
    Named {
        name: String,
        parameters: Vec<ParameterDocument>,
    },
    /// Numbers in bins: since version 8.
    Binned {
        cuts: Vec<Vec<f64>>,
        smoothing: SmoothingDocument,
        missing: MissingDocument,
    },
}

/// A hyper-parameter of a family that is stored by its name.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(in crate::file) struct ParameterDocument {
    pub(super) name: String,
    pub(super) value: ValueDocument,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(in crate::file) enum ValueDocument {
    Number(f64),
    Numbers(Vec<f64>),
    Flag(bool),
    Name(String),
    Amount { name: String, number: f64 },
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(in crate::file) struct BlockDocument {
    columns: Vec<u64>,
    #[serde(deserialize_with = "nested::deserialize")]
    family: FamilyDocument,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::file) enum EstimatorDocument {
    MaximumLikelihood,
    Unbiased,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::file) enum VarianceSmoothingDocument {
    RelativeFloor(f64),
    LargestVariance(f64),
    AbsoluteFloor(f64),
    None,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::file) enum MissingDocument {
    Error,
    Skip,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::file) enum UnseenDocument {
    Error,
    Ignore,
    Other,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::file) enum CategoriesDocument {
    Found,
    Declared(Vec<u64>),
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::file) enum SmoothingDocument {
    Same(f64),
    PerFeature(Vec<f64>),
}

impl FamilyDocument {
    pub(super) fn of(family: &Family) -> Self {
        match family {
            Family::Gaussian(Gaussian { estimator, smoothing, missing }) => Self::Gaussian {
                estimator: EstimatorDocument::of(*estimator),
                smoothing: VarianceSmoothingDocument::of(*smoothing),
                missing: MissingDocument::of(*missing),
            },
            Family::SharedGaussian(SharedGaussian { estimator, smoothing, missing }) => {
                Self::SharedGaussian {
                    estimator: EstimatorDocument::of(*estimator),
                    smoothing: VarianceSmoothingDocument::of(*smoothing),
                    missing: MissingDocument::of(*missing),
                }
            }
            Family::Categorical(Categorical { categories, smoothing, unseen, missing }) => {
                Self::Categorical {
                    categories: match categories {
                        Categories::Inferred => CategoriesDocument::Found,
                        Categories::Declared(counts) => CategoriesDocument::Declared(to_u64(counts)),
                    },
                    smoothing: SmoothingDocument::of(smoothing),
                    unseen: match unseen {
                        Unseen::Error => UnseenDocument::Error,
                        Unseen::Ignore => UnseenDocument::Ignore,
                        Unseen::Other => UnseenDocument::Other,
                    },
                    missing: MissingDocument::of(*missing),
                }
            }
            Family::Multinomial(Multinomial { smoothing, missing }) => Self::Multinomial {
                smoothing: SmoothingDocument::of(smoothing),
                missing: MissingDocument::of(*missing),
            },
            Family::Complement(Complement { smoothing, normalize, missing }) => Self::Complement {
                smoothing: SmoothingDocument::of(smoothing),
                normalize: *normalize,
                missing: MissingDocument::of(*missing),
            },
            Family::Bernoulli(Bernoulli { threshold, smoothing, missing }) => Self::Bernoulli {
                threshold: *threshold,
                smoothing: SmoothingDocument::of(smoothing),
                missing: MissingDocument::of(*missing),
            },
            Family::Poisson(Poisson { smoothing, rate_prior: RatePrior::Unit, missing }) => Self::Poisson {
                smoothing: SmoothingDocument::of(smoothing),
                missing: MissingDocument::of(*missing),
            },
            Family::Blocks(blocks) => Self::Blocks {
                blocks: blocks
                    .iter()
                    .map(|(columns, family)| BlockDocument {
                        columns: to_u64(columns),
                        family: Self::of(family),
                    })
                    .collect(),
                ignored: to_u64(blocks.ignored()),
            },
            Family::Binned(Binned { cuts, smoothing, missing }) => Self::Binned {
                cuts: (0..cuts.n_columns()).map(|column| cuts.column(column).to_vec()).collect(),
                smoothing: SmoothingDocument::of(smoothing),
                missing: MissingDocument::of(*missing),
            },
            other => {
                let settings = other.settings().into_iter().map(ParameterDocument::of);
                Self::Named {
                    name: other.description().name.into(),
                    parameters: learnt::parameters(other).into_iter().chain(settings).collect(),
                }
            }
        }
    }

    /// The version of the format that first had it.
    pub(super) fn version(&self) -> u16 {
        match self {
            Self::Named { .. } => 2,
            Self::Binned { .. } => REFINEMENT_VERSION,
            Self::Blocks { blocks, .. } => {
                blocks.iter().map(|block| block.family.version()).max().unwrap_or(1)
            }
            _ => 1,
        }
    }

    pub(super) fn into_family(self, registry: &Registry) -> Result<Family, FamilyProblem> {
        Ok(match self {
            Self::Gaussian { estimator, smoothing, missing } => Family::Gaussian(Gaussian {
                estimator: estimator.into_estimator(),
                smoothing: smoothing.into_smoothing(),
                missing: missing.into_missing(),
            }),
            Self::SharedGaussian { estimator, smoothing, missing } => {
                Family::SharedGaussian(SharedGaussian {
                    estimator: estimator.into_estimator(),
                    smoothing: smoothing.into_smoothing(),
                    missing: missing.into_missing(),
                })
            }
            Self::Categorical { categories, smoothing, unseen, missing } => {
                Family::Categorical(Categorical {
                    categories: match categories {
                        CategoriesDocument::Found => Categories::Inferred,
                        CategoriesDocument::Declared(counts) => Categories::Declared(to_usize(&counts)),
                    },
                    smoothing: smoothing.into_smoothing()?,
                    unseen: match unseen {
                        UnseenDocument::Error => Unseen::Error,
                        UnseenDocument::Ignore => Unseen::Ignore,
                        UnseenDocument::Other => Unseen::Other,
                    },
                    missing: missing.into_missing(),
                })
            }
            Self::Multinomial { smoothing, missing } => Family::Multinomial(Multinomial {
                smoothing: smoothing.into_smoothing()?,
                missing: missing.into_missing(),
            }),
            Self::Complement { smoothing, normalize, missing } => Family::Complement(Complement {
                smoothing: smoothing.into_smoothing()?,
                normalize,
                missing: missing.into_missing(),
            }),
            Self::Bernoulli { threshold, smoothing, missing } => Family::Bernoulli(Bernoulli {
                threshold,
                smoothing: smoothing.into_smoothing()?,
                missing: missing.into_missing(),
            }),
            Self::Poisson { smoothing, missing } => Family::Poisson(Poisson {
                rate_prior: RatePrior::Unit,
                smoothing: smoothing.into_smoothing()?,
                missing: missing.into_missing(),
            }),
            Self::Blocks { blocks, ignored } => {
                let mut family = Blocks::default().ignore(to_usize(&ignored));
                for block in blocks {
                    family = family.with_same(to_usize(&block.columns), block.family.into_family(registry)?);
                }
                Family::Blocks(family)
            }
            Self::Binned { cuts, smoothing, missing } => Family::Binned(Binned {
                cuts: Cuts::new(cuts)?,
                smoothing: smoothing.into_smoothing()?,
                missing: missing.into_missing(),
            }),
            Self::Named { name, parameters } => {
                if let Some(family) = learnt::family(&name, &parameters)? {
                    return Ok(family);
                }
                let mut family = registry.family(&name)?;
                for ParameterDocument { name, value } in parameters {
                    family.set(&name, &value.into_value())?;
                }
                family
            }
        })
    }
}

/// Why a document is no family.
#[derive(Debug, thiserror::Error)]
pub(super) enum FamilyProblem {
    #[error(transparent)]
    Layout(#[from] LayoutError),
    #[error(transparent)]
    Cuts(#[from] CutsError),
    #[error(transparent)]
    Name(#[from] RegistryError),
    #[error(transparent)]
    Setting(#[from] SettingError),
    #[error(transparent)]
    Numbers(#[from] LearntError),
    #[error("{name} of the family {family:?} must be {must_be}")]
    Learnt { family: &'static str, name: &'static str, must_be: &'static str },
}

impl ParameterDocument {
    fn of((parameter, value): (&Parameter, Value)) -> Self {
        let value = match value {
            Value::Number(number) => ValueDocument::Number(number),
            Value::Numbers(numbers) => ValueDocument::Numbers(numbers),
            Value::Flag(flag) => ValueDocument::Flag(flag),
            Value::Name(name) => ValueDocument::Name(name),
            Value::Amount(name, number) => ValueDocument::Amount { name, number },
        };
        Self { name: parameter.name.into(), value }
    }
}

impl ValueDocument {
    pub(super) fn into_value(self) -> Value {
        match self {
            Self::Number(number) => Value::Number(number),
            Self::Numbers(numbers) => Value::Numbers(numbers),
            Self::Flag(flag) => Value::Flag(flag),
            Self::Name(name) => Value::Name(name),
            Self::Amount { name, number } => Value::Amount(name, number),
        }
    }
}

fn to_u64(numbers: &[usize]) -> Vec<u64> {
    numbers.iter().map(|&number| number as u64).collect()
}

/// A number beyond `usize` is beyond any column or category, too, and is refused as such.
fn to_usize(numbers: &[u64]) -> Vec<usize> {
    numbers.iter().map(|&number| usize::try_from(number).unwrap_or(usize::MAX)).collect()
}
