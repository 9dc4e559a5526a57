//! Schemas: what the columns of a model are called and mean.

mod category;
mod date_order;
mod dates;
mod encode;
mod error;
mod nearest;

use std::{collections::BTreeMap, ops::Range};

use crate::{
    read::SparseTable,
    text::{Terms, Text, Weighting},
};

pub use category::category_name;
pub use date_order::{DateOrder, UnknownDateOrder};
pub use dates::{DatePart, DateParts, UnknownDatePart};
pub use encode::{EncodeError, Value};
pub use error::SchemaError;
pub(crate) use nearest::nearest;

/// The columns of a table, in order, and the column that holds the label.
///
/// Most columns of a table are columns of the model, its *features*. A column of texts is as many features as
/// it has terms, and a column of dates as many as it has parts.
///
/// ```
/// use nb_table::text::{Text, TextOptions};
/// use nb_table::{Column, Kind, Schema};
///
/// let text = Text::learn(&["free prize", "see you"], &TextOptions::default())?;
/// let mut schema = Schema::numeric(["length"], "label");
/// schema.columns.push(Column { name: "message".into(), kind: Kind::Text(text.into()) });
/// assert_eq!(schema.n_features(), 5);
/// assert_eq!(schema.feature_range(1), 1..5);
/// assert_eq!(schema.feature_name(1).as_deref(), Some("message: free"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    /// One per column of the table.
    pub columns: Vec<Column>,
    /// The name of the label column.
    pub label: String,
}

/// A column: its name and what its cells mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The name, unique in the schema.
    pub name: String,
    /// What the cells mean.
    pub kind: Kind,
}

/// A column of the model: a column of the table, a term of its texts, or a part of its dates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feature<'a> {
    /// The position of the column in the table.
    pub position: usize,
    /// The column of the table.
    pub column: &'a Column,
    /// If it has texts or dates: the place of the term or part.
    pub term: Option<usize>,
}

/// What the cells of a column mean.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A real number.
    Numeric,
    /// A count.
    Count,
    /// The position of a category in this list of distinct names.
    Categorical {
        /// The names of the categories: category 0, category 1, and so on.
        levels: Vec<String>,
    },
    /// A text, of whose terms each is a column of the model. It is large, and there may be a hundred thousand
    /// columns of other kinds.
    Text(Box<Text>),
    /// A date, of which each part is a column of the model.
    Dates(DateParts),
}

