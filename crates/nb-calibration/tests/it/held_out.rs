//! Scores of rows by models that have not seen them, and what calibrated classifiers refuse.

use nb_calibration::{
    ApplyError, Calibrated, CalibratedClassifier, CalibratedError, Calibration, CalibrationError, Calibrator,
    HeldOutError, HeldOutScores, Temperature,
};
use nb_core::{
    Bernoulli, CsrView, FeatureModel, Gaussian, Multinomial, NaiveBayes, Smoothing, VarianceSmoothing,
    error::{PredictError, UpdateError},
};
use ndarray::{Array2, Axis, array, s};

/// The folds of the rows, in the words of the documentation: row `j` of class `c` goes to fold `(j + c) mod
/// k`, with classes in the order in which they come.
fn folds<L: PartialEq + Clone>(labels: &[L], n_folds: usize) -> Vec<usize> {
    let mut classes: Vec<L> = Vec::new();
    let mut counts = Vec::new();
    let fold = |label: &L| {
        let class = classes.iter().position(|known| known == label).unwrap_or(classes.len());
        if class == classes.len() {
            classes.push(label.clone());
            counts.push(0);
        }
        counts[class] += 1;
        (counts[class] - 1 + class) % n_folds
    };
    labels.iter().map(fold).collect()
}

/// Fits to the other folds from their rows, and compares every bit.
fn check<M: FeatureModel>(naive_bayes: &NaiveBayes<M>, x: &Array2<f64>, labels: &[usize], weights: &[f64]) {
    for n_folds in [2, 3, 10] {
        let scores = HeldOutScores::new(naive_bayes, x, labels, Some(weights), n_folds).expect("valid");
        let fold_of_row = folds(labels, n_folds);
        for fold in 0..n_folds {
            let of = |is_in: bool| -> Vec<usize> {
                (0..labels.len()).filter(|&row| (fold_of_row[row] == fold) == is_in).collect()
            };
            let others = of(false);
            let other_labels: Vec<usize> = others.iter().map(|&row| labels[row]).collect();
            let other_weights: Vec<f64> = others.iter().map(|&row| weights[row]).collect();
            let classifier = naive_bayes
                .fit_weighted(&x.select(Axis(0), &others), &other_labels, &other_weights)
                .expect("valid");
            let rows: Vec<usize> = of(true).into_iter().filter(|&row| weights[row] > 0.0).collect();
            let expected = classifier.predict_log_proba(&x.select(Axis(0), &rows)).expect("valid");
            for (&row, expected) in rows.iter().zip(expected.rows()) {
                let position = scores.rows.binary_search(&row).expect("a row with a weight");
                let bits = |value: &f64| value.to_bits();
                assert!(scores.log_posteriors.row(position).iter().map(bits).eq(expected.iter().map(bits)));
                assert_eq!(scores.classes[scores.truth[position]], labels[row]);
            }
        }
        assert_eq!(scores.rows.len(), weights.iter().filter(|weight| **weight > 0.0).count());
    }
}

#[test]
fn scores_are_those_of_fitting_the_other_folds_bit_for_bit() {
    let iris = nb_datasets::load("iris").expect("embedded");
    let weights: Vec<f64> = (0..150).map(|row| f64::from(row % 4) * 0.75).collect();
    check(&NaiveBayes::new(Gaussian::default()), &iris.x(), &iris.labels, &weights);
    check(&NaiveBayes::new(Multinomial::default()), &iris.x(), &iris.labels, &weights);
}

#[test]
fn sparse_rows_have_the_scores_of_dense_ones() {
    let x = array![[2.0, 0.0], [0.0, 1.0], [3.0, 1.0], [0.0, 4.0], [1.0, 0.0], [1.0, 2.0]];
    let labels = ["a", "b", "a", "b", "a", "b"];
    let csr = CsrView::new(
        2,
        &[0_usize, 1, 2, 4, 5, 6, 8],
        &[0_usize, 1, 0, 1, 1, 0, 0, 1],
        &[2.0, 1.0, 3.0, 1.0, 4.0, 1.0, 1.0, 2.0],
    )
    .expect("valid");
    let naive_bayes = NaiveBayes::new(Multinomial::default());
    let dense = HeldOutScores::new(&naive_bayes, &x, &labels, None, 3).expect("valid");
    assert_eq!(HeldOutScores::new(&naive_bayes, &csr, &labels, None, 3).expect("valid"), dense);
}

