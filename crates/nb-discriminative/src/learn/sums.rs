//! The loops over rows: terms of levels into scores, scores into residuals, residuals into sums of levels.
//!
//! Scores are `n_rows × n_classes`, tables of terms or sums `n_levels × n_classes`.

use nb_simd::{
    InstructionSet, Isa, Kernel, LANES,
    math::{Lanes, Number, exp_of_negative},
};

use super::row_weights::RowWeights;

/// Adds the terms of the level of each row to its scores.
pub(super) fn add_terms(levels: &[u32], terms: &[f64], n_classes: usize, scores: &mut [f64]) {
    InstructionSet::current().run(AddTerms { levels, terms, n_classes, scores });
}

/// Adds the scores of each row to the sums of its level.
pub(super) fn add_scores(levels: &[u32], scores: &[f64], n_classes: usize, sums: &mut [f64]) {
    InstructionSet::current().run(AddScores { levels, scores, n_classes, sums });
}

/// Adds to the scores of each row its number times the values of the classes.
pub(super) fn add_products(numbers: &[f64], values: &[f64], scores: &mut [f64]) {
    InstructionSet::current().run(AddProducts { numbers, values, scores });
}

/// Adds to the sums of the classes the scores of each row times its number.
pub(super) fn add_product_scores(numbers: &[f64], scores: &[f64], sums: &mut [f64]) {
    InstructionSet::current().run(AddProductScores { numbers, scores, sums });
}

/// Adds the scores of all rows to one sum per class.
pub(super) fn add_all_scores(scores: &[f64], sums: &mut [f64]) {
    for scores in scores.chunks_exact(sums.len()) {
        add(sums, scores);
    }
}

/// Replaces scores by the derivative of the loss with respect to them, `w (p - 1{class})`, and returns the loss
/// `-Σ w log p(label)`, where `p` is the softmax of the scores and `w` the weight of the row.
pub(super) fn residuals(
    scores: &mut [f64],
    labels: &[usize],
    row_weights: RowWeights<'_>,
    n_classes: usize,
) -> f64 {
    let loss = InstructionSet::current().run(Residuals { scores, labels, row_weights, n_classes });
    row_weights.multiply(scores, n_classes);
    loss
}

/// The loss alone.
pub(super) fn loss(scores: &[f64], labels: &[usize], row_weights: RowWeights<'_>, n_classes: usize) -> f64 {
    InstructionSet::current().run(Residuals { scores: &mut scores.to_vec(), labels, row_weights, n_classes })
}

/// Replaces scores by probabilities.
pub(super) fn probabilities(scores: &mut [f64], labels: &[usize], n_classes: usize) {
    InstructionSet::current().run(Residuals { scores, labels, row_weights: RowWeights::ONES, n_classes });
    for (scores, &label) in scores.chunks_exact_mut(n_classes).zip(labels) {
        scores[label] += 1.0;
    }
}

/// First and second derivatives of the loss of rows with respect to their scores, `n_rows × n_classes`: `w (p - 1{label})` and
/// `w p (1 - p)` with the softmax `p` of the scores and the weight `w` of the row.
pub(super) struct Derivatives {
    pub(super) first: Vec<f64>,
    pub(super) second: Vec<f64>,
}

impl Derivatives {
    pub(super) fn new(
        mut scores: Vec<f64>,
        labels: &[usize],
        row_weights: RowWeights<'_>,
        n_classes: usize,
    ) -> Self {
        probabilities(&mut scores, labels, n_classes);
        let mut second: Vec<f64> = scores.iter().map(|p| p * (1.0 - p)).collect();
        let mut first = scores;
        for (scores, &label) in first.chunks_exact_mut(n_classes).zip(labels) {
            scores[label] -= 1.0;
        }
        row_weights.multiply(&mut first, n_classes);
        row_weights.multiply(&mut second, n_classes);
        Self { first, second }
    }
}

