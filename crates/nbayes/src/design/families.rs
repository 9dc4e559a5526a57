//! The families of a model, from the choices for its columns and the hyper-parameters that the user gives.

use anyhow::Result;
use clap::ValueEnum;
use nb_core::{
    Bernoulli, Blocks, Categorical, Categories, Complement, Gaussian, Missing, Multinomial, Poisson,
    Smoothing, Unseen, VarianceEstimator, VarianceSmoothing,
};
use nb_io::{Family, Kind, Schema};
use nb_linear::SharedGaussian;

use super::{Choice, TextArgs, text::TextModel};

/// Hyper-parameters.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Hyper-parameters")]
pub(crate) struct FamilyArgs {
    /// The pseudo-count added to every count: 0 is maximum likelihood, 1 is Laplace.
    #[arg(long, value_name = "L", default_value_t = 1.0)]
    smoothing: f64,
    /// A variance is at least this share of the column's variance over all rows.
    #[arg(long, value_name = "SHARE", default_value_t = 1e-9)]
    variance_floor: f64,
    /// Divides variances by n - 1 instead of n.
    #[arg(long)]
    unbiased: bool,
    /// One variance per column for all classes: the boundary between classes is linear.
    #[arg(long)]
    shared_variance: bool,
    /// What a missing cell does.
    #[arg(long, value_enum, default_value_t = MissingArg::Skip)]
    missing_cells: MissingArg,
    /// What a category does that no training row had, when rows are labelled.
    #[arg(long, value_enum, default_value_t = UnseenArg::Ignore)]
    unseen: UnseenArg,
}

/// What a family is called.
pub(crate) fn family_name(family: &Family) -> &'static str {
    match family {
        Family::Gaussian(_) => "gaussian",
        Family::SharedGaussian(_) => "gaussian, shared variances",
        Family::Categorical(_) => "categorical",
        Family::Multinomial(_) => "multinomial",
        Family::Complement(_) => "complement",
        Family::Bernoulli(_) => "bernoulli",
        Family::Poisson(_) => "poisson",
        _ => "blocks",
    }
}

/// What a missing cell does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MissingArg {
    /// It is left out of its row.
    Skip,
    /// It is refused.
    Error,
}

/// What an unseen category does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum UnseenArg {
    /// It is left out of its row.
    Ignore,
    /// It counts as one further category, which was never seen.
    Other,
    /// It is refused.
    Error,
}

impl FamilyArgs {
    /// The family of a model with these columns: blocks, or the only one that there would be. Every text is a block of
    /// its own, other columns with the same choice are one together.
    pub(crate) fn family(&self, schema: &Schema, choices: &[Choice], text: &TextArgs) -> Result<Family> {
        let mut groups: Vec<(Choice, Vec<usize>)> = Vec::new();
        for (column, &choice) in choices.iter().enumerate() {
            let group = groups.iter_mut().find(|(of_group, _)| *of_group == choice && choice != Choice::Text);
            match group {
                Some((_, columns)) => columns.push(column),
                None => groups.push((choice, vec![column])),
            }
        }
        let mut blocks = Vec::new();
        for (choice, columns) in groups {
            let family = self.one(choice, schema, &columns, text)?;
            let features: Vec<usize> =
                columns.into_iter().flat_map(|column| schema.feature_range(column)).collect();
            blocks.push((family, features));
        }
        if let [(family, _)] = blocks.as_slice() {
            return Ok(family.clone());
        }
        let blocks = blocks.into_iter();
        Ok(Family::Blocks(blocks.fold(Blocks::default(), |all, (family, own)| all.with_same(own, family))))
    }

    /// The family of some columns with the same choice.
    fn one(&self, choice: Choice, schema: &Schema, columns: &[usize], text: &TextArgs) -> Result<Family> {
        let smoothing = Smoothing::new(self.smoothing)?;
        let missing = match self.missing_cells {
            MissingArg::Skip => Missing::Skip,
            MissingArg::Error => Missing::Error,
        };
        let estimator =
            if self.unbiased { VarianceEstimator::Unbiased } else { VarianceEstimator::MaximumLikelihood };
        let floor = VarianceSmoothing::RelativeFloor(self.variance_floor);
        let choice = match (choice, text.text_model()) {
            (Choice::Text, TextModel::Multinomial) => Choice::Multinomial,
            (Choice::Text, TextModel::Complement) => Choice::Complement,
            (Choice::Text, TextModel::Bernoulli) => Choice::Bernoulli,
            (choice, _) => choice,
        };
        Ok(match choice {
            Choice::Gaussian if self.shared_variance => {
                Family::SharedGaussian(SharedGaussian { estimator, smoothing: floor, missing })
            }
            Choice::Gaussian | Choice::Ignore => {
                Family::Gaussian(Gaussian { estimator, smoothing: floor, missing })
            }
            Choice::Categorical => {
                let levels = columns.iter().map(|&column| match &schema.columns[column].kind {
                    Kind::Categorical { levels } => levels.len(),
                    _ => 0,
                });
                Family::Categorical(Categorical {
                    categories: Categories::Declared(levels.collect()),
                    smoothing,
                    unseen: match self.unseen {
                        UnseenArg::Ignore => Unseen::Ignore,
                        UnseenArg::Other => Unseen::Other,
                        UnseenArg::Error => Unseen::Error,
                    },
                    missing,
                })
            }
            Choice::Bernoulli => Family::Bernoulli(Bernoulli { threshold: 0.0, smoothing, missing }),
            Choice::Poisson => Family::Poisson(Poisson { smoothing, missing }),
            Choice::Multinomial | Choice::Text => Family::Multinomial(Multinomial { smoothing, missing }),
            Choice::Complement => Family::Complement(Complement { smoothing, normalize: false, missing }),
        })
    }
}
