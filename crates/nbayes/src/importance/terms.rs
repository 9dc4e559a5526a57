//! What each column of each row adds to the scores of the classes.

use std::ops::Range;

use nb_core::{Likelihood, Rows, family::BlockBuffer};
use nb_discriminative::PairCorrection;
use nb_io::{FittedFamily, Kind, Schema, read::Chunk};

use crate::plot::Fitted;

/// The most numbers kept; of more rows than these are of every second, fourth, eighth and so on.
const MOST_NUMBERS: usize = 1 << 25;

/// The scores of the classes of a row: sums of what is finite, and how many terms are minus infinity. The
/// sums keep what their additions round off, so that nothing of a large term is left when it is taken off.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Scores {
    finite: Vec<f64>,
    rounded_off: Vec<f64>,
    n_impossible: Vec<u32>,
}

impl Scores {
    /// As many zeros.
    fn new(n_classes: usize) -> Self {
        Self {
            finite: vec![0.0; n_classes],
            rounded_off: vec![0.0; n_classes],
            n_impossible: vec![0; n_classes],
        }
    }

    pub(crate) fn add(&mut self, terms: &[f64]) {
        for (class, &term) in terms.iter().enumerate() {
            if term == f64::NEG_INFINITY {
                self.n_impossible[class] += 1;
            } else {
                self.add_finite(class, term);
            }
        }
    }

    /// Takes off what was added before.
    pub(crate) fn take_off(&mut self, terms: &[f64]) {
        for (class, &term) in terms.iter().enumerate() {
            if term == f64::NEG_INFINITY {
                self.n_impossible[class] -= 1;
            } else {
                self.add_finite(class, -term);
            }
        }
    }

    /// Knuth, *The Art of Computer Programming*, volume 2, section 4.2.2, theorem B: the error of a sum is a
    /// double.
    fn add_finite(&mut self, class: usize, term: f64) {
        let before = self.finite[class];
        let sum = before + term;
        let of_term = sum - before;
        self.rounded_off[class] += (before - (sum - of_term)) + (term - of_term);
        self.finite[class] = sum;
    }

    /// The same numbers as others.
    pub(crate) fn copy(&mut self, other: &Self) {
        self.finite.copy_from_slice(&other.finite);
        self.rounded_off.copy_from_slice(&other.rounded_off);
        self.n_impossible.copy_from_slice(&other.n_impossible);
    }

    /// The log-loss of a row of this class, and whether another class has a higher score, or an equal one and
    /// comes first.
    pub(crate) fn loss(&self, truth: usize) -> (f64, bool) {
        let score = |class: usize| {
            if self.n_impossible[class] > 0 {
                f64::NEG_INFINITY
            } else {
                self.finite[class] + self.rounded_off[class]
            }
        };
        let mut best = 0;
        for class in 1..self.finite.len() {
            if score(class) > score(best) {
                best = class;
            }
        }
        let most = score(best);
        if most == f64::NEG_INFINITY {
            return (f64::INFINITY, true);
        }
        let sum: f64 = (0..self.finite.len()).map(|class| libm::exp(score(class) - most)).sum();
        (most + libm::log(sum) - score(truth), best != truth)
    }
}

/// The terms of rows whose classes are known.
#[derive(Clone, Debug)]
pub(crate) struct Terms {
    /// Names of the columns, and for each its features.
    names: Vec<String>,
    features: Vec<Range<usize>>,
    /// Of columns of texts, what words that are not there add, and what is added if none is there.
    without_words: Vec<Option<Vec<f64>>>,
    absent_texts: Vec<Vec<f64>>,
    /// What two columns add together.
    pairs: Vec<PairTerms>,
    /// Of every column the terms of all rows, class by class.
    columns: Vec<Vec<f64>>,
    /// Of every column what a missing cell adds.
    missing: Vec<Vec<f64>>,
    log_prior: Vec<f64>,
    truths: Vec<usize>,
    /// Every which row is here, of how many.
    every: usize,
    n_rows: usize,
    /// Rows with a label that the model does not know.
    n_unknown: usize,
    most: usize,
}

/// What two columns add together.
#[derive(Clone, Debug)]
struct PairTerms {
    pair: PairCorrection,
    columns: [usize; 2],
    /// The cells of all rows.
    cells: Vec<[f64; 2]>,
}

impl PairTerms {
    /// What is added to a row, with the cell of one of its columns from another row, or missing.
    fn with_other(&self, column: usize, row: usize, other: Option<usize>) -> &[f64] {
        let mut cells = self.cells[row];
        for (place, cell) in cells.iter_mut().enumerate().filter(|(place, _)| self.columns[*place] == column)
        {
            *cell = other.map_or(f64::NAN, |other| self.cells[other][place]);
        }
        self.pair.at(cells)
    }
}

