//! One unit: a variant on a data set, in one repeat of the plan.

use std::time::Instant;

use nb_metrics::Evaluation;

use crate::{
    Design, Done, FailedValues, Folds, Losses, Measure, Method, MethodError, Outcome, PlanError, PowerLimit,
    Reliability, Table, Times, Unit, Values, evaluate::evaluate, labels, run::Task,
};

pub(super) fn run(design: &Design, task: &Task<'_>) -> Result<Unit, PlanError> {
    let variant = &design.variants[task.variant];
    let table = task.table;
    let folds = design.plan.folds_of(table, task.key, design.seed, task.repeat)?;
    let outcome = match test(&*variant.method(), table, &folds, design.predictions) {
        Ok(done) => Outcome::Done(Box::new(done)),
        Err(MethodError::NotApplicable { reason }) => Outcome::NotApplicable { reason },
        Err(error @ MethodError::Failed(_)) => Outcome::Failed { reason: error.to_string() },
    };
    Ok(Unit { set: task.table.name.clone(), variant: variant.name.clone(), repeat: task.repeat, outcome })
}

fn test(method: &dyn Method, table: &Table, folds: &Folds, keep: bool) -> Result<Done, MethodError> {
    let n_classes = table.classes.len();
    let mut pooled = Evaluation::new(n_classes);
    let mut of_folds = Vec::new();
    let mut given = vec![None; table.n_rows()];
    let mut n_parameters = 0.0;
    let mut times = Times::default();
    let mut n_answered = 0;
    let mut losses = Vec::new();
    let (mut kept, mut chosen, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    let mut limits = Vec::new();

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
        losses
            .extend(rows.iter().zip(log_posteriors.rows()).map(|(&row, values)| -values[table.labels[row]]));
        if keep {
            kept.extend(rows.iter().copied().zip(log_posteriors.rows().into_iter().map(|row| row.to_vec())));
        }
        let predicted = labels(&log_posteriors);
        for (&row, label) in rows.iter().zip(&predicted) {
            given[row] = label.map(|label| label as u32);
        }
        let evaluation = evaluate(table, &rows, &log_posteriors, &predicted)?;
        if !folds.is_leave_one_out() {
            // The rows of a fold are too few for a calibration error, which is that of all folds together.
            of_folds.push(Values::of(&evaluation.measures()).without(Measure::CalibrationError));
        }
        pooled.merge(&evaluation).map_err(MethodError::failed)?;
    }
    kept.sort_unstable_by_key(|(row, _)| *row);
    times.predict_per_row /= n_answered.max(1) as f64;

    let measures = pooled.measures();
    if folds.is_leave_one_out() {
        of_folds.push(Values::of(&measures));
    }
    let is_whole = folds.of_row.iter().all(Option::is_some);
    Ok(Done {
        folds: of_folds,
        pooled: Values::of(&measures),
        labels: given,
        tested: if is_whole { Vec::new() } else { folds.of_row.iter().map(Option::is_some).collect() },
        log_posteriors: kept.into_iter().flat_map(|(_, values)| values).collect(),
        chosen,
        failed,
        limits,
        reliability: measures
            .reliability
            .iter()
            .map(|bin| Reliability {
                upper: bin.upper,
                rows: bin.rows.rows,
                confidence: bin.confidence,
                accuracy: bin.accuracy,
            })
            .collect(),
        losses: Losses::of(losses),
        n_parameters: n_parameters / folds.n_folds as f64,
        times,
    })
}
