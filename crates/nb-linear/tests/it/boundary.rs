//! Boundaries, distances, informative features, the binary view.

use nb_core::{
    Bernoulli, Blocks, Categorical, CsrView, Gaussian, Missing, Multinomial, NaiveBayes, Poisson, Prior,
    Smoothing, VarianceSmoothing,
};
use nb_linear::{
    BinaryForm, EncodedColumn, Encoding, FormError, LabelCode, LinearForm, LinearModel, SharedGaussian,
    gaussian_crossings,
};
use ndarray::{Array2, array};

/// The form of the first two iris species, or of all three.
fn iris(n_classes: usize, prior: Prior) -> (LinearForm<usize>, Array2<f64>, Vec<usize>) {
    let data = nb_datasets::load("iris").expect("embedded");
    let rows: Vec<usize> = (0..data.n_rows()).filter(|&row| data.labels[row] < n_classes).collect();
    let labels: Vec<usize> = rows.iter().map(|&row| data.labels[row]).collect();
    let x = data.x().select(ndarray::Axis(0), &rows);
    let classifier = NaiveBayes { model: SharedGaussian::default(), prior }.fit(&x, &labels).expect("fits");
    (LinearForm::new(&classifier), x, labels)
}

#[test]
fn the_hyperplane_is_where_the_log_odds_are_zero() {
    let (form, x, _) = iris(3, Prior::Given(vec![0.5, 0.1, 0.4]));
    let plane = form.hyperplane(2, 1).expect("a plane");
    let length = plane.normal.dot(&plane.normal).sqrt();
    let (odds, distances) =
        (form.log_odds(&x, 2, 1).expect("scores"), form.distance(&x, 2, 1).expect("scores"));
    for (row, (&odds, &distance)) in x.rows().into_iter().zip(odds.iter().zip(&distances)) {
        assert!((plane.normal.dot(&(&row - &plane.center)) + plane.log_odds_at_center - odds).abs() < 1e-10);
        assert!((distance - odds / length).abs() < 1e-12 * distance.abs().max(1.0));
        // Walk back by the distance: the foot of the perpendicular is on the boundary.
        let foot = (&row - &(&plane.normal * (distance / length))).insert_axis(ndarray::Axis(0));
        assert!(form.log_odds(&foot, 2, 1).expect("scores")[0].abs() < 1e-10);
        assert!((plane.coef().dot(&row) + plane.intercept() - odds).abs() < 1e-9);
    }
    // The other way round it is the same plane.
    let back = form.hyperplane(1, 2).expect("a plane");
    assert_eq!((-back.normal, -back.log_odds_at_center), (plane.normal, plane.log_odds_at_center));
}

#[test]
fn lines_in_a_plane_of_two_columns() {
    let (form, x, _) = iris(3, Prior::Empirical);
    for row in [60, 110] {
        let at = x.row(row).to_vec();
        let line = form.boundary_in(2, 1, [2, 3], &at).expect("a line");
        for value in [1.0, 4.5, 6.0] {
            let mut point = x.row(row).to_owned().insert_axis(ndarray::Axis(0));
            (point[[0, 2]], point[[0, 3]]) = (value, line.y_at(value).expect("crosses"));
            assert!(form.log_odds(&point, 2, 1).expect("scores")[0].abs() < 1e-10);
            assert!((line.x_at(point[[0, 3]]).expect("crosses") - value).abs() < 1e-12);
        }
        for [x, y] in line.crossings([0.0, 8.0], [0.0, 3.0]) {
            assert!((line.y_at(x).expect("crosses") - y).abs() < 1e-12);
        }
        assert_eq!(line.crossings([0.0, 8.0], [0.0, 3.0]).len(), 2);
        assert!(line.crossings([0.0, 0.1], [0.0, 0.1]).is_empty());
    }
}

