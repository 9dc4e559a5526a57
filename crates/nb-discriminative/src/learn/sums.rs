//! The loops over rows: terms of levels into scores, scores into residuals, residuals into sums of levels.
//!
//! Scores are `n_rows × n_classes`, tables of terms or sums `n_levels × n_classes`. Loops over columns go
//! through some of them at a time ([`levels`], [`products`]): scores are then in registers, and the tables of
//! the columns in the nearest cache.

pub(super) mod levels;
pub(super) mod products;

use nb_simd::{
    InstructionSet, Isa, Kernel, LANES,
    math::{Lanes, Number, exp_of_negative},
};

use super::row_weights::RowWeights;

/// Adds the terms of the level of each row to its scores.
pub(super) fn add_terms(levels: &[u32], terms: &[f64], n_classes: usize, scores: &mut [f64]) {
    levels::add_terms(&[levels], terms, n_classes, scores);
}

/// Adds the scores of all rows to one sum per class.
pub(super) fn add_all_scores(scores: &[f64], sums: &mut [f64]) {
    for scores in scores.chunks_exact(sums.len()) {
        add(sums, scores);
    }
}

/// Replaces scores by the derivative of the loss with respect to them, `w (p - 1{class})`, and returns the
/// loss `-Σ w log p(label)`, where `p` is the softmax of the scores and `w` the weight of the row.
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

/// First and second derivatives of the loss of rows with respect to their scores, `n_rows × n_classes`: `w
/// (p - 1{label})` and `w p (1 - p)` with the softmax `p` of the scores and the weight `w` of the row.
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

    /// The loops that go through some columns at a time give the bits of one column and one number at a time.
    #[test]
    fn columns_are_added_in_their_order_with_every_instruction_set() {
        const N_ROWS: usize = 5;
        let numbers = |n: usize, seed: usize| -> Vec<f64> {
            (0..n).map(|place| ((place * 7919 + seed) % 1013) as f64 / 7.0 - 60.0).collect()
        };
        for (n_classes, n_columns) in
            [1, 2, 3, 4, 8, 11, 26].into_iter().flat_map(|k| [(k, 1), (k, 7), (k, 8)])
        {
            let columns: Vec<Vec<u32>> = (0..n_columns)
                .map(|column| (0..N_ROWS).map(|row| (4 * column + row * row % 4) as u32).collect())
                .collect();
            let columns: Vec<&[u32]> = columns.iter().map(Vec::as_slice).collect();
            let cells: Vec<Vec<f64>> = (0..n_columns).map(|column| numbers(N_ROWS, column)).collect();
            let cells: Vec<&[f64]> = cells.iter().map(Vec::as_slice).collect();
            let (terms, values) = (numbers(4 * n_columns * n_classes, 3), numbers(n_columns * n_classes, 5));
            let mut scores = numbers(N_ROWS * n_classes, 1);
            let mut sums = vec![0.5; terms.len()];
            let mut sums_of_products = vec![0.25; values.len()];
            let of_class = |first: usize, class: usize| first * n_classes + class;
            for class in 0..n_classes {
                for row in 0..N_ROWS {
                    let score = &mut scores[of_class(row, class)];
                    for column in &columns {
                        *score += terms[of_class(column[row] as usize, class)];
                    }
                    for (column, cells) in cells.iter().enumerate() {
                        *score += cells[row] * values[of_class(column, class)];
                    }
                    for (column, (levels, cells)) in columns.iter().zip(&cells).enumerate() {
                        sums[of_class(levels[row] as usize, class)] += *score;
                        sums_of_products[of_class(column, class)] += cells[row] * cells[row] * *score;
                    }
                }
            }
            for set in InstructionSet::ALL {
                set.with(|| {
                    let mut found = numbers(N_ROWS * n_classes, 1);
                    levels::add_terms(&columns, &terms, n_classes, &mut found);
                    products::add_products(&cells, &values, n_classes, &mut found);
                    assert_eq!(found, scores, "{set:?}, {n_classes} classes, {n_columns} columns");
                    let mut found = vec![0.5; terms.len()];
                    levels::add_scores(&columns, &scores, n_classes, &mut found);
                    assert_eq!(found, sums, "{set:?}, {n_classes} classes, {n_columns} columns");
                    let mut found = vec![0.25; values.len()];
                    let power = products::Power::Two;
                    products::add_product_scores(&cells, power, &scores, n_classes, &mut found);
                    assert_eq!(found, sums_of_products, "{set:?}, {n_classes} classes, {n_columns} columns");
                });
            }
        }
    }

    #[test]
    fn residuals_are_the_same_with_every_instruction_set() {
        for n_classes in [1, 2, 3, 4, 8, 11] {
            let labels = &[0; 5];
            let residuals = || {
                let (mut scores, row_weights) = (scores(n_classes), RowWeights::ONES);
                let loss = residuals(&mut scores, labels, row_weights, n_classes);
                (loss.to_bits(), scores)
            };
            let expected = InstructionSet::Portable.with(residuals);
            for set in InstructionSet::ALL {
                assert_eq!(set.with(residuals), expected, "{set:?}");
            }
        }
    }
}
