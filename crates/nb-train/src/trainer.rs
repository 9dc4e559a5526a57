//! The whole way from a table to a model.

use nb_core::{
    Prior,
    error::{FamilyError, FamilyProblem, FitError},
};
use nb_io::{
    Kind, Model, TextOptions,
    read::{Inference, Inferred, KindChoice, Overrides, ReadChunks, Reason, train},
};

use crate::{
    Effort, Folds, RefineError, Sampler, TrainError, Watch, WhyPlain, columns::Found, family, features,
    refine,
};

/// A table with a label column that can be read again and again.
pub trait Source {
    /// What can go wrong.
    type Error: From<TrainError>;

    /// Looks at all columns but the label.
    ///
    /// # Errors
    /// If the table cannot be read.
    fn infer(&self, overrides: &Overrides) -> Result<Inferred, Self::Error>;

    /// Reads the rows, with these classes known.
    ///
    /// # Errors
    /// If the table cannot be read.
    fn open(
        &self,
        inferred: &Inferred,
        classes: Vec<String>,
    ) -> Result<Box<dyn ReadChunks + '_>, Self::Error>;
}

/// Makes a model of a table: looks at the columns, leaves out those from which nothing can be learnt, chooses what becomes of
/// texts by held-out rows, and learns weights and corrections where rows allow it.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Trainer {
    /// How much is done.
    pub effort: Effort,
    /// What is known of columns better than by their cells.
    pub overrides: Overrides,
    /// Whether the weighting of terms of texts is as the overrides say, and not chosen.
    pub text_is_given: bool,
}

/// A model of a table, and what was decided.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Trained {
    /// The model.
    pub model: Model,
    /// The number of rows.
    pub n_rows: usize,
    /// The columns that are used, and why they are what they are.
    pub columns: Vec<Inference>,
    /// The columns that are left out, and why.
    pub left_out: Vec<Inference>,
    /// Why nothing was weighted or corrected, if that was decided here.
    pub plain: Option<WhyPlain>,
}

/// What one attempt gave.
struct Attempt {
    model: Model,
    n_rows: usize,
    copies: Vec<String>,
    /// The sums of folds, of a plain model.
    folds: Option<Folds>,
    plain: Option<WhyPlain>,
}

impl Trainer {
    /// The same with this effort.
    #[must_use]
    pub fn with_effort(self, effort: Effort) -> Self {
        Self { effort, ..self }
    }

    /// The same with what is known of columns.
    #[must_use]
    pub fn with_overrides(self, overrides: Overrides) -> Self {
        Self { overrides, ..self }
    }

    /// Makes a model of all rows.
    ///
    /// # Errors
    /// [`TrainError`] says what is wrong with the table.
    pub fn train<S: Source>(&self, source: &S) -> Result<Trained, S::Error> {
        let mut found = self.best_text(source)?;
        let attempt = loop {
            let attempt = self.learn(source, &found)?;
            let given = |column: &String| self.overrides.kinds.contains_key(column);
            let copies: Vec<&String> = attempt.copies.iter().filter(|column| !given(column)).collect();
            if !copies.is_empty() {
                for column in copies {
                    found = found.without(column, Reason::DuplicatesLabel)?;
                }
                continue;
            }
            match attempt.model.classifier() {
                Ok(_) => break attempt,
                Err(error) => {
                    let Some((column, class)) = without_values(&attempt.model, &error) else {
                        return Err(TrainError::Fit(error).into());
                    };
                    found = found.without(&column, Reason::NoValuesInClass { class })?;
                }
            }
        };
        let Attempt { mut model, n_rows, folds, plain, .. } = attempt;
        if let Some(folds) = folds {
            model = measured(source, &found, model, folds)?;
        }
        Ok(Trained { model, n_rows, columns: found.inferred.columns, left_out: found.left_out, plain })
    }