#[test]
fn what_cannot_be_held_out_is_refused() {
    let x = array![[1.0], [2.0], [4.0], [3.0], [6.0]];
    let naive_bayes = NaiveBayes::new(Gaussian::default());
    let fit = |labels: &[&'static str], n_folds| HeldOutScores::new(&naive_bayes, &x, labels, None, n_folds);
    assert_eq!(fit(&["a", "b", "a", "a", "a"], 3), Err(HeldOutError::ClassInOneFold { class: 1, fold: 1 }));
    assert_eq!(fit(&["a"; 4], 3), Err(UpdateError::Labels { rows: 5, labels: 4 }.into()));
    assert!(matches!(fit(&["a", "b", "a", "b", "a"], 1), Err(HeldOutError::Layout(_))));
    assert!(matches!(fit(&["a", "b", "a", "b", "a"], 0), Err(HeldOutError::Layout(_))));
    // Without fold 1 a single row of the second class is left, whose variance is 0.
    let gaussian = Gaussian { smoothing: VarianceSmoothing::None, ..Gaussian::default() };
    let refused = HeldOutScores::new(&NaiveBayes::new(gaussian), &x, &["a", "b", "a", "b", "a"], None, 2);
    assert!(matches!(refused, Err(HeldOutError::Fit { fold: 0, .. })), "{refused:?}");
    let weightless = HeldOutScores::new(&naive_bayes, &x, &["a"; 5], Some(&[0.0; 5]), 2);
    assert_eq!(weightless, Err(HeldOutError::NoRows));
    let one_class = Calibrated::new(naive_bayes, Temperature, 2).fit(&x, &["a"; 5]);
    assert_eq!(one_class.err(), Some(CalibratedError::Calibration(CalibrationError::Classes { found: 1 })));
}

#[test]
fn an_impossible_row_is_counted_among_all() {
    let x = array![[1.0, 1.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0], [0.0, 1.0]];
    let labels = ["a", "a", "a", "a", "b", "b", "b"];
    let weights = [0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];
    let bernoulli = Bernoulli { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..Bernoulli::default() };
    let calibrated = Calibrated::new(NaiveBayes::new(bernoulli), Temperature, 10);
    let refused = calibrated.fit_weighted(&x, &labels, &weights);
    // Without row 1 all rows of the class have the second feature.
    let error = CalibrationError::Impossible { row: 1, class: 0 };
    assert_eq!(refused.err(), Some(CalibratedError::Calibration(error)));
}

#[test]
fn a_calibrated_classifier_answers_as_a_classifier_does() {
    let iris = nb_datasets::load("iris").expect("embedded");
    let (x, y) = (iris.x(), iris.y());
    let naive_bayes = NaiveBayes::new(Gaussian::default());
    let plain = naive_bayes.fit(&x, &y).expect("valid");
    for calibration in
        [Calibration::None, Calibration::Temperature, Calibration::Platt, Calibration::Isotonic]
    {
        let classifier = Calibrated::new(naive_bayes.clone(), calibration, 5).fit(&x, &y).expect("valid");
        assert_eq!(classifier.classes(), plain.classes());
        assert_eq!(classifier.classifier().log_prior(), plain.log_prior());
        let log_posteriors = classifier.predict_log_proba(&x).expect("valid");
        if calibration == Calibration::None {
            assert_eq!(log_posteriors, plain.predict_log_proba(&x).expect("valid"));
        }
        if matches!(calibration, Calibration::None | Calibration::Temperature) {
            assert_eq!(classifier.predict(&x).expect("valid"), plain.predict(&x).expect("valid"));
        }
        let posteriors = classifier.predict_proba(&x).expect("valid");
        let labels = classifier.predict(&x).expect("valid");
        for ((row, posteriors), label) in posteriors.rows().into_iter().enumerate().zip(labels) {
            assert!((posteriors.sum() - 1.0).abs() < 1e-14);
            let largest = posteriors.iter().copied().fold(0.0, f64::max);
            let class = classifier.classes().iter().position(|class| *class == label).expect("a class");
            assert!(posteriors[class] >= largest - 1e-15);
            assert!(
                log_posteriors[[row, class]] >= log_posteriors.row(row).fold(-1e300, |a: f64, b| a.max(*b))
            );
        }
        let narrow = classifier.predict_proba(&array![[1.0]]);
        assert_eq!(narrow, Err(PredictError::Columns { expected: 4, found: 1 }));
    }
}

#[test]
fn ties_go_to_the_first_class_and_impossible_rows_have_none() {
    let x = array![[1.0, 0.0], [1.0, 0.0], [0.0, 0.0], [1.0, 0.0]];
    let unsmoothed = Bernoulli { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..Bernoulli::default() };
    let plain = NaiveBayes::new(unsmoothed).fit(&x, &["a", "b", "b", "b"]).expect("valid");
    assert_eq!(plain.predict(&x.slice(s![..1, ..])), Ok(vec!["b"]));
    // Nothing is known, so that both classes get one half.
    let map = Calibration::Isotonic.fit(array![[0.0, 0.0], [0.0, 0.0]].view(), &[0, 1], None).expect("valid");
    let classifier = CalibratedClassifier::new(plain, map).expect("two classes");
    let rows = array![[1.0, 0.0], [1.0, 1.0]];
    assert_eq!(classifier.try_predict_each(&rows), Ok(vec![Some("a"), None]));
    assert_eq!(classifier.predict(&rows), Err(PredictError::Impossible { row: 1 }));
    let posteriors = classifier.predict_proba(&rows).expect("valid");
    assert_eq!(posteriors, array![[0.5, 0.5], [0.0, 0.0]]);
    let three = Calibration::None.fit(Array2::zeros((1, 3)).view(), &[0], None).expect("valid");
    let refused = CalibratedClassifier::new(classifier.classifier().clone(), three);
    assert_eq!(refused.err(), Some(ApplyError::Classes { expected: 3, found: 2 }));
}
