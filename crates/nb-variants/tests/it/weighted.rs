//! Attribute weighted naive Bayes: weights beside those that other programs found, laws, and mixtures.
#![expect(clippy::unreadable_literal, reason = "reference numbers are copied, not read")]

use nb_core::{FeatureModel, Likelihood, Missing, NaiveBayes, Smoothing, SufficientStats, Unseen};
use nb_variants::{
    AttributeWeighted, AttributeWeights, CommonWeights, Kdb, PairCounts, Preparation, PseudoCounts, Variant,
    WeightRule,
};
use ndarray::{Array2, array, s};
use proptest::prelude::*;

use super::{
    aode::{counts_of, set},
    counting::{check_laws, law_counts},
    selective::{numbered, rows},
};

const RULES: [WeightRule; 5] = [
    WeightRule::Cll,
    WeightRule::Mse,
    WeightRule::Regularized,
    WeightRule::Correlation,
    WeightRule::CorrelationAndInstances,
];

/// Forty rows of three columns, in which neither class can be told without error; rows are of both classes in
/// turn. Drawn by NumPy.
fn table() -> (PairCounts, Array2<f64>, Vec<usize>) {
    let columns = [
        "0212110002120102120222020212120111012212",
        "0100100101011001010101011001111101110101",
        "2212111100011100120111000101121111120212",
    ];
    let cell = |(row, column): (usize, usize)| f64::from(columns[column].as_bytes()[row] - b'0');
    let counts = PairCounts { pseudo_counts: PseudoCounts::Divided, ..PairCounts::new(vec![3, 2, 3]) };
    (counts, Array2::from_shape_fn((40, 3), cell), (0..40).map(|row| row % 2).collect())
}

fn learn(rule: WeightRule) -> AttributeWeights {
    let (counts, x, y) = table();
    AttributeWeighted::learn(counts, rule, &x, &y).expect("learns").weights().clone()
}

/// SciPy 1.17: with `L` of shape (40, 3, 2), the logarithms of `(n + 1 / K) / (n_y + 1)`, and
/// `p = softmax(log(1 / 2) + einsum("njc,jc->nc", L, w))`, the `w` of
/// `minimize(f, ones(6), jac=True, method="L-BFGS-B")` for `-mean(log(p[range(40), y]))` and for
/// `mean(sum((p - eye(2)[y])**2, 1)) / 2`, then Newton's method until no derivative is above 1e-15.
#[test]
fn weights_are_the_minima_that_scipy_finds() {
    for (rule, expected) in [
        (
            WeightRule::Cll,
            [
                [0.5718426788348657, 1.6077500286096356],
                [2.6751420675907402, 0.2235228415599775],
                [1.2058835263035617, 1.7183416586136655],
            ],
        ),
        (
            WeightRule::Mse,
            [
                [0.49166902338994406, 1.318130499618579],
                [1.98755730291068, 0.4313694632763368],
                [1.0024450039761987, 1.2399717091382936],
            ],
        ),
    ] {
        let found = learn(rule);
        for (found, expected) in found.columns.iter().flatten().zip(expected.iter().flatten()) {
            assert!((found - expected).abs() < 1e-6, "{rule}: {found}, not {expected}");
        }
        assert!(found.common.is_none() && found.values.is_empty());
    }
}

/// NumPy: mutual information from `mean((a == i) & (b == j))`, the weights from their definition.
#[test]
fn weights_of_correlation_are_those_of_numpy() {
    for rule in [WeightRule::Correlation, WeightRule::CorrelationAndInstances] {
        let found = learn(rule);
        let expected = [0.5828326672261858, 0.532346995312187, 0.38604169151239043];
        for (found, expected) in found.columns.iter().zip(expected) {
            assert!((found[0] - expected).abs() < 1e-12 && found.len() == 1, "{found:?}, not {expected}");
        }
    }
    let expected = [vec![0.825, 0.975, 1.2], vec![0.9, 1.1], vec![0.825, 1.575, 0.6]];
    let found = learn(WeightRule::CorrelationAndInstances).values;
    for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
        assert!((found - expected).abs() < 1e-12, "{found}, not {expected}");
    }
}

/// NumPy: weighted counts of all rows, again for each row that is scored.
#[test]
fn rows_count_with_the_weights_of_their_values() {
    let (counts, x, y) = table();
    let family = AttributeWeighted::learn(counts, WeightRule::CorrelationAndInstances, &x, &y);
    let classifier = NaiveBayes::new(family.expect("learns")).fit(&x, &y).expect("fits");
    let found = classifier.predict_proba(&x.slice(s![..3, ..])).expect("scores");
    let expected = [
        [0.7367226708269664, 0.26327732917303365],
        [0.08685842778878428, 0.9131415722112156],
        [0.7110877465020334, 0.2889122534979665],
    ];
    for (found, expected) in found.iter().zip(expected.iter().flatten()) {
        assert!((found - expected).abs() < 1e-13, "{found}, not {expected}");
    }
    assert!(!classifier.likelihood().is_additive());
}

