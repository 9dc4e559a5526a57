//! What a reader of tables with named columns can be told.

use std::collections::{BTreeMap, BTreeSet};

use super::{BadRows, Inferred, columns::written_dates::have_one_order};
use crate::{DateOrder, DateParts, Kind, TextOptions, with::with_fields};

/// How to read a table with named columns, whatever its format.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TableOptions {
    /// The texts that mean that a cell is missing. `None`: [`missing_markers`] in delimited text, and none
    /// in formats that have missing cells of their own (Parquet, Arrow), where `NA` is a text like any
    /// other. In a column of categories, too: a category `NA` of a CSV file is missing unless its marker
    /// is taken out of here. A column of texts has no missing cells: every text is taken literally, and
    /// an empty one has no terms.
    pub missing: Option<BTreeSet<String>>,
    /// What to do with a category that the schema does not have.
    pub new_levels: NewLevels,
    /// What to do with columns that the schema does not have.
    pub extra_columns: ExtraColumns,
    /// Whether there must be labels.
    pub labels: Labels,
    /// The classes that are known, such as those of a model. A label that another program wrote differently
    /// (`1.0` and `1`, `True` and `true`) is taken for the class.
    pub classes: Vec<String>,
    /// The column of weights, if there is one.
    pub weight: Option<String>,
    /// Columns whose texts are handed out with the rows, such as those of identifiers; they may be features
    /// as well.
    pub ids: Vec<String>,
    /// Columns that the file lacks, and the cell that all of its rows have there, such as those of
    /// [partitions](super::partition_columns): an empty text is a missing cell. Readers of rows find
    /// them beside the columns of the file; what is learnt from a file is not about them.
    pub constants: Vec<(String, String)>,
    /// What to do with rows of CSV, Parquet and Arrow files whose label is missing.
    pub unlabeled: Unlabeled,
    /// What to do with rows that cannot be read. Parquet and Arrow files have none that can be left out:
    /// their columns have types.
    pub bad_rows: BadRows,
    /// Whether chunks of CSV, Parquet and Arrow files say where their rows are:
    /// [`Chunk::places`](super::Chunk::places).
    pub places: bool,
    /// Columns of numbers in which a text that is no number is a missing cell, by name: see
    /// [`NonNumeric::Missing`].
    pub non_numeric: BTreeSet<String>,
    /// How dates are written in columns of dates and of numbers, by name:
    /// [`Inferred::date_orders`](super::Inferred::date_orders). Where nothing is said, they are as ISO
    /// 8601 writes them.
    pub date_orders: BTreeMap<String, DateOrder>,
    /// The most rows of a chunk. Wide tables get smaller chunks, of about a million cells.
    pub chunk_rows: usize,
}

impl Default for TableOptions {
    fn default() -> Self {
        Self {
            missing: None,
            new_levels: NewLevels::default(),
            extra_columns: ExtraColumns::default(),
            labels: Labels::default(),
            classes: Vec::new(),
            weight: None,
            ids: Vec::new(),
            constants: Vec::new(),
            unlabeled: Unlabeled::default(),
            bad_rows: BadRows::default(),
            places: false,
            non_numeric: BTreeSet::new(),
            date_orders: BTreeMap::new(),
            chunk_rows: DEFAULT_CHUNK_ROWS,
        }
    }
}

/// # Options
impl TableOptions {
    with_fields! {
        with_missing missing: Option<BTreeSet<String>>;
        with_new_levels new_levels: NewLevels;
        with_extra_columns extra_columns: ExtraColumns;
        with_labels labels: Labels;
        with_classes classes: Vec<String>;
        with_weight weight: Option<String>;
        with_ids ids: Vec<String>;
        with_constants constants: Vec<(String, String)>;
        with_unlabeled unlabeled: Unlabeled;
        with_bad_rows bad_rows: BadRows;
        with_places places: bool;
        with_non_numeric non_numeric: BTreeSet<String>;
        with_date_orders date_orders: BTreeMap<String, DateOrder>;
        with_chunk_rows chunk_rows: usize;
    }
}

#[cfg(feature = "csv")]
impl TableOptions {
    /// The same for a format that has missing cells of its own, which are converted to empty ones.
    pub(super) fn with_empty_missing(self) -> Self {
        let markers = self.missing.clone().unwrap_or_default().into_iter().chain([String::new()]).collect();
        self.with_missing(Some(markers))
    }
}

/// How many rows a chunk has at most, unless told otherwise.
pub(super) const DEFAULT_CHUNK_ROWS: usize = 8192;

#[cfg(any(feature = "csv", feature = "npy", feature = "arrow"))]
/// How many rows of this many columns a chunk has, so that wide tables stay small in memory.
pub(super) fn rows_of_chunk(chunk_rows: usize, n_columns: usize) -> usize {
    const CELLS: usize = 1 << 20;
    chunk_rows.min(CELLS / n_columns.max(1)).max(1)
}

