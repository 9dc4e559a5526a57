//! One-dependence estimators: laws of the evidence, exact reference numbers, refusals.
#![expect(clippy::unreadable_literal, reason = "reference numbers are copied, not read")]

use nb_core::{
    Categorical, Categories, FeatureModel, Missing, NaiveBayes, Smoothing, SufficientStats, Unseen,
    error::{FitError, LayoutError, PredictError},
    selection::{FoldAssignment, FoldedStats},
};
use nb_variants::{Aode, PairCounts};
use ndarray::{Array2, array, s};
use proptest::prelude::*;

pub(super) fn set(name: &str) -> (Array2<f64>, Vec<String>) {
    let set = nb_datasets::load(name).expect("embedded");
    (set.x(), set.y().into_iter().map(String::from).collect())
}

/// As many categories as the columns have codes, missing cells left out.
pub(super) fn counts_of(rows: &Array2<f64>, l: f64) -> PairCounts {
    let largest = rows.columns().into_iter().map(|column| column.fold(0.0_f64, |largest, &v| largest.max(v)));
    PairCounts {
        smoothing: Smoothing::new(l).expect("valid"),
        missing: Missing::Skip,
        ..PairCounts::new(largest.map(|largest| largest as usize + 1).collect())
    }
}

fn check(counts: &PairCounts, n_columns: usize, cells: impl Strategy<Value = f64> + Clone + 'static) {
    nb_laws::check_statistics(counts, n_columns, cells.clone());
    nb_laws::check_scores(counts, n_columns, cells);
}

#[test]
fn the_evidence_keeps_the_laws() {
    let codes = (0..4_u8).prop_map(f64::from);
    check(&PairCounts::new(vec![4, 5, 6]), 3, codes.clone());
    let other = PairCounts {
        smoothing: Smoothing::MAXIMUM_LIKELIHOOD,
        unseen: Unseen::Other,
        missing: Missing::Skip,
        ..PairCounts::new(vec![4, 4])
    };
    check(&other, 2, prop_oneof![3 => codes, 1 => Just(f64::NAN)]);
}

