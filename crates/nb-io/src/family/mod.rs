//! Every family that a file can name, as one type.

mod calibrated;
mod of_bins;
mod other;
mod preparation;
mod registry;
mod score_table;
mod variants;

use nb_core::{
    Bernoulli, Blocks, Categorical, Complement, FeatureModel, Gaussian, Likelihood, Multinomial,
    NegativeBinomial, Poisson, ZeroInflatedGaussian,
    description::{
        self, Columns, Described, Description, Hyper, Inspect, Parameter, SettingError, Summand, Value,
    },
    error::FamilyError,
    family::{BoxedModel, ClassSums, forward_family, forward_likelihood},
    fitted::{
        FittedBernoulli, FittedBlocks, FittedCategorical, FittedComplement, FittedGaussian,
        FittedMultinomial, FittedNegativeBinomial, FittedPoisson, FittedZeroInflatedGaussian,
    },
};
use nb_discriminative::FittedRefined;
use nb_linear::{FittedSharedGaussian, SharedGaussian};
use nb_variants::{
    A2de, Aode, Aodesr, Asaode, AttributeWeighted, Binned, FittedA2de, FittedAode, FittedAodesr,
    FittedAsaode, FittedAttributeWeighted, FittedBinned, FittedGrouped, FittedHnb, FittedKdb,
    FittedKdbEnsemble, FittedKernelDensity, FittedTan, FittedTransformed, FittedWaode, Grouped, Hnb, Kdb,
    KdbEnsemble, KernelDensity, Tan, Transformed, Variant, Waode,
};

pub use calibrated::FittedCalibrated;
pub use nb_variants::{BinRule, Parents, PowerRule, Preparation, PreparationError, RuleError, WeightRule};
pub use of_bins::LearntFamilyError;
pub use other::{FittedOther, OtherFamily};
pub use registry::{Registry, RegistryError};
pub use score_table::ScoreTable;
pub use variants::CodeMemory;

/// A family of the list as a variant, if its line says that it is one.
macro_rules! as_variant {
    ($family:ident) => {{
        let _ = $family;
        None
    }};
    ($family:ident, $variant:ident) => {
        Some($family)
    };
}