/// The texts that mean in delimited text that a cell is missing, unless told otherwise: an empty cell, `?`
/// (UCI, Weka), R's `NA`, and what pandas takes for missing: `#N/A`, `#N/A N/A`, `#NA`, `-1.#IND`,
/// `-1.#QNAN`, `-NaN`, `-nan`, `1.#IND`, `1.#QNAN`, `<NA>`, `N/A`, `NULL`, `NaN`, `None`, `n/a`, `nan` and
/// `null`.
///
/// ```
/// assert!(nb_table::read::missing_markers().contains("n/a"));
/// ```
pub fn missing_markers() -> BTreeSet<String> {
    let markers = [
        "", "?", "NA", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
        "<NA>", "N/A", "NULL", "NaN", "None", "n/a", "nan", "null",
    ];
    markers.map(String::from).into()
}

/// What to do with a category that the schema does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum NewLevels {
    /// Refuse the cell, naming the nearest category.
    #[default]
    Error,
    /// Append it to the categories of the reader's schema.
    Intern,
    /// Take the cell for a missing one.
    Missing,
    /// Give it the first code that no category has, so that the policy of the model for unseen categories
    /// ([`nb_core::Unseen`]) decides. For rows to be predicted.
    Unseen,
}

/// What to do with columns that the schema does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExtraColumns {
    /// Leave them out; the reader lists them.
    #[default]
    Ignore,
    /// Refuse the file, naming them.
    Error,
}

/// Whether there must be labels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Labels {
    /// Read the label column if there is one.
    #[default]
    IfPresent,
    /// Refuse a file without a label column, naming the nearest column.
    Required,
    /// Leave the label column out, as if there were none.
    Ignore,
}

/// What to do with a row whose label is missing, where labels are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unlabeled {
    /// Refuse the file, naming the first such row.
    #[default]
    Error,
    /// Skip the row; [`ReadChunks::unlabeled_rows`](super::ReadChunks::unlabeled_rows) counts them.
    Skip,
    /// Keep the row, with an empty label.
    Keep,
}

/// Rows that were skipped because their label is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnlabeledRows {
    /// How many there are.
    pub count: u64,
    /// What the label of the first is: empty, or a marker of missing cells.
    pub text: String,
}

impl UnlabeledRows {
    /// Counts one more row with this label.
    #[cfg(any(feature = "csv", feature = "arrow"))]
    pub(in crate::read) fn count(found: &mut Option<Self>, text: &str) {
        found.get_or_insert_with(|| Self { count: 0, text: text.into() }).count += 1;
    }
}

/// What to do with a column of CSV cells that are numbers except for a few: at least 20 are numbers, and at
/// most 10 % of those that are not missing are texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum NonNumeric {
    /// It is one of categories, as every column with texts.
    #[default]
    Categories,
    /// It is one of numbers; the texts are missing cells
    /// ([`Reason::MostlyNumeric`](super::Reason::MostlyNumeric) counts them). The rows are then read with
    /// the name of the column in [`TableOptions::non_numeric`].
    Missing,
    /// Refuse the file, naming the first text.
    Error,
}

/// What is known better than it can be learnt from the cells.
///
/// ```
/// use nb_table::read::{KindChoice, Overrides};
///
/// let overrides = Overrides::default().with("zip code", KindChoice::Categorical).ignore("id");
/// assert!(overrides.ignore.contains("id"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Overrides {
    /// The kinds of columns, by name.
    pub kinds: BTreeMap<String, KindChoice>,
    /// The names of columns to leave out.
    pub ignore: BTreeSet<String>,
    /// How columns of texts become columns of a model.
    pub text: TextOptions,
    /// The same for single columns, by name. It does not make them columns of texts.
    pub texts: BTreeMap<String, TextOptions>,
    /// What to do with a few texts among numbers.
    pub non_numeric: NonNumeric,
    /// The features of columns of dates. The hour is one only where there are times of day other than
    /// midnight.
    pub dates: DateParts,
    /// How the dates of columns are written, by name: a cell that is no date in this order is refused.
    pub date_orders: BTreeMap<String, DateOrder>,
    /// How dates are written of which the cells of a column do not settle whether day or month is first.
    pub date_order: Option<DateOrder>,
    /// Whether the file is one of several whose texts have one vocabulary. It is then not in the schema
    /// before [`Inferred::complete`](super::Inferred::complete).
    pub is_part: bool,
}

/// # Options
impl Overrides {
    with_fields! {
        with_kinds kinds: BTreeMap<String, KindChoice>;
        with_default_text text: TextOptions;
        with_texts texts: BTreeMap<String, TextOptions>;
        with_non_numeric non_numeric: NonNumeric;
        with_dates dates: DateParts;
        with_date_orders date_orders: BTreeMap<String, DateOrder>;
        with_date_order date_order: Option<DateOrder>;
        with_is_part is_part: bool;
    }
}

