//! Names of columns that name the rows and tell nothing of them.

/// Whether a name is one of a column of identifiers: its last word is `id`, `key`, `uuid` or `guid`, as in
/// `id`, `customer_id`, `PassengerId` and `order key`.
pub(in crate::read) fn names_identifier(name: &str) -> bool {
    let letters: Vec<char> = name.trim().chars().collect();
    let n_word = letters.iter().rev().take_while(|letter| letter.is_alphabetic()).count();
    let word = &letters[letters.len() - n_word..];
    let is_one = |word: &[char]| {
        let word: String = word.iter().collect();
        ["id", "key", "uuid", "guid"].contains(&word.to_lowercase().as_str())
    };
    if is_one(word) {
        return true;
    }
    // A word within a name in camel case begins with a capital behind a small letter or a digit.
    let mut starts =
        (1..word.len()).rev().filter(|&place| word[place].is_uppercase() && word[place - 1].is_lowercase());
    starts.next().is_some_and(|start| is_one(&word[start..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_identifiers() {
        for name in
            ["id", "ID", "Id", "customer_id", "PassengerId", "customerID", "order key", "user.uuid", "x2id"]
        {
            assert!(names_identifier(name), "{name}");
        }
        for name in ["", "kid", "grid", "idle", "width", "id_type", "humid", "Monkey", "keys", "IDs", "amid"]
        {
            assert!(!names_identifier(name), "{name}");
        }
    }
}
