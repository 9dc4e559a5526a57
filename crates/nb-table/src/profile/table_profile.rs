//! What a profile says of a table.

use serde::Serialize;

use super::{
    distinct_sketch::STANDARD_ERROR, finding::Finding, information::Information,
    numbers_profile::NumbersProfile,
};

/// A profile of a table: of each of its columns, and of the label.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TableProfile {
    /// How many rows there are.
    pub n_rows: u64,
    /// The columns, in the order of the schema.
    pub columns: Vec<ColumnProfile>,
    /// The label, if a column was named.
    pub label: Option<LabelProfile>,
}

/// A profile of a column.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ColumnProfile {
    /// The name of the column.
    pub column: String,
    /// How many cells are missing: empty, null, or a missing-value marker. Of free text, how many are empty.
    pub n_missing: u64,
    /// How many cells are numbers.
    pub n_numbers: u64,
    /// How many cells are texts that are no numbers. In a column of numbers they are taken for missing.
    pub n_texts: u64,
    /// How many of the cells with a value are different.
    pub distinct: Distinct,
    /// The commonest values, at most ten.
    pub commonest: Vec<Commonest>,
    /// By how much the counts of the commonest values may be too small; 0 where they are exact.
    pub max_count_error: u64,
    /// The numbers, of a column of numbers and of one of categories that all are numbers.
    pub numbers: Option<NumbersProfile>,
    /// What the column says of the label. None without a label, with more than 100 labels, of free text, and
    /// of a column with more than 65,536 pairs of category and label.
    pub information: Option<Information>,
    /// The first label, in the order of their names, none of whose rows has a value in the column.
    pub class_without_values: Option<String>,
    /// What is worth knowing before the column is used.
    pub findings: Vec<Finding>,
}

impl ColumnProfile {
    /// How many cells have a value.
    pub fn n_values(&self) -> u64 {
        self.n_numbers + self.n_texts
    }
}

/// A number of different values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Distinct {
    /// The number. An estimate has a standard error of 1.6 %.
    pub n: u64,
    /// Whether it is exact.
    pub is_exact: bool,
}

impl Distinct {
    /// The standard error of estimates, relative to them.
    pub const STANDARD_ERROR: f64 = STANDARD_ERROR;

    pub(super) fn exactly(n: u64) -> Self {
        Self { n, is_exact: true }
    }

    pub(super) fn about(n: u64) -> Self {
        Self { n, is_exact: false }
    }
}

/// A common value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Commonest {
    /// The value, as text.
    pub value: String,
    /// How often it occurs, at least.
    pub n: u64,
}

/// A profile of the label column.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LabelProfile {
    /// The name of the column.
    pub column: String,
    /// How many rows have no label.
    pub n_missing: u64,
    /// How many labels there are.
    pub distinct: Distinct,
    /// The labels and how many rows each has, in the order of their names; if there are more than 100, the
    /// commonest ten.
    pub classes: Vec<Commonest>,
}
