//! Comparing the labels of all evaluated rows.

use nb_core::error::PredictError;
use ndarray::ArrayView1;

use super::bounds::score_bar;
use super::format::Variant;
use super::input::Input;
use super::model::Fitted;
use super::sizes::Sizes;
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

/// Compares every label. A different one is wrong unless the reference has a tie of both classes, or the
/// margin between them is below the bars of their scores.
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
    let sizes = Sizes::new(variant, input)?;
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
        if undecided(variant, &sizes, table.row(position), row, got, expected) {
            errors.n_undecided += 1;
        } else {
            errors.wrong.push(row);
        }
    }
    Ok(errors)
}

/// Whether the margin between two classes is below the bars of their scores. The reference lists the scores
/// of the closest decisions; a row that it does not list is decided.
fn undecided(
    variant: &Variant,
    sizes: &Sizes<'_>,
    cells: Option<ArrayView1<'_, f64>>,
    row: usize,
    got: usize,
    expected: usize,
) -> bool {
    let Some(listed) = variant.rows.iter().position(|&listed| listed == row) else {
        return false;
    };
    let scores = &variant.jll[listed];
    let bar = |class: usize| score_bar(sizes.of(class, cells, scores[class].0));
    (scores[expected].0 - scores[got].0).abs() <= bar(got) + bar(expected)
}
