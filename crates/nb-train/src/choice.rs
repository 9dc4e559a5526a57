//! What becomes of a column: as the caller says, else as its cells suggest.

use std::{
    collections::{BTreeMap, BTreeSet},
    str::FromStr,
    sync::LazyLock,
};

use nb_core::description::{Columns as FamilyColumns, Description};
use nb_io::{
    DateParts, Kind,
    read::{Inference, Inferred, KindChoice, Overrides},
};

use crate::{Trends, registry::descriptions};

/// What becomes of a column.
///
/// ```
/// use nb_train::Choice;
///
/// assert_eq!("zero-inflated-gaussian".parse(), Ok(Choice::Family("zero_inflated_gaussian")));
/// assert_eq!("text".parse(), Ok(Choice::Text));
/// assert_eq!(Choice::CATEGORICAL.name(), "categorical");
/// assert!("gausian".parse::<Choice>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Choice {
    /// It gets the family of this name, one of [`families`](crate::families).
    Family(&'static str),
    /// Free text: counts of its words.
    Text,
    /// Dates: each of their parts is a feature.
    Date,
    /// Left out.
    Ignore,
}

/// There is no [`Choice`] of a name.
///
/// ```
/// use nb_train::Choice;
///
/// let error = "gausian".parse::<Choice>().unwrap_err().to_string();
/// assert!(error.starts_with("there is no family \"gausian\"; there are: gaussian, "), "{error}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no family {name:?}; there are: {}", Choice::all().map(Choice::name).collect::<Vec<_>>().join(", "))]
pub struct UnknownChoice {
    /// The name.
    pub name: String,
}

/// Every choice, in the order of help.
static ALL: LazyLock<Vec<Choice>> = LazyLock::new(|| {
    let families = descriptions().map(|description| Choice::Family(description.name));
    families.chain([Choice::Text, Choice::Date, Choice::Ignore]).collect()
});

impl FromStr for Choice {
    type Err = UnknownChoice;

    /// The choice of this name, with underscores or hyphens.
    fn from_str(name: &str) -> Result<Self, UnknownChoice> {
        let written = name.replace('_', "-");
        Self::all().find(|choice| choice.name() == written).ok_or_else(|| UnknownChoice { name: name.into() })
    }
}

impl Choice {
    /// Normal distributions, of numbers.
    ///
    /// ```
    /// assert_eq!(nb_train::Choice::GAUSSIAN.name(), "gaussian");
    /// ```
    pub const GAUSSIAN: Self = Self::Family("gaussian");
    /// Categories.
    ///
    /// ```
    /// assert_eq!(nb_train::Choice::CATEGORICAL.name(), "categorical");
    /// ```
    pub const CATEGORICAL: Self = Self::Family("categorical");
    /// Counts of events.
    ///
    /// ```
    /// assert_eq!(nb_train::Choice::POISSON.name(), "poisson");
    /// ```
    pub const POISSON: Self = Self::Family("poisson");
    /// Whether something is there: 0 or 1.
    ///
    /// ```
    /// assert_eq!(nb_train::Choice::BERNOULLI.name(), "bernoulli");
    /// ```
    pub const BERNOULLI: Self = Self::Family("bernoulli");
    /// Counts of which only their shares matter.
    ///
    /// ```
    /// assert_eq!(nb_train::Choice::MULTINOMIAL.name(), "multinomial");
    /// ```
    pub const MULTINOMIAL: Self = Self::Family("multinomial");
    /// The same, scored by the counts of the other classes.
    ///
    /// ```
    /// assert_eq!(nb_train::Choice::COMPLEMENT.name(), "complement");
    /// ```
    pub const COMPLEMENT: Self = Self::Family("complement");