#[test]
fn questions_without_an_answer() {
    let (form, x, _) = iris(3, Prior::Empirical);
    assert_eq!(form.hyperplane(0, 3), Err(FormError::NoSuchClass { class: 3, n_classes: 3 }));
    assert_eq!(form.hyperplane(1, 1), Err(FormError::SameClass { class: 1 }));
    assert_eq!(form.log_odds(&x, 9, 0), Err(FormError::NoSuchClass { class: 9, n_classes: 3 }));
    assert_eq!(form.most_informative(3, 1), Err(FormError::NoSuchClass { class: 3, n_classes: 3 }));
    let at = [0.0; 4];
    assert_eq!(form.boundary_in(0, 1, [1, 1], &at), Err(FormError::SameColumn { column: 1 }));
    assert_eq!(form.boundary_in(0, 1, [0, 4], &at), Err(FormError::NoSuchColumn { column: 4, n_columns: 4 }));
    assert!(form.boundary_in(0, 1, [0, 1], &at[..3]).is_err());
    assert!(form.boundary_in(0, 1, [0, 1], &[0.0, 0.0, f64::NAN, 0.0]).is_err());
    assert_eq!(BinaryForm::new(form).unwrap_err(), FormError::NotTwoClasses { n_classes: 3 });

    let (form, ..) = iris(2, Prior::Given(vec![1.0, 0.0]));
    assert_eq!(form.hyperplane(0, 1), Err(FormError::Infinite));
    assert_eq!(form.boundary_in(0, 1, [0, 1], &at), Err(FormError::Infinite));

    let x = array![[0.0, 1.0], [1.0, 2.0]];
    let form = LinearForm::new(&NaiveBayes::new(Categorical::default()).fit(&x, &[0, 1]).expect("fits"));
    assert_eq!(form.boundary_in(0, 1, [0, 1], &[0.0, 1.0]), Err(FormError::NotNumeric { column: 0 }));
    let exact = Multinomial { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..Multinomial::default() };
    let form = LinearForm::new(&NaiveBayes::new(exact).fit(&x, &[0, 1]).expect("fits"));
    assert_eq!(form.distance(&x, 0, 1), Err(FormError::Infinite));
    assert_eq!(form.boundary_in(0, 1, [0, 1], &[0.0, 1.0]), Err(FormError::Infinite));
}

#[test]
fn distances_with_missing_cells_and_without_a_boundary() {
    let x = array![[0.0, 0.0], [2.0, 2.0], [4.0, 2.0], [6.0, 4.0]];
    let skip = SharedGaussian { missing: Missing::Skip, ..SharedGaussian::default() };
    let form = LinearForm::new(&NaiveBayes::new(skip).fit(&x, &[0, 0, 1, 1]).expect("fits"));
    // Without the second column there is a threshold at 3.
    let distances = form.distance(&array![[5.0, f64::NAN], [f64::NAN, f64::NAN]], 1, 0).expect("scores");
    assert!((distances[0] - 2.0).abs() < 1e-14);
    assert_eq!(distances[1], 0.0);
    // Equal means: no boundary.
    let same = array![[0.0], [1.0], [0.0], [1.0], [0.0], [1.0]];
    let form = LinearForm::new(&NaiveBayes::new(skip).fit(&same, &[0, 0, 1, 1, 1, 1]).expect("fits"));
    assert_eq!(form.distance(&array![[0.5]], 1, 0), Ok(array![f64::INFINITY]));
}

#[test]
fn features_in_the_open() {
    let mixed = Blocks::default()
        .with_same([3], LinearModel::new(SharedGaussian::default()))
        .with_same([0], LinearModel::new(Categorical::default()))
        .with_same([1], LinearModel::new(Bernoulli { threshold: 0.5, ..Bernoulli::default() }))
        .with_same([4], LinearModel::new(Poisson::default()))
        .ignore([2]);
    let x = array![
        [0.0, 1.0, 7.0, 1.5, 3.0],
        [2.0, 0.0, 7.0, 2.5, 1.0],
        [2.0, 0.0, 7.0, 4.5, 0.0],
        [0.0, 0.0, 7.0, 6.0, 0.0]
    ];
    let classifier = NaiveBayes::new(mixed).fit(&x, &['a', 'a', 'b', 'b']).expect("fits");
    let form = LinearForm::new(&classifier);
    let encodings = [
        (0, Encoding::Code(0)),
        (0, Encoding::Code(2)),
        (1, Encoding::Above(0.5)),
        (3, Encoding::Value),
        (4, Encoding::Value),
    ];
    assert_eq!(form.features(), encodings.map(|(column, encoding)| EncodedColumn { column, encoding }));
    // w · (φ - center) + b, by hand, gives the scores.
    let encode = |row: ndarray::ArrayView1<'_, f64>| {
        let indicator = |truth: bool| f64::from(u8::from(truth));
        array![indicator(row[0] == 0.0), indicator(row[0] == 2.0), indicator(row[1] > 0.5), row[3], row[4]]
    };
    let centered = form.centered();
    let (coef, intercept) = (form.coef(), form.intercept());
    let scores = form.scores(&x).expect("scores");
    for (row, scores) in x.rows().into_iter().zip(scores.rows()) {
        let features = encode(row);
        let by_hand = centered.weights.dot(&(&features - &centered.center)) + &centered.scores_at_center;
        assert!(by_hand.iter().zip(scores).all(|(a, b)| (a - b).abs() < 1e-12), "{by_hand} {scores}");
        let by_hand = coef.dot(&features) + &intercept;
        assert!(by_hand.iter().zip(scores).all(|(a, b)| (a - b).abs() < 1e-12), "{by_hand} {scores}");
    }
}

