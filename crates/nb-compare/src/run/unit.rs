//! Units: a variant on a data set, in one repeat of the plan, under each condition of the experiment if there
//! is one.

use std::time::Instant;

use crate::{
    Condition, Design, Done, FailedValues, Folds, Method, MethodError, Outcome, PlanError, PowerLimit, Study,
    Table, Times, Unit,
    experiment::{learning_curve, robustness},
    labels,
    run::{Task, Tested},
};

pub(super) fn run(design: &Design, task: &Task<'_>) -> Result<Vec<Unit>, PlanError> {
    let variant = &design.variants[task.variant];
    let (table, seeds) = (task.table, (design.seed, task.repeat));
    let folds = design.plan.folds_of(table, task.key, design.seed, task.repeat)?;
    let tested = || Tested::new(table, &folds, design.wanted_of(table), design.predictions);
    let (method, keyed) = (variant.method(), (table, task.key));
    let found = match &design.experiment {
        None => vec![test(&*method, table, &folds, tested())],
        Some(Study::LearningCurve(_)) => {
            let size = |condition: &Condition| match condition {
                Condition::Size(size) => Some(*size),
                _ => None,
            };
            let sizes: Vec<usize> = task.conditions.iter().filter_map(size).collect();
            learning_curve::of_split(&*method, keyed, &folds, seeds, &sizes, tested)
        }
        Some(Study::Robustness(_)) => {
            robustness::of_repeat(&*method, keyed, &folds, seeds, task.conditions, tested)
        }
    };
    let keeps_labels = design.experiment.is_none() || design.predictions;
    let unit = |(condition, outcome): (&Condition, Result<Done, MethodError>)| {
        let outcome = match outcome {
            Ok(done) => Outcome::Done(Box::new(if keeps_labels { done } else { done.without_rows() })),
            Err(MethodError::NotApplicable { reason }) => Outcome::NotApplicable { reason },
            Err(error @ MethodError::Failed(_)) => Outcome::Failed { reason: error.to_string() },
        };
        Unit {
            set: table.name.clone(),
            variant: variant.name.clone(),
            repeat: task.repeat,
            condition: *condition,
            outcome,
        }
    };
    Ok(task.conditions.iter().zip(found).map(unit).collect())
}

fn test(
    method: &dyn Method,
    table: &Table,
    folds: &Folds,
    mut tested: Tested<'_>,
) -> Result<Done, MethodError> {
    let mut n_parameters = 0.0;
    let mut times = Times::default();
    let mut n_answered = 0;
    let (mut chosen, mut failed, mut limits) = (Vec::new(), Vec::new(), Vec::new());

    // The first fold is trained the plain way and timed; the others by retraction where the method has a way.
    let first = folds.train(0);
    let start = Instant::now();
    let mut fitted = method.fit(table, &first)?;
    times.fit_per_row = start.elapsed().as_secs_f64() / first.len() as f64;
    let mut retracting = if folds.n_folds > 1 { method.fold(table, folds)? } else { None };

    for fold in 0..folds.n_folds {
        if fold > 0 {
            fitted = match &mut retracting {
                Some(retracting) => retracting.without(fold)?,
                None => method.fit(table, &folds.train(fold))?,
            };
        }
        if let Some(found) = fitted.chosen() {
            chosen.push(found.name.clone());
            for of_fold in &found.failed {
                FailedValues::count(&mut failed, of_fold);
            }
        }
        fitted.limits().iter().for_each(|limit| PowerLimit::count(&mut limits, limit));
        let rows = folds.test(fold);
        let start = Instant::now();
        let log_posteriors = fitted.log_posteriors(table, &rows)?;
        times.predict_per_row += start.elapsed().as_secs_f64();
        n_answered += rows.len();
        n_parameters += fitted.n_parameters() as f64;
        tested.add(&rows, Some(&log_posteriors), &labels(&log_posteriors))?;
    }
    times.predict_per_row /= n_answered.max(1) as f64;
    let n_parameters = Some(n_parameters / folds.n_folds as f64);
    Ok(Done { chosen, failed, limits, n_parameters, times: Some(times), ..tested.done()? })
}
