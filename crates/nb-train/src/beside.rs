//! How a plain model classifies the rows that were held out of a refined one.

use nb_core::{NaiveBayes, Prior, RowSubset, Rows, SufficientStats};
use nb_discriminative::HeldOutPosteriors;
use nb_io::Family;
use nb_metrics::{Evaluation, Measures};

use crate::{Sample, refine::predicted};

/// The measures of plain naive Bayes on the very rows that were held out, of each part by the other rows;
/// `None` if the other rows determine no model, or a row is impossible.
pub(crate) fn plain(family: &Family, sample: &Sample, held_out: &HeldOutPosteriors) -> Option<Measures> {
    let (n_rows, n_classes) = (sample.labels.len(), sample.classes.len());
    let mut part_of = vec![None; n_rows];
    for (&row, &part) in held_out.rows.iter().zip(&held_out.parts) {
        part_of[row] = Some(part);
    }
    let weights = held_out.rows.iter().map(|&row| sample.weight(row));
    let unit = held_out.rows.len() as f64 / weights.sum::<f64>();
    let mut evaluation = Evaluation::new(n_classes);
    for part in 0..held_out.parts.iter().max().map_or(0, |last| last + 1) {
        let (own, others): (Vec<usize>, Vec<usize>) =
            (0..n_rows).partition(|&row| part_of[row] == Some(part));
        let labels: Vec<usize> = others.iter().map(|&row| sample.labels[row]).collect();
        let weights: Vec<f64> = others.iter().map(|&row| sample.weight(row)).collect();
        let mut stats = SufficientStats::new(family, sample.rows.n_columns()).ok()?;
        stats.update_weighted(family, &RowSubset::new(&sample.rows, &others)?, &labels, &weights).ok()?;
        let classifier = NaiveBayes { model: family, prior: Prior::Empirical }.fit_stats(&stats).ok()?;
        let answers = classifier.predict_log_proba(&RowSubset::new(&sample.rows, &own)?).ok()?;
        for (&row, answer) in own.iter().zip(answers.rows()) {
            let mut log_posterior = vec![f64::NEG_INFINITY; n_classes];
            for (&class, &value) in classifier.classes().iter().zip(answer) {
                log_posterior[class] = value;
            }
            let found = Some(predicted(&log_posterior));
            let weight = unit * sample.weight(row);
            evaluation.add(Some(sample.labels[row]), found, &log_posterior, weight).ok()?;
        }
    }
    Some(evaluation.measures())
}
