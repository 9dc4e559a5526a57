//! The linear form and the generative classifier agree, for every family, with every prior, dense and sparse.

use std::collections::BTreeSet;

use nb_core::{
    Bernoulli, Blocks, Categorical, Categories, Classifier, Complement, CsrView, FeatureModel, Gaussian,
    Missing, Multinomial, NaiveBayes, Poisson, Prior, Smoothing, Unseen, VarianceSmoothing,
    error::PredictError,
};
use nb_datasets::Part;
use nb_laws::{Case, Outcome};
use nb_linear::{ColumnTerm, Linear, LinearForm, LinearModel, SharedGaussian};
use ndarray::{Array2, Axis, array};
use proptest::{
    prelude::*,
    test_runner::{Config, TestCaseError, TestRunner},
};

fn fail(error: &impl ToString) -> TestCaseError {
    TestCaseError::fail(error.to_string())
}

/// The rows in compressed sparse form.
pub(crate) fn csr(rows: &Array2<f64>) -> (Vec<usize>, Vec<usize>, Vec<f64>) {
    let (mut indptr, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for row in rows.rows() {
        for (column, &value) in row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            indices.push(column);
            values.push(value);
        }
        indptr.push(values.len());
    }
    (indptr, indices, values)
}

/// The sizes of the terms of each class, which rounding errors are measured by: those of the classifier, and
/// those of the form.
fn size<F: Linear>(
    classifier: &Classifier<u8, F>,
    form: &LinearForm<u8>,
    rows: &Array2<f64>,
    row: usize,
) -> Result<Vec<f64>, TestCaseError> {
    let explanation = classifier.explain(rows, row).map_err(|error| fail(&error))?;
    let finite = |value: f64| if value.is_finite() { value.abs() } else { 0.0 };
    let of_class = |class: usize| {
        let own = explanation.contributions.row(class).iter().map(|&term| finite(term)).sum::<f64>();
        let forms = (0..rows.ncols()).map(|column| match form.column(column).map(|column| &column.term) {
            Some(ColumnTerm::Real { center, weights, constants, .. }) => {
                finite(weights[class] * (rows[[row, column]] - center)) + finite(constants[class])
            }
            Some(ColumnTerm::Count { weights, constants }) => {
                finite(weights[class] * rows[[row, column]]) + finite(constants[class])
            }
            _ => 0.0,
        });
        finite(explanation.log_prior[class]) + own + forms.sum::<f64>()
    };
    Ok((0..explanation.classes.len()).map(of_class).collect())
}

fn agrees<F: Linear>(classifier: &Classifier<u8, F>, rows: &Array2<f64>) -> Outcome {
    let form = LinearForm::new(classifier);
    let joint = classifier.joint_log_likelihood(rows).map_err(|error| fail(&error))?;
    let scores = form.scores(rows).map_err(|error| fail(&error))?;
    let (indptr, indices, values) = csr(rows);
    let sparse = CsrView::new(rows.ncols(), &indptr, &indices, &values).map_err(|error| fail(&error))?;
    let sparse = form.scores(&sparse).map_err(|error| fail(&error))?;
    let labels = classifier.try_predict_each(rows).map_err(|error| fail(&error))?;
    let form_labels = form.try_predict_each(rows).map_err(|error| fail(&error))?;
    let probabilities = form.predict_proba(rows).map_err(|error| fail(&error))?;
    let logs = form.predict_log_proba(rows).map_err(|error| fail(&error))?;
    for row in 0..rows.nrows() {
        let size = size(classifier, &form, rows, row)?;
        let possible = (0..joint.ncols()).filter(|&class| joint[[row, class]] != f64::NEG_INFINITY);
        let Some(reference) = possible.max_by(|&a, &b| joint[[row, a]].total_cmp(&joint[[row, b]])) else {
            prop_assert!(scores.row(row).iter().all(|score| *score == f64::NEG_INFINITY));
            prop_assert_eq!(form_labels[row], None);
            prop_assert!(probabilities.row(row).iter().all(|probability| *probability == 0.0));
            continue;
        };
        prop_assert!((probabilities.row(row).sum() - 1.0).abs() <= 1e-14);
        for class in 0..joint.ncols() {
            if joint[[row, class]] == f64::NEG_INFINITY {
                prop_assert_eq!(scores[[row, class]], f64::NEG_INFINITY);
                prop_assert_eq!(sparse[[row, class]], f64::NEG_INFINITY);
                prop_assert_eq!(logs[[row, class]], f64::NEG_INFINITY);
                continue;
            }
            let expected = joint[[row, class]] - joint[[row, reference]];
            let tolerance = 1e-12 * (size[class] + size[reference]) + 1e-300;
            for scores in [&scores, &sparse] {
                let found = scores[[row, class]] - scores[[row, reference]];
                prop_assert!(
                    (found - expected).abs() <= tolerance,
                    "row {row}, class {class}: {found}, not {expected}"
                );
            }
            if form_labels[row] == Some(form.classes()[class]) && form_labels[row] != labels[row] {
                prop_assert!(
                    expected >= -tolerance,
                    "row {row}: {:?}, not {:?}",
                    form_labels[row],
                    labels[row]
                );
            }
            prop_assert!(logs[[row, class]] <= 0.0);
        }
    }
    Ok(())
}

