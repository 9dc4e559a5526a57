//! Spellings of one word that differ in their characters only.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// How texts are normalised before they are split into words, so that one word has one spelling.
///
/// ```
/// use nb_table::text::{Normalization, Tokens};
///
/// let spellings = "Café Cafe\u{301} ＣＡＦÉ";
/// assert_eq!(Tokens::default().terms(spellings), ["café", "café", "café"]);
/// let as_written = Tokens::default().with_normalization(Normalization::None);
/// assert_eq!(as_written.terms(spellings), ["café", "cafe", "ｃａｆé"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Normalization {
    /// Not at all: characters are compared as they are written.
    None,
    /// Normalization Form KC of Unicode (UAX #15): an accent is part of its letter, and full-width letters,
    /// ligatures and other compatibility characters are the ordinary ones. The typographic apostrophes
    /// U+2019, U+02BC and U+FF07 become `'`, and the variation selectors U+FE0E and U+FE0F are dropped.
    #[default]
    Nfkc,
}

const SELECTORS: [char; 2] = ['\u{FE0E}', '\u{FE0F}'];
/// U+FF07 is `'` in NFKC; U+0149 has U+02BC there.
const APOSTROPHES: [char; 2] = ['\u{2019}', '\u{2BC}'];

/// The text in NFKC: itself if it is so already, else what is put in the place of `buffer`. ASCII costs
/// nothing.
pub(super) fn nfkc<'a>(text: &'a str, buffer: &'a mut String) -> &'a str {
    if text.is_ascii() {
        return text;
    }
    let is_other = |c: char| SELECTORS.contains(&c) || APOSTROPHES.contains(&c);
    if is_nfkc(text) && !text.contains(is_other) {
        return text;
    }
    buffer.clear();
    let characters = text.chars().filter(|c| !SELECTORS.contains(c)).nfkc();
    buffer.extend(characters.map(|c| if APOSTROPHES.contains(&c) { '\'' } else { c }));
    buffer
}

/// Whether a text is surely in NFKC.
pub(super) fn is_nfkc(text: &str) -> bool {
    is_nfkc_quick(text.chars()) == IsNormalized::Yes
}

/// The text without variation selectors: itself if it has none, else what is put in the place of `buffer`.
pub(super) fn without_selectors<'a>(text: &'a str, buffer: &'a mut String) -> &'a str {
    if text.is_ascii() || !text.contains(SELECTORS) {
        return text;
    }
    buffer.clear();
    buffer.extend(text.chars().filter(|c| !SELECTORS.contains(c)));
    buffer
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn spellings_become_one() {
        for (text, expected) in [
            ("plain", "plain"),
            ("e\u{301}", "é"),
            ("Ａ１", "A1"),
            ("ﬁne", "fine"),
            ("don\u{2019}t don\u{2BC}t don\u{FF07}t \u{149}", "don't don't don't 'n"),
            ("\u{2764}\u{FE0F}\u{2764}\u{FE0E}", "\u{2764}\u{2764}"),
            // A selector between a letter and its accent does not part them.
            ("e\u{FE0F}\u{301}", "é"),
        ] {
            assert_eq!(nfkc(text, &mut String::from("before")), expected);
        }
    }

    #[test]
    fn what_is_in_the_form_is_not_copied() {
        let mut buffer = String::new();
        for text in ["", "don't", "é", "Привет", "東京", "👍🏽"] {
            assert_eq!(nfkc(text, &mut buffer), text);
            assert_eq!(without_selectors(text, &mut buffer), text);
        }
        assert_eq!(buffer.capacity(), 0);
    }

    proptest! {
        #[test]
        fn normalising_twice_changes_nothing(text in "[\\PC\u{301}\u{327}\u{FE0F}\u{2019}]{0,20}") {
            let (mut first, mut second) = (String::new(), String::new());
            let once = nfkc(&text, &mut first);
            prop_assert_eq!(nfkc(once, &mut second), once);
            prop_assert!(unicode_normalization::is_nfkc(once));
        }
    }
}
