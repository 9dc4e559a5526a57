//! Log-count ratios against scikit-learn, and what they promise.
#![expect(clippy::unreadable_literal, reason = "reference numbers are copied, not read")]

use nb_core::{
    Bernoulli, CsrView, Multinomial, NaiveBayes, SufficientStats,
    error::{PredictError, UpdateError, ValueError, ValueProblem},
};
use nb_linear::{LogisticError, LogisticRegression};
use nb_variants::{CountRatio, CountRatioError};
use ndarray::{Array2, array};
use proptest::prelude::*;

/// The messages of one parity: a matrix in compressed rows, and labels, 1 for spam.
#[derive(Clone)]
struct Messages {
    n_terms: usize,
    indptr: Vec<usize>,
    indices: Vec<usize>,
    values: Vec<f64>,
    labels: Vec<usize>,
}

impl Messages {
    fn new(parity: usize) -> Self {
        let sms = nb_datasets::load_text().expect("embedded");
        let (mut indptr, mut indices, mut values, mut labels) = (vec![0], Vec::new(), Vec::new(), Vec::new());
        for row in (0..sms.n_rows()).filter(|row| row % 2 == parity) {
            let cells = sms.indptr[row]..sms.indptr[row + 1];
            indices.extend_from_slice(&sms.indices[cells.clone()]);
            values.extend_from_slice(&sms.values[cells]);
            indptr.push(values.len());
            labels.push(sms.labels[row]);
        }
        Self { n_terms: sms.n_terms(), indptr, indices, values, labels }
    }

    fn rows(&self) -> CsrView<'_> {
        CsrView::new(self.n_terms, &self.indptr, &self.indices, &self.values).expect("valid")
    }

    /// The same messages with 1 for every count.
    fn indicators(&self) -> Self {
        Self { values: vec![1.0; self.values.len()], ..self.clone() }
    }

    fn hits(&self, found: &[usize]) -> usize {
        found.iter().zip(&self.labels).filter(|(a, b)| a == b).count()
    }
}

fn precise(l2: f64) -> LogisticRegression {
    LogisticRegression::default().with_l2(l2).with_tolerance(1e-12)
}

/// What scikit-learn says of the SMS set.
struct Reference {
    binarize: bool,
    l2: f64,
    intercept: f64,
    /// Sum of the weights, and of their squares.
    sums: [f64; 2],
    /// Column, ratio and weight of the words free, call, txt, ok, claim, the and you.
    words: [(usize, f64, f64); 7],
    /// The log-odds of the first five test messages.
    decisions: [f64; 5],
    hits: usize,
    log_loss: f64,
}

// scikit-learn 1.9.1 and NumPy 2.4.6, for the counts of the messages with even numbers, or their indicators,
// `f`, and labels y, 1 for spam; rows with odd numbers are the test:
//
// p, q = 1 + f[y == 1].sum(0), 1 + f[y == 0].sum(0)
// r = np.log(p / p.sum()) - np.log(q / q.sum())
// m = LogisticRegression(C=1 / l2, tol=1e-12, solver="newton-cg", max_iter=100000).fit(f.multiply(r), y)
// w = m.coef_[0] * r
const REFERENCES: [Reference; 2] = [
    Reference {
        binarize: true,
        l2: 1.0,
        intercept: -4.652359245573118,
        sums: [205.05393766884913, 411.5890221383364],
        words: [
            (3372, 1.8103665648968068, 1.5032054346791714),
            (1827, 1.121783865445451, 2.0020443253228364),
            (7985, 3.7604209386981466, 4.054155433875817),
            (5536, -3.3688766102312258, -1.6343479859831982),
            (2066, 4.917140858173537, 3.766957996256565),
            (7673, -0.8652778274310737, 0.15369837158529803),
            (8667, -0.8736712082426514, 0.22798675784470118),
        ],
        decisions: [
            -6.443201188823814,
            -6.815406375242957,
            -2.5811120424778733,
            -3.7387074250393804,
            4.877433826452938,
        ],
        hits: 2725,
        log_loss: 0.07038329942079771,
    },
    Reference {
        binarize: false,
        l2: 0.1,
        intercept: -6.4117159928310965,
        sums: [301.943498226414, 950.7892179817084],
        words: [
            (3372, 2.1051662590196516, 1.7712092187216208),
            (1827, 1.1647132778664169, 2.249729109013392),
            (7985, 3.8377368568573766, 5.195623682540443),
            (5536, -3.372342771313412, -1.9961432289922034),
            (2066, 5.006966712739438, 4.765693152732782),
            (7673, -0.80134259682601, 0.18149408718820798),
            (8667, -1.0392060658632039, 0.10075676559408384),
        ],
        decisions: [
            -8.62071540158851,
            -10.52227058699102,
            -2.4643812995704026,
            -4.725034451873593,
            9.32684054067776,
        ],
        hits: 2729,
        log_loss: 0.08754385510340269,
    },
];

