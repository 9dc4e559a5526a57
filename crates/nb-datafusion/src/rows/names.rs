//! Texts as numbers: labels and categories.

use std::{collections::HashMap, sync::Arc};

use datafusion::{
    arrow::{
        array::{Array, ArrayRef, AsArray, Int64Array, StringViewArray},
        compute::cast,
        datatypes::{DataType, Float64Type},
    },
    error::Result,
};
use nb_io::category_name;

use crate::failure::failed;

/// Texts, numbered in the order in which they were met. Only looked up in, never walked through, so that the
/// order of the table cannot be seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    numbers: HashMap<String, u32>,
    in_order: Vec<String>,
    /// Whether they are names of categories, which have one spelling.
    of_categories: bool,
}

/// What a text that is not among the names gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// A separate number.
    Added,
    /// The number after all others.
    Counted,
}

impl Names {
    pub(crate) fn new(names: &[String]) -> Self {
        let numbers = names.iter().cloned().zip(0..).collect();
        Self { numbers, in_order: names.to_vec(), of_categories: false }
    }

    /// The names of categories: texts of [one category](category_name) are one, as in the readers of nb-io.
    pub(crate) fn of_categories(names: &[String]) -> Self {
        let mut all = Self { of_categories: true, ..Self::new(names) };
        // A model may have a name as it was written.
        for (name, number) in names.iter().zip(0..) {
            all.numbers.entry(category_name(name).to_owned()).or_insert(number);
        }
        all
    }

    /// The texts by their numbers.
    pub(crate) fn as_slice(&self) -> &[String] {
        &self.in_order
    }

    fn number(&mut self, name: &str, unknown: Unknown) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let name = if self.of_categories { category_name(name) } else { name };
        if let Some(&number) = self.numbers.get(name).filter(|_| self.of_categories) {
            return number;
        }
        let number = self.in_order.len() as u32;
        if unknown == Unknown::Added {
            self.numbers.insert(name.to_owned(), number);
            self.in_order.push(name.to_owned());
        }
        number
    }

    /// The numbers of the texts of an array; nothing where it is NULL.
    pub(crate) fn numbers(&mut self, array: &ArrayRef, unknown: Unknown) -> Result<Vec<Option<u32>>> {
        if let Some(dictionary) = array.as_any_dictionary_opt() {
            // Values of a dictionary that no row has must not become names.
            let texts = texts(dictionary.values())?;
            let mut numbers = vec![None; texts.len()];
            if texts.is_empty() {
                return Ok(vec![None; array.len()]);
            }
            let keys = dictionary.normalized_keys();
            let numbers_of_keys = keys.into_iter().enumerate().map(|(row, key)| {
                if dictionary.is_null(row) || texts.is_null(key) {
                    return None;
                }
                Some(*numbers[key].get_or_insert_with(|| self.number(texts.value(key), unknown)))
            });
            return Ok(numbers_of_keys.collect());
        }
        let texts = texts(array)?;
        // Rows of the same class often follow one another.
        let mut last: Option<(&str, u32)> = None;
        let numbers = texts.iter().map(|text| {
            let text = text?;
            match last {
                Some((name, number)) if name == text => Some(number),
                _ => {
                    let number = self.number(text, unknown);
                    last = Some((text, number));
                    Some(number)
                }
            }
        });
        Ok(numbers.collect())
    }
}

/// Whether values of this type have one text each, so that they can be labels or categories.
pub(crate) fn has_texts(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, values) => has_texts(values),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Boolean | DataType::Null => {
            true
        }
        other => other.is_integer() || other.is_floating(),
    }
}

/// The values as texts. Truth values are `false` and `true`, and whole numbers have no decimal point, as in
/// the readers of nb-io.
pub(crate) fn texts(array: &ArrayRef) -> Result<StringViewArray> {
    let whole = if array.data_type().is_floating() { &whole_numbers(array)? } else { array };
    let texts = cast(whole, &DataType::Utf8View).map_err(failed)?;
    Ok(texts.as_string_view().clone())
}

/// The numbers as integers; NaN is missing.
fn whole_numbers(array: &ArrayRef) -> Result<ArrayRef> {
    /// Beyond it there are whole numbers that no double is equal to.
    const LARGEST: f64 = 9_007_199_254_740_992.0;
    let numbers = cast(array, &DataType::Float64).map_err(failed)?;
    let numbers = numbers.as_primitive::<Float64Type>();
    let whole = numbers.iter().map(|number| match number.filter(|number| !number.is_nan()) {
        None => Ok(None),
        Some(number) if number.fract() == 0.0 && number.abs() <= LARGEST => Ok(Some(number as i64)),
        Some(number) => Err(failed(format!(
            "{number} cannot be a label or a category, which are texts, whole numbers or truth values; cast the column to \
             a text"
        ))),
    });
    Ok(Arc::new(whole.collect::<Result<Int64Array>>()?))
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::{
        array::{BooleanArray, DictionaryArray, Float64Array, StringArray},
        datatypes::Int8Type,
    };

    use super::*;

    #[test]
    fn categories_have_one_spelling() -> Result<()> {
        let texts: ArrayRef = Arc::new(StringArray::from(vec!["True", "1.0", "true", "1", "01"]));
        let mut categories = Names::of_categories(&["True".into()]);
        assert_eq!(
            categories.numbers(&texts, Unknown::Added)?,
            [Some(0), Some(1), Some(0), Some(1), Some(2)]
        );
        assert_eq!(categories.as_slice(), ["True", "1", "01"]);
        let mut labels = Names::default();
        labels.numbers(&texts, Unknown::Added)?;
        assert_eq!(labels.as_slice(), ["True", "1.0", "true", "1", "01"]);
        Ok(())
    }

    #[test]
    fn equal_texts_have_equal_numbers_whatever_the_array() -> Result<()> {
        let mut names = Names::default();
        let plain: ArrayRef = Arc::new(StringArray::from(vec![Some("b"), Some("b"), None, Some("a")]));
        assert_eq!(names.numbers(&plain, Unknown::Added)?, [Some(0), Some(0), None, Some(1)]);
        let dictionary: DictionaryArray<Int8Type> =
            vec![Some("a"), None, Some("c"), Some("a")].into_iter().collect();
        let sliced: ArrayRef = Arc::new(dictionary.slice(0, 2));
        assert_eq!(names.numbers(&sliced, Unknown::Added)?, [Some(1), None]);
        assert_eq!(names.as_slice(), ["b", "a"], "a value that no row has is no name");
        let integers: ArrayRef = Arc::new(Int64Array::from(vec![7, -7]));
        assert_eq!(names.numbers(&integers, Unknown::Counted)?, [Some(2), Some(2)]);
        let flags: ArrayRef = Arc::new(BooleanArray::from(vec![true]));
        names.numbers(&flags, Unknown::Added)?;
        assert_eq!(names.as_slice(), ["b", "a", "true"]);
        let doubles: ArrayRef = Arc::new(Float64Array::from(vec![1.0, f64::NAN, -3.0]));
        assert_eq!(names.numbers(&doubles, Unknown::Added)?, [Some(3), None, Some(4)]);
        assert_eq!(names.as_slice()[3..], ["1", "-3"]);
        let fractions: ArrayRef = Arc::new(Float64Array::from(vec![0.5]));
        assert!(names.numbers(&fractions, Unknown::Added).is_err());
        Ok(())
    }
}
