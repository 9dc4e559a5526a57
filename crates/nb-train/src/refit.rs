//! Weights and corrections of a model learnt from rows of now, for the bins, categories and terms that it
//! has.

use nb_core::{Rows, family::BlockBuffer};
use nb_discriminative::{ColumnKind, Correction, Learner};
use nb_io::{
    Family, Kind, Model, ModelRefinement, RowFingerprint, RowFingerprinter, Schema, SeenRows,
    read::{Chunk, Inferred},
};

use crate::{
    Best, Effort, LossChange, RefineError, Refined, Sample, Source, TrainerError,
    refine::best,
    source::{Place, for_each_chunk},
};

/// The log-loss of the rows given may be this many times that of rows held out, and this much more.
const MOST_RATIO: f64 = 1.25;
const MOST_BESIDE: f64 = 0.05;

/// Whether rows are in the sums of a model, as far as it knows.
///
/// ```
/// use nb_train::{Effort, InSums, MemoryTable, RowsOfModel, Trainer};
///
/// let schema = nb_io::Schema::numeric(["x"], "class");
/// let (rows, labels) = (ndarray::array![[1.5], [2.5], [7.5]], ["a", "a", "b"]);
/// let table = nb_train::MemoryTable::new(&schema, &rows, &labels)?;
/// let model = Trainer::default().with_effort(Effort::SumsOnly).train(&table)?.model;
/// assert_eq!(RowsOfModel::look(&model, &table)?.in_sums(&model), InSums::NotRecorded);
/// # Ok::<(), nb_train::TrainerError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InSums {
    /// The model does not know its rows.
    NotRecorded,
    /// It cannot be known: few or none of them, or a small part of many.
    NoneKnown,
    /// All of them if this is 1, and they are all that the sums have; else about this share of them.
    Share(f64),
}

/// What was seen of rows whose classes and categories a model knows.
///
/// ```
/// use nb_train::{Effort, InSums, MemoryTable, RowsOfModel, Trainer};
/// use ndarray::array;
///
/// let schema = nb_io::Schema::numeric(["x"], "class");
/// let (rows, labels) = (array![[1.5], [2.5], [7.5], [9.0]], ["a", "a", "b", "b"]);
/// let table = MemoryTable::new(&schema, &rows, &labels)?;
/// let model = Trainer::default().with_effort(Effort::Plain).train(&table)?.model;
/// let looked = RowsOfModel::look(&model, &table)?;
/// assert_eq!((looked.n_rows, looked.in_sums(&model)), (4, InSums::Share(1.0)));
/// # Ok::<(), nb_train::TrainerError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RowsOfModel {
    /// The number of rows.
    pub n_rows: usize,
    /// The number of rows with a weight above 0.
    pub n_weighted: usize,
    /// Which rows they are.
    pub fingerprint: RowFingerprint,
}

/// A model with new weights and corrections, and those of before.
///
/// ```
/// use nb_train::{Effort, MemoryTable, Trainer, refit};
/// use ndarray::Array2;
///
/// let rows = Array2::from_shape_fn((90, 1), |(row, _)| (row % 2 * 3 + row % 5) as f64 + 0.5);
/// let labels: Vec<&str> = (0..90).map(|row| ["a", "b"][row % 2]).collect();
/// let schema = nb_io::Schema::numeric(["x"], "class");
/// let model = Trainer::default().fit(&schema, &rows, &labels)?.model;
/// let refitted = refit(model, &MemoryTable::new(&schema, &rows, &labels)?, Effort::Usual)?;
/// assert_eq!(refitted.before.n_rows, refitted.refined.n_rows as u64); // the same rows
/// # Ok::<(), nb_train::TrainerError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Refitted {
    /// The model; its sums are those of before.
    pub model: Model,
    /// Weights and corrections of before.
    pub before: ModelRefinement,
    /// What the log-odds are made of now.
    pub refined: Refined,
    /// The rows.
    pub rows: RowsOfModel,
    /// Whether they are in the sums of the model.
    pub in_sums: InSums,
    /// The log-loss of these rows with the weights and corrections of before, which may have been learnt
    /// from them, and with those of now, each row held out; `None` if the model had no weights for all
    /// of its classes.
    pub change: Option<LossChange>,
}

