//! Rows that were never added cannot be removed: each family names the column whose sums no rows can have.

use nb_core::error::{RetractError, StatsError, SumProblem, UpdateError};
use nb_core::{
    Bernoulli, Blocks, Categorical, Complement, FeatureModel, Gaussian, Missing, Multinomial,
    NegativeBinomial, Poisson, SufficientStats, ZeroInflatedGaussian,
};
use ndarray::{Array2, array};

/// What is said of removing `others` from the statistics of `rows`, all of class "a"; there are rows of class
/// "0" as well.
fn refusal<M: FeatureModel>(model: &M, rows: &Array2<f64>, others: &Array2<f64>) -> (usize, SumProblem) {
    let mut stats = SufficientStats::new(model, rows.ncols()).unwrap();
    stats.update(model, rows, &vec!["a"; rows.nrows()]).unwrap();
    stats.update(model, rows, &vec!["0"; rows.nrows()]).unwrap();
    let before = stats.clone();
    let error =
        stats.retract(model, others, &vec!["a"; others.nrows()]).expect_err("rows that were never added");
    assert_eq!(stats, before, "nothing is changed by an error");
    assert!(error.to_string().ends_with("only rows that were added can be removed"), "{error}");
    let UpdateError::Retract(RetractError::Impossible { class: 1, sums }) = error else { panic!("{error}") };
    (sums.column, sums.problem)
}

#[test]
fn a_variance_does_not_become_negative() {
    let rows = array![[1.0, 1.0], [1.0, 2.0], [1.0, 4.0]];
    let (column, problem) = refusal(&Gaussian::default(), &rows, &array![[1.0, 9.0]]);
    assert_eq!(column, 1);
    assert!(matches!(problem, SumProblem::NegativeVariance { variance } if variance < 0.0), "{problem}");
    // A constant column is left with a spread by any other value, on either side of it.
    let (column, problem) = refusal(&Gaussian::default(), &rows, &array![[1.0 + f64::EPSILON, 2.0]]);
    assert_eq!((column, matches!(problem, SumProblem::NegativeVariance { .. })), (0, true));
    let (column, _) = refusal(&NegativeBinomial::default(), &rows, &array![[2.0, 2.0]]);
    assert_eq!(column, 0);
}

#[test]
fn more_cells_cannot_be_missing_than_there_are() {
    let model = Gaussian { missing: Missing::Skip, ..Gaussian::default() };
    let rows = array![[f64::NAN, 1.0], [2.0, 1.0], [2.0, 1.0]];
    let others = array![[f64::NAN, 1.0], [f64::NAN, 1.0]];
    assert_eq!(refusal(&model, &rows, &others), (0, SumProblem::Negative { value: -1.0 }));
    let mut stats = SufficientStats::new(&model, 2).unwrap();
    stats.update(&model, &rows, &["a", "a", "a"]).unwrap();
    let error = stats.retract(&model, &others, &["b", "b"]);
    assert!(matches!(error, Err(UpdateError::Retract(RetractError::UnknownClass { class: 0 }))), "{error:?}");
}

#[test]
fn counts_do_not_become_negative() {
    let rows = array![[1.0, 2.0], [0.0, 1.0], [0.0, 1.0]];
    let negative = SumProblem::Negative { value: -1.0 };
    for others in [array![[2.0, 1.0]], array![[1.0, 1.0], [1.0, 1.0]]] {
        assert_eq!(refusal(&Multinomial::default(), &rows, &others), (0, negative.clone()));
        assert_eq!(refusal(&Complement::default(), &rows, &others), (0, negative.clone()));
        assert_eq!(refusal(&Poisson::default(), &rows, &others), (0, negative.clone()));
    }
    assert_eq!(refusal(&Bernoulli::default(), &rows, &array![[1.0, 1.0], [1.0, 1.0]]), (0, negative.clone()));
    let above = SumProblem::AboveWeight { value: 3.0, weight: 2.0 };
    assert_eq!(refusal(&Bernoulli::default(), &rows, &array![[1.0, 0.0]]), (1, above));
    let categories = refusal(&Categorical::default(), &rows, &array![[1.0, 1.0], [1.0, 1.0]]);
    assert_eq!(categories, (0, negative));
}

#[test]
fn counts_of_no_cells_are_refused() {
    let rows = array![[3.0], [f64::NAN], [f64::NAN]];
    let others = array![[2.0]];
    let poisson = Poisson { missing: Missing::Skip, ..Poisson::default() };
    assert_eq!(refusal(&poisson, &rows, &others), (0, SumProblem::OfNothing { value: 1.0 }));
    let gaussian = Gaussian { missing: Missing::Skip, ..Gaussian::default() };
    assert_eq!(refusal(&gaussian, &rows, &others), (0, SumProblem::OfNothing { value: 1.0 }));
    let zeros = array![[0.0], [3.0], [0.0]];
    assert_eq!(
        refusal(&ZeroInflatedGaussian::default(), &zeros, &others),
        (0, SumProblem::OfNothing { value: 1.0 })
    );
}

#[test]
fn a_mixed_model_names_its_own_columns() {
    let model = Blocks::new().with([3, 1], Gaussian::default()).with([2], Categorical::default()).ignore([0]);
    let rows = array![[7.0, 5.0, 0.0, 1.0], [8.0, 6.0, 1.0, 1.0], [9.0, 6.0, 0.0, 1.0]];
    assert_eq!(refusal(&model, &rows, &array![[7.0, 5.0, 0.0, 2.0]]).0, 3);
    assert_eq!(refusal(&model, &rows, &array![[7.0, 50.0, 0.0, 1.0]]).0, 1);
    assert_eq!(refusal(&model, &rows, &array![[7.0, 5.0, 2.0, 1.0]]).0, 2);
}

#[test]
fn parts_that_no_rows_have_are_refused() {
    let model = Categorical::default();
    let mut stats = SufficientStats::new(&model, 1).unwrap();
    stats.update(&model, &array![[0.0], [1.0], [1.0]], &["a", "a", "b"]).unwrap();
    let weights = stats.class_weights();
    let parts = |factor: f64| {
        let labels = stats.classes().copied();
        let sums = stats.class_sums().map(<[_]>::to_vec);
        let parts = labels.zip(&weights).zip(sums);
        let parts = parts.map(move |((label, weight), sums)| (label, weight.times(factor), sums));
        SufficientStats::from_parts(&model, 1, parts.collect::<Vec<_>>())
    };
    assert_eq!(parts(1.0).as_ref(), Ok(&stats));
    let Err(StatsError::Impossible { class: 0, sums }) = parts(0.5) else { panic!("{:?}", parts(0.5)) };
    assert_eq!(sums.to_string(), "column 0: count 2 above the weight 1 of the rows");
}
