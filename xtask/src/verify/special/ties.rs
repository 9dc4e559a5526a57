//! Ties: the first class in label order, whatever the order of the rows.

use nb_core::{Gaussian, NaiveBayes, VarianceSmoothing};
use nb_datasets::Part;
use ndarray::{Axis, array};

use super::special;
use crate::verify::check::{Check, Outcome, Problem};
use crate::verify::ulp::{ulps_between, worse};

pub(super) fn checks() -> Vec<Check> {
    vec![
        special("ties: three equal classes", "first in label order", equal_classes),
        special("ties: near_ties at x1 = 0", "first in label order", mirror_classes),
    ]
}

/// Classes with the same rows, listed backwards.
fn equal_classes() -> Result<Outcome, Problem> {
    let train = array![[1.0], [2.0], [1.0], [2.0], [1.0], [2.0]];
    let labels = ["c", "c", "b", "b", "a", "a"];
    let classifier = NaiveBayes::new(Gaussian::default()).fit(&train, &labels)?;
    let rows = array![[-5.0], [1.0], [1.5], [1e6]];
    let posteriors = classifier.predict_log_proba(&rows)?;
    let third = -(3.0_f64.ln());
    let worst = posteriors.iter().map(|&log| ulps_between(third, log)).max();
    let worst = worst.unwrap_or(u64::MAX);
    Ok(Outcome::equal("a a a a", classifier.predict(&rows)?.join(" "))
        .with_error(format!("log 1/3 {worst} of 4 ulp"))
        .and(worst <= 4, "the posteriors are not one third"))
}

/// Two classes that mirror each other: the rows in the middle are ties in exact arithmetic, and must be in
/// ours.
fn mirror_classes() -> Result<Outcome, Problem> {
    let set = nb_datasets::load("near_ties")?;
    let (train, test) = (set.rows_of(Part::Train), set.rows_of(Part::Test));
    let x = set.x();
    let middle: Vec<usize> = test.into_iter().filter(|&row| x[[row, 0]] == 0.0).collect();
    let labels: Vec<usize> = train.iter().map(|&row| set.labels[row]).collect();
    let model = Gaussian { smoothing: VarianceSmoothing::None, ..Gaussian::default() };
    let classifier = NaiveBayes::new(model).fit(&x.select(Axis(0), &train), &labels)?;
    let middle = x.select(Axis(0), &middle);
    let labels = classifier.predict(&middle)?;
    let joint = classifier.joint_log_likelihood(&middle)?;
    let margins = joint.rows().into_iter().map(|row| (row[0] - row[1]).abs());
    let widest = margins.fold(0.0, worse);
    let n_first = labels.iter().filter(|&&class| class == 0).count();
    let n = labels.len();
    Ok(Outcome::equal(
        format!("{n} of {n} to the first class"),
        format!("{n_first} of {n} to the first class"),
    )
    .with_error(format!("margin {widest:e}"))
    .and(widest == 0.0, "the scores of an exact tie differ")
    .and(n > 0, "the set has no such row"))
}
