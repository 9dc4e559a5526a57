//! Kernel densities: laws, the exact density, reference numbers, refusals.
#![expect(clippy::unreadable_literal, reason = "reference numbers are copied, not read")]

use nb_core::{FeatureModel, Likelihood, Missing, NaiveBayes, SufficientStats, error::FitError};
use nb_variants::{Bandwidth, Grid, GridError, KernelDensity};
use ndarray::{Array2, array};
use proptest::prelude::*;
use rand::{SeedableRng, rngs::StdRng};

fn grid(origin: f64, step: f64, n_points: usize) -> Grid {
    Grid::new(origin, step, n_points).expect("valid")
}

fn iris() -> (Array2<f64>, Vec<String>) {
    let iris = nb_datasets::load("iris").expect("embedded");
    (iris.x(), iris.y().into_iter().map(String::from).collect())
}

#[test]
fn keeps_the_laws() {
    let grids = vec![grid(-10.0, 0.31, 70), grid(-3.0, 1.0, 7), grid(0.1, 1e-3, 2)];
    nb_laws::check(&KernelDensity::new(grids), 3, nb_laws::reals());
    let langley = KernelDensity {
        bandwidth: Bandwidth::JohnLangley,
        missing: Missing::Skip,
        ..KernelDensity::new(vec![grid(-10.0, 0.01, 2000); 2])
    };
    nb_laws::check(&langley, 2, prop_oneof![3 => nb_laws::reals(), 1 => Just(f64::NAN)]);
    let fixed =
        KernelDensity { bandwidth: Bandwidth::Fixed(1e9), ..KernelDensity::new(vec![grid(0.0, 7.0, 9)]) };
    nb_laws::check(&fixed, 1, nb_laws::reals());
}

proptest! {
    #[test]
    fn the_grid_costs_no_more_than_it_should(
        values in prop::collection::vec((-10.0..10.0_f64, 0.001..3.0_f64), 1..40),
        bandwidth in 0.05..5.0_f64,
        at in -30.0..30.0_f64,
    ) {
        let step = 0.05;
        let kernel = KernelDensity {
            bandwidth: Bandwidth::Fixed(bandwidth),
            ..KernelDensity::new(vec![grid(-10.0, step, 401)])
        };
        let rows = Array2::from_shape_fn((values.len(), 1), |(row, _)| values[row].0);
        let weights: Vec<f64> = values.iter().map(|&(_, weight)| weight).collect();
        let fit = NaiveBayes::new(kernel).fit_weighted(&rows, &vec![(); values.len()], &weights).expect("fits");
        let found = fit.log_evidence(&array![[at]]).expect("scores")[0].exp();

        let peak = 1.0 / (bandwidth * std::f64::consts::TAU.sqrt());
        let kernel = |center: f64| peak * (-0.5 * ((at - center) / bandwidth).powi(2)).exp();
        let total: f64 = weights.iter().sum();
        let exact: f64 = values.iter().map(|&(center, weight)| weight / total * kernel(center)).sum();
        // A thousandth for places that are rounded to 2^-20 of a step.
        let bound = 1.001 * peak * (step / bandwidth).powi(2) / 8.0 + 1e-13 * peak;
        prop_assert!((found - exact).abs() <= bound, "{found}, {exact}, {bound}");
    }
}

/// SciPy 1.17.1, `gaussian_kde(petal_length_of_class, bw_method=h / std).logpdf(x)`: sums over all rows.
const SCIPY: [(f64, [f64; 6]); 3] = [
    (
        0.1,
        [
            -15.024285740334246,
            0.7451587105492864,
            -62.33522926500333,
            -301.9602292650786,
            -649.835229265079,
            -1302.3352292650789,
        ],
    ),
    (
        0.2,
        [
            -81.34652362152752,
            -35.22151963655773,
            -2.6613648693355683,
            -0.25076829357249314,
            -4.7932327993782105,
            -48.33882700297559,
        ],
    ),
    (
        0.3,
        [
            -92.51587563489993,
            -57.015836856002124,
            -16.117070903143002,
            -2.618312884465565,
            -0.468300786907608,
            -2.5916551279222144,
        ],
    ),
];

