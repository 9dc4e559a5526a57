//! The existing name that a misspelt one was probably meant to be.

/// Longer names are not compared: the work grows with the square of the length.
const LONGEST: usize = 64;
/// No more candidates are looked at, so that an error message takes no noticeable time.
const MOST: usize = 100_000;

/// The candidate with the fewest edits (insert, delete, replace a letter, ignoring case) from `name`; the
/// first of several, and `None` if more than half of the letters would have to change.
pub(crate) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    if name.len() > LONGEST {
        return None;
    }
    let name = name.to_lowercase();
    candidates
        .into_iter()
        .take(MOST)
        .filter(|candidate| candidate.len() <= LONGEST)
        .map(|candidate| (strsim::levenshtein(&name, &candidate.to_lowercase()), candidate))
        .filter(|(edits, candidate)| 2 * edits <= name.len().max(candidate.len()))
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, candidate)| candidate.to_owned())
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn takes_the_first_with_the_fewest_edits() {
        assert_eq!(nearest("Wime", ["iris", "wine", "wipe"]).as_deref(), Some("wine"));
        assert_eq!(nearest("sepal length", ["length", "sepal_length"]).as_deref(), Some("sepal_length"));
        assert_eq!(nearest("anything", []), None);
        assert_eq!(nearest("x0", ["species", "length"]), None);
        assert_eq!(nearest(&"x".repeat(65), ["x"]), None);
    }
}