impl Schema {
    /// A schema of real numbers.
    ///
    /// ```
    /// let schema = nb_table::Schema::numeric(["length", "width"], "species");
    /// assert_eq!((schema.n_features(), schema.label.as_str()), (2, "species"));
    /// ```
    pub fn numeric<'a>(names: impl IntoIterator<Item = &'a str>, label: &str) -> Self {
        let columns = names.into_iter().map(|name| Column { name: name.into(), kind: Kind::Numeric });
        Self { columns: columns.collect(), label: label.into() }
    }

    /// A schema of real numbers called `x1`, `x2`, and so on.
    ///
    /// ```
    /// assert_eq!(nb_table::Schema::numbered(3, "y"), nb_table::Schema::numeric(["x1", "x2", "x3"], "y"));
    /// ```
    pub fn numbered(n_columns: usize, label: &str) -> Self {
        let columns = (1..=n_columns).map(|place| Column { name: format!("x{place}"), kind: Kind::Numeric });
        Self { columns: columns.collect(), label: label.into() }
    }

    /// Refuses a schema without columns or with a duplicate name.
    ///
    /// ```
    /// let schema = nb_table::Schema::numeric(["length", "length"], "species");
    /// assert!(schema.check().is_err());
    /// ```
    ///
    /// # Errors
    /// [`SchemaError`] names the first thing that is wrong.
    pub fn check(&self) -> Result<(), SchemaError> {
        if self.columns.is_empty() {
            return Err(SchemaError::NoColumns);
        }
        if let Some(name) = first_duplicate(self.columns.iter().map(|column| column.name.as_str())) {
            return Err(SchemaError::DuplicateName { name: name.into() });
        }
        if self.columns.iter().any(|column| column.name == self.label) {
            return Err(SchemaError::DuplicateName { name: self.label.clone() });
        }
        for Column { name, kind } in &self.columns {
            match kind {
                Kind::Categorical { levels } => {
                    if let Some(level) = first_duplicate(levels.iter().map(String::as_str)) {
                        return Err(SchemaError::DuplicateLevel {
                            column: name.clone(),
                            level: level.into(),
                        });
                    }
                }
                Kind::Text(text) => {
                    text.check().map_err(|error| SchemaError::Text { column: name.clone(), error })?;
                }
                Kind::Dates(parts) if parts.is_empty() => {
                    return Err(SchemaError::NoParts { column: name.clone() });
                }
                Kind::Numeric | Kind::Count | Kind::Dates(_) => {}
            }
        }
        Ok(())
    }

    /// The number of features: of columns of the model.
    ///
    /// ```
    /// # use nb_table::{Column, Kind, Schema, Text};
    /// # let mut schema = Schema::numeric(["length"], "label");
    /// # schema.columns.push(Column { name: "message".into(), kind: Kind::Text(Text::hashed(16).into()) });
    /// assert_eq!(schema.n_features(), 1 + 16);
    /// ```
    pub fn n_features(&self) -> usize {
        self.columns.iter().map(Column::n_features).sum()
    }

    /// The features, in order.
    ///
    /// ```
    /// # use nb_table::{Column, Kind, Schema, Text};
    /// # let mut schema = Schema::numeric(["length"], "label");
    /// # schema.columns.push(Column { name: "message".into(), kind: Kind::Text(Text::hashed(16).into()) });
    /// let features: Vec<_> = schema.features().collect();
    /// assert_eq!((features[0].term, features[1].term), (None, Some(0)));
    /// ```
    pub fn features(&self) -> impl Iterator<Item = Feature<'_>> {
        self.columns.iter().enumerate().flat_map(|(position, column)| {
            let is_one = column.is_one_feature();
            (0..column.n_features()).map(move |term| Feature {
                position,
                column,
                term: (!is_one).then_some(term),
            })
        })
    }

    /// The feature at a position; nothing if there are fewer.
    ///
    /// ```
    /// # use nb_table::{Column, Kind, Schema, Text};
    /// # let mut schema = Schema::numeric(["length"], "label");
    /// # schema.columns.push(Column { name: "message".into(), kind: Kind::Text(Text::hashed(16).into()) });
    /// assert_eq!(schema.feature(3).unwrap().column.name, "message");
    /// assert_eq!(schema.feature(17), None);
    /// ```
    pub fn feature(&self, feature: usize) -> Option<Feature<'_>> {
        let mut rest = feature;
        for (position, column) in self.columns.iter().enumerate() {
            let n_features = column.n_features();
            if rest < n_features {
                let is_one = column.is_one_feature();
                return Some(Feature { position, column, term: (!is_one).then_some(rest) });
            }
            rest -= n_features;
        }
        None
    }

    /// The name of a feature: that of its column, or `message: free` for the term `free` of the column
    /// `message`, `message: #17` for bucket 17 of hashed terms, or `signup: month` for the month of the
    /// dates of the column `signup`.
    ///
    /// ```
    /// # use nb_table::{Column, Kind, Schema, Text};
    /// # let mut schema = Schema::numeric(["length"], "label");
    /// # schema.columns.push(Column { name: "message".into(), kind: Kind::Text(Text::hashed(16).into()) });
    /// assert_eq!(schema.feature_name(0).as_deref(), Some("length"));
    /// assert_eq!(schema.feature_name(3).as_deref(), Some("message: #2"));
    /// ```
    pub fn feature_name(&self, feature: usize) -> Option<String> {
        self.feature(feature).map(|feature| feature.name())
    }

    /// The name of what features add together: `a × b` for two columns, and the name of the column for the
    /// terms of a text, of which none is in a row.
    ///
    /// ```
    /// # use nb_table::{Column, Kind, Schema, Text};
    /// # let mut schema = Schema::numeric(["length", "width"], "label");
    /// # schema.columns.push(Column { name: "message".into(), kind: Kind::Text(Text::hashed(16).into()) });
    /// assert_eq!(schema.joint_name(&[0, 1]), "length × width");
    /// assert_eq!(schema.joint_name(&[2, 3]), "message"); // two of its terms
    /// ```
    pub fn joint_name(&self, features: &[usize]) -> String {
        if self.is_of_text(features) {
            let column = features.first().and_then(|&first| self.feature(first));
            return column.map(|feature| feature.column.name.clone()).unwrap_or_default();
        }
        let names = features.iter().map(|&feature| self.feature_name(feature).unwrap_or_default());
        names.collect::<Vec<_>>().join(" × ")
    }

    /// The cells of what features add together, in words: those of two columns, of which `cell` has one each,
    /// or that a text has no known word.
    ///
    /// ```
    /// # use nb_table::Schema;
    /// # let schema = Schema::numeric(["length", "width"], "label");
    /// let cell = |feature: usize| ["2.5", "missing"][feature].to_owned();
    /// assert_eq!(schema.joint_cells(&[0, 1], cell), "2.5, missing");
    /// ```
    pub fn joint_cells(&self, features: &[usize], cell: impl Fn(usize) -> String) -> String {
        if self.is_of_text(features) {
            return "no known word".into();
        }
        features.iter().map(|&feature| cell(feature)).collect::<Vec<_>>().join(", ")
    }

    /// Whether features are terms of a text.
    fn is_of_text(&self, features: &[usize]) -> bool {
        let first = features.first().and_then(|&first| self.feature(first));
        first.is_some_and(|feature| matches!(feature.kind(), Kind::Text(_)))
    }

    /// The features of each column, in order.
    ///
    /// ```
    /// # use nb_table::{Column, Kind, Schema, Text};
    /// # let mut schema = Schema::numeric(["length"], "label");
    /// # schema.columns.push(Column { name: "message".into(), kind: Kind::Text(Text::hashed(16).into()) });
    /// assert_eq!(schema.feature_ranges().collect::<Vec<_>>(), [0..1, 1..17]);
    /// ```
    pub fn feature_ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.columns.iter().scan(0, |end, column| {
            let start = *end;
            *end += column.n_features();
            Some(start..*end)
        })
    }

    /// The features of a column; empty if there is no such column. Looking all columns up one by one takes
    /// time quadratic in their number; [`feature_ranges`](Self::feature_ranges) does not.
    ///
    /// ```
    /// # use nb_table::{Column, Kind, Schema, Text};
    /// # let mut schema = Schema::numeric(["length"], "label");
    /// # schema.columns.push(Column { name: "message".into(), kind: Kind::Text(Text::hashed(16).into()) });
    /// assert_eq!((schema.feature_range(0), schema.feature_range(1)), (0..1, 1..17));
    /// ```
    pub fn feature_range(&self, position: usize) -> Range<usize> {
        let before = self.columns.iter().take(position);
        let start = before.map(Column::n_features).sum();
        start..start + self.columns.get(position).map_or(0, Column::n_features)
    }

    /// Whether there is a column of texts, so that readers of tables yield sparse rows.
    ///
    /// ```
    /// # use nb_table::{Column, Kind, Schema, Text};
    /// # let mut schema = Schema::numeric(["length"], "label");
    /// # schema.columns.push(Column { name: "message".into(), kind: Kind::Text(Text::hashed(16).into()) });
    /// assert!(schema.has_text());
    /// ```
    pub fn has_text(&self) -> bool {
        self.columns.iter().any(|column| matches!(column.kind, Kind::Text(_)))
    }

    /// Whether every column is one feature, so that the rows of a table have a cell for each column.
    #[cfg(any(feature = "csv", feature = "arrow"))]
    pub(crate) fn is_one_to_one(&self) -> bool {
        self.columns.iter().all(Column::is_one_feature)
    }

    /// A schema of one column of texts.
    ///
    /// ```
    /// use nb_table::{Schema, Text};
    ///
    /// let schema = Schema::of_text("message", Text::hashed(1 << 18), "label");
    /// assert_eq!(schema.n_features(), 1 << 18);
    /// ```
    pub fn of_text(column: &str, text: Text, label: &str) -> Self {
        let columns = vec![Column { name: column.into(), kind: Kind::Text(text.into()) }];
        Self { columns, label: label.into() }
    }

    /// The rows of some texts, `n_texts × n_features`, if the only column is one of texts. Terms that it does
    /// not know are left out.
    ///
    /// ```
    /// use nb_table::Schema;
    /// use nb_table::text::{Text, TextOptions};
    ///
    /// let text = Text::learn(&["win a prize", "see you", "you win, you win"], &TextOptions::default())?;
    /// let schema = Schema::of_text("message", text, "label");
    /// let counts = schema.count_terms(&["You! You win nothing"])?; // prize, see, win, you
    /// assert_eq!((counts.indices(), counts.values()), ([2, 3].as_slice(), [1.0, 2.0].as_slice()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SchemaError::NotOneText`] if there are other columns.
    pub fn count_terms<T: AsRef<str>>(&self, texts: &[T]) -> Result<SparseTable, SchemaError> {
        match &self.columns[..] {
            [Column { kind: Kind::Text(text), .. }] => Ok(text.count(texts)),
            _ => Err(SchemaError::NotOneText),
        }
    }

    /// The schema with the categories and terms of both, each column's in the order of their names: the same
    /// whichever side it is asked from.
    ///
    /// ```
    /// use nb_table::{Column, Kind, Schema};
    ///
    /// let schema = |levels: [&str; 2]| Schema {
    ///     columns: vec![Column { name: "colour".into(), kind: Kind::Categorical { levels: levels.map(String::from).into() } }],
    ///     label: "kind".into(),
    /// };
    /// assert_eq!(schema(["blue", "red"]).union(&schema(["green", "red"]))?.columns[0].kind, Kind::Categorical {
    ///     levels: ["blue", "green", "red"].map(String::from).into(),
    /// });
    /// # Ok::<(), nb_table::SchemaError>(())
    /// ```
    ///
    /// # Errors
    /// [`SchemaError`] says how the schemas differ: they must have the same columns, in the same order, and
    /// the same label, and make terms of texts in the same way.
    pub fn union(&self, other: &Self) -> Result<Self, SchemaError> {
        let describe = |column: Option<&Column>| match column {
            Some(Column { name, kind: Kind::Numeric }) => format!("{name}, numeric"),
            Some(Column { name, kind: Kind::Count }) => format!("{name}, a count"),
            Some(Column { name, kind: Kind::Categorical { .. } }) => format!("{name}, categorical"),
            Some(Column { name, kind: Kind::Text(_) }) => format!("{name}, text"),
            Some(Column { name, kind: Kind::Dates(parts) }) => format!("{name}, dates ({parts})"),
            None => "no column".into(),
        };
        let mut columns = Vec::with_capacity(self.columns.len());
        for position in 0..self.columns.len().max(other.columns.len()) {
            let (left, right) = (self.columns.get(position), other.columns.get(position));
            let mismatch =
                || SchemaError::Mismatch { position, left: describe(left), right: describe(right) };
            let (Some(a), Some(b)) = (left, right) else { return Err(mismatch()) };
            let kind = match (&a.kind, &b.kind) {
                (Kind::Categorical { levels }, Kind::Categorical { levels: others }) => {
                    let mut levels: Vec<String> = levels.iter().chain(others).cloned().collect();
                    levels.sort_unstable();
                    levels.dedup();
                    Kind::Categorical { levels }
                }
                (Kind::Text(text), Kind::Text(other)) if a.name == b.name => {
                    Kind::Text(union_of_texts(&a.name, text, other)?.into())
                }
                (kind, other) if kind == other => kind.clone(),
                _ => return Err(mismatch()),
            };
            if a.name != b.name {
                return Err(mismatch());
            }
            columns.push(Column { name: a.name.clone(), kind });
        }
        if self.label != other.label {
            let position = self.columns.len();
            let (left, right) = (format!("{}, the label", self.label), format!("{}, the label", other.label));
            return Err(SchemaError::Mismatch { position, left, right });
        }
        Ok(Self { columns, label: self.label.clone() })
    }
}

