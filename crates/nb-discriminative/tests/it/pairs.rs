//! What two columns say together, and slopes beside bins.

use nb_core::{Categorical, Categories, Likelihood, Missing, NaiveBayes, Prior, Smoothing};
use nb_discriminative::{
    ColumnKind, Correction, GridAxis, Learner, Learnt, Line, PairCorrection, Refined, Refinement,
};
use ndarray::{Array2, array};

/// Numbers below 1 that look random.
fn drawn(n: usize, seed: u64) -> Vec<f64> {
    let mut state = seed;
    let next = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / 2.0_f64.powi(31)
    };
    (0..n).map(next).collect()
}

const N_ROWS: usize = 600;

/// Three columns of three categories. In nine of ten rows the class says whether the first two are equal.
fn same() -> (Array2<f64>, Vec<usize>) {
    let numbers = drawn(4 * N_ROWS, 1);
    let x = Array2::from_shape_fn((N_ROWS, 3), |(row, column)| (3.0 * numbers[4 * row + column]).floor());
    let is_same = |row: usize| (x[[row, 0]] == x[[row, 1]]) != (numbers[4 * row + 3] < 0.1);
    let y = (0..N_ROWS).map(|row| usize::from(is_same(row))).collect();
    (x, y)
}

fn categories(learnt: &Learnt) -> Refined<Categorical> {
    let model = Categorical {
        categories: Categories::Declared(vec![3; learnt.refinement.weights.len()]),
        smoothing: Smoothing::per_feature(learnt.pseudo_counts.clone()).expect("one for each column"),
        missing: Missing::Skip,
        ..Categorical::default()
    };
    Refined { model, refinement: learnt.refinement.clone() }
}

#[test]
fn what_only_two_columns_say_together_is_learnt() {
    let (x, y) = same();
    let learnt = Learner::default().learn(&x, &[ColumnKind::Categories(3); 3], &y, 2).expect("categories");
    let summary = learnt.summary;
    assert!(
        summary.pair_penalty.is_some() && summary.held_out < 0.4 && summary.of_prior > 0.6,
        "{summary:?}"
    );
    assert!(
        learnt.refinement.pairs.iter().any(|pair| pair.columns == [0, 1]),
        "{:?}",
        learnt.refinement.pairs
    );

    let prior = Prior::Given(learnt.log_prior.iter().map(|log| log.exp()).collect());
    let classifier = NaiveBayes { model: categories(&learnt), prior }.fit(&x, &y).expect("two classes");
    let rows = array![[1.0, 1.0, 0.0], [1.0, 2.0, 0.0], [1.0, f64::NAN, 0.0]];
    let found = classifier.predict_proba(&rows).expect("categories");
    assert!(found[[0, 1]] > 0.8 && found[[1, 1]] < 0.2, "{found}");
    // With one of the two missing nothing is known.
    let share = y.iter().sum::<usize>() as f64 / N_ROWS as f64;
    assert!((found[[2, 1]] - share).abs() < 0.08, "{found} {share}");

    let explanation = classifier.explain(&rows, 0).expect("it is a sum");
    let together: f64 = explanation.interaction_log_odds(1, 0).iter().sum();
    let alone: f64 = explanation.log_odds(1, 0).iter().sum();
    let all = explanation.log_prior[1] - explanation.log_prior[0] + together + alone;
    let scores = &explanation.joint_log_likelihood;
    assert!((all - (scores[1] - scores[0])).abs() < 1e-12 && together > 1.0, "{explanation:?}");
    let sparse = nb_core::CsrView::new(3, &[0_usize, 2], &[0_usize, 1], &[1.0, 1.0]).expect("one row");
    assert_eq!(classifier.predict_proba(&sparse).expect("a row").row(0), found.row(0));
}

#[test]
fn a_product_of_numbers_is_found_and_a_sum_has_no_pairs() {
    let numbers = drawn(5 * 2_000, 2);
    let x = Array2::from_shape_fn((2_000, 4), |(row, column)| 2.0 * numbers[5 * row + column] - 1.0);
    let classes = |score: &dyn Fn(usize) -> f64| -> Vec<usize> {
        let is_one = |row: usize| numbers[5 * row + 4] < 1.0 / (1.0 + (-score(row)).exp());
        (0..2_000).map(|row| usize::from(is_one(row))).collect()
    };
    let learn = |y: &[usize]| Learner::default().learn(&x, &[ColumnKind::Numbers; 4], y, 2).expect("numbers");
    let of_product = learn(&classes(&|row| 6.0 * x[[row, 1]] * x[[row, 3]]));
    assert!(of_product.summary.held_out < of_product.summary.of_weights - 0.1, "{:?}", of_product.summary);
    assert_eq!(of_product.refinement.pairs[0].columns, [1, 3]);
    let of_sum = learn(&classes(&|row| 3.0 * x[[row, 1]] - 2.0 * x[[row, 2]].powi(2)));
    assert!(
        of_sum.summary.pair_penalty.is_none() && of_sum.refinement.pairs.is_empty(),
        "{:?}",
        of_sum.summary
    );
    let mut none = Learner::default();
    none.pairs_per_column = 0;
    let without =
        none.learn(&x, &[ColumnKind::Numbers; 4], &classes(&|row| 6.0 * x[[row, 1]] * x[[row, 3]]), 2);
    assert!(without.expect("numbers").refinement.pairs.is_empty());
}

