//! New rows are read once: counted, and predicted.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use nb_core::Classifier;
use nb_io::{BeyondRanges, FittedFamily, Model};
use nb_metrics::Evaluation;

use crate::{
    data::{Input, Origin, Purpose, ReadArgs, Wanted},
    drift::{NewRows, Posteriors},
    model::{Answer, Seen, for_each_answer, note_beyond, note_non_numeric, weight},
    output::Screen,
    words::value_error,
};

/// What is known of the new rows.
pub(super) struct Read<'a> {
    pub(super) new: NewRows<'a>,
    /// The rows of each label.
    pub(super) labels: BTreeMap<String, u64>,
    pub(super) posteriors: Posteriors,
    /// Of the labelled rows.
    pub(super) evaluation: Evaluation,
}

pub(super) fn read<'a>(
    model: &Model,
    classifier: &Classifier<String, FittedFamily>,
    (read, purpose): (&ReadArgs, Purpose),
    inputs: &[Input],
    mut new: NewRows<'a>,
    screen: Screen,
) -> Result<Read<'a>> {
    let read = read.of_model(model);
    let n_classes = classifier.classes().len();
    let (mut labels, mut posteriors) = (BTreeMap::new(), Posteriors::new(n_classes));
    let mut evaluation = Evaluation::new(n_classes);
    let mut seen = Seen::new(model);
    let mut n_non_numeric = 0;
    let mut beyond = BeyondRanges::new(model);
    for input in inputs {
        let wanted = Wanted { classes: classifier.classes().to_vec(), ..Wanted::default() };
        let mut reader = read.open(input, model.schema(), wanted, purpose, screen)?;
        let origin = Origin { input, read: &read, schema: model.schema(), purpose };
        while let Some(chunk) = reader.next_chunk()? {
            crate::interrupt::check()?;
            new.look(&chunk);
            beyond.look(&chunk.rows);
            seen.look(&chunk);
            n_non_numeric += chunk.n_non_numeric;
            let own: &[String] = chunk.labels.as_deref().unwrap_or_default();
            // A row without a label has an empty one.
            for label in own.iter().filter(|label| !label.is_empty()) {
                match labels.get_mut(label) {
                    Some(n) => *n += 1,
                    None => drop(labels.insert(label.clone(), 1)),
                }
            }
            let predicted = classifier
                .try_predict_each(&chunk.rows)
                .map_err(|error| value_error(error, origin, chunk.first_row))?;
            for_each_answer(classifier, &chunk.rows, own, &predicted, |answer| {
                let Answer { row, truth, most_probable, log_posterior } = answer;
                posteriors.add(log_posterior, truth);
                if own.get(row).is_some_and(|label| !label.is_empty()) {
                    evaluation.add(truth, most_probable, log_posterior, 1.0)?;
                }
                Ok(())
            })
            .with_context(|| format!("{}, rows from {}", input.name(), chunk.first_row + 1))?;
        }
    }
    if new.rows == 0 {
        let names: Vec<&str> = inputs.iter().map(Input::name).collect();
        bail!("{}: there are no rows to compare with those of the model", names.join(", "));
    }
    note_beyond(&beyond, weight(model), screen);
    note_non_numeric(n_non_numeric, screen);
    if !labels.is_empty() {
        seen.note(screen);
    }
    Ok(Read { new: new.finish(), labels, posteriors, evaluation })
}