#[test]
fn sms_messages_agree_with_scikit_learn() {
    let (train, test) = (Messages::new(0), Messages::new(1));
    for expected in &REFERENCES {
        let Reference { binarize, l2, .. } = *expected;
        let model = CountRatio { binarize, logistic: precise(l2), ..CountRatio::default() };
        let classifier = model.fit(&train.rows(), &train.labels).expect("fits");
        let (weights, intercepts) = (classifier.form().coef(), classifier.form().intercept());
        let weights = weights.row(1);
        let close = |a: f64, b: f64, tolerance: f64| assert!((a - b).abs() <= tolerance, "{a} is not {b}");
        for (column, ratio, weight) in expected.words {
            close(classifier.ratios()[[0, column]], ratio, 1e-14 * 5.0);
            close(weights[column], weight, 1e-7);
        }
        close(intercepts[1], expected.intercept, 1e-7);
        close(weights.sum(), expected.sums[0], 1e-5);
        close(weights.dot(&weights), expected.sums[1], 1e-5);

        let found = classifier.predict(&test.rows()).expect("scores");
        assert_eq!(test.hits(&found), expected.hits);
        let log_p = classifier.predict_log_proba(&test.rows()).expect("scores");
        for (row, decision) in expected.decisions.into_iter().enumerate() {
            close(log_p[[row, 1]] - log_p[[row, 0]], decision, 1e-7);
        }
        let loss: f64 = test.labels.iter().enumerate().map(|(row, &label)| -log_p[[row, label]]).sum();
        close(loss / test.labels.len() as f64, expected.log_loss, 1e-8);
    }
}

/// Short messages are no favourite of this method: multinomial naive Bayes is the most accurate, and logistic
/// regression on the indicators themselves has two hits more. (In the paper, too, it is naive Bayes that does
/// well on snippets.)
#[test]
fn on_sms_messages_plain_models_are_no_worse() {
    let (train, test) = (Messages::new(0), Messages::new(1));
    let (train_ones, test_ones) = (train.indicators(), test.indicators());
    let naive = NaiveBayes::new(Multinomial::default());
    let multinomial = naive.fit(&train_ones.rows(), &train.labels).expect("fits");
    let logistic = LogisticRegression::default().fit(&train_ones.rows(), &train.labels).expect("fits");
    let ratio = CountRatio::default().fit(&train.rows(), &train.labels).expect("fits");
    let hits = [
        test.hits(&ratio.predict(&test.rows()).expect("scores")),
        test.hits(&logistic.predict(&test_ones.rows()).expect("scores")),
        test.hits(&multinomial.predict(&test_ones.rows()).expect("scores")),
    ];
    assert_eq!(hits, [2725, 2727, 2743]); // of 2787
}

