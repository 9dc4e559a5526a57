//! How probabilities with few rows are smoothed, as a design says it.

use nb_variants::HierarchicalDirichlet;
use serde::{Deserialize, Serialize};

/// More sweeps than anybody waits for.
const MOST_ITERATIONS: usize = HierarchicalDirichlet::MOST_ITERATIONS;

/// How the probabilities of a network of columns are smoothed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
#[non_exhaustive]
pub enum SmoothingChoice {
    /// By pseudo-counts: the option `l`.
    #[default]
    Additive,
    /// By a hierarchy of Dirichlet distributions.
    Hdp(HdpChoice),
}

/// The options of a hierarchy of Dirichlet distributions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct HdpChoice {
    /// How many sweeps the sampler makes.
    #[serde(alias = "sweeps")]
    pub iterations: usize,
    /// How many of them come before the averages; by default a tenth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub burn_in: Option<usize>,
    /// The seed of the sampler.
    pub seed: u64,
}

impl Default for HdpChoice {
    fn default() -> Self {
        let HierarchicalDirichlet { iterations, seed, .. } = HierarchicalDirichlet::default();
        Self { iterations, burn_in: None, seed }
    }
}

impl HdpChoice {
    /// The smoothing.
    pub(crate) fn smoothing(self) -> HierarchicalDirichlet {
        let smoothing =
            HierarchicalDirichlet::default().with_iterations(self.iterations).with_seed(self.seed);
        self.burn_in.map_or(smoothing, |burn_in| smoothing.with_burn_in(burn_in))
    }
}

impl SmoothingChoice {
    /// Refuses options of additive smoothing beside a hierarchy, and sweeps without an average.
    pub(super) fn check(self, has_pseudo_counts: bool) -> Result<(), String> {
        let Self::Hdp(choice) = self else { return Ok(()) };
        if has_pseudo_counts {
            return Err(
                "`l`, `pseudo_counts` and `ridge` belong to smoothing = additive, not to hdp; leave them out"
                    .into(),
            );
        }
        let HierarchicalDirichlet { iterations, burn_in, .. } = choice.smoothing();
        if iterations > MOST_ITERATIONS {
            return Err(format!(
                "smoothing.hdp.iterations is {iterations}, and must be at most {MOST_ITERATIONS}"
            ));
        }
        if iterations <= burn_in {
            return Err(format!(
                "smoothing.hdp.iterations is {iterations}, and must be above smoothing.hdp.burn_in, which is {burn_in}"
            ));
        }
        Ok(())
    }
}

/// A name, or the name and the options.
#[derive(Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "smoothing is additive or hdp, or has options of hdp, which are iterations, burn_in and seed: whole numbers, 0 or more"
)]
enum Written {
    Name(Name),
    Options(Options),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Name {
    Additive,
    Hdp,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    hdp: HdpChoice,
}

impl From<Written> for SmoothingChoice {
    fn from(written: Written) -> Self {
        match written {
            Written::Name(Name::Additive) => Self::Additive,
            Written::Name(Name::Hdp) => Self::Hdp(HdpChoice::default()),
            Written::Options(Options { hdp }) => Self::Hdp(hdp),
        }
    }
}

impl From<SmoothingChoice> for Written {
    fn from(choice: SmoothingChoice) -> Self {
        match choice {
            SmoothingChoice::Additive => Self::Name(Name::Additive),
            SmoothingChoice::Hdp(hdp) if hdp == HdpChoice::default() => Self::Name(Name::Hdp),
            SmoothingChoice::Hdp(hdp) => Self::Options(Options { hdp }),
        }
    }
}