#[test]
fn densities_are_those_of_scipy() {
    let (x, y) = iris();
    let petal_length = x.slice(ndarray::s![.., 2..3]).to_owned();
    let at = array![[0.5], [1.4], [3.0], [4.35], [5.5], [7.0]];
    for (class, (bandwidth, expected)) in SCIPY.into_iter().enumerate() {
        // The values are tenths, and points of the grid: there is nothing between points to approximate.
        let on_points = KernelDensity {
            bandwidth: Bandwidth::Fixed(bandwidth),
            ..KernelDensity::new(vec![grid(0.0, 0.1, 80)])
        };
        let learnt = KernelDensity::for_rows(&petal_length, 4096, Missing::Error).expect("learns");
        let learnt = KernelDensity { bandwidth: Bandwidth::Fixed(bandwidth), ..learnt };
        for (kernel, tolerance) in [(on_points, 1e-11), (learnt, 1e-3)] {
            let classifier = NaiveBayes::new(kernel).fit(&petal_length, &y).expect("fits");
            for (&[x], expected) in at.as_slice().expect("contiguous").as_chunks().0.iter().zip(expected) {
                let found = classifier.likelihood().log_likelihood(class, 0, x);
                // Far away the places of the outermost values decide, and the error grows with the distance.
                let tolerance = tolerance * expected.abs().max(1.0);
                assert!((found - expected).abs() < tolerance, "{class} at {x}: {found}, not {expected}");
            }
        }
    }
}

/// NumPy 2.4.6 on iris: `0.9 * min(v.std(), iqr / 1.34) * len(v) ** -0.2` for each class and column, with
/// `np.percentile(..., method="inverted_cdf")`.
const SILVERMAN: [[f64; 4]; 3] = [
    [0.12285807365211762, 0.1535725920651469, 0.06142903682605881, 0.030714518413029374],
    [0.21030774711799438, 0.12785336571893358, 0.18428711047817617, 0.08057195923265294],
    [0.2150016288912057, 0.12285807365211762, 0.2248628788177945, 0.11190287325307013],
];

#[test]
fn bandwidths_follow_their_rules() {
    let (x, y) = iris();
    let kernel = KernelDensity::for_rows(&x, KernelDensity::POINTS, Missing::Error).expect("learns");
    let steps: Vec<f64> = kernel.grids.iter().map(Grid::step).collect();
    let silverman = NaiveBayes::new(kernel.clone()).fit(&x, &y).expect("fits").likelihood().bandwidths();
    for ((class, column), found) in silverman.indexed_iter() {
        // Quartiles on a grid are known to half a step each.
        let tolerance = 0.9 / 1.34 * 50_f64.powf(-0.2) * steps[column] + 1e-3 * found;
        let expected = SILVERMAN[class][column];
        assert!((found - expected).abs() < tolerance, "{class}, {column}: {found}, not {expected}");
    }
    let langley = KernelDensity { bandwidth: Bandwidth::JohnLangley, ..kernel };
    let langley = NaiveBayes::new(langley).fit(&x, &y).expect("fits").likelihood().bandwidths();
    assert!(langley.iter().all(|&h| h == 1.0 / 50_f64.sqrt()));
}

#[test]
fn statistics_of_days_merge_and_retract() {
    let (x, y) = iris();
    let kernel = KernelDensity::for_rows(&x, 64, Missing::Error).expect("learns");
    let stats = |rows: std::ops::Range<usize>| {
        let mut stats = SufficientStats::new(&kernel, 4).expect("valid");
        let part = x.slice(ndarray::s![rows.clone(), ..]).to_owned();
        stats.update(&kernel, &part, &y[rows]).expect("adds");
        stats
    };
    let mut both = stats(0..70);
    both.merge(&stats(70..150)).expect("same grids");
    assert_eq!(both, stats(0..150));
    both.subtract(&stats(70..150)).expect("was added");
    assert_eq!(both, stats(0..70));

    let other = KernelDensity::for_rows(&x, 65, Missing::Error).expect("learns");
    let refused = both.merge(&SufficientStats::new(&other, 4).expect("valid")).unwrap_err();
    assert!(refused.to_string().contains("kernel densities on grids (64 from"), "{refused}");
}