impl Column {
    /// How many columns of the model it is.
    ///
    /// ```
    /// # use nb_table::{Column, Kind, Schema, Text};
    /// # let mut schema = Schema::numeric(["length"], "label");
    /// # schema.columns.push(Column { name: "message".into(), kind: Kind::Text(Text::hashed(16).into()) });
    /// assert_eq!((schema.columns[0].n_features(), schema.columns[1].n_features()), (1, 16));
    /// ```
    pub fn n_features(&self) -> usize {
        match &self.kind {
            Kind::Text(text) => text.terms.len(),
            Kind::Dates(parts) => parts.len(),
            _ => 1,
        }
    }

    /// Whether it is one feature by its kind: not one for each term or part.
    fn is_one_feature(&self) -> bool {
        !matches!(self.kind, Kind::Text(_) | Kind::Dates(_))
    }
}

impl<'a> Feature<'a> {
    /// What the values of the feature mean: the kind of its column, or that of the part of its dates.
    ///
    /// ```
    /// use nb_table::{Column, DateParts, Kind, Schema};
    ///
    /// let kind = Kind::Dates(DateParts::default());
    /// let schema = Schema { columns: vec![Column { name: "signup".into(), kind }], label: "y".into() };
    /// let names: Vec<_> = schema.features().map(|feature| feature.name()).collect();
    /// assert_eq!(names, ["signup: month", "signup: weekday", "signup: hour", "signup: days"]);
    /// assert!(matches!(schema.feature(0).unwrap().kind(), Kind::Categorical { levels } if levels.len() == 12));
    /// assert_eq!(schema.feature(3).unwrap().kind(), &Kind::Numeric);
    /// ```
    pub fn kind(&self) -> &'a Kind {
        match (&self.column.kind, self.term) {
            (Kind::Dates(parts), Some(place)) => parts.get(place).map_or(&Kind::Numeric, DatePart::kind),
            (kind, _) => kind,
        }
    }

    /// The name of the column, and of the term or part behind it if there is one.
    ///
    /// ```
    /// # use nb_table::{Column, Kind, Schema, Text};
    /// # let mut schema = Schema::numeric(["length"], "label");
    /// # schema.columns.push(Column { name: "message".into(), kind: Kind::Text(Text::hashed(16).into()) });
    /// assert_eq!(schema.feature(1).unwrap().name(), "message: #0");
    /// ```
    pub fn name(&self) -> String {
        let column = &self.column.name;
        match (&self.column.kind, self.term) {
            (Kind::Text(text), Some(term)) => {
                format!("{column}: {}", text.terms.name(term).unwrap_or_default())
            }
            (Kind::Dates(parts), Some(place)) => {
                format!("{column}: {}", parts.get(place).map_or("", DatePart::name))
            }
            _ => column.clone(),
        }
    }
}