struct Reference {
    set: &'static str,
    minimum_count: f64,
    l: f64,
    /// `log P(y, x)` of rows 0, 6 and 12.
    joint: [&'static [f64]; 3],
    /// The sum of the log-posteriors of the rows' own labels, and how many rows get them.
    own: (f64, usize),
}

/// Python 3 fractions: every probability counted again from the rows for each row that is scored; mpmath
/// 40-digit logarithms.
const REFERENCES: &[Reference] = &[
    Reference {
        set: "lenses",
        minimum_count: 1.0,
        l: 1.0,
        joint: [
            &[-5.9741903661651605, -3.375437752103474, -5.141640945441037],
            &[-5.1727352043581, -3.3784282734008793, -5.9741903661651605],
            &[-6.026876585331238, -3.456848977491899, -5.09398707435486],
        ],
        own: (-8.897658555019525, 23),
    },
    // No value is so frequent: naive Bayes.
    Reference {
        set: "lenses",
        minimum_count: 30.0,
        l: 1.0,
        joint: [
            &[-6.628041376179533, -3.5267450660552395, -5.496803860195347],
            &[-5.711750644305378, -3.2911789947424728, -7.000881256971621],
            &[-7.7266536648476425, -3.2266404736049012, -5.209121787743566],
        ],
        own: (-8.269953686901813, 23),
    },
    // Some are.
    Reference {
        set: "lenses",
        minimum_count: 9.0,
        l: 0.5,
        joint: [
            &[-6.681530061130519, -3.276694258793114, -5.7265317127246504],
            &[-5.6972104031790245, -3.290463630087757, -6.681530061130519],
            &[-6.676414960463749, -3.3992225487175523, -5.696027327714849],
        ],
        own: (-6.297147247827014, 23),
    },
    Reference {
        set: "playtennis",
        minimum_count: 5.0,
        l: 0.25,
        joint: [
            &[-2.8634212776455916, -5.468062653560154],
            &[-5.425498164663192, -3.6689730869971333],
            &[-7.702623580546978, -3.7488909369362915],
        ],
        own: (-2.2393306416344907, 14),
    },
    Reference {
        set: "playtennis",
        minimum_count: 1.0,
        l: 0.0,
        joint: [
            &[-2.618438042412523, -6.222576268071369],
            &[f64::NEG_INFINITY, -3.7170503310806327],
            &[f64::NEG_INFINITY, -3.2521618025016674],
        ],
        own: (-1.1193826338504556, 14),
    },
    // Missing cells.
    Reference {
        set: "housevotes84",
        minimum_count: 30.0,
        l: 1.0,
        joint: [
            &[-10.832632399677154, -3.955359049983217],
            &[-11.563099689905455, -8.892048198663286],
            &[-6.967932255788519, -15.907068267107103],
        ],
        own: (-49.00773292533757, 413),
    },
    Reference {
        set: "housevotes84",
        minimum_count: 200.0,
        l: 1.0,
        joint: [
            &[-11.596642125911012, -4.042839208831702],
            &[-12.225847762709966, -8.761671392389054],
            &[-6.956066072236276, -15.70575965129934],
        ],
        own: (-59.875935082920925, 411),
    },
];

#[test]
fn scores_are_those_of_counting() {
    for reference in REFERENCES {
        let (x, y) = set(reference.set);
        let aode = Aode { minimum_count: reference.minimum_count, ..Aode::new(counts_of(&x, reference.l)) };
        let classifier = NaiveBayes::new(aode).fit(&x, &y).expect("fits");
        let joint = classifier.joint_log_likelihood(&x).expect("scores");
        for (row, expected) in [0, 6, 12].into_iter().zip(reference.joint) {
            for (found, &expected) in joint.row(row).iter().zip(expected) {
                let close = *found == expected || (found - expected).abs() < 1e-14 * expected.abs();
                assert!(close, "{}, row {row}: {found}, not {expected}", reference.set);
            }
        }
        let logs = classifier.predict_log_proba(&x).expect("scores");
        let class = |label: &String| classifier.classes().binary_search(label).expect("known");
        let own: f64 = y.iter().enumerate().map(|(row, label)| logs[[row, class(label)]]).sum();
        assert!((own - reference.own.0).abs() < 1e-13 * own.abs(), "{}: {own}", reference.set);
        let labels = classifier.predict(&x).expect("predicts");
        assert_eq!(labels.iter().zip(&y).filter(|(a, b)| a == b).count(), reference.own.1);
        let probabilities = classifier.predict_proba(&x).expect("scores");
        assert!(probabilities.rows().into_iter().all(|row| (row.sum() - 1.0).abs() < 1e-14));
    }
}

/// The mean over the parents, by going through the weighted rows for every probability; `None` without a
/// parent.
fn by_counting(
    (rows, labels, weights): (&Array2<f64>, &[u8], &[f64]),
    (class, n_classes): (u8, f64),
    row: &[f64],
    (l, minimum_count): (f64, f64),
) -> Option<f64> {
    const K: f64 = 3.0;
    let weight = |is: &dyn Fn(usize) -> bool| -> f64 {
        (0..labels.len()).filter(|&row| is(row)).map(|row| weights[row]).sum()
    };
    let mut terms = Vec::new();
    for (i, &parent) in row.iter().enumerate() {
        let count = weight(&|row| rows[[row, i]] == parent);
        if parent.is_nan() || count == 0.0 || count < minimum_count {
            continue;
        }
        let of_parent = |row: usize| labels[row] == class && rows[[row, i]] == parent;
        let observed = weight(&|row| !rows[[row, i]].is_nan());
        let mut term = (weight(&of_parent) + l) / (observed + l * n_classes * K);
        for (j, &child) in row.iter().enumerate().filter(|(j, child)| *j != i && !child.is_nan()) {
            let total = weight(&|row| of_parent(row) && !rows[[row, j]].is_nan()) + l * K;
            let both = weight(&|row| of_parent(row) && rows[[row, j]] == child);
            term *= if total > 0.0 { (both + l) / total } else { 1.0 };
        }
        terms.push(term);
    }
    (!terms.is_empty()).then(|| terms.iter().sum::<f64>() / terms.len() as f64)
}

proptest! {
    #[test]
    fn any_rows_are_scored_by_counting(
        case in nb_laws::cases(3, prop_oneof![4 => (0..3_u8).prop_map(f64::from), 1 => Just(f64::NAN)]),
        l in prop_oneof![Just(0.0), Just(1.0), 0.01..3.0_f64],
        minimum_count in prop_oneof![Just(0.0), Just(1.0), Just(4.0)],
    ) {
        let counts = PairCounts {
            smoothing: Smoothing::new(l).expect("valid"),
            missing: Missing::Skip,
            ..PairCounts::new(vec![3; 3])
        };
        let mut stats = SufficientStats::new(&counts, 3).expect("valid");
        stats.update_weighted(&counts, &case.rows, &case.labels, &case.weights).expect("adds");
        // Without smoothing, naive Bayes needs a value of every column in every class.
        let naive_bayes = NaiveBayes::new(&counts).fit_stats(&stats);
        let Ok(classifier) = NaiveBayes::new(Aode { counts: counts.clone(), minimum_count }).fit_stats(&stats) else { return Ok(()) };
        let naive_bayes = naive_bayes.expect("fits where AODE does");
        let joint = classifier.joint_log_likelihood(&case.rows).expect("scores");
        let logs = classifier.predict_log_proba(&case.rows).expect("scores");
        let probabilities = classifier.predict_proba(&case.rows).expect("scores");
        let labels = classifier.try_predict_each(&case.rows).expect("scores");
        let naive_bayes = naive_bayes.joint_log_likelihood(&case.rows).expect("scores");
        for (row, label) in labels.iter().enumerate() {
            for (class, &own) in classifier.classes().iter().enumerate() {
                let training = (&case.rows, &case.labels[..], &case.weights[..]);
                let of = (own, classifier.classes().len() as f64);
                let cells = case.rows.row(row).to_vec();
                let expected = by_counting(training, of, &cells, (l, minimum_count));
                let expected = expected.map_or(naive_bayes[[row, class]], f64::ln);
                let found = joint[[row, class]];
                prop_assert!(found == expected || (found - expected).abs() < 1e-13 * expected.abs().max(1.0), "{found}, {expected}");
                prop_assert!((logs[[row, class]].exp() - probabilities[[row, class]]).abs() < 1e-14);
            }
            let total = probabilities.row(row).sum();
            prop_assert!((total - if label.is_some() { 1.0 } else { 0.0 }).abs() < 1e-14, "{total}");
        }
    }
}

#[test]
fn one_evidence_gives_both_models() {
    let (x, y) = set("housevotes84");
    let counts = counts_of(&x, 1.0);
    let mut stats = SufficientStats::new(&counts, 16).expect("valid");
    stats.update(&counts, &x, &y).expect("adds");
    let naive_bayes = NaiveBayes::new(&counts).fit_stats(&stats).expect("fits");
    let categorical = Categorical {
        categories: Categories::Declared(counts.codings.n_categories().to_vec()),
        missing: Missing::Skip,
        ..Categorical::default()
    };
    let direct = NaiveBayes::new(&categorical).fit(&x, &y).expect("fits");
    assert_eq!(naive_bayes.joint_log_likelihood(&x), direct.joint_log_likelihood(&x));

    // Without the rows of a fold: by subtraction, and by training again.
    let mut without = stats.clone();
    without.retract(&counts, &x.slice(s![..50, ..]), &y[..50]).expect("was added");
    let retrained =
        NaiveBayes::new(Aode::new(counts.clone())).fit(&x.slice(s![50.., ..]), &y[50..]).expect("fits");
    let retracted = NaiveBayes::new(Aode::new(counts.clone())).fit_stats(&without).expect("fits");
    assert_eq!(retracted.joint_log_likelihood(&x), retrained.joint_log_likelihood(&x));

    // Held-out likelihood of naive Bayes, from the sums of pairs and from those of single categories.
    let mut pairs = FoldedStats::new(&counts, 16, 5, FoldAssignment::Stratified).expect("valid");
    pairs.update(&counts, &x, &y).expect("adds");
    let mut singles = FoldedStats::new(&categorical, 16, 5, FoldAssignment::Stratified).expect("valid");
    singles.update(&categorical, &x, &y).expect("adds");
    let expected = singles.cross_validate(&NaiveBayes::new(categorical)).expect("tells").mean();
    assert_eq!(pairs.cross_validate(&NaiveBayes::new(counts)).expect("tells").mean(), expected);
}

#[test]
fn sure_rows_keep_their_digits() {
    // 100 equal columns; a parent of the other class was never seen, so that it says 1/2 of each of the
    // others.
    let x = Array2::from_shape_fn((200, 100), |(row, _)| (row % 2) as f64);
    let y: Vec<usize> = (0..200).map(|row| row % 2).collect();
    let classifier = NaiveBayes::new(Aode::new(PairCounts::new(vec![2; 100]))).fit(&x, &y).expect("fits");
    let logs = classifier.predict_log_proba(&x.slice(s![..2, ..])).expect("scores");
    let joint = classifier.joint_log_likelihood(&x.slice(s![..2, ..])).expect("scores");
    let odds = (joint[[0, 1]] - joint[[0, 0]]).exp();
    assert!(odds < 1e-30 && (logs[[0, 0]] / -odds - 1.0).abs() < 1e-10, "{logs}");
}

#[test]
fn weights_scale_and_unseen_codes_have_policies() {
    let (x, y) = set("playtennis");
    let mut declared = counts_of(&x, 1.0);
    let row = array![[7.0, 0.0, 1.0, 0.0]];
    let fit = |counts: &PairCounts| {
        NaiveBayes::new(Aode { minimum_count: 1.0, ..Aode::new(counts.clone()) }).fit(&x, &y).expect("fits")
    };
    let refused = fit(&declared).predict(&row).unwrap_err().to_string();
    assert!(refused.starts_with("row 0, column 0: 7 is a category not seen in training"), "{refused}");

    declared.unseen = Unseen::Ignore;
    let missing = array![[f64::NAN, 0.0, 1.0, 0.0]];
    let ignoring = fit(&declared);
    assert_eq!(ignoring.joint_log_likelihood(&row), ignoring.joint_log_likelihood(&missing));

    // The other category is a child that no row has: 1 / (n_j(y, x_i) + K_j + 1). One column is the parent
    // here.
    declared.unseen = Unseen::Other;
    let one_parent = array![[7.0, f64::NAN, f64::NAN, 0.0]];
    let joint = fit(&declared).joint_log_likelihood(&one_parent).expect("scores");
    let strong = |label: &str| {
        x.column(3).iter().zip(&y).filter(|(value, own)| **value == 0.0 && *own == label).count() as f64
    };
    for (class, label) in ["no", "yes"].into_iter().enumerate() {
        let n = strong(label);
        let expected = ((n + 1.0) / (14.0 + 2.0 * 3.0)).ln() + (1.0 / (n + 4.0)).ln();
        assert!((joint[[0, class]] - expected).abs() < 1e-14, "{joint}, {expected}");
    }

    // A weight of two is two rows.
    let counts = counts_of(&x, 1.0);
    let (mut weighted, mut twice) =
        (SufficientStats::new(&counts, 4).expect("valid"), SufficientStats::new(&counts, 4).expect("valid"));
    weighted.update_weighted(&counts, &x, &y, &[2.0; 14]).expect("adds");
    for _ in 0..2 {
        twice.update(&counts, &x, &y).expect("adds");
    }
    let scores = |stats| {
        NaiveBayes::new(Aode::new(counts.clone())).fit_stats(stats).expect("fits").joint_log_likelihood(&x)
    };
    assert_eq!(scores(&weighted), scores(&twice));
}

#[test]
fn what_is_wrong_is_named() {
    let refused = PairCounts::new(vec![3000]).layout(1).unwrap_err().to_string();
    assert!(
        refused.starts_with(
            "3000 categories and bins in all columns make 4501500 pairs, and a class keeps counts of at most"
        ),
        "{refused}"
    );
    assert!(PairCounts::new(vec![2]).layout(2).is_err());
    let huge = PairCounts::new(vec![usize::MAX, usize::MAX]);
    assert!(huge.layout(2).is_err());

    let (x, y) = (array![[0.0, 1.0], [1.0, 0.0]], ["a", "b"]);
    for minimum_count in [-1.0, f64::NAN] {
        let aode = Aode { minimum_count, ..Aode::new(PairCounts::new(vec![2, 2])) };
        assert!(matches!(aode.layout(2), Err(LayoutError::Parameter { name: "the minimum count", .. })));
    }
    let aode = NaiveBayes::new(Aode::new(PairCounts::new(vec![2, 2])));
    let refused = aode.fit(&array![[0.0, 2.0]], &["a"]).unwrap_err().to_string();
    assert!(refused.contains("row 0, column 1: 2 is not one of the 2 declared categories"), "{refused}");
    let classifier = aode.fit(&x, &y).expect("fits");
    assert_eq!(classifier.predict(&array![[0.0]]), Err(PredictError::Columns { expected: 2, found: 1 }));
    let refused = classifier.predict(&array![[0.0, 0.0], [0.0, f64::NAN]]).unwrap_err().to_string();
    assert!(refused.starts_with("row 1, column 1: NaN is missing"), "{refused}");
    let empty: SufficientStats<u8> = SufficientStats::new(&PairCounts::new(vec![2, 2]), 2).expect("valid");
    assert_eq!(aode.fit_stats(&empty).unwrap_err(), FitError::NoRows);
    let other: SufficientStats<u8> = SufficientStats::new(&PairCounts::new(vec![2, 3]), 2).expect("valid");
    assert!(aode.fit_stats(&other).is_err());

    let exact = PairCounts { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..PairCounts::new(vec![2, 2]) };
    let classifier =
        NaiveBayes::new(Aode { minimum_count: 1.0, ..Aode::new(exact) }).fit(&x, &y).expect("fits");
    assert_eq!(classifier.predict(&array![[0.0, 0.0]]), Err(PredictError::Impossible { row: 0 }));
    assert_eq!(classifier.try_predict_each(&array![[0.0, 0.0], [0.0, 1.0]]), Ok(vec![None, Some("a")]));
    assert_eq!(classifier.predict_proba(&array![[0.0, 0.0]]), Ok(array![[0.0, 0.0]]));
}

#[test]
fn rows_that_were_never_added_are_named_by_column_and_category() {
    use nb_core::error::{ImpossibleSums, RetractError, SumProblem, UpdateError};

    let counts = PairCounts::new(vec![2, 3]);
    let mut stats = SufficientStats::new(&counts, 2).expect("valid");
    stats.update(&counts, &array![[0, 0], [1, 1]], &["a", "a"]).expect("adds");
    // Each code is there once, and the pair of them is not.
    let error = stats.retract(&counts, &array![[0, 1]], &["a"]).unwrap_err();
    let problem = SumProblem::Negative { value: -1.0 };
    let sums = ImpossibleSums { column: 1, category: Some(1), problem };
    assert_eq!(error, UpdateError::Retract(RetractError::Impossible { class: 0, sums }));
    let error = stats.retract(&counts, &array![[0, 2]], &["a"]).unwrap_err().to_string();
    assert!(error.contains("column 1, category 2: negative count"), "{error}");
    stats.retract(&counts, &array![[1, 1]], &["a"]).expect("it was added");
}