    /// The columns, with the weighting of terms that is best on held-out rows.
    fn best_text<S: Source>(&self, source: &S) -> Result<Found, S::Error> {
        let found = Found::new(source, &self.overrides)?;
        let has_texts = found.inferred.columns.iter().any(|column| matches!(column.kind, Kind::Text(_)));
        let learners = self.effort.learners();
        if !has_texts || self.text_is_given || learners.is_empty() {
            return Ok(found);
        }
        // What columns hold is known now.
        let texts = found.inferred.columns.iter().filter(|column| matches!(column.kind, Kind::Text(_)));
        let overrides =
            texts.fold(self.overrides.clone(), |all, column| all.with(&column.column, KindChoice::Text));
        let mut best: Option<(f64, Found)> = None;
        for text in candidates(&self.overrides.text, self.effort == Effort::Best) {
            let found = Found::new(source, &overrides.clone().with_default_text(text))?;
            let Ok(refined) = self.refined(source, &found, &learners[..1])? else { continue };
            let loss = refined.model.refinement().map_or(f64::INFINITY, |refined| refined.held_out.log_loss);
            if best.as_ref().is_none_or(|(least, _)| loss < *least) {
                best = Some((loss, found));
            }
        }
        Ok(best.map_or(found, |(_, found)| found))
    }

    fn learn<S: Source>(&self, source: &S, found: &Found) -> Result<Attempt, S::Error> {
        let learners = self.effort.learners();
        let plain = if learners.is_empty() {
            None
        } else {
            match self.refined(source, found, &learners)? {
                Ok(attempt) => return Ok(attempt),
                Err(why) => Some(why),
            }
        };
        let schema = found.inferred.schema.clone();
        let family = family::plain(&found.inferred);
        let watch = Watch::new(&schema);
        let mut watch = if self.effort == Effort::SumsOnly {
            watch.without_record()
        } else {
            watch
                .with_folds(&family, schema.n_features())
                .map_err(nb_io::ModelError::from)
                .map_err(TrainError::from)?
        };
        let mut model = Model::new(schema, family, Prior::Empirical).map_err(TrainError::from)?;
        let reader = source.open(&found.inferred, Vec::new())?;
        let n_rows = train(&mut model, &mut watch.reader(reader)).map_err(TrainError::from)?;
        let seen = watch.finish(model.schema());
        let model = model.with_row_fingerprint(seen.rows);
        Ok(Attempt { model, n_rows, copies: seen.copies, folds: seen.folds, plain })
    }

    /// A model with weights and corrections; or why rows like these have a plain one.
    fn refined<S: Source>(
        &self,
        source: &S,
        found: &Found,
        learners: &[nb_discriminative::Learner],
    ) -> Result<Result<Attempt, WhyPlain>, S::Error> {
        let schema = found.inferred.schema.clone();
        if let Err(why) = WhyPlain::of_schema(&schema) {
            return Ok(Err(why));
        }
        let mut watch = Watch::new(&schema);
        let mut sampler = Sampler::new(&found.inferred, self.effort.most_cells());
        let mut reader = source.open(&found.inferred, Vec::new())?;
        while let Some(mut chunk) = reader.next_chunk().map_err(TrainError::from)? {
            watch.look(reader.schema(), &chunk);
            let labels = chunk.labels.take().unwrap_or_default();
            let added = match &chunk.weights {
                Some(weights) => sampler.add_weighted(&chunk.rows, labels, weights),
                None => sampler.add(&chunk.rows, labels),
            };
            added.map_err(|error| {
                let column = schema.feature(error.column).map(|feature| feature.column.name.clone());
                let (name, row) = (reader.name().to_owned(), chunk.first_row + error.row);
                TrainError::Value { name, row, column: column.unwrap_or_default(), error }
            })?;
        }
        drop(reader);
        let seen = watch.finish(&schema);
        let sample = match sampler.finish() {
            Ok(sample) => sample,
            Err(why) => return Ok(Err(why)),
        };
        let best = match refine(learners, &features(&schema, |_| false), &sample) {
            Ok(best) => best,
            Err(RefineError::Plain(why)) => return Ok(Err(why)),
            Err(error) => return Err(TrainError::from(error).into()),
        };
        let mut model = best.model(schema).map_err(TrainError::from)?;
        let mut reader = source.open(&found.inferred, sample.classes)?;
        let n_rows = train(&mut model, &mut *reader).map_err(TrainError::from)?;
        drop(reader);
        let model = model.with_refinement(Some(best.refinement)).map_err(TrainError::from)?;
        let model = model.with_row_fingerprint(seen.rows);
        Ok(Ok(Attempt { model, n_rows, copies: seen.copies, folds: None, plain: None }))
    }
}

