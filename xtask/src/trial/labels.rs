//! Which columns of a table may be labels.

use serde_json::Value;

/// Names that label columns have, in small letters.
const NAMES: [&str; 18] = [
    "class",
    "classes",
    "label",
    "labels",
    "target",
    "y",
    "species",
    "outcome",
    "type",
    "category",
    "result",
    "response",
    "diagnosis",
    "survived",
    "status",
    "group",
    "quality",
    "churn",
];

/// Columns with so many different values may be labels by this alone.
const FEW: std::ops::RangeInclusive<u64> = 2..=20;

/// The columns of a profile (`nbayes profile --json`) that may be labels, the most plausible ones first:
/// those with the name of a label, the last, the first, and those with few different values.
pub(crate) fn plausible(profile: &Value, most: usize) -> Vec<String> {
    let columns: Vec<(&str, u64)> = profile["columns"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|column| {
            Some((column["column"].as_str()?, column["distinct"]["n"].as_u64().unwrap_or_default()))
        })
        .collect();
    let named = columns.iter().filter(|(name, _)| NAMES.contains(&name.trim().to_lowercase().as_str()));
    let few = columns.iter().filter(|(_, distinct)| FEW.contains(distinct));
    let mut labels: Vec<String> = Vec::new();
    for (name, _) in named.chain(columns.last()).chain(columns.first()).chain(few) {
        if labels.len() < most && !labels.iter().any(|label| label == name) {
            labels.push((*name).to_owned());
        }
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_come_first_and_then_the_last_the_first_and_those_with_few_values() {
        let column = |name: &str, n: u64| json!({ "column": name, "distinct": { "n": n } });
        let profile = json!({ "columns": [
            column("id", 150), column("sex", 2), column("Class", 3), column("size", 90), column("price", 80),
        ] });
        assert_eq!(plausible(&profile, 9), ["Class", "price", "id", "sex"]);
        assert_eq!(plausible(&profile, 2), ["Class", "price"]);
        assert!(plausible(&json!({}), 3).is_empty());
    }
}
