//! Answers on their way to arrays: one per row, from models that may differ from row to row.

use std::sync::Arc;

use datafusion::arrow::{
    array::{ArrayRef, Float64Array, Float64Builder, ListBuilder, StringArray, StringBuilder, StructBuilder},
    datatypes::{DataType, Field, Fields},
};

/// The answer for one row; a row whose model is NULL has none.
#[derive(Clone, Debug, Default)]
pub(super) enum Value {
    #[default]
    None,
    Label(Option<String>),
    Number(f64),
    Numbers(Vec<f64>),
    Terms(Vec<(Option<String>, f64)>),
}

pub(super) fn list_of_numbers() -> DataType {
    DataType::List(Arc::new(Field::new_list_field(DataType::Float64, true)))
}

/// The fields of one term of an explanation.
fn term_fields() -> Fields {
    vec![Field::new("feature", DataType::Utf8, true), Field::new("log_odds", DataType::Float64, true)].into()
}

pub(super) fn list_of_terms() -> DataType {
    DataType::List(Arc::new(Field::new_list_field(DataType::Struct(term_fields()), true)))
}

/// All labels as an array.
pub(super) fn labels(values: Vec<Value>) -> ArrayRef {
    let labels = values.into_iter().map(|value| match value {
        Value::Label(label) => label,
        _ => None,
    });
    Arc::new(labels.collect::<StringArray>())
}

/// All numbers as an array.
pub(super) fn numbers(values: Vec<Value>) -> ArrayRef {
    let numbers = values.into_iter().map(|value| match value {
        Value::Number(number) => Some(number),
        _ => None,
    });
    Arc::new(numbers.collect::<Float64Array>())
}

/// All lists of numbers as an array.
pub(super) fn lists(values: &[Value]) -> ArrayRef {
    let mut lists = ListBuilder::new(Float64Builder::new());
    for value in values {
        match value {
            Value::Numbers(numbers) => {
                lists.values().append_slice(numbers);
                lists.append(true);
            }
            _ => lists.append(false),
        }
    }
    Arc::new(lists.finish())
}

/// All explanations as an array.
pub(super) fn terms(values: &[Value]) -> ArrayRef {
    let term = StructBuilder::new(
        term_fields(),
        vec![Box::new(StringBuilder::new()), Box::new(Float64Builder::new())],
    );
    let mut lists = ListBuilder::new(term);
    for value in values {
        let Value::Terms(terms) = value else {
            lists.append(false);
            continue;
        };
        for (feature, log_odds) in terms {
            let term = lists.values();
            if let Some(names) = term.field_builder::<StringBuilder>(0) {
                names.append_option(feature.as_ref());
            }
            if let Some(numbers) = term.field_builder::<Float64Builder>(1) {
                numbers.append_value(*log_odds);
            }
            term.append(true);
        }
        lists.append(true);
    }
    Arc::new(lists.finish())
}
