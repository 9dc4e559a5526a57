//! Tree-augmented naive Bayes: laws, exact reference numbers, numbers in bins.
#![expect(clippy::unreadable_literal, reason = "reference numbers are copied, not read")]

use nb_core::NaiveBayes;
use nb_variants::{Aode, Codings, Cuts, EdgeScore, PairCounts, Tan};
use ndarray::array;

use super::{
    aode::{counts_of, set},
    counting::{check_laws, law_counts},
};

#[test]
fn families_of_pairs_keep_the_laws() {
    let [counts, _] = law_counts();
    for edge_score in [EdgeScore::MutualInformation, EdgeScore::Bayes, EdgeScore::Aic, EdgeScore::Bic] {
        check_laws(&Tan { edge_score, ..Tan::new(counts.clone()) });
    }
    check_laws(&Aode { minimum_count: 2.0, ..Aode::new(counts) });
}

#[test]
fn numbers_are_their_bins() {
    let (x, y) = set("iris");
    let cuts = Cuts::mdl(&x, &y).expect("learns");
    let codes = cuts.bins(&x).expect("bins");
    let n_bins = (0..4).map(|column| cuts.n_bins(column)).collect();
    let of_codes = PairCounts::new(n_bins);
    let of_numbers =
        PairCounts { codings: Codings::new(vec![0; 4], cuts).expect("valid"), ..PairCounts::default() };

    let expected = NaiveBayes::new(Tan::new(of_codes.clone())).fit(&codes, &y).expect("fits");
    let found = NaiveBayes::new(Tan::new(of_numbers.clone())).fit(&x, &y).expect("fits");
    assert_eq!(found.predict_log_proba(&x), expected.predict_log_proba(&codes));
    let expected = NaiveBayes::new(Aode::new(of_codes)).fit(&codes, &y).expect("fits");
    let found = NaiveBayes::new(Aode::new(of_numbers)).fit(&x, &y).expect("fits");
    assert_eq!(found.predict_log_proba(&x), expected.predict_log_proba(&codes));
    let refused = found.predict(&array![[1.0, f64::INFINITY, 1.0, 1.0]]).unwrap_err().to_string();
    assert!(refused.starts_with("row 0, column 1: inf is infinite"), "{refused}");
}

