//! How files are read, in a schema file.

use std::collections::BTreeMap;

use serde::Deserialize;

/// What a schema file says of how files are read. What it does not say is as each file tells.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ReadingFile {
    pub(crate) encoding: Option<String>,
    pub(crate) delimiter: Option<String>,
    pub(crate) decimal: Option<String>,
    pub(crate) quoting: Option<bool>,
    pub(crate) header: Option<bool>,
    pub(crate) orange: Option<bool>,
    pub(crate) skip_lines: Option<u64>,
    pub(crate) comment: Option<String>,
    pub(crate) missing: Option<Vec<String>>,
    /// How dates are written where the cells leave a choice.
    pub(crate) date_order: Option<String>,
    /// How dates are written, by column.
    pub(crate) date_orders: BTreeMap<String, String>,
}

/// A line of the table `[reading]` of a schema file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReadingLine {
    pub(crate) key: &'static str,
    /// The value, as TOML writes it.
    pub(crate) value: String,
    /// Whether it was decided by the user, and not by what the file is like.
    pub(crate) is_given: bool,
}
