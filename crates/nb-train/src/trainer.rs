//! The whole way from a table to a model.

use nb_core::Rows;
use nb_io::{
    Limits, Model, Schema, TextOptions,
    read::{Overrides, Reason},
};

use crate::{
    Choices, ClassPrior, Columns, Effort, Families, FoldMeasures, MemoryTable, NotHeldOut, Note, Refined,
    Source, TrainerError, Tuned, Tuning, Warning, WhyPlain,
    attempt::{Attempt, of_folds, without_values},
    warning::{add_groups, alike_labels, groups_left_out, is_nearly_perfect},
};

/// Makes a model of a table: looks at the columns, leaves out those from which nothing can be learnt, chooses
/// what becomes of texts by held-out rows, and learns weights and corrections where rows allow it.
///
/// ```
/// use nb_train::Trainer;
/// use ndarray::Array2;
///
/// let rows = Array2::from_shape_fn((120, 2), |(row, column)| match column {
///     0 => (row % 3 * 2 + row % 5) as f64 + 0.5, // depends on the class
///     _ => (row * 7 % 13) as f64 + 0.5,
/// });
/// let labels: Vec<&str> = (0..120).map(|row| ["a", "b", "c"][row % 3]).collect();
/// let schema = nb_io::Schema::numeric(["length", "noise"], "class");
/// let trained = Trainer::default().fit(&schema, &rows, &labels)?;
/// let held_out = trained.model.held_out().unwrap();
/// assert!(held_out.log_loss < held_out.log_loss_of_prior);
/// assert_eq!(trained.model.classifier()?.predict(&rows)?.len(), 120);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Trainer {
    /// How much is done.
    pub effort: Effort,
    /// What is known of columns better than by their cells.
    pub overrides: Overrides,
    /// What the caller has chosen of what becomes of columns.
    pub choices: Choices,
    /// Hyper-parameters of plain models.
    pub families: Families,
    /// The prior probabilities of the classes.
    pub prior: ClassPrior,
    /// How hyper-parameters of a plain model are tuned, if they are.
    pub tuning: Option<Tuning>,
    /// Whether the weighting of terms of texts is as the overrides say, and not chosen.
    pub text_is_given: bool,
    /// Whether the lengths of n-grams are as the overrides say; else [`Effort::Best`] tries pairs of words,
    /// too.
    pub n_grams_are_given: bool,
    /// Whether labels may be numbers as those of regression: more than 50 different ones, which have
    /// decimals or are more than half as many as there are rows.
    pub allows_regression: bool,
    /// The most memory that counts of several columns at once may take.
    pub limits: Limits,
}

/// A model of a table, and what was decided.
///
/// ```
/// use nb_train::Trainer;
/// use ndarray::array;
///
/// let schema = nb_io::Schema::numeric(["x", "same"], "class");
/// let trained = Trainer::default().fit(&schema, &array![[1.5, 0.0], [7.5, 0.0]], &["a", "b"])?;
/// assert_eq!((trained.n_rows, trained.plain), (2, None));
/// assert_eq!(trained.columns.left_out[0].column, "same");
/// # Ok::<(), nb_train::TrainerError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Trained {
    /// The model.
    pub model: Model,
    /// The number of rows.
    pub n_rows: usize,
    /// The columns that are used, and those that are left out, and why.
    pub columns: Columns,
    /// The columns that repeat the label, and are kept as the caller has chosen their family.
    pub copies: Vec<String>,
    /// What may make measures of held-out rows better than those of new rows will be: columns that look like
    /// groups or determine the label. Nothing is done about it.
    pub warnings: Vec<Warning>,
    /// The hyper-parameters that were tuned.
    pub tuned: Vec<Tuned>,
    /// What the log-odds are made of, if there are weights and corrections.
    pub refined: Option<Refined>,
    /// Why nothing was weighted or corrected, if that was decided here.
    pub plain: Option<WhyPlain>,
    /// How rows of a plain model were classified by models without their fold, or why they were not.
    pub folds: Option<Result<FoldMeasures, NotHeldOut>>,
}

