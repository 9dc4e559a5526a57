//! Breast cancer with scikit-learn's smoothing, with either prior.

use nb_core::{Gaussian, NaiveBayes, Prior, VarianceSmoothing};

use super::n_correct;
use crate::verify::check::{Check, Group, Outcome, Problem};
use crate::verify::references;

pub(super) fn checks() -> Vec<Check> {
    let uniform = Check::new(
        Group::Published,
        "breast_cancer: uniform prior",
        "published NumPy code, which has no prior",
        || verify(Prior::Uniform, "gaussian,vs=1e-09,ddof=0,uniform", 537),
    );
    let empirical = Check::new(
        Group::Published,
        "breast_cancer: empirical prior",
        "scikit-learn 1.9.1, GaussianNB()",
        || verify(Prior::Empirical, "gaussian,vs=1e-09,ddof=0,empirical", 536),
    );
    vec![uniform, empirical]
}

/// Counts the right labels, and compares every label with the reference.
fn verify(prior: Prior, variant: &str, published: usize) -> Result<Outcome, Problem> {
    let set = nb_datasets::load("breast_cancer")?;
    let smoothing = VarianceSmoothing::LargestVariance(1e-9);
    let model = Gaussian { smoothing, ..Gaussian::default() };
    let x = set.x();
    let predicted = NaiveBayes { model, prior }.fit(&x, &set.labels)?.predict(&x)?;

    let reference = references::load("breast_cancer")?;
    let exact = &reference.variants.get(variant).ok_or("the reference lacks the variant")?.labels;
    let n_rows = set.n_rows();
    let n_same = predicted.iter().zip(exact).filter(|&(&predicted, &exact)| Some(predicted) == exact).count();
    let correct = n_correct(&predicted, &set.labels);
    let outcome =
        Outcome::equal(format!("{published} of {n_rows} right"), format!("{correct} of {n_rows} right"));
    let n_other = n_rows - n_same;
    Ok(outcome
        .with_error(format!("{n_other} labels differ"))
        .and(n_other == 0 && exact.len() == n_rows, "not the labels of the reference"))
}
