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
    Effort, RefineError, Sampler, TrainError, WhyPlain, columns::Found, copies::Watched, copies_of_label,
    family, features, refine, watch,
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
        let Attempt { model, n_rows, plain, .. } = attempt;
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
        let mut copies = watch(&schema);
        let family = family::plain(&found.inferred);
        let mut model = Model::new(schema, family, Prior::Empirical).map_err(TrainError::from)?;
        let reader = source.open(&found.inferred, Vec::new())?;
        let n_rows = train(&mut model, &mut Watched::new(reader, &mut copies)).map_err(TrainError::from)?;
        let copies = copies_of_label(&copies, model.schema());
        Ok(Attempt { model, n_rows, copies, plain })
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
        let mut copies = watch(&schema);
        let mut sampler = Sampler::new(&found.inferred, self.effort.most_cells());
        let mut reader = source.open(&found.inferred, Vec::new())?;
        while let Some(mut chunk) = reader.next_chunk().map_err(TrainError::from)? {
            let labels = chunk.labels.take().unwrap_or_default();
            copies.add(&chunk.rows, &labels);
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
        let copies = copies_of_label(&copies, &schema);
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
        Ok(Ok(Attempt { model, n_rows, copies, plain: None }))
    }
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