/// A plain model with measures of held-out rows, which are read once more; without if there are none.
fn measured<S: Source>(source: &S, found: &Found, model: Model, folds: Folds) -> Result<Model, S::Error> {
    let schema = model.schema().clone();
    let judges = folds.judges(|family, others| {
        let model = Model::from_parts(schema.clone(), family.clone(), Prior::Empirical, others);
        model.map_err(|error| error.to_string())?.classifier().map_err(|error| error.to_string())
    });
    let Ok(mut judges) = judges else { return Ok(model) };
    let mut reader = source.open(&found.inferred, judges.classes())?;
    while let Some(chunk) = reader.next_chunk().map_err(TrainError::from)? {
        if judges.judge(&chunk).is_err() {
            return Ok(model);
        }
    }
    drop(reader);
    let measures = judges.measures().measures;
    let measures = measures.log_loss.is_finite().then_some(measures);
    Ok(model.with_held_out(measures).map_err(TrainError::from)?)
}

/// The weightings of terms to try, and with `pairs` words and pairs of words.
fn candidates(given: &TextOptions, pairs: bool) -> Vec<TextOptions> {
    let weighted = given.clone().with_log_term_frequency(true).with_normalize_length(true);
    let inverse = weighted.clone().with_inverse_document_frequency(true);
    let mut all = vec![given.clone(), weighted, inverse];
    if pairs && given.tokens.n_grams == (1..=1) {
        let with_pairs =
            |text: &TextOptions| text.clone().with_tokens(text.tokens.clone().with_n_grams(1..=2));
        all.extend(all.iter().map(with_pairs).collect::<Vec<_>>());
    }
    all
}

/// The column that has no values for a class, and the class, if that is the error.
fn without_values(model: &Model, error: &FitError) -> Option<(String, String)> {
    let FitError::Family(FamilyError { class, column, problem: FamilyProblem::NoData, .. }) = error else {
        return None;
    };
    let (class, feature) = (model.stats().classes().nth(*class)?, model.schema().feature(*column)?);
    Some((feature.column.name.clone(), class.clone()))
}

#[cfg(test)]
mod tests {
    use nb_io::read::Csv;

    use super::*;

    struct Rows(String);

    impl Source for Rows {
        type Error = TrainError;

        fn infer(&self, overrides: &Overrides) -> Result<Inferred, TrainError> {
            Ok(Csv::default().infer_from(|| Ok(self.0.as_bytes()), "rows.csv", "class", overrides)?)
        }

