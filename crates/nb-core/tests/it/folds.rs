//! Folds add up to the whole, and leaving one out is never having seen it.

use nb_core::{
    Categorical, FeatureModel, Gaussian, Multinomial, Rows, SufficientStats,
    error::{FoldError, LayoutError, UpdateError},
    selection::{FoldAssignment, FoldedStats},
};
use ndarray::{Array2, Axis, array};
use proptest::prelude::*;

const DEALINGS: [FoldAssignment; 2] = [FoldAssignment::Stratified, FoldAssignment::Plain];

/// Statistics of some of the rows.
fn stats_of<M: FeatureModel>(
    model: &M,
    case: &nb_laws::Case,
    weights: Option<&[f64]>,
    keep: impl Fn(usize) -> bool,
) -> SufficientStats<u8> {
    let rows: Vec<usize> = (0..case.n_rows()).filter(|&row| keep(row)).collect();
    let x = case.rows.select(Axis(0), &rows);
    let labels: Vec<u8> = rows.iter().map(|&row| case.labels[row]).collect();
    let mut stats = SufficientStats::new(model, case.rows.ncols()).unwrap();
    match weights {
        None => stats.update(model, &x, &labels).unwrap(),
        Some(weights) => {
            let weights: Vec<f64> = rows.iter().map(|&row| weights[row]).collect();
            stats.update_weighted(model, &x, &labels, &weights).unwrap();
        }
    }
    stats
}

fn check_parts<M: FeatureModel>(
    folds: &FoldedStats<u8>,
    model: &M,
    case: &nb_laws::Case,
    weights: Option<&[f64]>,
    fold_of: &[usize],
) {
    assert_eq!(folds.whole(), stats_of(model, case, weights, |_| true));
    for fold in 0..folds.n_folds() {
        assert_eq!(folds.folds()[fold], stats_of(model, case, weights, |row| fold_of[row] == fold));
        assert_eq!(folds.without(fold).unwrap(), stats_of(model, case, weights, |row| fold_of[row] != fold));
    }
    assert!(folds.without(folds.n_folds()).is_none());
}

/// The fold of each row as the documentation says.
fn dealt(labels: &[u8], n_folds: usize, dealing: FoldAssignment) -> Vec<usize> {
    let mut classes: Vec<(u8, usize)> = Vec::new();
    let place = |(row, &label): (usize, &u8)| {
        if dealing == FoldAssignment::Plain {
            return row % n_folds;
        }
        let class = classes.iter().position(|(known, _)| *known == label).unwrap_or_else(|| {
            classes.push((label, 0));
            classes.len() - 1
        });
        classes[class].1 += 1;
        (classes[class].1 - 1 + class) % n_folds
    };
    labels.iter().enumerate().map(place).collect()
}

fn check_folds<M: FeatureModel>(model: &M, case: &nb_laws::Case, n_folds: usize) {
    let n_columns = case.rows.ncols();
    for dealing in DEALINGS {
        let fold_of = dealt(&case.labels, n_folds, dealing);
        let empty = FoldedStats::new(model, n_columns, n_folds, dealing).unwrap();
        let mut at_once = empty.clone();
        at_once.update(model, &case.rows, &case.labels).unwrap();
        check_parts(&at_once, model, case, None, &fold_of);

        let mut in_two = empty.clone();
        let (before, after) = case.rows.view().split_at(Axis(0), case.cut);
        let (labels_before, labels_after) = case.labels.split_at(case.cut);
        in_two.update(model, &before, labels_before).unwrap();
        in_two.update(model, &after, labels_after).unwrap();
        assert_eq!(in_two, at_once);

        let mut weighted = empty.clone();
        weighted.update_weighted(model, &case.rows, &case.labels, &case.weights).unwrap();
        check_parts(&weighted, model, case, Some(&case.weights), &fold_of);
    }
    let given: Vec<usize> = case.order.iter().map(|place| place * place % n_folds).collect();
    let mut assigned = FoldedStats::new(model, n_columns, n_folds, FoldAssignment::default()).unwrap();
    assigned.update_assigned(model, &case.rows, &case.labels, &given).unwrap();
    check_parts(&assigned, model, case, None, &given);
    let mut assigned = FoldedStats::new(model, n_columns, n_folds, FoldAssignment::default()).unwrap();
    assigned.update_assigned_weighted(model, &case.rows, &case.labels, &case.weights, &given).unwrap();
    check_parts(&assigned, model, case, Some(&case.weights), &given);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn gaussian(case in nb_laws::cases(3, nb_laws::reals()), n_folds in 2..6_usize) {
        check_folds(&Gaussian::default(), &case, n_folds);
    }

    #[test]
    fn multinomial(case in nb_laws::cases(4, nb_laws::counts()), n_folds in 2..6_usize) {
        check_folds(&Multinomial::default(), &case, n_folds);
    }

    #[test]
    fn categorical(case in nb_laws::cases(2, (0..6_u8).prop_map(f64::from)), n_folds in 2..6_usize) {
        check_folds(&Categorical::default(), &case, n_folds);
    }
}