/// Calls `self.rows::<N>()`, which knows the number of classes, if they are few, and else `self.any_rows()`. The operations and their order
/// are the same.
macro_rules! by_classes {
    ($self:ident, $n_classes:expr) => {
        match $n_classes {
            2 => $self.rows::<2>(),
            3 => $self.rows::<3>(),
            4 => $self.rows::<4>(),
            _ => $self.any_rows(),
        }
    };
}

struct AddTerms<'a> {
    levels: &'a [u32],
    terms: &'a [f64],
    n_classes: usize,
    scores: &'a mut [f64],
}

impl AddTerms<'_> {
    #[inline(always)]
    fn rows<const N: usize>(self) {
        let (terms, scores) = (self.terms.as_chunks::<N>().0, self.scores.as_chunks_mut::<N>().0);
        for (&level, scores) in self.levels.iter().zip(scores) {
            for (score, term) in scores.iter_mut().zip(&terms[level as usize]) {
                *score += term;
            }
        }
    }

    #[inline(always)]
    fn any_rows(self) {
        let n_classes = self.n_classes;
        for (&level, scores) in self.levels.iter().zip(self.scores.chunks_exact_mut(n_classes)) {
            let start = level as usize * n_classes;
            add(scores, &self.terms[start..start + n_classes]);
        }
    }
}

impl Kernel for AddTerms<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(self) {
        by_classes!(self, self.n_classes);
    }
}

struct AddScores<'a> {
    levels: &'a [u32],
    scores: &'a [f64],
    n_classes: usize,
    sums: &'a mut [f64],
}

impl AddScores<'_> {
    #[inline(always)]
    fn rows<const N: usize>(self) {
        let (sums, scores) = (self.sums.as_chunks_mut::<N>().0, self.scores.as_chunks::<N>().0);
        for (&level, scores) in self.levels.iter().zip(scores) {
            for (sum, score) in sums[level as usize].iter_mut().zip(scores) {
                *sum += score;
            }
        }
    }

    #[inline(always)]
    fn any_rows(self) {
        let n_classes = self.n_classes;
        for (&level, scores) in self.levels.iter().zip(self.scores.chunks_exact(n_classes)) {
            let start = level as usize * n_classes;
            add(&mut self.sums[start..start + n_classes], scores);
        }
    }
}

impl Kernel for AddScores<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(self) {
        by_classes!(self, self.n_classes);
    }
}

struct AddProducts<'a> {
    numbers: &'a [f64],
    values: &'a [f64],
    scores: &'a mut [f64],
}

impl AddProducts<'_> {
    #[inline(always)]
    fn rows<const N: usize>(self) {
        let Ok(&values) = <&[f64; N]>::try_from(self.values) else { return self.any_rows() };
        for (&number, scores) in self.numbers.iter().zip(self.scores.as_chunks_mut::<N>().0) {
            for (score, value) in scores.iter_mut().zip(values) {
                *score += number * value;
            }
        }
    }

    #[inline(always)]
    fn any_rows(self) {
        for (&number, scores) in self.numbers.iter().zip(self.scores.chunks_exact_mut(self.values.len())) {
            add_times(scores, self.values, number);
        }
    }
}

impl Kernel for AddProducts<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(self) {
        by_classes!(self, self.values.len());
    }
}

struct AddProductScores<'a> {
    numbers: &'a [f64],
    scores: &'a [f64],
    sums: &'a mut [f64],
}

impl AddProductScores<'_> {
    #[inline(always)]
    fn rows<const N: usize>(self) {
        let Ok(sums) = <&mut [f64; N]>::try_from(&mut *self.sums) else { return self.any_rows() };
        let mut own = *sums;
        for (&number, scores) in self.numbers.iter().zip(self.scores.as_chunks::<N>().0) {
            for (sum, score) in own.iter_mut().zip(scores) {
                *sum += number * score;
            }
        }
        *sums = own;
    }

    #[inline(always)]
    fn any_rows(self) {
        for (&number, scores) in self.numbers.iter().zip(self.scores.chunks_exact(self.sums.len())) {
            add_times(self.sums, scores, number);
        }
    }
}

impl Kernel for AddProductScores<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(self) {
        by_classes!(self, self.sums.len());
    }
}

