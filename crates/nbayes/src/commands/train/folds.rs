//! Folds of the rows of a plain model: each row is classified by a model of the rows of the other folds.
//!
//! Sums of folds are added up beside those of all rows, and a model without a fold is that of the sum of the others; so a second pass
//! over the rows is all it takes.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use nb_core::{Classifier, FoldAssignment, FoldedStats, RowSubset, Rows, SufficientStats};
use nb_io::{Family, FittedFamily, HeldOutMeasures, Model, Schema, read::Chunk};
use nb_metrics::{Evaluation, Settings};

use super::{
    super::{answers::for_each_answer, columns::Found, fitted::fitted, split::Keys},
    report::HeldOut,
};
use crate::{data::value_error, design::PriorArg, output::Screen};

/// The seed of the folds.
const SEED: u64 = 0;
/// The number of folds.
const FOLDS: usize = 5;
/// With fewer rows there is too little to hold out.
pub(super) const FEWEST_ROWS: u64 = 30;
/// The most pairs of class and feature for which there is memory for the sums of each fold.
const MOST_SUMS: usize = 1 << 22;
/// About how many rows are classified: with this number the standard error of the accuracy is 0.001 at most.
const MOST_ROWS: u64 = 1 << 18;
/// The most numbers that are kept for the AUC.
const MOST_SCORES: u64 = 1 << 20;

/// The sums of folds, and what tells the fold of a row.
pub(super) struct Folds {
    family: Family,
    /// `None` if they were given up.
    stats: Option<FoldedStats<String>>,
    dealer: Dealer,
    too_large: bool,
}

/// Deals the rows of each class to the folds: of five rows that follow each other, each to another fold, in an order that depends on
/// the seed, so that no order of the rows matters.
struct Dealer {
    seed: u64,
    /// How many rows of each class there were.
    seen: BTreeMap<String, u64>,
}

impl Dealer {
    fn new(seed: u64) -> Self {
        Self { seed, seen: BTreeMap::new() }
    }

    /// The folds of the next rows.
    fn deal(&mut self, labels: &[String]) -> Vec<usize> {
        let keys = Keys::new(self.seed);
        let mut folds = Vec::with_capacity(labels.len());
        for label in labels {
            let n = match self.seen.get_mut(label) {
                Some(n) => n,
                None => self.seen.entry(label.clone()).or_default(),
            };
            let mut order: [usize; FOLDS] = std::array::from_fn(|fold| fold);
            let mut random = keys.of_text(label, *n / FOLDS as u64);
            for last in (1..FOLDS).rev() {
                order.swap(last, (random % (last as u64 + 1)) as usize);
                random /= last as u64 + 1;
            }
            folds.push(order[(*n % FOLDS as u64) as usize]);
            *n += 1;
        }
        folds
    }
}

impl Folds {
    /// For rows with these columns, of a family that is to be the model's.
    pub(super) fn new(family: &Family, n_columns: usize) -> Result<Self> {
        let stats = FoldedStats::new(family, n_columns, FOLDS, FoldAssignment::Plain)?;
        let (family, dealer) = (family.clone(), Dealer::new(SEED));
        Ok(Self { family, stats: Some(stats), dealer, too_large: false })
    }

    /// Adds rows with labels. What is wrong with them is said where they are learnt from.
    pub(super) fn add(&mut self, chunk: &Chunk) {
        let (Some(labels), Some(stats)) = (&chunk.labels, &mut self.stats) else { return };
        let folds = self.dealer.deal(labels);
        self.too_large = self.dealer.seen.len().saturating_mul(stats.folds()[0].n_columns()) > MOST_SUMS;
        let (family, rows) = (&self.family, &chunk.rows);
        let added = match &chunk.weights {
            Some(weights) => stats.update_assigned_weighted(family, rows, labels, weights, &folds),
            None => stats.update_assigned(family, rows, labels, &folds),
        };
        if self.too_large || added.is_err() {
            self.stats = None;
        }
    }

    /// The same with other hyper-parameters of the family.
    pub(super) fn with_family(self, family: &Family) -> Self {
        Self { family: family.clone(), ..self }
    }

