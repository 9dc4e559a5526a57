//! What was learnt of the columns of a file, and why they are taken for what they are.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    MOST_LEVELS,
    written_dates::{self, WrittenDates},
};
#[cfg(feature = "csv")]
use crate::read::{RepeatedHeader, TotalRow};
use crate::{
    DateOrder, Kind, Schema, SchemaError,
    text::{TextError, TextLearner},
};

/// A schema learnt from a file, and why it is as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Inferred {
    /// The schema.
    pub schema: Schema,
    /// One per column of the schema.
    pub columns: Vec<Inference>,
    /// How many rows were looked at: all.
    pub n_rows: usize,
    /// The lines that repeat the names of the columns, and are no rows.
    #[cfg(feature = "csv")]
    pub repeated_header: Option<RepeatedHeader>,
    /// The last row, if it looks like one of totals. [`Csv::load`](crate::read::Csv::load) does not always
    /// look for it.
    #[cfg(feature = "csv")]
    pub total_row: Option<TotalRow>,
    /// The terms of texts of which none was left out yet, by the names of their columns.
    pub(in crate::read) texts: BTreeMap<String, TextLearner>,
}

impl Inferred {
    /// What is known of columns from elsewhere than a reader: a schema, and the reason for each of its
    /// columns.
    ///
    /// ```
    /// use nb_table::{Schema, read::{Inference, Inferred, Reason}};
    ///
    /// let schema = Schema::numeric(["length"], "species");
    /// let kind = schema.columns[0].kind.clone();
    /// let column = Inference { column: "length".into(), kind, reason: Reason::Override, few_values: Vec::new() };
    /// assert_eq!(Inferred::new(schema, vec![column], 3).n_rows, 3);
    /// ```
    pub fn new(schema: Schema, columns: Vec<Inference>, n_rows: usize) -> Self {
        Self {
            schema,
            columns,
            n_rows,
            #[cfg(feature = "csv")]
            repeated_header: None,
            #[cfg(feature = "csv")]
            total_row: None,
            texts: BTreeMap::new(),
        }
    }

    /// What this file and another one with the same columns, in the same order, say together.
    ///
    /// ```
    /// use nb_table::read::{Csv, Overrides};
    ///
    /// let infer = |text: &'static str| {
    ///     Csv::default().infer_from(|| Ok(text.as_bytes()), "rows", "y", &Overrides::default())
    /// };
    /// let (monday, tuesday) = (infer("x,y\n1.5,a\n1.5,b\n")?, infer("x,y\n2.5,a\n2.5,b\n")?);
    /// assert_eq!(monday.columns[0].reason.to_string(), "all values are 1.5");
    /// let both = monday.union(tuesday)?;
    /// assert_eq!((both.columns[0].reason.to_string(), both.n_rows), ("all cells are numbers".into(), 4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SchemaError`] if a column has cells of different kinds.
    pub fn union(mut self, other: Self) -> Result<Self, SchemaError> {
        let mut other_schema = other.schema;
        // The hour may be a feature because of one file only.
        for (column, other) in self.schema.columns.iter_mut().zip(&mut other_schema.columns) {
            if let (Kind::Dates(parts), Kind::Dates(others)) = (&mut column.kind, &mut other.kind) {
                (*parts, *others) = (parts.union(*others), parts.union(*others));
            }
        }
        self.schema = self.schema.union(&other_schema)?;
        let n_rows = [self.n_rows, other.n_rows];
        self.n_rows += other.n_rows;
        self.add_texts(other.texts)?;
        let columns = self.columns.iter_mut().zip(&mut self.schema.columns).zip(other.columns);
        for ((inference, column), other) in columns {
            match (&inference.reason, &other.reason) {
                (_, Reason::AllMissing) => {}
                (Reason::AllMissing, _) => {
                    (inference.reason, inference.few_values) = (other.reason, other.few_values);
                }
                _ => {
                    let dates = written_dates::of_both(&inference.reason, &other.reason);
                    inference.reason = match dates {
                        Some(dates) => dates.map_err(|dates| other_order(&column.name, &dates))?,
                        None => of_both(inference, &other, &column.kind, n_rows),
                    };
                    inference.few_values = both(&inference.few_values, &other.few_values);
                }
            }
            if let (Reason::TooManyCategories { .. }, Kind::Categorical { levels }) =
                (&inference.reason, &mut column.kind)
            {
                levels.clear();
            }
            inference.kind = column.kind.clone();
        }
        Ok(self)
    }

