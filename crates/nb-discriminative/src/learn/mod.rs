//! Learning weights and corrections.

mod coding;
mod columns;
mod counts;
mod folds;
mod loss;
mod minimise;
mod parts;
#[cfg(test)]
mod reference;
mod shares;
mod tables;
mod weights;

use nb_core::Rows;

use self::{
    coding::{Coding, Levels},
    columns::Columns,
    counts::Contributions,
    parts::each,
    tables::Tables,
    weights::Weights,
};
use crate::{Correction, LearnError, Refinement};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Feature {
    /// Numbers, which are discretised; NaN is a missing cell.
    Numbers,
    /// So many categories: 0, 1, and so on; NaN is a missing cell.
    Categories(usize),
}

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
/// Two classifiers are learnt that are sums over the features: naive Bayes with a [weight](Refinement) per feature, and terms
/// of bins and categories that maximise the penalised conditional likelihood. Both are learnt with rows held out in turn,
/// with all that comes before (cut points, counts), and what they say of these rows decides which penalty the terms
/// have, and how much of each classifier is used: anything from naive Bayes to logistic regression on bins, whichever these
/// data speak for, and never less than the class shares. The sum of the two is again a sum over features.
///
/// ```
/// use nb_discriminative::{Feature, Learner};
///
/// let iris = nb_datasets::load("iris")?;
/// let learnt = Learner::default().learn(&iris.x(), &[Feature::Numbers; 4], &iris.labels, 3)?;
/// let losses = learnt.summary;
/// assert!(losses.held_out < 0.2 && losses.of_prior > 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Learner {
    /// About how many bins a column of numbers has; there are more where the classes change within a bin.
    pub bins: usize,
    /// The penalty on the squares of weights.
    pub weight_penalty: f64,
    /// The penalties of terms that are tried, the largest first; trying ends when held-out rows are less probable than with the one
    /// before. Without any there are weights alone.
    pub penalties: Vec<Penalty>,
    /// How many parts of the rows are held out in turn.
    pub folds: usize,
    /// Penalty and shares are chosen on at most so many rows; weights and terms are learnt from all.
    pub most_held_out: usize,
}

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
            folds: 5,
            most_held_out: 20_000,
        }
    }
}

/// What was learnt: cut points, and the refinement of naive Bayes on these bins.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Learnt {
    /// The cut points of each column; none for categories.
    pub cuts: Vec<Vec<f64>>,
    /// The pseudo-count of each category or bin that weights were learnt with, by column.
    pub pseudo_counts: Vec<f64>,
    /// Weights and corrections.
    pub refinement: Refinement,
    /// The logarithms of the class probabilities before a row is seen.
    pub log_prior: Vec<f64>,
    /// What was found on the way.
    pub summary: Summary,
}

/// What was found on the way: mean log-losses of rows that were held out, in natural logarithms.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Summary {
    /// The number of rows.
    pub n_rows: usize,
    /// Of the class shares alone.
    pub of_prior: f64,
    /// Of weighted naive Bayes.
    pub of_weights: f64,
    /// Of the terms alone, with the best penalty; infinite if there are none.
    pub of_terms: f64,
    /// Of both together. The two shares were chosen on the same rows, so that it is a little less than for others.
    pub held_out: f64,
    /// The share of held-out rows whose class is the most probable one.
    pub accuracy: f64,
    /// The share of the rows of the largest class.
    pub majority: f64,
    /// The share of weighted naive Bayes.
    pub generative: f64,
    /// The share of the terms.
    pub discriminative: f64,
    /// The penalty of the terms, if there are any.
    pub penalty: Option<Penalty>,
}

/// Rows to learn from, and rows that were held out.
struct Fold {
    coding: Coding,
    levels: Levels,
    labels: Vec<usize>,
    contributions: Contributions,
    weights: Weights,
    neighbours: Vec<(usize, usize)>,
    /// The terms for the last penalty.
    terms: Vec<f64>,
    /// The held-out rows: their places among all that are held out in turn.
    held_out: Vec<usize>,
    held_out_levels: Levels,
}

impl Learner {
    /// The same with another number of bins.
    #[must_use]
    pub fn with_bins(self, bins: usize) -> Self {
        Self { bins, ..self }
    }

    /// The same without terms: weights alone.
    #[must_use]
    pub fn weights_only(self) -> Self {
        Self { penalties: Vec::new(), ..self }
    }

