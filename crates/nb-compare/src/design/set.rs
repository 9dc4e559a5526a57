//! Data sets of a design.

use serde::{Deserialize, Serialize};

use super::DesignError;

/// A data set of a design.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[expect(clippy::large_enum_variant, reason = "a design has a few of them")]
pub enum Set {
    /// An embedded data set.
    Embedded(String),
    /// A file, whose reader is not this crate's business.
    File(FileSet),
}

/// A file with a data set, and what is known of its columns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct FileSet {
    /// Its path.
    pub file: String,
    /// The name in results and reports, if it is not that of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The column with the classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// A column of groups, whose rows are either trained on or tested together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// A column that says in which fold a row is tested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fold: Option<String>,
    /// A file that says which rows are tested in which fold of which repeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub splits: Option<String>,
    /// Columns of categories, even if they look like numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub categorical: Vec<String>,
    /// Columns of numbers, even if they look like categories.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numeric: Vec<String>,
    /// Columns of counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub count: Vec<String>,
    /// Columns of free text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub text: Vec<String>,
    /// Columns that are not used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<String>,
    /// How texts become terms and which are kept, in the words of the program that reads the file: `nbayes`
    /// has the names of its options, such as `n_grams = "1-2"`, `min_documents = 2` and `idf = true`.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    pub text_options: toml::Table,
}

impl FileSet {
    /// The key of [`text_options`](Self::text_options) that may name a file.
    pub const STOP_WORDS: &str = "stop_words";

    /// A file of which nothing else is said.
    pub fn new(file: impl Into<String>) -> Self {
        Self { file: file.into(), ..Self::default() }
    }

    /// The same with a name in place of paths.
    pub(super) fn without_paths(&self, name: String) -> Self {
        // Which splits they are is part of the contents of the table.
        let splits = self.splits.as_ref().map(|_| "given".to_owned());
        // As are the words that are left out of texts.
        let mut text_options = self.text_options.clone();
        text_options.remove(Self::STOP_WORDS);
        Self { file: name, name: None, splits, text_options, ..self.clone() }
    }
}

impl Set {
    /// A data set as a design file has it.
    pub(super) fn from_value(value: toml::Value) -> Result<Self, DesignError> {
        let refused = |error: toml::de::Error| DesignError::Toml(format!("a data set: {}", error.message()));
        match value {
            // As on the command line.
            toml::Value::String(name) => Ok(Self::Embedded(name.trim_start_matches('@').to_owned())),
            toml::Value::Table(table) => {
                let set: FileSet = table.try_into().map_err(refused)?;
                let dealt = [("group", &set.group), ("fold", &set.fold), ("splits", &set.splits)];
                let dealt: Vec<&str> =
                    dealt.iter().filter(|(_, value)| value.is_some()).map(|(key, _)| *key).collect();
                if let [first, second, ..] = dealt[..] {
                    return Err(DesignError::Toml(format!(
                        "the data set {} has both `{first}` and `{second}`; rows are split by one of them",
                        set.file
                    )));
                }
                Ok(Self::File(set))
            }
            other => Err(DesignError::Toml(format!(
                "the data set {other} is neither the name of an embedded one nor a table such as {{ file = \"data.csv\" }}"
            ))),
        }
    }

    /// The name of the set, of a file without one the last parts of its path.
    pub(super) fn name(&self, n_parts: usize) -> String {
        match self {
            Self::Embedded(name) | Self::File(FileSet { name: Some(name), .. }) => name.clone(),
            Self::File(FileSet { file, .. }) => {
                // The same on every system: a design may come from another one.
                let parts: Vec<&str> =
                    file.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".").collect();
                parts[parts.len().saturating_sub(n_parts)..].join("/")
            }
        }
    }
}
