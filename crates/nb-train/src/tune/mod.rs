//! Choosing smoothing and variance floors by cross-validation: by the log-loss of rows held out, which is
//! minus the mean logarithm of the probability of their label.
//!
//! What counts is how good the probabilities of the classes are. The density of the rows themselves would be
//! a poor judge: it grows without bound where a column is constant within a class and the floor of the
//! variance goes to zero, while probabilities get worse. Models without a fold come from the statistics of
//! the folds; rows to judge them by are kept in memory, some of them where there are many. Blocks of a mixed
//! model are tuned one after the other.

mod kept;

use nb_core::{
    Blocks, NaiveBayes, Prior, Rows, SufficientStats,
    description::{Parameter, SettingError, Value},
    error::{FoldError, UpdateError},
    selection::{FoldAssignment, FoldedStats},
};
use nb_io::{Family, Model, ModelError, read::Inferred};

use crate::{Note, Source, TrainerError, Watch, attempt::without_values, source::for_each_chunk};
use kept::{FoldRows, KeptRows};

/// How hyper-parameters are tuned.
///
/// ```
/// use nb_train::{Trainer, Tuning};
/// use ndarray::Array2;
///
/// let rows = Array2::from_shape_fn((60, 1), |(row, _)| (row % 2 * 3 + row * 7 % 5) as f64 + 0.5);
/// let labels: Vec<String> = (0..60).map(|row| ["a", "b"][row % 2].to_owned()).collect();
/// let schema = nb_io::Schema::numeric(["x"], "class");
/// let trained = Trainer::default().with_tuning(Some(Tuning { n_folds: 5 })).fit(&schema, &rows, &labels)?;
/// assert_eq!(trained.tuned[0].parameter, "variance floor");
/// # Ok::<(), nb_train::TrainerError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// The number of folds, which have the same shares of all classes.
    pub n_folds: usize,
}

impl Default for Tuning {
    /// Ten folds.
    fn default() -> Self {
        Self { n_folds: 10 }
    }
}

/// A hyper-parameter that was tuned, of the columns of a block: the value with the least log-loss of held-out
/// rows, `-1/n Σ log p(label | row)`, which is a proper score (Gneiting and Raftery 2007, *Strictly proper
/// scoring rules, prediction, and estimation*).
///
/// ```
/// use nb_train::{Trainer, Tuning};
/// use ndarray::Array2;
///
/// let rows = Array2::from_shape_fn((60, 1), |(row, _)| (row % 2 * 3 + row % 5) as f64 + 0.5);
/// let labels: Vec<&str> = (0..60).map(|row| ["a", "b"][row % 2]).collect();
/// let schema = nb_io::Schema::numeric(["x"], "class");
/// let trained = Trainer::default().with_tuning(Some(Tuning::default())).fit(&schema, &rows, &labels)?;
/// assert!(trained.tuned.iter().all(|tuned| tuned.log_loss < 0.7));
/// # Ok::<(), nb_train::TrainerError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Tuned {
    /// The family of the block.
    pub family: &'static str,
    /// The number of its features.
    pub columns: usize,
    /// The hyper-parameter, in words.
    pub parameter: String,
    /// Its value.
    pub value: f64,
    /// The mean log-loss of a held-out row, with all blocks together.
    pub log_loss: f64,
    /// Its standard error, from the spread of the folds.
    pub standard_error: f64,
}

/// The folds held out in turn: the statistics of the others, and rows.
struct Folds {
    others: Vec<SufficientStats<String>>,
    rows: Vec<FoldRows>,
}

/// The mean log-loss of rows held out, and its standard error from the spread of the folds.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Loss {
    mean: f64,
    standard_error: f64,
}

/// What was tuned of a model of all rows.
pub(crate) struct TunedModel {
    pub(crate) model: Model,
    pub(crate) n_rows: usize,
    pub(crate) tuned: Vec<Tuned>,
}