struct Reference {
    set: &'static str,
    l: f64,
    parents: &'static [Option<usize>],
    /// `log P(y, x)` of rows 0, 6 and 12.
    joint: [&'static [f64]; 3],
    /// The sum of the log-posteriors of the rows' own labels, and how many rows get them.
    own: (f64, usize),
}

/// Python 3 fractions: information and probabilities counted from the rows for each row that is scored.
const REFERENCES: &[Reference] = &[
    Reference {
        set: "lenses",
        l: 1.0,
        parents: &[None, Some(0), Some(1), Some(0)],
        joint: [
            &[-6.327936783729195, -3.2141928769638186, -4.916568785057189],
            &[-5.123963979403259, -3.137231835827691, -6.238324625039508],
            &[-6.340359303727752, -3.3809946743446355, -4.852030263919617],
        ],
        own: (-9.54313046993803, 23),
    },
    Reference {
        set: "playtennis",
        l: 0.25,
        parents: &[None, Some(0), Some(1), Some(0)],
        joint: [
            &[-2.658183167351627, -5.6923594549907275],
            &[-6.1391946591323165, -3.3744372737984776],
            &[-8.259458195332408, -3.405689817302581],
        ],
        own: (-1.4507945297938132, 14),
    },
    // Missing cells, also of parents.
    Reference {
        set: "housevotes84",
        l: 1.0,
        parents: &[
            None,
            Some(12),
            Some(7),
            Some(6),
            Some(5),
            Some(0),
            Some(7),
            Some(4),
            Some(4),
            Some(15),
            Some(8),
            Some(5),
            Some(4),
            Some(5),
            Some(12),
            Some(6),
        ],
        joint: [
            &[-9.74255800449626, -3.6499319421970355],
            &[-10.317663396708017, -8.864262286296615],
            &[-6.343318220516032, -14.529210902807698],
        ],
        own: (-44.47228035882064, 415),
    },
];

#[test]
fn scores_are_those_of_counting() {
    for reference in REFERENCES {
        let (x, y) = set(reference.set);
        let tan = Tan::new(counts_of(&x, reference.l));
        let classifier = NaiveBayes::new(tan).fit(&x, &y).expect("fits");
        assert_eq!(classifier.likelihood().parents(), reference.parents, "{}", reference.set);
        let joint = classifier.joint_log_likelihood(&x).expect("scores");
        for (row, expected) in [0, 6, 12].into_iter().zip(reference.joint) {
            for (found, &expected) in joint.row(row).iter().zip(expected) {
                let close = (found - expected).abs() < 1e-14 * expected.abs();
                assert!(close, "{}, row {row}: {found}, not {expected}", reference.set);
            }
        }
        let logs = classifier.predict_log_proba(&x).expect("scores");
        let class = |label: &String| classifier.classes().binary_search(label).expect("known");
        let own: f64 = y.iter().enumerate().map(|(row, label)| logs[[row, class(label)]]).sum();
        assert!((own - reference.own.0).abs() < 1e-13 * own.abs(), "{}: {own}", reference.set);
        let labels = classifier.predict(&x).expect("predicts");
        assert_eq!(labels.iter().zip(&y).filter(|(a, b)| a == b).count(), reference.own.1);
    }
}

/// Weka 3.6.14, `BayesNet` with the search `local.TAN -- -S ENTROPY`, trained on all rows: the parent of each
/// column. The root is another one, which does not matter to the tree.
const OF_WEKA: &[(&str, &[Option<usize>])] = &[
    ("lenses", &[Some(1), Some(2), None, Some(0)]),
    ("playtennis", &[Some(1), Some(2), None, Some(0)]),
    ("titanic", &[Some(1), None, Some(0)]),
];

/// The same for the 57 columns of promoters, of which the third is the root.
const PROMOTERS: [usize; 57] = [
    45, 27, 2, 9, 37, 8, 22, 6, 9, 13, 55, 37, 28, 42, 37, 43, 55, 55, 34, 20, 32, 24, 50, 30, 8, 0, 53, 9,
    45, 38, 21, 9, 23, 27, 6, 20, 55, 42, 54, 44, 43, 37, 43, 45, 43, 49, 42, 50, 43, 2, 31, 23, 32, 27, 23,
    42, 33,
];

/// The edges without their directions.
fn edges(parents: &[Option<usize>]) -> Vec<(usize, usize)> {
    let edges = parents.iter().enumerate().filter_map(|(column, parent)| Some((column, (*parent)?)));
    let mut edges: Vec<_> = edges.map(|(a, b)| (a.min(b), a.max(b))).collect();
    edges.sort_unstable();
    edges
}

#[test]
fn trees_are_those_of_weka() {
    let promoters: Vec<_> =
        PROMOTERS.iter().enumerate().map(|(column, &parent)| (column != parent).then_some(parent)).collect();
    let all =
        OF_WEKA.iter().map(|(name, parents)| (*name, parents.to_vec())).chain([("promoters", promoters)]);
    for (name, expected) in all {
        let (x, y) = set(name);
        let classifier = NaiveBayes::new(Tan::new(counts_of(&x, 0.5))).fit(&x, &y).expect("fits");
        assert_eq!(edges(classifier.likelihood().parents()), edges(&expected), "{name}");
    }
}

/// The parent of each column by another score; -1 for roots.
type OfScore = (&'static str, EdgeScore, &'static [i8]);

/// Weka 3.9.7, `BayesNet -D -Q weka.classifiers.bayes.net.search.local.TAN -- -S BAYES`, trained on all rows.
const OF_WEKA_BAYES: &[OfScore] = &[
    ("lenses", EdgeScore::Bayes, &[-1, 3, 3, 0]),
    ("playtennis", EdgeScore::Bayes, &[1, -1, 1, 0]),
    ("titanic", EdgeScore::Bayes, &[-1, 0, 0]),
    ("lymphography", EdgeScore::Bayes, &[8, -1, 1, 2, 2, 1, 4, 9, 9, 10, 5, 14, 11, 9, 9, 16, 17, 3]),
];

/// R, bnclassify 0.4.8: `tan_cl(class, data, score = "aic")`, or `"bic"`.
const OF_BNCLASSIFY: &[OfScore] = &[
    ("titanic", EdgeScore::Bic, &[-1, 0, 0]),
    ("playtennis", EdgeScore::Aic, &[-1, -1, 1, -1]),
    ("lenses", EdgeScore::Bic, &[-1, -1, -1, -1]),
    ("lymphography", EdgeScore::Aic, &[-1, -1, 1, 2, 2, 1, 4, 1, -1, 7, 5, -1, -1, -1, 1, 4, 15, -1]),
    ("lymphography", EdgeScore::Bic, &[-1, -1, 1, 2, 2, 1, 4, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1]),
    (
        "promoters",
        EdgeScore::Aic,
        &[
            -1, 27, 49, 9, 37, 8, 22, -1, 9, 13, 55, 37, 28, 42, -1, 43, 55, -1, -1, 20, 32, 24, 50, 30, 8,
            -1, -1, 9, 45, 38, 21, 9, 23, 27, 6, 20, 55, 42, 54, 44, -1, 37, 43, 45, 43, 0, 42, 50, 43, 45,
            31, 23, 32, 27, 23, 42, 33,
        ],
    ),
];

#[test]
fn edges_by_other_scores_are_those_of_weka_and_bnclassify() {
    for &(name, edge_score, expected) in OF_WEKA_BAYES.iter().chain(OF_BNCLASSIFY) {
        let (mut x, y) = set(name);
        // Each column has as many values as there, and none below the first.
        for mut column in x.columns_mut() {
            let least = column.fold(f64::INFINITY, |least, &value| least.min(value));
            column -= least;
        }
        let tan = Tan { edge_score, ..Tan::new(counts_of(&x, 0.5)) };
        let classifier = NaiveBayes::new(tan).fit(&x, &y).expect("fits");
        let expected: Vec<_> = expected.iter().map(|&parent| usize::try_from(parent).ok()).collect();
        let parents = classifier.likelihood().parents();
        assert_eq!(edges(parents), edges(&expected), "{name}, {edge_score:?}");
    }
}

/// Without an edge the model is naive Bayes.
#[test]
fn a_forest_without_edges_is_naive_bayes() {
    let (x, y) = set("lenses");
    let tan = Tan { edge_score: EdgeScore::Bic, ..Tan::new(counts_of(&x, 1.0)) };
    let classifier = NaiveBayes::new(tan).fit(&x, &y).expect("fits");
    assert_eq!(classifier.likelihood().parents(), [None; 4]);
    let naive_bayes = NaiveBayes::new(counts_of(&x, 1.0)).fit(&x, &y).expect("fits");
    assert_eq!(classifier.predict_log_proba(&x), naive_bayes.predict_log_proba(&x));
}