    /// Every choice: families in their order, then text, date and ignore.
    ///
    /// ```
    /// use nb_train::Choice;
    ///
    /// assert_eq!(Choice::all().next_back(), Some(Choice::Ignore));
    /// ```
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        ALL.iter().copied()
    }

    /// The name that options and schema files have for it, with hyphens.
    ///
    /// ```
    /// assert_eq!(nb_train::Choice::Family("shared_gaussian").name(), "shared-gaussian");
    /// ```
    pub fn name(self) -> String {
        match self {
            Self::Family(name) => name.replace('_', "-"),
            Self::Text => "text".into(),
            Self::Date => "date".into(),
            Self::Ignore => "ignore".into(),
        }
    }

    /// The description of its family, if it is one.
    ///
    /// ```
    /// use nb_train::Choice;
    ///
    /// assert_eq!(Choice::POISSON.description().map(|family| family.name), Some("poisson"));
    /// assert!(Choice::Ignore.description().is_none());
    /// ```
    pub fn description(self) -> Option<Description> {
        let Self::Family(name) = self else { return None };
        descriptions().find(|description| description.name == name)
    }

    /// Whether its family has something that is learnt from rows before these are summed.
    ///
    /// ```
    /// use nb_train::Choice;
    ///
    /// assert!(Choice::Family("kernel").is_learnt() && !Choice::GAUSSIAN.is_learnt());
    /// ```
    pub fn is_learnt(self) -> bool {
        self.description().is_some_and(|description| description.is_learnt)
    }

    /// Whether its family takes numbers and categories alike.
    ///
    /// ```
    /// use nb_train::Choice;
    ///
    /// assert!(Choice::Family("tan").is_mixed() && !Choice::CATEGORICAL.is_mixed());
    /// ```
    pub fn is_mixed(self) -> bool {
        self.description().is_some_and(|description| description.columns == FamilyColumns::Mixed)
    }

    /// Whether its family takes categories and nothing else.
    fn is_of_categories(self) -> bool {
        self.description().is_some_and(|description| description.columns == FamilyColumns::Categories)
    }

    /// How the cells are read; `None` if that is left to the reader, or the column is left out.
    fn kind(self) -> Option<KindChoice> {
        if self == Self::Text {
            return Some(KindChoice::Text);
        }
        if self == Self::Date {
            return Some(KindChoice::Dates);
        }
        Some(match self.description()?.columns {
            // Their sums are those of any numbers from 0, such as tf-idf.
            FamilyColumns::Counts if [Self::MULTINOMIAL, Self::COMPLEMENT].contains(&self) => {
                KindChoice::NonNegative
            }
            FamilyColumns::Real => KindChoice::Numeric,
            FamilyColumns::Counts => KindChoice::Count,
            FamilyColumns::Categories => KindChoice::Categorical,
            FamilyColumns::Mixed => return None,
        })
    }
}

/// The choices for the columns of a table: some by name, one for all others, and where there is none, what
/// the cells suggest.
///
/// ```
/// use nb_io::read::{Csv, Overrides};
/// use nb_train::{Choice, Choices};
///
/// let rows: String = (0..30).map(|row| format!("{},{},u\n", row % 2, row % 7)).collect();
/// let file = format!("flag,visits,class\n{rows}");
/// let choices = Choices::default().with("visits", Choice::POISSON);
/// let overrides = choices.overrides(&Overrides::default());
/// let inferred = Csv::default().infer_from(|| Ok(file.as_bytes()), "rows.csv", "class", &overrides)?;
/// assert_eq!(choices.of_all(&inferred), [Choice::BERNOULLI, Choice::POISSON]);
/// # Ok::<(), nb_io::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Choices {
    /// The choices for single columns.
    pub by_name: BTreeMap<String, Choice>,
    /// The family of all other columns; families of numbers leave columns of text alone.
    pub rest: Option<Choice>,
    /// The features of columns of dates, if they are chosen.
    pub date_parts: Option<DateParts>,
    /// The columns with monotone effects, which are read as numbers.
    pub trends: Trends,
}