    /// Classifies the rows of each fold by a model of the others, or says why that is impossible.
    pub(super) fn classify(
        self,
        schema: &Schema,
        found: &Found,
        prior: &PriorArg,
        screen: Screen,
    ) -> Result<Result<HeldOut, String>> {
        let Self { family, stats, dealer, too_large } = self;
        let Some(stats) = stats else {
            let why = if too_large { "the sums of five folds are too large" } else { "the rows changed" };
            return Ok(Err(why.into()));
        };
        let n_rows: u64 = dealer.seen.values().sum();
        if n_rows < FEWEST_ROWS {
            return Ok(Err(format!(
                "there are fewer than {FEWEST_ROWS} rows; `nbayes evaluate --leave-one-out` judges each by the others"
            )));
        }
        let whole = stats.whole();
        if whole.classes().len() < 2 {
            return Ok(Err("there are no two classes".into()));
        }
        let judges = match judges(&stats, &family, schema, prior) {
            Ok(judges) => judges,
            Err(why) => return Ok(Err(format!("without a fifth of the rows there is no model: {why:#}"))),
        };
        let judged = Judged::new(&stats, &whole, n_rows);
        let again = Dealer::new(dealer.seed);
        drop((stats, dealer));
        judged.of_files(&judges, again, schema, found, screen)
    }
}

/// The classifiers without each of the folds.
fn judges(
    stats: &FoldedStats<String>,
    family: &Family,
    schema: &Schema,
    prior: &PriorArg,
) -> Result<Vec<Classifier<String, FittedFamily>>> {
    let judge = |fold: usize| {
        let others = stats.without(fold).context("there is no such fold")?;
        let prior = prior.over(others.classes())?;
        fitted(&Model::from_parts(schema.clone(), family.clone(), prior, others)?)
    };
    (0..FOLDS).map(judge).collect()
}

/// Rows that were classified.
struct Judged {
    classes: Vec<String>,
    /// Whether the class of a row is known to a model without it.
    has_others: Vec<bool>,
    shares: Vec<f64>,
    evaluation: Evaluation,
    /// One row in this number is classified.
    every: u64,
    n_lone: u64,
}

impl Judged {
    fn new(stats: &FoldedStats<String>, whole: &SufficientStats<String>, n_rows: u64) -> Self {
        let classes: Vec<String> = whole.classes().cloned().collect();
        let folds_of = |class: &String| {
            stats.folds().iter().filter(|fold| fold.classes().any(|label| label == class)).count()
        };
        let has_others: Vec<bool> = classes.iter().map(|class| folds_of(class) > 1).collect();
        let weights: Vec<f64> = whole.class_weights().iter().map(nb_core::exact::Exact::to_f64).collect();
        let total: f64 = weights.iter().sum();
        let every = n_rows.div_ceil(MOST_ROWS);
        let keeps_scores = (n_rows / every).saturating_mul(classes.len() as u64) <= MOST_SCORES;
        let settings = Settings::default().with_keep_scores(keeps_scores);
        Self {
            evaluation: Evaluation::with(classes.len(), settings),
            shares: weights.iter().map(|weight| weight / total).collect(),
            classes,
            has_others,
            every,
            n_lone: 0,
        }
    }