impl Terms {
    /// Without rows.
    pub(crate) fn new(classifier: &Fitted, schema: &Schema) -> Self {
        let names: Vec<String> = schema.columns.iter().map(|column| column.name.clone()).collect();
        let features: Vec<Range<usize>> = schema.feature_ranges().collect();
        let likelihood = classifier.likelihood();
        let n_classes = classifier.classes().len();
        let of_all = |features: &Range<usize>, value: f64| -> Vec<f64> {
            let of_class =
                |class| features.clone().map(|feature| term(likelihood, class, feature, value)).sum();
            (0..n_classes).map(of_class).collect()
        };
        let columns = schema.columns.iter().zip(&features);
        let without_words = columns
            .clone()
            .map(|(column, features)| matches!(column.kind, Kind::Text(_)).then(|| of_all(features, 0.0)));
        let refinement = match likelihood {
            FittedFamily::Refined(refined) => Some(refined.refinement()),
            _ => None,
        };
        let absent_texts = features.iter().map(|features| {
            let texts = refinement.into_iter().flat_map(|refinement| &refinement.absent_texts);
            let text = texts.filter(|text| text.terms == *features).map(|text| text.added.clone()).next();
            text.unwrap_or_else(|| vec![0.0; n_classes])
        });
        let absent_texts: Vec<Vec<f64>> = absent_texts.collect();
        // A missing text has no words that could be left out of it, so that the whole column is.
        let missing = columns.zip(&absent_texts).map(|((column, features), absent)| match column.kind {
            Kind::Text(_) => absent.clone(),
            _ => of_all(features, f64::NAN),
        });
        let missing: Vec<Vec<f64>> = missing.collect();
        let column_of = |feature: usize| features.iter().position(|features| features.contains(&feature));
        let pairs = refinement.into_iter().flat_map(|refinement| &refinement.pairs);
        let pairs = pairs.filter_map(|pair| {
            let columns = [column_of(pair.columns[0])?, column_of(pair.columns[1])?];
            Some(PairTerms { pair: pair.clone(), columns, cells: Vec::new() })
        });
        let pairs = pairs.collect();
        Self {
            without_words: without_words.collect(),
            absent_texts,
            pairs,
            missing,
            columns: vec![Vec::new(); names.len()],
            names,
            features,
            log_prior: classifier.log_prior().to_vec(),
            truths: Vec::new(),
            every: 1,
            n_rows: 0,
            n_unknown: 0,
            most: MOST_NUMBERS,
        }
    }

    /// Adds the rows of a chunk. The model has taken them before, so that every cell is one that it knows.
    pub(crate) fn add(&mut self, classifier: &Fitted, chunk: &Chunk) {
        let labels = chunk.labels.as_deref().unwrap_or_default();
        let truth =
            |row: usize| labels.get(row).and_then(|label| classifier.classes().binary_search(label).ok());
        let n_classes = self.log_prior.len();
        let mut buffer = BlockBuffer::default();
        let mut rows: Vec<usize> = Vec::new();
        for row in 0..chunk.rows.n_rows() {
            let Some(truth) = truth(row) else {
                self.n_unknown += 1;
                continue;
            };
            if self.n_rows.is_multiple_of(self.every) {
                rows.push(row);
                self.truths.push(truth);
            }
            self.n_rows += 1;
        }
        for row in rows {
            let mut cells: Vec<(usize, f64)> = Vec::new();
            buffer
                .read(&chunk.rows, row..row + 1)
                .for_each_stored(|_, feature, value| cells.push((feature, value)));
            cells.sort_by_key(|cell| cell.0);
            for column in 0..self.names.len() {
                let terms = self.of_row(classifier, column, &cells);
                self.columns[column].extend(terms);
            }
            let cell = |feature: usize| {
                cells.binary_search_by_key(&feature, |cell| cell.0).map_or(0.0, |at| cells[at].1)
            };
            for pair in &mut self.pairs {
                pair.cells.push(pair.pair.columns.map(cell));
            }
        }
        while self.truths.len() > 1 && self.truths.len() * self.names.len().max(1) * n_classes > self.most {
            self.thin();
        }
    }