    /// Learns from rows, of which `features` says what the columns hold, with a class below `n_classes` each.
    ///
    /// # Errors
    /// [`LearnError`] names what is wrong with rows, labels or options.
    pub fn learn(
        &self,
        rows: &(impl Rows + ?Sized),
        features: &[Feature],
        labels: &[usize],
        n_classes: usize,
    ) -> Result<Learnt, LearnError> {
        self.check(rows.n_rows(), labels, n_classes)?;
        let columns = Columns::new(rows, features)?;
        let used = folds::sample(labels, n_classes, self.most_held_out);
        let used_labels: Vec<usize> = used.iter().map(|&row| labels[row]).collect();
        let of_rows = folds::stratified(&used_labels, n_classes, self.folds);
        let folds = each(self.folds, |fold| {
            let part = |held_out: bool| -> (Vec<usize>, Vec<usize>) {
                let places = (0..used.len()).filter(|&place| (of_rows[place] == fold) == held_out);
                places.map(|place| (used[place], place)).unzip()
            };
            self.fold(&columns, labels, n_classes, &part(false).0, part(true))
        });
        let mut folds = folds.into_iter().collect::<Result<Vec<_>, _>>()?;
        let rows: Vec<usize> = (0..labels.len()).collect();
        let mut whole = self.fold(&columns, labels, n_classes, &rows, (Vec::new(), Vec::new()))?;

        let prior = collected(&folds, used.len(), n_classes, |fold| {
            fold.contributions.log_prior.repeat(fold.held_out.len())
        });
        let by_weights = collected(&folds, used.len(), n_classes, |fold| {
            weights::added(&fold.weights, &fold.contributions, &fold.held_out_levels)
        });
        let loss = |scores: &[f64]| {
            let scores: Vec<f64> = prior.iter().zip(scores).map(|(prior, added)| prior + added).collect();
            loss::loss(&scores, &used_labels, n_classes) / used_labels.len() as f64
        };
        let mut best: Option<(Penalty, f64, Vec<f64>)> = None;
        for &penalty in &self.penalties {
            let terms = each(folds.len(), |fold| folds[fold].terms(penalty));
            for (fold, terms) in folds.iter_mut().zip(terms) {
                fold.terms = terms;
            }
            let by_terms = collected(&folds, used.len(), n_classes, |fold| {
                tables::added(&fold.terms, &fold.held_out_levels, n_classes)
            });
            let of_terms = loss(&by_terms);
            if best.as_ref().is_some_and(|(_, least, _)| of_terms >= *least) {
                break;
            }
            best = Some((penalty, of_terms, by_terms));
        }
        let none = vec![0.0; prior.len()];
        let by_terms = best.as_ref().map_or(&none, |(_, _, by_terms)| by_terms);
        let [generative, discriminative] =
            shares::shares(&prior, [&by_weights, by_terms], &used_labels, n_classes);
        let discriminative = if best.is_some() { discriminative } else { 0.0 };
        let both = by_weights.iter().zip(by_terms);
        let both: Vec<f64> = both.map(|(s, t)| generative * s + discriminative * t).collect();
        let summary = Summary {
            n_rows: labels.len(),
            of_prior: loss(&none),
            of_weights: loss(&by_weights),
            of_terms: best.as_ref().map_or(f64::INFINITY, |(_, loss, _)| *loss),
            held_out: loss(&both),
            accuracy: accuracy(&prior, &both, &used_labels, n_classes),
            majority: majority(labels, n_classes),
            generative,
            discriminative,
            penalty: best.as_ref().map(|(penalty, ..)| *penalty),
        };
        if let Some(penalty) = summary.penalty.filter(|_| discriminative > 0.0) {
            whole.terms = whole.terms(penalty);
        } else {
            whole.terms.fill(0.0);
        }
        Ok(whole.learnt(n_classes, features, summary))
    }

    fn check(&self, n_rows: usize, labels: &[usize], n_classes: usize) -> Result<(), LearnError> {
        let option = |name, value, must_be| Err(LearnError::Option { name, value, must_be });
        if n_rows == 0 {
            return Err(LearnError::NoRows);
        }
        if labels.len() != n_rows {
            return Err(LearnError::Labels { rows: n_rows, labels: labels.len() });
        }
        if let Some((row, &label)) = labels.iter().enumerate().find(|(_, label)| **label >= n_classes) {
            return Err(LearnError::Class { row, label, n_classes });
        }
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
        for penalty in &self.penalties {
            if !(penalty.ridge > 0.0 && penalty.ridge.is_finite()) {
                return option("the ridge penalty", penalty.ridge, "finite and above 0");
            }
            if !(penalty.smoothness >= 0.0 && penalty.smoothness.is_finite()) {
                return option("the smoothness penalty", penalty.smoothness, "finite and not negative");
            }
        }
        Ok(())
    }

    /// Everything that comes before the terms, from some rows.
    fn fold(
        &self,
        columns: &Columns<'_>,
        labels: &[usize],
        n_classes: usize,
        rows: &[usize],
        (held_out_rows, held_out): (Vec<usize>, Vec<usize>),
    ) -> Result<Fold, LearnError> {
        let coding = Coding::learn(columns, rows, labels, self.bins)?;
        let levels = coding.levels(columns, rows);
        let labels: Vec<usize> = rows.iter().map(|&row| labels[row]).collect();
        let contributions = Contributions::new(&coding, &levels, &labels, n_classes);
        let weights = weights::weights(&contributions, &levels, &labels, self.weight_penalty);
        let held_out_levels = coding.levels(columns, &held_out_rows);
        let neighbours = coding.neighbours(columns.features);
        let mut fold = Fold {
            coding,
            levels,
            labels,
            contributions,
            weights,
            neighbours,
            terms: Vec::new(),
            held_out,
            held_out_levels,
        };
        fold.terms = fold.first_terms();
        Ok(fold)
    }
}

