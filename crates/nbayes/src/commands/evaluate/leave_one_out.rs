//! Rows judged by the model without them.

use anyhow::{Context, Error, Result, anyhow};
use nb_core::{
    RowSubset, Rows,
    error::{PredictError, UpdateError},
};
use nb_io::{Model, RemovalError, read::Chunk};

use super::tallies::{Row, Tallies};
use crate::{
    data::{Input, Origin, Purpose, ReadArgs},
    interrupt,
    model::fitted,
    words::value_error,
};

/// Adds the rows of a chunk, each as the model predicts it that has all rows but this one: it is taken out
/// exactly, and put back.
pub(super) fn add(
    tallies: &mut Tallies,
    model: &mut Model,
    chunk: &Chunk,
    input: &Input,
    read: &ReadArgs,
) -> Result<()> {
    let schema = model.schema().clone();
    let classes: Vec<String> = model.stats().classes().cloned().collect();
    let labels = chunk.labels.as_deref().unwrap_or_default();
    let origin = Origin { input, read, schema: &schema, purpose: Purpose::Compare };
    for row in 0..chunk.rows.n_rows() {
        interrupt::check()?;
        let name = || origin.at(chunk.first_row + row);
        // The row is the first of those that the model is given.
        let refused = |error: PredictError| value_error(error, origin, chunk.first_row + row);
        let alone = RowSubset::new(&chunk.rows, std::slice::from_ref(&row)).context("the row is gone")?;
        let label = labels.get(row).ok_or_else(|| anyhow!("{}: there is no label", name()))?;
        let weight = chunk.weights.as_ref().map_or(1.0, |weights| weights[row]);
        let not_there = || {
            format!(
                "{}: it is not among the rows that the model was trained on, which --leave-one-out is for",
                name()
            )
        };
        model.retract_weighted(&alone, std::slice::from_ref(label), &[weight]).map_err(
            |error| match error {
                RemovalError::Rows(UpdateError::Value(error)) => refused(error.into()),
                error => Error::new(error).context(not_there()),
            },
        )?;
        let without = || format!("{}: without it, the model cannot be fitted", name());
        let classifier = fitted(model).with_context(without)?;
        // A class whose only row is taken out is impossible.
        let mut log_posterior = vec![f64::NEG_INFINITY; classes.len()];
        let predicted = classifier.try_predict_each(&alone).map_err(refused)?.pop().flatten();
        if predicted.is_some() {
            let answer = classifier.predict_log_proba(&alone)?;
            for (class, value) in classifier.classes().iter().zip(answer.row(0)) {
                if let Ok(place) = classes.binary_search(class) {
                    log_posterior[place] = *value;
                }
            }
        }
        let place = |label: &String| classes.binary_search(label).ok();
        let row = Row {
            truth: place(label),
            most_probable: predicted.as_ref().and_then(place),
            log_posterior: &log_posterior,
            weight,
        };
        tallies.add(row).with_context(name)?;
        model.update_weighted(&alone, std::slice::from_ref(label), &[weight]).with_context(name)?;
    }
    Ok(())
}
