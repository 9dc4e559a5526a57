//! Comparing the labels of all evaluated rows.

use nb_core::error::PredictError;

use super::compare::bars;
use super::format::Variant;
use super::input::Input;
use super::model::Fitted;
use crate::verify::check::Problem;

/// What came of comparing labels.
#[derive(Default)]
pub(super) struct LabelErrors {
    pub(super) n_rows: usize,
    /// Labels that are those of the data set.
    pub(super) n_correct: usize,
    /// Differing labels of rows that the bars of the scores do not decide.
    pub(super) n_undecided: usize,
    /// Rows with a wrong label.
    pub(super) wrong: Vec<usize>,
    /// Differing labels of rows with a tie.
    pub(super) n_tied: usize,
    /// Whether `predict` gives the same labels, or names the first row that has none.
    pub(super) is_predicted_alike: bool,
}

/// Compares every label. A different one is wrong unless the reference has a tie of both classes, or the margin
/// between them is below the bars of their scores.
pub(super) fn compare(
    variant: &Variant,
    fitted: &Fitted,
    input: &Input,
    evaluated: &[usize],
) -> Result<LabelErrors, Problem> {
    if evaluated.len() != variant.labels.len() {
        return Err("the reference does not have one label for each evaluated row".into());
    }
    let table = input.table.select(evaluated);
    let rows = table.rows()?;
    let labels = fitted.scorer.try_predict_each(&*rows)?;
    let mut errors = LabelErrors { n_rows: labels.len(), ..LabelErrors::default() };
    errors.is_predicted_alike = match fitted.scorer.predict(&*rows) {
        Ok(predicted) => labels.iter().copied().eq(predicted.into_iter().map(Some)),
        Err(PredictError::Impossible { row }) => labels.iter().position(Option::is_none) == Some(row),
        Err(error) => return Err(error.into()),
    };
    for (position, (&got, &expected)) in labels.iter().zip(&variant.labels).enumerate() {
        let row = evaluated[position];
        errors.n_correct += usize::from(got == Some(input.classes[row]));
        if got == expected {
            continue;
        }
        let (Some(got), Some(expected)) = (got, expected) else {
            errors.wrong.push(row);
            continue;
        };
        let tied = variant.ties.get(&row).is_some_and(|tied| tied.contains(&got) && tied.contains(&expected));
        if tied {
            errors.n_tied += 1;
            continue;
        }
        let explanation = fitted.scorer.explain(&*rows, position)?;
        if undecided(variant, row, got, expected, &explanation) {
            errors.n_undecided += 1;
        } else {
            errors.wrong.push(row);
        }
    }
    Ok(errors)
}

/// Whether the margin between two classes is below the bars of their scores: the exact margin where the reference
/// lists the row, else our own.
fn undecided(
    variant: &Variant,
    row: usize,
    got: usize,
    expected: usize,
    explanation: &nb_core::Explanation<usize>,
) -> bool {
    let number = |class| explanation.classes.iter().position(|&known| known == class);
    let (Some(got_number), Some(expected_number)) = (number(got), number(expected)) else {
        return false;
    };
    let exact = variant.rows.iter().position(|&listed| listed == row);
    let margin = match exact.map(|position| &variant.jll[position]) {
        Some(exact) => exact[expected].0 - exact[got].0,
        None => {
            explanation.joint_log_likelihood[expected_number] - explanation.joint_log_likelihood[got_number]
        }
    };
    let bars = bars(explanation);
    margin.abs() <= bars[got_number] + bars[expected_number]
}
