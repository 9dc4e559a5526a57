//! How much is done for a good model: as the options say, else as rows and columns allow.

use nb_discriminative::{Learner, Penalty};

use super::{super::columns::Found, Train};
use crate::design::Choice;

/// The numbers of bins that `--best` tries.
const BINS: [usize; 4] = [32, 16, 8, 64];
/// The penalties that `--best` tries, ridge and smoothness.
const PENALTIES: [(f64, f64); 9] = [
    (10.0, 1000.0),
    (3.0, 100.0),
    (1.0, 30.0),
    (1.0, 10.0),
    (0.3, 10.0),
    (0.1, 10.0),
    (0.1, 1.0),
    (0.1, 0.1),
    (0.03, 0.03),
];

/// How much is done for a good model.
#[derive(Clone, Copy, Debug, clap::Args)]
#[group(multiple = false)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct Effort {
    /// Plain naive Bayes: a family for each column, nothing weighted or corrected, in bounded memory.
    #[arg(long)]
    pub(super) plain: bool,
    /// Plain naive Bayes, and a model file with nothing but sums: no measures of held-out rows, for which rows are read a second time,
    /// and no fingerprint of the rows. For parts of models that are to be compared by their bytes.
    #[arg(long)]
    pub(super) sums_only: bool,
    /// Learn weights of columns only, and no corrections of bins and categories.
    #[arg(long)]
    pub(super) fast: bool,
    /// Try more numbers of bins, more penalties and more folds, and learn from more rows of large tables.
    #[arg(long)]
    pub(super) best: bool,
}

/// How a model is learnt.
pub(super) enum Method {
    /// Sums alone; why, if the program decided that.
    Plain(Option<String>),
    /// With weights and corrections.
    Refined(Vec<Learner>),
}

impl Train {
    /// Refined, unless an option, a column or the number of rows speaks against it.
    pub(super) fn method(&self, found: &Found, choices: &[Choice]) -> Method {
        if self.effort.plain || self.effort.sums_only {
            return Method::Plain(None);
        }
        match self.why_plain(found, choices) {
            Some(why) => Method::Plain(Some(why)),
            None => Method::Refined(self.effort.learners()),
        }
    }

    fn why_plain(&self, found: &Found, choices: &[Choice]) -> Option<String> {
        if self.tune {
            return Some("--tune chooses hyper-parameters of families".into());
        }
        if let Some(option) = self.family.given() {
            return Some(format!("--{option} is of families"));
        }
        if found.weights.is_some() {
            return Some("rows are weighted".into());
        }
        for (inference, choice) in found.inferred.columns.iter().zip(choices) {
            if *choice == Choice::Text && !found.text.is_multinomial() {
                return Some("--text-model is of families".into());
            }
            if found.choices.is_of_family(inference) {
                return Some(format!("the family of column {:?} is given", inference.column));
            }
        }
        None
    }
}

impl Effort {
    /// The maximum number of cells that weights and corrections are learnt from, in memory.
    pub(super) fn most_cells(self) -> usize {
        if self.best { 20_000_000 } else { 2_000_000 }
    }

    /// What is learnt, of which the best on held-out rows is kept.
    fn learners(self) -> Vec<Learner> {
        let learner = Learner::default();
        if self.fast {
            return vec![learner.weights_only()];
        }
        if !self.best {
            return vec![learner];
        }
        let penalty = |(ridge, smoothness)| Penalty { ridge, smoothness };
        let penalties: Vec<Penalty> = PENALTIES.map(penalty).into();
        let with_bins = |bins| {
            let mut learner = learner.clone().with_bins(bins);
            (learner.penalties, learner.folds) = (penalties.clone(), 10);
            learner
        };
        BINS.map(with_bins).into()
    }
}
