//! Texts: counts of terms, of which a row has few.

use std::ops::Range;

use super::{multiplied::Multiplied, row_weights::RowWeights, sums::products::Power};
use crate::LearnError;

/// The pseudo-count of a term (Laplace).
pub(super) const PSEUDO_COUNT: f64 = 1.0;

/// The terms of one text in every row.
#[derive(Debug)]
pub(super) struct Text {
    /// The columns of the terms.
    pub(super) places: Vec<usize>,
    /// Where the terms of each row begin, and where those of the last one end.
    starts: Vec<usize>,
    terms: Vec<u32>,
    counts: Vec<f64>,
}

impl Text {
    /// For terms in these columns, without rows.
    pub(super) fn new(places: Vec<usize>) -> Self {
        Self { places, starts: vec![0], terms: Vec::new(), counts: Vec::new() }
    }

    /// Adds a term to the row that is not ended yet.
    ///
    /// # Errors
    /// [`LearnError::Count`] if it is no count.
    pub(super) fn push(&mut self, row: usize, term: usize, count: f64) -> Result<(), LearnError> {
        if !(count >= 0.0 && count.is_finite()) {
            return Err(LearnError::Count { row, column: self.places[term], value: count });
        }
        if count > 0.0 {
            self.terms.push(term as u32);
            self.counts.push(count);
        }
        Ok(())
    }

    /// The columns of the terms, if they follow one another.
    pub(super) fn terms(&self) -> Option<Range<usize>> {
        let (&first, &last) = (self.places.first()?, self.places.last()?);
        (last - first + 1 == self.places.len()).then_some(first..last + 1)
    }

    pub(super) fn end_row(&mut self) {
        self.starts.push(self.terms.len());
    }

    /// The terms of a row, with their counts.
    #[inline]
    pub(super) fn of_row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.starts[row]..self.starts[row + 1];
        self.terms[range.clone()].iter().map(|&term| term as usize).zip(self.counts[range].iter().copied())
    }
}

impl Text {
    /// The terms in these rows.
    pub(super) fn of_rows<'a>(&'a self, rows: &'a [usize]) -> TextRows<'a> {
        TextRows { text: self, rows }
    }
}

/// The terms of one text in some rows.
#[derive(Clone, Copy)]
pub(super) struct TextRows<'a> {
    text: &'a Text,
    rows: &'a [usize],
}

impl Multiplied for TextRows<'_> {
    fn n_terms(&self) -> usize {
        self.text.places.len()
    }

    fn add_terms(&self, rows: Range<usize>, values: &[f64], n_classes: usize, scores: &mut [f64]) {
        for (&row, scores) in self.rows[rows].iter().zip(scores.chunks_exact_mut(n_classes)) {
            for (term, count) in self.text.of_row(row) {
                let values = &values[term * n_classes..(term + 1) * n_classes];
                for (score, value) in scores.iter_mut().zip(values) {
                    *score += count * value;
                }
            }
        }
    }

    fn add_scores(
        &self,
        rows: Range<usize>,
        scores: &[f64],
        n_classes: usize,
        power: Power,
        sums: &mut [f64],
    ) {
        for (&row, scores) in self.rows[rows].iter().zip(scores.chunks_exact(n_classes)) {
            for (term, count) in self.text.of_row(row) {
                let factor = power.of(count);
                let sums = &mut sums[term * n_classes..(term + 1) * n_classes];
                for (sum, score) in sums.iter_mut().zip(scores) {
                    *sum += factor * score;
                }
            }
        }
    }
}

/// What multinomial naive Bayes says of a text, learnt from some rows.
///
/// With `n_jc` of the `n_c` terms of class `c` being term `j` of `V`, and the pseudo-count `l`,
/// `log p(j | c) = log((n_jc + l) / (n_c + l V))`, and a text contributes `Σ_j x_j log p(j | c)`. Leaving out
/// a row of class `y` changes this for its own class alone, to `Σ_j x_j log((n_jy - x_j + l) / (n_y - Σ x + l
/// V))`. The counts of a row with a weight are multiplied by it.
pub(super) struct Said {
    /// `log p(j | c)`, `terms × classes`.
    pub(super) all: Vec<f64>,
    /// What each of the rows contributes to each class if it is left out, `rows × classes`.
    pub(super) own: Vec<f64>,
    /// The mean of the sum of the squares of the counts of a row.
    pub(super) square: f64,
}

impl Said {
    pub(super) fn new(
        text: &Text,
        rows: &[usize],
        labels: &[usize],
        row_weights: RowWeights<'_>,
        n_classes: usize,
    ) -> Self {
        let n_terms = text.places.len();
        let mut counts = vec![0.0; n_terms * n_classes];
        let (mut totals, mut square) = (vec![0.0; n_classes], 0.0);
        for (place, (&row, &label)) in rows.iter().zip(labels).enumerate() {
            let weight = row_weights.of(place);
            for (term, count) in text.of_row(row) {
                counts[term * n_classes + label] += weight * count;
                totals[label] += weight * count;
                square += weight * (count * count);
            }
        }
        let smoothed = PSEUDO_COUNT * n_terms as f64;
        let log = |count: f64, total: f64| libm::log((count + PSEUDO_COUNT) / (total + smoothed));
        let all: Vec<f64> =
            counts.iter().enumerate().map(|(at, &count)| log(count, totals[at % n_classes])).collect();
        let mut own = vec![0.0; rows.len() * n_classes];
        text.of_rows(rows).add_terms(0..rows.len(), &all, n_classes, &mut own);
        let of_rows = rows.iter().zip(labels).zip(own.chunks_exact_mut(n_classes)).enumerate();
        for (place, ((&row, &label), own)) in of_rows {
            let weight = row_weights.of(place);
            let length = weight * text.of_row(row).map(|(_, count)| count).sum::<f64>();
            let rest = (totals[label] - length).max(0.0);
            let terms = text.of_row(row);
            own[label] = terms
                .map(|(term, count)| {
                    count * log((counts[term * n_classes + label] - weight * count).max(0.0), rest)
                })
                .sum();
        }
        Self { all, own, square: square / row_weights.total(rows.len()).max(f64::MIN_POSITIVE) }
    }
}
