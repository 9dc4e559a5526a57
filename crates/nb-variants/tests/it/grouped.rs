//! The family of groups of categories.

use nb_core::{
    Categorical, Categories, Missing, NaiveBayes, Smoothing, SufficientStats, Unseen, error::PredictError,
};
use nb_variants::Grouped;
use ndarray::{Array2, array};
use proptest::prelude::*;

fn grouped(unseen: Unseen, missing: Missing, l: f64, declared: Option<Vec<usize>>) -> Grouped {
    let smoothing = Smoothing::new(l).expect("valid");
    let categories = declared.map_or(Categories::Inferred, Categories::Declared);
    Grouped::new(Categorical { categories, smoothing, unseen, missing })
}

#[test]
fn groups_obey_the_laws() {
    let codes = (0..9_u8).prop_map(f64::from);
    let with_missing = prop_oneof![4 => codes.clone(), 1 => Just(f64::NAN)];
    nb_laws::check(&grouped(Unseen::Ignore, Missing::Error, 1.0, None), 2, codes.clone());
    nb_laws::check(&grouped(Unseen::Other, Missing::Skip, 0.25, None), 3, with_missing);
    nb_laws::check(&grouped(Unseen::Error, Missing::Error, 0.5, Some(vec![9, 12])), 2, codes);
}

/// 30 categories in the classes 1, 2, 3, ..., of which the last digit says how they go with the classes.
fn rows() -> (Array2<f64>, Vec<usize>) {
    let code = |row: usize| row * row % 97 % 30;
    let class = |row: usize| if row.is_multiple_of(7) { row % 2 } else { usize::from(code(row) % 10 > 4) };
    (Array2::from_shape_fn((400, 1), |(row, _)| code(row) as f64), (0..400).map(class).collect())
}

#[test]
fn probabilities_are_those_of_groups_times_shares_within_them() {
    let (x, y) = rows();
    let model = grouped(Unseen::Error, Missing::Error, 0.5, Some(vec![32]));
    let classifier = NaiveBayes::new(model).fit(&x, &y).expect("fits");
    let fitted = classifier.likelihood();
    let groups = fitted.groups(0);
    assert_eq!(
        groups.last(),
        Some(&(0..32).filter(|code| x.iter().all(|&own| own != *code as f64)).collect())
    );
    assert!(groups.len() == 3, "{groups:?}");
    let count = |code: usize, class: usize| {
        x.iter().zip(&y).filter(|&(&own, &label)| own == code as f64 && label == class).count() as f64
    };
    for class in 0..2 {
        let n_class = y.iter().filter(|&&label| label == class).count() as f64;
        let mut total = 0.0;
        for group in groups {
            let of_class: f64 = group.iter().map(|&code| count(code, class)).sum();
            let of_all: f64 = group.iter().map(|&code| count(code, 0) + count(code, 1)).sum();
            for &code in group {
                let share = (count(code, 0) + count(code, 1) + 0.5) / (of_all + 0.5 * group.len() as f64);
                let expected = (of_class + 0.5) / (n_class + 0.5 * groups.len() as f64) * share;
                let found = fitted.categories().log_probability(class, 0, code).expect("known").exp();
                assert!((found / expected - 1.0).abs() < 1e-13, "{class} {code}: {found}, not {expected}");
                total += found;
            }
        }
        assert!((total - 1.0).abs() < 1e-13, "{total}");
    }
}

#[test]
fn statistics_are_those_of_categories() {
    let (x, y) = rows();
    let (plain, model) = (Categorical::default(), Grouped::default());
    let mut stats = SufficientStats::new(&plain, 1).expect("valid");
    stats.update(&plain, &x, &y).expect("adds");
    let mut own = SufficientStats::new(&model, 1).expect("valid");
    own.update(&model, &x, &y).expect("adds");
    assert_eq!(own, stats);
    let fitted = NaiveBayes::new(model.clone()).fit_stats(&stats).expect("fits");
    assert_eq!(fitted.likelihood(), NaiveBayes::new(model).fit(&x, &y).expect("fits").likelihood());
}

#[test]
fn what_tells_nothing_adds_the_same_to_all_classes() {
    let x = Array2::from_shape_fn((60, 1), |(row, _)| (row / 2 % 15) as f64);
    let y: Vec<usize> = (0..60).map(|row| row % 2).collect();
    let classifier = NaiveBayes::new(Grouped::default()).fit(&x, &y).expect("fits");
    let fitted = classifier.likelihood();
    assert_eq!(fitted.groups(0).len(), 1);
    let log = |class| fitted.categories().log_probability(class, 0, 7);
    assert_eq!(log(0), log(1));
    assert_eq!(fitted.log_probabilities_of_groups(0).expect("a column"), array![[0.0, 0.0]]);
}

#[test]
fn unseen_categories_and_empty_classes_are_as_those_of_categories() {
    let (x, y) = (array![[0.0], [1.0], [0.0], [2.0]], ["a", "b", "a", "b"]);
    let fit = |unseen, l| NaiveBayes::new(grouped(unseen, Missing::Error, l, None)).fit(&x, &y);
    let refused = fit(Unseen::Error, 1.0).expect("fits").predict(&array![[5.0]]);
    assert!(matches!(refused, Err(PredictError::Value(_))), "{refused:?}");
    let ignored = fit(Unseen::Ignore, 1.0).expect("fits").predict_proba(&array![[5.0]]).expect("scores");
    assert_eq!(ignored, array![[0.5, 0.5]]);
    let other = fit(Unseen::Other, 1.0).expect("fits");
    // One row of nothing in the reserved group, beside those of the others.
    let n_groups = other.likelihood().groups(0).len();
    let log = other.likelihood().categories().log_probability(0, 0, 5).expect("reserved");
    assert!((log - (1.0 / (2.0 + n_groups as f64 + 1.0)).ln()).abs() < 1e-15);
    let model = grouped(Unseen::Error, Missing::Skip, 0.0, None);
    let missing = NaiveBayes::new(model).fit(&array![[0.0], [f64::NAN]], &["a", "b"]);
    let missing = missing.map(|_| ()).unwrap_err().to_string();
    assert!(missing.contains("column 0"), "{missing}");
}