impl Choices {
    /// The same with the choice for one more column.
    ///
    /// ```
    /// use nb_train::{Choice, Choices};
    ///
    /// assert!(Choices::default().with("zip", Choice::CATEGORICAL).has("zip"));
    /// ```
    #[must_use]
    pub fn with(mut self, column: &str, choice: Choice) -> Self {
        self.by_name.insert(column.into(), choice);
        self
    }

    /// The same with a family for all other columns.
    ///
    /// ```
    /// use nb_train::{Choice, Choices};
    ///
    /// assert!(Choices::default().with_rest(Choice::Family("tan")).has_one_family());
    /// ```
    #[must_use]
    pub fn with_rest(self, rest: Choice) -> Self {
        Self { rest: Some(rest), ..self }
    }

    /// The same with columns whose effects are monotone.
    ///
    /// ```
    /// use nb_train::{Choices, Trend, Trends};
    ///
    /// let trends = Trends::default().with("dose", Trend::Increasing);
    /// assert!(!Choices::default().with_trends(trends).trends.is_empty());
    /// ```
    #[must_use]
    pub fn with_trends(self, trends: Trends) -> Self {
        Self { trends, ..self }
    }

    /// What a reader has to know before it looks at the columns: these overrides, and the choices.
    ///
    /// ```
    /// use nb_io::read::{KindChoice, Overrides};
    /// use nb_train::{Choice, Choices};
    ///
    /// let choices = Choices::default().with("zip", Choice::CATEGORICAL).with("id", Choice::Ignore);
    /// let overrides = choices.overrides(&Overrides::default());
    /// assert_eq!(overrides.kinds["zip"], KindChoice::Categorical);
    /// assert!(overrides.ignore.contains("id"));
    /// ```
    pub fn overrides(&self, base: &Overrides) -> Overrides {
        let mut overrides = base.clone();
        if let Some(parts) = self.date_parts {
            overrides = overrides.with_dates(parts);
        }
        for (column, choice) in &self.by_name {
            match choice.kind() {
                Some(kind) => drop(overrides.kinds.insert(column.clone(), kind)),
                None if *choice == Choice::Ignore => drop(overrides.ignore.insert(column.clone())),
                None => {}
            }
        }
        for column in self.trends.columns() {
            overrides.kinds.entry(column.into()).or_insert(KindChoice::Numeric);
        }
        overrides
    }

    /// The choice for a column whose cells were looked at.
    ///
    /// ```
    /// use nb_io::{Kind, read::{Inference, Reason}};
    /// use nb_train::{Choice, Choices};
    ///
    /// let (kind, reason) = (Kind::Numeric, Reason::AllNumbers);
    /// let column = Inference { column: "x".into(), kind, reason, few_values: vec![0.0, 1.0] };
    /// assert_eq!(Choices::default().of(&column), Choice::BERNOULLI);
    /// assert_eq!(Choices::default().with_rest(Choice::GAUSSIAN).of(&column), Choice::GAUSSIAN);
    /// ```
    pub fn of(&self, inference: &Inference) -> Choice {
        if let Some(choice) = self.by_name.get(&inference.column) {
            return *choice;
        }
        match (&inference.kind, self.rest) {
            // Of formats whose columns are all read.
            (_, Some(Choice::Ignore)) => Choice::Ignore,
            (Kind::Text(_), _) => Choice::Text,
            (Kind::Dates(_), _) => Choice::Date,
            (_, Some(rest)) if rest.is_mixed() => rest,
            (Kind::Categorical { .. }, Some(rest)) if rest.is_of_categories() => rest,
            (Kind::Categorical { .. }, _) => Choice::CATEGORICAL,
            (Kind::Count, _) => Choice::MULTINOMIAL,
            _ => {
                self.rest.unwrap_or(if inference.is_binary() { Choice::BERNOULLI } else { Choice::GAUSSIAN })
            }
        }
    }

