//! A CSV file from text to accuracy, as a whole process: read, fit, predict, compare.
//!
//! Prints one line of JSON with what the process has taken since it began.

use std::process::ExitCode;

use nb_core::{Gaussian, Prior};
use nb_io::{
    Family, Model,
    read::{Csv, Overrides},
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
    // Pandas, too, finds out by itself which columns are numbers, and keeps all rows in memory.
    let loaded = Csv::default().load(path, "label", &Overrides::default())?;
    let (rows, labels) = (&loaded.chunk.rows, loaded.chunk.labels.ok_or("a file without labels")?);
    let family = Family::Gaussian(Gaussian::default());
    let mut model = Model::new(loaded.inferred.schema, family, Prior::Empirical)?;
    model.update(rows, &labels)?;
    let predicted = model.classifier()?.predict(rows)?;
    let right = predicted.iter().zip(&labels).filter(|(predicted, label)| predicted == label).count();
    let usage = getrusage(UsageWho::RUSAGE_SELF)?;
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 * 1e-6;
    println!(
        "{}",
        serde_json::json!({
            "user": seconds(usage.user_time()),
            "system": seconds(usage.system_time()),
            "faults": usage.minor_page_faults(),
            "peak": 1024 * usage.max_rss(),
            "check": (right as f64 / labels.len() as f64).to_string(),
        })
    );
    Ok(())
}