#[test]
fn far_away_scores_stay_finite_and_too_far_is_refused() {
    let (x, y) = iris();
    let kernel = KernelDensity::for_rows(&x, KernelDensity::POINTS, Missing::Error).expect("learns");
    let classifier = NaiveBayes::new(kernel).fit(&x, &y).expect("fits");
    let far = array![[1e100, 3.0, 1.0, 0.2], [-1e100, 3.0, 1.0, 0.2], [5.0, 1e6, -1e6, 0.0]];
    assert!(classifier.joint_log_likelihood(&far).expect("scores").iter().all(|score| score.is_finite()));
    assert!(classifier.predict_proba(&far).expect("scores").iter().all(|p| (0.0..=1.0).contains(p)));

    let narrow =
        KernelDensity { bandwidth: Bandwidth::Fixed(1e-90), ..KernelDensity::new(vec![grid(0.0, 1e-90, 3)]) };
    let classifier = NaiveBayes::new(narrow).fit(&array![[0.0], [1e-90]], &[0, 1]).expect("fits");
    let refused = classifier.predict(&array![[0.0], [1e90]]).unwrap_err().to_string();
    assert!(refused.starts_with("row 1, column 0: 1e90 is so many standard deviations"), "{refused}");
}

#[test]
fn values_beyond_the_grid_go_to_its_ends() {
    let kernel =
        KernelDensity { bandwidth: Bandwidth::Fixed(1.0), ..KernelDensity::new(vec![grid(0.0, 1.0, 4)]) };
    let stats = |value: f64| {
        let mut stats = SufficientStats::new(&kernel, 1).expect("valid");
        stats.update(&kernel, &array![[value], [2.5]], &[0, 0]).expect("adds");
        stats
    };
    assert_eq!(stats(-77.0), stats(0.0));
    assert_eq!(stats(1e99), stats(3.0));
}

#[test]
fn samples_have_the_moments_of_the_rows() {
    let (x, y) = iris();
    let kernel = KernelDensity::for_rows(&x, KernelDensity::POINTS, Missing::Error).expect("learns");
    let classifier = NaiveBayes::new(kernel).fit(&x, &y).expect("fits");
    let (drawn, labels) = classifier.sample(30_000, &mut StdRng::seed_from_u64(1));
    for (class, label) in classifier.classes().iter().enumerate() {
        let h = classifier.likelihood().bandwidths()[[class, 2]];
        let of_class = |rows: &Array2<f64>, labels: &[String]| -> (f64, f64) {
            let values: Vec<f64> =
                rows.column(2).iter().zip(labels).filter(|(_, own)| *own == label).map(|(&v, _)| v).collect();
            let n = values.len() as f64;
            let mean = values.iter().sum::<f64>() / n;
            (mean, values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n)
        };
        let ((mean, variance), (expected, own)) = (of_class(&drawn, &labels), of_class(&x, &y));
        // Four standard errors; a kernel density has the variance of its rows and that of the kernel.
        let expected_variance = own + h * h;
        assert!((mean - expected).abs() < 4.0 * (expected_variance / 1e4).sqrt(), "{mean}, {expected}");
        assert!((variance / expected_variance - 1.0).abs() < 0.06, "{variance}, {expected_variance}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let kernel = KernelDensity::new(vec![grid(0.0, 1.0, 4)]);
    let refused = kernel.layout(2).unwrap_err().to_string();
    assert_eq!(refused, "the list of grids has 1 entries for 2 columns; give one per column");
    let narrow = KernelDensity { bandwidth: Bandwidth::Fixed(0.0), ..kernel.clone() };
    assert!(narrow.layout(1).unwrap_err().to_string().starts_with("the bandwidth is 0; it must be"));
    assert_eq!(
        KernelDensity::for_rows(&Array2::<f64>::zeros((0, 2)), 9, Missing::Error),
        Err(GridError::NoData { column: 0 })
    );
    let skipping = KernelDensity { missing: Missing::Skip, ..kernel };
    let mut stats = SufficientStats::new(&skipping, 1).expect("valid");
    stats.update(&skipping, &array![[1.0], [f64::NAN]], &[0, 1]).expect("adds");
    let refused = NaiveBayes::new(skipping).fit_stats(&stats).unwrap_err();
    assert!(
        matches!(&refused, FitError::Family(error) if (error.class, error.column) == (1, 0)),
        "{refused}"
    );
}
