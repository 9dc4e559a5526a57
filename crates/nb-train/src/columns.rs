//! Which columns are used, and as what.

use std::collections::HashSet;

use nb_io::read::{Inference, Inferred, KindChoice, Overrides, Reason};

use crate::{Choice, Choices, Source, TrainerError};

/// What is known of the columns of a table, and what becomes of them.
///
/// ```
/// use nb_train::{Choices, Columns, MemoryTable};
/// use ndarray::array;
///
/// let schema = nb_io::Schema::numeric(["same", "x"], "class");
/// let labels = ["a", "b"].map(String::from);
/// let rows = array![[1.0, 2.5], [1.0, 3.5]];
/// let table = MemoryTable::new(&schema, &rows, &labels)?;
/// let columns = Columns::look(&table, Choices::default(), &Default::default())?.without_useless()?;
/// assert_eq!(columns.inferred.schema.columns.len(), 1);
/// assert_eq!(columns.left_out[0].reason.to_string(), "all values are 1");
/// # Ok::<(), nb_train::TrainerError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Columns {
    /// The columns that are used, and why they are what they are.
    pub inferred: Inferred,
    /// The columns that are left out, and why.
    pub left_out: Vec<Inference>,
    /// What the caller has chosen.
    pub choices: Choices,
}

impl Columns {
    /// The first column for which the caller has chosen another family than it has by default, which makes a
    /// plain model; none if what was chosen says at most what cells are.
    ///
    /// ```
    /// use nb_train::{Choice, Choices, Columns, MemoryTable};
    ///
    /// let schema = nb_io::Schema::numeric(["x"], "class");
    /// let (rows, labels) = (ndarray::array![[1.5], [2.5], [7.5]], ["a", "a", "b"]);
    /// let table = MemoryTable::new(&schema, &rows, &labels)?;
    /// let column = |choice| {
    ///     let columns = Columns::look(&table, Choices::default().with("x", choice), &Default::default())?;
    ///     Ok::<_, nb_train::TrainerError>(columns.column_of_family().map(str::to_owned))
    /// };
    /// assert_eq!(column(Choice::GAUSSIAN)?, None); // its cells are numbers
    /// assert_eq!(column(Choice::POISSON)?.as_deref(), Some("x"));
    /// # Ok::<(), nb_train::TrainerError>(())
    /// ```
    pub fn column_of_family(&self) -> Option<&str> {
        let mut columns = self.inferred.columns.iter();
        columns.find(|inference| self.choices.is_of_family(inference)).map(|found| found.column.as_str())
    }

    /// Looks at all columns. Columns of a few different whole numbers are categories, unless the caller has
    /// chosen what they are.
    ///
    /// ```
    /// let schema = nb_io::Schema::numeric(["x"], "class");
    /// let (rows, labels) = (ndarray::array![[1.5], [2.5], [7.5]], ["a", "a", "b"]);
    /// let table = nb_train::MemoryTable::new(&schema, &rows, &labels)?;
    /// let columns = nb_train::Columns::look(&table, Default::default(), &Default::default())?;
    /// assert_eq!(columns.inferred.n_rows, 3);
    /// # Ok::<(), nb_train::TrainerError>(())
    /// ```
    ///
    /// # Errors
    /// If the table cannot be read, or a column that the caller has named is not there.
    pub fn look<S: Source>(source: &S, mut choices: Choices, base: &Overrides) -> Result<Self, S::Error> {
        let mut overrides = choices.overrides(base);
        let mut inferred = source.infer(&overrides)?;
        if let Some((column, choice)) = choices.not_found(&inferred) {
            return Err(source.explain(TrainerError::NotFound { column, choice }, &inferred.schema));
        }
        choices.name_others(&inferred);
        let named = choices.overrides(base);
        if named != overrides {
            overrides = named;
            inferred = source.infer(&overrides)?;
        }
        let mut likely = choices.likely_categories(&inferred);
        likely.retain(|column| !overrides.kinds.contains_key(column));
        if !likely.is_empty() {
            let numbers = inferred;
            let with = |all: Overrides, column: &String| all.with(column, KindChoice::Categorical);
            inferred = source.infer(&likely.iter().fold(overrides, with))?;
            for (column, before) in inferred.columns.iter_mut().zip(&numbers.columns) {
                if column.kind != before.kind && column.reason == Reason::Override {
                    column.reason = before.reason.clone();
                    column.few_values.clone_from(&before.few_values);
                }
            }
        }
        Ok(Self { inferred, left_out: Vec::new(), choices })
    }

    /// The same without the columns from which nothing can be learnt, unless the caller has chosen their
    /// family.
    ///
    /// ```
    /// let schema = nb_io::Schema::numeric(["x"], "class");
    /// let (rows, labels) = (ndarray::array![[1.5], [2.5], [7.5]], ["a", "a", "b"]);
    /// let table = nb_train::MemoryTable::new(&schema, &rows, &labels)?;
    /// let columns = nb_train::Columns::look(&table, Default::default(), &Default::default())?;
    /// assert!(columns.without_useless()?.left_out.is_empty());
    /// # Ok::<(), nb_train::TrainerError>(())
    /// ```
    ///
    /// # Errors
    /// [`TrainerError::NoColumns`] if none is left.
    pub fn without_useless(mut self) -> Result<Self, TrainerError> {
        let all = std::mem::take(&mut self.inferred.columns).into_iter();
        let (left_out, kept): (Vec<_>, Vec<_>) = all.partition(|column| self.is_useless(column));
        if let (Some(first), []) = (left_out.first(), &kept[..]) {
            return Err(self.none_left(first.clone()));
        }
        let names: HashSet<&str> = kept.iter().map(|column| column.column.as_str()).collect();
        self.inferred.schema.columns.retain(|column| names.contains(column.name.as_str()));
        (self.inferred.columns, self.left_out) = (kept, left_out);
        Ok(self)
    }

