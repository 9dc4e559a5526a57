//! Ten million rows with mean 1e12 and standard deviation 1: the same bits in any order and partition, and
//! after forgetting.

use nb_core::{Gaussian, NaiveBayes, SufficientStats, VarianceSmoothing};
use ndarray::{Array2, s};

use super::special;
use crate::splitmix::SplitMix64;
use crate::verify::check::{Check, Outcome, Problem};
use crate::verify::ulp::ulps_between;

const N_CHUNKS: u64 = 100;
const CHUNK_ROWS: usize = 100_000;
const OFFSET: f64 = 1e12;
/// Every double between 2^39 and 2^40 is a whole multiple of `1 / GRID`.
const GRID: f64 = 8192.0;
const MODEL: Gaussian = Gaussian {
    estimator: nb_core::VarianceEstimator::MaximumLikelihood,
    smoothing: VarianceSmoothing::None,
    missing: nb_core::Missing::Error,
};

pub(super) fn checks() -> Vec<Check> {
    vec![special("10 million rows, mean 1e12, sd 1, in any partition", "integer arithmetic", verify)]
}

/// The rows of a chunk, the same at every call.
fn chunk(number: u64) -> Array2<f64> {
    let mut generator = SplitMix64(number);
    Array2::from_shape_simple_fn((CHUNK_ROWS, 1), || OFFSET + generator.normal())
}

fn verify() -> Result<Outcome, Problem> {
    let labels = vec!["all"; CHUNK_ROWS];
    let mut forwards = SufficientStats::new(&MODEL, 1)?;
    let (mut even, mut odd) = (forwards.empty(), forwards.empty());
    let (mut sum, mut squares) = (0_i128, 0_i128);
    for number in 0..N_CHUNKS {
        let rows = chunk(number);
        forwards.update(&MODEL, &rows, &labels)?;
        for value in &rows {
            let steps = ((value - OFFSET) * GRID) as i128;
            sum += steps;
            squares += steps * steps;
        }
    }
    // Last chunk first, in batches of 777 rows, to one of two statistics.
    for number in (0..N_CHUNKS).rev() {
        let rows = chunk(number);
        let part = if number % 2 == 0 { &mut even } else { &mut odd };
        for first in (0..CHUNK_ROWS).step_by(777) {
            let end = CHUNK_ROWS.min(first + 777);
            part.update(&MODEL, &rows.slice(s![first..end, ..]), &labels[first..end])?;
        }
    }
    let mut merged = odd.clone();
    merged.merge(&even)?;
    let mut forgotten = forwards.clone();
    forgotten.subtract(&even)?;

    let n = i128::from(N_CHUNKS) * CHUNK_ROWS as i128;
    let variance = (n * squares - sum * sum) as f64 / ((n * n) as f64 * GRID * GRID);
    let mean_rest = sum as f64 / (n as f64 * GRID);
    let classifier = NaiveBayes::new(MODEL).fit_stats(&forwards)?;
    let fitted = classifier.likelihood();
    let got_rest = (fitted.means()[[0, 0]] - OFFSET) + fitted.mean_rests()[[0, 0]];
    let worst = ulps_between(variance, fitted.variances()[[0, 0]]).max(ulps_between(mean_rest, got_rest));
    let describe = |rest: f64, variance: f64| format!("1e12 {rest:+.9e}, {variance:.12}");
    Ok(Outcome::equal(describe(mean_rest, variance), describe(got_rest, fitted.variances()[[0, 0]]))
        .with_error(format!("{worst} of 4 ulp"))
        .and(worst <= 4, "mean or variance differ")
        .and(merged == forwards, "the order of the rows matters")
        .and(forgotten == odd, "forgetting leaves a trace"))
}
