//! The contenders of this library: variants of nb-compare, and models as `nbayes train` makes them.

use std::{fs, time::Instant};

use nb_compare::{Fitted, Table, Variant};
use nb_train::Effort;
use ndarray::Array2;

use super::{
    answers::{Answer, Times},
    data::Data,
    trained::Trained,
};

/// What is trained.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ours {
    /// The shares of the classes among the training rows.
    Prior,
    /// A variant of nb-compare.
    Variant(&'static str),
    /// What `nbayes train` does with this effort.
    Train(Effort),
}

/// Something that answers for the rows of a data set.
enum Model {
    Prior(Vec<f64>),
    Fitted(Box<dyn Fitted>),
    Trained(Box<Trained>),
}

impl Ours {
    /// Trains on all folds but one and predicts the rows of that one, for each fold.
    pub(super) fn answer(self, set: &Data, repeat: usize) -> Result<Answer, String> {
        let (table, splits) = (&set.table, &set.repeats[repeat]);
        let mut log_probabilities =
            Array2::from_elem((table.n_rows(), table.classes.len()), f64::NEG_INFINITY);
        let mut times = Times::default();
        for fold in 0..splits.n_folds {
            let (train, rows) = (splits.train(fold), splits.test(fold));
            let start = Clock::now();
            let model = self.fit(set, &train)?;
            times.train += start.seconds();
            let start = Clock::now();
            let found = model.log_posteriors(set, &rows)?;
            times.predict += start.seconds();
            for (row, found) in rows.into_iter().zip(found.rows()) {
                log_probabilities.row_mut(row).assign(&found);
            }
        }
        Ok(Answer { log_probabilities, times })
    }

    fn fit(self, set: &Data, rows: &[usize]) -> Result<Model, String> {
        match self {
            Self::Prior => Ok(Model::Prior(log_shares(&set.table, rows))),
            Self::Variant(name) => {
                let method = Variant::parse(name).map_err(|error| error.to_string())?.method();
                method.fit(&set.table, rows).map(Model::Fitted).map_err(|error| error.to_string())
            }
            Self::Train(effort) => Ok(Model::Trained(Box::new(Trained::new(set, rows, effort)?))),
        }
    }
}

impl Model {
    fn log_posteriors(&self, set: &Data, rows: &[usize]) -> Result<Array2<f64>, String> {
        match self {
            Self::Prior(shares) => {
                Ok(Array2::from_shape_fn((rows.len(), shares.len()), |(_, class)| shares[class]))
            }
            Self::Fitted(fitted) => {
                fitted.log_posteriors(&set.table, rows).map_err(|error| error.to_string())
            }
            Self::Trained(trained) => trained.log_posteriors(set, rows),
        }
    }
}

/// The logarithms of the shares of the classes.
fn log_shares(table: &Table, rows: &[usize]) -> Vec<f64> {
    let mut sizes = vec![0_usize; table.classes.len()];
    for &row in rows {
        sizes[table.labels[row]] += 1;
    }
    sizes.into_iter().map(|size| (size as f64 / rows.len() as f64).ln()).collect()
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

/// Processor time of this thread in seconds: Linux counts nanoseconds, and adds them up at every tick of the
/// scheduler.
fn processor_time() -> Option<f64> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse::<f64>().ok().map(|nanoseconds| nanoseconds / 1e9)
}

#[cfg(test)]
mod tests {
    use super::{super::tests::embedded, *};

    #[test]
    fn the_prior_is_that_of_the_other_folds() {
        let set = embedded("pima");
        let answer = Ours::Prior.answer(&set, 0).expect("answers");
        let train = set.repeats[0].train(0);
        let ones = train.iter().filter(|&&row| set.table.labels[row] == 1).count() as f64;
        let row = set.repeats[0].test(0)[0];
        assert!((answer.log_probabilities[[row, 1]] - (ones / train.len() as f64).ln()).abs() < 1e-12);
    }

    #[test]
    fn every_row_is_answered_by_the_other_folds() {
        let set = embedded("iris");
        for (ours, least) in [
            (Ours::Variant("gaussian"), 0.93),
            (Ours::Train(Effort::Usual), 0.92),
            (Ours::Train(Effort::Plain), 0.9),
            (Ours::Prior, 0.3),
        ] {
            let answer = ours.answer(&set, 0).expect("answers");
            assert!(answer.times.train >= 0.0 && answer.times.predict >= 0.0);
            let score = super::super::score::score(&set, 0, &answer.log_probabilities).expect("a score");
            assert!((least..0.99).contains(&score.accuracy), "{ours:?}: {score:?}");
        }
        assert!(Ours::Variant("no such variant").answer(&set, 0).is_err());
    }
}
