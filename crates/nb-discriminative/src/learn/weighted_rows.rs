//! Rows with weights checked against rows that are there several times.

use ndarray::{Array2, Axis};

use super::{
    coding::{Coding, Levels},
    columns::Columns,
    counts::Contributions,
    minimise::PRECISION,
    row_weights::RowWeights,
    tables::{Products, Smooth, Tables},
    text::Said,
    weights::Problem,
};
use crate::{ColumnKind, Penalty};

const N_ROWS: usize = 80;
const N_CLASSES: usize = 3;
const FEATURES: [ColumnKind; 3] =
    [ColumnKind::Categories(4), ColumnKind::Categories(3), ColumnKind::Categories(5)];

/// Categories, of which the first tells something of the class, and some cells are missing.
fn rows() -> (Array2<f64>, Vec<usize>) {
    let label = |row: usize| (row * row / 3 + row) % N_CLASSES;
    let x = Array2::from_shape_fn((N_ROWS, 3), |(row, column)| match column {
        0 if row % 3 > 0 => (label(row) + row % 2) as f64,
        1 if row % 11 == 5 => f64::NAN,
        column => ((row * 31 + column * 7 + row * row) % [4, 3, 5][column]) as f64,
    });
    (x, (0..N_ROWS).map(label).collect())
}

/// How often each row is there: once, twice or three times.
fn times(row: usize) -> usize {
    1 + (row * 7 / 4) % 3
}

/// Each row as often as it counts.
fn repeated() -> Vec<usize> {
    (0..N_ROWS).flat_map(|row| std::iter::repeat_n(row, times(row))).collect()
}

fn weights() -> Vec<f64> {
    (0..N_ROWS).map(|row| times(row) as f64).collect()
}

/// What is learnt from some rows, once each.
struct Prepared {
    columns: Columns,
    rows: Vec<usize>,
    labels: Vec<usize>,
    coding: Coding,
    levels: Levels,
}

fn prepared(features: &[ColumnKind], rows_of: &[usize]) -> Prepared {
    let (x, y) = rows();
    let x = x.select(Axis(0), rows_of);
    let labels: Vec<usize> = rows_of.iter().map(|&row| y[row]).collect();
    let columns = Columns::new(&x, features, None).expect("categories and counts");
    let rows: Vec<usize> = (0..rows_of.len()).collect();
    let coding = Coding::learn(&columns, &rows, &labels, 32).expect("no numbers");
    let levels = coding.levels(&columns, &rows);
    Prepared { columns, rows, labels, coding, levels }
}

impl Prepared {
    fn contributions(&self, row_weights: RowWeights<'_>) -> Contributions {
        Contributions::new((&self.columns, &self.coding), &self.levels, &self.labels, row_weights, N_CLASSES)
    }

    fn terms(&self, row_weights: RowWeights<'_>, penalty: Penalty) -> Vec<f64> {
        let contributions = self.contributions(row_weights);
        let said: Vec<Said> = self.said(row_weights);
        let products = self
            .columns
            .texts
            .iter()
            .zip(&said)
            .map(|(text, said)| (Box::new(text.of_rows(&self.rows)), penalty.ridge * said.square))
            .map(|(numbers, ridge)| Products { numbers, ridge });
        let none = Smooth { neighbours: &[], penalty: 0.0 };
        let tables = Tables {
            columns: self.levels.columns.iter().map(Vec::as_slice).collect(),
            products: products.collect(),
            labels: &self.labels,
            row_weights,
            log_prior: &contributions.log_prior,
            ridges: vec![penalty.ridge; self.coding.n_all],
            chains: none,
            grids: none,
        };
        let n_terms = said.iter().map(|said| said.all.len()).sum::<usize>();
        let mut terms = vec![0.0; (self.coding.n_all + 1) * N_CLASSES + n_terms];
        tables.fit(&mut terms, PRECISION);
        terms
    }

    fn said(&self, row_weights: RowWeights<'_>) -> Vec<Said> {
        let texts = self.columns.texts.iter();
        texts.map(|text| Said::new(text, &self.rows, &self.labels, row_weights, N_CLASSES)).collect()
    }
}

fn all() -> Vec<usize> {
    (0..N_ROWS).collect()
}

/// The rows, of which the second column has no missing cells: counts.
fn prepared_text(rows_of: &[usize]) -> Prepared {
    let features = [ColumnKind::Term(0), ColumnKind::Ignored, ColumnKind::Term(0)];
    prepared(&features, rows_of)
}

