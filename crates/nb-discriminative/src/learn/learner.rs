//! How weights and corrections are learnt, with penalties and shares that held-out rows decide.

use nb_core::Rows;

use super::{
    ColumnKind, HeldOutPosteriors, Learnt, Summary,
    columns::Columns,
    fold::{Basis, Fold, collected},
    held_out::HeldOutRows,
    labelled::{Counted, LabelledRows},
    learnt::{accuracy, majority},
    minimise::{PRECISION, ROUGH},
    parts::each,
    row_weights::RowWeights,
    settings::{Settings, Stage},
    stack::{Stack, normalise},
    sums,
};
use crate::LearnError;

/// The penalties on the terms of bins and categories.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penalty {
    /// On the squares of all terms.
    pub ridge: f64,
    /// On the squares of the differences of neighbouring bins.
    pub smoothness: f64,
}

/// How naive Bayes is improved by conditional likelihood.
///
/// Two classifiers are learnt that are sums over the features: naive Bayes with a [weight](crate::Refinement)
/// per feature, and terms of bins and categories that maximise the penalised conditional likelihood. Both are
/// learnt with rows held out in turn, with all that comes before (cut points, counts), and what they say of
/// these rows decides which penalty the terms have, and how much of each classifier is used: anything from
/// naive Bayes to logistic regression on bins, whichever these data speak for, and with neither of them the
/// class prior remains. The sum of the two is again a sum over features.
///
/// Terms are those of bins and categories, a slope for each column of numbers, and where held-out rows are
/// clearly more probable with them, those of [pairs](crate::PairCorrection) of columns: of the cells of
/// grids, chosen by what the columns leave unexplained (Lou, Caruana, Gehrke and Hooker 2013, *Accurate
/// intelligible models with pairwise interactions*).
///
/// ```
/// use nb_discriminative::{ColumnKind, Learner};
///
/// let iris = nb_datasets::load("iris")?;
/// let learnt = Learner::default().learn(&iris.x(), &[ColumnKind::Numbers; 4], &iris.labels, 3)?;
/// let losses = learnt.summary;
/// assert!(losses.held_out < 0.2 && losses.of_prior > 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Learner {
    /// About how many bins a column of numbers has: at most one for 20 rows, and more where the classes
    /// change within a bin.
    pub bins: usize,
    /// The penalty on the squares of the differences between weights and the one weight that all columns
    /// would have.
    pub weight_penalty: f64,
    /// The penalties of terms that are tried, the largest first; trying ends when held-out rows are less
    /// probable than with the one before. Without any there are weights alone.
    pub penalties: Vec<Penalty>,
    /// The ridge penalties on the slopes of columns of numbers that are tried, as multiples of that on
    /// terms, the largest first: with this one penalties are chosen, and smaller ones are used if
    /// held-out rows are clearly more probable with them. Without any there are no slopes.
    pub slope_penalties: Vec<f64>,
    /// The most pairs of columns that have terms, for each column; of few rows there are fewer, and 0 for
    /// none.
    pub pairs_per_column: usize,
    /// The penalties on the terms of pairs that are tried, the largest first. There are pairs if held-out
    /// rows are clearly more probable with them.
    pub pair_penalties: Vec<Penalty>,
    /// How many parts of the rows are held out in turn; of few rows each by itself.
    pub folds: usize,
    /// The maximum number of rows that are held out for choosing penalty and shares; of many classes it is
    /// smaller. Of more rows this many are cross-validated first, by themselves; then some of them are
    /// held out once more, from all the others, for the measures, the shares, and weaker penalties.
    /// Weights and terms that are kept are learnt from all rows.
    pub most_held_out: usize,
}

/// Rows times classes that are cross-validated at most, but these rows in any case: each class has its own
/// terms.
const MOST_SCORES: usize = 200_000;
const FEWEST_HELD_OUT: usize = 4_000;