    /// The same with the vocabularies of texts, learnt from all files of which it is the
    /// [`union`](Self::union): terms are left out, and weighted, by how many texts of all files have
    /// them. For files that were looked at as [parts](crate::read::Overrides::is_part).
    ///
    /// ```
    /// use nb_table::read::{Csv, KindChoice, Overrides};
    /// use nb_table::TextOptions;
    ///
    /// let overrides = Overrides::default()
    ///     .with("x", KindChoice::Text)
    ///     .with_default_text(TextOptions::default().with_min_documents(2))
    ///     .with_is_part(true);
    /// let infer = |text: &'static str| Csv::default().infer_from(|| Ok(text.as_bytes()), "rows", "y", &overrides);
    /// let both = infer("x,y\nfree prize,a\n")?.union(infer("x,y\nfree time,b\n!,b\n")?)?.complete()?;
    /// assert_eq!(both.schema.feature_name(0).as_deref(), Some("x: free"));
    /// assert_eq!(both.schema.n_features(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SchemaError::Text`] if no term is left, or too many are.
    pub fn complete(mut self) -> Result<Self, SchemaError> {
        let mut texts = std::mem::take(&mut self.texts);
        for (inference, column) in self.columns.iter_mut().zip(&mut self.schema.columns) {
            let Some(learner) = texts.remove(&column.name) else { continue };
            let text =
                learner.finish().map_err(|error| SchemaError::Text { column: column.name.clone(), error })?;
            column.kind = Kind::Text(text.into());
            inference.kind = column.kind.clone();
        }
        Ok(self)
    }

    /// The same with the columns in the order of those of another file, which has the same columns.
    ///
    /// ```
    /// use nb_table::read::{Csv, Overrides};
    ///
    /// let infer = |text: &'static str| {
    ///     Csv::default().infer_from(|| Ok(text.as_bytes()), "rows", "y", &Overrides::default())
    /// };
    /// let (monday, tuesday) = (infer("a,b,y\n1,2,u\n")?, infer("y,b,a\nu,3,4\n")?);
    /// assert_eq!(tuesday.in_order_of(&monday).columns[0].column, "a");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn in_order_of(mut self, first: &Self) -> Self {
        let place = |name: &str| first.columns.iter().position(|column| column.column == name);
        self.columns.sort_by_key(|column| place(&column.column));
        self.schema.columns.sort_by_key(|column| place(&column.name));
        self
    }

    /// The columns of numbers that look like categories, unless their kind was chosen: two to ten different
    /// whole numbers, other than 0 and 1 alone, and at least ten rows for each of them. `nbayes train`
    /// reads them as categories.
    ///
    /// ```
    /// use nb_table::read::{Csv, Overrides};
    ///
    /// let rows: String = (0..30).map(|row| format!("{},{},a\n", row % 3, row % 2)).collect();
    /// let file = format!("size,flag,y\n{rows}");
    /// let inferred = Csv::default().infer_from(|| Ok(file.as_bytes()), "rows.csv", "y", &Overrides::default())?;
    /// assert_eq!(inferred.likely_categories().map(|column| &column.column).collect::<Vec<_>>(), ["size"]);
    /// assert!(inferred.columns[1].is_binary());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn likely_categories(&self) -> impl Iterator<Item = &Inference> {
        /// How many rows there are at least for each value.
        const ROWS_PER_VALUE: usize = 10;
        self.columns.iter().filter(|column| {
            let n_values = column.few_values.len();
            n_values >= 2
                && self.n_rows >= ROWS_PER_VALUE * n_values
                && !column.is_binary()
                && column.reason != Reason::Override
                && column.reason.dates().is_none()
        })
    }

    /// Adds the terms of another file.
    pub(in crate::read) fn add_texts(
        &mut self,
        others: BTreeMap<String, TextLearner>,
    ) -> Result<(), SchemaError> {
        for (column, other) in others {
            match self.texts.get_mut(&column) {
                Some(learner) => learner.add(&other).map_err(|too_many| SchemaError::Text {
                    column: column.clone(),
                    error: TextError::TooManyTerms { found: too_many.limit },
                })?,
                None => drop(self.texts.insert(column, other)),
            }
        }
        Ok(())
    }

    /// The columns of numbers whose few other texts are missing cells: what
    /// [`TableOptions::non_numeric`](crate::read::TableOptions::non_numeric) needs.
    ///
    /// ```
    /// use nb_table::read::{Csv, NonNumeric, Overrides};
    ///
    /// let rows: String = (0..200).map(|row| format!("{},{}\n", row % 9, if row == 7 { "?!" } else { "1.5" })).collect();
    /// let overrides = Overrides::default().with_non_numeric(NonNumeric::Missing);
    /// let file = format!("y,x\n{rows}");
    /// let inferred = Csv::default().infer_from(|| Ok(file.as_bytes()), "rows.csv", "y", &overrides)?;
    /// assert_eq!(inferred.mostly_numeric().into_iter().collect::<Vec<_>>(), ["x"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mostly_numeric(&self) -> BTreeSet<String> {
        let columns = self.columns.iter();
        let columns = columns.filter(|column| matches!(column.reason, Reason::MostlyNumeric { .. }));
        columns.map(|column| column.column.clone()).collect()
    }
}

