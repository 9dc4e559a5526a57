//! Contributions checked against refitting without the row, minima against SciPy.

use nb_core::{Categorical, Categories, Multinomial, NaiveBayes, Smoothing};
use ndarray::Array2;

use super::{
    coding::{Coding, Levels},
    columns::Columns,
    counts::Contributions,
    minimise::PRECISION,
    multiplied::Multiplied,
    row_weights::RowWeights,
    sums::{add_terms, loss},
    tables::{Products, Smooth, Tables},
    text::Said,
    weights::Problem,
};
use crate::ColumnKind;

const N_ROWS: usize = 90;
const N_CLASSES: usize = 3;
const FEATURES: [ColumnKind; 3] = [ColumnKind::Numbers; 3];

/// The rows of `tests/reference.py`.
fn rows() -> (Array2<f64>, Vec<usize>) {
    let mut state: u64 = 12_345;
    let mut next = || {
        state = (1_103_515_245 * state + 12_345) % (1 << 31);
        (state >> 16) as usize
    };
    let (mut x, mut y) = (Array2::zeros((N_ROWS, 3)), Vec::new());
    for mut row in x.rows_mut() {
        let drawn = [next(), next(), next(), next()];
        let label = drawn[0] % N_CLASSES;
        for (cell, value) in row.iter_mut().zip(&drawn[1..]) {
            *cell = (value % 4) as f64;
        }
        if drawn[1] % 5 < 3 {
            row[0] = label as f64;
        }
        y.push(label);
    }
    (x, y)
}

fn prepared() -> (Coding, Levels, Contributions, Array2<f64>, Vec<usize>) {
    let (x, y) = rows();
    let columns = Columns::new(&x, &FEATURES, None).expect("numbers");
    let all: Vec<usize> = (0..N_ROWS).collect();
    let coding = Coding::learn(&columns, &all, &y, 32).expect("finite");
    let levels = coding.levels(&columns, &all);
    let contributions = Contributions::new((&columns, &coding), &levels, &y, RowWeights::ONES, N_CLASSES);
    (coding, levels, contributions, x, y)
}

#[test]
fn every_value_has_its_bin() {
    let (coding, ..) = prepared();
    assert_eq!(coding.cuts, vec![vec![0.5, 1.5, 2.5]; 3]);
    assert_eq!(coding.neighbours(&FEATURES).len(), 9);
}

#[test]
fn contributions_that_leave_a_row_out_are_those_of_training_without_it() {
    let (_, levels, contributions, x, y) = prepared();
    let family = Categorical {
        categories: Categories::Declared(vec![4; 3]),
        smoothing: Smoothing::new(0.25).expect("in range"),
        ..Categorical::default()
    };
    for left_out in 0..N_ROWS {
        let others: Vec<usize> = (0..N_ROWS).filter(|&row| row != left_out).collect();
        let labels: Vec<usize> = others.iter().map(|&row| y[row]).collect();
        let classifier = NaiveBayes::new(family.clone())
            .fit(&x.select(ndarray::Axis(0), &others), &labels)
            .expect("all classes have rows");
        for column in 0..3 {
            let level = levels.columns[column][left_out] as usize;
            for class in 0..N_CLASSES {
                let at = level * N_CLASSES + class;
                let said = if class == y[left_out] {
                    contributions.own(column, left_out, level as u32, class)
                } else {
                    contributions.all[at]
                };
                let code = x[[left_out, column]] as usize;
                let expected = classifier.likelihood().log_probability(class, column, code).expect("known");
                assert!((said - expected).abs() < 1e-14, "{left_out} {column} {class}: {said} {expected}");
            }
        }
    }
}

#[test]
fn weights_reach_the_least_loss() {
    // SciPy 1.17.1, `tests/reference.py`: what the weights are drawn to, the least loss, the weights.
    for (common, least, expected) in [
        (0.0, 79.852_603_392_309_04, [0.833_215_4, 0.0, 0.185_708_84]),
        (0.5, 79.699_476_909_683_67, [0.843_687_23, 0.0, 0.250_010_69]),
    ] {
        let (coding, levels, contributions, _, y) = prepared();
        let problem = Problem {
            coding: &coding,
            contributions: &contributions,
            levels: &levels,
            labels: &y,
            row_weights: RowWeights::ONES,
            texts: &[],
        };
        let learnt = problem.weights(1.0, common, PRECISION);
        // What is said of the rows is with their own contributions left out.
        let mut scores = learnt.offsets.repeat(N_ROWS);
        for (column, weight) in levels.columns.iter().zip(&learnt.of_features) {
            let weighted: Vec<f64> = contributions.all.iter().map(|said| weight * said).collect();
            add_terms(column, &weighted, N_CLASSES, &mut scores);
        }
        for (row, scores) in scores.chunks_exact_mut(N_CLASSES).enumerate() {
            for (column, weight) in learnt.of_features.iter().enumerate() {
                let level = levels.columns[column][row];
                let own = contributions.own(column, row, level, y[row]);
                scores[y[row]] += weight * (own - contributions.all[level as usize * N_CLASSES + y[row]]);
            }
            scores.iter_mut().zip(&contributions.log_prior).for_each(|(score, prior)| *score += prior);
        }
        let squares =
            |values: &[f64], from: f64| values.iter().map(|value| (value - from).powi(2)).sum::<f64>();
        let penalty = 0.5 * squares(&learnt.of_features, common) + 0.05 * squares(&learnt.offsets, 0.0);
        let found = loss(&scores, &y, RowWeights::ONES, N_CLASSES) + penalty;
        assert!((found - least).abs() < 1e-5 * least, "{common}: {found}");
        for (found, expected) in learnt.of_features.iter().zip(expected) {
            assert!((found - expected).abs() < 0.01, "{common}: {:?}", learnt.of_features);
        }
        assert_eq!(learnt.of_features[1], 0.0);
    }
}

