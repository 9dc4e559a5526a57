//! Logistic regression: solvers, layouts, separable classes, bad input.

use nb_core::{
    CsrView, NaiveBayes,
    error::{FitRowsError, UpdateError},
};
use nb_linear::{
    BinaryForm, LabelCode, LinearForm, LogisticError, LogisticRegression, SharedGaussian, Solver,
};
use ndarray::{Array2, Axis, array};

use crate::{
    form::csr,
    logistic_peers::{error, load, regression},
};

#[test]
fn both_solvers_and_both_layouts_find_the_same_minimum() {
    for (set, l2) in [("iris", 1.0), ("pima", 1.0), ("pima", 0.0), ("wine", 10.0)] {
        let (x, y) = load(set);
        let newton = regression(l2).fit(&x, &y).expect("fits");
        let (weights, intercepts) = (newton.coef(), newton.intercept());
        let first = usize::from(weights.nrows() == 2);
        let rows: Vec<Vec<f64>> = weights.rows().into_iter().skip(first).map(|row| row.to_vec()).collect();
        let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        let intercepts = &intercepts.to_vec()[first..];
        let precise = regression(l2).with_solver(Solver::Lbfgs).with_tolerance(1e-11);
        let lbfgs = precise.fit(&x, &y).expect("fits");
        assert!(error(&lbfgs, &rows, intercepts) <= 1e-6, "{set}: {:e}", error(&lbfgs, &rows, intercepts));
        let (indptr, indices, values) = csr(&x);
        let sparse = CsrView::new(x.ncols(), &indptr, &indices, &values).expect("valid");
        let sparse = regression(l2).fit(&sparse, &y).expect("fits");
        assert!(error(&sparse, &rows, intercepts) <= 1e-9, "{set}: {:e}", error(&sparse, &rows, intercepts));
        let single = x.mapv(|value| value as f32);
        let from_single = regression(l2).fit(&single, &y).expect("fits");
        assert_eq!(from_single.predict(&x), newton.predict(&x));
    }
}

#[test]
fn text_is_fitted_sparse() {
    let sms = nb_datasets::load_text().expect("embedded");
    let x = CsrView::new(sms.n_terms(), &sms.indptr, &sms.indices, &sms.values).expect("valid");
    let form = regression(1.0).fit(&x, &sms.labels).expect("fits");
    let predicted = form.predict(&x).expect("scores");
    let correct = predicted.iter().zip(&sms.labels).filter(|(a, b)| a == b).count();
    assert!(correct as f64 >= 0.99 * sms.n_rows() as f64, "{correct}");
    let newton = regression(1.0).with_solver(Solver::Newton);
    let wide = CsrView::new(20_000, &[0, 1, 2, 3], &[0, 5, 0], &[1.0, 1.0, 1.0]).expect("valid");
    let error = newton.fit(&wide, &[0, 1, 1]).unwrap_err();
    assert!(matches!(error, LogisticError::TooManyCoefficients { n_coefficients: 20_001, .. }), "{error}");
    let separable = regression(0.0).fit(&x, &sms.labels).expect_err("separable");
    assert_eq!(separable, LogisticError::Separable);
}

#[test]
fn weights_are_repeated_rows() {
    let (x, y) = load("pima");
    let weights: Vec<f64> = (0..y.len()).map(|row| (row % 3) as f64).collect();
    let repeated: Vec<usize> = (0..y.len()).flat_map(|row| vec![row; row % 3]).collect();
    let labels: Vec<usize> = repeated.iter().map(|&row| y[row]).collect();
    let weighted = regression(0.5).fit_weighted(&x, &y, &weights).expect("fits");
    let repeated = regression(0.5).fit(&x.select(Axis(0), &repeated), &labels).expect("fits");
    let (rows, intercepts) = (repeated.coef(), repeated.intercept());
    let error = error(&weighted, &[rows.row(1).to_vec().as_slice()], &[intercepts[1]]);
    assert!(error <= 1e-11, "{error:e}");
}