#[test]
fn many_rows_of_bytes_are_dealt_as_few() {
    // More rows than a chunk, so that they are gathered from the whole table at once.
    let x = Array2::from_shape_fn((9000, 5), |(row, column)| (row * 31 + column * row / 7) as u8 % 9);
    let labels: Vec<String> = (0..9000).map(|row| format!("{}", row * row % 4)).collect();
    let model = Categorical::default();
    for dealing in DEALINGS {
        let mut at_once = FoldedStats::new(&model, 5, 7, dealing).unwrap();
        at_once.update(&model, &x, &labels).unwrap();
        let mut in_pieces = FoldedStats::new(&model, 5, 7, dealing).unwrap();
        for first in (0..9000).step_by(750) {
            let piece = x.slice(ndarray::s![first..first + 750, ..]);
            in_pieces.update(&model, &piece, &labels[first..first + 750]).unwrap();
        }
        assert_eq!(at_once, in_pieces);
        let mut whole = SufficientStats::new(&model, 5).unwrap();
        whole.update(&model, &x, &labels).unwrap();
        assert_eq!(at_once.whole(), whole);
    }
}

#[test]
fn stratified_folds_have_equal_shares() {
    let x = Array2::<f64>::ones((100, 1));
    // Two classes in turn, which plain dealing to two folds would separate.
    let labels: Vec<u8> = (0..100).map(|row| row % 2).collect();
    let mut folds = FoldedStats::new(&Multinomial::default(), 1, 2, FoldAssignment::Stratified).unwrap();
    folds.update(&Multinomial::default(), &x, &labels).unwrap();
    for fold in folds.folds() {
        assert!(fold.class_weights().iter().map(nb_core::exact::Exact::to_f64).eq([25.0, 25.0]));
    }
    assert!(folds.forget_class(&0));
    assert!(!folds.forget_class(&0));
    assert_eq!(folds.whole().classes().collect::<Vec<_>>(), [&1]);
}

#[test]
fn what_is_refused_changes_nothing() {
    let model = Multinomial::default();
    let new = |n_folds| FoldedStats::<&str>::new(&model, 1, n_folds, FoldAssignment::Stratified);
    for n_folds in [0, 1, usize::MAX] {
        assert!(matches!(new(n_folds), Err(LayoutError::Parameter { .. })));
    }
    assert_eq!(
        FoldedStats::<&str>::new(&model, 0, 3, FoldAssignment::Plain).unwrap_err(),
        LayoutError::NoColumns
    );
    let mut folds = new(3).unwrap();
    folds.update(&model, &array![[1.0]], &["a"]).unwrap();
    let before = folds.clone();
    let x = array![[1.0], [2.0], [-3.0]];
    let labels = ["a", "b", "b"];
    match folds.update(&model, &x, &labels) {
        Err(UpdateError::Value(error)) => assert_eq!((error.row, error.value), (2, -3.0)),
        other => panic!("{other:?}"),
    }
    let fine = x.mapv(f64::abs);
    assert!(matches!(folds.update(&model, &fine, &labels[..2]), Err(UpdateError::Labels { .. })));
    assert!(matches!(
        folds.update_weighted(&model, &fine, &labels, &[1.0, -1.0, 1.0]),
        Err(UpdateError::Weight { row: 1, .. })
    ));
    assert!(matches!(folds.update(&Gaussian::default(), &fine, &labels), Err(UpdateError::Layout(_))));
    assert_eq!(
        folds.update_assigned(&model, &fine, &labels, &[0, 3, 1]),
        Err(FoldError::NoSuchFold { row: 1, fold: 3, n_folds: 3 })
    );
    assert_eq!(
        folds.update_assigned(&model, &fine, &labels, &[0, 1]),
        Err(FoldError::Length { rows: 3, folds: 2 })
    );
    let more_labels = ["a", "b", "b", "b"];
    assert_eq!(
        folds.update_assigned(&model, &fine, &more_labels, &[0, 1, 2]),
        Err(FoldError::Update(UpdateError::Labels { rows: fine.n_rows(), labels: 4 }))
    );
    assert_eq!(folds, before);
}

#[test]
fn rows_are_dealt_as_they_say() {
    let x = Array2::from_shape_fn((11, 1), |(row, _)| (row * row) as f64);
    let labels = ["b", "a", "c", "a", "b", "b", "a", "a", "c", "a", "b"];
    for (dealing, n_folds) in DEALINGS.into_iter().flat_map(|dealing| (2..7).map(move |k| (dealing, k))) {
        let model = Gaussian::default();
        let mut dealt = FoldedStats::new(&model, 1, n_folds, dealing).unwrap();
        let mut assigned = dealt.clone();
        dealt.update(&model, &x, &labels).unwrap();
        assigned.update_assigned(&model, &x, &labels, &dealing.deal(&labels, n_folds)).unwrap();
        assert_eq!(dealt.folds(), assigned.folds());
    }
    assert_eq!(FoldAssignment::default().deal(&labels, 0), [0; 11]);
}
