//! What a model file says, as plain serde types: the wire form of schema, family, prior and evidence.
//!
//! These types are the format. A change of theirs is a change of the version, and `docs/format.md` is kept with them.

mod sums;
mod text;
mod values;

use nb_core::{
    Bernoulli, Blocks, Categorical, Categories, Complement, Gaussian, Multinomial, Poisson, SufficientStats,
    Unseen,
    description::{Parameter, SettingError, Value},
    error::LayoutError,
    exact::ExactSums,
};
use nb_linear::SharedGaussian;
use serde::{Deserialize, Serialize};

use super::LoadProblem;
use crate::{Column, Family, Kind, Model, Registry, RegistryError, Schema, text::Terms};
pub(super) use sums::{SumsDocument, TailDocument, WideDocument};
use text::TextDocument;

/// The first version of the format that may leave out sums that are zero.
pub(super) const SPARSE_VERSION: u16 = 3;
/// The first version of the format that has sums of terms of any size.
pub(super) const WIDE_VERSION: u16 = 4;

/// A whole model.
#[derive(Clone, Debug)]
pub(super) struct Document {
    /// The oldest version of the format that has all that is in it.
    pub(super) version: u16,
    pub(super) schema: SchemaDocument,
    pub(super) family: FamilyDocument,
    pub(super) prior: PriorDocument,
    pub(super) classes: Vec<ClassDocument>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SchemaDocument {
    pub(super) columns: Vec<ColumnDocument>,
    pub(super) label: String,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ColumnDocument {
    pub(super) name: String,
    pub(super) kind: KindDocument,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum KindDocument {
    Numeric,
    Count,
    Categorical { levels: Vec<String> },
    Text(Box<TextDocument>),
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum FamilyDocument {
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
}

/// A hyper-parameter of a family that is stored by its name.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ParameterDocument {
    name: String,
    value: ValueDocument,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum ValueDocument {
    Number(f64),
    Numbers(Vec<f64>),
    Flag(bool),
    Name(String),
    Amount { name: String, number: f64 },
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BlockDocument {
    columns: Vec<u64>,
    family: FamilyDocument,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum EstimatorDocument {
    MaximumLikelihood,
    Unbiased,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum VarianceSmoothingDocument {
    RelativeFloor(f64),
    LargestVariance(f64),
    AbsoluteFloor(f64),
    None,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum MissingDocument {
    Error,
    Skip,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum UnseenDocument {
    Error,
    Ignore,
    Other,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum CategoriesDocument {
    Found,
    Declared(Vec<u64>),
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SmoothingDocument {
    Same(f64),
    PerFeature(Vec<f64>),
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum PriorDocument {
    Empirical,
    Uniform,
    Given(Vec<f64>),
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClassDocument {
    pub(super) label: String,
    pub(super) weight: SumsDocument,
    pub(super) parts: Vec<SumsDocument>,
}

impl ClassDocument {
    /// All of its sums.
    fn sums(&self) -> impl Iterator<Item = &SumsDocument> {
        std::iter::once(&self.weight).chain(&self.parts)
    }
}

impl Document {
    pub(super) fn of(model: &Model) -> Self {
        let stats = model.stats();
        let classes = stats.classes().zip(stats.class_weights()).zip(stats.class_sums());
        let classes = classes.map(|((label, weight), parts)| {
            let mut total = ExactSums::new(1);
            weight.components().iter().for_each(|&component| total.add(0, component));
            let parts = parts.iter().map(SumsDocument::of).collect();
            ClassDocument { label: label.clone(), weight: SumsDocument::of(&total), parts }
        });
        let mut classes: Vec<ClassDocument> = classes.collect();
        let all =
            classes.iter_mut().flat_map(|class| std::iter::once(&mut class.weight).chain(&mut class.parts));
        let family = FamilyDocument::of(model.family());
        let mut version = if sums::leave_out_zeros(all) { SPARSE_VERSION } else { family.version() };
        if classes.iter().flat_map(ClassDocument::sums).any(|sums| !sums.wide.is_empty()) {
            version = WIDE_VERSION;
        }
        Self {
            version,
            schema: SchemaDocument::of(model.schema()),
            family,
            prior: PriorDocument::of(model.prior()),
            classes,
        }
    }

    /// Refuses what its version does not have.
    pub(super) fn check_version(&self) -> Result<(), LoadProblem> {
        let any = |has: fn(&SumsDocument) -> bool| self.classes.iter().flat_map(ClassDocument::sums).any(has);
        let problem = if self.version < SPARSE_VERSION && any(|sums| sums.places.is_some()) {
            "places"
        } else if self.version < WIDE_VERSION && any(|sums| !sums.wide.is_empty()) {
            "numbers in digits"
        } else {
            return Ok(());
        };
        let reason = format!("{problem} are not of version {}", self.version);
        Err(LoadProblem::invalid("a vector of sums", &reason))
    }

    /// About as many bytes as all sums take, and their names.
    pub(super) fn size(&self) -> usize {
        let parts = self.classes.iter().flat_map(|class| &class.parts);
        let sums: usize = parts.map(SumsDocument::n_doubles).sum();
        let names: usize = self.schema.columns.iter().map(ColumnDocument::size).sum();
        8 * sums + names + (1 << 12)
    }

    pub(super) fn into_model(self, registry: &Registry) -> Result<Model, LoadProblem> {
        let schema = self.schema.into_schema();
        schema.check()?;
        check_size(&schema, self.classes.len())?;
        sums::check_zeros(self.classes.iter().flat_map(ClassDocument::sums))?;
        let family =
            self.family.into_family(registry).map_err(|error| LoadProblem::invalid("the family", &error))?;
        let mut classes = Vec::with_capacity(self.classes.len());
        for class in self.classes {
            let sums = |what: String, document: SumsDocument| {
                let planes =
                    document.into_planes().map_err(|reason| LoadProblem::invalid(&*what, &reason))?;
                ExactSums::try_from(planes).map_err(|error| LoadProblem::invalid(&*what, &error))
            };
            let label = class.label;
            let weight = sums(format!("the weight of class {label:?}"), class.weight)?;
            if weight.len() > 1 {
                return Err(LoadProblem::invalid(
                    format!("the weight of class {label:?}"),
                    &"it is not one number",
                ));
            }
            let parts = class.parts.into_iter().enumerate();
            let parts =
                parts.map(|(part, document)| sums(format!("part {part} of class {label:?}"), document));
            classes.push((label.clone(), weight.get(0), parts.collect::<Result<Vec<_>, _>>()?));
        }
        let stats = SufficientStats::from_parts(&family, schema.n_features(), classes);
        let stats = stats.map_err(|error| LoadProblem::invalid("the statistics", &error))?;
        Ok(Model::with_checked_schema(schema, family, self.prior.into_prior(), stats)?)
    }
}

/// Refuses more hashed terms than memory should be taken for on the word of a few bytes: a file says how many there are,
/// and sums are kept for all.
fn check_size(schema: &Schema, n_classes: usize) -> Result<(), LoadProblem> {
    const MOST_TERMS: usize = 1 << 24;
    const MOST_SUMS: usize = 1 << 27;
    let buckets = schema.columns.iter().filter_map(|column| match &column.kind {
        Kind::Text(text) => match &text.terms {
            Terms::Hashed { buckets } => Some(*buckets as usize),
            Terms::Vocabulary(_) => None,
        },
        _ => None,
    });
    let terms = buckets.fold(0, usize::saturating_add);
    if terms <= MOST_TERMS && terms.saturating_mul(n_classes) <= MOST_SUMS {
        return Ok(());
    }
    let reason = format!(
        "{terms} hashed terms in {n_classes} classes, more than the limit of {MOST_TERMS} terms and {MOST_SUMS} sums"
    );
    Err(LoadProblem::invalid("the schema", &reason))
}

impl ColumnDocument {
    /// About as many bytes as its names take.
    fn size(&self) -> usize {
        let names = match &self.kind {
            KindDocument::Text(text) => text.size(),
            _ => 0,
        };
        self.name.len() + 12 + names
    }
}

impl SchemaDocument {
    fn of(schema: &Schema) -> Self {
        let columns = schema.columns.iter().map(|column| {
            let kind = match &column.kind {
                Kind::Numeric => KindDocument::Numeric,
                Kind::Count => KindDocument::Count,
                Kind::Categorical { levels } => KindDocument::Categorical { levels: levels.clone() },
                Kind::Text(text) => KindDocument::Text(TextDocument::of(text).into()),
            };
            ColumnDocument { name: column.name.clone(), kind }
        });
        Self { columns: columns.collect(), label: schema.label.clone() }
    }

    fn into_schema(self) -> Schema {
        let columns = self.columns.into_iter().map(|column| {
            let kind = match column.kind {
                KindDocument::Numeric => Kind::Numeric,
                KindDocument::Count => Kind::Count,
                KindDocument::Categorical { levels } => Kind::Categorical { levels },
                KindDocument::Text(text) => Kind::Text(text.into_text().into()),
            };
            Column { name: column.name, kind }
        });
        Schema { columns: columns.collect(), label: self.label }
    }
}

impl FamilyDocument {
    fn of(family: &Family) -> Self {
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
            Family::Poisson(Poisson { smoothing, missing }) => Self::Poisson {
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
            other => Self::Named {
                name: other.description().name.into(),
                parameters: other.settings().into_iter().map(ParameterDocument::of).collect(),
            },
        }
    }

    /// The version of the format that first had it.
    fn version(&self) -> u16 {
        match self {
            Self::Named { .. } => 2,
            Self::Blocks { blocks, .. } => {
                blocks.iter().map(|block| block.family.version()).max().unwrap_or(1)
            }
            _ => 1,
        }
    }

    fn into_family(self, registry: &Registry) -> Result<Family, FamilyProblem> {
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
            Self::Named { name, parameters } => {
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
    Name(#[from] RegistryError),
    #[error(transparent)]
    Setting(#[from] SettingError),
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
    fn into_value(self) -> Value {
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