#[test]
fn ratios_are_those_of_the_definition() {
    let x = array![[2.0, 0.0, 1.0], [0.5, 0.0, 0.0], [0.0, 3.0, 1.0], [0.0, 0.0, 5.0]];
    let y = ["a", "a", "b", "c"];
    let ratios = |binarize, alpha| {
        let model = CountRatio { alpha, binarize, ..CountRatio::default() };
        model.fit(&x, &y).expect("fits").ratios().to_owned()
    };
    let expected = |p: [f64; 3], q: [f64; 3]| {
        let (p_sum, q_sum) = (p.iter().sum::<f64>(), q.iter().sum::<f64>());
        [0, 1, 2].map(|column| ((p[column] / p_sum) / (q[column] / q_sum)).ln())
    };
    for (found, expected) in [
        (ratios(true, 1.0).row(0), expected([3.0, 1.0, 2.0], [1.0, 2.0, 3.0])),
        (ratios(true, 0.5).row(2), expected([0.5, 0.5, 1.5], [2.5, 1.5, 2.5])),
        (ratios(false, 1.0).row(1), expected([1.0, 4.0, 2.0], [3.5, 1.0, 7.0])),
    ] {
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{found} {expected:?}");
    }
}

/// Each class against the others is a problem of two classes, and the answers are its normalised sigmoids.
#[test]
fn more_classes_are_one_against_the_rest() {
    let iris = nb_datasets::load("iris").expect("embedded");
    let (x, y) = (iris.x(), iris.labels);
    let model = CountRatio { binarize: false, logistic: precise(1.0), ..CountRatio::default() };
    let classifier = model.fit(&x, &y).expect("fits");
    let log_p = classifier.predict_log_proba(&x).expect("scores");
    let labels = classifier.predict(&x).expect("scores");
    let sigmoids: Vec<_> = (0..3)
        .map(|class| {
            let is_class: Vec<bool> = y.iter().map(|&label| label == class).collect();
            let pair = model.fit(&x, &is_class).expect("fits");
            assert_eq!(pair.ratios().row(0), classifier.ratios().row(class));
            pair.predict_log_proba(&x).expect("scores").column(1).mapv(f64::exp)
        })
        .collect();
    for row in 0..x.nrows() {
        let sum: f64 = sigmoids.iter().map(|sigmoids| sigmoids[row]).sum();
        for (class, sigmoids) in sigmoids.iter().enumerate() {
            assert!((log_p[[row, class]].exp() - sigmoids[row] / sum).abs() < 1e-12);
            assert!(log_p[[row, class]] <= log_p[[row, labels[row]]]);
        }
    }
}

#[test]
fn statistics_of_more_rows_give_the_ratios() {
    let (train, test) = (Messages::new(0), Messages::new(1));
    let mut stats = SufficientStats::new(&Bernoulli::default(), train.n_terms).expect("fits");
    stats.update(&Bernoulli::default(), &train.rows(), &train.labels).expect("adds");
    let model = CountRatio::default();
    let own = model.fit(&train.rows(), &train.labels).expect("fits");
    let given = model.fit_with_stats(&stats, &train.rows(), &train.labels).expect("fits");
    assert_eq!(own.form().coef(), given.form().coef());
    stats.update(&Bernoulli::default(), &test.rows(), &test.labels).expect("adds");
    let more = model.fit_with_stats(&stats, &train.rows(), &train.labels).expect("fits");
    assert_ne!(own.ratios(), more.ratios());

    let counts = SufficientStats::new(&Multinomial::default(), train.n_terms).expect("fits");
    let refused = model.fit_with_stats(&counts, &train.rows(), &train.labels);
    assert!(matches!(refused, Err(CountRatioError::Rows(UpdateError::Layout(_)))));

    let others: Vec<usize> = train.labels.iter().map(|label| label + 1).collect();
    let refused = model.fit_with_stats(&stats, &train.rows(), &others);
    assert_eq!(refused.err(), Some(CountRatioError::Classes));
}