/// How weights and corrections are learnt again.
///
/// ```
/// use nb_train::{Effort, MemoryTable, RefitOptions, Trainer, TrainerError, refit, refit_with};
/// use ndarray::{Array2, s};
///
/// let rows = Array2::from_shape_fn((180, 1), |(row, _)| (row % 2 * 3 + row % 5) as f64 + 0.5);
/// let labels: Vec<&str> = (0..180).map(|row| ["a", "b"][row % 2]).collect();
/// let schema = nb_io::Schema::numeric(["x"], "class");
/// let model = Trainer::default().fit(&schema, &rows, &labels)?.model;
/// let some = rows.slice(s![..60, ..]);
/// let some = MemoryTable::new(&schema, &some, &labels[..60])?;
/// let error = refit(model.clone(), &some, Effort::Usual).unwrap_err();
/// assert!(matches!(error, TrainerError::PartOfRows { n_rows: 60, of_sums: 180 }));
/// let options = RefitOptions::default().with_only_given(true).with_even_if_worse(true);
/// assert_eq!(refit_with(model, &some, options)?.refined.n_rows, 60);
/// # Ok::<(), TrainerError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefitOptions {
    /// What is learnt.
    pub effort: Effort,
    /// Whether less than half of the rows of the model are enough.
    pub only_given: bool,
    /// Whether weights and corrections that are clearly worse than those of before take their place.
    pub even_if_worse: bool,
    /// Whether it is known that none of the rows was there when the weights of before were learnt, though
    /// they may be in the sums by now.
    pub are_new: bool,
}

impl RefitOptions {
    /// The same with another effort.
    #[must_use]
    pub fn with_effort(self, effort: Effort) -> Self {
        Self { effort, ..self }
    }

    /// The same, learning from the rows given even if they are less than half of the rows of the model, or
    /// not.
    #[must_use]
    pub fn with_only_given(self, only_given: bool) -> Self {
        Self { only_given, ..self }
    }

    /// The same, with weights and corrections that are worse than those of before, or not.
    #[must_use]
    pub fn with_even_if_worse(self, even_if_worse: bool) -> Self {
        Self { even_if_worse, ..self }
    }

    /// The same for rows that were not there when the weights of before were learnt, or for others.
    #[must_use]
    pub fn with_are_new(self, are_new: bool) -> Self {
        Self { are_new, ..self }
    }
}

impl RowsOfModel {
    /// Looks at the rows of a table.
    ///
    /// ```
    /// use nb_train::{Effort, MemoryTable, RowsOfModel, Trainer, TrainerError};
    ///
    /// let schema = nb_io::Schema::numeric(["x"], "class");
    /// let (rows, labels) = (ndarray::array![[1.5], [2.5], [7.5]], ["a", "a", "b"]);
    /// let table = nb_train::MemoryTable::new(&schema, &rows, &labels)?;
    /// let model = Trainer::default().with_effort(Effort::Plain).train(&table)?.model;
    /// let others = ["a", "a", "c"];
    /// let error = RowsOfModel::look(&model, &MemoryTable::new(&schema, &rows, &others)?).unwrap_err();
    /// assert!(matches!(error, TrainerError::UnknownLabel { row: 2, .. }));
    /// # Ok::<(), nb_train::TrainerError>(())
    /// ```
    ///
    /// # Errors
    /// [`TrainerError`] if a row has a class or category that the model does not have, whose sums then do not
    /// have the row.
    pub fn look<S: Source>(model: &Model, source: &S) -> Result<Self, S::Error> {
        let inferred = Inferred::new(model.schema().clone(), Vec::new(), 0);
        let mut state = (RowFingerprinter::new(model.schema()), 0, 0);
        let classes = |_: &_| model.stats().classes().cloned().collect();
        for_each_chunk(
            source,
            &inferred,
            &mut state,
            classes,
            |(rows, n_rows, n_weighted), chunk, place| {
                check_labels(model, &chunk, place)?;
                check_categories(model.schema(), &chunk, place)?;
                rows.add(model.schema(), &chunk.rows, chunk.labels.as_deref().unwrap_or_default());
                *n_rows += chunk.rows.n_rows();
                *n_weighted += chunk.weights.as_ref().map_or(chunk.rows.n_rows(), |weights| {
                    weights.iter().filter(|weight| **weight > 0.0).count()
                });
                Ok(())
            },
        )?;
        let (rows, n_rows, n_weighted) = state;
        Ok(Self { n_rows, n_weighted, fingerprint: rows.finish() })
    }