impl Inferred {
    /// How the dates of columns are written that are not all as ISO 8601 writes them: what
    /// [`TableOptions::date_orders`](crate::read::TableOptions::date_orders) needs. Numbers of eight digits
    /// that look like dates are read as numbers, and are not among them.
    ///
    /// ```
    /// use nb_table::{DateOrder, read::{Csv, Overrides, ReadChunks, TableOptions, Table}};
    ///
    /// let cells = "day,y\n27/09/1970,a\n02/01/1970,b\n";
    /// let inferred = Csv::default().infer_from(|| Ok(cells.as_bytes()), "visits", "y", &Overrides::default())?;
    /// let orders = inferred.date_orders();
    /// assert_eq!(orders["day"], DateOrder::DayMonthYear);
    /// let csv = Csv::default().with_table(TableOptions::default().with_date_orders(orders));
    /// let chunk = csv.read_from(cells.as_bytes(), "visits", &inferred.schema)?.next_chunk()?.unwrap();
    /// assert_eq!(chunk.rows, Table::Dense(ndarray::array![[269.0], [1.0]]));
    /// # Ok::<(), nb_table::read::ReadError>(())
    /// ```
    pub fn date_orders(&self) -> BTreeMap<String, DateOrder> {
        let columns = self.columns.iter().filter_map(|column| {
            let order = column.reason.dates()?.order();
            let is_read = order != DateOrder::Compact || matches!(column.kind, Kind::Dates(_));
            is_read.then(|| (column.column.clone(), order))
        });
        columns.collect()
    }
}

/// Why a column has its kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Inference {
    /// The name of the column.
    pub column: String,
    /// The kind that was chosen.
    pub kind: Kind,
    /// Why.
    pub reason: Reason,
    /// The different values of a column of numbers, in order, if there are at most ten and all are whole:
    /// such a column may be one of categories. Otherwise empty.
    pub few_values: Vec<f64>,
}

impl Inference {
    /// Whether the values of a column of numbers are 0 and 1: `nbayes train` makes it a Bernoulli one.
    pub fn is_binary(&self) -> bool {
        self.few_values == [0.0, 1.0]
    }
}

