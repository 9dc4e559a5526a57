//! How much is done for a good model: as the options say, else as rows and columns allow.

use nb_train::WhyPlain;

/// How much is done for a good model.
#[derive(Clone, Copy, Debug, clap::Args)]
#[group(multiple = false)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct Effort {
    /// Plain naive Bayes: a family for each column, nothing weighted or corrected, in bounded memory.
    #[arg(long)]
    pub(super) plain: bool,
    /// Plain naive Bayes, and a model file with nothing but sums: no measures of held-out rows, for which
    /// rows are read a second time, and no fingerprint of the rows. For parts of models that will be
    /// compared by their bytes.
    #[arg(long)]
    pub(super) sums_only: bool,
    /// Learn weights of columns only, and no corrections of bins and categories.
    #[arg(long)]
    pub(super) fast: bool,
    /// Try more numbers of bins, more penalties and more folds, and learn from more rows of large tables.
    #[arg(long)]
    pub(super) best: bool,
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

/// Why a model is plain, in the words of the options.
pub(super) fn why_plain(why: &WhyPlain) -> String {
    match why {
        WhyPlain::Tuned => "--tune chooses hyper-parameters of families".into(),
        WhyPlain::Given { name } => format!("--{name} is of families"),
        WhyPlain::TextFamily => "--text-model is of families".into(),
        why => why.to_string(),
    }
}