impl Fold {
    /// Terms that say what weighted naive Bayes says.
    fn first_terms(&self) -> Vec<f64> {
        let n_classes = self.contributions.n_classes;
        let mut terms = vec![0.0; self.coding.n_all * n_classes];
        for (column, weight) in self.weights.of_features.iter().enumerate() {
            for level in self.coding.of_column(column) {
                let said = &self.contributions.all[level * n_classes..(level + 1) * n_classes];
                let mean = said.iter().sum::<f64>() / n_classes as f64;
                for (term, said) in terms[level * n_classes..].iter_mut().zip(said) {
                    *term = weight * (said - mean);
                }
            }
        }
        terms.extend_from_slice(&self.weights.offsets);
        terms
    }

    /// The terms for a penalty, from those of the one before.
    fn terms(&self, penalty: Penalty) -> Vec<f64> {
        let tables = Tables {
            levels: &self.levels,
            labels: &self.labels,
            log_prior: &self.contributions.log_prior,
            n_levels: self.coding.n_all,
            neighbours: &self.neighbours,
        };
        let mut terms = self.terms.clone();
        tables.fit(&mut terms, penalty);
        terms
    }

    fn learnt(self, n_classes: usize, features: &[Feature], summary: Summary) -> Learnt {
        let Summary { generative, discriminative, .. } = summary;
        let (tables, offsets) = self.terms.split_at(self.coding.n_all * n_classes);
        let of_level = |level: usize| {
            tables[level * n_classes..(level + 1) * n_classes].iter().map(|term| discriminative * term)
        };
        let corrections = (0..features.len()).map(|column| {
            let levels = self.coding.of_column(column).flat_map(of_level).collect();
            let missing = of_level(self.coding.missing(column)).collect();
            match features[column] {
                Feature::Numbers => Correction::steps(self.coding.cuts[column].clone(), levels, missing),
                Feature::Categories(_) => Correction::categories(levels, missing),
            }
        });
        let corrections = corrections.collect();
        let weights = self.weights.of_features.iter().map(|weight| generative * weight).collect();
        let prior = self.contributions.log_prior.iter().zip(&self.weights.offsets).zip(offsets);
        let mut log_prior: Vec<f64> =
            prior.map(|((prior, a), b)| prior + generative * a + discriminative * b).collect();
        normalise(&mut log_prior);
        let pseudo_counts = self.coding.n_levels.iter().map(|&n| counts::pseudo_count(n)).collect();
        let refinement = Refinement { n_classes, weights, corrections };
        Learnt { cuts: self.coding.cuts, pseudo_counts, refinement, log_prior, summary }
    }
}

/// What is said of the held-out rows of all folds, at their places.
fn collected(folds: &[Fold], n_rows: usize, n_classes: usize, said: impl Fn(&Fold) -> Vec<f64>) -> Vec<f64> {
    let mut all = vec![0.0; n_rows * n_classes];
    for fold in folds {
        for (&place, scores) in fold.held_out.iter().zip(said(fold).chunks_exact(n_classes)) {
            all[place * n_classes..(place + 1) * n_classes].copy_from_slice(scores);
        }
    }
    all
}

/// The share of rows whose own class has the largest score, the first of several.
fn accuracy(prior: &[f64], added: &[f64], labels: &[usize], n_classes: usize) -> f64 {
    let rows = prior.chunks_exact(n_classes).zip(added.chunks_exact(n_classes)).zip(labels);
    let is_right = |((prior, added), label): &((&[f64], &[f64]), &usize)| {
        let mut best = (0, f64::NEG_INFINITY);
        for (class, (prior, added)) in prior.iter().zip(*added).enumerate() {
            if prior + added > best.1 {
                best = (class, prior + added);
            }
        }
        best.0 == **label
    };
    rows.filter(is_right).count() as f64 / labels.len() as f64
}

/// The share of the rows of the largest class.
fn majority(labels: &[usize], n_classes: usize) -> f64 {
    let mut counts = vec![0_usize; n_classes];
    for &label in labels {
        counts[label] += 1;
    }
    counts.into_iter().max().unwrap_or(0) as f64 / labels.len() as f64
}

/// Takes the logarithm of the sum of exponentials off.
fn normalise(log: &mut [f64]) {
    let most = log.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = log.iter().map(|log| libm::exp(log - most)).sum();
    let shift = most + libm::log(total);
    for log in log {
        *log -= shift;
    }
}