        fn open(&self, inferred: &Inferred, _: Vec<String>) -> Result<Box<dyn ReadChunks + '_>, TrainError> {
            Ok(Box::new(Csv::default().read_from(self.0.as_bytes(), "rows.csv", &inferred.schema)?))
        }
    }

    fn table(header: &str, n_rows: usize, row: impl Fn(usize) -> String) -> Rows {
        Rows((0..n_rows).fold(format!("{header}\n"), |all, number| all + &row(number) + "\n"))
    }

    #[test]
    fn copies_of_the_label_and_identifiers_are_left_out() {
        let rows = table("row_id,copy,x,class", 60, |row| {
            format!("{row},{},{},{}", row % 2, row % 5, ["a", "b"][row % 2])
        });
        let trained = Trainer::default().train(&rows).unwrap();
        let left_out: Vec<(&str, &Reason)> =
            trained.left_out.iter().map(|column| (column.column.as_str(), &column.reason)).collect();
        assert!(matches!(left_out[..], [("row_id", _), ("copy", Reason::DuplicatesLabel)]), "{left_out:?}");
        assert_eq!(trained.columns.len(), 1);
        assert!(trained.model.refinement().is_some() && trained.plain.is_none());
    }

    #[test]
    fn few_rows_have_a_plain_model_with_bernoulli_columns() {
        let rows =
            table("yes,x,class", 12, |row| format!("{},{}.5,{}", row % 2, row, ["a", "b", "b"][row % 3]));
        let trained = Trainer::default().train(&rows).unwrap();
        assert_eq!(trained.plain, Some(WhyPlain::FewRows));
        assert!(trained.model.refinement().is_none());
        let nb_io::Family::Blocks(blocks) = trained.model.family() else { panic!("two families") };
        let names: Vec<&str> = blocks.iter().map(|(_, family)| family.description().name).collect();
        assert_eq!(names, ["bernoulli", "gaussian"]);
    }

    #[test]
    fn plain_models_know_their_rows_and_how_held_out_ones_were_classified() {
        let rows = table("x,class", 200, |row| {
            format!("{},{}", row % 7 + 3 * (row % 2), if row % 13 == 0 { "b" } else { ["a", "b"][row % 2] })
        });
        let plain = Trainer::default().with_effort(Effort::Plain).train(&rows).unwrap().model;
        let held_out = plain.held_out().unwrap();
        assert!(held_out.accuracy > held_out.majority && held_out.log_loss < held_out.log_loss_of_prior);
        assert_eq!(plain.row_fingerprint().unwrap().n_rows(), 200);
        let refined = Trainer::default().train(&rows).unwrap().model;
        assert_eq!(refined.row_fingerprint(), plain.row_fingerprint());
        let sums = Trainer::default().with_effort(Effort::SumsOnly).train(&rows).unwrap().model;
        assert_eq!((sums.held_out(), sums.row_fingerprint()), (None, None));
        assert_eq!(sums, plain.with_held_out(None).unwrap().with_row_fingerprint(None));
    }

    #[test]
    fn rows_of_a_lone_row_of_a_class_or_of_few_rows_are_not_held_out() {
        let few = table("x,class", 29, |row| format!("{},{}", row % 5, row % 2));
        let model = Trainer::default().with_effort(Effort::Plain).train(&few).unwrap().model;
        assert!(model.held_out().is_none() && model.row_fingerprint().is_some());
        let lone = table("x,class", 90, |row| format!("{},{}", row % 5, if row == 40 { 2 } else { row % 2 }));
        let model = Trainer::default().with_effort(Effort::Plain).train(&lone).unwrap().model;
        assert!(model.held_out().unwrap().log_loss.is_finite());
    }

    #[test]
    fn texts_get_the_weighting_that_is_best_on_held_out_rows() {
        let words = ["free", "prize", "now", "meet", "lunch", "home"];
        let rows = table("text,class", 90, |row| {
            let of_class = |shift: usize| words[(row * 7 + shift) % 3 + if row % 3 == 0 { 0 } else { 3 }];
            let text: Vec<String> =
                (0..5).map(|place| format!("{} w{}", of_class(place), (row + place) % 17)).collect();
            format!("\"{}.\",{}", text.join(" "), if row % 3 == 0 { "spam" } else { "ham" })
        });
        let overrides = Overrides::default().with("text", KindChoice::Text);
        let trained = Trainer::default().with_overrides(overrides).train(&rows).unwrap();
        let held_out = trained.model.refinement().unwrap().held_out;
        assert!(held_out.accuracy > 0.95 && held_out.majority < 0.7, "{held_out:?}");
    }

    #[test]
    fn a_table_of_useless_columns_says_so() {
        let rows = table("same,class", 40, |row| format!("1,{}", row % 2));
        let error = Trainer::default().train(&rows).unwrap_err().to_string();
        assert!(error.starts_with("no column is left to learn from: \"same\" is left out, as "), "{error}");
    }
}
