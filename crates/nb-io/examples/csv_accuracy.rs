//! From a CSV file to the accuracy of a Gaussian model on it: `cargo run --release --example csv_accuracy --
//! FILE LABEL`.
//!
//! The file is read once and kept in memory. With `in-chunks` as a third argument it is read three times
//! instead, to learn the schema, to train and to predict, and takes no more memory than a chunk.
#![expect(clippy::print_stdout, reason = "an example shows its result")]

use nb_core::{Gaussian, Prior};
use nb_io::{
    Family, Model,
    read::{Csv, Overrides, ReadChunks, train},
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, label, rest @ ..] = &arguments[..] else {
        return Err("usage: csv_accuracy FILE LABEL [in-chunks]".into());
    };
    let in_chunks = rest.first().is_some_and(|mode| mode == "in-chunks");
    let accuracy = if in_chunks { in_three_passes(path, label)? } else { in_one_pass(path, label)? };
    println!("accuracy {accuracy}");
    Ok(())
}

fn in_one_pass(path: &str, label: &str) -> Result<f64, Box<dyn std::error::Error>> {
    let loaded = Csv::default().load(path, label, &Overrides::default())?;
    let (rows, labels) = (&loaded.chunk.rows, loaded.chunk.labels.unwrap_or_default());
    let mut model =
        Model::new(loaded.inferred.schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    model.update(rows, &labels)?;
    let predicted = model.classifier()?.predict(rows)?;
    Ok(n_right(&predicted, &labels) as f64 / labels.len() as f64)
}

fn in_three_passes(path: &str, label: &str) -> Result<f64, Box<dyn std::error::Error>> {
    let csv = Csv::default();
    let schema = csv.infer(path, label, &Overrides::default())?.schema;
    let mut model = Model::new(schema.clone(), Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    let n_rows = train(&mut model, &mut csv.read(path, &schema)?)?;
    let classifier = model.classifier()?;
    let (mut reader, mut total) = (csv.read(path, &schema)?, 0);
    while let Some(chunk) = reader.next_chunk()? {
        total += n_right(&classifier.predict(&chunk.rows)?, &chunk.labels.unwrap_or_default());
    }
    Ok(total as f64 / n_rows as f64)
}

fn n_right(predicted: &[String], labels: &[String]) -> usize {
    predicted.iter().zip(labels).filter(|(predicted, label)| predicted == label).count()
}