/// Checks a family on random rows, with all priors.
fn check<M>(model: &M, n_columns: usize, values: impl Strategy<Value = f64> + Clone + 'static)
where
    M: FeatureModel,
    M::Fitted: Linear,
{
    let config = Config { cases: 64, failure_persistence: None, ..Config::default() };
    let law = |case: Case| {
        let n_classes = case.labels.iter().collect::<BTreeSet<_>>().len();
        let given = |first: f64| {
            let total = (0..n_classes).map(|class| class as f64 + first).sum::<f64>();
            Prior::Given((0..n_classes).map(|class| (class as f64 + first) / total).collect())
        };
        for prior in [Prior::Empirical, Prior::Uniform, given(1.0), given(0.0)] {
            if let Ok(classifier) = (NaiveBayes { model, prior }).fit(&case.rows, &case.labels) {
                agrees(&classifier, &case.rows)?;
            }
        }
        Ok(())
    };
    TestRunner::new(config).run(&nb_laws::cases(n_columns, values), law).expect("forms agree");
}

fn with_missing(values: impl Strategy<Value = f64> + Clone) -> impl Strategy<Value = f64> + Clone {
    prop_oneof![3 => values, 1 => Just(f64::NAN)]
}

fn exact() -> Smoothing {
    Smoothing::MAXIMUM_LIKELIHOOD
}

const SKIP: Missing = Missing::Skip;

#[test]
fn shared_gaussian() {
    check(&SharedGaussian::default(), 3, nb_laws::reals());
    let smoothing = VarianceSmoothing::LargestVariance(1e-9);
    check(&SharedGaussian { smoothing, ..SharedGaussian::default() }, 2, nb_laws::reals());
    check(&SharedGaussian { missing: SKIP, ..SharedGaussian::default() }, 3, with_missing(nb_laws::reals()));
}

#[test]
fn multinomial() {
    check(&Multinomial::default(), 4, nb_laws::counts());
    check(&Multinomial { smoothing: exact(), missing: SKIP }, 2, with_missing(nb_laws::counts()));
}

#[test]
fn complement() {
    for normalize in [false, true] {
        check(
            &Complement { normalize, missing: SKIP, ..Complement::default() },
            3,
            with_missing(0.0..9.0_f64),
        );
    }
}

#[test]
fn bernoulli() {
    check(&Bernoulli::default(), 4, nb_laws::counts());
    check(&Bernoulli { smoothing: exact(), ..Bernoulli::default() }, 2, nb_laws::counts());
    for threshold in [-1.0, 0.5, -0.1, 1e-300] {
        let bernoulli = Bernoulli { threshold, missing: SKIP, ..Bernoulli::default() };
        check(&bernoulli, 3, with_missing(nb_laws::reals()));
    }
}

#[test]
fn poisson() {
    check(&Poisson::default(), 3, nb_laws::counts());
    check(
        &Poisson { smoothing: exact(), missing: SKIP, ..Poisson::default() },
        3,
        with_missing(nb_laws::counts()),
    );
}

#[test]
fn categorical() {
    let codes = (0..6_u8).prop_map(f64::from);
    check(&Categorical::default(), 3, codes.clone());
    check(&Categorical { smoothing: exact(), ..Categorical::default() }, 2, codes.clone());
    let declared = Categories::Declared(vec![6, 7, 8]);
    let other =
        Categorical { categories: declared, unseen: Unseen::Other, missing: SKIP, ..Categorical::default() };
    check(&other, 3, with_missing(codes));
}

#[test]
fn blocks() {
    let codes = (0..6_u8).prop_map(f64::from);
    let mixed = Blocks::default()
        .with_same([3, 0], LinearModel::new(SharedGaussian::default()))
        .with_same([1], LinearModel::new(Categorical { smoothing: exact(), ..Categorical::default() }))
        .with_same([4], LinearModel::new(Bernoulli { threshold: 2.5, missing: SKIP, ..Bernoulli::default() }))
        .with_same([5, 6], LinearModel::new(Multinomial { smoothing: exact(), ..Multinomial::default() }))
        .with_same([7], LinearModel::new(Poisson { missing: SKIP, ..Poisson::default() }))
        .ignore([2]);
    check(&mixed, 8, codes.clone());
    let same = Blocks::default()
        .with_same([1], Complement::default())
        .with_same([0, 2], Complement { normalize: true, ..Complement::default() });
    check(&same, 3, codes);
}

#[test]
fn unseen_categories_and_missing_cells_are_treated_alike() {
    let x = array![[0.0, 1.0], [2.0, 1.0], [0.0, 1.0], [2.0, 3.0]];
    let rows = [
        array![[1.0, 1.0]],
        array![[0.0, 0.0]],
        array![[f64::NAN, 1.0]],
        array![[9.0, f64::NAN]],
        array![[0.5, 1.0]],
    ];
    for unseen in [Unseen::Error, Unseen::Ignore, Unseen::Other] {
        for missing in [Missing::Error, Missing::Skip] {
            let model = Categorical { unseen, missing, ..Categorical::default() };
            let classifier = NaiveBayes::new(model).fit(&x, &[0_u8, 0, 1, 1]).expect("fits");
            let form = LinearForm::from(&classifier);
            for row in &rows {
                let (expected, found) = (classifier.joint_log_likelihood(row), form.scores(row));
                assert_eq!(expected.is_ok(), found.is_ok(), "{row}");
                match (expected, found) {
                    (Ok(expected), Ok(found)) => {
                        assert!(expected.abs_diff_eq_by(&found), "{expected} {found}");
                    }
                    // A NaN in an error does not equal itself.
                    (expected, found) => assert_eq!(format!("{expected:?}"), format!("{found:?}")),
                }
            }
            // Cells that are not stored are category 0, which column 1 has not seen.
            let sparse = CsrView::<f64, i32>::new(2, &[0, 0], &[], &[]).expect("valid");
            assert_eq!(classifier.joint_log_likelihood(&sparse).is_ok(), form.scores(&sparse).is_ok());
        }
    }
}

/// Equality up to rounding.
trait Close {
    fn abs_diff_eq_by(&self, other: &Self) -> bool;
}

impl Close for Array2<f64> {
    fn abs_diff_eq_by(&self, other: &Self) -> bool {
        self.iter().zip(other).all(|(a, b)| (a - b).abs() <= 1e-14 * (1.0 + a.abs()))
    }
}

#[test]
fn an_offset_of_1e9_costs_nothing_but_in_the_folded_form() {
    let data = nb_datasets::load("offset_1e9").expect("embedded");
    let (train, test) = (data.rows_of(Part::Train), data.rows_of(Part::Test));
    let labels: Vec<u8> = train.iter().map(|&row| data.labels[row] as u8).collect();
    let x = data.x();
    let classifier =
        NaiveBayes::new(SharedGaussian::default()).fit(&x.select(Axis(0), &train), &labels).expect("fits");
    let test = x.select(Axis(0), &test);
    agrees(&classifier, &test).expect("agrees");
    let form = LinearForm::new(&classifier);
    assert_eq!(form.predict(&test), classifier.predict(&test));

    let (weights, intercepts) = (form.coef(), form.intercept());
    let folded = test.dot(&weights.t()) + &intercepts;
    let log_odds = form.log_odds(&test, 1, 0).expect("scores");
    let loss = log_odds.iter().zip(folded.rows()).map(|(odds, row)| (row[1] - row[0] - odds).abs());
    let loss = loss.fold(0.0, f64::max);
    assert!((1e-10..1e-5).contains(&loss), "documented: nine digits left; lost {loss}");
}

#[test]
fn classes_a_million_deviations_apart_agree() {
    let x = array![[0.0, -1e6], [1.0, -1e6 + 1.0], [1e6, 3.0], [1e6 + 1.0, 4.0]];
    let classifier = NaiveBayes::new(SharedGaussian::default()).fit(&x, &[0_u8, 0, 1, 1]).expect("fits");
    agrees(&classifier, &x).expect("agrees");
    agrees(&classifier, &array![[5e5, -5e5], [1e12, -1e12], [0.5, 3.5]]).expect("agrees");
}

#[test]
fn bad_rows_are_refused_as_the_classifier_does() {
    let x = array![[1.0, 2.0], [3.0, 4.0], [5.0, 1.0]];
    let labels = [0_u8, 0, 1];
    let counts = NaiveBayes::new(Multinomial::default()).fit(&x, &labels).expect("fits");
    let reals = NaiveBayes::new(SharedGaussian::default()).fit(&x, &labels).expect("fits");
    let (counts_form, reals_form) = (LinearForm::new(&counts), LinearForm::new(&reals));
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0] {
        let rows = array![[1.0, 1.0], [1.0, bad]];
        let message = |error: PredictError| error.to_string();
        let expected = counts.joint_log_likelihood(&rows).map_err(message);
        assert_eq!(counts_form.scores(&rows).map_err(message).err(), expected.err());
        let expected = reals.joint_log_likelihood(&rows).map_err(message);
        assert_eq!(reals_form.scores(&rows).map_err(message).err(), expected.err());
    }
    let far = reals_form.scores(&array![[1.0, 1.0], [1e308, 1.0]]).unwrap_err().to_string();
    assert!(far.starts_with("row 1, column 0: 1e308 is so many standard deviations away"), "{far}");
    let narrow = reals_form.scores(&Array2::<f64>::zeros((1, 3))).unwrap_err().to_string();
    assert_eq!(narrow, "the rows have 3 columns, the model 2");
    assert_eq!(reals_form.predict(&Array2::<f32>::zeros((0, 2))), Ok(vec![]));
}

