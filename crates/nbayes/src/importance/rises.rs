//! By how much errors rise without a column.

use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha12Rng;
use serde::Serialize;

use super::terms::{Scores, Terms};

/// A rise of the mean over rows, with the standard error of this mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Rise {
    pub(crate) mean: f64,
    pub(crate) standard_error: f64,
}

/// What becomes of the predictions without a column.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Importance {
    pub(crate) column: String,
    /// The rises if the cells of the column are permuted; none of the log-loss if it is infinite.
    pub(crate) log_loss: Option<Rise>,
    pub(crate) error_rate: Rise,
    /// The rises if the cells of the column are missing.
    pub(crate) log_loss_if_missing: Option<f64>,
    pub(crate) error_rate_if_missing: f64,
}

/// The mean log-loss and the error rate of all rows, and the importance of every column that the model uses,
/// the most important first.
pub(crate) fn rises(terms: &Terms, repeats: usize, seed: u64) -> (f64, f64, Vec<Importance>) {
    let scores = terms.scores();
    let n_rows = scores.len();
    let losses: Vec<(f64, bool)> =
        scores.iter().enumerate().map(|(row, scores)| scores.loss(terms.truth(row))).collect();
    let permutations = permutations(n_rows, repeats, seed);
    let used = (0..terms.names().len()).filter(|&column| terms.is_used(column));
    let mut found: Vec<Importance> =
        used.map(|column| of_column(terms, column, &scores, &losses, &permutations)).collect();
    let size = |one: &Importance| one.log_loss.map_or(one.error_rate.mean, |rise| rise.mean);
    found.sort_by(|a, b| {
        let by_loss = a.log_loss.is_some().cmp(&b.log_loss.is_some());
        by_loss.then(size(b).total_cmp(&size(a))).then_with(|| a.column.cmp(&b.column))
    });
    let mean = |sum: f64| sum / n_rows as f64;
    let log_loss = mean(losses.iter().map(|loss| loss.0).sum());
    (log_loss, mean(losses.iter().map(|loss| f64::from(u8::from(loss.1))).sum()), found)
}

fn of_column(
    terms: &Terms,
    column: usize,
    scores: &[Scores],
    losses: &[(f64, bool)],
    permutations: &[Vec<usize>],
) -> Importance {
    let (mut log_loss, mut error_rate) = (Moments::default(), Moments::default());
    let (mut missing_loss, mut missing_errors) = (0.0, 0.0);
    let mut changed = scores.first().cloned().unwrap_or_default();
    let mut without = changed.clone();
    for (row, (of_row, &(loss, is_error))) in scores.iter().zip(losses).enumerate() {
        let truth = terms.truth(row);
        without.copy(of_row);
        without.take_off(terms.of(column, row));
        terms.with_others(column, row, Some(row)).for_each(|together| without.take_off(together));
        let mut rise = |other: Option<usize>| {
            changed.copy(&without);
            changed.add(other.map_or_else(|| terms.of_missing(column), |other| terms.of(column, other)));
            terms.with_others(column, row, other).for_each(|together| changed.add(together));
            let (new_loss, is_new_error) = changed.loss(truth);
            (new_loss - loss, f64::from(u8::from(is_new_error)) - f64::from(u8::from(is_error)))
        };
        let (of_loss, of_error) = rise(None);
        missing_loss += of_loss;
        missing_errors += of_error;
        let permuted = permutations.iter().map(|permutation| rise(Some(permutation[row])));
        let (of_loss, of_error) = permuted.fold((0.0, 0.0), |sum, rise| (sum.0 + rise.0, sum.1 + rise.1));
        log_loss.add(of_loss / permutations.len() as f64);
        error_rate.add(of_error / permutations.len() as f64);
    }
    let n_rows = scores.len() as f64;
    Importance {
        column: terms.names()[column].clone(),
        log_loss: Some(log_loss.rise()).filter(|rise| rise.mean.is_finite()),
        error_rate: error_rate.rise(),
        log_loss_if_missing: Some(missing_loss / n_rows).filter(|rise| rise.is_finite()),
        error_rate_if_missing: missing_errors / n_rows,
    }
}