/// Why a kind was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The user has chosen it.
    Override,
    /// All cells that are not missing are numbers, also if there are only a few different ones.
    AllNumbers,
    /// All cells that are not missing are numbers, some of them with grouped thousands, a currency or a
    /// percent sign, which do not change the value: `$1,234.50` is 1234.5, `12 %` is 12, and `(5)` is -5.
    MarkedNumbers {
        /// How many have such marks.
        cells: usize,
        /// The line of the first.
        line: u64,
        /// The first.
        first: String,
    },
    /// All cells are missing, so that any kind does; numeric was taken.
    AllMissing,
    /// The cells number or name the rows, in any order: they are different whole numbers, and the column has
    /// no name or one such as `Unnamed: 0`, `index`, `obs`, `row`, `seqno` or `rownames`, in any case; or
    /// different texts under `rownames`. Such a column says nothing of other rows.
    RowNumbers,
    /// The cells are whole numbers, at least eleven, that rise or fall from row to row, as row numbers, times
    /// and sorted columns do. In rows that are sorted by the label they would tell it; of other rows they
    /// say nothing. That as many numbers are in order by chance has a probability below 1e-7.
    InOrder {
        /// Whether they rise.
        rises: bool,
    },
    /// All cells that are not missing are the same.
    Constant {
        /// The value as it is shown: a number, or a text in quotes, shortened if it is long.
        value: String,
    },
    /// A class has no values in the column, so that nothing can be said of the class by it. Readers do not
    /// give this reason, as they do not look at classes.
    NoValuesInClass {
        /// The class.
        class: String,
    },
    /// The column repeats the label: in all rows of a class it has the same value, and in those of other
    /// classes other ones ([`LabelCopies`](crate::profile::LabelCopies) has the rule). It was probably
    /// made of the label, and will not be known of rows to be predicted. Readers do not give this reason,
    /// as they do not look at classes.
    DuplicatesLabel,
    /// The name of the column is one of identifiers (its last word is `id`, `key`, `uuid` or `guid`, as in
    /// `customer_id` and `PassengerId`), and its cells are whole numbers, more than ten different ones.
    Identifier,
    /// The cells are categories of which nearly each has its own row, such as identifiers: there are at least
    /// twenty different ones, and at least every other cell is a different one.
    ManyCategories {
        /// How many cells are not missing.
        cells: usize,
        /// How many of them are different.
        distinct: usize,
    },
    /// There are more different texts than a column of categories can have.
    TooManyCategories {
        /// How many it can have.
        limit: usize,
    },
    /// The cells are codes that are written with digits, such as postal codes: whole numbers from 0, some
    /// with zeros in front (`01234`), or with letters among them (`207a`). They are categories.
    Codes {
        /// The line of the first.
        line: u64,
        /// The first.
        value: String,
    },
    /// No cell is a number.
    Text,
    /// There are numbers, but also text. A single one may be a misprint, or a spelling of missing values that
    /// the reader was not told.
    Mixed {
        /// The line of the first text.
        line: u64,
        /// The first text.
        value: String,
    },
    /// All cells that are not missing are numbers, except for a few that are taken for missing
    /// ([`NonNumeric`](crate::read::NonNumeric)).
    MostlyNumeric {
        /// How many are not missing.
        cells: usize,
        /// How many of them are texts.
        texts: usize,
        /// The lines and texts of the first three.
        first: Vec<(u64, String)>,
    },
    /// The cells are texts rather than categories: there are at least twenty different ones, at least every
    /// other cell is a different one, and they have three words or more on average. A word is a run of
    /// characters between spaces that has a letter; where a script has no spaces, what Unicode calls one.
    /// Decided at the end of the file, or as soon as there are 65,536 different cells or as many as can
    /// be kept.
    FreeText {
        /// How many cells were not missing when it was decided.
        cells: usize,
        /// How many of these were different.
        distinct: usize,
        /// How many words the different ones had together.
        words: usize,
    },
    /// The cells are dates, or dates and times: those of a column of that type, or the texts of a CSV column,
    /// at least two, that are all as ISO 8601 writes them, such as `2024-01-31` and
    /// `2024-01-31T12:30:00Z`. They are numbers, the days since 1970-01-01, but their size is seldom what
    /// the label depends on.
    Dates,
    /// The same of texts that are not all as ISO 8601 writes them, such as `27/09/2020` or `Sep 27, 2020`, or
    /// of numbers of eight digits that are all dates of 1900 to 2099, at least three different ones, such
    /// as 20240131. These numbers are read as they are unless the kind of the column is chosen.
    WrittenDates(WrittenDates),
    /// The user has chosen it, and the cells are such dates.
    ChosenDates(WrittenDates),
    /// No cell is a number. There are dates, but in different orders, so that they are categories.
    MixedDates {
        /// The line and text of a cell that has an order.
        first: (u64, String),
        /// The line and text of the first cell that has another.
        other: (u64, String),
        /// Whether nearly each cell is a different one, as those of identifiers are.
        is_diverse: bool,
    },
    /// The file says that the column is no feature, as headers of Orange do: it is `meta`, to be ignored, or
    /// another class.
    NoFeature {
        /// What it is called there.
        role: String,
    },
    /// The file declares it: the type of its column.
    Type(String),
}