/// Adds all rows to folds, and chooses the hyper-parameters by them.
pub(crate) fn train<S: Source>(
    source: &S,
    inferred: &Inferred,
    family: &Family,
    tuning: Tuning,
    watch: &mut Watch,
) -> Result<TunedModel, S::Error> {
    let schema = &inferred.schema;
    let n_columns = schema.n_features();
    let explain = |error| source.explain(error, schema);
    let folds = FoldedStats::new(family, n_columns, tuning.n_folds, FoldAssignment::Stratified);
    let folds = folds.map_err(|error| explain(ModelError::from(error).into()))?;
    let mut state = (folds, KeptRows::new(tuning.n_folds, n_columns), 0);
    let classes =
        |(folds, ..): &(FoldedStats<String>, KeptRows, usize)| folds.whole().classes().cloned().collect();
    for_each_chunk(source, inferred, &mut state, classes, |(folds, kept, n_rows), chunk, place| {
        let labels = chunk.labels.as_deref().unwrap_or_default();
        watch.look(place.schema, &chunk);
        let assigned = folds.assign(labels);
        kept.add(&chunk, &assigned);
        let added = match &chunk.weights {
            Some(weights) => folds.update_assigned_weighted(family, &chunk.rows, labels, weights, &assigned),
            None => folds.update_assigned(family, &chunk.rows, labels, &assigned),
        };
        added.map_err(|error| match error {
            FoldError::Update(UpdateError::Value(error)) => {
                TrainerError::of_cell(place, schema, chunk.first_row, error)
            }
            error => TrainerError::Fold { name: place.name.to_owned(), error },
        })?;
        *n_rows += chunk.rows.n_rows();
        Ok(())
    })?;
    let (folds, kept, n_rows) = state;
    let whole = folds.whole();
    let model = |family: Family, whole| {
        let model = Model::from_parts(schema.clone(), family, Prior::Empirical, whole);
        model.map_err(|error| explain(error.into()))
    };
    let untuned = model(family.clone(), whole.clone())?;
    if without_values(&untuned).is_some() {
        return Ok(TunedModel { model: untuned, n_rows, tuned: Vec::new() });
    }
    let mut judges = folds;
    for class in whole.classes() {
        let has = |fold: &SufficientStats<String>| fold.classes().any(|label| label == class);
        // In one fold only, it would be impossible whenever that fold is held out, whatever is chosen.
        if judges.folds().iter().filter(|fold| has(fold)).count() < 2 {
            source.note(&Note::ClassNotTuned { class });
            judges.forget_class(class);
        }
    }
    let (family, tuned) = tune(&judges, &kept, family, n_columns).map_err(|error| explain(error.into()))?;
    Ok(TunedModel { model: model(family, whole)?, n_rows, tuned })
}

/// The family with the hyper-parameters that give rows held out the best probabilities, and what was chosen.
/// A hyper-parameter keeps its value where no other is better.
fn tune(
    folds: &FoldedStats<String>,
    rows: &KeptRows,
    family: &Family,
    n_columns: usize,
) -> Result<(Family, Vec<Tuned>), SettingError> {
    let others = (0..folds.n_folds()).filter_map(|fold| folds.without(fold)).collect();
    let folds = Folds { others, rows: rows.folds() };
    let mut family = family.clone();
    let mut tuned = Vec::new();
    for block in 0..n_blocks(&family) {
        let (own, columns) = of_block(&family, block, n_columns);
        let mut own = own.clone();
        for (parameter, now) in own.settings() {
            let (Value::Number(now) | Value::Amount(_, now)) = now else { continue };
            if parameter.grid.is_empty() {
                continue;
            }
            let mut best = (now, folds.log_loss(&family));
            for &value in parameter.grid.iter().filter(|&&value| value != now) {
                let mut candidate = own.clone();
                candidate.set(parameter.name, &Value::Number(value))?;
                let loss = folds.log_loss(&with_block(&family, block, candidate));
                let is_better = |loss: &Loss| best.1.is_none_or(|best| loss.mean < best.mean);
                if loss.as_ref().is_some_and(is_better) {
                    best = (value, loss);
                }
            }
            let (value, Some(loss)) = best else { continue };
            if value != now {
                own.set(parameter.name, &Value::Number(value))?;
                family = with_block(&family, block, own.clone());
            }
            tuned.push(Tuned {
                family: own.description().title,
                columns,
                parameter: label(parameter),
                value,
                log_loss: loss.mean,
                standard_error: loss.standard_error,
            });
        }
    }
    Ok((family, tuned))
}

impl Folds {
    /// The loss of a family; none if it cannot be fitted without a fold, or a row is impossible in its class.
    fn log_loss(&self, family: &Family) -> Option<Loss> {
        let mut folds = Vec::with_capacity(self.rows.len());
        for (others, held_out) in self.others.iter().zip(&self.rows) {
            if held_out.rows.n_rows() == 0 {
                continue;
            }
            let classifier = NaiveBayes::new(family.clone()).fit_stats(others).ok()?;
            let log_posteriors = classifier.predict_log_proba(&held_out.rows).ok()?;
            let (mut sum, mut total) = (0.0, 0.0);
            for (row, (label, weight)) in held_out.labels.iter().zip(&held_out.weights).enumerate() {
                // A class with rows in this fold only has no say.
                let Ok(class) = classifier.classes().binary_search(label) else { continue };
                if *weight > 0.0 {
                    sum -= weight * log_posteriors[[row, class]];
                    total += weight;
                }
            }
            if total > 0.0 {
                folds.push((sum, total));
            }
        }
        let (sum, total) = folds.iter().fold((0.0, 0.0), |(sum, total), fold| (sum + fold.0, total + fold.1));
        let mean = sum / total;
        mean.is_finite().then(|| Loss { mean, standard_error: standard_error(&folds) })
    }
}

/// The standard error of a mean over `k` folds, from the spread of their means: `√(Σ (m_i - m)² / k(k - 1))`.
fn standard_error(folds: &[(f64, f64)]) -> f64 {
    let k = folds.len() as f64;
    let means = || folds.iter().map(|(sum, total)| sum / total);
    let center = means().sum::<f64>() / k;
    let squares: f64 = means().map(|mean| (mean - center).powi(2)).sum();
    if folds.len() < 2 { f64::INFINITY } else { (squares / (k * (k - 1.0))).sqrt() }
}

