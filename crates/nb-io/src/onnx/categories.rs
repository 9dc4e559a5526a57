//! Names of categories to their codes, as the readers of tables do it.

use std::collections::{BTreeMap, BTreeSet};

use super::graph::{Graph, Name, count};
use crate::{Reading, category_name, read::missing_markers};

/// A whole number with decimals that are zero, which has the name of the number.
const WHOLE: &str = r"-?(0|[1-9][0-9]*)\.0+";

/// Adds the codes of the categories in `cells`: NaN for a missing cell, and the first code that no category
/// has for those that the model does not know.
pub(super) fn codes(graph: &mut Graph, cells: &str, levels: &[String], reading: &Reading) -> Name {
    const MISSING: i64 = -1;
    const OTHERWISE_WRITTEN: i64 = -2;
    let unseen = count(levels);
    let names = names(levels);
    let mut numbers: BTreeMap<&str, i64> = names.iter().map(|(name, code)| (name.as_str(), *code)).collect();
    let markers = missing(levels, reading);
    numbers.extend(markers.iter().map(|marker| (marker.as_str(), MISSING)));
    let wholes = whole_numbers(levels);
    let mut codes;
    if wholes.is_empty() {
        codes = graph.lookup(cells, &pairs(&numbers), unseen);
    } else {
        codes = graph.lookup(cells, &pairs(&numbers), OTHERWISE_WRITTEN);
        let is_whole = graph.matches(cells, WHOLE);
        // The point behind makes sure that there is one to split at.
        let point = graph.text(".");
        let parts = graph.operator_of_20("StringConcat", &[cells, &point], &[]);
        let (parts, _) = graph.split(&parts, ".", Some(1));
        let first = graph.integers(&[0]);
        // From `n_rows × 1 × parts` to `n_rows × 1`.
        let whole = graph.operator("Gather", &[&parts, &first], &[("axis", 2)]);
        let axis = graph.integers(&[2]);
        let whole = graph.operator("Squeeze", &[&whole, &axis], &[]);
        let of_whole = graph.lookup(&whole, &pairs(&wholes), unseen);
        let unseen = graph.integers(&[unseen]);
        let otherwise = graph.operator("Where", &[&is_whole, &of_whole, &unseen], &[]);
        let other = graph.integers(&[OTHERWISE_WRITTEN]);
        let is_other = graph.operator("Equal", &[&codes, &other], &[]);
        codes = graph.operator("Where", &[&is_other, &otherwise, &codes], &[]);
    }
    let codes = graph.as_double(&codes);
    let zero = graph.vector(&[0.0]);
    let is_missing = graph.operator("Less", &[&codes, &zero], &[]);
    let nan = graph.vector(&[f64::NAN]);
    graph.operator("Where", &[&is_missing, &nan, &codes], &[])
}

/// The codes of all spellings but those of whole numbers with decimals.
fn names(levels: &[String]) -> BTreeMap<String, i64> {
    let mut codes: BTreeMap<String, i64> = levels.iter().cloned().zip(0..).collect();
    let spellings = |name: &'static str| match name {
        "true" => ["true", "True", "TRUE"],
        _ => ["false", "False", "FALSE"],
    };
    for (level, code) in levels.iter().zip(0..) {
        let name = category_name(level);
        codes.entry(name.into()).or_insert(code);
    }
    for name in ["true", "false"] {
        if let Some(&code) = codes.get(name) {
            for spelling in spellings(name) {
                codes.entry(spelling.into()).or_insert(code);
            }
        }
    }
    codes
}

/// The codes of whole numbers by what is before the point.
fn whole_numbers(levels: &[String]) -> BTreeMap<&str, i64> {
    let is_whole = |name: &str| {
        let digits = name.strip_prefix('-').unwrap_or(name);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number && (name == "0" || !digits.starts_with('0'))
    };
    let mut codes = BTreeMap::new();
    for (level, code) in levels.iter().zip(0..) {
        // A level that is itself the name goes before another one that has it.
        let name = category_name(level);
        if is_whole(name) && (name == level || !codes.contains_key(name)) {
            codes.insert(name, code);
        }
    }
    if let Some(&zero) = codes.get("0") {
        codes.insert("-0", zero);
    }
    codes
}

fn pairs<'a>(codes: &BTreeMap<&'a str, i64>) -> Vec<(&'a str, i64)> {
    codes.iter().map(|(&name, &code)| (name, code)).collect()
}

/// The texts that mean that a cell is missing. The markers of text files are none where they are categories:
/// these come from a file that has missing cells of its own.
fn missing(levels: &[String], reading: &Reading) -> BTreeSet<String> {
    let usual = missing_markers();
    let markers = reading.missing.as_ref().unwrap_or(&usual);
    markers.iter().filter(|marker| !(usual.contains(*marker) && levels.contains(marker))).cloned().collect()
}