impl Reason {
    /// Whether nothing can be learnt from the column that holds for other rows: it has no values, or one,
    /// numbers or names the rows, or repeats the label. Programs leave such a column out unless the user
    /// has chosen its kind.
    ///
    /// ```
    /// use nb_table::read::Reason;
    ///
    /// assert!(Reason::Identifier.is_useless() && !Reason::AllNumbers.is_useless());
    /// ```
    pub fn is_useless(&self) -> bool {
        let is_of_kind = matches!(
            self,
            Self::AllMissing | Self::RowNumbers | Self::Identifier | Self::Dates | Self::WrittenDates(_)
        );
        is_of_kind
            || matches!(
                self,
                Self::Constant { .. }
                    | Self::InOrder { .. }
                    | Self::ManyCategories { .. }
                    | Self::TooManyCategories { .. }
                    | Self::NoValuesInClass { .. }
                    | Self::DuplicatesLabel
                    | Self::NoFeature { .. }
                    | Self::MixedDates { is_diverse: true, .. }
            )
    }

    /// How dates are written that are not all as ISO 8601 writes them.
    ///
    /// ```
    /// assert!(nb_table::read::Reason::Dates.dates().is_none());
    /// ```
    pub fn dates(&self) -> Option<&WrittenDates> {
        match self {
            Self::WrittenDates(dates) | Self::ChosenDates(dates) => Some(dates),
            _ => None,
        }
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Override => write!(f, "as requested"),
            Self::AllNumbers => write!(f, "all cells are numbers"),
            Self::MarkedNumbers { cells, line, first } => {
                write!(f, "all cells are numbers, {cells} written like {first:?} (line {line})")
            }
            Self::AllMissing => write!(f, "no cell has a value"),
            Self::RowNumbers => write!(f, "it numbers or names the rows"),
            Self::InOrder { rises } => {
                let rise = if *rises { "rise" } else { "fall" };
                write!(f, "its whole numbers {rise} from row to row, like row numbers or a sorted column")
            }
            Self::TooManyCategories { limit } => {
                write!(f, "more than {limit} different texts, as identifiers have")
            }
            Self::Codes { line, value } => write!(f, "codes, not numbers: line {line} has {value:?}"),
            Self::NoValuesInClass { class } => write!(f, "class {class:?} has no values in it"),
            Self::Constant { value } => write!(f, "all values are {value}"),
            Self::DuplicatesLabel => {
                write!(f, "it repeats the label: one value for each class, and one class for each value")
            }
            Self::Identifier => write!(f, "an identifier, by its name and whole numbers"),
            Self::ManyCategories { cells, distinct } => {
                write!(f, "{distinct} different texts in {cells} cells, as identifiers are")
            }
            Self::Text => write!(f, "no cell is a number"),
            Self::Mixed { line, value } => {
                write!(f, "not all cells are numbers: line {line} has {value:?}")
            }
            Self::MostlyNumeric { cells, texts, first } => {
                let named: Vec<String> =
                    first.iter().map(|(line, text)| format!("line {line} has {text:?}")).collect();
                let more = if *texts > first.len() { ", ..." } else { "" };
                let are = if *texts == 1 { "is not and is" } else { "are not and are" };
                write!(f, "numbers, but {texts} of {cells} cells {are} missing: {}{more}", named.join(", "))
            }
            Self::FreeText { cells, distinct, words } => {
                let average = *words as f64 / *distinct as f64;
                write!(
                    f,
                    "free text: {distinct} different ones in {cells} cells, of {average:.1} words on average"
                )
            }
            Self::Dates => write!(f, "its cells are dates"),
            Self::WrittenDates(dates) => write!(f, "its cells are dates, {dates}"),
            Self::ChosenDates(dates) => write!(f, "as requested; dates, {dates}"),
            Self::MixedDates { first: (line, first), other: (other_line, other), .. } => {
                if *line == 0 {
                    return write!(f, "dates in different orders: {first:?} and {other:?}");
                }
                write!(
                    f,
                    "dates in different orders: line {line} has {first:?} and line {other_line} has {other:?}"
                )
            }
            Self::NoFeature { role } => write!(f, "no feature, the file says {role:?}"),
            Self::Type(found) => write!(f, "the file says {found}"),
        }
    }
}

