//! A CSV file from text to accuracy, as a whole process: read, fit, predict, compare.
//!
//! Prints one line of JSON with what the process has taken since it began.

use std::process::ExitCode;

use nb_core::{Gaussian, Prior};
use nb_io::{
    Family, Model,
    read::{Csv, Overrides, ReadChunks},
};
use nix::sys::resource::{UsageWho, getrusage};

fn main() -> ExitCode {
    match std::env::args().nth(1).map(|path| run(&path)) {
        Some(Ok(())) => ExitCode::SUCCESS,
        Some(Err(error)) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
        None => {
            eprintln!("usage: nb-bench-csv FILE");
            ExitCode::FAILURE
        }
    }
}

fn run(path: &str) -> Result<(), Box<dyn std::error::Error>> {
    let csv = Csv::default();
    // Pandas, too, finds out by itself which columns are numbers.
    let schema = csv.infer(path, "label", &Overrides::default())?.schema;
    let mut model = Model::new(schema.clone(), Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
    let (mut reader, mut chunks) = (csv.read(path, &schema)?, Vec::new());
    while let Some(chunk) = reader.next_chunk()? {
        model.update(chunk_rows(&chunk)?, chunk.labels.as_deref().ok_or("a chunk without labels")?)?;
        chunks.push(chunk);
    }
    let classifier = model.classifier()?;
    let (mut right, mut rows) = (0_usize, 0_usize);
    for chunk in &chunks {
        let labels = chunk.labels.as_deref().ok_or("a chunk without labels")?;
        let predicted = classifier.predict(chunk_rows(chunk)?)?;
        right += predicted.iter().zip(labels).filter(|(predicted, label)| predicted == label).count();
        rows += labels.len();
    }
    let usage = getrusage(UsageWho::RUSAGE_SELF)?;
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 * 1e-6;
    println!(
        "{}",
        serde_json::json!({
            "user": seconds(usage.user_time()),
            "system": seconds(usage.system_time()),
            "faults": usage.minor_page_faults(),
            "peak": 1024 * usage.max_rss(),
            "check": (right as f64 / rows as f64).to_string(),
        })
    );
    Ok(())
}

fn chunk_rows(chunk: &nb_io::read::Chunk) -> Result<&ndarray::Array2<f64>, &'static str> {
    match &chunk.rows {
        nb_io::read::Table::Dense(rows) => Ok(rows),
        nb_io::read::Table::Sparse(_) => Err("a CSV file with sparse rows"),
    }
}