impl Default for Learner {
    fn default() -> Self {
        let penalty = |ridge, smoothness| Penalty { ridge, smoothness };
        Self {
            bins: 32,
            weight_penalty: 1.0,
            penalties: vec![
                penalty(3.0, 100.0),
                penalty(1.0, 10.0),
                penalty(0.1, 10.0),
                penalty(0.1, 1.0),
                penalty(0.1, 0.1),
            ],
            slope_penalties: vec![30.0, 3.0, 0.1],
            pairs_per_column: 2,
            pair_penalties: vec![
                penalty(10.0, 30.0),
                penalty(2.0, 6.0),
                penalty(0.3, 1.0),
                penalty(0.05, 0.15),
            ],
            folds: 5,
            most_held_out: 20_000,
        }
    }
}

impl Learner {
    /// The same with another number of bins.
    ///
    /// ```
    /// # use nb_discriminative::Learner;
    /// assert_eq!(Learner::default().with_bins(8).bins, 8);
    /// ```
    #[must_use]
    pub fn with_bins(self, bins: usize) -> Self {
        Self { bins, ..self }
    }

    /// The same without terms: weights alone.
    ///
    /// ```
    /// # use nb_discriminative::Learner;
    /// assert!(Learner::default().weights_only().penalties.is_empty());
    /// ```
    #[must_use]
    pub fn weights_only(self) -> Self {
        Self { penalties: Vec::new(), slope_penalties: Vec::new(), ..self }
    }

    /// Learns from rows, of which `features` says what the columns hold, with a class below `n_classes` each.
    ///
    /// ```
    /// # use nb_discriminative::{ColumnKind, Learner};
    /// let iris = nb_datasets::load("iris")?;
    /// let learner = Learner::default().weights_only();
    /// let learnt = learner.learn(&iris.x(), &[ColumnKind::Numbers; 4], &iris.labels, 3)?;
    /// assert_eq!((learnt.summary.n_rows, learnt.summary.majority), (150, 50.0 / 150.0));
    /// assert!(learnt.summary.accuracy > 0.9); // of held-out rows
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LearnError`] names what is wrong with rows, labels or options.
    pub fn learn(
        &self,
        rows: &(impl Rows + ?Sized),
        features: &[ColumnKind],
        labels: &[usize],
        n_classes: usize,
    ) -> Result<Learnt, LearnError> {
        self.learn_from(&LabelledRows::new(rows, features, labels, n_classes))
    }

    /// The same from rows of which more is known: how much each counts, which are held out together, or where
    /// the bins are.
    ///
    /// ```
    /// # use nb_discriminative::{ColumnKind, LabelledRows, Learner};
    /// # let iris = nb_datasets::load("iris")?;
    /// let (x, features) = (iris.x(), [ColumnKind::Numbers; 4]);
    /// let rows = LabelledRows::new(&x, &features, &iris.labels, 3);
    /// let learner = Learner::default().weights_only();
    /// assert_eq!(learner.learn_from(&rows)?, learner.learn(&x, &features, &iris.labels, 3)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LearnError`] names what is wrong with rows, labels, weights, groups, cut points or options.
    pub fn learn_from<R: Rows + ?Sized>(&self, from: &LabelledRows<'_, R>) -> Result<Learnt, LearnError> {
        from.check()?;
        self.check()?;
        let &LabelledRows { rows, features, labels, groups, n_classes, cuts, rising, .. } = from;
        let columns = Columns::new(rows, features, rising)?;
        let Counted { rows, weights, scale } = from.counted();
        // Of all rows of the table, as the labels are.
        let row_weights = rows.as_ref().zip(weights.as_ref()).map(|(rows, weights)| {
            let mut all = vec![0.0; labels.len()];
            for (&row, &weight) in rows.iter().zip(weights) {
                all[row] = weight;
            }
            all
        });
        let row_weights = RowWeights::of_all(row_weights.as_ref());
        let basis = Basis { columns: &columns, labels, row_weights, groups, n_classes, cuts };
        let rows = rows.unwrap_or_else(|| (0..labels.len()).collect());
        let (some, part, others);
        let at_most = self.most_held_out.min((MOST_SCORES / n_classes.max(1)).max(FEWEST_HELD_OUT));
        some = HeldOutRows::sample(&basis, &rows, at_most.max(self.folds), self.folds);
        let mut held_out = &some;
        let mut parts = some.folds.clone();
        let mut stack = self.stack(&basis, &some, &some.parts())?;
        if some.rows.len() < rows.len() {
            // With more rows to learn from weaker penalties and other shares are best, and the measures are
            // those of a classifier that is learnt from nearly as many rows as the one that is
            // kept.
            (part, others) = some.part_of(&basis, &rows, self.folds);
            let places = (0..part.rows.len()).collect();
            let best = stack.best(None).map(|best| best.settings);
            stack = self.beginning_with(best).stack(&basis, &part, &[(others, places)])?;
            held_out = &part;
            parts = vec![0; part.rows.len()];
        }
        let n_rows = rows.len();
        let own_labels: Vec<usize> = rows.iter().map(|&row| labels[row]).collect();
        let own_weights = row_weights.select(rows.iter().copied());
        let majority = majority(&own_labels, RowWeights::of_all(own_weights.as_ref()), n_classes);
        let mut whole = Fold::new(self, &basis, rows, (Vec::new(), Vec::new()), PRECISION)?;

        let of_prior = stack.loss(&vec![0.0; held_out.rows.len() * n_classes]);
        let ([mut generative, mut discriminative], mut log_posteriors) =
            (stack.shares(None), stack.log_posteriors());
        let loss = |log_posteriors: &[f64]| {
            sums::loss(log_posteriors, &held_out.labels, held_out.weights(), n_classes)
                / held_out.weights().total(held_out.labels.len())
        };
        let mut of_held_out = loss(&log_posteriors);
        if of_held_out >= of_prior {
            // Shares that other rows speak for do these rows no good.
            (generative, discriminative, of_held_out) = (0.0, 0.0, of_prior);
            log_posteriors.clone_from(&stack.prior);
            log_posteriors.chunks_exact_mut(n_classes).for_each(normalise);
        }
        let settings = stack.best(None).map(|best| best.settings);
        let summary = Summary {
            n_rows,
            of_prior,
            of_weights: stack.loss(&stack.by_weights),
            of_terms: stack.loss_of_terms(),
            held_out: of_held_out,
            accuracy: accuracy(&log_posteriors, &held_out.labels, held_out.weights(), n_classes),
            majority,
            generative,
            discriminative,
            penalty: settings.map(|settings| settings.penalty),
            slope_penalty: settings.map(|settings| settings.slopes),
            pair_penalty: settings.and_then(|settings| settings.pairs),
        };
        match settings.filter(|_| discriminative > 0.0) {
            Some(settings) => whole.learn_terms(settings, self.pairs_per_column),
            None => whole.terms.fill(0.0),
        }
        let held_out = HeldOutPosteriors { rows: held_out.rows.clone(), parts, log_posteriors };
        Ok(whole.learnt(features.len(), scale, summary, held_out))
    }