#[test]
fn separable_classes_are_an_error_and_not_a_divergence() {
    let complete = array![[1.0], [2.0], [3.0], [4.0]];
    let quasi = array![[1.0], [2.0], [2.0], [3.0]];
    let corner = array![[0.0, 1.0], [0.0, 2.0], [0.0, 1.5], [1.0, 1.2], [0.0, 1.7], [0.0, 1.1]];
    let (iris, species) = load("iris");
    for solver in [Solver::Newton, Solver::Auto] {
        let regression = regression(0.0).with_solver(solver);
        assert_eq!(regression.fit(&complete, &[0, 0, 1, 1]).unwrap_err(), LogisticError::Separable);
        assert_eq!(regression.fit(&quasi, &[0, 0, 1, 1]).unwrap_err(), LogisticError::Separable);
        // The only row with a 1 in the first column says all about it.
        assert_eq!(regression.fit(&corner, &[0, 0, 1, 1, 1, 0]).unwrap_err(), LogisticError::Separable);
        // Setosa is separable from the others, which are not from each other.
        assert_eq!(regression.fit(&iris, &species).unwrap_err(), LogisticError::Separable);
    }
    let lbfgs = regression(0.0).with_solver(Solver::Lbfgs);
    assert_eq!(lbfgs.fit(&complete, &[0, 0, 1, 1]).unwrap_err(), LogisticError::Separable);
    assert!(lbfgs.fit(&quasi, &[0, 0, 1, 1]).is_err());
    // Any penalty does.
    for l2 in [1e-6, 1.0, 1e12] {
        let form = regression(l2).fit(&complete, &[0, 0, 1, 1]).expect("fits");
        assert_eq!(form.predict(&complete), Ok(vec![0, 0, 1, 1]));
    }
}

#[test]
fn a_penalty_determines_the_weights_of_classes_that_are_fitted_perfectly() {
    // The only row of the third class is so far off that its probability is 0 or 1 to the last digit where
    // the search starts.
    let mut x: Vec<f64> = (0..100).map(|row| f64::from(row % 10) / 3.0 + f64::from(row / 50)).collect();
    let mut y: Vec<usize> = (0..100).map(|row| row / 50).collect();
    x.push(1e4);
    y.push(2);
    let x = Array2::from_shape_fn((101, 2), |(row, column)| x[row] * if column == 0 { 1.0 } else { 2.0 });
    let newton = regression(1.0).with_solver(Solver::Newton).fit(&x, &y).expect("a penalty");
    let lbfgs = regression(1.0).with_solver(Solver::Lbfgs).with_tolerance(1e-11);
    let lbfgs = lbfgs.fit(&x, &y).expect("a penalty");
    assert!(newton.coef().iter().zip(&lbfgs.coef()).all(|(a, b)| (a - b).abs() < 1e-6), "{newton:?}");
    assert!(matches!(
        regression(0.0).fit(&x, &y),
        Err(LogisticError::Collinear { .. } | LogisticError::Separable)
    ));
}

#[test]
fn dependent_and_constant_columns() {
    let x = array![[1.0, 2.0, 5.0], [2.0, 4.0, 5.0], [3.0, 6.0, 5.0], [2.5, 5.0, 5.0], [1.5, 3.0, 5.0]];
    let y = [0, 1, 0, 1, 0];
    assert_eq!(regression(0.0).fit(&x, &y).unwrap_err(), LogisticError::Collinear { column: 1 });
    let form = regression(1.0).fit(&x, &y).expect("fits");
    let weights = form.coef();
    // The penalty shares the weight between dependent columns in proportion to their units.
    assert!((weights[[1, 1]] - 2.0 * weights[[1, 0]]).abs() < 1e-12);
    assert_eq!(weights[[1, 2]], 0.0);
}

#[test]
fn no_relation_gives_no_weights() {
    let x = array![[-1.0], [1.0], [-1.0], [1.0]];
    let form = regression(0.0).fit(&x, &[0, 0, 1, 1]).expect("fits");
    assert!(form.coef()[[1, 0]].abs() < 1e-15);
    assert!(form.log_odds(&x, 1, 0).expect("scores").iter().all(|odds| odds.abs() < 1e-15));
    let unequal = regression(0.0).fit(&array![[1.0], [1.0], [1.0]], &[0, 0, 1]).expect("fits");
    assert!((unequal.log_odds(&x, 1, 0).expect("scores")[0] - 0.5_f64.ln()).abs() < 1e-12);
}

#[test]
fn a_large_offset_costs_nothing() {
    let (x, y) = load("pima");
    let near = regression(0.0).fit(&x, &y).expect("fits");
    // 2^30: adding it to the columns is nearly exact, and where it is not the data differ.
    let offset = 1_073_741_824.0;
    let rounded = x.mapv(|value| (value * 1024.0).round() / 1024.0);
    let far = regression(0.0).fit(&(&rounded + offset), &y).expect("fits");
    let near_rounded = regression(0.0).fit(&rounded, &y).expect("fits");
    let (a, b) = (near_rounded.coef(), far.coef());
    assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= 1e-10 * a.abs()), "{a} {b}");
    assert_eq!(near.classes(), far.classes());
}

