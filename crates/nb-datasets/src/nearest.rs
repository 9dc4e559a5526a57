//! The existing name that a mistyped one was probably meant to be.

/// The candidate with the fewest edits (insert, delete, replace a letter, ignoring case) from `name`; the
/// first of several, and an empty string if there are no candidates.
pub(crate) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let name = name.to_lowercase();
    candidates
        .into_iter()
        .min_by_key(|candidate| strsim::levenshtein(&name, &candidate.to_lowercase()))
        .unwrap_or_default()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn takes_the_first_of_equals() {
        assert_eq!(nearest("Wime", ["iris", "wine", "wipe"]), "wine");
        assert_eq!(nearest("anything", []), "");
    }
}