/// Columns with the weights of `columns`.
fn weighted(counts: &PairCounts, columns: Vec<Vec<f64>>) -> AttributeWeighted {
    let weights = AttributeWeights { columns, ..AttributeWeights::default() };
    AttributeWeighted::new(counts.clone(), weights).expect("valid")
}

/// A pseudo-count and weights that rows of [`law_counts`] can have.
fn laws() -> PairCounts {
    let [counts, _] = law_counts();
    counts
}

#[test]
fn it_keeps_the_laws() {
    for unseen in [Unseen::Error, Unseen::Other, Unseen::Ignore] {
        let counts = PairCounts { unseen, ..laws() };
        check_laws(&weighted(&counts, vec![vec![0.5], vec![-1.25], vec![3.0]]));
        let values = vec![vec![0.5, 1.25, 0.0], vec![1.0, 0.1, 2.0], vec![1.5, 0.25, 0.0, 3.0]];
        let of_rows = AttributeWeights { values, ..AttributeWeights::of_columns(vec![0.5, 1.0, 0.0]) };
        check_laws(&AttributeWeighted::new(counts.clone(), of_rows).expect("valid"));
        // With weights of classes for any number of classes.
        let common = CommonWeights { columns: vec![0.75, 0.0, 1.5], share: 0.375 };
        let mixed =
            AttributeWeights { common: Some(common), ..AttributeWeights::of_columns(vec![2.0, 1.0, 0.5]) };
        check_laws(&AttributeWeighted::new(counts, mixed).expect("valid"));
    }
}

/// A mixture is that of the posteriors of its parts.
#[test]
fn posteriors_are_mixed() {
    for (name, rule) in [("housevotes84", WeightRule::Regularized), ("lymphography", WeightRule::Regularized)]
    {
        let (x, y) = set(name);
        let family = AttributeWeighted::learn(counts_of(&x, 1.0), rule, &x, &y).expect("learns");
        let AttributeWeights { columns, common, .. } = family.weights().clone();
        let CommonWeights { columns: of_common, share } = common.expect("two posteriors");
        assert!(share > 0.0 && share < 1.0, "{name}: {share}");
        let proba = |family: AttributeWeighted| {
            NaiveBayes::new(family).fit(&x, &y).expect("fits").predict_proba(&x).expect("scores")
        };
        let own = proba(weighted(family.counts(), columns));
        let others = of_common.into_iter().map(|weight| vec![weight]).collect();
        let expected = own * (1.0 - share) + proba(weighted(family.counts(), others)) * share;
        let found = proba(family);
        assert!((found - expected).iter().all(|difference| difference.abs() < 1e-12), "{name}");
    }
}

/// What is minimised is less than with weights of 1, and the mixture has less than either of its parts.
#[test]
fn learnt_weights_have_less_loss() {
    let (x, y) = set("lymphography");
    let classes = numbered(&y);
    let loss = |family: AttributeWeighted, is_squared: bool| -> f64 {
        let classifier = NaiveBayes::new(family).fit(&x, &classes).expect("fits");
        let found = classifier.predict_proba(&x).expect("scores");
        let of_row = |(row, &own): (usize, &usize)| -> f64 {
            let p = found.row(row);
            let error = |(class, p): (usize, &f64)| (p - f64::from(u8::from(class == own))).powi(2);
            if is_squared { p.iter().enumerate().map(error).sum() } else { -p[own].ln() }
        };
        classes.iter().enumerate().map(of_row).sum()
    };
    let by = |rule| AttributeWeighted::learn(counts_of(&x, 1.0), rule, &x, &classes).expect("learns");
    let naive_bayes = || weighted(&counts_of(&x, 1.0), vec![vec![1.0]; x.ncols()]);
    let (cll, mse, rnb) = (by(WeightRule::Cll), by(WeightRule::Mse), by(WeightRule::Regularized));
    assert!(loss(cll.clone(), false) < 0.75 * loss(naive_bayes(), false));
    assert!(loss(cll.clone(), false) < loss(mse.clone(), false));
    assert!(loss(mse.clone(), true) < loss(naive_bayes(), true));
    assert!(loss(rnb, true) < loss(naive_bayes(), true));
    // One weight for each class and column, of different numbers.
    assert!(cll.weights().columns.iter().all(|own| own.len() == 4 && own[0] != own[1]));
}

#[test]
fn with_its_weights_fixed_it_is_sums() {
    let (x, y) = set("housevotes84");
    for rule in RULES {
        let family = AttributeWeighted::learn(counts_of(&x, 1.0), rule, &x, &y).expect("learns");
        let stats = |rows: std::ops::Range<usize>| {
            let mut stats = SufficientStats::new(&family, 16).expect("valid");
            stats.update(&family, &x.slice(s![rows.clone(), ..]), &y[rows]).expect("valid rows");
            stats
        };
        let (first, mut both) = (stats(0..200), stats(200..435));
        both.merge(&first).expect("the same weights of rows");
        assert_eq!(both, stats(0..435));
        both.subtract(&stats(200..435)).expect("added before");
        assert_eq!(both, first);
    }
}