#[test]
fn counts_are_those_of_repeated_rows() {
    let (weights, once, often) = (weights(), prepared(&FEATURES, &all()), prepared(&FEATURES, &repeated()));
    let (weighted, often) =
        (once.contributions(RowWeights::new(&weights)), often.contributions(RowWeights::ONES));
    assert_eq!(weighted.all, often.all);
    for (weighted, often) in weighted.log_prior.iter().zip(&often.log_prior) {
        assert!((weighted - often).abs() < 1e-14);
    }
    let (once, often) = (prepared_text(&all()), prepared_text(&repeated()));
    let (weighted, often) = (&once.said(RowWeights::new(&weights))[0], &often.said(RowWeights::ONES)[0]);
    assert_eq!(weighted.all, often.all);
    assert!((weighted.square - often.square).abs() < 1e-14 * often.square);
}

#[test]
fn a_row_is_left_out_with_all_of_its_weight() {
    let (once, text, weights) = (prepared(&FEATURES, &all()), prepared_text(&all()), weights());
    let contributions = once.contributions(RowWeights::new(&weights));
    let said = &text.said(RowWeights::new(&weights))[0];
    for row in all() {
        let without: Vec<usize> = repeated().into_iter().filter(|&other| other != row).collect();
        let others = prepared(&FEATURES, &without).contributions(RowWeights::ONES);
        let label = once.labels[row];
        for (column, levels) in once.levels.columns.iter().enumerate() {
            let found = contributions.own(column, row, levels[row], label);
            let expected = others.all[levels[row] as usize * N_CLASSES + label];
            assert!((found - expected).abs() < 1e-14, "{row} {column}: {found} {expected}");
        }
        let others = prepared_text(&without);
        let others = &others.said(RowWeights::ONES)[0].all;
        let terms = text.columns.texts[0].of_row(row);
        let expected: f64 = terms.map(|(term, count)| count * others[term * N_CLASSES + label]).sum();
        let found = said.own[row * N_CLASSES + label];
        assert!((found - expected).abs() < 1e-12, "{row}: {found} {expected}");
    }
}

#[test]
fn terms_are_those_of_repeated_rows() {
    let penalty = Penalty { ridge: 0.5, smoothness: 2.0 };
    let weights = weights();
    for (once, often) in [
        (prepared(&FEATURES, &all()), prepared(&FEATURES, &repeated())),
        (prepared_text(&all()), prepared_text(&repeated())),
    ] {
        let weighted = once.terms(RowWeights::new(&weights), penalty);
        let plain = once.terms(RowWeights::ONES, penalty);
        let often = often.terms(RowWeights::ONES, penalty);
        let distance = |one: &[f64], other: &[f64]| {
            one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        assert!(distance(&weighted, &often) < 1e-6, "{}", distance(&weighted, &often));
        assert!(distance(&plain, &often) > 0.01);
    }
}

#[test]
fn the_loss_of_weights_has_its_gradient() {
    let (once, weights) = (prepared(&FEATURES, &all()), weights());
    let row_weights = RowWeights::new(&weights);
    let contributions = once.contributions(row_weights);
    let problem = Problem {
        coding: &once.coding,
        contributions: &contributions,
        levels: &once.levels,
        labels: &once.labels,
        row_weights,
        texts: &[],
    };
    let x = [0.7, 0.2, 1.1, 0.1, -0.2, 0.3];
    let (mut gradient, mut unused) = (vec![0.0; 6], vec![0.0; 6]);
    let value = problem.loss(&x, &mut gradient);
    for entry in 0..6 {
        let at = |step: f64, unused: &mut [f64]| {
            let mut moved = x;
            moved[entry] += step;
            problem.loss(&moved, unused)
        };
        let slope = (at(1e-5, &mut unused) - at(-1e-5, &mut unused)) / 2e-5;
        assert!((slope - gradient[entry]).abs() < 1e-5 * value, "{entry}: {slope} {}", gradient[entry]);
    }
    // By hand: the score of each class, with what the row itself adds left out for its own class.
    let expected: f64 = all()
        .into_iter()
        .map(|row| {
            let scores: Vec<f64> = (0..N_CLASSES)
                .map(|class| {
                    let of_column = |column: usize| {
                        let (level, label) = (once.levels.columns[column][row], once.labels[row]);
                        let said = if class == label {
                            contributions.own(column, row, level, label)
                        } else {
                            contributions.all[level as usize * N_CLASSES + class]
                        };
                        x[column] * said
                    };
                    contributions.log_prior[class] + x[3 + class] + (0..3).map(of_column).sum::<f64>()
                })
                .collect();
            let total = scores.iter().map(|score| libm::exp(*score)).sum::<f64>();
            weights[row] * (libm::log(total) - scores[once.labels[row]])
        })
        .sum();
    assert!((value - expected).abs() < 1e-12 * expected, "{value} {expected}");
}
