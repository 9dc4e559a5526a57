//! Forms and families from parameters that come from elsewhere, and linear families of third parties.

use nb_core::{
    Classifier, FeatureModel, Likelihood, Missing, NaiveBayes, Unseen,
    error::{FamilyError, LayoutError, ParameterError, ValueError, ValueProblem},
    exact::ExactSums,
    family::{Block, ClassSums, SumLayout, Weights},
    fitted::{FittedCategorical, FittedMultinomial},
};
use nb_linear::{
    BinaryForm, CenteredForm, ColumnTerm, FittedSharedGaussian, LabelCode, Linear, LinearColumn, LinearForm,
    LogisticRegression, SharedGaussian,
};
use ndarray::{Array2, array};

#[test]
fn a_form_survives_its_own_parameters() {
    let data = nb_datasets::load("iris").expect("embedded");
    let x = data.x();
    let classifier = NaiveBayes::new(SharedGaussian::default()).fit(&x, &data.labels).expect("fits");
    let logistic = LogisticRegression::default().fit(&x, &data.labels).expect("fits");
    for form in [LinearForm::new(&classifier), logistic] {
        let CenteredForm { weights, center, scores_at_center, .. } = form.centered();
        let (center, scores) = (center.to_vec(), scores_at_center.to_vec());
        let again = LinearForm::from_parameters(form.classes().to_vec(), &center, &weights.view(), &scores);
        let again = again.expect("valid");
        let difference = form.scores(&x).expect("scores") - again.scores(&x).expect("scores");
        assert!(difference.iter().all(|difference| difference.abs() < 1e-12));
    }
}

#[test]
fn bad_parameters() {
    let weights = array![[0.0, 0.0], [1.0, f64::NAN]];
    let of = |classes: Vec<u8>, center: &[f64], weights: &Array2<f64>, intercepts: &[f64]| {
        LinearForm::from_parameters(classes, center, &weights.view(), intercepts)
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    let good = array![[0.0, 0.0], [1.0, 1.0]];
    assert_eq!(
        of(vec![0, 1], &[0.0, 0.0], &weights, &[0.0, 0.0]),
        "a weight is NaN in row 1, column 1; it must be finite"
    );
    assert_eq!(
        of(vec![0, 1, 2], &[0.0, 0.0], &good, &[0.0, 0.0]),
        "the table of labels has the shape (1, 3); it must be (1, 2)"
    );
    assert!(of(vec![1, 0], &[0.0, 0.0], &good, &[0.0, 0.0]).starts_with("label 1 is not above"));
    assert!(of(vec![0, 1], &[0.0], &good, &[0.0, 0.0]).starts_with("the center has the shape (1, 1)"));
    assert!(of(vec![0, 1], &[0.0, f64::INFINITY], &good, &[0.0, 0.0]).starts_with("a center is inf"));
    assert!(of(vec![0, 1], &[0.0, 0.0], &good, &[0.0]).starts_with("the table of scores at the center"));
    assert!(of(vec![], &[0.0, 0.0], &Array2::zeros((0, 2)), &[]).starts_with("the table of labels"));
}

#[test]
fn a_shared_gaussian_from_parameters() {
    let fitted =
        FittedSharedGaussian::new(&array![[2.0], [4.0]].view(), &[1.0], Missing::Skip).expect("valid");
    assert_eq!((fitted.missing(), fitted.variances()), (Missing::Skip, [1.0].as_slice()));
    let log_prior = vec![0.8_f64.ln(), 0.2_f64.ln()];
    let classifier = Classifier::from_parts(vec!["ham", "spam"], log_prior, fitted, 1).expect("valid");
    let form = BinaryForm::new(LinearForm::new(&classifier)).expect("two classes");
    assert_eq!(form.predict(&array![[3.0], [4.0], [f64::NAN]], LabelCode::MinusPlus), Ok(vec![-1, 1, -1]));

    let means = array![[2.0], [4.0]];
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(FittedSharedGaussian::new(&means.view(), &[bad], Missing::Error).is_err());
    }
    let shape = FittedSharedGaussian::new(&means.view(), &[1.0, 1.0], Missing::Error).unwrap_err();
    assert!(matches!(shape, ParameterError::Shape { expected: (1, 1), found: (1, 2), .. }));
}

#[test]
fn families_of_another_size_than_their_classifier_are_refused() {
    fn refused<F: Likelihood>(fitted: F, n_columns: usize) -> bool {
        let prior = vec![(1.0_f64 / 3.0).ln(); 3];
        let classifier = Classifier::from_parts(vec![0, 1, 2], prior, fitted, n_columns);
        matches!(classifier, Err(ParameterError::Shape { name: "the fitted family", .. }))
    }
    let means = array![[2.0], [4.0]];
    assert!(refused(FittedSharedGaussian::new(&means.view(), &[1.0], Missing::Error).expect("valid"), 2));
    let logs = array![[0.5_f64.ln(), 0.5_f64.ln()]];
    assert!(refused(FittedMultinomial::new(logs.clone(), Missing::Error).expect("valid"), 1));
    assert!(refused(FittedCategorical::new(vec![logs], Unseen::Error, Missing::Error).expect("valid"), 3));
}

/// Waiting times, `log p = log λ - λ x`: a linear family from outside.
struct Exponential;

struct FittedExponential(Array2<f64>);

fn check(rows: &Block<'_>) -> Result<(), ValueError> {
    let usable = |value: f64| (0.0..1e100).contains(&value);
    let problem = || ValueProblem::Other("is not a waiting time".into());
    ValueError::first(rows.find_stored(|_, value| (!usable(value)).then(problem)))
}

impl FeatureModel for Exponential {
    type Fitted = FittedExponential;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        Ok(SumLayout::new("exponential", [("sum", n_columns)]))
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        check(rows)
    }

    fn update(&self, rows: &Block<'_>, weights: Weights<'_>, sums: &mut [ExactSums]) {
        rows.for_each_stored(|row, column, value| sums[0].add_product(column, weights.get(row), value));
    }

    fn fit(&self, classes: &[ClassSums<'_>]) -> Result<FittedExponential, FamilyError> {
        let n_columns = classes[0].part(0).len();
        Ok(FittedExponential(Array2::from_shape_fn((classes.len(), n_columns), |(class, column)| {
            classes[class].weight().divided_by(&classes[class].part(0).get(column)).0
        })))
    }
}

impl Likelihood for FittedExponential {
    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        check(rows)
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        let rate = self.0[[class, column]];
        rate.ln() - rate * value
    }
}

impl Linear for FittedExponential {
    fn linear_columns(&self, _n_classes: usize, _n_columns: usize) -> Vec<LinearColumn> {
        let column = |rates: ndarray::ArrayView1<'_, f64>| {
            let (weights, constants) =
                (rates.map(|rate| -rate).to_vec(), rates.map(|rate| rate.ln()).to_vec());
            let term = ColumnTerm::Real { center: 0.0, spread: 1.0, weights, constants };
            LinearColumn { term, missing: Missing::Error }
        };
        self.0.columns().into_iter().map(column).collect()
    }
}

#[test]
fn a_linear_family_from_outside_has_a_form() {
    let x = array![[1.0, 3.0], [3.0, 1.0], [20.0, 2.0], [40.0, 8.0]];
    let classifier = NaiveBayes::new(Exponential).fit(&x, &["short", "short", "long", "long"]).expect("fits");
    let scores = LinearForm::new(&classifier).scores(&x).expect("scores");
    let joint = classifier.joint_log_likelihood(&x).expect("scores");
    assert!(scores.iter().zip(&joint).all(|(a, b)| (a - b).abs() < 1e-13));
}