#[test]
fn informative_words() {
    let sms = nb_datasets::load_text().expect("embedded");
    let labels = sms.y();
    let x = CsrView::new(sms.n_terms(), &sms.indptr, &sms.indices, &sms.values).expect("valid");
    let classifier = NaiveBayes::new(Multinomial::default()).fit(&x, &labels).expect("fits");
    let form = LinearForm::new(&classifier);
    assert_eq!(form.predict(&x), classifier.predict(&x));
    let spam = form.most_informative(1, 5).expect("a class");
    let log = classifier.likelihood().log_probabilities();
    assert!(spam.windows(2).all(|pair| pair[0].effect >= pair[1].effect));
    let best = log[[1, spam[0].feature.column]] - log[[0, spam[0].feature.column]];
    assert_eq!(spam[0].weight, best);
    let all = form.most_informative(0, usize::MAX).expect("a class");
    assert_eq!(all.len(), sms.n_terms());
    // What speaks most against ham speaks most for spam.
    assert_eq!(all.last().map(|last| -last.effect), Some(spam[0].effect));
}

#[test]
fn informative_features_with_infinite_weights_and_ties() {
    let exact = Multinomial { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..Multinomial::default() };
    // Columns: only in a; in neither; in both alike, twice.
    let x = array![[2.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0]];
    let form = LinearForm::new(&NaiveBayes::new(exact).fit(&x, &['a', 'b']).expect("fits"));
    let features = form.most_informative(0, 9).expect("a class");
    assert_eq!(features.iter().map(|feature| feature.feature.column).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!((features[0].effect, features[1].effect), (f64::INFINITY, 0.0));
    assert_eq!(features[2].effect, features[3].effect);
}

#[test]
fn the_binary_view_in_both_codes() {
    let prior = Prior::Given(vec![0.9, 0.1]);
    let (form, x, labels) = iris(2, prior);
    let form = BinaryForm::new(form).expect("two classes");
    let decision = form.decision(&x).expect("scores");
    assert_eq!(form.form().log_odds(&x, 1, 0), Ok(decision.clone()));
    let p = form.predict_proba(&x).expect("scores");
    let both = form.form().predict_proba(&x).expect("scores");
    for (row, (&p, &f)) in p.iter().zip(&decision).enumerate() {
        assert!((p - 1.0 / (1.0 + (-f).exp())).abs() < 1e-15 && (p - both[[row, 1]]).abs() < 1e-15);
    }
    let codes = [LabelCode::ZeroOne, LabelCode::MinusPlus];
    let [zero_one, minus_plus] = codes.map(|code| {
        let labels: Vec<i8> = labels.iter().map(|&label| code.numbers()[label]).collect();
        let predicted = form.predict(&x, code).expect("scores");
        assert_eq!(predicted, labels);
        (form.margins(&x, &labels, code).expect("scores"), form.log_loss(&x, &labels, code).expect("scores"))
    });
    assert_eq!(zero_one, minus_plus);
    assert!(zero_one.0.iter().all(|&margin| margin > 0.0));
    let direct: f64 =
        p.iter().zip(&labels).map(|(&p, &label)| -(if label == 1 { p } else { 1.0 - p }).ln()).sum();
    assert!((zero_one.1 - direct).abs() < 1e-12);

    let error = form.margins(&x.slice(ndarray::s![..2, ..]), &[0, -1], LabelCode::ZeroOne).unwrap_err();
    assert_eq!(error.to_string(), "label -1 of row 1 is neither 0 nor 1");
    let error = form.margins(&x, &[1], LabelCode::MinusPlus).unwrap_err();
    assert_eq!(error.to_string(), "rows: 100, labels: 1; give one label per row");
}

#[test]
fn the_log_prior_odds_are_part_of_the_intercept() {
    let (even, x, _) = iris(2, Prior::Uniform);
    let (skewed, ..) = iris(2, Prior::Given(vec![0.99, 0.01]));
    let shift = skewed.log_odds(&x, 1, 0).expect("scores") - even.log_odds(&x, 1, 0).expect("scores");
    assert!(shift.iter().all(|shift| (shift - (0.01_f64 / 0.99).ln()).abs() < 1e-12));
}

#[test]
fn quadratic_boundaries_of_gaussian() {
    let none = VarianceSmoothing::None;
    let gaussian = Gaussian { smoothing: none, ..Gaussian::default() };
    let data = nb_datasets::load("iris").expect("embedded");
    let x = data.x();
    let classifier = NaiveBayes::new(gaussian).fit(&x, &data.labels).expect("fits");
    let odds = |point: &[f64], class: usize, against: usize| {
        let point = Array2::from_shape_vec((1, 4), point.to_vec()).expect("a row");
        let joint = classifier.joint_log_likelihood(&point).expect("scores");
        joint[[0, class]] - joint[[0, against]]
    };
    let mut found = 0;
    for (class, against) in [(0, 1), (1, 2), (2, 0), (2, 1)] {
        for column in 0..4 {
            for row in [0, 60, 120] {
                let mut at = x.row(row).to_vec();
                let points = gaussian_crossings(&classifier, class, against, column, &at).expect("crosses");
                assert!(points.len() <= 2 && points.is_sorted());
                for point in points {
                    at[column] = point;
                    assert!(odds(&at, class, against).abs() < 1e-9, "{}", odds(&at, class, against));
                    found += 1;
                }
            }
        }
    }
    assert!(found > 20);
    let at = [0.0; 4];
    assert!(gaussian_crossings(&classifier, 0, 0, 0, &at).is_err());
    assert!(gaussian_crossings(&classifier, 0, 3, 0, &at).is_err());
    assert!(gaussian_crossings(&classifier, 0, 1, 4, &at).is_err());
    assert!(gaussian_crossings(&classifier, 0, 1, 0, &at[..2]).is_err());
    assert!(gaussian_crossings(&classifier, 0, 1, 0, &[0.0, f64::NAN, 0.0, 0.0]).is_err());
}

#[test]
fn quadratic_boundaries_at_huge_offsets_and_equal_variances() {
    let at = |offset: f64, values: [f64; 4]| {
        let x = Array2::from_shape_fn((4, 1), |(row, _)| offset + values[row]);
        let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &[0, 0, 1, 1]).expect("fits");
        gaussian_crossings(&classifier, 0, 1, 0, &[0.0]).expect("crosses")
    };
    for offset in [0.0, 1e9, -1e12] {
        // Equal variances: the middle; equal classes: nowhere or everywhere.
        assert_eq!(at(offset, [0.0, 2.0, 4.0, 6.0]), [offset + 3.0]);
        assert!(at(offset, [0.0, 2.0, 0.0, 2.0]).is_empty());
    }
    let (near, far) = (at(0.0, [0.0, 2.0, 2.0, 8.0]), at(1e9, [0.0, 2.0, 2.0, 8.0]));
    assert!(near.iter().zip(&far).all(|(near, far)| (far - 1e9 - near).abs() < 2e-7), "{near:?} {far:?}");
}

#[test]
fn units_do_not_change_what_is_informative() {
    let data = nb_datasets::load("wine").expect("embedded");
    let informative = |x: &Array2<f64>| {
        let classifier = NaiveBayes::new(SharedGaussian::default()).fit(x, &data.labels).expect("fits");
        LinearForm::new(&classifier).most_informative(2, 13).expect("a class")
    };
    let (x, mut other) = (data.x(), data.x());
    other.column_mut(12).mapv_inplace(|value| value / 1024.0);
    for (a, b) in informative(&x).iter().zip(informative(&other)) {
        assert_eq!((a.feature, a.effect), (b.feature, b.effect));
    }
}