    /// Reads all rows a second time.
    fn of_files(
        mut self,
        judges: &[Classifier<String, FittedFamily>],
        mut dealer: Dealer,
        schema: &Schema,
        found: &Found,
        screen: Screen,
    ) -> Result<Result<HeldOut, String>> {
        let sampling = Keys::new(dealer.seed);
        let mut number = 0;
        for input in found.inputs.iter() {
            let mut reader = found.open(input, dealer.seen.keys().cloned().collect(), screen.silent())?;
            while let Some(chunk) = reader.next_chunk()? {
                let labels = chunk.labels.as_deref().unwrap_or_default();
                let mut own = vec![Vec::new(); FOLDS];
                for (row, (label, fold)) in labels.iter().zip(dealer.deal(labels)).enumerate() {
                    let class = self.classes.binary_search(label).ok();
                    let is_lone = class.is_none_or(|class| !self.has_others[class]);
                    self.n_lone += u64::from(is_lone);
                    let is_chosen =
                        self.every == 1 || sampling.of_text("", number).is_multiple_of(self.every);
                    if is_chosen && !is_lone {
                        own[fold].push(row);
                    }
                    number += 1;
                }
                for (rows, judge) in own.iter().zip(judges).filter(|(rows, _)| !rows.is_empty()) {
                    let subset = RowSubset::new(&chunk.rows, rows).context("a row is gone")?;
                    let predicted = match judge.try_predict_each(&subset) {
                        Ok(predicted) => predicted,
                        Err(error) => {
                            let error = value_error(error, input, &found.read, schema, chunk.first_row);
                            return Ok(Err(format!(
                                "without a fifth of the rows there is no model: {error:#}"
                            )));
                        }
                    };
                    self.add(judge, &subset, &chunk, rows, &predicted)?;
                }
            }
        }
        Ok(Ok(self.measures()))
    }

    fn add(
        &mut self,
        judge: &Classifier<String, FittedFamily>,
        subset: &(impl Rows + ?Sized),
        chunk: &Chunk,
        rows: &[usize],
        predicted: &[Option<String>],
    ) -> Result<()> {
        let labels = chunk.labels.as_deref().unwrap_or_default();
        let own: Vec<String> = rows.iter().map(|&row| labels[row].clone()).collect();
        let place = |class: &String| self.classes.binary_search(class).ok();
        let places: Vec<Option<usize>> = judge.classes().iter().map(place).collect();
        let of_all = |class: Option<usize>| class.and_then(|class| places[class]);
        let mut log_posterior = vec![f64::NEG_INFINITY; self.classes.len()];
        for_each_answer(judge, subset, &own, predicted, |answer| {
            log_posterior.fill(f64::NEG_INFINITY);
            for (place, value) in places.iter().zip(answer.log_posterior) {
                if let Some(place) = place {
                    log_posterior[*place] = *value;
                }
            }
            let weight = chunk.weights.as_ref().map_or(1.0, |weights| weights[rows[answer.row]]);
            let (truth, most_probable) = (of_all(answer.truth), of_all(answer.most_probable));
            Ok(self.evaluation.add(truth, most_probable, &log_posterior, weight)?)
        })
    }

    fn measures(&self) -> HeldOut {
        let measures = self.evaluation.measures();
        let of_prior: f64 =
            self.shares.iter().filter(|share| **share > 0.0).map(|share| -share * share.ln()).sum();
        let majority = self.shares.iter().copied().fold(0.0, f64::max);
        let held_out = HeldOutMeasures::new(
            [measures.log_loss.unwrap_or(f64::INFINITY), of_prior],
            [measures.accuracy.unwrap_or(0.0), majority],
        );
        HeldOut {
            measures: held_out.with_auc_and_calibration(measures.auc, measures.calibration_error),
            refined: None,
            of_some: false,
            rows: measures.rows.rows as usize,
            impossible_rows: measures.unanswered.rows,
            lone_rows: self.n_lone,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_class_are_dealt_evenly_and_in_no_order() {
        let labels: Vec<String> = (0..1000).map(|row| ["a", "b", "b"][row % 3].to_owned()).collect();
        let folds = Dealer::new(7).deal(&labels);
        for class in ["a", "b"] {
            let own: Vec<usize> =
                (0..1000).filter(|&row| labels[row] == class).map(|row| folds[row]).collect();
            for five in own.chunks_exact(FOLDS) {
                let mut five = five.to_vec();
                five.sort_unstable();
                assert_eq!(five, [0, 1, 2, 3, 4]);
            }
            assert!(own[..FOLDS] != own[FOLDS..2 * FOLDS] || own[..FOLDS] != own[2 * FOLDS..3 * FOLDS]);
        }
        // The same in pieces, and otherwise with another seed.
        let mut dealer = Dealer::new(7);
        let mut in_pieces = dealer.deal(&labels[..17]);
        in_pieces.extend(dealer.deal(&labels[17..]));
        assert_eq!(in_pieces, folds);
        assert_ne!(Dealer::new(8).deal(&labels), folds);
    }
}
