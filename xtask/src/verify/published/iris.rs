//! Iris with maximum-likelihood variances and a uniform prior.

use nb_core::{Gaussian, NaiveBayes, Prior, VarianceSmoothing};

use super::n_correct;
use crate::verify::check::{Check, Group, Outcome, Problem};

const PUBLISHED: usize = 144;

pub(super) fn checks() -> Vec<Check> {
    vec![Check::new(Group::Published, "iris: uniform prior", "published log-space code", verify)]
}

fn verify() -> Result<Outcome, Problem> {
    let set = nb_datasets::load("iris")?;
    let model = Gaussian { smoothing: VarianceSmoothing::None, ..Gaussian::default() };
    let prior = Prior::Uniform;
    let x = set.x();
    let predicted = NaiveBayes { model, prior }.fit(&x, &set.labels)?.predict(&x)?;
    let correct = n_correct(&predicted, &set.labels);
    let n_rows = set.n_rows();
    Ok(Outcome::equal(format!("{PUBLISHED} of {n_rows} right"), format!("{correct} of {n_rows} right")))
}
