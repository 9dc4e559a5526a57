//! What the JSON of the program says: measures, and numbers that are none. JSON has no NaN, so that `null`
//! stands for it.

use serde_json::Value;

use super::record::Measures;

/// The measures of held-out rows in the output of `nbayes train`: of the test set, or of folds where there is
/// none.
pub(crate) fn measures(trained: &Value) -> Option<Measures> {
    let test = &trained["test"];
    let (measured, loss_of_prior, majority) = if test.is_null() {
        let held_out = &trained["held_out"];
        (held_out, &held_out["log_loss_of_prior"], &held_out["majority"])
    } else {
        (test, &test["baseline"]["log_loss"], &test["baseline"]["accuracy"])
    };
    let log_loss = measured["log_loss"].as_f64();
    Some(Measures {
        rows: measured["rows"].as_u64()?,
        log_loss: log_loss.or_else(|| may_be_infinite(measured).then_some(f64::INFINITY))?,
        log_loss_of_prior: loss_of_prior.as_f64()?,
        accuracy: measured["accuracy"].as_f64()?,
        majority: majority.as_f64()?,
    })
}

/// Whether a row has a label that the model holds impossible, or does not know.
fn may_be_infinite(measured: &Value) -> bool {
    ["impossible_rows", "unseen_labels"].iter().any(|name| measured[name].as_u64().is_some_and(|n| n > 0))
}

/// A number that is none in the output of a command, or that the output is not JSON.
pub(crate) fn not_a_number(command: &str, label: &str, output: &str) -> Option<String> {
    if command == "predict" {
        return output.lines().enumerate().find_map(|(row, line)| in_prediction(label, line, row + 1));
    }
    let Ok(json) = serde_json::from_str::<Value>(output) else {
        return Some("the output is not JSON".into());
    };
    match command {
        "train" => in_measures(&json["test"]),
        "evaluate" => in_measures(&json),
        "explain" => in_explanation(&json),
        _ => None,
    }
}

fn in_measures(measured: &Value) -> Option<String> {
    if may_be_infinite(measured) || measured["rows"].as_u64().unwrap_or_default() == 0 {
        return None;
    }
    let wrong = ["log_loss", "brier", "accuracy"].into_iter().find(|name| measured[name].is_null());
    wrong.map(str::to_owned)
}

fn in_explanation(explained: &Value) -> Option<String> {
    let mut own = ["probability", "log_odds", "intercept"].into_iter();
    let own = own.find(|name| explained.get(name).is_some_and(Value::is_null)).map(str::to_owned);
    let features = explained["features"].as_array().into_iter().flatten();
    let mut wrong = features.filter(|feature| feature.get("log_odds").is_some_and(Value::is_null));
    own.or_else(|| wrong.next().map(|feature| format!("log-odds of {}", feature["name"])))
}

fn in_prediction(label: &str, line: &str, row: usize) -> Option<String> {
    let Ok(Value::Object(cells)) = serde_json::from_str(line) else {
        return Some(format!("row {row} is not JSON"));
    };
    let wrong = cells.iter().find(|(name, value)| value.is_null() && *name != label);
    wrong.map(|(name, _)| format!("{name} of row {row}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_are_those_of_the_test_set_or_else_of_folds() {
        let text = r#"{"test": {"rows": 9, "log_loss": 0.5, "accuracy": 0.75, "brier": 0.25,
            "baseline": {"log_loss": 0.625, "accuracy": 0.5}}}"#;
        let trained: Value = serde_json::from_str(text).unwrap();
        let all = measures(&trained).unwrap();
        assert_eq!((all.rows, all.log_loss, all.log_loss_of_prior), (9, 0.5, 0.625));
        assert_eq!((all.worse_loss(), all.worse_accuracy()), (None, None));
        assert_eq!(not_a_number("train", "y", text), None);
        let folds = serde_json::json!({ "held_out": {
            "rows": 9, "log_loss": 1, "log_loss_of_prior": 0.5, "accuracy": 0.25, "majority": 0.5,
        } });
        let all = measures(&folds).unwrap();
        assert_eq!((all.worse_loss(), all.worse_accuracy()), (Some(0.5), Some(0.25)));
        assert!(measures(&serde_json::json!({ "not_held_out": "few rows" })).is_none());
    }

    #[test]
    fn nulls_are_found_where_numbers_must_be() {
        let found = |command, text| not_a_number(command, "y", text);
        let nothing = r#"{"rows": 3, "log_loss": null, "brier": 1, "accuracy": 1, "impossible_rows": 0}"#;
        assert_eq!(found("evaluate", nothing).as_deref(), Some("log_loss"));
        let infinite = r#"{"rows": 3, "log_loss": null, "brier": 1, "accuracy": 1, "impossible_rows": 1}"#;
        assert_eq!(found("evaluate", infinite), None);
        let feature = r#"{"probability": 1, "features": [{"name": "a", "log_odds": null}]}"#;
        assert_eq!(found("explain", feature).as_deref(), Some("log-odds of \"a\""));
        let rows = "{\"y\": null, \"p(a)\": 1}\n{\"y\": \"a\", \"p(a)\": null}\n";
        assert_eq!(found("predict", rows).as_deref(), Some("p(a) of row 2"));
        assert_eq!(found("train", "NaN").as_deref(), Some("the output is not JSON"));
    }
}