#[test]
fn what_was_learnt_is_restored_or_refused() {
    let (x, y) = set("lymphography");
    let classes = numbered(&y);
    for rule in RULES {
        let rules = Preparation::default().with_column_weights(rule);
        let mut family =
            AttributeWeighted::new(counts_of(&x, 1.0), AttributeWeights::of_columns(vec![1.0; x.ncols()]))
                .expect("valid");
        family.learn(&rules, &x, &classes).expect("learns");
        assert_eq!(family.weights().columns, vec![vec![1.0]; x.ncols()]);
        family.learn_dependences(&rules, &x, &classes).expect("learns");
        assert_ne!(family.weights().columns, vec![vec![1.0]; x.ncols()]);
        let mut restored = family.clone();
        restored.learn(&rules, &x, &classes).expect("learns");
        assert_ne!(restored, family);
        restored.set_learnt(family.learnt()).expect("what was learnt");
        assert_eq!(restored, family);
        for (list, wrong) in [(1, f64::NAN), (2, 7.5), (3, -1.0)] {
            let mut learnt = family.learnt();
            learnt[list][0] = vec![wrong, wrong];
            assert!(restored.set_learnt(learnt).is_err(), "{rule}, list {list}");
        }
    }
}

#[test]
fn probabilities_of_0_have_no_weights() {
    let counts = PairCounts { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..PairCounts::new(vec![2]) };
    let x = array![[0.0], [1.0]];
    for rule in RULES {
        let error = AttributeWeighted::learn(counts.clone(), rule, &x, &[0, 1]).unwrap_err();
        assert!(error.to_string().contains("the smoothing is 0"), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// With weights of 1, whether of classes or not, it is naive Bayes bit for bit.
    #[test]
    fn weights_of_1_are_naive_bayes((x, y) in rows(), l in prop_oneof![Just(1.0), Just(0.1)], by_class in any::<bool>()) {
        let counts = counts_of(&x, l);
        let mut classes = y.clone();
        classes.sort_unstable();
        classes.dedup();
        let n_weights = if by_class { classes.len() } else { 1 };
        let family = weighted(&counts, vec![vec![1.0; n_weights]; x.ncols()]);
        let one = NaiveBayes::new(family).fit(&x, &y).expect("fits");
        let kdb = Kdb::new(counts.clone(), vec![Vec::new(); x.ncols()]).expect("valid");
        let kdb = NaiveBayes::new(kdb).fit(&x, &y).expect("fits");
        prop_assert_eq!(one.likelihood().naive_bayes(), kdb.likelihood().naive_bayes());
        let other = NaiveBayes::new(counts).fit(&x, &y).expect("fits");
        prop_assert_eq!(one.predict_log_proba(&x), other.predict_log_proba(&x));
        prop_assert_eq!(one.joint_log_likelihood(&x), other.joint_log_likelihood(&x));
        for (class, column) in (0..classes.len()).flat_map(|class| (0..x.ncols()).map(move |column| (class, column))) {
            let value = x[[0, column]];
            let logs = (one.likelihood().log_likelihood(class, column, value), other.likelihood().log_likelihood(class, column, value));
            prop_assert_eq!(logs.0.to_bits(), logs.1.to_bits());
        }
    }

    /// Codes that a single row has, classes of a single row and missing cells among them.
    #[test]
    fn any_rows_have_weights((x, y) in rows(), l in prop_oneof![Just(1.0), Just(0.01)]) {
        for rule in RULES {
            let family = AttributeWeighted::learn(counts_of(&x, l), rule, &x, &y).expect("learns");
            let found = NaiveBayes::new(family).fit(&x, &y).expect("fits").predict_proba(&x).expect("scores");
            prop_assert!(found.rows().into_iter().all(|row| (row.sum() - 1.0).abs() < 1e-12));
        }
    }
}

/// What a file cannot have is refused where it is used.
#[test]
fn weights_of_other_codes_are_refused() {
    let (counts, x, y) = table();
    let mut family = AttributeWeighted::learn(counts.clone(), WeightRule::CorrelationAndInstances, &x, &y)
        .expect("learns");
    let more = PairCounts { missing: Missing::Skip, ..PairCounts::new(vec![3, 2, 4]) };
    let error = family.set_pairs(more.clone()).unwrap_err().to_string();
    assert!(error.contains("learn the weights again"), "{error}");
    let mut by_class = AttributeWeighted::learn(counts, WeightRule::Cll, &x, &y).expect("learns");
    by_class.set_pairs(more).expect("weights of columns stay");
    assert_eq!(by_class.layout(3).map(|layout| layout.parts.len()), Ok(3));
}
