//! The nearest name, for messages about misspelt ones.

/// `"; the nearest is ..."`, or nothing if no name is near.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let scored =
        known.map(|known| (strsim::jaro_winkler(&name.to_lowercase(), &known.to_lowercase()), known));
    match scored.max_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((score, known)) if score > 0.7 => format!("; did you mean {known:?}?"),
        _ => String::new(),
    }
}