/// The text with the terms of both.
fn union_of_texts(column: &str, text: &Text, other: &Text) -> Result<Text, SchemaError> {
    if text == other {
        return Ok(text.clone());
    }
    let (weighting, others) = (&text.weighting, &other.weighting);
    if text.tokens != other.tokens
        || weighting.log_term_frequency != others.log_term_frequency
        || weighting.normalize_length != others.normalize_length
    {
        return Err(SchemaError::TextMismatch { column: column.into() });
    }
    let frequencies = [weighting, others].map(|weighting| weighting.inverse_document_frequency.as_deref());
    match (&text.terms, &other.terms) {
        (_, _) if frequencies[0].is_some() != frequencies[1].is_some() => {
            Err(SchemaError::TextMismatch { column: column.into() })
        }
        (Terms::Vocabulary(terms), Terms::Vocabulary(others)) => {
            let fixed = text.fixed || other.fixed;
            let Some(frequencies) = frequencies[0].zip(frequencies[1]) else {
                let mut terms: Vec<String> = terms.iter().chain(others).cloned().collect();
                terms.sort_unstable();
                terms.dedup();
                return Ok(Text { terms: Terms::Vocabulary(terms), fixed, ..text.clone() });
            };
            // A term that both have must have the same frequency in both.
            let mut all: BTreeMap<&String, f64> = terms.iter().zip(frequencies.0.iter().copied()).collect();
            for (term, &frequency) in others.iter().zip(frequencies.1) {
                if *all.entry(term).or_insert(frequency) != frequency {
                    return Err(SchemaError::FrequencyMismatch { column: column.into() });
                }
            }
            let (terms, frequencies) =
                all.into_iter().map(|(term, frequency)| (term.clone(), frequency)).unzip();
            let weighting = Weighting { inverse_document_frequency: Some(frequencies), ..weighting.clone() };
            Ok(Text { terms: Terms::Vocabulary(terms), fixed, weighting, ..text.clone() })
        }
        // Had they the same frequencies, they would be the same.
        (Terms::Hashed { .. }, Terms::Hashed { .. }) if frequencies[0].is_some() => {
            Err(SchemaError::FrequencyMismatch { column: column.into() })
        }
        _ => Err(SchemaError::TextMismatch { column: column.into() }),
    }
}

/// The first of some names that has stood before.
///
/// Names in the order of an alphabet are distinct, and so are numbered ones in the order of their lengths and
/// then of an alphabet; neither needs a set, which would take most of the time of loading a model of many
/// columns.
fn first_duplicate<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    let numbered = |name: &'a str| (name.len(), name);
    if names.clone().is_sorted_by(|a, b| a < b)
        || names.clone().is_sorted_by(|a, b| numbered(a) < numbered(b))
    {
        return None;
    }
    let mut seen = std::collections::HashSet::new();
    names.into_iter().find(|name| !seen.insert(*name))
}

#[cfg(test)]
mod tests;