#[test]
fn what_cannot_be_fitted_is_refused() {
    let model = CountRatio::default();
    let x = array![[1.0, 0.0], [0.0, 2.0]];
    let fit = |model: &CountRatio, x: &Array2<f64>, y: &[u8]| model.fit(x, y).err();
    assert_eq!(fit(&model, &x, &[0, 0]), Some(CountRatioError::OneClass));
    assert_eq!(fit(&model, &Array2::zeros((0, 2)), &[]), Some(CountRatioError::OneClass));
    assert!(matches!(fit(&model, &Array2::zeros((2, 0)), &[0, 1]), Some(CountRatioError::Layout(_))));
    for alpha in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-300, 1e300] {
        let refused = fit(&CountRatio { alpha, ..model }, &x, &[0, 1]);
        assert!(matches!(refused, Some(CountRatioError::Alpha { .. })), "{alpha}");
    }
    let short = UpdateError::Labels { rows: 2, labels: 1 };
    assert_eq!(fit(&model, &x, &[0]), Some(CountRatioError::Rows(short)));
    for binarize in [false, true] {
        let model = CountRatio { binarize, ..model };
        let fitted = model.fit(&x, &[0, 1]).expect("fits");
        for (value, reason) in [
            (f64::NAN, ValueProblem::Missing),
            (f64::INFINITY, ValueProblem::Infinite),
            (-1.0, ValueProblem::Negative),
        ] {
            let bad = array![[1.0, 0.0], [0.0, value]];
            let Some(CountRatioError::Rows(UpdateError::Value(error))) = fit(&model, &bad, &[0, 1]) else {
                panic!("{value} was fitted");
            };
            assert_eq!((error.row, error.column, error.reason), (1, 1, reason.clone()));
            let Err(PredictError::Value(ValueError { row, column, .. })) = fitted.predict(&bad) else {
                panic!("{value} was scored");
            };
            assert_eq!((row, column), (1, 1));
            assert!(fitted.predict_log_proba(&bad).is_err());
        }
        assert!(fitted.predict(&array![[1.0]]).is_err());
    }
    let logistic = LogisticRegression::default().with_l2(-1.0);
    assert!(matches!(
        fit(&CountRatio { logistic, ..model }, &x, &[0, 1]),
        Some(CountRatioError::Logistic { class: 1, error: LogisticError::Parameter { .. } })
    ));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn answers_are_distributions_and_sparse_is_dense(
        cells in prop::collection::vec(prop_oneof![3 => Just(0.0), 1 => 0.1..9.0_f64, 1 => Just(1e100)], 36),
        labels in prop::collection::vec(0..4_u8, 12),
        alpha in prop_oneof![Just(1.0), Just(1e-18), Just(1e18), 0.01..10.0_f64],
        binarize in any::<bool>(),
    ) {
        let x = Array2::from_shape_vec((12, 3), cells).expect("36 cells");
        let (mut indptr, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
        for row in x.rows() {
            for (column, &value) in row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
                indices.push(column);
                values.push(value);
            }
            indptr.push(values.len());
        }
        let sparse = CsrView::new(3, &indptr, &indices, &values).expect("valid");
        let model = CountRatio { alpha, binarize, ..CountRatio::default() };
        let (dense_fit, sparse_fit) = (model.fit(&x, &labels), model.fit(&sparse, &labels));
        let Ok(classifier) = dense_fit else { return Ok(()) };
        if let Ok(other) = sparse_fit {
            prop_assert_eq!(classifier.ratios(), other.ratios());
        }
        let log_p = classifier.predict_log_proba(&x).expect("scores");
        prop_assert_eq!(&log_p, &classifier.predict_log_proba(&sparse).expect("scores"));
        for (row, label) in log_p.rows().into_iter().zip(classifier.predict(&x).expect("scores")) {
            prop_assert!(row.iter().all(|log| *log <= 0.0));
            prop_assert!((row.mapv(f64::exp).sum() - 1.0).abs() < 1e-12, "{}", row);
            let class = classifier.classes().iter().position(|known| *known == label).expect("known");
            prop_assert!(row.iter().all(|log| *log <= row[class]));
        }
    }
}
