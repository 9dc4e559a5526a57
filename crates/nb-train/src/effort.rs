//! How much is done for a good model.

use nb_discriminative::{Learner, Penalty};

/// The numbers of bins that [`Effort::Best`] tries.
const BINS: [usize; 4] = [32, 16, 8, 64];
/// The most pairs for each column that [`Effort::Best`] uses.
const PAIRS_PER_COLUMN: usize = 4;
/// The penalties that [`Effort::Best`] tries, ridge and smoothness.
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
///
/// ```
/// use nb_train::{Effort, Trainer};
/// use ndarray::Array2;
///
/// let rows = Array2::from_shape_fn((60, 1), |(row, _)| (row % 2 * 3 + row % 5) as f64 + 0.5);
/// let labels: Vec<&str> = (0..60).map(|row| ["a", "b"][row % 2]).collect();
/// let schema = nb_io::Schema::numeric(["x"], "class");
/// let model = |effort| Trainer::default().with_effort(effort).fit(&schema, &rows, &labels);
/// assert!(model(Effort::Usual)?.model.refinement().is_some());
/// assert!(model(Effort::Plain)?.model.held_out().is_some());
/// assert!(model(Effort::SumsOnly)?.model.held_out().is_none());
/// # Ok::<(), nb_train::TrainerError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// Plain naive Bayes, in one pass, and nothing but sums in the model: no measures of held-out rows, and
    /// no fingerprint of the rows. For models of parts that will be compared by their bytes.
    SumsOnly,
    /// Plain naive Bayes. Rows are read a second time to measure it, each by a model without its fold.
    Plain,
    /// Weights of columns, and no corrections.
    Fast,
    /// Weights and corrections, and pairs of columns.
    #[default]
    Usual,
    /// More numbers of bins, penalties, pairs, folds and rows are tried.
    Best,
}

impl Effort {
    /// What is learnt, of which the best on held-out rows is kept; nothing for a plain model.
    pub(crate) fn learners(self) -> Vec<Learner> {
        let learner = Learner::default();
        match self {
            Self::SumsOnly | Self::Plain => Vec::new(),
            Self::Fast => vec![learner.weights_only()],
            Self::Usual => vec![learner],
            Self::Best => {
                let penalty = |(ridge, smoothness)| Penalty { ridge, smoothness };
                let penalties: Vec<Penalty> = PENALTIES.map(penalty).into();
                let with_bins = |bins| {
                    let mut learner = learner.clone().with_bins(bins);
                    (learner.penalties, learner.folds) = (penalties.clone(), 10);
                    learner.pairs_per_column = PAIRS_PER_COLUMN;
                    learner
                };
                BINS.map(with_bins).into()
            }
        }
    }

    /// The same for bins that are there before: nothing is tried that would change them.
    pub(crate) fn learners_for_bins(self) -> Vec<Learner> {
        let mut learners = self.learners();
        learners.truncate(1);
        learners
    }

    /// About how many cells weights and corrections are learnt from at most, in memory: what a sample of a
    /// table need not exceed.
    ///
    /// ```
    /// use nb_train::Effort;
    ///
    /// assert!(Effort::Usual.most_cells() < Effort::Best.most_cells());
    /// ```
    pub fn most_cells(self) -> usize {
        if self == Self::Best { 20_000_000 } else { 2_000_000 }
    }
}
