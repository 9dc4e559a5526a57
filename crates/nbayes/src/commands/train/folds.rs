//! Held-out rows of a plain model: each is classified by a model of the rows of the other folds.

use anyhow::Result;
use nb_io::{Model, Schema};
use nb_metrics::RowError;
use nb_train::{FoldMeasures, Folds, JudgeError, NotHeldOut};

use super::report::HeldOut;
use crate::{columns::Found, design::PriorArg, model::fitted, output::Screen, words::value_error};

/// Reads all rows a second time, and classifies those of each fold by a model of the others; or says why that is impossible.
pub(super) fn classify(
    folds: Folds,
    schema: &Schema,
    found: &Found,
    prior: &PriorArg,
    screen: Screen,
) -> Result<Result<HeldOut, String>> {
    let judges = folds.judges(|family, others| {
        let prior = prior.over(others.classes())?;
        fitted(&Model::from_parts(schema.clone(), family.clone(), prior, others)?)
    });
    let mut judges = match judges {
        Ok(judges) => judges,
        Err(NotHeldOut::FewRows) => {
            let remedy = "`nbayes evaluate --leave-one-out` judges each by the others";
            return Ok(Err(format!("{}; {remedy}", NotHeldOut::FewRows)));
        }
        Err(why) => return Ok(Err(why.to_string())),
    };
    for input in found.inputs.iter() {
        let mut reader = found.open(input, judges.classes(), screen.silent())?;
        while let Some(chunk) = reader.next_chunk()? {
            match judges.judge(&chunk) {
                Ok(()) => {}
                Err(JudgeError::Predict(error)) => {
                    let error = value_error(error, input, &found.read, schema, chunk.first_row);
                    return Ok(Err(NotHeldOut::NoModel(format!("{error:#}")).to_string()));
                }
                Err(JudgeError::Row(RowError::Weight { weight })) => {
                    let row = chunk.weights.iter().flatten().position(|own| *own == weight).unwrap_or(0);
                    return Ok(Err(format!(
                        "{}, row {}: the weight is {weight:e}; rows are held out with weights of 0, or from 2^-60 to 2^60",
                        input.name(),
                        chunk.first_row + row + 1
                    )));
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
    let FoldMeasures { measures, n_rows, impossible_rows, lone_rows, .. } = judges.measures();
    Ok(Ok(HeldOut {
        measures,
        refined: None,
        of_some: false,
        rows: n_rows as usize,
        impossible_rows,
        lone_rows,
    }))
}
