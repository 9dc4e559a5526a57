//! Weightily averaged one-dependence estimators: laws, reference numbers, weights.
#![expect(clippy::unreadable_literal, reason = "reference numbers are copied, not read")]

use nb_core::{Missing, NaiveBayes, Prior};
use nb_variants::{Aode, PairCounts, PseudoCounts, Waode};
use ndarray::array;

use super::{
    aode::{counts_of, set},
    counting::{Checked, Reference, assert_scores, check_laws, law_counts},
};

#[test]
fn it_keeps_the_laws() {
    for counts in law_counts() {
        check_laws(&Waode::new(counts));
    }
}

/// Python 3: information and probabilities (as fractions) counted from the rows for each row that is scored.
const COUNTED: &[(f64, Reference)] = &[
    (
        1.0,
        Reference {
            set: "lenses",
            rows: [
                &[-5.899458887371978, -3.344067373363572, -5.554640765123686],
                &[-5.618020125482708, -3.3464696185763714, -5.899458887371978],
                &[-5.906953977207451, -3.424975808362987, -5.419692090267489],
            ],
            own: (-8.052498151913746, 23),
        },
    ),
    (
        0.25,
        Reference {
            set: "playtennis",
            rows: [
                &[-2.7815651691634633, -5.954375623426912],
                &[-5.620553649423846, -3.864310994934889],
                &[-7.023768112625738, -3.556379742985455],
            ],
            own: (-1.6833194058311092, 14),
        },
    ),
    // Missing cells.
    (
        1.0,
        Reference {
            set: "housevotes84",
            rows: [
                &[-10.337031535666474, -3.913762967234552],
                &[-11.095843316234891, -8.872917779264696],
                &[-6.822504124427159, -15.458743737520653],
            ],
            own: (-42.60434445290562, 416),
        },
    ),
];

#[test]
fn scores_are_those_of_counting() {
    for (smoothing, reference) in COUNTED {
        assert_scores(reference, Checked::Joint, *smoothing, |_| Prior::Empirical, Waode::new);
    }
}

/// Weka 3.6.14, `weka.classifiers.bayes.WAODE` trained on all rows: the logarithms of
/// `distributionForInstance`.
const OF_WEKA: &[Reference] = &[
    Reference {
        set: "lenses",
        rows: [
            &[-4.271468143980413, -0.058462707713517185, -3.150625885642046],
            &[-3.2276878270965854, -0.055278767596684576, -4.259483654753709],
            &[-4.242411538378685, -0.07313464615703051, -2.8797029617113608],
        ],
        own: (-5.44811457417287, 23),
    },
    Reference {
        set: "playtennis",
        rows: [
            &[-0.0563579793602908, -2.9040780955730976],
            &[-1.9869328105023447, -0.14747424673584567],
            &[-3.504088296455857, -0.030535684208160375],
        ],
        own: (-2.085704236624946, 14),
    },
    Reference {
        set: "zoo",
        rows: [
            &[
                -12.162176685424555,
                -14.453504725695566,
                -14.475116942866528,
                -14.608087932791639,
                -2.0149797040532027e-5,
                -14.116352034929891,
                -11.274936794054907,
            ],
            &[
                -14.471381328578937,
                -14.90052959190681,
                -14.913590992719179,
                -14.900623346686046,
                -9.839313451826967e-6,
                -15.234597635382494,
                -11.727472246923464,
            ],
            &[
                -10.795825099693232,
                -16.006822927888624,
                -5.713543737816529e-4,
                -15.870667480970619,
                -11.487308183734108,
                -13.149322288263024,
                -7.527168458210392,
            ],
        ],
        own: (-0.7885887993841824, 101),
    },
];

#[test]
fn posteriors_are_those_of_weka() {
    let family = |counts| Waode::new(PairCounts { pseudo_counts: PseudoCounts::Divided, ..counts });
    for reference in OF_WEKA {
        assert_scores(reference, Checked::Posterior, 1.0, |_| Prior::Empirical, family);
    }
}

/// Weka 3.6.14, `weka.classifiers.bayes.WAODE -I` trained on all rows: the mutual information of each column
/// and the class.
const INFORMATION: [(&str, [f64; 4]); 2] = [
    ("lenses", [0.039397, 0.039511, 0.377005, 0.548795]),
    ("playtennis", [0.24675, 0.029223, 0.151836, 0.048127]),
];

#[test]
fn weights_are_those_of_weka() {
    for (name, information) in INFORMATION {
        let (x, y) = set(name);
        let classifier = NaiveBayes::new(Waode::new(counts_of(&x, 1.0))).fit(&x, &y).expect("fits");
        let total: f64 = information.iter().sum();
        for (weight, information) in classifier.likelihood().weights().iter().zip(information) {
            assert!((weight - information / total).abs() < 2e-6, "{name}: {weight}");
        }
    }
}

#[test]
fn columns_without_information_weigh_the_same() {
    let x = array![[0, 0], [1, 1], [0, 1], [1, 0]];
    let y = ["same", "same", "other", "other"];
    let counts = PairCounts::new(vec![2, 2]);
    let waode = NaiveBayes::new(Waode::new(counts.clone())).fit(&x, &y).expect("fits");
    assert_eq!(waode.likelihood().weights(), [0.5, 0.5]);
    let aode = NaiveBayes::new(Aode { minimum_count: 0.0, ..Aode::new(counts) }).fit(&x, &y).expect("fits");
    let (found, expected) =
        (waode.predict_proba(&x).expect("scores"), aode.predict_proba(&x).expect("scores"));
    assert!((found - expected).iter().all(|difference| difference.abs() < 1e-15));
}

#[test]
fn a_row_without_a_parent_is_scored_by_naive_bayes() {
    // The first column has no information about the class, and it alone is observed.
    let x = array![[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]];
    let y = ["no", "yes", "yes", "no"];
    let counts = PairCounts { missing: Missing::Skip, ..PairCounts::new(vec![2, 2]) };
    let waode = NaiveBayes::new(Waode::new(counts.clone())).fit(&x, &y).expect("fits");
    let naive_bayes = NaiveBayes::new(counts).fit(&x, &y).expect("fits");
    let row = array![[1.0, f64::NAN]];
    assert_eq!(waode.predict_log_proba(&row), naive_bayes.predict_log_proba(&row));
}