/// Setters, by value.
macro_rules! with_fields {
    ($($method:ident $field:ident: $type:ty = $example:expr;)+) => {
        $(
            #[doc = concat!("The same with this [`", stringify!($field), "`](Self::", stringify!($field), ").\n\n```\nuse nb_train::*;\n\n\
                let value = ", stringify!($example), ";\n\
                assert_eq!(Trainer::default().", stringify!($method), "(value.clone()).", stringify!($field), ", value);\n```")]
            #[must_use]
            pub fn $method(mut self, $field: $type) -> Self {
                self.$field = $field;
                self
            }
        )+
    };
}

/// # Options
impl Trainer {
    with_fields! {
        with_effort effort: Effort = Effort::Best;
        with_overrides overrides: Overrides = nb_io::read::Overrides::default().ignore("id");
        with_choices choices: Choices = Choices::default().with("zip", Choice::CATEGORICAL);
        with_families families: Families = Families::default().with("smoothing", "0.5").unwrap();
        with_prior prior: ClassPrior = ClassPrior::Uniform;
        with_tuning tuning: Option<Tuning> = Some(Tuning { n_folds: 5 });
        with_text_given text_is_given: bool = true;
        with_n_grams_given n_grams_are_given: bool = true;
        with_regression_allowed allows_regression: bool = true;
        with_limits limits: Limits = nb_io::Limits::default().with_max_memory(1 << 20);
    }
}

impl Trainer {
    /// Makes a model of rows in memory, whose cells are what the schema says; columns that have one value or
    /// repeat the label are left out. Rows with weights are a [`MemoryTable`].
    ///
    /// ```
    /// use nb_train::{Effort, Trainer};
    /// use ndarray::array;
    ///
    /// let schema = nb_io::Schema::numeric(["weight", "height"], "pet");
    /// let rows = array![[4.0, 25.5], [3.5, 22.0], [20.0, 60.0], [32.0, 56.5]];
    /// let trainer = Trainer::default().with_effort(Effort::Plain);
    /// let trained = trainer.fit(&schema, &rows, &["cat", "cat", "dog", "dog"])?;
    /// assert_eq!(trained.model.classifier()?.predict(&array![[5.0, 30.0]])?, ["cat"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`TrainerError`] says what is wrong with the table.
    pub fn fit(
        &self,
        schema: &Schema,
        rows: &impl Rows,
        labels: &[impl AsRef<str>],
    ) -> Result<Trained, TrainerError> {
        self.clone().with_text_given(true).train(&MemoryTable::new(schema, rows, labels)?)
    }

    /// Makes a model of all rows of a table.
    ///
    /// ```
    /// use nb_train::{MemoryTable, Trainer};
    /// use ndarray::array;
    ///
    /// let schema = nb_io::Schema::numeric(["x"], "class");
    /// let (rows, labels) = (array![[1.5], [2.5], [7.5]], ["a", "a", "a"]);
    /// let table = MemoryTable::new(&schema, &rows, &labels)?.with_weights(&[1.0, 2.0, 1.0])?;
    /// let trained = Trainer::default().train(&table)?;
    /// assert_eq!(trained.plain.unwrap().to_string(), "there are no two classes");
    /// # Ok::<(), nb_train::TrainerError>(())
    /// ```
    ///
    /// # Errors
    /// [`TrainerError`] says what is wrong with the table.
    pub fn train<S: Source>(&self, source: &S) -> Result<Trained, S::Error> {
        let columns = Columns::look(source, self.choices.clone(), &self.overrides)?;
        let schema = columns.inferred.schema.clone();
        let columns = columns.without_useless().map_err(|error| source.explain(error, &schema))?;
        self.train_on(source, columns)
    }

    /// Makes a model of all rows of a table whose columns were looked at, with the choices and overrides of
    /// this trainer.
    ///
    /// ```
    /// use nb_train::{Choices, Columns, MemoryTable, Trainer};
    /// use ndarray::array;
    ///
    /// let schema = nb_io::Schema::numeric(["x"], "class");
    /// let (rows, labels) = (array![[1.5], [2.5], [7.5]], ["a", "a", "a"]);
    /// let table = MemoryTable::new(&schema, &rows, &labels)?;
    /// let columns = Columns::look(&table, Choices::default(), &Default::default())?;
    /// assert_eq!(Trainer::default().train_on(&table, columns)?.n_rows, 3);
    /// # Ok::<(), nb_train::TrainerError>(())
    /// ```
    ///
    /// # Errors
    /// [`TrainerError`] says what is wrong with the table.
    pub fn train_on<S: Source>(&self, source: &S, columns: Columns) -> Result<Trained, S::Error> {
        let mut columns = self.with_best_text(source, columns)?;
        let attempt = loop {
            let attempt = self.learn(source, &columns)?;
            let schema = columns.inferred.schema.clone();
            let explain = |error| source.explain(error, &schema);
            let is_left_out = |column: &&String| {
                columns.leaves_out_copy(column) && !self.overrides.kinds.contains_key(*column)
            };
            let copies: Vec<&String> = attempt.copies.iter().filter(is_left_out).collect();
            if !copies.is_empty() {
                for name in copies {
                    if let Some(column) = columns.inferred.columns.iter().find(|own| own.column == *name) {
                        let choice = columns.choices.of(column);
                        source.note(&Note::CopyLeftOut { column, choice });
                    }
                    columns = columns.without(name, Reason::DuplicatesLabel).map_err(explain)?;
                }
                continue;
            }
            match without_values(&attempt.model) {
                Some((column, class)) if !columns.choices.has(&column) => {
                    columns = columns.without(&column, Reason::NoValuesInClass { class }).map_err(explain)?;
                }
                _ => break attempt,
            }
        };
        self.finished(source, columns, attempt)
    }

    /// What is known of a model when its columns are known: prior, classifier, measures of held-out rows.
    fn finished<S: Source>(
        &self,
        source: &S,
        columns: Columns,
        attempt: Attempt,
    ) -> Result<Trained, S::Error> {
        let Attempt { model, n_rows, tuned, copies, mut warnings, strongest, refined, folds, plain } =
            attempt;
        let mut columns = columns;
        let explain = |error| source.explain(error, &columns.inferred.schema);
        if !self.allows_regression && are_measurements(model.stats().classes().map(String::as_str), n_rows) {
            let (label, n_classes) = (model.schema().label.clone(), model.stats().classes().count());
            return Err(explain(TrainerError::Regression { label, n_classes, n_rows }));
        }
        let prior = self.prior.over(model.stats().classes()).map_err(|error| explain(error.into()))?;
        let mut model = model.with_prior(prior).map_err(|error| explain(error.into()))?;
        if let Err(error) = model.classifier() {
            return Err(explain(TrainerError::unfitted(&model, false, error)));
        }
        let folds = match folds {
            Some(folds) => Some(of_folds(source, &columns, folds, &self.prior)?),
            None => None,
        };
        if let Some(Ok(of_folds)) = &folds
            && of_folds.measures.log_loss.is_finite()
        {
            let held_out = model.with_held_out(Some(of_folds.measures));
            model = held_out.map_err(|error| explain(error.into()))?;
        }
        add_groups(&mut warnings, groups_left_out(source, &columns));
        warnings.extend(alike_labels(model.stats().classes()));
        // Sums of all rows may have categories that a sample does not have.
        for (inference, column) in columns.inferred.columns.iter_mut().zip(&model.schema().columns) {
            if inference.kind != column.kind {
                inference.kind = column.kind.clone();
            }
        }
        let date_orders = columns.inferred.date_orders();
        if !date_orders.is_empty() {
            let reading = model.reading().clone().with_date_orders(date_orders);
            model = model.with_reading(reading);
        }
        let n_held_out = refined.map_or(n_rows, |refined| refined.n_rows);
        let explains = |warning: &Warning| matches!(warning, Warning::DeterminesLabel { .. });
        if let Some(measures) = model.held_out()
            && copies.is_empty()
            && !warnings.iter().any(explains)
            && is_nearly_perfect(measures, n_held_out)
        {
            warnings.push(Warning::NearlyPerfect { accuracy: measures.accuracy, strongest });
        }
        Ok(Trained { model, n_rows, columns, copies, warnings, tuned, refined, plain, folds })
    }

    /// The columns with the weighting of terms, and with [`Effort::Best`] the n-grams, that are best on
    /// held-out rows.
    fn with_best_text<S: Source>(&self, source: &S, columns: Columns) -> Result<Columns, S::Error> {
        let Ok(learners) = self.learners(&columns) else { return Ok(columns) };
        if self.text_is_given || columns.texts().next().is_none() {
            return Ok(columns);
        }
        let mut best: Option<(f64, Columns)> = None;
        for text in self.texts() {
            let overrides = self.overrides.clone().with_default_text(text);
            let columns = Columns::look(source, columns.choices.clone(), &overrides)?;
            let schema = columns.inferred.schema.clone();
            let columns = columns.without_useless().map_err(|error| source.explain(error, &schema))?;
            let Ok(learnt) = self.learn_from_sample(source, &columns, &learners[..1])? else { continue };
            let loss = learnt.best.refinement.held_out.log_loss;
            if best.as_ref().is_none_or(|(least, _)| loss < *least) {
                best = Some((loss, columns));
            }
        }
        Ok(best.map_or(columns, |(_, best)| best))
    }

    /// The weightings of terms to try: counts, and the logarithms of counts divided by the length of the
    /// text, without and with inverse document frequencies (Rennie, Shih, Teevan and Karger 2003,
    /// *Tackling the poor assumptions of naive Bayes text classifiers*).
    fn texts(&self) -> Vec<TextOptions> {
        let given = &self.overrides.text;
        let weighted = given.clone().with_log_term_frequency(true).with_normalize_length(true);
        let inverse = weighted.clone().with_inverse_document_frequency(true);
        let mut all = vec![given.clone(), weighted, inverse];
        if self.effort == Effort::Best && !self.n_grams_are_given {
            let with_pairs =
                |text: &TextOptions| text.clone().with_tokens(text.tokens.clone().with_n_grams(1..=2));
            all.extend(all.iter().map(with_pairs).collect::<Vec<_>>());
        }
        all
    }
}

/// Whether the different labels of some rows look like what regression is for: they are numbers, more than 50
/// of them, and have decimals or are more than half as many as there are rows.
///
/// ```
/// let prices: Vec<String> = (0..60).map(|price| format!("{price}.5")).collect();
/// assert!(nb_train::are_measurements(prices.iter().map(String::as_str), 1000));
/// assert!(!nb_train::are_measurements(["1.5", "2.5"].into_iter(), 1000));
/// ```
pub fn are_measurements<'a>(classes: impl Iterator<Item = &'a str>, n_rows: usize) -> bool {
    const MOST: usize = 50;
    let classes: Vec<&str> = classes.collect();
    let n_classes = classes.len();
    if n_classes <= MOST {
        return false;
    }
    let numbers = classes.into_iter().map(|label| label.trim().parse::<f64>().ok());
    let Some(numbers) = numbers.collect::<Option<Vec<f64>>>() else { return false };
    numbers.iter().any(|number| number.fract() != 0.0) || 2 * n_classes > n_rows
}

#[cfg(test)]
mod tests;
