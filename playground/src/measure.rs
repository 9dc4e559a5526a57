//! Measures of rows that were held out, beside those of the class prior alone.

use nb_core::selection::FoldAssignment;
use nb_metrics::{Evaluation, Measures};
use nb_train::Effort;
use ndarray::Axis;
use serde_json::{Value, json};

use crate::{Problem, design::Design, fit::Fit, table::Table};

const FOLDS: usize = 5;
/// With fewer rows each is held out alone.
const LEAVE_ONE_OUT: usize = 30;
const FEWEST_ROWS: usize = 5;
/// With more cells of rows weights and corrections are not learnt five times more.
const MOST_REFINED: usize = 6_000;

/// Cross-validation: each row is predicted by a model trained on the other folds.
pub(crate) fn measure(table: &Table, design: &Design) -> Result<Value, Problem> {
    let n_rows = table.labels.len();
    if n_rows < FEWEST_ROWS {
        return Err(Problem::new(format!(
            "{n_rows} rows are too few to hold some out; {FEWEST_ROWS} are enough"
        )));
    }
    if design.refined && table.rows.len() > MOST_REFINED {
        return Err(Problem::new(
            "measures of held-out rows would learn weights and corrections five times more, which takes too long in a \
             browser for a table of this size; `nbayes train` has them",
        ));
    }
    let n_folds = if n_rows <= LEAVE_ONE_OUT { n_rows } else { FOLDS };
    let folds = FoldAssignment::Stratified.deal(&table.labels, n_folds);
    let n_classes = table.classes.len();
    let (mut own, mut of_prior) = (Evaluation::new(n_classes), Evaluation::new(n_classes));
    for fold in 0..n_folds {
        let (test, train): (Vec<usize>, Vec<usize>) = (0..n_rows).partition(|&row| folds[row] == fold);
        if test.is_empty() || train.is_empty() {
            continue;
        }
        let train = table.select(&train);
        let effort = if design.refined { Effort::Usual } else { Effort::SumsOnly };
        let trained = design.trainer(&train, effort)?.fit(&train.schema, &train.rows, &train.texts())?;
        let fit = Fit::of(trained.model, &train)?;
        let rows = fit.rows_of(&table.rows.select(Axis(0), &test));
        let classes: Vec<usize> = fit
            .classifier
            .classes()
            .iter()
            .filter_map(|class| table.classes.binary_search(class).ok())
            .collect();
        let labels = fit.classifier.try_predict_each(&rows)?;
        let logs = fit.classifier.predict_log_proba(&rows)?;
        let prior = shares(&train, n_classes);
        let most =
            (0..n_classes).fold(0, |best, class| if prior[class] > prior[best] { class } else { best });
        for ((&row, label), own_logs) in test.iter().zip(&labels).zip(logs.rows()) {
            let mut posteriors = vec![f64::NEG_INFINITY; n_classes];
            classes.iter().zip(own_logs).for_each(|(&class, &log)| posteriors[class] = log);
            let predicted = label.as_ref().and_then(|label| table.classes.binary_search(label).ok());
            own.add(table.labels[row], predicted, &posteriors, 1.0)?;
            of_prior.add(table.labels[row], most, &prior, 1.0)?;
        }
    }
    let confusion = own.confusion();
    let cells = (0..n_classes).map(|truth| {
        (0..n_classes).map(|predicted| confusion.weight(truth, predicted)).collect::<Vec<f64>>()
    });
    Ok(json!({
        "model": numbers(&own.measures()), "prior": numbers(&of_prior.measures()),
        "confusion": cells.collect::<Vec<_>>(), "n_folds": n_folds,
    }))
}

/// The logarithms of the shares of the classes.
fn shares(table: &Table, n_classes: usize) -> Vec<f64> {
    let mut counts = vec![0.0_f64; n_classes];
    table.labels.iter().for_each(|&class| counts[class] += 1.0);
    counts.iter().map(|count| (count / table.labels.len() as f64).ln()).collect()
}

/// What JSON has no number for is text.
fn numbers(measures: &Measures) -> Value {
    let number = |value: Option<f64>| match value {
        Some(value) if !value.is_finite() => json!("infinite"),
        value => json!(value),
    };
    json!({
        "accuracy": number(measures.accuracy), "log_loss": number(measures.log_loss),
        "brier": number(measures.brier), "auc": number(measures.auc),
        "calibration_error": number(measures.calibration_error),
    })
}