    /// Whether they are in the sums of a model.
    ///
    /// ```
    /// use nb_train::{Effort, InSums, MemoryTable, RowsOfModel, Trainer};
    ///
    /// let schema = nb_io::Schema::numeric(["x"], "class");
    /// let (rows, labels) = (ndarray::array![[1.5], [2.5], [7.5]], ["a", "a", "b"]);
    /// let table = nb_train::MemoryTable::new(&schema, &rows, &labels)?;
    /// let model = Trainer::default().with_effort(Effort::Plain).train(&table)?.model;
    /// let some = ndarray::array![[1.5]];
    /// let looked = RowsOfModel::look(&model, &MemoryTable::new(&schema, &some, &["a"])?)?;
    /// assert_eq!(looked.in_sums(&model), InSums::NoneKnown); // too few to tell
    /// # Ok::<(), nb_train::TrainerError>(())
    /// ```
    pub fn in_sums(&self, model: &Model) -> InSums {
        match model.row_fingerprint().map(|own| own.seen(&self.fingerprint)) {
            None => InSums::NotRecorded,
            Some(SeenRows::All) => InSums::Share(1.0),
            Some(SeenRows::Share(share)) => InSums::Share(share.min(0.999)),
            Some(_) => InSums::NoneKnown,
        }
    }
}

fn check_labels(model: &Model, chunk: &Chunk, place: &Place<'_>) -> Result<(), TrainerError> {
    let classes: Vec<&String> = model.stats().classes().collect();
    let labels = chunk.labels.as_deref().unwrap_or_default();
    match labels.iter().position(|label| classes.binary_search(&label).is_err()) {
        Some(row) => {
            let (name, label) = (place.name.to_owned(), labels[row].clone());
            let known = classes.into_iter().cloned().collect();
            Err(TrainerError::UnknownLabel { name, row: chunk.first_row + row, label, known })
        }
        None => Ok(()),
    }
}

fn check_categories(known: &Schema, chunk: &Chunk, place: &Place<'_>) -> Result<(), TrainerError> {
    let limits = known.features().map(|feature| match feature.kind() {
        Kind::Categorical { levels } => levels.len() as f64,
        _ => f64::INFINITY,
    });
    let limits: Vec<f64> = limits.collect();
    let mut buffer = BlockBuffer::default();
    let rows = buffer.read(&chunk.rows, 0..chunk.rows.n_rows());
    let new = rows.find_stored(|feature, code| (code >= limits[feature]).then_some(()));
    let Some((row, feature, code, ())) = new else { return Ok(()) };
    let category = match place.schema.feature(feature).map(|feature| feature.kind()) {
        Some(Kind::Categorical { levels }) => levels.get(code as usize).cloned().unwrap_or_default(),
        _ => String::new(),
    };
    Err(TrainerError::UnknownCategory {
        name: place.name.to_owned(),
        row: chunk.first_row + row,
        column: place.schema.feature_name(feature).unwrap_or_default(),
        category,
    })
}

/// Learns weights and corrections of a refined model from the rows of a table, which should represent the
/// rows that the model will see; bins, categories, vocabularies and sums stay, and a calibration map, which
/// was learnt for the weights of before, goes.
///
/// ```
/// use nb_train::{Effort, MemoryTable, Trainer, refit};
/// use ndarray::Array2;
///
/// let rows = Array2::from_shape_fn((90, 1), |(row, _)| (row % 2 * 3 + row % 5) as f64 + 0.5);
/// let labels: Vec<&str> = (0..90).map(|row| ["a", "b"][row % 2]).collect();
/// let schema = nb_io::Schema::numeric(["x"], "class");
/// let model = Trainer::default().fit(&schema, &rows, &labels)?.model;
/// let sums = model.stats().clone();
/// let refitted = refit(model, &MemoryTable::new(&schema, &rows, &labels)?, Effort::Fast)?;
/// assert_eq!(refitted.model.stats(), &sums);
/// # Ok::<(), nb_train::TrainerError>(())
/// ```
///
/// # Errors
/// [`TrainerError`] if
/// - the model is plain, or the rows have classes or categories that the model does not know or cannot be
///   learnt from;
/// - they are less than half of the rows of the model ([`TrainerError::PartOfRows`]), unless they are more
///   than are learnt from;
/// - they are too different from those of the sums ([`TrainerError::OtherSums`]): with the sums of the model
///   and the new weights, their log-loss is more than 1.25 times that of held-out rows, plus 0.05;
/// - the new weights are clearly worse than those that the model has ([`TrainerError::Worse`],
///   [`LossChange::is_clear_loss`]).
///
/// [`refit_with`] can do without the second and the fourth.
pub fn refit<S: Source>(model: Model, source: &S, effort: Effort) -> Result<Refitted, S::Error> {
    refit_with(model, source, RefitOptions::default().with_effort(effort))
}