#[test]
fn one_weight_for_all_features_is_that_of_least_loss() {
    let (coding, levels, contributions, _, y) = prepared();
    let problem = Problem {
        coding: &coding,
        contributions: &contributions,
        levels: &levels,
        labels: &y,
        row_weights: RowWeights::ONES,
        texts: &[],
    };
    let common = problem.common(1.0);
    assert!((common - 0.734_133_18).abs() < 0.01, "{common}");
}

#[test]
fn tables_reach_the_least_loss() {
    // SciPy 1.17.1, `tests/reference.py`.
    const LEAST: f64 = 78.576_095_928_983_96;
    let (coding, levels, contributions, _, y) = prepared();
    let neighbours = coding.neighbours(&FEATURES);
    let tables = Tables {
        columns: levels.columns.iter().map(Vec::as_slice).collect(),
        products: Vec::new(),
        labels: &y,
        row_weights: RowWeights::ONES,
        log_prior: &contributions.log_prior,
        ridges: vec![0.5; coding.n_all],
        chains: Smooth { neighbours: &neighbours, penalty: 2.0 },
        grids: Smooth { neighbours: &[], penalty: 0.0 },
    };
    let mut terms = vec![0.0; (coding.n_all + 1) * N_CLASSES];
    tables.fit(&mut terms, PRECISION);
    let mut scores = terms[coding.n_all * N_CLASSES..].repeat(N_ROWS);
    for column in &levels.columns {
        add_terms(column, &terms, N_CLASSES, &mut scores);
    }
    for scores in scores.chunks_exact_mut(N_CLASSES) {
        scores.iter_mut().zip(&contributions.log_prior).for_each(|(score, prior)| *score += prior);
    }
    let table = &terms[..coding.n_all * N_CLASSES];
    let ridge = 0.25 * table.iter().map(|term| term * term).sum::<f64>();
    let rough: f64 = neighbours
        .iter()
        .flat_map(|&(below, above)| {
            (0..N_CLASSES)
                .map(move |class| table[above * N_CLASSES + class] - table[below * N_CLASSES + class])
        })
        .map(|difference| difference * difference)
        .sum();
    let found = loss(&scores, &y, RowWeights::ONES, N_CLASSES) + ridge + rough;
    assert!((found - LEAST).abs() < 1e-5 * LEAST, "{found}");
}

/// The same rows as counts of three terms.
fn texts() -> (Columns, Vec<usize>, Array2<f64>, Vec<usize>) {
    let (x, y) = rows();
    let columns = Columns::new(&x, &[ColumnKind::Term(7); 3], None).expect("counts");
    (columns, (0..N_ROWS).collect(), x, y)
}

#[test]
fn texts_that_leave_a_row_out_are_those_of_training_without_it() {
    let (columns, all, x, y) = texts();
    let said = Said::new(&columns.texts[0], &all, &y, RowWeights::ONES, N_CLASSES);
    for left_out in 0..N_ROWS {
        let others: Vec<usize> = (0..N_ROWS).filter(|&row| row != left_out).collect();
        let labels: Vec<usize> = others.iter().map(|&row| y[row]).collect();
        let classifier = NaiveBayes::new(Multinomial::default())
            .fit(&x.select(ndarray::Axis(0), &others), &labels)
            .expect("all classes have rows");
        let logs = classifier.likelihood().log_probabilities();
        let own = y[left_out];
        let expected: f64 = (0..3).map(|term| x[[left_out, term]] * logs[[own, term]]).sum();
        let found = said.own[left_out * N_CLASSES + own];
        assert!((found - expected).abs() < 1e-12, "{left_out}: {found} {expected}");
    }
}

#[test]
fn terms_of_texts_have_the_least_loss() {
    let (columns, all, _, y) = texts();
    let (coding, levels) = {
        let coding = Coding::learn(&columns, &all, &y, 32).expect("no numbers");
        let levels = coding.levels(&columns, &all);
        (coding, levels)
    };
    let contributions = Contributions::new((&columns, &coding), &levels, &y, RowWeights::ONES, N_CLASSES);
    let ridge = 0.25;
    let none = Smooth { neighbours: &[], penalty: 0.0 };
    let tables = Tables {
        columns: Vec::new(),
        products: vec![Products { numbers: Box::new(columns.texts[0].of_rows(&all)), ridge }],
        labels: &y,
        row_weights: RowWeights::ONES,
        log_prior: &contributions.log_prior,
        ridges: Vec::new(),
        chains: none,
        grids: none,
    };
    let value = |terms: &[f64]| {
        let (table, offsets) = terms.split_at(3 * N_CLASSES);
        let mut scores = offsets.repeat(N_ROWS);
        columns.texts[0].of_rows(&all).add_terms(0..N_ROWS, table, N_CLASSES, &mut scores);
        for scores in scores.chunks_exact_mut(N_CLASSES) {
            scores.iter_mut().zip(&contributions.log_prior).for_each(|(score, prior)| *score += prior);
        }
        loss(&scores, &y, RowWeights::ONES, N_CLASSES)
            + 0.5 * ridge * table.iter().map(|term| term * term).sum::<f64>()
    };
    let mut terms = vec![0.0; 4 * N_CLASSES];
    let start = value(&terms);
    tables.fit(&mut terms, PRECISION);
    let least = value(&terms);
    assert!(least < start - 1.0, "{least} {start}");
    for term in 0..terms.len() {
        for step in [-0.05, 0.05] {
            let mut moved = terms.clone();
            moved[term] += step;
            assert!(value(&moved) > least, "{term}");
        }
    }
}