/// Makes residuals that are not weighted, and adds up the weighted loss.
struct Residuals<'a> {
    scores: &'a mut [f64],
    labels: &'a [usize],
    row_weights: RowWeights<'a>,
    n_classes: usize,
}

impl Kernel for Residuals<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<C: Isa>(self) -> f64 {
        let Self { scores, labels, row_weights, n_classes } = self;
        match n_classes {
            2 => make_residuals::<C>(scores, labels, row_weights, 2),
            3 => make_residuals::<C>(scores, labels, row_weights, 3),
            4 => make_residuals::<C>(scores, labels, row_weights, 4),
            _ => make_residuals::<C>(scores, labels, row_weights, n_classes),
        }
    }
}

/// A separate loop for each number of classes that the caller knows.
#[inline(always)]
fn make_residuals<C: Isa>(
    scores: &mut [f64],
    labels: &[usize],
    row_weights: RowWeights<'_>,
    n_classes: usize,
) -> f64 {
    let mut loss = 0.0;
    for (row, (scores, &label)) in scores.chunks_exact_mut(n_classes).zip(labels).enumerate() {
        let most = largest(scores);
        loss -= row_weights.of(row) * (scores[label] - most);
        for score in scores.iter_mut() {
            *score -= most;
        }
    }
    let (vectors, rest) = scores.as_chunks_mut::<{ 2 * LANES }>();
    for vector in vectors {
        let (lanes, _) = vector.as_chunks_mut::<LANES>();
        if let [first, second] = lanes {
            let both = exp_of_negative(Lanes::<C::Vector, 2>::load(&[*first, *second]));
            let mut found = [[0.0; LANES]; 2];
            both.store(&mut found);
            [*first, *second] = found;
        }
    }
    for score in rest {
        *score = exp_of_negative(*score);
    }
    for (row, (scores, &label)) in scores.chunks_exact_mut(n_classes).zip(labels).enumerate() {
        let total = total(scores);
        loss += row_weights.of(row) * libm::log(total);
        let share = 1.0 / total;
        for score in scores.iter_mut() {
            *score *= share;
        }
        scores[label] -= 1.0;
    }
    loss
}

/// The largest of some numbers.
#[inline(always)]
fn largest(values: &[f64]) -> f64 {
    let (vectors, rest) = values.as_chunks::<LANES>();
    let mut most = f64::NEG_INFINITY;
    if let Some((first, others)) = vectors.split_first() {
        let mut of_lanes = *first;
        for vector in others {
            for (most, &value) in of_lanes.iter_mut().zip(vector) {
                *most = Number::max(*most, value);
            }
        }
        for value in of_lanes {
            most = Number::max(most, value);
        }
    }
    rest.iter().fold(most, |most, &value| Number::max(most, value))
}

/// The sum of some numbers.
#[inline(always)]
fn total(values: &[f64]) -> f64 {
    let (vectors, rest) = values.as_chunks::<LANES>();
    let mut total = 0.0;
    if !vectors.is_empty() {
        let mut of_lanes = [0.0; LANES];
        for vector in vectors {
            for (sum, value) in of_lanes.iter_mut().zip(vector) {
                *sum += value;
            }
        }
        total = of_lanes.iter().sum();
    }
    rest.iter().fold(total, |total, value| total + value)
}

/// Adds some numbers times a factor to others.
#[inline(always)]
fn add_times(to: &mut [f64], values: &[f64], factor: f64) {
    let (to_vectors, to_rest) = to.as_chunks_mut::<LANES>();
    let (vectors, rest) = values.as_chunks::<LANES>();
    for (to, vector) in to_vectors.iter_mut().zip(vectors) {
        for (to, value) in to.iter_mut().zip(vector) {
            *to += factor * value;
        }
    }
    for (to, value) in to_rest.iter_mut().zip(rest) {
        *to += factor * value;
    }
}

