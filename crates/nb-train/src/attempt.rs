//! One attempt at a model, of columns that are known: with weights and corrections, or plain.

use std::ops::RangeInclusive;

use nb_core::{
    Prior, Rows, SufficientStats,
    error::{FamilyError, FamilyProblem, FitError, PredictError},
};
use nb_discriminative::Learner;
use nb_io::{
    Family, Model, ModelError,
    read::{Inferred, train, train_within},
};
use nb_metrics::RowError;

use crate::{
    Best, Choice, ClassPrior, Columns, Effort, FoldMeasures, Folds, JudgeError, NotHeldOut, RefineError,
    Refined, Sample, Sampler, Seen, Source, Trainer, TrainerError, TrendError, Tuned, Warning, Watch,
    WhyPlain, beside, features, prepare, refine,
    sampler::Known,
    source::{for_each_chunk, groups},
    tune,
};

/// The weights of rows from which weights of columns are learnt, beside 0.
const WEIGHTS: RangeInclusive<f64> = 1e-290..=1e290;

/// What was learnt from all rows.
pub(crate) struct Attempt {
    pub(crate) model: Model,
    pub(crate) n_rows: usize,
    pub(crate) tuned: Vec<Tuned>,
    /// The columns that repeat the label.
    pub(crate) copies: Vec<String>,
    /// What may make measures of held-out rows too good, and the column that says most of the label.
    pub(crate) warnings: Vec<Warning>,
    pub(crate) strongest: Option<(String, f64)>,
    /// What the log-odds of a refined model are made of.
    pub(crate) refined: Option<Refined>,
    /// The sums of folds, of a plain model.
    pub(crate) folds: Option<Folds>,
    /// Why it is not refined, if that was decided here.
    pub(crate) plain: Option<WhyPlain>,
}

/// What was learnt from rows in memory, all or a sample.
pub(crate) struct FromSample {
    pub(crate) best: Best,
    sample: Sample,
    /// How many rows were looked at.
    n_read: usize,
    seen: Seen,
}

impl Trainer {
    /// The learners of weights and corrections; none for a plain model, and why, if that was decided here.
    pub(crate) fn learners(&self, columns: &Columns) -> Result<Vec<Learner>, Option<WhyPlain>> {
        let learners = self.effort.learners();
        if learners.is_empty() {
            return Err(None);
        }
        if self.tuning.is_some() {
            return Err(Some(WhyPlain::Tuned));
        }
        if let Some(name) = &self.families.given {
            return Err(Some(WhyPlain::Given { name: name.clone() }));
        }
        let has_texts = columns.choices.of_all(&columns.inferred).contains(&Choice::Text);
        if has_texts && self.families.text != Choice::MULTINOMIAL {
            return Err(Some(WhyPlain::TextFamily));
        }
        match columns.column_of_family() {
            Some(column) => Err(Some(WhyPlain::Family { column: column.into() })),
            None => Ok(learners),
        }
    }

    /// A model of all rows.
    pub(crate) fn learn<S: Source>(&self, source: &S, columns: &Columns) -> Result<Attempt, S::Error> {
        let plain = match self.learners(columns) {
            Ok(learners) => match self.refined(source, columns, &learners)? {
                Ok(attempt) => return Ok(attempt),
                Err(why) => Some(why),
            },
            Err(why) => why,
        };
        if !columns.choices.trends.is_empty() {
            let why = plain.map_or_else(|| "a plain model was chosen".into(), |why| why.to_string());
            return Err(source.explain(TrendError::Plain { why }.into(), &columns.inferred.schema));
        }
        let explain = |error| source.explain(error, &columns.inferred.schema);
        let schema = columns.inferred.schema.clone();
        let family =
            self.families.family(&schema, &columns.chosen()).map_err(|error| explain(error.into()))?;
        let (rules, most_cells) = (self.families.preparation, self.effort.most_cells());
        let family = prepare::prepared(source, columns, family, rules, most_cells, self.limits.max_memory)?;
        let watch = Watch::new(&schema);
        let mut watch = if self.effort == Effort::SumsOnly {
            watch.without_record()
        } else {
            let with_folds = watch.with_folds(&family, schema.n_features());
            with_folds.map_err(|error| explain(ModelError::from(error).into()))?
        };
        let (model, n_rows, tuned) = if let Some(tuning) = self.tuning {
            let found = tune::train(source, &columns.inferred, &family, tuning, &mut watch)?;
            (found.model, found.n_rows, found.tuned)
        } else {
            let mut model =
                Model::new(schema, family, Prior::Empirical).map_err(|error| explain(error.into()))?;
            let mut n_rows = 0;
            for part in 0..source.n_parts() {
                let reader = source.open(part, &columns.inferred, classes(&model))?;
                let added = train_within(&mut model, &mut watch.reader(reader), self.limits);
                n_rows += added.map_err(|error| explain(error.into()))?;
            }
            (model, n_rows, Vec::new())
        };
        let Seen { copies, warnings, strongest, rows, ranges, folds } = watch.finish(model.schema());
        let folds = folds.map(|folds| folds.with_family(model.family()));
        let empty = Model::new(model.schema().clone(), model.family().clone(), Prior::Empirical);
        let (model, n_all) = match source.sums(&empty.map_err(|error| explain(error.into()))?)? {
            Some(all) => all,
            None => (model, n_rows),
        };
        let mut model = model.with_row_fingerprint(rows.filter(|_| n_rows == n_all));
        if n_rows == n_all {
            model = model.with_value_ranges(ranges);
        }
        let n_rows = n_all;
        Ok(Attempt { model, n_rows, tuned, copies, warnings, strongest, refined: None, folds, plain })
    }