    /// The choices for all columns, in order.
    ///
    /// ```
    /// use nb_io::{Schema, read::Inferred};
    ///
    /// let inferred = Inferred::new(Schema::numeric(["x"], "class"), Vec::new(), 0);
    /// assert!(nb_train::Choices::default().of_all(&inferred).is_empty()); // nothing is known of its columns
    /// ```
    pub fn of_all(&self, inferred: &Inferred) -> Vec<Choice> {
        inferred.columns.iter().map(|inference| self.of(inference)).collect()
    }

    /// Whether the caller has chosen what becomes of this column.
    ///
    /// ```
    /// assert!(!nb_train::Choices::default().has("x"));
    /// ```
    pub fn has(&self, column: &str) -> bool {
        self.by_name.contains_key(column)
    }

    /// The columns that are left out, in the order of their names.
    ///
    /// ```
    /// use nb_train::{Choice, Choices};
    ///
    /// let choices = Choices::default().with("id", Choice::Ignore).with("zip", Choice::CATEGORICAL);
    /// assert_eq!(choices.ignored().collect::<Vec<_>>(), ["id"]);
    /// ```
    pub fn ignored(&self) -> impl Iterator<Item = &str> {
        let ignored = self.by_name.iter().filter(|(_, choice)| **choice == Choice::Ignore);
        ignored.map(|(column, _)| column.as_str())
    }

    /// Whether the caller has chosen a family for all columns.
    ///
    /// ```
    /// assert!(!nb_train::Choices::default().has_one_family());
    /// ```
    pub fn has_one_family(&self) -> bool {
        self.rest.is_some()
    }

    /// Whether the caller has chosen another family for a column than it has by default, and not only what
    /// its cells are.
    pub(crate) fn is_of_family(&self, inference: &Inference) -> bool {
        let kinds = [Choice::GAUSSIAN, Choice::CATEGORICAL, Choice::Text, Choice::Date, Choice::Ignore];
        let (choice, all) = (self.of(inference), self.rest.is_some_and(|rest| rest != Choice::Ignore));
        all || (!kinds.contains(&choice) && choice != Self::default().of(inference))
    }

    /// A column that is not there, of a choice that says nothing of how its cells are read: readers find the
    /// others.
    pub(crate) fn not_found(&self, inferred: &Inferred) -> Option<(String, Choice)> {
        let is_known = |column: &String| inferred.columns.iter().any(|inference| inference.column == *column);
        let mut mixed = self.by_name.iter().filter(|(_, choice)| choice.is_mixed());
        let (column, choice) = mixed.find(|(column, _)| !is_known(column))?;
        Some((column.clone(), *choice))
    }

    /// Names the columns that the choice for all others changes: to be read as categories or texts, or to be
    /// left out.
    pub(crate) fn name_others(&mut self, inferred: &Inferred) {
        let Some(rest) = self.rest else { return };
        let others = inferred.columns.iter().filter(|inference| {
            let is_read_as_such = match (rest, &inference.kind) {
                (Choice::Ignore, _) => false,
                (Choice::Text, kind) => matches!(kind, Kind::Text(_)),
                (rest, kind) if rest.is_of_categories() => matches!(kind, Kind::Categorical { .. }),
                _ => true,
            };
            !is_read_as_such && !self.by_name.contains_key(&inference.column)
        });
        let names: BTreeSet<String> = others.map(|inference| inference.column.clone()).collect();
        self.by_name.extend(names.into_iter().map(|name| (name, rest)));
    }

    /// Columns of numbers that look like categories, to be read as such.
    pub(crate) fn likely_categories(&self, inferred: &Inferred) -> Vec<String> {
        if self.rest.is_some() {
            return Vec::new();
        }
        let likely = inferred.likely_categories().map(|inference| &inference.column);
        likely.filter(|column| !self.by_name.contains_key(*column)).cloned().collect()
    }
}
