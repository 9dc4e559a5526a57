//! A feature in other units is the same feature: multiplying a column by a million changes no label.

use nb_core::{Gaussian, NaiveBayes, VarianceSmoothing, error::FitRowsError};
use ndarray::Array2;

use super::special;
use crate::verify::check::{Check, Outcome, Problem};
use crate::verify::ulp::worse;

const FACTOR: f64 = 1e6;

/// How far a posterior may move. The products with the factor are rounded, each by less than 1.2e-16 of its
/// value, which moves the distance to a class mean, in standard deviations, by a few 1e-15 in this set, and
/// the log-likelihood of a row by less than 1e-13.
const BOUND: f64 = 1e-13;

pub(super) fn checks() -> Vec<Check> {
    vec![special("wine: each feature in units 1e6 larger", "the original units", verify)]
}

fn verify() -> Result<Outcome, Problem> {
    let set = nb_datasets::load("wine")?;
    let x = set.x();
    let (own, sklearn) = (VarianceSmoothing::default(), VarianceSmoothing::LargestVariance(1e-9));
    let labels = |x: &Array2<f64>, smoothing| fit_predict(x, &set.labels, smoothing);
    let (original, original_proba) = labels(&x, own)?;
    let (original_sklearn, _) = labels(&x, sklearn)?;
    let (mut n_changed, mut n_changed_sklearn, mut worst) = (0, 0, 0.0);
    for column in 0..x.ncols() {
        let mut scaled = x.clone();
        scaled.column_mut(column).mapv_inplace(|value| value * FACTOR);
        let (changed, proba) = labels(&scaled, own)?;
        n_changed += n_different(&original, &changed);
        let moves = original_proba.iter().zip(&proba).map(|(a, b)| (a - b).abs());
        worst = moves.fold(worst, worse);
        n_changed_sklearn += n_different(&original_sklearn, &labels(&scaled, sklearn)?.0);
    }
    let n_labels = x.ncols() * x.nrows();
    Ok(Outcome::equal(
        format!("0 of {n_labels} labels change"),
        format!("{n_changed} of {n_labels} labels change"),
    )
    .with_error(format!("posteriors {worst:.1e} of {BOUND:.0e}"))
    .and(worst <= BOUND, "the posteriors move")
    .remark(format!("with scikit-learn's floor {n_changed_sklearn} change")))
}

fn fit_predict(
    x: &Array2<f64>,
    labels: &[usize],
    smoothing: VarianceSmoothing,
) -> Result<(Vec<usize>, Array2<f64>), Problem> {
    let model = Gaussian { smoothing, ..Gaussian::default() };
    let classifier =
        NaiveBayes::new(model).fit(x, labels).map_err(|error: FitRowsError| Problem::from(error))?;
    Ok((classifier.predict(x)?, classifier.predict_proba(x)?))
}

fn n_different(a: &[usize], b: &[usize]) -> usize {
    a.iter().zip(b).filter(|(a, b)| a != b).count()
}