#[test]
fn a_variance_beyond_reach_is_an_error_and_no_nan() {
    // Weights of 1e300 and more: no row can be scored with them.
    let smoothing = VarianceSmoothing::AbsoluteFloor(1e-300);
    for missing in [Missing::Error, Missing::Skip] {
        let model = SharedGaussian { smoothing, missing, ..SharedGaussian::default() };
        let x = array![[1e9], [1e9], [-1e9], [-1e9]];
        let form = LinearForm::new(&NaiveBayes::new(model).fit(&x, &[0_u8, 0, 1, 1]).expect("fits"));
        for value in [0.0, 1e9, f64::NAN] {
            assert!(form.scores(&array![[value]]).is_err());
        }
        assert!(form.scores(&CsrView::<f64, i32>::new(1, &[0, 0], &[], &[]).expect("valid")).is_err());
        assert!(form.hyperplane(0, 1).is_err());
    }
}

#[test]
fn quadratic_families_are_left_to_gaussian() {
    // The boundary of a family with a variance per class is not linear; only the shared variance has a form.
    let x = array![[1.0], [3.0], [0.0], [4.0]];
    let shared = NaiveBayes::new(SharedGaussian::default()).fit(&x, &[0_u8, 0, 1, 1]).expect("fits");
    let own = NaiveBayes::new(Gaussian::default()).fit(&x, &[0_u8, 0, 1, 1]).expect("fits");
    assert_eq!(LinearForm::new(&shared).log_odds(&x, 0, 1).expect("scores"), array![0.0, 0.0, 0.0, 0.0]);
    assert_eq!(own.predict(&array![[-9.0], [2.0], [9.0]]), Ok(vec![1, 0, 1]));
}

#[test]
fn many_rows_in_any_memory_order() {
    let data = nb_datasets::load("digits").expect("embedded");
    let (x, labels) = (data.x(), &data.labels);
    let classifier = NaiveBayes::new(Multinomial::default()).fit(&x, labels).expect("fits");
    let form = LinearForm::new(&classifier);
    assert_eq!(form.predict(&x), classifier.predict(&x));
    let columns_first = x.t().as_standard_layout().to_owned().reversed_axes();
    assert_eq!(form.scores(&columns_first), form.scores(&x));
    assert_eq!(form.scores(&x.mapv(|value| value as f32)), form.scores(&x));
    let mut bad = x.clone();
    bad[[1234, 5]] = -1.0;
    assert_eq!(form.scores(&bad).unwrap_err(), classifier.joint_log_likelihood(&bad).unwrap_err());
}