    /// The same without the penalties that are tried before these.
    fn beginning_with(&self, settings: Option<Settings>) -> Self {
        fn later<T: Clone>(all: &[T], is_first: impl Fn(&T) -> bool) -> Vec<T> {
            all[all.iter().position(is_first).unwrap_or(0)..].to_vec()
        }
        let Some(Settings { penalty, slopes, pairs }) = settings else { return self.clone() };
        Self {
            penalties: later(&self.penalties, |other| *other == penalty),
            slope_penalties: later(&self.slope_penalties, |other| *other == slopes),
            pair_penalties: later(&self.pair_penalties, |other| Some(*other) == pairs),
            ..self.clone()
        }
    }

    /// What is said of rows that are held out: of each part by what is learnt from the rows beside it.
    /// Penalties are tried in their order until one is worse than the one before.
    fn stack<'a>(
        &self,
        basis: &Basis<'_>,
        held_out: &'a HeldOutRows,
        parts: &[(Vec<usize>, Vec<usize>)],
    ) -> Result<Stack<'a>, LearnError> {
        let (n_rows, n_classes) = (held_out.rows.len(), basis.n_classes);
        let folds = each(parts.len(), |part| {
            let (rows, places) = &parts[part];
            let own = places.iter().map(|&place| held_out.rows[place]).collect();
            Fold::new(self, basis, rows.clone(), (own, places.clone()), ROUGH)
        });
        let mut folds = folds.into_iter().collect::<Result<Vec<_>, _>>()?;
        let mut stack = Stack {
            n_classes,
            labels: &held_out.labels,
            row_weights: held_out.weights(),
            folds: &held_out.folds,
            n_folds: held_out.n_folds,
            prior: collected(&folds, n_rows, n_classes, |fold| {
                fold.contributions.log_prior.repeat(fold.held_out.len())
            }),
            by_weights: collected(&folds, n_rows, n_classes, Fold::added_by_weights),
            candidates: Vec::new(),
        };
        let slopes = self.slope_penalties.first().copied().unwrap_or(1.0);
        let of_columns = self.penalties.iter().map(|&penalty| Settings { penalty, slopes, pairs: None });
        try_settings(&mut folds, &mut stack, Stage::Columns, of_columns);
        let Some(Settings { penalty, .. }) = stack.best(None).map(|best| best.settings) else {
            return Ok(stack);
        };
        if folds.iter().any(Fold::has_slopes) {
            let others = self.slope_penalties.iter().skip(1);
            let of_slopes = others.map(|&slopes| Settings { penalty, slopes, pairs: None });
            try_settings(&mut folds, &mut stack, Stage::Slopes, of_slopes);
        }
        let best = stack.best(None).map(|best| best.settings);
        if self.pairs_per_column > 0
            && let Some(settings) = best
        {
            for fold in &mut folds {
                fold.choose_pairs(self.pairs_per_column);
            }
            if folds.iter().any(Fold::has_pairs) {
                let of_pairs =
                    self.pair_penalties.iter().map(|&pairs| Settings { pairs: Some(pairs), ..settings });
                try_settings(&mut folds, &mut stack, Stage::Pairs, of_pairs);
            }
        }
        Ok(stack)
    }

    fn check(&self) -> Result<(), LearnError> {
        let option = |name, value, must_be| Err(LearnError::Option { name, value, must_be });
        if self.bins == 0 {
            return option("the number of bins", 0.0, "at least 1");
        }
        if self.folds < 2 {
            return option("the number of folds", self.folds as f64, "at least 2");
        }
        if self.most_held_out < self.folds {
            return option(
                "the number of rows held out",
                self.most_held_out as f64,
                "at least that of folds",
            );
        }
        if !(self.weight_penalty > 0.0 && self.weight_penalty.is_finite()) {
            return option("the penalty of weights", self.weight_penalty, "finite and above 0");
        }
        for penalty in self.penalties.iter().chain(&self.pair_penalties) {
            if !(penalty.ridge > 0.0 && penalty.ridge.is_finite()) {
                return option("the ridge penalty", penalty.ridge, "finite and above 0");
            }
            if !(penalty.smoothness >= 0.0 && penalty.smoothness.is_finite()) {
                return option("the smoothness penalty", penalty.smoothness, "finite and not negative");
            }
        }
        if let Some(&penalty) =
            self.slope_penalties.iter().find(|penalty| !(**penalty > 0.0 && penalty.is_finite()))
        {
            return option("the ridge penalty of slopes", penalty, "finite and above 0");
        }
        Ok(())
    }
}

/// Learns terms with one setting after the other, until those of one are worse, and goes back to the best
/// ones.
fn try_settings(
    folds: &mut [Fold<'_>],
    stack: &mut Stack<'_>,
    stage: Stage,
    settings: impl Iterator<Item = Settings>,
) {
    let before: Vec<Vec<f64>> = folds.iter().map(|fold| fold.terms.clone()).collect();
    let mut best = before.clone();
    let replace = |folds: &mut [Fold<'_>], terms: Vec<Vec<f64>>| {
        for (fold, terms) in folds.iter_mut().zip(terms) {
            fold.terms = terms;
        }
    };
    for settings in settings {
        let terms = each(folds.len(), |fold| folds[fold].terms(settings, ROUGH));
        replace(folds, terms);
        let said = collected(folds, stack.labels.len(), stack.n_classes, Fold::added_by_terms);
        if !stack.push(stage, settings, said) {
            break;
        }
        best = folds.iter().map(|fold| fold.terms.clone()).collect();
    }
    let is_better = stack.best(None).is_some_and(|best| best.stage == stage);
    replace(folds, if is_better { best } else { before });
}