/// Why a column of two files together, with these numbers of rows, has its kind.
fn of_both(first: &Inference, second: &Inference, kind: &Kind, n_rows: [usize; 2]) -> Reason {
    let is_of_rows = |one: &Inference| matches!(one.reason, Reason::RowNumbers | Reason::InOrder { .. });
    // Different whole numbers in a file of few rows.
    let may_be_of_rows = |one: &Inference, n_rows| is_of_rows(one) || one.few_values.len() == n_rows;
    let n_levels = |kind: &Kind| match kind {
        Kind::Categorical { levels } => levels.len(),
        _ => 0,
    };
    match (first.reason.clone(), second.reason.clone()) {
        (reason, _) if is_of_rows(first) && may_be_of_rows(second, n_rows[1]) => reason,
        (_, reason) if is_of_rows(second) && may_be_of_rows(first, n_rows[0]) => reason,
        (Reason::TooManyCategories { limit }, _) | (_, Reason::TooManyCategories { limit }) => {
            Reason::TooManyCategories { limit }
        }
        (reason, _) if reason != Reason::Override && n_levels(kind) > MOST_LEVELS => {
            Reason::TooManyCategories { limit: MOST_LEVELS }
        }
        (
            Reason::MostlyNumeric { cells, texts, first },
            Reason::MostlyNumeric { cells: more, texts: more_texts, .. },
        ) => Reason::MostlyNumeric { cells: cells + more, texts: texts + more_texts, first },
        (Reason::Constant { value }, Reason::Constant { value: other }) if value == other => {
            Reason::Constant { value }
        }
        (Reason::Constant { .. }, _) | (_, Reason::Constant { .. })
            if [first, second]
                .iter()
                .all(|one| is_of_rows(one) || matches!(one.reason, Reason::Constant { .. })) =>
        {
            if *kind == Kind::Numeric { Reason::AllNumbers } else { Reason::Text }
        }
        (Reason::Constant { .. } | Reason::RowNumbers | Reason::InOrder { .. }, other)
        | (Reason::AllNumbers, other @ (Reason::MostlyNumeric { .. } | Reason::MarkedNumbers { .. })) => {
            other
        }
        // A few whole numbers are identifiers beside many.
        (Reason::Identifier, Reason::AllNumbers) if second.few_values.is_empty() => Reason::AllNumbers,
        (Reason::AllNumbers, Reason::Identifier) if !first.few_values.is_empty() => Reason::Identifier,
        (Reason::ManyCategories { cells, .. }, Reason::ManyCategories { cells: more, .. }) => {
            many_categories(cells + more, n_levels(kind))
        }
        // How many cells of a few categories there are is not kept; at least one for each.
        (Reason::ManyCategories { cells, .. }, Reason::Text | Reason::Codes { .. }) => {
            many_categories(cells + n_levels(&second.kind), n_levels(kind))
        }
        (Reason::Text | Reason::Codes { .. }, Reason::ManyCategories { cells, .. }) => {
            many_categories(cells + n_levels(&first.kind), n_levels(kind))
        }
        (reason, _) => reason,
    }
}

/// The error about dates of two files that have no order in common.
fn other_order(column: &str, dates: &[WrittenDates; 2]) -> SchemaError {
    let [first, other] = dates.clone().map(|dates| dates.to_string());
    SchemaError::DateOrders { column: column.into(), first, other }
}

fn many_categories(cells: usize, distinct: usize) -> Reason {
    if 2 * distinct >= cells { Reason::ManyCategories { cells, distinct } } else { Reason::Text }
}

/// The few values of two files together; none if they are many in either.
fn both(some: &[f64], others: &[f64]) -> Vec<f64> {
    if some.is_empty() || others.is_empty() {
        return Vec::new();
    }
    let mut values = [some, others].concat();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}
