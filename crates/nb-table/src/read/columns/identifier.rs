//! Columns that name or count the rows and tell nothing of them.

use crate::read::KindChoice;

/// Whether a column counts the rows, from 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum NextRow {
    /// It does not.
    No,
    /// It may: its name is one of such columns.
    First,
    /// It does as far as is known, and this is the next number.
    Number(f64),
    /// It does in all rows.
    All,
}

impl NextRow {
    pub(super) fn new(name: &str, choice: Option<KindChoice>) -> Self {
        const NAMES: [&str; 9] =
            ["", "unnamed: 0", "__index_level_0__", "...1", "rownames", "row_names", "row", "index", "rowid"];
        let is_candidate = choice.is_none() && NAMES.contains(&name.trim().to_lowercase().as_str());
        if is_candidate { Self::First } else { Self::No }
    }

    pub(super) fn look(&mut self, value: f64) {
        *self = match *self {
            Self::First if value == 0.0 || value == 1.0 => Self::Number(value + 1.0),
            Self::Number(next) if value == next => Self::Number(next + 1.0),
            Self::All => Self::All,
            _ => Self::No,
        };
    }

    pub(super) fn is_open(self) -> bool {
        matches!(self, Self::First | Self::Number(_))
    }

    /// One row alone counts nothing.
    pub(super) fn end_pass(&mut self) {
        if let Self::Number(next) = *self {
            *self = if next > 2.0 { Self::All } else { Self::No };
        }
    }

    pub(super) fn counts_rows(self) -> bool {
        self == Self::All
    }
}

/// Whether a name is one of a column of identifiers: its last word is `id`, `key`, `uuid` or `guid`, as in `id`, `customer_id`,
/// `PassengerId` and `order key`.
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