fn n_blocks(family: &Family) -> usize {
    if let Family::Blocks(blocks) = family { blocks.iter().len() } else { 1 }
}

/// A block and its number of columns.
fn of_block(family: &Family, block: usize, n_columns: usize) -> (&Family, usize) {
    match family {
        Family::Blocks(blocks) => {
            blocks.iter().nth(block).map_or((family, 0), |(columns, own)| (own, columns.len()))
        }
        family => (family, n_columns),
    }
}

/// The family with another block in place of one.
fn with_block(family: &Family, block: usize, own: Family) -> Family {
    let Family::Blocks(blocks) = family else { return own };
    let all = blocks.iter().enumerate().fold(Blocks::default(), |all, (place, (columns, old))| {
        let family = if place == block { own.clone() } else { old.clone() };
        all.with_same(columns.iter().copied(), family)
    });
    Family::Blocks(all.ignore(blocks.ignored().iter().copied()))
}

/// What a hyper-parameter is called in reports: its name, and its symbol if it has one.
fn label(parameter: &Parameter) -> String {
    let name = parameter.name.replace('_', " ");
    if parameter.short.len() == 1 { format!("{name} {}", parameter.short) } else { name }
}

#[cfg(test)]
mod tests {
    use nb_core::{Bernoulli, Gaussian, VarianceSmoothing, selection::FoldAssignment};
    use nb_io::read::{Chunk, Table};
    use ndarray::Array2;

    use super::*;

    /// What is chosen by five folds.
    fn tuned(family: &Family, rows: &Array2<f64>, labels: &[String]) -> (Family, Vec<Tuned>) {
        let n_columns = rows.ncols();
        let mut folds = FoldedStats::new(family, n_columns, 5, FoldAssignment::Stratified).unwrap();
        let mut held_out = KeptRows::new(5, n_columns);
        let (rows, labels) = (Table::Dense(rows.clone()), labels.to_vec());
        let chunk = Chunk {
            first_row: 0,
            rows,
            labels: Some(labels.clone()),
            weights: None,
            ids: Vec::new(),
            n_non_numeric: 0,
            places: Vec::new(),
        };
        let assigned = folds.assign(&labels);
        held_out.add(&chunk, &assigned);
        folds.update_assigned(family, &chunk.rows, &labels, &assigned).unwrap();
        tune(&folds, &held_out, family, n_columns).unwrap()
    }

    fn labels() -> Vec<String> {
        (0..40).map(|row| ["a", "b"][row % 2].to_owned()).collect()
    }

    #[test]
    fn a_value_is_kept_unless_another_is_better() {
        // Nothing can be learnt: each value of either class is as probable in the other.
        let rows = Array2::from_shape_fn((40, 1), |(row, _)| f64::from(u8::from(row % 4 < 2)));
        let (family, tuned) = tuned(&Family::Bernoulli(Bernoulli::default()), &rows, &labels());
        assert_eq!(tuned.len(), 1);
        assert!((tuned[0].log_loss - std::f64::consts::LN_2).abs() < 0.1, "{tuned:?}");
        assert!(matches!(family, Family::Bernoulli(_)));
    }

    #[test]
    fn a_column_that_is_constant_in_a_class_gets_a_larger_floor() {
        // Class "a" is 0 but once; the density of its rows grows without bound as the floor falls.
        let rows = Array2::from_shape_fn((40, 1), |(row, _)| match row {
            8 => 1.0,
            row if row % 2 == 0 => 0.0,
            row => (row % 7) as f64,
        });
        let (family, tuned) = tuned(&Family::Gaussian(Gaussian::default()), &rows, &labels());
        assert_eq!(tuned[0].parameter, "variance floor");
        assert!(tuned[0].value > 1e-6, "{tuned:?}");
        assert!(tuned[0].log_loss < std::f64::consts::LN_2, "{tuned:?}");
        let Family::Gaussian(Gaussian { smoothing: VarianceSmoothing::RelativeFloor(floor), .. }) = family
        else {
            panic!("{family:?}")
        };
        assert_eq!(floor, tuned[0].value);
    }

    #[test]
    fn blocks_are_tuned_together() {
        let rows = Array2::from_shape_fn((40, 2), |(row, column)| {
            if column == 0 { ((row * 7) % 11) as f64 } else { ((row * row) % 3 % 2) as f64 }
        });
        let both = Family::Blocks(
            Blocks::default()
                .with_same([0], Family::Gaussian(Gaussian::default()))
                .with_same([1], Family::Bernoulli(Bernoulli::default())),
        );
        let (family, tuned) = tuned(&both, &rows, &labels());
        assert_eq!(tuned.iter().map(|tuned| tuned.columns).collect::<Vec<_>>(), [1, 1]);
        // The second is chosen with the first as it was chosen, so that the loss does not rise.
        assert!(tuned[1].log_loss <= tuned[0].log_loss, "{tuned:?}");
        assert!(matches!(family, Family::Blocks(_)));
    }
}
