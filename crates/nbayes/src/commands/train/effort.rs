//! How much is done for a good model: as the options say, else as rows and columns allow.

use nb_discriminative::Learner;

use super::Train;
use crate::{columns::Found, design::Choice};

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
            None => Method::Refined(self.effort.level().learners()),
        }
    }

    fn why_plain(&self, found: &Found, choices: &[Choice]) -> Option<String> {
        if self.tune {
            return Some("--tune chooses hyper-parameters of families".into());
        }
        if let Some(option) = self.family.given() {
            return Some(format!("--{option} is of families"));
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
    /// The same for the library.
    pub(super) fn level(self) -> nb_train::Effort {
        match self {
            Self { sums_only: true, .. } => nb_train::Effort::SumsOnly,
            Self { plain: true, .. } => nb_train::Effort::Plain,
            Self { fast: true, .. } => nb_train::Effort::Fast,
            Self { best: true, .. } => nb_train::Effort::Best,
            _ => nb_train::Effort::Usual,
        }
    }
}