    /// What a column of a row adds to every class; cells that are not stored are zero.
    fn of_row(&self, classifier: &Fitted, column: usize, cells: &[(usize, f64)]) -> Vec<f64> {
        let likelihood = classifier.likelihood();
        let features = &self.features[column];
        let first = cells.partition_point(|cell| cell.0 < features.start);
        let end = cells.partition_point(|cell| cell.0 < features.end);
        let stored = &cells[first..end];
        let of_class = |class: usize| {
            if let Some(without) = &self.without_words[column] {
                let words = stored.iter().map(|&(feature, value)| {
                    term(likelihood, class, feature, value) - term(likelihood, class, feature, 0.0)
                });
                let is_absent = stored.iter().all(|&(_, value)| value == 0.0);
                let absent = if is_absent { self.absent_texts[column][class] } else { 0.0 };
                return words.fold(without[class] + absent, |sum, word| sum + word);
            }
            let cells = features.clone().map(|feature| {
                let cell =
                    stored.binary_search_by_key(&feature, |cell| cell.0).map_or(0.0, |at| stored[at].1);
                term(likelihood, class, feature, cell)
            });
            cells.fold(0.0, |sum, term| sum + term)
        };
        (0..self.log_prior.len()).map(of_class).collect()
    }

    /// Leaves every second row out.
    fn thin(&mut self) {
        let n_classes = self.log_prior.len();
        for terms in &mut self.columns {
            let mut place = 0;
            terms.retain(|_| {
                place += 1;
                ((place - 1) / n_classes).is_multiple_of(2)
            });
        }
        for pair in &mut self.pairs {
            let mut place = 0;
            pair.cells.retain(|_| {
                place += 1;
                place % 2 == 1
            });
        }
        let mut place = 0;
        self.truths.retain(|_| {
            place += 1;
            place % 2 == 1
        });
        self.every *= 2;
    }

    /// How many rows are here, of how many, and how many have labels that the model does not know.
    pub(crate) fn n_rows(&self) -> (usize, usize, usize) {
        (self.truths.len(), self.n_rows, self.n_unknown)
    }

    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    pub(crate) fn truth(&self, row: usize) -> usize {
        self.truths[row]
    }

    /// What a column of a row adds to every class.
    pub(crate) fn of(&self, column: usize, row: usize) -> &[f64] {
        let n_classes = self.log_prior.len();
        &self.columns[column][row * n_classes..(row + 1) * n_classes]
    }

    /// What a missing cell of a column adds to every class.
    pub(crate) fn of_missing(&self, column: usize) -> &[f64] {
        &self.missing[column]
    }

    /// What a column of a row adds to every class together with others, if its cell is that of another row,
    /// or missing.
    pub(crate) fn with_others(
        &self,
        column: usize,
        row: usize,
        other: Option<usize>,
    ) -> impl Iterator<Item = &[f64]> {
        let pairs = self.pairs.iter().filter(move |pair| pair.columns.contains(&column));
        pairs.map(move |pair| pair.with_other(column, row, other))
    }

    /// Whether a column can change a prediction.
    pub(crate) fn is_used(&self, column: usize) -> bool {
        let n_classes = self.log_prior.len();
        let differ = |terms: &[f64]| terms.iter().any(|term| *term != terms[0]);
        let mut pairs = self.pairs.iter();
        pairs.any(|pair| pair.columns.contains(&column))
            || self.columns[column].chunks_exact(n_classes).any(differ)
    }

    /// The scores of all rows.
    pub(crate) fn scores(&self) -> Vec<Scores> {
        let scores = (0..self.truths.len()).map(|row| {
            let mut scores = Scores::new(self.log_prior.len());
            scores.add(&self.log_prior);
            (0..self.names.len()).for_each(|column| scores.add(self.of(column, row)));
            self.pairs.iter().for_each(|pair| scores.add(pair.pair.at(pair.cells[row])));
            scores
        });
        scores.collect()
    }
}

/// What a cell adds to the score of a class; a cell that its family does not know adds nothing.
fn term(likelihood: &FittedFamily, class: usize, feature: usize, value: f64) -> f64 {
    let term = likelihood.log_likelihood(class, feature, value);
    if term.is_nan() { 0.0 } else { term }
}

#[cfg(test)]
impl Terms {
    pub(super) fn keep_at_most(&mut self, numbers: usize) {
        self.most = numbers;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_large_term_is_left() {
        let mut scores = Scores::new(2);
        scores.add(&[0.1, 0.3]);
        scores.add(&[-1e17, f64::NEG_INFINITY]);
        assert_eq!(scores.loss(0), (0.0, false));
        assert_eq!(scores.loss(1), (f64::INFINITY, true));
        scores.take_off(&[-1e17, f64::NEG_INFINITY]);
        let loss = libm::log(1.0 + libm::exp(0.2));
        assert!((scores.loss(0).0 - loss).abs() < 1e-15 && scores.loss(0).1);
    }
}