    /// Bins, weights and corrections; or why rows like these have a plain model.
    pub(crate) fn learn_from_sample<S: Source>(
        &self,
        source: &S,
        columns: &Columns,
        learners: &[Learner],
    ) -> Result<Result<FromSample, WhyPlain>, S::Error> {
        let schema = &columns.inferred.schema;
        let explain = |error| source.explain(error, schema);
        if let Err(why) = WhyPlain::of_schema(schema) {
            return Ok(Err(why));
        }
        let mut watch = Watch::new(schema);
        let sampler = Sampler::new(&columns.inferred, self.effort.most_cells());
        let (sampler, n_read) = sampled(source, &columns.inferred, sampler, &mut watch, &[])?;
        let sample = match sampler.finish() {
            Ok(sample) => sample,
            Err(why) => return Ok(Err(why)),
        };
        let chosen = columns.chosen();
        let features = features(schema, |column| chosen[column] == Choice::Ignore);
        let learners = columns.choices.trends.learners(learners).map_err(|error| explain(error.into()))?;
        let rising = columns.choices.trends.rising(schema, &columns.left_out, &sample.classes);
        let rising = rising.map_err(|error| explain(error.into()))?;
        match refine(learners, (&features, rising.as_deref()), &sample) {
            Ok(best) => Ok(Ok(FromSample { best, sample, n_read, seen: watch.finish(schema) })),
            Err(RefineError::Plain(why)) => Ok(Err(why)),
            Err(error) => Err(explain(error.into())),
        }
    }

    /// A model with weights and corrections and the sums of all rows; or why rows like these have a plain
    /// one.
    fn refined<S: Source>(
        &self,
        source: &S,
        columns: &Columns,
        learners: &[Learner],
    ) -> Result<Result<Attempt, WhyPlain>, S::Error> {
        let explain = |error| source.explain(error, &columns.inferred.schema);
        let FromSample { best, sample, n_read, seen } =
            match self.learn_from_sample(source, columns, learners)? {
                Ok(learnt) => learnt,
                Err(why) => return Ok(Err(why)),
            };
        let Seen { copies, warnings, strongest, rows: fingerprint, ranges, .. } = seen;
        let of_sample = Refined::of(&best, &sample);
        let empty = best.model(columns.inferred.schema.clone()).map_err(|error| explain(error.into()))?;
        let sums = source.sums(&empty)?;
        let mut model =
            empty.with_refinement(Some(best.refinement)).map_err(|error| explain(error.into()))?;
        let mut n_rows = n_read;
        if let Some((sums, n_all)) = sums {
            let is_new = |class: &&String| sample.classes.binary_search(class).is_err();
            if let Some(class) = sums.stats().classes().find(is_new) {
                return Ok(Err(WhyPlain::NotSampled { class: class.clone() }));
            }
            // Categories that the sample does not have are added.
            model.merge(&sums).map_err(|error| explain(error.into()))?;
            n_rows = n_all;
        } else if sample.is_all {
            let labels: Vec<&str> =
                sample.labels.iter().map(|&label| sample.classes[label].as_str()).collect();
            let added = match &sample.weights {
                Some(weights) => model.update_weighted(&sample.rows, &labels, weights),
                None => model.update(&sample.rows, &labels),
            };
            added.map_err(|error| explain(error.into()))?;
        } else {
            n_rows = 0;
            for part in 0..source.n_parts() {
                let mut reader = source.open(part, &columns.inferred, classes(&model))?;
                n_rows += train(&mut model, &mut *reader).map_err(|error| explain(error.into()))?;
            }
        }
        let plain = self.families.family(&columns.inferred.schema, &columns.chosen()).ok();
        let plain = plain.and_then(|family| beside::plain(&family, &sample, &best.learnt.held_out));
        let plain = plain.and_then(|measures| Some([measures.log_loss?, measures.accuracy?]));
        let is_of_all = of_sample.is_of_all && n_rows == n_read;
        let refined = Some(Refined { is_of_all, plain, ..of_sample });
        let mut model = model.with_row_fingerprint(fingerprint.filter(|_| n_rows == n_read));
        if n_rows == n_read {
            model = model.with_value_ranges(ranges);
        }
        let (tuned, folds, plain) = (Vec::new(), None, None);
        Ok(Ok(Attempt { model, n_rows, tuned, copies, warnings, strongest, refined, folds, plain }))
    }
}

