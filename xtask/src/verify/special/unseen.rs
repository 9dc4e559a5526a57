//! A category not seen in training: refused, ignored, counted as "other", or smoothed because it was
//! declared.

use nb_core::{
    Categorical, Categories, Classifier, NaiveBayes, Smoothing, Unseen,
    error::{PredictError, ValueProblem},
    fitted::FittedCategorical,
};
use ndarray::{Array2, Axis, array};

use super::special;
use crate::verify::check::{Check, Outcome, Problem};
use crate::verify::ulp::ulps_between;

/// Code of the outlook "overcast", and the column it stands in.
const UNSEEN: f64 = 0.0;
const COLUMN: usize = 0;

pub(super) fn checks() -> Vec<Check> {
    let source = "playtennis without overcast days";
    vec![
        special("unseen category: refused by default", source, refused),
        special("unseen category: ignored", source, ignored),
        special("unseen category: other", source, other),
        special("unseen category: declared", source, declared),
        special("unseen category: declared, l = 0", source, impossible),
    ]
}

/// Trains on the days that are not overcast; gives the classifier and an overcast day.
fn fit(model: Categorical) -> Result<(Classifier<usize, FittedCategorical>, Array2<f64>), Problem> {
    let set = nb_datasets::load("playtennis")?;
    let x = set.x();
    let (overcast, train): (Vec<usize>, Vec<usize>) =
        (0..set.n_rows()).partition(|&row| x[[row, COLUMN]] == UNSEEN);
    let labels: Vec<usize> = train.iter().map(|&row| set.labels[row]).collect();
    let classifier = NaiveBayes::new(model).fit(&x.select(Axis(0), &train), &labels)?;
    let day = overcast.first().ok_or("no day is overcast")?;
    Ok((classifier, x.select(Axis(0), &[*day])))
}

/// Rows of either class: of the ten sunny and rainy days five are of class "no", five of class "yes".
const N_CLASS: f64 = 5.0;

fn refused() -> Result<Outcome, Problem> {
    let (classifier, day) = fit(Categorical::default())?;
    let got = match classifier.predict(&day) {
        Err(PredictError::Value(error)) if error.reason == ValueProblem::Unseen => {
            format!("unseen: row {}, column {}", error.row, error.column)
        }
        other => format!("{other:?}"),
    };
    Ok(Outcome::equal(format!("unseen: row 0, column {COLUMN}"), got))
}

fn ignored() -> Result<Outcome, Problem> {
    let (classifier, day) = fit(Categorical { unseen: Unseen::Ignore, ..Categorical::default() })?;
    let terms = classifier.explain(&day, 0)?.contributions;
    let got = terms.column(COLUMN).to_vec();
    Ok(Outcome::equal("[0.0, 0.0]", format!("{got:?}")))
}

fn other() -> Result<Outcome, Problem> {
    let (classifier, day) = fit(Categorical { unseen: Unseen::Other, ..Categorical::default() })?;
    // Rain, sunny and other: K = 3.
    smoothed(&classifier, &day, (1.0 / (N_CLASS + 3.0_f64)).ln())
}

fn declared() -> Result<Outcome, Problem> {
    let (classifier, day) = fit(Categorical {
        categories: Categories::Declared(vec![3, 3, 2, 2]),
        smoothing: Smoothing::new(0.5)?,
        ..Categorical::default()
    })?;
    smoothed(&classifier, &day, (0.5 / (N_CLASS + 3.0 * 0.5_f64)).ln())
}

fn smoothed(
    classifier: &Classifier<usize, FittedCategorical>,
    day: &Array2<f64>,
    expected: f64,
) -> Result<Outcome, Problem> {
    let terms = classifier.explain(day, 0)?.contributions;
    let got = terms.column(COLUMN);
    let worst = got.iter().map(|&got| ulps_between(expected, got)).max();
    let worst = worst.unwrap_or(u64::MAX);
    let text = |a: f64, b: f64| format!("{a:.9}, {b:.9}");
    Ok(Outcome::equal(text(expected, expected), text(got[0], got[1]))
        .with_error(format!("{worst} of 4 ulp"))
        .and(worst <= 4, "not the smoothed probability"))
}

/// Maximum likelihood: no class can produce the row, which then has no label and is no NaN.
fn impossible() -> Result<Outcome, Problem> {
    let (classifier, day) = fit(Categorical {
        categories: Categories::Declared(vec![3, 3, 2, 2]),
        smoothing: Smoothing::MAXIMUM_LIKELIHOOD,
        ..Categorical::default()
    })?;
    let label = classifier.try_predict_each(&day)?;
    let log_proba = classifier.predict_log_proba(&day)?;
    let none = array![[f64::NEG_INFINITY, f64::NEG_INFINITY]];
    let refused = matches!(classifier.predict(&day), Err(PredictError::Impossible { row: 0 }));
    Ok(Outcome::equal("[None]", format!("{label:?}"))
        .and(log_proba == none, format!("log-posteriors {log_proba}"))
        .and(refused, "`predict` does not refuse the row"))
}
