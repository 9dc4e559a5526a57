//! How much memory fits and predictions take at their peak, beyond what they are given and what they return.

use std::{fs, path::Path};

use nb_core::{CsrView, Gaussian, Multinomial, NaiveBayes};
use serde_json::{Value, json};

use crate::{arrays::Data, serve::answer};

/// The sparse data set with many classes.
const CLASSES: usize = 5000;
const COLUMNS: usize = 20_000;
const ROWS: usize = 50_000;
const STORED: usize = 50;

/// Prints a line of JSON: a list of peaks in bytes.
pub(crate) fn run(folder: &Path) -> Result<(), String> {
    let data = Data::read(folder, "G1").map_err(|error| error.to_string())?;
    let x = data.f64()?;
    let naive_bayes = NaiveBayes::new(Gaussian::default());
    let parameters = 2 * 8 * data.meta.classes * data.meta.columns;
    let (fit, classifier) = peak(|| naive_bayes.fit(x, &data.y))?;
    let classifier = classifier.map_err(|error| error.to_string())?;
    let (labels, result) = peak(|| classifier.predict(x))?;
    let labels_out = 8 * result.map_err(|error| error.to_string())?.len();
    let (posteriors, result) = peak(|| classifier.predict_log_proba(x))?;
    let posteriors_out = 8 * result.map_err(|error| error.to_string())?.len();
    answer(&json!([
        line("G1 fit", data.meta.bytes, parameters, fit),
        line("G1 labels", data.meta.bytes, labels_out, labels),
        line("G1 posteriors", data.meta.bytes, posteriors_out, posteriors),
        sparse_line(sparse_fit()?),
    ]));
    Ok(())
}

fn line(what: &str, input: usize, output: usize, peak: usize) -> Value {
    json!({"what": what, "input": input, "output": output, "peak": peak})
}

fn sparse_line((input, output, peak): (usize, usize, usize)) -> Value {
    let what = format!("multinomial fit of sparse rows, {CLASSES} classes, {COLUMNS} columns");
    line(&what, input, output, peak)
}

/// A multinomial fit whose model is far larger than its rows: the sizes of the rows, of the model's table,
/// and the peak.
fn sparse_fit() -> Result<(usize, usize, usize), String> {
    let documents = benches::documents(ROWS, COLUMNS, STORED, CLASSES);
    let rows = CsrView::new(COLUMNS, &documents.indptr, &documents.indices, &documents.values)
        .map_err(|error| error.to_string())?;
    let (peak, classifier) = peak(|| NaiveBayes::new(Multinomial::default()).fit(&rows, &documents.labels))?;
    let classifier = classifier.map_err(|error| error.to_string())?;
    let input = 8 * (documents.indptr.len() + documents.indices.len() + documents.values.len());
    Ok((input, 8 * classifier.classes().len() * COLUMNS, peak))
}

/// By how many bytes the resident memory grew at most while `work` ran.
fn peak<T>(work: impl FnOnce() -> T) -> Result<(usize, T), String> {
    // Writing 5 sets the highest resident size back to the present one.
    fs::write("/proc/self/clear_refs", "5").map_err(|error| format!("the peak cannot be reset: {error}"))?;
    let before = status("VmRSS:")?;
    let result = work();
    Ok((status("VmHWM:")?.saturating_sub(before), result))
}

fn status(name: &str) -> Result<usize, String> {
    let status = fs::read_to_string("/proc/self/status").map_err(|error| error.to_string())?;
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB")).and_then(|kib| kib.parse::<usize>().ok());
    kib.map(|kib| 1024 * kib).ok_or_else(|| format!("the system does not say {name}"))
}