/// The order of the rows in every repeat, the same for all columns.
fn permutations(n_rows: usize, repeats: usize, seed: u64) -> Vec<Vec<usize>> {
    let mut random = ChaCha12Rng::seed_from_u64(seed);
    let permutation = |_| {
        let mut rows: Vec<usize> = (0..n_rows).collect();
        rows.shuffle(&mut random);
        rows
    };
    (0..repeats).map(permutation).collect()
}

/// Mean and spread of numbers that come one by one. Welford, *Note on a method for calculating corrected sums
/// of squares and products* (1962).
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    n: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, value: f64) {
        self.n += 1.0;
        let off = value - self.mean;
        self.mean += off / self.n;
        self.squares += off * (value - self.mean);
    }

    fn rise(self) -> Rise {
        let variance = if self.n > 1.0 { self.squares / (self.n - 1.0) } else { 0.0 };
        Rise { mean: self.mean, standard_error: (variance / self.n.max(1.0)).sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use nb_core::{Bernoulli, Blocks, Categorical, Gaussian, Missing, Prior, Smoothing};
    use nb_io::{
        Column, Family, Kind, Model, Schema,
        read::{Chunk, Table},
    };
    use ndarray::{Array2, Axis};

    use super::*;

    /// Numbers and categories, one of which is impossible in a class, and missing cells.
    fn rows() -> (Array2<f64>, Vec<String>) {
        let n = 90;
        let rows = Array2::from_shape_fn((n, 4), |(row, column)| {
            let class = (row % 3) as f64;
            match column {
                0 if row % 8 == 5 => f64::NAN,
                0 => (row * 37 % 50) as f64 / 10.0 + class,
                1 => ((row * 13 + row % 3) % (2 + row % 3)) as f64,
                2 => f64::from(u8::from(row * row % 5 < 1 + row % 3)),
                _ => (row * 7 % 11) as f64,
            }
        });
        (rows, (0..n).map(|row| ["a", "b", "c"][row % 3].to_owned()).collect())
    }

    fn model(rows: &Array2<f64>, labels: &[String]) -> Model {
        let levels = ["x", "y", "z", "w"].map(String::from).to_vec();
        let column = |name: &str, kind: Kind| Column { name: name.into(), kind };
        let columns = vec![
            column("number", Kind::Numeric),
            column("category", Kind::Categorical { levels }),
            column("flag", Kind::Numeric),
            column("ignored", Kind::Numeric),
        ];
        let schema = Schema { label: "label".into(), columns };
        let categorical = Categorical {
            smoothing: Smoothing::new(0.0).unwrap(),
            missing: Missing::Skip,
            ..Categorical::default()
        };
        let gaussian = Gaussian { missing: Missing::Skip, ..Gaussian::default() };
        let blocks = Blocks::default()
            .with_same([0], Family::from(gaussian))
            .with_same([1], Family::from(categorical))
            .with_same([2], Family::from(Bernoulli::default()))
            .ignore([3]);
        let mut model = Model::new(schema, Family::Blocks(blocks), Prior::Empirical).unwrap();
        model.update(rows, labels).unwrap();
        model
    }

    fn terms(model: &Model, rows: &Array2<f64>, labels: &[String]) -> Terms {
        let classifier = model.classifier().unwrap();
        let mut terms = Terms::new(&classifier, model.schema());
        terms.add(&classifier, &chunk(rows, labels.to_vec()));
        terms
    }

    fn chunk(rows: &Array2<f64>, labels: Vec<String>) -> Chunk {
        Chunk {
            first_row: 0,
            rows: Table::Dense(rows.clone()),
            labels: Some(labels),
            weights: None,
            ids: Vec::new(),
            n_non_numeric: 0,
            places: Vec::new(),
        }
    }

    /// Log-losses and errors of rows that are predicted by the classifier.
    fn predicted(model: &Model, rows: &Array2<f64>, labels: &[String]) -> Vec<(f64, f64)> {
        let classifier = model.classifier().unwrap();
        let labels = labels.iter().map(|label| classifier.classes().binary_search(label).unwrap());
        let found = labels.enumerate().map(|(row, truth)| {
            let one = rows.select(Axis(0), &[row]);
            let Some(label) = classifier.try_predict_each(&one).unwrap().remove(0) else {
                return (f64::INFINITY, 1.0);
            };
            let posterior = classifier.predict_log_proba(&one).unwrap();
            (-posterior[[0, truth]], f64::from(u8::from(label != classifier.classes()[truth])))
        });
        found.collect()
    }

    fn mean(values: impl Iterator<Item = f64>) -> f64 {
        let values: Vec<f64> = values.collect();
        values.iter().sum::<f64>() / values.len() as f64
    }

    #[test]
    fn they_are_those_of_predicting_again() {
        let (rows, labels) = rows();
        let model = model(&rows, &labels);
        let (log_loss, error_rate, found) = rises(&terms(&model, &rows, &labels), 3, 7);
        let before = predicted(&model, &rows, &labels);
        assert!((log_loss - mean(before.iter().map(|row| row.0))).abs() < 1e-12);
        assert!((error_rate - mean(before.iter().map(|row| row.1))).abs() < 1e-12);
        let names: Vec<&str> = found.iter().map(|one| one.column.as_str()).collect();
        assert_eq!(found.len(), 3, "{names:?}");

        for (place, name) in ["number", "category", "flag"].into_iter().enumerate() {
            let one = found.iter().find(|one| one.column == name).unwrap();
            let (mut of_loss, mut of_errors) = (Vec::new(), Vec::new());
            for permutation in permutations(rows.nrows(), 3, 7) {
                let mut changed = rows.clone();
                for (row, &other) in permutation.iter().enumerate() {
                    changed[[row, place]] = rows[[other, place]];
                }
                let after = predicted(&model, &changed, &labels);
                of_loss.push(mean(after.iter().zip(&before).map(|(after, before)| after.0 - before.0)));
                of_errors.push(mean(after.iter().zip(&before).map(|(after, before)| after.1 - before.1)));
            }
            let of_loss = mean(of_loss.into_iter());
            match one.log_loss {
                Some(rise) => assert!((rise.mean - of_loss).abs() < 1e-12, "{name}"),
                None => assert!(!of_loss.is_finite(), "{name}"),
            }
            assert!((one.error_rate.mean - mean(of_errors.into_iter())).abs() < 1e-12, "{name}");
            let mut changed = rows.clone();
            changed.column_mut(place).fill(f64::NAN);
            // The family of the flag skips missing cells: they add nothing.
            if name != "flag" {
                let after = predicted(&model, &changed, &labels);
                let rise = mean(after.iter().zip(&before).map(|(after, before)| after.0 - before.0));
                assert!((one.log_loss_if_missing.unwrap() - rise).abs() < 1e-12, "{name}");
                let rise = mean(after.iter().zip(&before).map(|(after, before)| after.1 - before.1));
                assert!((one.error_rate_if_missing - rise).abs() < 1e-12, "{name}");
            }
        }
        // A category that a class cannot have makes the log-loss infinite once it is permuted.
        assert_eq!(found[0].column, "category");
        assert!(found[0].log_loss.is_none() && found[1].log_loss.is_some());
    }

    #[test]
    fn of_too_many_rows_an_even_part_is_kept() {
        let (rows, labels) = rows();
        let model = model(&rows, &labels);
        let classifier = model.classifier().unwrap();
        let mut few = Terms::new(&classifier, model.schema());
        few.keep_at_most(25 * 4 * 3);
        let mut labels_with_unknown = labels.clone();
        labels_with_unknown[0] = "new".into();
        few.add(&classifier, &chunk(&rows, labels_with_unknown));
        assert_eq!(few.n_rows(), (23, 89, 1));
        let whole = terms(&model, &rows, &labels);
        for (place, row) in (1..rows.nrows()).step_by(4).enumerate() {
            assert_eq!((few.truth(place), few.of(0, place)), (whole.truth(row), whole.of(0, row)));
        }
    }

    #[test]
    fn the_standard_error_is_that_of_a_mean() {
        let mut moments = Moments::default();
        for value in [1.0, 2.0, 3.0, 6.0] {
            moments.add(value);
        }
        let rise = moments.rise();
        assert!(
            (rise.mean - 3.0).abs() < 1e-12
                && (rise.standard_error - (14.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12
        );
    }
}
