//! The existing name that a mistyped one was probably meant to be.

/// The candidate with the fewest edits (insert, delete, replace a letter, ignoring case) from `name`; the
/// first of several, and an empty string if there are no candidates.
pub(crate) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let name: Vec<char> = name.to_lowercase().chars().collect();
    candidates
        .into_iter()
        .min_by_key(|candidate| edits(&name, &candidate.to_lowercase()))
        .unwrap_or_default()
        .to_owned()
}

/// Levenshtein distance, one row of the table at a time.
fn edits(a: &[char], b: &str) -> usize {
    let mut row: Vec<usize> = (0..=a.len()).collect();
    for (j, letter) in b.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = j + 1;
        for (i, &other) in a.iter().enumerate() {
            let replaced = diagonal + usize::from(other != letter);
            diagonal = row[i + 1];
            row[i + 1] = replaced.min(row[i] + 1).min(diagonal + 1);
        }
    }
    row[a.len()]
}

#[cfg(test)]
mod tests {
    use super::{edits, nearest};

    #[test]
    fn counts_edits() {
        let distance = |a: &str, b: &str| edits(&a.chars().collect::<Vec<_>>(), b);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", ""), 3);
        assert_eq!(distance("same", "same"), 0);
    }

    #[test]
    fn takes_the_first_of_equals() {
        assert_eq!(nearest("Wime", ["iris", "wine", "wipe"]), "wine");
        assert_eq!(nearest("anything", []), "");
    }
}
