//! The contenders of this library, by nb-compare.

use std::{fs, time::Instant};

use nb_compare::{Method, MethodError, Variant};
use ndarray::Array2;

use super::{Answers, Data, PRIOR};

/// Trains a variant on all folds but one and predicts the rows of that one, for each data set and fold.
pub(super) fn answer(variant: &str, sets: &[Data]) -> Result<Answers, String> {
    if variant == PRIOR {
        let before = Clock::now();
        let answers = sets.iter().map(|set| Ok(prior(set))).collect();
        return Ok((answers, before.seconds()));
    }
    let method = Variant::parse(variant).map_err(|error| error.to_string())?.method();
    let before = Clock::now();
    let answers = sets.iter().map(|set| predict(&*method, set).map_err(|error| error.to_string())).collect();
    Ok((answers, before.seconds()))
}

fn predict(method: &dyn Method, set: &Data) -> Result<Array2<f64>, MethodError> {
    let table = &set.table;
    let mut answers = Array2::zeros((table.n_rows(), table.classes.len()));
    for fold in 0..set.folds.n_folds {
        let rows = set.folds.test(fold);
        let found = method.fit(table, &set.folds.train(fold))?.log_posteriors(table, &rows)?;
        for (row, found) in rows.into_iter().zip(found.rows()) {
            answers.row_mut(row).assign(&found);
        }
    }
    Ok(answers)
}

/// The logarithms of the shares of the classes in the other folds, for each row.
fn prior(set: &Data) -> Array2<f64> {
    let table = &set.table;
    let mut answers = Array2::zeros((table.n_rows(), table.classes.len()));
    for fold in 0..set.folds.n_folds {
        let train = set.folds.train(fold);
        let mut shares = vec![0.0; table.classes.len()];
        for &row in &train {
            shares[table.labels[row]] += 1.0 / train.len() as f64;
        }
        for row in set.folds.test(fold) {
            for (answer, share) in answers.row_mut(row).iter_mut().zip(&shares) {
                *answer = share.ln();
            }
        }
    }
    answers
}

/// Processor time of this thread where the system tells it, else time by the clock.
struct Clock {
    processor: Option<f64>,
    wall: Instant,
}

impl Clock {
    fn now() -> Self {
        Self { processor: processor_time(), wall: Instant::now() }
    }

    fn seconds(&self) -> f64 {
        let processor = self.processor.zip(processor_time()).map(|(before, now)| now - before);
        processor.unwrap_or_else(|| self.wall.elapsed().as_secs_f64())
    }
}

/// Processor time of this thread in seconds: Linux counts nanoseconds, and adds them up at every tick of the scheduler.
fn processor_time() -> Option<f64> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse::<f64>().ok().map(|nanoseconds| nanoseconds / 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prior_is_that_of_the_other_folds() {
        let set = Data::load("pima").expect("pima");
        let (answers, _) = answer(PRIOR, std::slice::from_ref(&set)).expect("answers");
        let answers = answers[0].as_ref().expect("pima is answered");
        let train = set.folds.train(0);
        let ones = train.iter().filter(|&&row| set.table.labels[row] == 1).count() as f64;
        let row = set.folds.test(0)[0];
        assert!((answers[[row, 1]] - (ones / train.len() as f64).ln()).abs() < 1e-12);
    }

    #[test]
    fn every_row_is_answered_by_the_other_folds() {
        let set = Data::load("iris").expect("iris");
        let (answers, seconds) = answer("gaussian", std::slice::from_ref(&set)).expect("answers");
        assert!(seconds >= 0.0);
        let answers = answers[0].as_ref().expect("iris is answered");
        let score = super::super::score::score(&set.table, answers).expect("a score");
        assert!((0.93..0.99).contains(&score.accuracy), "{score:?}");
        assert!(answer("no such variant", &[]).is_err());
    }
}
