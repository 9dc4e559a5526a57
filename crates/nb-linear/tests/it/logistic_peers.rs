//! Logistic regression against scikit-learn and R.
#![expect(clippy::unreadable_literal, reason = "reference numbers are copied, not read")]

use nb_linear::{BinaryForm, LabelCode, LinearForm, LogisticRegression};
use ndarray::{Array2, Axis};

pub(crate) fn regression(l2: f64) -> LogisticRegression {
    LogisticRegression::default().with_l2(l2)
}

/// The largest difference of raw coefficients and intercepts from a reference, relative to the largest number
/// of each.
pub(crate) fn error<L>(form: &LinearForm<L>, weights: &[&[f64]], intercepts: &[f64]) -> f64 {
    let (found, raw) = (form.coef(), form.intercept());
    // Of two classes the reference has only the second.
    let first = found.nrows() - weights.len();
    let largest = |values: &[f64]| values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    let mut error = 0.0_f64;
    for (class, expected) in weights.iter().enumerate() {
        for (found, expected_weight) in found.row(first + class).iter().zip(*expected) {
            error = error.max((found - expected_weight).abs() / largest(expected));
        }
        error = error.max((raw[first + class] - intercepts[class]).abs() / largest(intercepts));
    }
    error
}

/// Rows and labels of an embedded set.
pub(crate) fn load(set: &str) -> (Array2<f64>, Vec<usize>) {
    let data = nb_datasets::load(set).expect("embedded");
    (data.x(), data.labels)
}

// The numbers of scikit-learn 1.9.1, for x and y of the embedded CSV files:
//
// for solver in ["newton-cholesky", "newton-cg"]: # they agree to 5e-13
//     m = LogisticRegression(C=1 / l2, tol=1e-13, solver=solver, max_iter=100000).fit(x, y)
//     print(m.coef_, m.intercept_)

#[test]
fn three_classes_agree_with_scikit_learn() {
    let (x, y) = load("iris");
    for (l2, weights, intercepts) in [
        (
            1.0,
            [
                [-0.42350992012271566, 0.9673505795715511, -2.5171523776092095, -1.0793366485007188],
                [0.5344615089959139, -0.32158785519193533, -0.2063920712948653, -0.9442984653963401],
                [-0.11095158887321357, -0.6457627243796199, 2.723544448904082, 2.023635113897057],
            ],
            [9.849568050482132, 2.2372056322032243, -12.086773682685356],
        ),
        (
            0.01,
            [
                [-0.39173766971055896, 3.413583849285691, -6.403030211888807, -3.510150441910495],
                [1.356583749191671, 0.44463011888859905, -0.5134166122122164, -4.413333897143718],
                [-0.964846079480547, -3.858213968174336, 6.916446824101546, 7.923484339054383],
            ],
            [19.92754060264351, 5.238034563204437, -25.16557516584794],
        ),
    ] {
        let form = regression(l2).fit(&x, &y).expect("fits");
        let error = error(&form, &weights.each_ref().map(<[f64; 4]>::as_slice), &intercepts);
        assert!(error <= 1e-11, "l2 = {l2}: {error:e}");
    }
}

#[test]
fn wide_ranges_of_columns_agree_with_scikit_learn() {
    let (x, y) = load("wine");
    let weights: [&[f64]; 3] = [
        &[
            0.5971676764334102,
            0.5035725765759175,
            0.7076072062716222,
            -0.22750270142497392,
            -0.02080267629857992,
            0.2371349181474688,
            0.8240579303540458,
            0.08852112178526374,
            0.08226507123606679,
            0.2225022121873059,
            -0.008222492815092715,
            0.6488055628873045,
            0.009294218073355152,
        ],
        &[
            -0.7761221862572223,
            -0.8000198233758621,
            -0.8552453023703986,
            0.11737566290705606,
            -0.01628390400942791,
            0.1797430835249065,
            0.41402932764652,
            0.030487790562913935,
            0.3959588003408202,
            -1.066138338500072,
            0.3356380342414279,
            0.03614766544230735,
            -0.00897550544578376,
        ],
        &[
            0.17895450982382302,
            0.29644724679994594,
            0.14763809609877887,
            0.11012703851794292,
            0.03708658030808371,
            -0.41687800167237277,
            -1.238087258000563,
            -0.11900891234817755,
            -0.4782238715768869,
            0.8436361263127619,
            -0.32741554142633505,
            -0.684953228329608,
            -0.00031871262737232593,
        ],
    ];
    let intercepts = [-15.646984415462125, 22.92328649449597, -7.276302079033846];
    let form = regression(1.0).fit(&x, &y).expect("fits");
    let error = error(&form, &weights, &intercepts);
    assert!(error <= 1e-11, "{error:e}");
}