/// The kind that a column is to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KindChoice {
    /// Real numbers.
    Numeric,
    /// Counts.
    Count,
    /// Numbers from 0, such as counts that were weighted: [`Kind::Count`](crate::Kind::Count) if all cells
    /// are counts, else [`Kind::Numeric`](crate::Kind::Numeric).
    ///
    /// ```
    /// use nb_table::{Kind, read::{Csv, KindChoice, Overrides}};
    ///
    /// let kind = |rows: &str| {
    ///     let overrides = Overrides::default().with("n", KindChoice::NonNegative);
    ///     let inferred = Csv::default().infer_from(|| Ok(rows.as_bytes()), "rows.csv", "y", &overrides);
    ///     inferred.map(|inferred| inferred.columns[0].kind.clone())
    /// };
    /// assert_eq!(kind("n,y\n2,a\n0,b\n")?, Kind::Count);
    /// assert_eq!(kind("n,y\n2,a\n0.5,b\n")?, Kind::Numeric);
    /// assert!(kind("n,y\n2,a\n-1,b\n").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    NonNegative,
    /// Categories, named by the texts of the cells.
    Categorical,
    /// Texts, whose terms are counted.
    Text,
    /// Dates, as [`Overrides::dates`] says.
    Dates,
}

impl Overrides {
    /// The same with the kind of one more column.
    ///
    /// ```
    /// use nb_table::read::{KindChoice, Overrides};
    ///
    /// let overrides = Overrides::default().with("zip code", KindChoice::Categorical);
    /// assert_eq!(overrides.kinds["zip code"], KindChoice::Categorical);
    /// ```
    #[must_use]
    pub fn with(mut self, column: &str, kind: KindChoice) -> Self {
        self.kinds.insert(column.into(), kind);
        self
    }

    /// The same with one more column of texts, and how they are split.
    ///
    /// ```
    /// use nb_table::{TextOptions, read::{KindChoice, Overrides}};
    ///
    /// let hashed = TextOptions::default().with_buckets(Some(1 << 16));
    /// let overrides = Overrides::default().with_text("message", hashed);
    /// assert_eq!(overrides.kinds["message"], KindChoice::Text);
    /// ```
    #[must_use]
    pub fn with_text(mut self, column: &str, options: TextOptions) -> Self {
        self.texts.insert(column.into(), options);
        self.with(column, KindChoice::Text)
    }

    /// The same with one more column to leave out.
    ///
    /// ```
    /// use nb_table::read::Overrides;
    ///
    /// assert!(Overrides::default().ignore("id").ignore.contains("id"));
    /// ```
    #[must_use]
    pub fn ignore(mut self, column: &str) -> Self {
        self.ignore.insert(column.into());
        self
    }

    /// What of it is about some of the columns, by their names, and about all.
    #[must_use]
    pub fn of_columns(mut self, is_column: impl Fn(&str) -> bool) -> Self {
        self.kinds.retain(|name, _| is_column(name));
        self.ignore.retain(|name| is_column(name));
        self.texts.retain(|name, _| is_column(name));
        self.date_orders.retain(|name, _| is_column(name));
        self
    }

    /// The same with kinds for the columns that have different ones in several files, whose columns are in
    /// the same order: for each the one that can hold the cells of all files. If there are any, the files
    /// must be read again.
    ///
    /// ```
    /// use nb_table::read::{Csv, KindChoice, Overrides};
    ///
    /// let infer = |text: &'static str| {
    ///     Csv::default().infer_from(|| Ok(text.as_bytes()), "rows", "y", &Overrides::default())
    /// };
    /// let both = [infer("x,y\n1,a\n2,b\n")?, infer("x,y\nred,a\nblue,b\n")?];
    /// assert_eq!(Overrides::default().settled(&both).kinds["x"], KindChoice::Categorical);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn settled<'a>(&self, files: impl IntoIterator<Item = &'a Inferred>) -> Self {
        let choice = |kind: &Kind| match kind {
            Kind::Text(_) => Some(KindChoice::Text),
            Kind::Dates(_) => Some(KindChoice::Dates),
            Kind::Categorical { .. } => Some(KindChoice::Categorical),
            Kind::Count => Some(KindChoice::Count),
            Kind::Numeric => None,
        };
        let files: Vec<&Inferred> = files.into_iter().collect();
        let mut settled = self.clone();
        for (place, column) in files.first().map_or(&[][..], |first| &first.columns).iter().enumerate() {
            let choices: Vec<Option<KindChoice>> = files
                .iter()
                .filter_map(|file| file.columns.get(place))
                .map(|column| choice(&column.kind))
                .collect();
            let is_even = choices.iter().all(|choice| *choice == choices[0]);
            let reasons = files.iter().filter_map(|file| Some(&file.columns.get(place)?.reason));
            let may_be_dates = self.kinds.contains_key(&column.column) || have_one_order(reasons);
            if is_even && may_be_dates {
                continue;
            }
            let choice = match () {
                // Dates in two orders.
                () if is_even => KindChoice::Categorical,
                () if choices.contains(&Some(KindChoice::Text)) => KindChoice::Text,
                () if choices.contains(&Some(KindChoice::Categorical)) => KindChoice::Categorical,
                // Numbers from 0 that are counts in some of the files.
                () => KindChoice::Numeric,
            };
            settled.kinds.insert(column.column.clone(), choice);
        }
        settled
    }
}