fn classes(model: &Model) -> Vec<String> {
    model.stats().classes().cloned().collect()
}

/// Reads all rows, whose classes are these if they are known; how many rows there are.
pub(crate) fn sampled<S: Source>(
    source: &S,
    inferred: &Inferred,
    sampler: Sampler,
    watch: &mut Watch,
    known: &[String],
) -> Result<(Sampler, usize), S::Error> {
    let schema = &inferred.schema;
    let mut state = (sampler, 0);
    let classes = |(sampler, _): &(Sampler, usize)| match known {
        [] => sampler.classes(),
        known => known.to_vec(),
    };
    for_each_chunk(source, inferred, &mut state, classes, |(sampler, n_rows), mut chunk, place| {
        let keys = watch.look(place.schema, &chunk);
        *n_rows += chunk.rows.n_rows();
        let labels = chunk.labels.take().unwrap_or_default();
        if let Some(weights) = &chunk.weights {
            let is_weight = |weight: f64| weight == 0.0 || WEIGHTS.contains(&weight);
            if let Some(row) = weights.iter().position(|&weight| !is_weight(weight)) {
                return Err(TrainerError::Weight {
                    name: place.name.to_owned(),
                    row: chunk.first_row + row,
                    weight: weights[row],
                    least: *WEIGHTS.start(),
                    most: *WEIGHTS.end(),
                });
            }
        }
        let (weights, groups) = (chunk.weights.as_deref(), groups(&chunk));
        let added = sampler.add(&chunk.rows, Known { labels, weights, groups, keys: &keys });
        added.map_err(|error| TrainerError::of_cell(place, schema, chunk.first_row, error))
    })?;
    Ok(state)
}

/// How rows of a plain model are classified by models without their fold, for which they are read once more;
/// or why they are not.
pub(crate) fn of_folds<S: Source>(
    source: &S,
    columns: &Columns,
    folds: Folds,
    prior: &ClassPrior,
) -> Result<Result<FoldMeasures, NotHeldOut>, S::Error> {
    let schema = &columns.inferred.schema;
    let fit = |family: &Family, others: SufficientStats<String>| {
        let prior = prior.over(others.classes()).map_err(TrainerError::from)?;
        let model = Model::from_parts(schema.clone(), family.clone(), prior, others)?;
        model.classifier().map_err(|error| TrainerError::unfitted(&model, true, error))
    };
    let fit = |family: &Family, others| fit(family, others).map_err(|error| source.explain(error, schema));
    let mut judges = match folds.judges(schema, fit) {
        Ok(judges) => judges,
        Err(why) => return Ok(Err(why)),
    };
    for part in 0..source.n_parts() {
        let mut reader = source.open(part, &columns.inferred, judges.classes())?;
        let explain = |error| source.explain(error, schema);
        while let Some(chunk) = reader.next_chunk().map_err(|error| explain(error.into()))? {
            let name = reader.name();
            match judges.judge(reader.schema(), &chunk) {
                Ok(()) => {}
                Err(JudgeError::Predict(PredictError::Value(error))) => {
                    let place = crate::source::Place { part, name, schema };
                    let error = explain(TrainerError::of_cell(&place, schema, chunk.first_row, error));
                    return Ok(Err(NotHeldOut::NoModel(format!("{error:#}"))));
                }
                Err(JudgeError::Predict(error)) => {
                    return Ok(Err(NotHeldOut::NoModel(format!("{name}: {error}"))));
                }
                Err(JudgeError::Row(RowError::Weight { weight })) => {
                    let row = chunk.weights.iter().flatten().position(|own| *own == weight).unwrap_or(0);
                    let (name, row) = (name.to_owned(), chunk.first_row + row);
                    return Ok(Err(NotHeldOut::Weight { name, row, weight }));
                }
                Err(JudgeError::Row(error)) => return Err(explain(error.into())),
            }
        }
    }
    Ok(Ok(judges.measures()))
}

/// A column and a class that has no value in it, if that is why the model has no classifier.
pub(crate) fn without_values(model: &Model) -> Option<(String, String)> {
    let FitError::Family(FamilyError { class, column, problem: FamilyProblem::NoData, .. }) =
        model.classifier().err()?
    else {
        return None;
    };
    let (class, feature) = (model.stats().classes().nth(class)?, model.schema().feature(column)?);
    Some((feature.column.name.clone(), class.clone()))
}