    /// Whether a column is left out for what it holds.
    ///
    /// ```
    /// use nb_io::{Kind, read::{Inference, Reason}};
    /// use nb_train::{Choice, Choices, Columns, MemoryTable};
    ///
    /// let schema = nb_io::Schema::numeric(["x"], "class");
    /// let (rows, labels) = (ndarray::array![[1.0]], ["a".to_owned()]);
    /// let table = MemoryTable::new(&schema, &rows, &labels)?;
    /// let columns = Columns::look(&table, Choices::default(), &Default::default())?;
    /// assert!(columns.is_useless(&columns.inferred.columns[0])); // one value
    /// let choices = Choices::default().with_rest(Choice::GAUSSIAN);
    /// let columns = Columns::look(&table, choices, &Default::default())?;
    /// assert!(!columns.is_useless(&columns.inferred.columns[0])); // the caller wants it
    /// # Ok::<(), nb_train::TrainerError>(())
    /// ```
    pub fn is_useless(&self, column: &Inference) -> bool {
        match column.reason {
            Reason::AllMissing
            | Reason::RowNumbers
            | Reason::Dates
            | Reason::WrittenDates(_)
            | Reason::TooManyCategories { .. }
            | Reason::NoFeature { .. } => true,
            _ => !self.choices.has_one_family() && column.reason.is_useless(),
        }
    }

    /// Whether a column that repeats the label is left out: unless the caller has chosen a family for it.
    ///
    /// ```
    /// use nb_train::{Choice, Choices, Columns, MemoryTable};
    ///
    /// let schema = nb_io::Schema::numeric(["x", "copy"], "class");
    /// let (rows, labels) = (ndarray::array![[1.5, 0.0], [2.5, 1.0]], ["a", "b"].map(String::from));
    /// let table = MemoryTable::new(&schema, &rows, &labels)?;
    /// let choices = Choices::default().with("copy", Choice::BERNOULLI);
    /// let columns = Columns::look(&table, choices, &Default::default())?;
    /// assert!(!columns.leaves_out_copy("copy") && columns.leaves_out_copy("x"));
    /// # Ok::<(), nb_train::TrainerError>(())
    /// ```
    pub fn leaves_out_copy(&self, column: &str) -> bool {
        !self.choices.has(column) && !self.choices.has_one_family()
    }

    /// The choices for the columns that are used, in order.
    ///
    /// ```
    /// # use nb_train::{Choice, Choices, Columns, MemoryTable};
    /// # let schema = nb_io::Schema::numeric(["x"], "class");
    /// # let (rows, labels) = (ndarray::array![[1.5], [2.5]], ["a", "b"].map(String::from));
    /// # let table = MemoryTable::new(&schema, &rows, &labels)?;
    /// let columns = Columns::look(&table, Choices::default(), &Default::default())?;
    /// assert_eq!(columns.chosen(), [Choice::GAUSSIAN]);
    /// # Ok::<(), nb_train::TrainerError>(())
    /// ```
    pub fn chosen(&self) -> Vec<Choice> {
        self.choices.of_all(&self.inferred)
    }

    /// The same without a column, for a reason that was found while rows were learnt from.
    ///
    /// ```
    /// use nb_io::read::Reason;
    /// # use nb_train::{Choices, Columns, MemoryTable};
    /// # let schema = nb_io::Schema::numeric(["x", "y"], "class");
    /// # let (rows, labels) = (ndarray::array![[1.5, 2.0], [2.5, 1.0]], ["a", "b"].map(String::from));
    /// # let table = MemoryTable::new(&schema, &rows, &labels)?;
    /// let columns = Columns::look(&table, Choices::default(), &Default::default())?;
    /// let columns = columns.without("x", Reason::NoValuesInClass { class: "b".into() })?;
    /// assert_eq!(columns.left_out[0].column, "x");
    /// assert!(columns.without("y", Reason::DuplicatesLabel).is_err()); // none would be left
    /// # Ok::<(), nb_train::TrainerError>(())
    /// ```
    ///
    /// # Errors
    /// [`TrainerError::NoColumns`] if it is the only one.
    pub fn without(mut self, column: &str, reason: Reason) -> Result<Self, TrainerError> {
        if let [only] = self.inferred.columns.as_slice() {
            return Err(self.none_left(Inference { reason, ..only.clone() }));
        }
        self.inferred.schema.columns.retain(|kept| kept.name != column);
        if let Some(place) = self.inferred.columns.iter().position(|kept| kept.column == column) {
            let inference = self.inferred.columns.remove(place);
            self.left_out.push(Inference { reason, ..inference });
        }
        Ok(self)
    }

    fn none_left(&self, column: Inference) -> TrainerError {
        let choice = self.choices.of(&column);
        TrainerError::NoColumns { column: Box::new(column), choice }
    }

    /// The columns of texts.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &Inference> {
        self.inferred.columns.iter().filter(|column| self.choices.of(column) == Choice::Text)
    }
}