/// Adds some numbers to others.
#[inline(always)]
fn add(to: &mut [f64], values: &[f64]) {
    let (to_vectors, to_rest) = to.as_chunks_mut::<LANES>();
    let (vectors, rest) = values.as_chunks::<LANES>();
    for (to, vector) in to_vectors.iter_mut().zip(vectors) {
        for (to, value) in to.iter_mut().zip(vector) {
            *to += value;
        }
    }
    for (to, value) in to_rest.iter_mut().zip(rest) {
        *to += value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores of five rows, as many classes as given.
    fn scores(n_classes: usize) -> Vec<f64> {
        (0..5 * n_classes).map(|place| ((place * 7919) % 101) as f64 / 7.0 - 6.0).collect()
    }

    #[test]
    fn residuals_are_those_of_the_softmax() {
        for n_classes in [1, 2, 3, 4, 8, 9, 26] {
            let (scores, labels) = (scores(n_classes), [0, n_classes - 1, n_classes / 2, 0, n_classes / 3]);
            let mut found = scores.clone();
            let loss = residuals(&mut found, &labels, RowWeights::ONES, n_classes);
            let mut expected = 0.0;
            for ((scores, found), &label) in
                scores.chunks_exact(n_classes).zip(found.chunks_exact(n_classes)).zip(&labels)
            {
                let total: f64 = scores.iter().map(|score| libm::exp(*score)).sum();
                expected -= scores[label] - libm::log(total);
                for (class, (score, found)) in scores.iter().zip(found).enumerate() {
                    let residual = libm::exp(*score) / total - f64::from(u8::from(class == label));
                    assert!((found - residual).abs() < 1e-14, "{n_classes} {class}: {found} {residual}");
                }
            }
            assert!((loss - expected).abs() < 1e-12 * expected.max(1.0), "{n_classes}: {loss} {expected}");
            let mut weighted = scores.clone();
            let row_weights = [2.0, 0.5, 1.0, 0.25, 4.0];
            let loss_of = |scores: &[f64], row: usize| {
                super::loss(scores, &labels[row..=row], RowWeights::ONES, n_classes)
            };
            let losses = scores
                .chunks_exact(n_classes)
                .enumerate()
                .map(|(row, scores)| row_weights[row] * loss_of(scores, row));
            let (losses, of_all) = (
                losses.sum::<f64>(),
                residuals(&mut weighted, &labels, RowWeights::new(&row_weights), n_classes),
            );
            assert!((losses - of_all).abs() < 1e-12 * losses.max(1.0), "{n_classes}: {losses} {of_all}");
            for (place, (weighted, found)) in weighted.iter().zip(&found).enumerate() {
                assert_eq!(*weighted, row_weights[place / n_classes] * found);
            }
        }
    }

    #[test]
    fn terms_and_scores_go_to_their_levels_with_every_instruction_set() {
        for n_classes in [1, 2, 3, 4, 8, 11] {
            let terms: Vec<f64> = (0..4 * n_classes).map(|place| place as f64 + 0.25).collect();
            let levels = [3, 0, 0, 2, 1];
            let mut found = vec![0.5; 5 * n_classes];
            add_terms(&levels, &terms, n_classes, &mut found);
            assert_eq!(found[0], 0.5 + terms[3 * n_classes]);
            assert_eq!(found[5 * n_classes - 1], 0.5 + terms[2 * n_classes - 1]);
            let mut sums = vec![0.0; 4 * n_classes];
            add_scores(&levels, &found, n_classes, &mut sums);
            assert_eq!(sums[0], 2.0 * (0.5 + terms[0]));
            let mut all = vec![0.0; n_classes];
            add_all_scores(&found, &mut all);
            assert_eq!(all.iter().sum::<f64>(), sums.iter().sum::<f64>());

            let mut plain = scores(n_classes);
            let portable = InstructionSet::Portable.run(Residuals {
                scores: &mut plain,
                labels: &[0; 5],
                row_weights: RowWeights::ONES,
                n_classes,
            });
            let mut other = scores(n_classes);
            assert_eq!(
                residuals(&mut other, &[0; 5], RowWeights::ONES, n_classes).to_bits(),
                portable.to_bits()
            );
            assert_eq!(plain, other);
        }
    }
}
