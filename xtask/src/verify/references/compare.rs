//! Comparing the scores of the listed rows.

use ndarray::ArrayView1;

use super::bounds::{Worst, posterior_bars, posterior_error, probability_bar, score_bar, score_error};
use super::format::{Family, Variant};
use super::input::Input;
use super::model::Fitted;
use super::sizes::Sizes;
use crate::verify::check::Problem;

/// The largest errors of joint log-likelihoods and log-posteriors.
pub(super) struct ScoreErrors {
    pub(super) joint: Worst,
    pub(super) posterior: Worst,
}

/// Compares every score that the reference lists.
pub(super) fn compare(variant: &Variant, fitted: &Fitted, input: &Input) -> Result<ScoreErrors, Problem> {
    if variant.rows.is_empty()
        || variant.rows.len() != variant.jll.len()
        || variant.rows.len() != variant.log_posterior.len()
    {
        return Err("the reference does not have scores for each of its rows".into());
    }
    let (scorer, table) = (&fitted.scorer, input.table.select(&variant.rows));
    let rows = table.rows()?;
    let (joint, posterior) = (scorer.joint_log_likelihood(&*rows)?, scorer.predict_log_proba(&*rows)?);
    let sizes = Sizes::new(variant, input)?;
    let probabilities = scorer.predict_proba(&*rows)?;
    let mut errors = ScoreErrors { joint: Worst::default(), posterior: Worst::default() };
    for (position, &row) in variant.rows.iter().enumerate() {
        let cells = table.row(position);
        let expected = |class: usize| variant.jll[position].get(class).map(|number| number.0);
        let without_label = variant.log_posterior[position].iter().all(Option::is_none);
        let expected_posterior = |class: usize| {
            let number = variant.log_posterior[position].get(class)?;
            number.map(|number| number.0).or(without_label.then_some(f64::NEG_INFINITY))
        };
        absent_classes_are_impossible(scorer.classes(), variant.jll[position].len(), expected)
            .map_err(|class| format!("class {class} has no training row but a score in row {row}"))?;

        let (mut bars, mut exact_posteriors) = (Vec::new(), Vec::new());
        for (column, &class) in scorer.classes().iter().enumerate() {
            let expected = expected(class).ok_or("a score is missing in the reference")?;
            let bar = score_bar(sizes.of(class, cells, expected));
            bars.push(bar);
            let got = joint[[position, column]] - prior_to_ignore(variant, fitted, column);
            errors.joint.add(score_error(expected, got, bar), || {
                format!("joint log-likelihood of row {row}, class {class} is {got:e}, not {expected:e}")
            });
            exact_posteriors
                .push(expected_posterior(class).ok_or("a posterior is missing in the reference")?);
        }
        let posterior_bars = posterior_bars(&exact_posteriors, &bars);
        compare_posteriors(
            row,
            &exact_posteriors,
            &posterior.row(position),
            &posterior_bars,
            &mut errors.posterior,
        );
        let numbers = exact_posteriors.iter().zip(&posterior_bars).zip(probabilities.row(position));
        for (column, ((&log, &bar), &got)) in numbers.enumerate() {
            let expected = log.exp();
            errors.posterior.add(posterior_error(expected, got, probability_bar(log, bar)), || {
                format!("posterior of row {row}, class number {column} is {got:e}, not {expected:e}")
            });
        }
    }
    Ok(errors)
}

fn compare_posteriors(
    row: usize,
    expected: &[f64],
    got: &ArrayView1<'_, f64>,
    bars: &[f64],
    worst: &mut Worst,
) {
    for (column, ((&expected, &got), &bar)) in expected.iter().zip(got).zip(bars).enumerate() {
        worst.add(posterior_error(expected, got, bar), || {
            format!("log-posterior of row {row}, class number {column} is {got:e}, not {expected:e}")
        });
    }
}

/// The complement model of the references has no prior; ours is uniform.
fn prior_to_ignore(variant: &Variant, fitted: &Fitted, column: usize) -> f64 {
    if variant.spec.model == Family::Complement { fitted.scorer.log_prior()[column] } else { 0.0 }
}

/// A class without training rows is not in the model, and impossible in the reference.
fn absent_classes_are_impossible(
    present: &[usize],
    n_classes: usize,
    expected: impl Fn(usize) -> Option<f64>,
) -> Result<(), usize> {
    let absent = (0..n_classes).filter(|class| !present.contains(class));
    let mut possible = absent.filter(|&class| expected(class) != Some(f64::NEG_INFINITY));
    possible.next().map_or(Ok(()), Err)
}