/// The same as [`refit`], with options.
///
/// # Errors
/// Those of [`refit`].
pub fn refit_with<S: Source>(model: Model, source: &S, options: RefitOptions) -> Result<Refitted, S::Error> {
    let schema = model.schema().clone();
    let explain = |error| source.explain(error, &schema);
    let Some(before) = model.refinement().cloned() else {
        return Err(explain(RefineError::IsPlain.into()));
    };
    let rows = RowsOfModel::look(&model, source)?;
    let in_sums = rows.in_sums(&model);
    let inferred = Inferred::new(schema.clone(), Vec::new(), rows.n_rows);
    let classes: Vec<String> = model.stats().classes().cloned().collect();
    let sample = Sample::read(source, &inferred, &classes, options.effort.most_cells())?;
    // Of more rows than are learnt from, a part is as good as all.
    let of_sums = model.row_fingerprint().map_or(before.n_rows, RowFingerprint::n_rows);
    let is_part = sample.is_all && 2 * (rows.n_rows as u64) < of_sums;
    if is_part && !options.only_given {
        return Err(explain(TrainerError::PartOfRows { n_rows: rows.n_rows, of_sums }));
    }
    let best = learn_again(&model, &options.effort.learners_for_bins(), &sample).map_err(|error| {
        let n_rows = Some(sample.labels.len());
        explain(match error {
            RefineError::Plain(why) => TrainerError::Plain { n_rows, why },
            error => error.into(),
        })
    })?;
    let refined = Refined::of(&best, &sample);
    let held_out = best.refinement.held_out.log_loss;
    // A class that was added has no weights of before.
    let has_all = before.classes == classes;
    let losses_before = if has_all { Some(losses(&model, &sample).map_err(explain)?) } else { None };
    let change = losses_before.map(|losses| change(&losses, &best, &sample));
    let of_before = model.held_out().copied();
    let model = model
        .with_calibration(None)
        .and_then(|model| model.with_refinement(Some(best.refinement)))
        .map_err(|error| explain(error.into()))?;
    let log_loss = sample.mean(&losses(&model, &sample).map_err(explain)?);
    if log_loss > MOST_RATIO * held_out + MOST_BESIDE {
        return Err(explain(TrainerError::OtherSums { log_loss, held_out }));
    }
    if let Some(change) = change.filter(|change| change.is_clear_loss() && !options.even_if_worse) {
        // Where the weights of before were learnt from some of these rows, only their own measure of held-out
        // rows is fair to the new.
        let fair = match (in_sums, of_before) {
            // The sums have the rows, which flatters the weights of before a little.
            (_, Some(measures)) if options.are_new => {
                LossChange { before: change.before.max(measures.log_loss), ..change }
            }
            (InSums::Share(_) | InSums::NotRecorded, Some(measures)) => {
                change.against_others(measures.log_loss, before.n_rows)
            }
            _ => change,
        };
        if fair.is_clear_loss() {
            return Err(explain(TrainerError::Worse(fair)));
        }
    }
    Ok(Refitted { model, before, refined, rows, in_sums, change })
}

/// The log-loss of each row under a model, which has all of their classes.
fn losses(model: &Model, sample: &Sample) -> Result<Vec<f64>, TrainerError> {
    let classifier = model.classifier().map_err(|error| TrainerError::unfitted(model, true, error))?;
    let place = |class: &String| classifier.classes().binary_search(class).unwrap_or_default();
    let places: Vec<usize> = sample.classes.iter().map(place).collect();
    let logs = classifier.predict_log_proba(&sample.rows)?;
    Ok(sample.labels.iter().enumerate().map(|(row, &label)| -logs[[row, places[label]]]).collect())
}

