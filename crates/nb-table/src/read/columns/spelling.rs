//! One spelling for what formats and programs write in several ways.

use std::{borrow::Cow, collections::HashMap};

use crate::category_name;

/// The classes that a model has, for labels that are written otherwise.
#[derive(Debug, Default)]
pub(in crate::read) struct KnownLabels(HashMap<String, String>);

impl KnownLabels {
    /// Classes of which two have the same name are only found as they are written.
    pub(in crate::read) fn new(classes: &[String]) -> Self {
        let mut known: HashMap<String, String> =
            classes.iter().map(|class| (label_name(class).into_owned(), class.clone())).collect();
        if known.len() < classes.len() {
            known.clear();
        }
        Self(known)
    }

    /// The class that a label is meant for: itself if it is of none.
    pub(in crate::read) fn class<'a>(&'a self, label: &'a str) -> &'a str {
        self.0.get(&*label_name(label)).map_or(label, String::as_str)
    }
}

/// The name of a category, and of whole numbers with an exponent (`1.000e+01`), as programs write all numbers
/// of an array.
fn label_name(label: &str) -> Cow<'_, str> {
    const EXACT: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;
    let name = category_name(label);
    let has_exponent = name.contains('.') && name.contains(['e', 'E']);
    match name.parse::<f64>() {
        Ok(number) if has_exponent && number.fract() == 0.0 && number.abs() < EXACT => {
            format!("{number:.0}").into()
        }
        _ => name.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_those_of_the_classes() {
        let known = KnownLabels::new(&["1.0".into(), "10".into(), "True".into(), "x".into()]);
        for (label, class) in [
            ("1", "1.0"),
            ("1.00", "1.0"),
            ("1.000e+00", "1.0"),
            ("1.00000e+01", "10"),
            ("true", "True"),
            ("x", "x"),
            ("2.0", "2.0"),
        ] {
            assert_eq!(known.class(label), class);
        }
        let ambiguous = KnownLabels::new(&["1".into(), "1.0".into()]);
        assert_eq!((ambiguous.class("1"), ambiguous.class("1.0")), ("1", "1.0"));
    }
}