#[test]
fn bad_input() {
    let x = array![[1.0], [2.0], [f64::NAN]];
    let error = regression(1.0).fit(&x, &[0, 1, 0]).unwrap_err();
    assert_eq!(error, LogisticError::Missing { row: 2, column: 0 });
    let infinite = regression(1.0).fit(&array![[f64::INFINITY], [1.0]], &[0, 1]).unwrap_err();
    assert!(infinite.to_string().contains("is infinite"), "{infinite}");
    let ok = array![[1.0], [2.0]];
    assert_eq!(regression(1.0).fit(&ok, &["a", "a"]).unwrap_err(), LogisticError::OneClass);
    let labels = regression(1.0).fit(&ok, &[1]).unwrap_err();
    assert_eq!(labels, LogisticError::Rows(FitRowsError::Update(UpdateError::Labels { rows: 2, labels: 1 })));
    assert!(regression(1.0).fit_weighted(&ok, &[0, 1], &[1.0]).is_err());
    assert!(regression(1.0).fit_weighted(&ok, &[0, 1], &[1.0, -1.0]).is_err());
    assert_eq!(regression(1.0).fit_weighted(&ok, &[0, 1], &[1.0, 0.0]).unwrap_err(), LogisticError::OneClass);
    assert!(regression(1.0).fit(&Array2::<f64>::zeros((0, 1)), &[0; 0]).is_err());
    assert!(regression(1.0).fit(&Array2::<f64>::zeros((2, 0)), &[0, 1]).is_err());
    for l2 in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(
            regression(l2).fit(&ok, &[0, 1]).unwrap_err().to_string().contains("must be from 0 to 1e100")
        );
    }
    for bad in [
        LogisticRegression::default().with_tolerance(0.0),
        LogisticRegression::default().with_tolerance(f64::NAN),
        LogisticRegression::default().with_max_iterations(0),
    ] {
        assert!(bad.fit(&ok, &[0, 1]).is_err());
    }
    let (x, y) = load("pima");
    for solver in [Solver::Newton, Solver::Lbfgs] {
        let hasty = regression(0.0).with_max_iterations(1).with_solver(solver);
        let error = hasty.fit(&x, &y).unwrap_err();
        assert!(matches!(error, LogisticError::NotConverged { iterations: 1, .. }), "{error}");
    }
}

#[test]
fn nasty_values_make_errors_or_finite_forms() {
    let nasty = [f64::NAN, f64::INFINITY, 1e120, -1e120, 1e160, 1e-160, 1e-310, 0.0, 1e9, 1.0];
    for (a, b) in nasty.into_iter().flat_map(|a| nasty.map(|b| (a, b))) {
        let x = array![[a, b], [b, 1.0], [a, 0.0], [1.0, b]];
        for l2 in [0.0, 1e-100, 1.0, 1e100] {
            for solver in [Solver::Newton, Solver::Lbfgs] {
                let regression = regression(l2).with_solver(solver).with_max_iterations(50);
                let Ok(form) = regression.fit(&x, &[0, 1, 1, 0]) else { continue };
                assert!(
                    form.coef().iter().chain(&form.intercept()).all(|weight| weight.is_finite()),
                    "{x} {l2}"
                );
                if let Ok(probabilities) = form.predict_proba(&x) {
                    assert!(
                        probabilities.iter().all(|p| (0.0..=1.0).contains(p)),
                        "{x} {l2} {probabilities}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_log_loss_ends_far_below_that_of_naive_bayes() {
    let (x, y) = load("breast_cancer");
    let labels: Vec<i8> = y.iter().map(|&class| LabelCode::ZeroOne.numbers()[class]).collect();
    let loss = |form: LinearForm<usize>| {
        BinaryForm::new(form).expect("two").log_loss(&x, &labels, LabelCode::ZeroOne).expect("scores")
    };
    let naive_bayes = NaiveBayes::new(SharedGaussian::default()).fit(&x, &y).expect("fits");
    let logistic = regression(1e-3).fit(&x, &y).expect("fits");
    assert!(loss(logistic) < 0.1 * loss(LinearForm::new(&naive_bayes)));
}
