//! Hierarchical Dirichlet smoothing: exact means by quadrature, the authors' program, what the same seed has
//! in common.
#![expect(clippy::unreadable_literal, reason = "reference numbers are copied, not read")]

use nb_core::{Classifier, FeatureModel, Likelihood, NaiveBayes, SufficientStats, Unseen};
use nb_variants::{FittedKdb, HierarchicalDirichlet, Kdb, PairCounts, Parents, Tan};
use ndarray::{Array2, Axis, array, s};

use super::{
    aode::{counts_of, set},
    counting::{check_laws, law_counts},
};

/// Rows of a value and, before it, of its parent, with these counts by class, parent and value.
fn rows(counts: &[&[&[usize]]]) -> (Array2<f64>, Vec<usize>) {
    let (mut cells, mut labels) = (Vec::new(), Vec::new());
    for (class, of_class) in counts.iter().enumerate() {
        for (parent, of_parent) in of_class.iter().enumerate() {
            for (value, &count) in of_parent.iter().enumerate() {
                (0..count).for_each(|_| cells.extend([parent as f64, value as f64]));
                labels.extend(std::iter::repeat_n(class, count));
            }
        }
    }
    (Array2::from_shape_vec((labels.len(), 2), cells).expect("two cells a row"), labels)
}

/// Fits the second column with the first as its parent.
fn fit(counts: &[&[&[usize]]], smoothing: HierarchicalDirichlet) -> Classifier<usize, FittedKdb> {
    let (x, y) = rows(counts);
    let n_codes = vec![counts[0].len(), counts[0][0].len()];
    let kdb = Kdb::with_learnt(PairCounts::new(n_codes), Parents::Tree, &x, &y).expect("learns");
    assert_eq!(kdb.parents(), [vec![], vec![0]]);
    NaiveBayes::new(kdb.with_hierarchical(smoothing)).fit(&x, &y).expect("fits")
}

/// `P(value | class, parent)`.
fn probability(fitted: &Classifier<usize, FittedKdb>, class: usize, parent: usize, value: usize) -> f64 {
    let x = array![[parent as f64, value as f64]];
    let joint = fitted.joint_log_likelihood(&x).expect("scores")[[0, class]];
    let above = fitted.likelihood().log_likelihood(class, 0, parent as f64);
    (joint - fitted.log_prior()[class] - above).exp()
}

fn assert_close(found: f64, expected: f64, bound: f64, what: &str) {
    assert!((found - expected).abs() < bound, "{what}: {found}, not {expected}");
}

#[test]
fn with_the_class_alone_means_are_those_of_quadrature() {
    type Case = (&'static [&'static [usize]], &'static [&'static [f64]]);
    // SciPy: the integral over the distribution at the top, in logits, and the concentration, by Gauss and
    // Laguerre, of beta-binomial likelihoods; of three values the sum over all numbers of tables with
    // Stirling numbers, which for two is the same to ten digits.
    let cases: [Case; 3] = [
        (&[&[2, 0], &[20, 5]], &[&[0.856583279, 0.143416721], &[0.7930352781, 0.2069647219]]),
        (&[&[2, 0], &[5, 2]], &[&[0.8431371939, 0.1568628061], &[0.7074229936, 0.2925770064]]),
        (
            &[&[3, 1, 0], &[1, 2, 0], &[0, 0, 2]],
            &[
                &[0.6379908295, 0.2869278613, 0.0750813092],
                &[0.3591576013, 0.5516067439, 0.0892356548],
                &[0.1893234217, 0.1727029467, 0.6379736316],
            ],
        ),
    ];
    let smoothing = HierarchicalDirichlet::default().with_iterations(60_000);
    for (counts, expected) in cases {
        let of_classes: Vec<&[&[usize]]> = counts.iter().map(std::slice::from_ref).collect();
        let (x, y) = rows(&of_classes);
        let x = x.slice(s![.., 1..]).to_owned();
        let kdb = Kdb::learn(PairCounts::new(vec![counts[0].len()]), 0, &x, &y).expect("learns");
        let fitted = NaiveBayes::new(kdb.with_hierarchical(smoothing)).fit(&x, &y).expect("fits");
        for (class, expected) in expected.iter().enumerate() {
            let found = |value: usize| fitted.likelihood().log_likelihood(class, 0, value as f64).exp();
            let total: f64 = (0..expected.len()).map(found).sum();
            assert_close(total, 1.0, 1e-12, "the sum");
            for (value, &expected) in expected.iter().enumerate() {
                assert_close(found(value), expected, 1e-3, &format!("{counts:?} {class} {value}"));
            }
        }
    }
}

