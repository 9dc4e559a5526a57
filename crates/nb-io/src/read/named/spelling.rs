//! One spelling for what formats and programs write in several ways.

use std::collections::HashMap;

/// The name of a category, the same whatever program wrote it: whole numbers have no decimals that are zero, as those that a
/// column of doubles has (`1.0` and `1.00` are `1`), and truth values are `true` and `false` (also `True`, `TRUE`). Everything
/// else is its own name; `007` and `1.10` are no numbers here, as identifiers and versions are written so.
pub(in crate::read) fn category_name(text: &str) -> &str {
    if let Some((whole, decimals)) = text.split_once('.') {
        let digits = whole.strip_prefix('-').unwrap_or(whole);
        let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let is_plain = digits == "0" || !digits.starts_with('0');
        if is_whole && is_plain && !decimals.is_empty() && decimals.bytes().all(|byte| byte == b'0') {
            return if digits == "0" { digits } else { whole };
        }
    } else if matches!(text, "True" | "TRUE") {
        return "true";
    } else if matches!(text, "False" | "FALSE") {
        return "false";
    }
    text
}

/// The classes that a model has, for labels that are written otherwise.
#[derive(Debug, Default)]
pub(in crate::read) struct KnownLabels(HashMap<String, String>);

impl KnownLabels {
    /// Classes of which two have the same name are only found as they are written.
    pub(in crate::read) fn new(classes: &[String]) -> Self {
        let mut known: HashMap<String, String> =
            classes.iter().map(|class| (category_name(class).to_owned(), class.clone())).collect();
        if known.len() < classes.len() {
            known.clear();
        }
        Self(known)
    }

    /// The class that a label is meant for: itself if it is of none.
    pub(in crate::read) fn class<'a>(&'a self, label: &'a str) -> &'a str {
        self.0.get(category_name(label)).map_or(label, String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_those_of_the_classes() {
        let known = KnownLabels::new(&["1.0".into(), "True".into(), "x".into()]);
        for (label, class) in [("1", "1.0"), ("1.00", "1.0"), ("true", "True"), ("x", "x"), ("2.0", "2.0")] {
            assert_eq!(known.class(label), class);
        }
        let ambiguous = KnownLabels::new(&["1".into(), "1.0".into()]);
        assert_eq!((ambiguous.class("1"), ambiguous.class("1.0")), ("1", "1.0"));
    }

    #[test]
    fn numbers_and_truth_values_have_one_name() {
        for (text, name) in [
            ("1.0", "1"),
            ("-12.000", "-12"),
            ("-0.0", "0"),
            ("0.0", "0"),
            ("True", "true"),
            ("FALSE", "false"),
            ("007", "007"),
            ("007.0", "007.0"),
            ("1.10", "1.10"),
            ("1.", "1."),
            (".0", ".0"),
            ("-.0", "-.0"),
            ("1.0.0", "1.0.0"),
            ("1e0", "1e0"),
            ("tRUE", "tRUE"),
            ("", ""),
        ] {
            assert_eq!(category_name(text), name, "{text}");
        }
    }
}