/// Writes the enums of all families from their list, and everything that only passes on to one of them.
macro_rules! families {
    ($d:tt $($(#[$about:meta])* $name:ident($family:ty $(, $variant:ident)?) => $fitted:ty,)*) => {
        /// A family with its hyper-parameters, chosen at run time: what a model file stores.
        ///
        /// ```
        /// use nb_core::{NegativeBinomial, description::Value};
        /// use nb_io::{Family, Registry};
        ///
        /// let mut family = Registry::default().family("negative-binomial")?;
        /// family.set("smoothing", &Value::Number(0.5))?;
        /// assert!(matches!(&family, Family::NegativeBinomial(NegativeBinomial { smoothing, .. }) if smoothing.get(0) == 0.5));
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Family {
            $($(#[$about])* $name($family),)*
            /// Different families on different columns.
            Blocks(Blocks<Family>),
            /// A family from elsewhere; files of it are read with a [`Registry`] that has it.
            Other(OtherFamily),
        }

        /// A fitted [`Family`].
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub enum FittedFamily {
            $(#[doc = concat!("See [`Family::", stringify!($name), "`].")] $name($fitted),)*
            /// See [`Family::Blocks`].
            Blocks(FittedBlocks<FittedFamily>),
            /// See [`Family::Other`].
            Other(FittedOther),
            /// A family with weights and corrections, of a model with a [refinement](crate::Model::refinement).
            Refined(Box<FittedRefined<FittedFamily>>),
            /// A family whose posteriors are calibrated, of a model with a [calibration](crate::Model::calibration).
            Calibrated(Box<FittedCalibrated>),
        }

        /// Does the same with whichever family it is.
        macro_rules! each {
            ($d self:ident, $d family:ident => $d work:expr) => {
                match $d self {
                    $(Self::$name($d family) => $d work,)*
                    Self::Blocks($d family) => $d work,
                    Self::Other($d family) => $d work,
                }
            };
        }

        /// Does the same with whichever fitted family it is.
        macro_rules! each_fitted {
            ($d self:ident, $d fitted:ident => $d work:expr) => {
                match $d self {
                    $(Self::$name($d fitted) => $d work,)*
                    Self::Blocks($d fitted) => $d work,
                    Self::Other($d fitted) => $d work,
                    Self::Refined($d fitted) => {
                        let $d fitted = &**$d fitted;
                        $d work
                    }
                    Self::Calibrated($d fitted) => {
                        let $d fitted = &**$d fitted;
                        $d work
                    }
                }
            };
        }

        $(impl From<$family> for Family {
            fn from(family: $family) -> Self {
                Self::$name(family)
            }
        })*

        impl Family {
            /// Every family of the list, with the hyper-parameters that it has by default; those that are learnt have no columns.
            fn all() -> Vec<Self> {
                vec![$(Self::$name(<$family>::default()),)*]
            }

            /// What it is called, and what it is for.
            pub fn description(&self) -> Description {
                match self {
                    $(Self::$name(_) => <$family as Described>::describe(),)*
                    Self::Blocks(_) => Description::new("blocks", Columns::Real),
                    Self::Other(family) => family.description(),
                }
            }

            /// Its hyper-parameters, each with the field that holds it. Blocks have none of their own.
            pub fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
                match self {
                    $(Self::$name(family) => family.hyper_parameters(),)*
                    Self::Blocks(_) => Vec::new(),
                    Self::Other(family) => family.hyper_parameters(),
                }
            }

            /// What each part of its sums adds up, where that is known; see [`Described::summands`].
            pub fn summands(&self) -> Option<Vec<Summand>> {
                match self {
                    $(Self::$name(family) => family.summands(),)*
                    Self::Blocks(_) => None,
                    Self::Other(family) => family.summands(),
                }
            }

            /// What it has as a family of nb-variants; `None` for others, and for blocks.
            pub fn variant(&self) -> Option<&dyn Variant> {
                match self {
                    $(Self::$name(family) => as_variant!(family $(, $variant)?),)*
                    Self::Blocks(_) | Self::Other(_) => None,
                }
            }

            /// The same to change it.
            pub fn variant_mut(&mut self) -> Option<&mut dyn Variant> {
                match self {
                    $(Self::$name(family) => as_variant!(family $(, $variant)?),)*
                    Self::Blocks(_) | Self::Other(_) => None,
                }
            }

            /// The family as a probability distribution, to be sampled; `None` if the complement model or bins, which are
            /// none, are in it.
            pub fn density(&self) -> Option<BoxedModel> {
                match self {
                    $(Self::$name(family) => family.density(),)*
                    Self::Blocks(blocks) => {
                        let mut boxed = Blocks::default().ignore(blocks.ignored().iter().copied());
                        for (columns, family) in blocks.iter() {
                            boxed = boxed.with_same(columns.iter().copied(), family.density()?);
                        }
                        Some(BoxedModel::new(boxed))
                    }
                    Self::Other(family) => family.density(),
                }
            }

            fn fitted(&self, classes: &[ClassSums<'_>]) -> Result<FittedFamily, FamilyError> {
                Ok(match self {
                    $(Self::$name(family) => FittedFamily::$name(family.fit(classes)?),)*
                    Self::Blocks(blocks) => FittedFamily::Blocks(blocks.fit(classes)?),
                    Self::Other(family) => FittedFamily::Other(family.fit(classes)?),
                })
            }
        }

        impl FittedFamily {
            /// What its family is called, and what it is for.
            pub fn description(&self) -> Description {
                match self {
                    $(Self::$name(_) => <$family as Described>::describe(),)*
                    Self::Blocks(_) => Description::new("blocks", Columns::Real),
                    Self::Other(fitted) => fitted.description(),
                    Self::Refined(fitted) => fitted.fitted().description(),
                    Self::Calibrated(fitted) => fitted.classifier().likelihood().description(),
                }
            }

            /// What it says of single columns; `None` for blocks, of which each says it, and for a family with weights and
            /// corrections or a calibration.
            pub fn inspect(&self) -> Option<&dyn Inspect> {
                match self {
                    $(Self::$name(fitted) => Some(fitted),)*
                    Self::Blocks(_) | Self::Refined(_) | Self::Calibrated(_) => None,
                    Self::Other(fitted) => Some(fitted.inspect()),
                }
            }
        }
    };
}

// The list of families. A new one is a line here, in the order in which programs name them; what it is
// called, its hyper-parameters and all else come from its description (`nb_core::description`), and for those
// marked `variant` what they learn and how it is stored from `nb_variants::Variant`.
families! { $
    /// Normal distributions with a variance per class and column.
    Gaussian(Gaussian) => FittedGaussian,
    /// Normal distributions with a variance per column.
    SharedGaussian(SharedGaussian) => FittedSharedGaussian,
    /// A point mass at a value, and normal distributions of all others.
    ZeroInflatedGaussian(ZeroInflatedGaussian) => FittedZeroInflatedGaussian,
    /// Categories.
    Categorical(Categorical) => FittedCategorical,
    /// Categories in groups that are read off the counts.
    Grouped(Grouped, variant) => FittedGrouped,
    /// Yes or no.
    Bernoulli(Bernoulli) => FittedBernoulli,
    /// Independent counts.
    Poisson(Poisson) => FittedPoisson,
    /// Independent counts that vary more.
    NegativeBinomial(NegativeBinomial) => FittedNegativeBinomial,
    /// Counts of events.
    Multinomial(Multinomial) => FittedMultinomial,
    /// Counts of events, scored by the other classes.
    Complement(Complement) => FittedComplement,
    /// Numbers in bins, whose cut points are learnt before.
    Binned(Binned, variant) => FittedBinned,
    /// Kernel densities on grids, which are learnt before.
    Kernel(KernelDensity, variant) => FittedKernelDensity,
    /// Normal distributions after a power or logarithm, which is learnt before.
    Power(Transformed, variant) => FittedTransformed,
    /// Categories and bins, each column in turn the parent of all others.
    Aode(Aode, variant) => FittedAode,
    /// Categories and bins, each column with one other as its parent.
    Tan(Tan, variant) => FittedTan,
    /// Categories and bins, each column with a hidden parent of all others.
    Hnb(Hnb, variant) => FittedHnb,
    /// Categories and bins, each column in turn the parent of all others, with a weight.
    Waode(Waode, variant) => FittedWaode,
    /// Categories and bins as in AODE, without values that others imply.
    Aodesr(Aodesr, variant) => FittedAodesr,
    /// Categories and bins, some columns in turn the parent of some others.
    Asaode(Asaode, variant) => FittedAsaode,
    /// Categories and bins, every two columns in turn the parents of all others.
    A2de(A2de, variant) => FittedA2de,
    /// Categories and bins, each column with a few others as its parents.
    Kdb(Kdb, variant) => FittedKdb,
    /// The same, averaged over orders of the columns.
    KdbEnsemble(KdbEnsemble, variant) => FittedKdbEnsemble,
    /// Categories and bins, each column with a weight, or one for each class.
    AttributeWeighted(AttributeWeighted, variant) => FittedAttributeWeighted,
}

impl Family {
    /// Every family that can be used as it is, with the hyper-parameters that it has by default.
    pub(crate) fn listed() -> Vec<Self> {
        Self::all().into_iter().filter(|family| !family.description().is_learnt).collect()
    }

    /// The families with something that is learnt from rows, without any columns: what
    /// [`prepared`](Self::prepared) is for.
    pub fn learnt() -> Vec<Self> {
        Self::all().into_iter().filter(|family| family.description().is_learnt).collect()
    }

    /// A family from elsewhere, which is then stored in files by its name. A family of the list stays what it
    /// is if it is made [`from`](From) its type.
    pub fn other<M>(family: M) -> Self
    where
        M: Described,
        M::Fitted: Inspect + 'static,
    {
        Self::Other(OtherFamily::new(family))
    }

    /// Sets a hyper-parameter by its name.
    ///
    /// # Errors
    /// [`SettingError`] if none has this name, or it cannot have the value.
    pub fn set(&mut self, name: &str, value: &Value) -> Result<(), SettingError> {
        description::set(self.hyper_parameters(), name, value)
    }

    /// The names and values of its hyper-parameters.
    pub fn settings(&self) -> Vec<(&'static Parameter, Value)> {
        let mut family = self.clone();
        family.hyper_parameters().iter().map(|hyper| (hyper.parameter, hyper.value())).collect()
    }
}

impl FittedFamily {
    /// The probabilities of categories, where columns have these alone; of a family of groups those that its
    /// groups make.
    pub fn of_categories(&self) -> Option<&FittedCategorical> {
        match self {
            Self::Categorical(fitted) => Some(fitted),
            Self::Grouped(fitted) => Some(fitted.categories()),
            _ => None,
        }
    }
}

impl FeatureModel for Family {
    type Fitted = FittedFamily;

    forward_family!(self, each);

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedFamily, FamilyError> {
        self.fitted(classes)
    }
}

impl Likelihood for FittedFamily {
    forward_likelihood!(self, each_fitted);
}
