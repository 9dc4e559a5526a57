//! The same rows in other portions give the same model, bit for bit.

use nb_core::{Gaussian, NaiveBayes, SufficientStats, VarianceSmoothing};
use nb_datasets::Part;
use ndarray::{Array2, Axis, s};

use super::{same_bits, special};
use crate::verify::check::{Check, Outcome, Problem};

pub(super) fn checks() -> Vec<Check> {
    let smoothings = [
        ("default floor", VarianceSmoothing::default()),
        ("scikit-learn's floor", VarianceSmoothing::LargestVariance(1e-9)),
    ];
    let rowwise = smoothings.map(|(name, smoothing)| {
        let title = format!("row by row with a constant column, {name}");
        special(title, "one fit", move || row_by_row(smoothing))
    });
    let mut checks: Vec<Check> = rowwise.into();
    checks.push(special("shuttle in chunks of 50", "one fit", shuttle_in_chunks));
    checks.push(special("integer_weights: weights 1, 2, 3", "repeated rows", integer_weights));
    checks
}

const SAME: &str = "the same bits";

fn outcome(same_stats: bool, one_fit: &Array2<f64>, portions: &Array2<f64>) -> Outcome {
    let n_nan = portions.iter().filter(|score| score.is_nan()).count();
    let same = same_stats && same_bits(one_fit, portions);
    Outcome::equal(SAME, if same { SAME } else { "other bits" })
        .with_error(format!("{n_nan} NaN in {} scores", portions.len()))
        .and(same_stats, "the statistics differ")
        .and(n_nan == 0, "scores are NaN")
}

fn row_by_row(smoothing: VarianceSmoothing) -> Result<Outcome, Problem> {
    let set = nb_datasets::load("constant_feature")?;
    let model = Gaussian { smoothing, ..Gaussian::default() };
    let (train, test) = (set.rows_of(Part::Train), set.rows_of(Part::Test));
    let (x, tests) = (set.x().select(Axis(0), &train), set.x().select(Axis(0), &test));
    let labels: Vec<usize> = train.iter().map(|&row| set.labels[row]).collect();
    let mut stats = SufficientStats::new(&model, x.ncols())?;
    for (row, &label) in labels.iter().enumerate() {
        stats.update(&model, &x.slice(s![row..=row, ..]), &[label])?;
    }
    let naive_bayes = NaiveBayes::new(model);
    let portions = naive_bayes.fit_stats(&stats)?.joint_log_likelihood(&tests)?;
    let one_fit = naive_bayes.fit(&x, &labels)?.joint_log_likelihood(&tests)?;
    let mut whole = SufficientStats::new(&model, x.ncols())?;
    whole.update(&model, &x, &labels)?;
    Ok(outcome(stats == whole, &one_fit, &portions))
}

fn shuttle_in_chunks() -> Result<Outcome, Problem> {
    const CHUNK: usize = 50;
    let set = nb_datasets::load("shuttle")?;
    let (x, model) = (set.x(), Gaussian::default());
    let mut stats = SufficientStats::new(&model, x.ncols())?;
    for (rows, labels) in x.axis_chunks_iter(Axis(0), CHUNK).zip(set.labels.chunks(CHUNK)) {
        stats.update(&model, &rows, labels)?;
    }
    let mut whole = SufficientStats::new(&model, x.ncols())?;
    whole.update(&model, &x, &set.labels)?;
    let naive_bayes = NaiveBayes::new(model);
    let scores = |stats| naive_bayes.fit_stats(stats)?.joint_log_likelihood(&x).map_err(Problem::from);
    Ok(outcome(stats == whole, &scores(&whole)?, &scores(&stats)?))
}

/// In this set each training row stands one, two or three times in succession.
fn integer_weights() -> Result<Outcome, Problem> {
    let set = nb_datasets::load("integer_weights")?;
    let model = Gaussian::default();
    let (train, test) = (set.rows_of(Part::Train), set.rows_of(Part::Test));
    let (x, tests) = (set.x().select(Axis(0), &train), set.x().select(Axis(0), &test));
    let labels: Vec<usize> = train.iter().map(|&row| set.labels[row]).collect();

    let (mut distinct, mut weights) = (Vec::<usize>::new(), Vec::<f64>::new());
    for row in 0..x.nrows() {
        match (distinct.last(), weights.last_mut()) {
            (Some(&last), Some(weight)) if x.row(last) == x.row(row) && labels[last] == labels[row] => {
                *weight += 1.0;
            }
            _ => {
                distinct.push(row);
                weights.push(1.0);
            }
        }
    }
    let distinct_labels: Vec<usize> = distinct.iter().map(|&row| labels[row]).collect();
    let mut weighted = SufficientStats::new(&model, x.ncols())?;
    weighted.update_weighted(&model, &x.select(Axis(0), &distinct), &distinct_labels, &weights)?;
    let mut repeated = SufficientStats::new(&model, x.ncols())?;
    repeated.update(&model, &x, &labels)?;
    let naive_bayes = NaiveBayes::new(model);
    let scores = |stats| naive_bayes.fit_stats(stats)?.joint_log_likelihood(&tests).map_err(Problem::from);
    let all_weights_occur = [1.0, 2.0, 3.0].iter().all(|weight| weights.contains(weight));
    Ok(outcome(weighted == repeated, &scores(&repeated)?, &scores(&weighted)?)
        .and(all_weights_occur, "the set does not have rows that stand once, twice and three times"))
}
