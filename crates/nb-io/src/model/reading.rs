//! How the tables of a model are read.

use std::collections::{BTreeMap, BTreeSet};

use nb_table::{DateOrder, with_fields};

/// What was decided about reading the files of a model that a file does not tell by itself: it is kept with
/// the model, so that further files are read in the same way.
///
/// ```
/// use nb_core::{Gaussian, Prior};
/// use nb_io::{Family, Model, Reading, Schema};
///
/// let schema = Schema::numeric(["length"], "species");
/// let model = Model::new(schema, Family::Gaussian(Gaussian::default()), Prior::Empirical)?;
/// let model = model.with_reading(Reading::default().with_missing(Some(["".into(), "-".into()].into())));
/// let stored = Model::from_bytes(&model.to_bytes()?)?;
/// assert!(stored.reading().missing.as_ref().is_some_and(|markers| markers.contains("-")));
/// # Ok::<(), nb_io::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reading {
    /// The name of the encoding of delimited text. `None`: as each file tells.
    pub encoding: Option<String>,
    /// The byte between the fields of delimited text. `None`: as each file tells.
    pub delimiter: Option<u8>,
    /// The byte before decimals in delimited text. `None`: as each file tells.
    pub decimal: Option<u8>,
    /// Whether delimited text has no line with the names of the columns.
    pub no_header: bool,
    /// All markers of missing cells. `None`: those that the format has by default.
    pub missing: Option<BTreeSet<String>>,
    /// Columns of numbers in which a text that is no number is a missing cell.
    pub non_numeric: BTreeSet<String>,
    /// How many lines of delimited text are left out before all others.
    pub skip_lines: u64,
    /// The byte with which lines of delimited text begin that are comments. `None`: as each file tells.
    pub comment: Option<u8>,
    /// Whether fields of delimited text may be in quotes. `None`: as each file tells.
    pub quoting: Option<bool>,
    /// How dates are written in columns of dates and of numbers, by name, where they are not all as ISO 8601
    /// writes them. A file of the model says it of columns of the schema only.
    pub date_orders: BTreeMap<String, DateOrder>,
}

/// # Options
impl Reading {
    with_fields! {
        with_encoding encoding: Option<String>;
        with_delimiter delimiter: Option<u8>;
        with_decimal decimal: Option<u8>;
        with_no_header no_header: bool;
        with_missing missing: Option<BTreeSet<String>>;
        with_non_numeric non_numeric: BTreeSet<String>;
        with_skip_lines skip_lines: u64;
        with_comment comment: Option<u8>;
        with_quoting quoting: Option<bool>;
        with_date_orders date_orders: BTreeMap<String, DateOrder>;
    }
}