/// The probabilities of the first value, by class and value of the parent.
fn assert_means(fitted: &Classifier<usize, FittedKdb>, expected: &[[f64; 2]; 2]) {
    for (class, expected) in expected.iter().enumerate() {
        for (parent, &expected) in expected.iter().enumerate() {
            let found = probability(fitted, class, parent, 0);
            assert_close(found, expected, 1e-3, &format!("{class} {parent}"));
        }
    }
}

#[test]
fn with_a_parent_means_are_those_of_quadrature() {
    // As above, with an integral over the distribution of each class.
    let smoothing = HierarchicalDirichlet::default().with_iterations(60_000);
    let fitted = fit(&[&[&[4, 1], &[0, 3]], &[&[1, 0], &[6, 2]]], smoothing);
    let expected = [[0.6992157633, 0.1774863942], [0.7859872423, 0.7337258223]];
    assert_means(&fitted, &expected);
    // A class without rows of a value of the parent has the distribution above.
    let fitted = fit(&[&[&[4, 1], &[0, 3]], &[&[0, 0], &[6, 2]]], smoothing);
    let expected = [[0.6985394636, 0.1693273937], [0.5772074274, 0.7184992525]];
    assert_means(&fitted, &expected);
}

#[test]
fn means_of_many_rows_are_those_of_the_authors_program() {
    // github.com/fpetitjean/HierarchicalDirichletProcessEstimation, a million sweeps, with tables at the top
    // drawn as all others are.
    let counts: [&[&[usize]]; 3] = [
        &[&[120, 30, 2], &[8, 1, 0], &[0, 0, 0], &[40, 25, 11]],
        &[&[3, 60, 9], &[1, 0, 0], &[250, 600, 90], &[0, 4, 1]],
        &[&[0, 2, 45], &[0, 0, 1], &[7, 9, 300], &[1, 0, 0]],
    ];
    let fitted = fit(&counts, HierarchicalDirichlet::default().with_iterations(20_000));
    let expected: [(usize, usize, [f64; 3]); 7] = [
        (0, 0, [0.78476975, 0.19940258, 0.01582767]),
        (0, 1, [0.80340032, 0.16092341, 0.03567626]),
        (1, 0, [0.05017745, 0.82059118, 0.12923137]),
        (1, 2, [0.26569675, 0.63809345, 0.09620981]),
        (1, 3, [0.08881000, 0.70705975, 0.20413015]),
        (2, 1, [0.09326232, 0.10833196, 0.79840573]),
        (2, 2, [0.02326807, 0.02975431, 0.94697763]),
    ];
    for (class, parent, expected) in expected {
        for (value, expected) in expected.into_iter().enumerate() {
            let found = probability(&fitted, class, parent, value);
            assert_close(found, expected, 2e-3, &format!("{class} {parent} {value}"));
        }
    }
}

#[test]
fn the_same_seed_has_the_same_bits_in_any_order_of_rows() {
    let (x, y) = set("lymphography");
    let family = Kdb::with_learnt(counts_of(&x, 1.0), Parents::Tree, &x, &y).expect("learns");
    let smoothing = HierarchicalDirichlet::default().with_iterations(30);
    let fit = |smoothing| NaiveBayes::new(family.clone().with_hierarchical(smoothing));
    let expected = fit(smoothing).fit(&x, &y).expect("fits");
    let reversed: Vec<usize> = (0..y.len()).rev().collect();
    let (other_x, other_y): (_, Vec<String>) =
        (x.select(Axis(0), &reversed), reversed.iter().map(|&row| y[row].clone()).collect());
    assert!(fit(smoothing).fit(&other_x, &other_y).expect("fits") == expected);
    assert!(fit(smoothing.with_seed(1)).fit(&x, &y).expect("fits") != expected);
    // The sums are those of pseudo-counts, and add up in parts.
    let model = fit(smoothing).model;
    let mut parts = SufficientStats::new(&family, x.ncols()).expect("valid");
    parts.update(&family, &x.slice(s![..60, ..]), &y[..60]).expect("valid rows");
    let mut others = SufficientStats::new(&model, x.ncols()).expect("valid");
    others.update(&model, &x.slice(s![60.., ..]), &y[60..]).expect("valid rows");
    parts.merge(&others).expect("the same sums");
    assert!(fit(smoothing).fit_stats(&parts).expect("fits") == expected);
}

#[test]
fn it_keeps_the_laws() {
    let x = array![[0.0, 1.0, 2.0], [1.0, 1.0, 2.0], [2.0, 0.0, 0.0], [0.0, 2.0, 1.0]];
    let [smoothed, other] = law_counts();
    assert_eq!(other.unseen, Unseen::Other);
    for counts in [smoothed, other] {
        let family = Kdb::learn(counts, 1, &x, &[0, 0, 1, 1]).expect("learns");
        check_laws(&family.with_hierarchical(HierarchicalDirichlet::default().with_iterations(3)));
    }
}

