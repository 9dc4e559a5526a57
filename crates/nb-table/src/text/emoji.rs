//! Emoji as terms.

use std::ops::Range;

use unicode_properties::UnicodeEmoji;
use unicode_segmentation::UnicodeSegmentation;

/// What is done with emoji.
///
/// ```
/// use nb_table::text::{Emoji, Tokens};
///
/// assert_eq!(Tokens::default().terms("Great👍🏽👍🏽 ❤️"), ["great", "👍🏽", "👍🏽", "❤"]);
/// assert_eq!(Tokens::default().with_emoji(Emoji::Drop).terms("Great👍🏽👍🏽 ❤️"), ["great"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Emoji {
    /// Each is its own word, whatever the minimum length of words: a pictograph with its skin tone, a
    /// sequence of pictographs with joiners, a flag, a keycap. Variation selectors are dropped, so that
    /// `❤` and `❤️` are one.
    #[default]
    Keep,
    /// They divide words as punctuation does.
    Drop,
}

const JOINER: char = '\u{200D}';
const KEYCAP: char = '\u{20E3}';

/// Where the first emoji of a text without variation selectors is: the grapheme cluster (UAX #29) that begins
/// with a character of the property `Emoji` that is neither ASCII, letter nor digit, or with the base of a
/// keycap.
pub(super) fn find(text: &str) -> Option<Range<usize>> {
    let start = text.char_indices().find_map(|(at, c)| match c {
        // Before these only digits and punctuation of ASCII have the property.
        '\0'..='\u{A8}' => None,
        KEYCAP => {
            let is_base = text[..at].ends_with(|c: char| c.is_ascii_digit() || c == '#' || c == '*');
            is_base.then(|| at - 1)
        }
        _ => (c.is_emoji_char() && !c.is_alphanumeric()).then_some(at),
    })?;
    let length = text[start..].graphemes(true).next().map_or(0, str::len);
    Some(start..start + length)
}

/// The term of an emoji: without a joiner that joins nothing.
pub(super) fn term(cluster: &str) -> &str {
    cluster.trim_end_matches(JOINER)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        while let Some(place) = find(text) {
            found.push(term(&text[place.clone()]));
            text = &text[place.end..];
        }
        found
    }

    #[test]
    fn emoji_are_found_whole() {
        for (text, expected) in [
            ("", &[][..]),
            ("no 1 # * é ß 東 ½", &[]),
            ("a👍b", &["👍"]),
            ("👍👍🏽", &["👍", "👍🏽"]),
            ("👩\u{200D}👩\u{200D}👧!", &["👩\u{200D}👩\u{200D}👧"]),
            ("\u{2764}\u{200D}🔥", &["\u{2764}\u{200D}🔥"]),
            ("👍\u{200D} and", &["👍"]),
            ("🇩🇪🇫🇷🇩", &["🇩🇪", "🇫🇷", "🇩"]),
            ("🏴\u{E0067}\u{E0062}\u{E007F}", &["🏴\u{E0067}\u{E0062}\u{E007F}"]),
            ("12\u{20E3} #\u{20E3} x\u{20E3} \u{20E3}", &["2\u{20E3}", "#\u{20E3}"]),
            ("☺ ♥ ☎", &["☺", "♥", "☎"]),
            // Letters in boxes are letters.
            ("🅰🅱", &[]),
        ] {
            assert_eq!(all(text), expected, "{text}");
        }
    }
}
