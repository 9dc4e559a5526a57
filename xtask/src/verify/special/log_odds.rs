//! Log-odds far from both classes: between N(0, 1) and N(80, 1) they are `3200 - 80 x`, also where one or
//! both densities are zero in doubles.

use nb_core::{Gaussian, NaiveBayes};
use ndarray::array;

use super::special;
use crate::verify::check::{Check, Outcome, Problem};
use crate::verify::ulp::ulps_between;

pub(super) fn checks() -> Vec<Check> {
    let check =
        |x: f64| special(format!("log-odds of N(0,1) and N(80,1) at {x}"), "3200 - 80 x", move || verify(x));
    [10.0, 20.0, 38.0, 39.0].map(check).into()
}

fn verify(x: f64) -> Result<Outcome, Problem> {
    // Maximum-likelihood moments of -1 and 1 are mean 0 and variance 1.
    let train = array![[-1.0], [1.0], [79.0], [81.0]];
    let classifier = NaiveBayes::new(Gaussian::default()).fit(&train, &["near", "near", "far", "far"])?;
    let row = array![[x]];
    let (far, near) = (0, 1);
    let log_proba = classifier.predict_log_proba(&row)?;
    let explained: f64 = classifier.explain(&row, 0)?.log_odds(near, far).iter().sum();

    let expected = 3200.0 - 80.0 * x;
    let got = log_proba[[0, near]] - log_proba[[0, far]];
    // 1e-14 of the absolute terms of both scores, which are below 3200 together.
    let bound = 1e-14 * 3200.0;
    let label = classifier.predict(&row)?;
    // With these odds the posterior of the best class is 1 in doubles, but its logarithm is not 0.
    let log_best = -(-expected).exp();
    Ok(Outcome::within(expected, got, bound)
        .and((explained - expected).abs() <= bound, format!("explain gives {explained}"))
        .and(label == ["near"], format!("the label is {label:?}"))
        .and(
            ulps_between(log_best, log_proba[[0, near]]) <= 4,
            format!("the best log-posterior is {:e}, not {log_best:e}", log_proba[[0, near]]),
        ))
}