#[test]
fn differences_of_columns_are_seen_by_their_slopes() {
    // Two columns of the same size, of which only the difference tells the class.
    let numbers = drawn(4 * 300, 3);
    let y: Vec<usize> = (0..300).map(|row| usize::from(numbers[4 * row] < 0.5)).collect();
    let x = Array2::from_shape_fn((300, 2), |(row, column)| {
        let of_class = if column == 1 { 0.4 * y[row] as f64 } else { 0.0 };
        1e6 + 10.0 * numbers[4 * row + 1] + of_class + 0.3 * numbers[4 * row + 2 + column]
    });
    let learnt = Learner::default().learn(&x, &[ColumnKind::Numbers; 2], &y, 2).expect("numbers");
    assert!(learnt.summary.held_out < 0.35 && learnt.summary.of_weights > 0.6, "{:?}", learnt.summary);
    let lines = learnt.refinement.corrections.iter().map(|correction| correction.line().expect("a slope"));
    let slopes: Vec<f64> = lines.map(|line| line.per_unit[1] - line.per_unit[0]).collect();
    assert!(slopes[0] < 0.0 && slopes[1] > 0.0, "{slopes:?}");
}

fn refined(corrections: Vec<Correction>, pairs: Vec<PairCorrection>) -> Refined<Categorical> {
    let weights = vec![0.0; corrections.len()];
    let model = Categorical {
        categories: Categories::Declared(vec![3; weights.len()]),
        missing: Missing::Skip,
        ..Categorical::default()
    };
    Refined {
        model,
        refinement: Refinement { n_classes: 2, weights, corrections, pairs, absent_texts: Vec::new() },
    }
}

#[test]
fn a_line_ends_at_its_limits_and_a_missing_cell_has_none() {
    let line = Line { low: 0.0, high: 1.0, center: 0.5, per_unit: vec![2.0, -4.0] };
    let steps = Correction::steps(vec![1.0], vec![0.0, 0.0, 1.0, 0.0], vec![0.25, 0.5]).with_line(Some(line));
    let model = refined(vec![steps], Vec::new());
    let fitted = NaiveBayes::new(model).fit(&array![[0.0], [2.0]], &["a", "b"]).expect("two classes");
    let fitted = fitted.likelihood();
    let added = |value: f64| [0, 1].map(|class| fitted.log_likelihood(class, 0, value));
    assert_eq!(added(0.0), [-1.0, 2.0]);
    assert_eq!(added(1.0), [1.0, -2.0]);
    assert_eq!(added(2.0), [2.0, -2.0]);
    assert_eq!(added(f64::NAN), [0.25, 0.5]);
}

fn pair() -> PairCorrection {
    let categories = GridAxis::Categories { places: vec![1, 0, 1], n_places: 2 };
    let cells = vec![1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 4.0, -4.0];
    PairCorrection { columns: [0, 1], axes: [categories, GridAxis::Bins(vec![0.5])], cells }
}

#[test]
fn a_pair_adds_the_cell_of_its_values() {
    let pair = pair();
    assert_eq!(pair.at([0.0, 0.5]), [3.0, -3.0]);
    assert_eq!(pair.at([1.0, 2.0]), [2.0, -2.0]);
    for values in [[f64::NAN, 1.0], [0.0, f64::NAN], [3.0, 1.0], [0.5, 1.0], [-1.0, 0.0]] {
        assert!(pair.at(values).is_empty(), "{values:?}");
    }
    // The second category is the first one now, there is a new one after it, and the columns are others.
    let moved = pair.moved([4, 2], [Some((vec![2, 0, 3], 4)), None]);
    assert_eq!((moved.columns, moved.at([2.0, 0.5])), ([4, 2], pair.at([0.0, 0.5])));
    assert_eq!(moved.at([0.0, 2.0]), pair.at([1.0, 2.0]));
    assert!(moved.at([1.0, 0.5]).is_empty());
    let turned = refined(vec![Correction::none(); 2], vec![pair]).refinement.reordered(&[1, 0]);
    assert_eq!(turned.pairs[0].at([0.0, 0.5]), [-3.0, 3.0]);
    assert_eq!(turned.scaled(0.5).pairs[0].at([0.0, 0.5]), [-1.5, 1.5]);
}

#[test]
fn pairs_and_lines_that_do_not_fit_are_refused() {
    let refused = |change: &dyn Fn(&mut PairCorrection)| {
        let mut pair = pair();
        change(&mut pair);
        refined(vec![Correction::none(); 2], vec![pair]).refinement.check(2).is_err()
    };
    assert!(!refused(&|_| ()));
    assert!(refused(&|pair| pair.columns = [1, 1]));
    assert!(refused(&|pair| pair.columns = [0, 2]));
    assert!(refused(&|pair| pair.cells.truncate(6)));
    assert!(refused(&|pair| pair.cells[3] = f64::INFINITY));
    assert!(refused(&|pair| pair.axes[1] = GridAxis::Bins(vec![0.5, 0.5])));
    assert!(refused(&|pair| pair.axes[0] = GridAxis::Categories { places: vec![0], n_places: usize::MAX }));
    let line = |low: f64, per_unit: Vec<f64>| {
        let line = Line { low, high: 1.0, center: 0.0, per_unit };
        let steps = Correction::steps(Vec::new(), vec![0.0; 2], vec![0.0; 2]).with_line(Some(line));
        refined(vec![steps], Vec::new()).refinement.check(1).is_err()
    };
    assert!(!line(0.0, vec![1.0, 2.0]));
    assert!(line(2.0, vec![1.0, 2.0]) && line(0.0, vec![1.0]) && line(0.0, vec![1.0, f64::NAN]));
}
