//! What a threshold can be best in, as an option has it.

use clap::ValueEnum;
use nb_train::ThresholdGoal;

/// What a threshold optimises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Goal {
    /// F1 of the class.
    F1,
    /// The share of rows that are labelled correctly.
    Accuracy,
    /// The mean of recall and specificity of the class (Youden's index is twice this, less 1).
    BalancedAccuracy,
}

impl From<Goal> for ThresholdGoal {
    fn from(goal: Goal) -> Self {
        match goal {
            Goal::F1 => Self::F1,
            Goal::Accuracy => Self::Accuracy,
            Goal::BalancedAccuracy => Self::BalancedAccuracy,
        }
    }
}