#[test]
fn a_tree_with_pseudo_counts_is_tan() {
    for name in ["lymphography", "housevotes84"] {
        let (x, y) = set(name);
        let counts = counts_of(&x, 0.5);
        let tree = Kdb::with_learnt(counts.clone(), Parents::Tree, &x, &y).expect("learns");
        let found = NaiveBayes::new(tree).fit(&x, &y).expect("fits").predict_log_proba(&x).expect("scores");
        let tan = NaiveBayes::new(Tan::new(counts)).fit(&x, &y).expect("fits");
        let expected = tan.predict_log_proba(&x).expect("scores");
        assert!((found - expected).iter().all(|difference| difference.abs() < 1e-11), "{name}");
    }
}

#[test]
fn shares_of_rows_and_sweeps_without_averages_are_refused() {
    let (x, y) = (array![[0], [1], [0]], [0, 0, 1]);
    let smoothing = HierarchicalDirichlet::default().with_iterations(10);
    let family = Kdb::learn(PairCounts::new(vec![2]), 0, &x, &y).expect("learns");
    let weighted = |weights: &[f64], family: &Kdb| {
        let mut stats = SufficientStats::new(family, 1).expect("valid");
        stats.update_weighted(family, &x, &y, weights).expect("valid rows");
        NaiveBayes::new(family).fit_stats(&stats).map(drop)
    };
    let family = family.with_hierarchical(smoothing);
    weighted(&[1.0, 2.0, 3.0], &family).expect("whole weights");
    let error = weighted(&[1.0, 1.0, 0.25], &family).unwrap_err().to_string();
    assert!(error.contains("a count is 0.25") && error.contains("give the rows whole weights"), "{error}");
    let error = family.with_hierarchical(smoothing.with_burn_in(10)).layout(1).unwrap_err().to_string();
    assert_eq!(error, "the number of sweeps is 10; it must be above the number of those of the burn-in");
}

/// Linear smoothing: the score of a row is the sum of what the regressions of its columns say, also where
/// parents are missing.
#[test]
fn a_ridge_goes_from_maximum_likelihood_to_uniform() {
    let (x, y) = set("housevotes84");
    let counts = counts_of(&x, 0.0);
    let fit = |ridge: f64| {
        let family = Kdb::learn(counts.clone(), 2, &x, &y).expect("learns").with_ridge(ridge);
        NaiveBayes::new(family).fit(&x, &y).expect("fits")
    };
    // Without a parent the regression of two values is that of the class: with hardly a penalty the shares of
    // its rows.
    let (fitted, plain) = (fit(1e-6), NaiveBayes::new(counts.clone()).fit(&x, &y).expect("fits"));
    for class in 0..2 {
        for column in 0..x.ncols() {
            let found = fitted.likelihood().log_likelihood(class, column, 1.0).exp();
            let expected = plain.likelihood().log_likelihood(class, column, 1.0).exp();
            assert!((found - expected).abs() < 1e-3, "{found} {expected}");
        }
    }
    let uniform = fit(1e6);
    assert!((uniform.likelihood().log_likelihood(0, 3, 1.0).exp() - 0.5).abs() < 1e-3);
    // Between them it is a better model than with either.
    let loss = |ridge: f64| {
        let found = fit(ridge).predict_log_proba(&x).expect("scores");
        let classes = fit(ridge).classes().to_vec();
        let of_row = |(row, label): (usize, &String)| {
            -found[[row, classes.iter().position(|class| class == label).expect("a class")]]
        };
        y.iter().enumerate().map(of_row).sum::<f64>() / y.len() as f64
    };
    assert!(loss(1.0) < loss(1e4));
}

#[test]
fn linear_smoothing_takes_any_weights_and_keeps_the_laws() {
    let x = array![[0.0, 1.0, 2.0], [1.0, 1.0, 2.0], [2.0, 0.0, 0.0], [0.0, 2.0, 1.0]];
    for (counts, k) in law_counts().into_iter().zip([2, 1]) {
        let family = Kdb::learn(counts, k, &x, &[0, 0, 1, 1]).expect("learns").with_ridge(1.0);
        check_laws(&family);
    }
    let counts = || PairCounts::new(vec![2]);
    let family = |ridge| Kdb::new(counts(), vec![vec![]]).expect("valid").with_ridge(ridge);
    for wrong in [-1.0, f64::NAN, 1e7, 1e-9] {
        assert!(family(wrong).layout(1).is_err(), "{wrong}");
    }
    let both = family(1.0).with_hierarchical(HierarchicalDirichlet::default());
    assert!(both.layout(1).unwrap_err().to_string().contains("0 beside hierarchical"));
    assert_eq!(family(2.0).with_counts(counts()).expect("the same columns").ridge(), 2.0);
}
