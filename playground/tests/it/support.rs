//! Questions to the engine, and its answers as values.

use playground::Playground;
use serde_json::{Value, json};

/// The JSON of an answer, and its doubles.
pub(crate) fn ask(playground: &mut Playground, request: &Value, bytes: &[u8]) -> (Value, Vec<u8>) {
    let answer = playground.answer(&request.to_string(), bytes);
    (serde_json::from_str(&answer.text).expect("an answer is JSON"), answer.bytes)
}

/// The same, where nothing may be wrong.
pub(crate) fn well(playground: &mut Playground, request: &Value) -> Value {
    let (value, _) = ask(playground, request, b"");
    assert!(value.get("error").is_none(), "{request}: {value}");
    value
}

pub(crate) fn doubles(bytes: &[u8]) -> Vec<f64> {
    bytes.as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect()
}

/// An engine that has an embedded table.
pub(crate) fn with_table(name: &str, label: &str) -> Playground {
    let mut playground = Playground::default();
    let csv = nb_datasets::csv(name).expect("an embedded table");
    let request = json!({"do": "table", "name": format!("{name}.csv"), "label": label});
    let (value, _) = ask(&mut playground, &request, &csv);
    assert!(value.get("error").is_none(), "{value}");
    playground
}

/// Numbers of a list; `null` is what JSON cannot say.
pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().unwrap_or_else(|| panic!("{value} is no list"));
    list.iter().map(|number| number.as_f64().unwrap_or(f64::NAN)).collect()
}
