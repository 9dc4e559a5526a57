//! Rows drawn from a model.

use nb_core::NaiveBayes;
use nb_io::Model;
use ndarray::Array2;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use crate::{Problem, bytes, fit::Fit};

const MOST_ROWS: usize = 20_000;

/// Rows with the number of their class, in the columns of the model.
pub(crate) fn sample(fit: &Fit, n_rows: usize, seed: u64) -> Result<(Value, Vec<u8>), Problem> {
    let (rows, labels) = drawn(&fit.model, fit.classifier.classes(), n_rows.min(MOST_ROWS), seed)?;
    let rows = rows.rows().into_iter().zip(&labels).flat_map(|(row, &class)| {
        let mut row = row.to_vec();
        row.push(class as f64);
        row
    });
    Ok((json!({"places": fit.places}), bytes::of_doubles(rows)))
}

pub(crate) fn drawn(
    model: &Model,
    classes: &[String],
    n_rows: usize,
    seed: u64,
) -> Result<(Array2<f64>, Vec<usize>), Problem> {
    let density = model.family().density().filter(|_| model.refinement().is_none());
    let density = density.ok_or_else(|| {
        Problem::new(
            "no rows can be drawn: weights and corrections, and families such as complement, say how probable classes are, and \
             nothing of rows"
        )
    })?;
    let classifier = NaiveBayes { model: density, prior: model.prior().clone() }.fit_stats(model.stats())?;
    let (rows, labels) = classifier.sample(n_rows, &mut ChaCha8Rng::seed_from_u64(seed));
    let labels = labels.iter().filter_map(|label| classes.binary_search(label).ok()).collect();
    Ok((rows, labels))
}
