//! How rows are predicted now, beside how rows were that were held out in training.

use nb_io::{HeldOutMeasures, Model};
use nb_metrics::Measures;
use nb_significance::{SampleMoments, homogeneity, two_means};
use serde::Serialize;

use super::{posteriors::Posteriors, test::Test};

/// A measure; lower is better of those that are tested.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct MeasureDrift {
    pub(crate) measure: &'static str,
    /// Of rows that were held out in training, if the model has it.
    pub(crate) held_out: Option<f64>,
    pub(crate) new: Option<f64>,
    pub(crate) test: Option<Test>,
}

/// All measures of labelled rows.
pub(crate) fn measure_drift(
    model: &Model,
    measures: &Measures,
    posteriors: &Posteriors,
) -> Vec<MeasureDrift> {
    let held_out = model.held_out();
    let rows = crate::model::weight(model);
    let of = |value: fn(&HeldOutMeasures) -> f64| held_out.map(value);
    let error_rate = measures.accuracy.map(|accuracy| 1.0 - accuracy);
    let measure = |measure, held_out, new, test| MeasureDrift { measure, held_out, new, test };
    vec![
        measure(
            "log_loss",
            of(|m| m.log_loss),
            measures.log_loss,
            held_out.and_then(|m| log_loss(m, rows, posteriors)),
        ),
        measure(
            "error_rate",
            of(|m| 1.0 - m.accuracy),
            error_rate,
            held_out
                .zip(error_rate)
                .and_then(|(m, now)| errors(1.0 - m.accuracy, now, [rows, measures.rows.weight])),
        ),
        measure("auc", held_out.and_then(|m| m.auc), measures.auc, None),
        measure(
            "calibration_error",
            held_out.and_then(|m| m.calibration_error),
            measures.calibration_error,
            None,
        ),
    ]
}

/// The held-out rows are taken to be as many as the rows of the model, with a log-loss that varies as much as
/// now: the model does not keep how much it did.
fn log_loss(held_out: &HeldOutMeasures, rows: f64, posteriors: &Posteriors) -> Option<Test> {
    let new = posteriors.losses();
    let before = SampleMoments { n: rows, mean: held_out.log_loss, variance: new.variance };
    let test = two_means(&before, &new).ok()?;
    Some(Test::of_rise(held_out.log_loss, new.mean, test.p_value))
}

fn errors(before: f64, now: f64, n: [f64; 2]) -> Option<Test> {
    let counts = [before * n[0], now * n[1]];
    let test =
        homogeneity(&[(n[0] - counts[0]).max(0.0), counts[0]], &[(n[1] - counts[1]).max(0.0), counts[1]])
            .ok()?;
    Some(Test::of_rise(before, now, test.p_value))
}
