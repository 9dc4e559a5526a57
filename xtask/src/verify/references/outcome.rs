//! The check of one variant.

use super::bounds::PARAMETER_ULPS;
use super::format::{Reference, Variant};
use super::input::Input;
use super::model::{self, ModelError};
use super::{compare, labels, parameters, refused};
use crate::verify::check::{Outcome, Problem};

/// How many wrong rows a failing check names.
const LISTED: usize = 5;

/// Fits a variant and compares parameters, scores and labels, or expects a refusal if there is no such model.
pub(super) fn of(reference: &Reference, variant: &Variant, input: &Input) -> Result<Outcome, Problem> {
    let (train, evaluated) = input.split(variant.spec.split);
    let fitted = match model::fit(&variant.spec, input, &train) {
        Ok(fitted) => fitted,
        Err(ModelError::Refused(error)) => return Ok(refused::outcome(variant, input, &train, &error)),
        Err(ModelError::Broken(problem)) => return Err(problem),
    };
    if let Some(undefined) = &variant.undefined {
        return Ok(refused::fitted_although_undefined(undefined));
    }
    let parameters = parameters::compare(reference, variant, &fitted)?;
    let scores = compare::compare(variant, &fitted, input)?;
    let labels = labels::compare(variant, &fitted, input, &evaluated)?;

    let worst = [&parameters, &scores.joint, &scores.posterior];
    let mut problems: Vec<String> = worst.iter().filter_map(|worst| worst.problem()).collect();
    if let Some(listed) = labels.wrong.get(..LISTED.min(labels.wrong.len()))
        && !listed.is_empty()
    {
        problems.push(format!("{} labels differ, the first in rows {listed:?}", labels.wrong.len()));
    }
    let mut outcome = Outcome {
        expected: format!("{} of {} right", variant.correct, variant.labels.len()),
        got: format!("{} of {} right", labels.n_correct, labels.n_rows),
        error: format!(
            "{:.1} ulp; jll {:.3}, posterior {:.3} bars",
            parameters.ratio * PARAMETER_ULPS as f64,
            scores.joint.ratio,
            scores.posterior.ratio
        ),
        passed: problems.is_empty(),
        remarks: problems,
    };
    if labels.n_undecided > 0 {
        let n = labels.n_undecided;
        outcome = outcome.remark(format!("{n} differing labels where the bars leave the margin open"));
    }
    let differ = labels.n_correct.abs_diff(variant.correct);
    outcome = outcome
        .and(
            differ <= labels.n_undecided + labels.n_tied + labels.wrong.len(),
            format!("{} rows are right, not {}", labels.n_correct, variant.correct),
        )
        .and(labels.is_predicted_alike, "`predict` and `try_predict_each` differ");
    let n_numbers: usize = worst.iter().map(|worst| worst.n()).sum();
    Ok(outcome.and(n_numbers > 0, "the reference has no numbers"))
}
