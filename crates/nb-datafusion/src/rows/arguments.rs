//! How a function is given its features.

use datafusion::{arrow::datatypes::DataType, error::Result};

use super::{has_texts, is_number};
use crate::failure::refused;

/// What the arguments of a function are that tell of the features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Arguments {
    /// One argument for each column.
    Columns,
    /// One list with all numbers of a row.
    List,
    /// A list of features, by place (from 0) or by name, and a list with their numbers; others are zero.
    Sparse,
}

impl Arguments {
    /// What arguments of these types are.
    ///
    /// # Errors
    /// None are given, or they are no features.
    pub(crate) fn of(types: &[DataType]) -> Result<Self> {
        let element = |data_type: &DataType| match data_type {
            DataType::List(field) | DataType::LargeList(field) | DataType::FixedSizeList(field, _) => {
                Some(field.data_type().clone())
            }
            _ => None,
        };
        let elements: Vec<_> = types.iter().map(element).collect();
        match &elements[..] {
            [] => Err(refused("there are no features; name at least one column after the others")),
            [Some(values)] if is_number(values) => Ok(Self::List),
            [Some(features), Some(values)]
                if has_texts(features) && !features.is_floating() && is_number(values) =>
            {
                Ok(Self::Sparse)
            }
            _ if elements.iter().any(Option::is_some) => Err(refused(
                "features are given as columns, as one list of numbers, or as a list of features and a list of their \
                 numbers, not as a mixture of these",
            )),
            _ => match types.iter().find(|data_type| !is_number(data_type) && !has_texts(data_type)) {
                Some(other) => Err(refused(format!(
                    "a feature has the type {other}, which is neither a number nor a text; cast it to one of them"
                ))),
                None => Ok(Self::Columns),
            },
        }
    }
}
