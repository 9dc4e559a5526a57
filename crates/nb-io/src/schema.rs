//! Schemas: what the columns of a model are called and mean.

use crate::Text;

/// The columns of a model, in order, and the column that holds the label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// One per column of the model.
    pub columns: Vec<Column>,
    /// The name of the label column.
    pub label: String,
    /// If the columns are terms of a text: where it stands and what its terms are.
    pub text: Option<Text>,
}

/// A column: its name and what its numbers mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The name, unique in the schema.
    pub name: String,
    /// What the numbers mean.
    pub kind: Kind,
}

/// What the numbers of a column mean.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
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
}

/// What keeps a schema from being one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// There are no columns.
    #[error("the schema has no columns; a model needs at least one feature")]
    NoColumns,
    /// Two columns, or a column and the label, have the same name.
    #[error("the name {name:?} stands twice in the schema; columns and label need distinct names")]
    DuplicateName {
        /// The name.
        name: String,
    },
    /// Two categories of a column have the same name.
    #[error("column {column:?} has the category {level:?} twice")]
    DuplicateLevel {
        /// The column.
        column: String,
        /// The name of the category.
        level: String,
    },
    /// The columns are not terms of a text.
    #[error("the columns of the schema are not terms of a text, so that texts cannot be counted")]
    NoText,
    /// Two schemas, to be used as one, make terms in different ways.
    #[error("the schemas make terms of texts in different ways; they must have the same text settings")]
    TextMismatch,
    /// Two schemas, to be used as one, differ.
    #[error(
        "column {position} is {left:?} in one schema and {right:?} in the other; they must have the same columns"
    )]
    Mismatch {
        /// The column, counted from 0.
        position: usize,
        /// Its name and kind on this side, or nothing.
        left: String,
        /// Its name and kind on the other side, or nothing.
        right: String,
    },
}

impl Schema {
    /// A schema of real numbers.
    pub fn numeric<'a>(names: impl IntoIterator<Item = &'a str>, label: &str) -> Self {
        let columns = names.into_iter().map(|name| Column { name: name.into(), kind: Kind::Numeric });
        Self { columns: columns.collect(), label: label.into(), text: None }
    }

    /// A schema of real numbers called `x1`, `x2`, and so on.
    pub fn numbered(n_columns: usize, label: &str) -> Self {
        let columns = (1..=n_columns).map(|place| Column { name: format!("x{place}"), kind: Kind::Numeric });
        Self { columns: columns.collect(), label: label.into(), text: None }
    }

    /// Refuses a schema without columns or with a name that stands twice.
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
        // Terms are no columns of a file; there the text is one.
        if self.text.is_none() && self.columns.iter().any(|column| column.name == self.label) {
            return Err(SchemaError::DuplicateName { name: self.label.clone() });
        }
        if self.text.as_ref().is_some_and(|text| text.column == self.label) {
            return Err(SchemaError::DuplicateName { name: self.label.clone() });
        }
        for column in &self.columns {
            if let Kind::Categorical { levels } = &column.kind
                && let Some(level) = first_duplicate(levels.iter().map(String::as_str))
            {
                return Err(SchemaError::DuplicateLevel { column: column.name.clone(), level: level.into() });
            }
        }
        Ok(())
    }

    /// The schema with the categories of both, each column's in the order of their names: the same whichever side it
    /// is asked from.
    pub(crate) fn union(&self, other: &Self) -> Result<Self, SchemaError> {
        let describe = |column: Option<&Column>| match column {
            Some(Column { name, kind: Kind::Numeric }) => format!("{name}, numeric"),
            Some(Column { name, kind: Kind::Count }) => format!("{name}, a count"),
            Some(Column { name, kind: Kind::Categorical { .. } }) => format!("{name}, categorical"),
            None => "no column".into(),
        };
        if self.text != other.text {
            return Err(SchemaError::TextMismatch);
        }
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
        Ok(Self { columns, label: self.label.clone(), text: self.text.clone() })
    }
}

/// The first of some names that has stood before.
///
/// Names in the order of an alphabet are distinct, and so are numbered ones in the order of their lengths and then of an
/// alphabet; neither needs a set, which would take most of the time of loading a model of many columns.
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
mod tests {
    use super::*;

    #[test]
    fn defects_are_named() {
        assert_eq!(Schema::numeric([], "y").check(), Err(SchemaError::NoColumns));
        assert_eq!(
            Schema::numeric(["a", "a"], "y").check(),
            Err(SchemaError::DuplicateName { name: "a".into() })
        );
        assert_eq!(
            Schema::numeric(["a", "y"], "y").check(),
            Err(SchemaError::DuplicateName { name: "y".into() })
        );
        for names in [["a", "b", "b"], ["x1", "x10", "x1"], ["b", "a", "b"], ["x2", "x10", "x2"]] {
            let name = names[2].to_owned();
            assert_eq!(
                Schema::numeric(names, "y").check(),
                Err(SchemaError::DuplicateName { name: name.clone() })
            );
            let levels = names.map(String::from).to_vec();
            let mut schema = Schema::numeric(["a"], "y");
            schema.columns[0].kind = Kind::Categorical { levels };
            assert_eq!(schema.check(), Err(SchemaError::DuplicateLevel { column: "a".into(), level: name }));
        }
        for names in [["a", "b", "c"], ["x2", "x10", "x11"], ["c", "a", "b"]] {
            assert_eq!(Schema::numeric(names, "y").check(), Ok(()));
        }
        let error = Schema::numeric(["a"], "y").union(&Schema::numeric(["a", "b"], "y")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "column 1 is \"no column\" in one schema and \"b, numeric\" in the other; they must have the same columns"
        );
    }
}