/// From the losses of all rows before to those of held-out rows.
fn change(before: &[f64], best: &Best, sample: &Sample) -> LossChange {
    let held_out = &best.learnt.held_out;
    let posteriors = held_out.log_posteriors.chunks_exact(sample.classes.len());
    LossChange::of(
        held_out
            .rows
            .iter()
            .zip(posteriors)
            .map(|(&row, posterior)| ([before[row], -posterior[sample.labels[row]]], sample.weight(row))),
    )
}

/// Learns weights and corrections of a refined model from other rows, with each of the learners, and keeps
/// what is best on held-out rows.
///
/// Bins, categories and terms are those of the model, and so is all that its sums say when it answers;
/// weights are learnt on the sums of these rows. `Best::refinement` is what the model is given
/// ([`Model::with_refinement`](nb_io::Model::with_refinement)).
///
/// Cut points and vocabularies are not held out, as they are not learnt: where they were learnt from the same
/// rows, measures of held-out rows are optimistic.
///
/// # Errors
/// [`RefineError`] if the model has no weights, the rows have other classes, or cannot be learnt from.
fn learn_again(model: &Model, learners: &[Learner], sample: &Sample) -> Result<Best, RefineError> {
    if model.refinement().is_none() {
        return Err(RefineError::IsPlain);
    }
    let known: Vec<&String> = model.stats().classes().collect();
    if let Some(class) = sample.classes.iter().find(|class| known.binary_search(class).is_err()) {
        let problem = "is not in the sums of the model; add its rows first";
        return Err(RefineError::Class { class: class.clone(), problem });
    }
    if let Some(class) = known.into_iter().find(|class| sample.classes.binary_search(class).is_err()) {
        let problem = "has no rows; weights and corrections are learnt from rows of all classes of the model";
        return Err(RefineError::Class { class: class.clone(), problem });
    }
    let bins = Bins::of(model).ok_or(RefineError::OtherFamilies)?;
    let rising: Vec<Option<usize>> = match model.refinement() {
        // The classes are the same, in the same order.
        Some(before) => before.columns.corrections.iter().map(Correction::rising).collect(),
        None => Vec::new(),
    };
    let rising = Some(rising.as_slice()).filter(|rising| rising.iter().any(Option::is_some));
    let (learnt, refinement) = best(learners, (&bins.features, rising), Some(&bins.cuts), sample)?;
    Ok(Best { learnt, family: model.family().clone(), refinement })
}

/// What the features of a model hold, and the cut points of numbers.
struct Bins {
    features: Vec<ColumnKind>,
    cuts: Vec<Vec<f64>>,
}

impl Bins {
    /// Those of a model, if it has no other families than those that weights and corrections are learnt with.
    fn of(model: &Model) -> Option<Self> {
        let n_features = model.schema().n_features();
        let mut bins =
            Self { features: vec![ColumnKind::Ignored; n_features], cuts: vec![Vec::new(); n_features] };
        match model.family() {
            Family::Blocks(blocks) => {
                for (features, family) in blocks.iter() {
                    bins.add(features, family, model)?;
                }
            }
            family => bins.add(&(0..n_features).collect::<Vec<_>>(), family, model)?,
        }
        Some(bins)
    }

