//! Poisson and negative binomial models of counts up to 10^15 against 80 digits: `x log λ - λ - log x!`
//! cancels there.

use std::collections::BTreeMap;

use nb_core::{Density, FeatureModel, NaiveBayes, NegativeBinomial, Poisson, RatePrior, Smoothing};
use ndarray::Array2;
use serde::Deserialize;

use super::special;
use crate::verify::check::{Check, Outcome, Problem};
use crate::verify::ulp::worse;

/// Scores may be off by this share of their size, and log-odds of theirs; of one where they are smaller. The
/// classes of a negative binomial are scored each by itself, so that its log-odds have the rounding errors of
/// two scores.
fn allowed(model: &str) -> f64 {
    if model == "poisson" { 4e-15 } else { 8e-15 }
}

/// A model and its answers, as `xtask/data/large_counts.py` computes them. Numbers are text of 25 digits.
#[derive(Deserialize)]
struct Case {
    count: f64,
    model: String,
    l: f64,
    train: BTreeMap<String, Vec<[f64; 2]>>,
    test: Vec<[f64; 2]>,
    /// By row, then class.
    joint: Vec<Vec<String>>,
    posterior: Vec<Vec<String>>,
}

pub(super) fn checks() -> Vec<Check> {
    let cases: Vec<Case> = match serde_json::from_str(include_str!("../../../data/large_counts.json")) {
        Ok(cases) => cases,
        Err(error) => {
            let error = error.to_string();
            return vec![special("large counts", "80 digits", move || Err(error.clone().into()))];
        }
    };
    let check = |case: Case| {
        let name = format!("{} of counts of {:e}, l = {}", case.model.replace('_', " "), case.count, case.l);
        special(name, "80 digits", move || verify(&case))
    };
    cases.into_iter().map(check).collect()
}

fn verify(case: &Case) -> Result<Outcome, Problem> {
    let (smoothing, rate_prior) = (Smoothing::new(case.l)?, RatePrior::Unit);
    match case.model.as_str() {
        "poisson" => compare(case, &Poisson { smoothing, rate_prior, ..Poisson::default() }),
        "negative_binomial" => {
            compare(case, &NegativeBinomial { smoothing, rate_prior, ..NegativeBinomial::default() })
        }
        other => Err(format!("the model {other:?} is not known").into()),
    }
}

fn compare<M: FeatureModel>(case: &Case, model: &M) -> Result<Outcome, Problem>
where
    M::Fitted: Density,
{
    let allowed = allowed(&case.model);
    let rows = case.train.iter().flat_map(|(label, rows)| rows.iter().map(move |row| (label.as_str(), *row)));
    let (labels, train): (Vec<&str>, Vec<[f64; 2]>) = rows.unzip();
    let (train, test) = (Array2::from(train), Array2::from(case.test.clone()));
    let classifier = NaiveBayes::new(model).fit(&train, &labels)?;
    let [joint, posterior] = [classifier.joint_log_likelihood(&test)?, classifier.predict_log_proba(&test)?];
    let predicted = classifier.predict(&test)?;

    let (mut worst_joint, mut worst_odds, mut problems) = (0.0, 0.0, Vec::new());
    for (row, label) in predicted.iter().enumerate() {
        let [scores, posteriors] = [&case.joint[row], &case.posterior[row]]
            .map(|numbers| numbers.iter().map(|number| number.parse()).collect::<Result<Vec<f64>, _>>());
        let (scores, posteriors) = (scores?, posteriors?);
        let best = (0..posteriors.len())
            .fold(0, |best, class| if posteriors[class] > posteriors[best] { class } else { best });
        let expected_label = case.train.keys().nth(best).map(String::as_str);
        if expected_label != Some(*label) {
            problems.push(format!("the label of row {row} is {label}"));
        }
        let share = |expected: f64, got: f64| (got - expected).abs() / (allowed * expected.abs().max(1.0));
        for (class, &expected) in scores.iter().enumerate() {
            worst_joint = worse(worst_joint, share(expected, joint[[row, class]]));
            let odds = posterior[[row, class]] - posterior[[row, best]];
            worst_odds = worse(worst_odds, share(posteriors[class] - posteriors[best], odds));
        }
    }
    let text = format!("{} rows", case.test.len());
    Ok(Outcome::of_problems(text.clone(), text, problems)
        .with_error(format!("jll {worst_joint:.2}, log-odds {worst_odds:.2} of {allowed:e}"))
        .and(worst_joint <= 1.0, "a joint log-likelihood is off")
        .and(worst_odds <= 1.0, "log-odds are off"))
}
