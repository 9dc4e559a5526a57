//! How our processor time grows with rows, columns, classes and stored cells, over three decades each.

use std::path::Path;

use benches::SplitMix;
use nb_core::{CsrView, Gaussian, Multinomial, NaiveBayes, Rows};
use ndarray::Array2;
use serde::Serialize;
use serde_json::json;

use crate::{plot, serve::answer, usage::Usage};

/// What a point takes at least, in seconds.
const TURN: f64 = 0.04;

/// Times by size.
#[derive(Debug, Serialize)]
pub(crate) struct Series {
    /// The operation.
    pub(crate) operation: &'static str,
    /// Pairs of size and seconds.
    pub(crate) points: Vec<(f64, f64)>,
    /// The exponent `b` of the power law `a · size^b` that fits best from the middle decade on.
    pub(crate) exponent: f64,
}

/// A figure: one axis along which data grow.
#[derive(Debug, Serialize)]
pub(crate) struct Sweep {
    /// The name of the figure's file.
    pub(crate) name: &'static str,
    /// What grows.
    pub(crate) axis: &'static str,
    /// What stays.
    pub(crate) fixed: String,
    /// One line per operation.
    pub(crate) series: Vec<Series>,
}

/// Writes a plot for each axis, and prints all times as a line of JSON.
pub(crate) fn run(folder: &Path, quick: bool) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    // Three decades, three points in each.
    let sizes = |first: usize| -> Vec<usize> {
        let last = if quick { 6 } else { 9 };
        (0..=last).map(|step| (first as f64 * 10_f64.powf(f64::from(step) / 3.0)).round() as usize).collect()
    };
    let sweeps = [
        sweep("rows", "rows", "Gaussian, 30 columns, 2 classes", &sizes(1000), |n| {
            Ok((n as f64, dense(n, 30, 2)?))
        }),
        sweep("columns", "columns", "Gaussian, 1,000 rows, 5 classes", &sizes(10), |d| {
            Ok((d as f64, dense(1000, d, 5)?))
        }),
        sweep("classes", "classes", "Gaussian, 20,000 rows, 30 columns", &sizes(2), |k| {
            Ok((k as f64, dense(20_000, 30, k)?))
        }),
        sweep(
            "stored",
            "stored cells",
            "multinomial, sparse rows of about 100 cells, 5,000 columns, 20 classes",
            &sizes(10_000),
            sparse,
        ),
    ];
    for sweep in &sweeps {
        let path = folder.join(format!("growth-{}.svg", sweep.name));
        plot::write(&path, sweep).map_err(|error| error.to_string())?;
    }
    answer(&json!(sweeps));
    Ok(())
}

/// Size as measured, and the seconds of fit, labels and posteriors.
type Point = (f64, [f64; 3]);

fn sweep(
    name: &'static str,
    axis: &'static str,
    fixed: &str,
    sizes: &[usize],
    measure: impl Fn(usize) -> Result<Point, String>,
) -> Sweep {
    let points: Vec<Point> = sizes.iter().filter_map(|&size| measure(size).ok()).collect();
    let series = ["fit", "labels", "posteriors"].into_iter().enumerate().map(|(operation, name)| {
        let points: Vec<(f64, f64)> =
            points.iter().map(|(size, seconds)| (*size, seconds[operation])).collect();
        let exponent = exponent(&points[points.len() / 3..]);
        Series { operation: name, points, exponent }
    });
    Sweep { name, axis, fixed: fixed.into(), series: series.collect() }
}

fn dense(n_rows: usize, n_columns: usize, n_classes: usize) -> Result<[f64; 3], String> {
    let mut random = SplitMix::new(1);
    // Every class has rows, however many there are.
    let labels: Vec<i64> = (0..n_rows).map(|row| (row % n_classes) as i64).collect();
    let x = Array2::from_shape_fn((n_rows, n_columns), |(row, column)| {
        ((labels[row] * 7 + column as i64) % 5) as f64 * 0.3 + random.normal()
    });
    operations(&NaiveBayes::new(Gaussian::default()), &x, &labels)
}

/// Few enough that the parameters do not outweigh the rows.
const SPARSE_COLUMNS: usize = 5000;

fn sparse(stored: usize) -> Result<Point, String> {
    let data = benches::documents((stored / 100).max(20), SPARSE_COLUMNS, 100, 20);
    let rows = CsrView::new(SPARSE_COLUMNS, &data.indptr, &data.indices, &data.values);
    let labels: Vec<i64> = data.labels.iter().map(|&label| label as i64).collect();
    let naive_bayes = NaiveBayes::new(Multinomial::default());
    let seconds = operations(&naive_bayes, &rows.map_err(|error| error.to_string())?, &labels)?;
    Ok((data.values.len() as f64, seconds))
}

fn operations<M: nb_core::FeatureModel>(
    naive_bayes: &NaiveBayes<M>,
    rows: &impl Rows,
    labels: &[i64],
) -> Result<[f64; 3], String> {
    let classifier = naive_bayes.fit(rows, labels).map_err(|error| error.to_string())?;
    Ok([
        seconds(|| naive_bayes.fit(rows, labels).is_ok()),
        seconds(|| classifier.predict(rows).is_ok()),
        seconds(|| classifier.predict_log_proba(rows).is_ok()),
    ])
}

/// The median over three turns of the processor time outside the kernel.
fn seconds(mut work: impl FnMut() -> bool) -> f64 {
    // The first run meets cold caches and may prepare what later ones use.
    work();
    let wall = Usage::of(1, &mut work).0.wall;
    let repeats = (TURN / wall.max(1e-9)).ceil().clamp(1.0, 1e6) as u32;
    let mut turns = [(); 3].map(|()| Usage::of(repeats, &mut work).0.user);
    turns.sort_by(f64::total_cmp);
    turns[1]
}

/// The slope of the least-squares line through the logarithms.
fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(size, seconds)| (size.ln(), seconds.ln())).collect();
    let n = logs.len() as f64;
    let (mean_x, mean_y) =
        (logs.iter().map(|log| log.0).sum::<f64>() / n, logs.iter().map(|log| log.1).sum::<f64>() / n);
    let (mut xy, mut xx) = (0.0, 0.0);
    for (x, y) in logs {
        xy += (x - mean_x) * (y - mean_y);
        xx += (x - mean_x) * (x - mean_x);
    }
    xy / xx
}

#[cfg(test)]
mod tests {
    use super::exponent;

    #[test]
    fn the_exponent_of_a_power_law() {
        let points: Vec<(f64, f64)> = (1..6).map(|n| (f64::from(n), 3.0 * f64::from(n * n))).collect();
        assert!((exponent(&points) - 2.0).abs() < 1e-12);
    }
}
