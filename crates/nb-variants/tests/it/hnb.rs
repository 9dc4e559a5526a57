//! Hidden naive Bayes: laws, reference numbers, hidden parents.
#![expect(clippy::unreadable_literal, reason = "reference numbers are copied, not read")]

use nb_core::{Missing, NaiveBayes, Prior};
use nb_variants::{Hnb, PairCounts, PseudoCounts};
use ndarray::array;

use super::counting::{Checked, Reference, assert_scores, check_laws, law_counts, prior_of_weka};

#[test]
fn it_keeps_the_laws() {
    for counts in law_counts() {
        check_laws(&Hnb::new(counts));
    }
}

/// Python 3: information and probabilities (as fractions) counted from the rows for each row that is scored.
const COUNTED: &[(f64, Reference)] = &[
    (
        1.0,
        Reference {
            set: "lenses",
            rows: [
                &[-6.1368933185575765, -3.129072316981691, -5.086478419114334],
                &[-5.23178523737731, -3.1370848478934916, -5.913749767243367],
                &[-6.054764815307941, -3.295249157758263, -5.125118882303987],
            ],
            own: (-9.015125700213325, 23),
        },
    ),
    (
        0.25,
        Reference {
            set: "playtennis",
            rows: [
                &[-2.553618673240819, -5.521530366980028],
                &[-4.696694201948228, -3.4031305213004956],
                &[-6.850975274986222, -3.2642413691379457],
            ],
            own: (-1.803799982124033, 14),
        },
    ),
    // Missing cells, also of parents.
    (
        1.0,
        Reference {
            set: "housevotes84",
            rows: [
                &[-10.536720781938573, -3.8467078644484736],
                &[-11.255186501393792, -8.740678226191072],
                &[-6.8045342791396894, -14.952561713131933],
            ],
            own: (-49.05293836084815, 413),
        },
    ),
];

#[test]
fn scores_are_those_of_counting() {
    for (smoothing, reference) in COUNTED {
        assert_scores(reference, Checked::Joint, *smoothing, |_| Prior::Empirical, Hnb::new);
    }
}

/// Weka 3.6.14, `weka.classifiers.bayes.HNB` trained on all rows: the logarithms of
/// `distributionForInstance`.
const OF_WEKA: &[Reference] = &[
    Reference {
        set: "lenses",
        rows: [
            &[-3.6797665918228755, -0.12604320836198468, -2.3730678299639147],
            &[-2.3500094356258234, -0.13536351524760445, -3.46626797088283],
            &[-3.6709101395325483, -0.1330980920943038, -2.3109450751587066],
        ],
        own: (-6.400914704775627, 24),
    },
    Reference {
        set: "playtennis",
        rows: [
            &[-0.06659861624971389, -2.7421859863178213],
            &[-1.47205620228275, -0.26065488317903646],
            &[-3.100983194595243, -0.046049102941970586],
        ],
        own: (-2.2488880857398597, 14),
    },
    Reference {
        set: "zoo",
        rows: [
            &[
                -11.891973421975663,
                -17.5537834618699,
                -11.896581333930564,
                -15.754004014324313,
                -2.163548381345144e-5,
                -16.550622901516345,
                -11.768610187125166,
            ],
            &[
                -13.718671091717516,
                -18.64530577928435,
                -13.580039661754794,
                -17.403567773603886,
                -8.041242748902867e-6,
                -18.83382244427593,
                -12.087087395240093,
            ],
            &[
                -9.39520106358804,
                -15.452209229558969,
                -0.0011710462327523942,
                -14.542733178872986,
                -12.402645349836906,
                -13.388033430108083,
                -6.829942882182448,
            ],
        ],
        own: (-0.556503698441433, 101),
    },
];

#[test]
fn posteriors_are_those_of_weka() {
    let family = |counts| Hnb::new(PairCounts { pseudo_counts: PseudoCounts::Divided, ..counts });
    for reference in OF_WEKA {
        assert_scores(reference, Checked::Posterior, 1.0, prior_of_weka, family);
    }
}

#[test]
fn a_column_without_information_keeps_naive_bayes() {
    // The third column is independent of the others within each class.
    let x = array![[0, 0, 0], [1, 1, 0], [0, 0, 1], [1, 1, 1], [0, 1, 0], [1, 0, 0], [0, 1, 1], [1, 0, 1],];
    let y = ["same", "same", "same", "same", "other", "other", "other", "other"];
    let counts = PairCounts { missing: Missing::Skip, ..PairCounts::new(vec![2; 3]) };
    let classifier = NaiveBayes::new(Hnb::new(counts.clone())).fit(&x, &y).expect("fits");
    let hidden = classifier.likelihood();
    assert_eq!(
        [0, 1, 2].map(|column| hidden.weights(column)),
        [vec![0.0, 1.0, 0.0], vec![1.0, 0.0, 0.0], vec![0.0; 3]]
    );
    assert_eq!(classifier.predict(&x).expect("predicts"), y);
    // With one cell, and where the only parent is missing, all that is known is each column by itself.
    let naive_bayes = NaiveBayes::new(counts).fit(&x, &y).expect("fits");
    let rows = array![[0.0, f64::NAN, f64::NAN], [f64::NAN, 1.0, 0.0], [f64::NAN, f64::NAN, 1.0]];
    assert_eq!(classifier.predict_log_proba(&rows), naive_bayes.predict_log_proba(&rows));
}
