//! A family with weights and corrections.

use nb_core::{Gaussian, Likelihood, NaiveBayes, SufficientStats};
use nb_discriminative::{Correction, Refined, Refinement};
use ndarray::array;

fn refined() -> Refined<Gaussian> {
    let steps = Correction::steps(vec![2.0], vec![0.5, -0.5, -1.0, 1.0], vec![0.0, 0.25]);
    Refined {
        model: Gaussian::default(),
        refinement: Refinement {
            n_classes: 2,
            weights: vec![0.5, 0.0],
            corrections: vec![steps, Correction::none()],
            pairs: Vec::new(),
            absent_texts: Vec::new(),
        },
    }
}

const LABELS: [&str; 4] = ["a", "a", "b", "b"];

#[test]
fn a_column_adds_its_weighted_log_likelihood_and_its_correction() {
    let x = array![[1.0, 3.0], [2.0, 5.0], [4.0, 4.0], [6.0, 9.0]];
    let plain = NaiveBayes::new(Gaussian::default()).fit(&x, &LABELS).expect("two classes");
    let whole = NaiveBayes::new(refined()).fit(&x, &LABELS).expect("two classes");
    for value in [1.0, 2.0, 2.5] {
        let corrections = if value <= 2.0 { [0.5, -0.5] } else { [-1.0, 1.0] };
        for (class, correction) in corrections.into_iter().enumerate() {
            let expected = 0.5 * plain.likelihood().log_likelihood(class, 0, value) + correction;
            assert_eq!(whole.likelihood().log_likelihood(class, 0, value), expected);
        }
        assert_eq!(whole.likelihood().log_likelihood(1, 1, value), 0.0);
    }
    let row = array![[3.0, 7.0]];
    let scores: Vec<f64> = (0..2)
        .map(|class| {
            let likelihood = whole.likelihood();
            whole.log_prior()[class]
                + likelihood.log_likelihood(class, 0, 3.0)
                + likelihood.log_likelihood(class, 1, 7.0)
        })
        .collect();
    let log_odds = whole.predict_log_proba(&row).expect("finite");
    assert!((log_odds[[0, 0]] - log_odds[[0, 1]] - (scores[0] - scores[1])).abs() < 1e-12);
}

#[test]
fn sums_are_those_of_the_family() {
    let x = array![[1.0, 3.0], [2.0, 5.0], [4.0, 4.0], [6.0, 9.0]];
    let mut stats = SufficientStats::new(&refined(), 2).expect("two columns");
    stats.update(&refined(), &x, &LABELS).expect("finite");
    let mut plain = SufficientStats::new(&Gaussian::default(), 2).expect("two columns");
    plain.update(&Gaussian::default(), &x, &LABELS).expect("finite");
    assert_eq!(stats, plain);
}

#[test]
fn what_does_not_fit_is_refused() {
    let x = array![[1.0, 3.0], [2.0, 5.0], [4.0, 4.0], [6.0, 9.0]];
    let error = NaiveBayes::new(refined()).fit(&x, &["a", "a", "b", "c"]).expect_err("three classes");
    assert!(error.to_string().contains("learnt for 2 classes, and there is evidence of 3"), "{error}");
    let mut short = refined();
    short.refinement.weights.pop();
    let error = NaiveBayes::new(short).fit(&x, &LABELS).expect_err("one weight");
    assert_eq!(error.to_string(), "the list of weights has 1 entries for 2 columns; give one per column");
    for (levels, missing) in [
        (vec![0.0; 3], vec![0.0; 2]),
        (vec![0.0; 4], vec![0.0; 1]),
        (vec![0.0, 0.0, f64::NAN, 0.0], vec![0.0; 2]),
    ] {
        let mut other = refined();
        other.refinement.corrections[0] = Correction::steps(vec![2.0], levels, missing);
        assert!(NaiveBayes::new(other).fit(&x, &LABELS).is_err());
    }
}

#[test]
fn classes_and_categories_change_places() {
    let categories = Correction::categories(vec![1.0, 2.0, 3.0, 4.0], vec![5.0, 6.0]);
    let moved = categories.with_codes(&[2, 0], 3);
    assert_eq!(moved.at(0.0), [3.0, 4.0]);
    assert_eq!(moved.at(1.0), [0.0, 0.0]);
    assert_eq!(moved.at(2.0), [1.0, 2.0]);
    assert!(moved.at(3.0).is_empty() && moved.at(0.5).is_empty() && moved.at(-1.0).is_empty());
    let refinement = Refinement {
        n_classes: 2,
        weights: vec![1.0],
        corrections: vec![categories],
        pairs: Vec::new(),
        absent_texts: Vec::new(),
    };
    let turned = refinement.reordered(&[1, 0]);
    assert_eq!(turned.corrections[0].at(1.0), [4.0, 3.0]);
    assert_eq!(turned.corrections[0].at(f64::NAN), [6.0, 5.0]);
}