#[test]
fn two_classes_agree_with_scikit_learn() {
    let (x, y) = load("breast_cancer");
    let weights: &[f64] = &[
        -1.0145620739976657,
        -0.18138242795039888,
        0.2756971245956172,
        -0.02265071426003245,
        0.17839594836452713,
        0.22083868988987257,
        0.5350498859959151,
        0.29511967550809226,
        0.26623906493872035,
        0.030256473441984635,
        0.07839730008559773,
        -1.2638491944237507,
        -0.1165903289231401,
        0.10881541809332675,
        0.02509742009300636,
        -0.0672093487245983,
        0.03600866922817548,
        0.037992773896779124,
        0.036780876256524576,
        -0.013988344536324769,
        -0.13786695924217515,
        0.4376418760906748,
        0.10580436638843739,
        0.013632561684180469,
        0.35635273841959586,
        0.6878723167364067,
        1.4219060176110472,
        0.6023603222399779,
        0.7309067441974088,
        0.09500191086539679,
    ];
    let form = regression(1.0).fit(&x, &y).expect("fits");
    let breast_cancer = error(&form, &[weights], &[-28.08899762191842]);
    assert!(breast_cancer <= 1e-11, "{breast_cancer:e}");

    let (x, y) = load("pima");
    for (l2, weights, intercept) in [
        (
            1.0,
            [
                0.12249607416177992,
                0.03511029241811438,
                -0.013299217544205296,
                0.0007800374427095833,
                -0.0011737764989534695,
                0.08965168072267715,
                0.8677978998985793,
                0.014984163019757475,
            ],
            -8.365067127273763,
        ),
        (
            100.0,
            [
                0.10733854974099194,
                0.034955864074276984,
                -0.013253812945198451,
                0.0025025789000151562,
                -0.0010003955736625331,
                0.08853485821947674,
                0.09890645059773386,
                0.017413074506575074,
            ],
            -8.01736562360878,
        ),
    ] {
        let form = regression(l2).fit(&x, &y).expect("fits");
        let error = error(&form, &[&weights], &[intercept]);
        assert!(error <= 1e-12, "l2 = {l2}: {error:e}");
    }
}

// The numbers of R 4.2.2, for the CSV file as a data frame `x`:
//
// m <- glm((x[[9]] == "pos") ~ ., data = x[1:8], family = binomial, control = list(epsilon = 1e-15, maxit =
// 100)) cat(sprintf("%.17g", coef(m)), sprintf("%.17g", deviance(m)), sep = ", ")
//
// and likewise for the rows of iris that are not setosa.

#[test]
fn maximum_likelihood_agrees_with_glm() {
    let (x, y) = load("pima");
    let form = regression(0.0).fit(&x, &y).expect("fits");
    let weights: &[f64] = &[
        0.12318229835243946,
        0.03516371460685663,
        -0.013295546904306167,
        0.0006189643648757579,
        -0.001191698984162234,
        0.08970097003094658,
        0.9451797406211296,
        0.014869004744469451,
    ];
    let pima = error(&form, &[weights], &[-8.404696366914141]);
    assert!(pima <= 1e-12, "{pima:e}");
    // Also coefficient by coefficient.
    for (found, expected) in form.coef().row(1).iter().zip(weights) {
        assert!((found / expected - 1.0).abs() <= 1e-10, "{found} is not {expected}");
    }
    let labels: Vec<i8> = y.iter().map(|&class| LabelCode::MinusPlus.numbers()[class]).collect();
    let deviance = 2.0
        * BinaryForm::new(form).expect("two").log_loss(&x, &labels, LabelCode::MinusPlus).expect("scores");
    assert!((deviance / 723.4453777741687 - 1.0).abs() <= 1e-14, "{deviance}");

    let (x, y) = load("iris");
    let rows: Vec<usize> = (0..y.len()).filter(|&row| y[row] > 0).collect();
    let labels: Vec<usize> = rows.iter().map(|&row| y[row]).collect();
    let form = regression(0.0).fit(&x.select(Axis(0), &rows), &labels).expect("fits");
    let weights: &[f64] = &[-2.4652201951866566, -6.680887014078543, 9.42938515392663, 18.286136887850986];
    let iris = error(&form, &[weights], &[-42.63780381302202]);
    assert!(iris <= 1e-10, "{iris:e}");
}
