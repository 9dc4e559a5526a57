//! Errors of the model, in the words of the data file.

use nb_core::error::{PredictError, ValueError, ValueProblem};
use nb_io::{Kind, read::TrainFileError};

use crate::{
    data::Origin,
    output::{exact, quoted_list},
};

/// Says which line or row of a file, and which column, has the refused cell. `first_row` rows came before.
pub(crate) fn value_error(error: PredictError, origin: Origin<'_>, first_row: usize) -> anyhow::Error {
    let PredictError::Value(ValueError { row, column, value, reason }) = error else {
        return anyhow::Error::new(error).context(origin.input.name().to_owned());
    };
    let (row, name) = (first_row + row, origin.schema.feature_name(column).unwrap_or_default());
    if let (ValueProblem::Unseen, Some(feature)) = (&reason, origin.schema.feature(column))
        && let Kind::Categorical { levels } = feature.kind()
    {
        // What the model was given is a code, and the same one for all unseen categories.
        let cell = origin.cell(&feature.column.name, row);
        let cell = cell.map_or_else(|| "the category".into(), |cell| format!("{cell:?}"));
        let problem = format!(
            "{cell} was not seen in training, which had {}; correct it, or train with `--unseen ignore` to skip such cells",
            quoted_list(levels)
        );
        return at(&origin.at(row), &name, &problem);
    }
    cell(&origin.at(row), &name, value, &reason)
}

/// The same for rows to be learnt from, with what finds a row of a file by name again.
pub(crate) fn not_learnt(error: TrainFileError, at: impl FnOnce(&str, usize) -> String) -> anyhow::Error {
    match error {
        TrainFileError::Value { file, column, error: ValueError { row, value, reason, .. } } => {
            cell(&at(&file, row), &column, value, &reason)
        }
        TrainFileError::Read(error) => error.into(),
        TrainFileError::Memory { ref memory, .. } => {
            anyhow::anyhow!("{error}; or raise the limit with `--max-memory {}`", memory.bytes)
        }
        error => error.into(),
    }
}

fn cell(place: &str, column: &str, value: f64, reason: &ValueProblem) -> anyhow::Error {
    let problem = match reason {
        ValueProblem::Missing => {
            "the cell is missing; fill it in, or train with `--missing-cells skip`".to_owned()
        }
        reason => format!("{} {reason}", exact(value)),
    };
    at(place, column, &problem)
}

fn at(place: &str, column: &str, problem: &str) -> anyhow::Error {
    anyhow::anyhow!("{place}, column {column:?}: {problem}")
}
