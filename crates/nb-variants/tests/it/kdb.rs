//! k-dependence Bayes: laws, reference numbers, structures.
#![expect(clippy::unreadable_literal, reason = "reference numbers are copied, not read")]

use nb_core::{FeatureModel, NaiveBayes, Prior, SufficientStats, error::LayoutError};
use nb_variants::{Kdb, PairCounts};
use ndarray::{Array2, array, s};

use super::{
    aode::{counts_of, set},
    counting::{Checked, Reference, assert_scores, check_laws, law_counts},
};

#[test]
fn it_keeps_the_laws() {
    let x = array![[0.0, 1.0, 2.0], [1.0, 1.0, 2.0], [2.0, 0.0, 0.0], [0.0, 2.0, 1.0]];
    for (counts, k) in law_counts().into_iter().zip([2, 1]) {
        let family = Kdb::learn(counts, k, &x, &[0, 0, 1, 1]).expect("learns");
        check_laws(&family);
    }
}

/// With the pseudo-count, the number of parents, and the parents of each column.
struct Counted {
    l: f64,
    k: usize,
    parents: &'static [&'static [usize]],
    reference: Reference,
}

/// Python 3: information and probabilities (as fractions) counted from the rows for each row that is scored.
const COUNTED: &[Counted] = &[
    Counted {
        l: 1.0,
        k: 2,
        parents: &[&[1, 3], &[2, 3], &[3], &[]],
        reference: Reference {
            set: "lenses",
            rows: [
                &[-6.068425588244111, -3.2231742656284155, -5.999432716757159],
                &[-6.068425588244111, -3.2231742656284155, -5.999432716757159],
                &[-6.068425588244111, -3.2231742656284155, -5.999432716757159],
            ],
            own: (-6.345019060676368, 24),
        },
    },
    Counted {
        l: 0.25,
        k: 2,
        parents: &[&[], &[0, 2], &[0], &[0, 2]],
        reference: Reference {
            set: "playtennis",
            rows: [
                &[-2.626930623847522, -6.002514383294567],
                &[-6.650020282898309, -3.44693277583663],
                &[-6.650020282898309, -3.44693277583663],
            ],
            own: (-1.1376661158798447, 14),
        },
    },
    Counted {
        l: 1.0,
        k: 3,
        parents: &[&[], &[0, 2, 3], &[0], &[0, 2]],
        reference: Reference {
            set: "playtennis",
            rows: [
                &[-3.3730265046954586, -5.006180943746875],
                &[-5.5939676086489944, -3.396743031312775],
                &[-5.5939676086489944, -3.396743031312775],
            ],
            own: (-2.6809476616469987, 14),
        },
    },
    Counted {
        l: 1.0,
        k: 2,
        parents: &[
            &[5, 11],
            &[12, 6],
            &[3],
            &[],
            &[3, 2],
            &[4, 13],
            &[7, 4],
            &[4, 13],
            &[4, 7],
            &[15, 12],
            &[8, 6],
            &[4, 2],
            &[4, 7],
            &[4, 11],
            &[12, 7],
            &[6, 7],
        ],
        reference: Reference {
            set: "housevotes84",
            rows: [
                &[-8.113678791305116, -3.6902224343473744],
                &[-11.40331420668132, -10.031747509412261],
                &[-6.527882624209593, -15.174766999470075],
            ],
            own: (-31.28138987555196, 426),
        },
    },
];

#[test]
fn structures_and_scores_are_those_of_counting() {
    for Counted { l, k, parents, reference } in COUNTED {
        let (x, y) = set(reference.set);
        let learn = |counts| Kdb::learn(counts, *k, &x, &y).expect("learns");
        assert_eq!(learn(counts_of(&x, *l)).parents(), *parents, "{}", reference.set);
        assert_scores(reference, Checked::Joint, *l, |_| Prior::Empirical, learn);
    }
}

#[test]
fn with_its_parents_fixed_it_is_sums() {
    let (x, y) = set("housevotes84");
    let family = Kdb::learn(counts_of(&x, 1.0), 2, &x, &y).expect("learns");
    let stats = |rows: std::ops::Range<usize>| {
        let mut stats = SufficientStats::new(&family, 16).expect("valid");
        stats.update(&family, &x.slice(s![rows.clone(), ..]), &y[rows]).expect("valid rows");
        stats
    };
    let (first, mut both) = (stats(0..200), stats(200..435));
    both.merge(&first).expect("the same parents");
    assert_eq!(both, stats(0..435));
    both.subtract(&stats(200..435)).expect("added before");
    assert_eq!(both, first);
    let other = Kdb::learn(counts_of(&x, 1.0), 1, &x, &y).expect("learns");
    assert!(NaiveBayes::new(other).fit_stats(&first).is_err());
}

#[test]
fn without_parents_it_is_naive_bayes() {
    let (x, y) = set("lymphography");
    let counts = counts_of(&x, 1.0);
    let kdb = Kdb::learn(counts.clone(), 0, &x, &y).expect("learns");
    let found = NaiveBayes::new(kdb).fit(&x, &y).expect("fits").predict_log_proba(&x).expect("scores");
    let expected = NaiveBayes::new(counts).fit(&x, &y).expect("fits").predict_log_proba(&x).expect("scores");
    assert!((found - expected).iter().all(|difference| difference.abs() < 1e-12));
}

#[test]
fn too_many_counts_are_refused() {
    let x = Array2::from_shape_fn((6, 5), |(row, column)| ((row * 7 + column * row) % 50) as f64);
    let error = Kdb::learn(PairCounts::new(vec![60; 5]), 4, &x, &[0, 0, 0, 1, 1, 1]).unwrap_err().to_string();
    assert!(error.starts_with("the number of counts of a class is "), "{error}");
    assert!(error.contains("take fewer parents or bins"), "{error}");
    let family = Kdb::learn(PairCounts::new(vec![60; 5]), 1, &x, &[0, 0, 0, 1, 1, 1]).expect("learns");
    // A column of 60 codes without a parent, and four with one of 60 codes that may be missing.
    assert_eq!(family.n_counts(), 60 + 4 * 60 * 61);
    assert!(matches!(family.layout(4), Err(LayoutError::Length { .. })));
}
