//! Ensembles of kDB: averages of their members, laws, and what is stored.

use nb_core::{FeatureModel, NaiveBayes, SufficientStats};
use nb_variants::{Kdb, KdbEnsemble, PairCounts, Parents, Preparation, Variant};
use ndarray::{Array2, array, s};

use super::{
    aode::{counts_of, set},
    counting::{check_laws, law_counts},
};

#[test]
fn it_keeps_the_laws() {
    let x = array![[0.0, 1.0, 2.0], [1.0, 1.0, 2.0], [2.0, 0.0, 0.0], [0.0, 2.0, 1.0]];
    for (counts, k) in law_counts().into_iter().zip([2, 1]) {
        let ensemble = KdbEnsemble::default().with_members(3);
        check_laws(&ensemble.learn_from(counts, k, &x, &[0, 0, 1, 1]).expect("learns"));
    }
}

/// Each member by itself is k-dependence Bayes with its parents, and the posterior is the mean of theirs.
#[test]
fn posteriors_are_the_means_of_those_of_the_members() {
    for (name, ridge) in [("housevotes84", 0.0), ("lymphography", 0.0), ("lymphography", 1.0)] {
        let (x, y) = set(name);
        let counts = counts_of(&x, 1.0);
        let ensemble = KdbEnsemble::default().with_members(5).with_seed(11).with_ridge(ridge);
        let ensemble = ensemble.learn_from(counts.clone(), 2, &x, &y).expect("learns");
        let found =
            NaiveBayes::new(ensemble.clone()).fit(&x, &y).expect("fits").predict_proba(&x).expect("scores");
        let mut mean = Array2::<f64>::zeros(found.raw_dim());
        for parents in ensemble.parents() {
            let kdb = Kdb::new(counts.clone(), parents.clone()).expect("valid").with_ridge(ridge);
            let own = NaiveBayes::new(kdb).fit(&x, &y).expect("fits").predict_proba(&x).expect("scores");
            mean += &(own / 5.0);
        }
        assert!((&found - &mean).iter().all(|difference| difference.abs() < 1e-12), "{name}");
        // The first member is kDB itself; the others differ from it.
        let kdb = Kdb::learn(counts, 2, &x, &y).expect("learns");
        assert_eq!(ensemble.parents()[0], kdb.parents());
        assert!(ensemble.parents()[1..].iter().all(|parents| parents != kdb.parents()));
    }
}

#[test]
fn with_its_parents_fixed_it_is_sums() {
    let (x, y) = set("housevotes84");
    let ensemble = KdbEnsemble::default().with_members(3);
    let family = ensemble.learn_from(counts_of(&x, 1.0), 2, &x, &y).expect("learns");
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
    let other = ensemble.with_seed(1).learn_from(counts_of(&x, 1.0), 2, &x, &y).expect("learns");
    assert!(NaiveBayes::new(other).fit_stats(&first).is_err());
}

#[test]
fn the_seed_decides_and_what_is_learnt_is_stored() {
    let (x, y) = set("lymphography");
    let classes: Vec<usize> = y.iter().map(String::len).collect();
    let learn = |seed| {
        let ensemble = KdbEnsemble::default().with_members(4).with_seed(seed);
        ensemble.learn_from(counts_of(&x, 1.0), 2, &x, &classes).expect("learns")
    };
    assert_eq!(learn(1), learn(1));
    assert_ne!(learn(1).parents(), learn(2).parents());
    let mut restored =
        KdbEnsemble::new(counts_of(&x, 1.0), vec![vec![Vec::new(); 18]; 4]).expect("valid").with_seed(1);
    restored.set_learnt(learn(1).learnt()).expect("what was learnt");
    assert_eq!(restored, learn(1));
    let mut wrong = learn(1).learnt();
    wrong[1][0].push(0.0);
    assert!(restored.set_learnt(wrong).is_err());
}

#[test]
fn wrong_numbers_are_refused() {
    let counts = || PairCounts::new(vec![2, 3]);
    assert!(KdbEnsemble::new(counts(), Vec::new()).is_err());
    assert!(KdbEnsemble::new(counts(), vec![vec![vec![1], vec![0]]]).is_err());
    assert!(KdbEnsemble::new(counts(), vec![vec![vec![], vec![]]; 101]).is_err());
    assert!(KdbEnsemble::default().layout(2).is_err());
    let x = array![[0.0, 1.0], [1.0, 2.0]];
    let mut ensemble = KdbEnsemble::default();
    let rules = Preparation::default().with_parents(Parents::Tree);
    ensemble.learn(&rules, &x, &[0, 1]).expect("learns bins");
    assert!(ensemble.learn_dependences(&rules, &x, &[0, 1]).unwrap_err().to_string().contains("members"));
}