    fn add(&mut self, features: &[usize], family: &Family, model: &Model) -> Option<()> {
        let columns: Vec<_> = model.schema().features().collect();
        let texts = model.schema().columns.iter().zip(model.schema().feature_ranges());
        let texts: Vec<_> =
            texts.map(|(column, range)| (matches!(column.kind, Kind::Text(_)), range)).collect();
        for (place, &feature) in features.iter().enumerate() {
            self.features[feature] = match family {
                Family::Binned(binned) => {
                    self.cuts[feature] = binned.cuts.column(place).to_vec();
                    ColumnKind::Numbers
                }
                Family::Categorical(_) | Family::Grouped(_) => match columns.get(feature)?.kind() {
                    Kind::Categorical { levels } if matches!(family, Family::Grouped(_)) => {
                        ColumnKind::Grouped(levels.len())
                    }
                    Kind::Categorical { levels } => ColumnKind::Categories(levels.len()),
                    _ => return None,
                },
                Family::Multinomial(_) => {
                    let text =
                        texts.iter().position(|(is_text, range)| *is_text && range.contains(&feature))?;
                    ColumnKind::Term(text)
                }
                _ => return None,
            };
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use nb_core::Prior;
    use nb_io::{
        Schema,
        read::{Inferred, Table},
    };
    use ndarray::Array2;

    use super::*;
    use crate::{Effort, Sampler, features, refine, sampler::Known};

    /// Numbers of two classes, which are farther apart the larger `distance` is.
    fn sample(n_rows: usize, distance: f64, classes: &[&str]) -> Sample {
        let schema = Schema::numeric(["x", "noise"], "class");
        let mut sampler = Sampler::new(&Inferred::new(schema, Vec::new(), n_rows), 1_000_000);
        let class = |row: usize| (row * row / 5 + row) % classes.len();
        let rows = Array2::from_shape_fn((n_rows, 2), |(row, column)| match column {
            0 => distance * class(row) as f64 + (row * 7919 % 101) as f64 / 10.0,
            _ => (row * 31 % 17) as f64,
        });
        let labels = (0..n_rows).map(|row| classes[class(row)].to_owned()).collect();
        let keys: Vec<u64> = (0..n_rows as u64).map(nb_table::hash::mix).collect();
        let known = Known { labels, weights: None, groups: None, keys: &keys };
        sampler.add(&Table::Dense(rows), known).unwrap();
        sampler.finish().unwrap()
    }

    fn trained(sample: &Sample) -> Model {
        let schema = Schema::numeric(["x", "noise"], "class");
        let best = refine(&Effort::Usual.learners(), (&features(&schema, |_| false), None), sample).unwrap();
        let mut model = best.model(schema).unwrap();
        let labels: Vec<&String> = sample.labels.iter().map(|&label| &sample.classes[label]).collect();
        model.update(&sample.rows, &labels).unwrap();
        model.with_refinement(Some(best.refinement)).unwrap()
    }

    #[test]
    fn bins_and_sums_stay_and_weights_change() {
        let (old, new) = (sample(300, 2.0, &["a", "b"]), sample(400, 6.0, &["a", "b"]));
        let model = trained(&old);
        let again = learn_again(&model, &Effort::Usual.learners_for_bins(), &old).unwrap();
        assert_eq!(&again.family, model.family());
        let of_old = model.refinement().unwrap();
        // The same bins, from the same rows: all that may differ was chosen on held-out rows.
        assert!((again.refinement.held_out.log_loss - of_old.held_out.log_loss).abs() < 0.03);
        let of_new = learn_again(&model, &Effort::Usual.learners_for_bins(), &new).unwrap().refinement;
        assert!(of_new.held_out.log_loss < of_old.held_out.log_loss && of_new.n_rows == 400);
        let other = model.clone().with_refinement(Some(of_new)).unwrap();
        assert_eq!(other.stats(), model.stats());
        let Table::Dense(rows) = &new.rows else { panic!("dense rows") };
        let right = |model: &Model| {
            let predicted = model.classifier().unwrap().predict(rows).unwrap();
            predicted.iter().zip(&new.labels).filter(|(found, label)| **found == new.classes[**label]).count()
        };
        assert!(right(&other) >= right(&model), "{} {}", right(&other), right(&model));
    }

    #[test]
    fn other_classes_and_plain_models_are_refused() {
        let rows = sample(100, 3.0, &["a", "b"]);
        let model = trained(&rows);
        let learners = Effort::Usual.learners_for_bins();
        let message =
            |model: &Model, sample: &Sample| learn_again(model, &learners, sample).unwrap_err().to_string();
        assert!(
            message(&model, &sample(100, 3.0, &["a", "b", "c"]))
                .starts_with("class \"c\" is not in the sums")
        );
        assert!(message(&model, &sample(100, 3.0, &["b"])).starts_with("class \"a\" has no rows"));
        let plain = model.clone().with_refinement(None).unwrap();
        assert!(matches!(learn_again(&plain, &learners, &rows), Err(RefineError::IsPlain)));
        let refinement = model.refinement().cloned();
        let schema = Schema::numeric(["x", "noise"], "class");
        let family = Family::Gaussian(nb_core::Gaussian::default());
        let mut gaussian = Model::new(schema, family, Prior::Empirical).unwrap();
        let labels: Vec<&String> = rows.labels.iter().map(|&label| &rows.classes[label]).collect();
        gaussian.update(&rows.rows, &labels).unwrap();
        let gaussian = gaussian.with_refinement(refinement).unwrap();
        assert!(matches!(learn_again(&gaussian, &learners, &rows), Err(RefineError::OtherFamilies)));
    }
}
