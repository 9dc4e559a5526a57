//! What becomes of single characters, for those who count the words of texts elsewhere.

use std::{collections::BTreeSet, ops::RangeInclusive};

use unicode_normalization::{
    IsNormalized, UnicodeNormalization, char::canonical_combining_class, is_nfc_quick,
};

use super::{Emoji, Normalization, Segmentation, Tokens, tokens::Words};

/// What [`Tokens`] make of a character, where that does not depend on the characters beside it. An engine
/// with regular expressions can find the words of a text by it. [`replaced`](Self::replaced) comes first. A
/// word is then
///
/// - a chain of letters, digits and runs of syllables, in which a run of connectors is between syllables and
///   others, and may be anywhere else; in which one character of [`between_letters`](Self::between_letters)
///   may be between two letters, and one of [`between_digits`](Self::between_digits) between two digits;
/// - each of the [`single`](Self::single) and of the [`emoji`](Self::emoji).
///
/// In texts that have none of the [`others`](Self::others), and no [`joining`](Self::joining) character after
/// an emoji, these are the words of the tokens before short ones and stop words are left out. Ranges are in
/// rising order.
///
/// ```
/// use nb_table::text::Tokens;
///
/// let characters = Tokens::unicode().characters();
/// assert!(characters.replaced.contains(&('É', Some('é'))) && characters.replaced.contains(&('\u{FE0F}', None)));
/// assert!(characters.letters.iter().any(|range| range.contains(&'é')));
/// assert!(characters.between_letters.iter().any(|range| range.contains(&'\'')), "don't is a word");
/// assert!(characters.others.iter().any(|range| range.contains(&'\u{301}')), "an accent joins the letter before it");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Characters {
    /// Characters of words. Where words are runs of letters and digits, digits are among them.
    pub letters: Vec<RangeInclusive<char>>,
    /// Digits.
    pub digits: Vec<RangeInclusive<char>>,
    /// Syllables that make words with one another, but not with letters: Katakana.
    pub syllables: Vec<RangeInclusive<char>>,
    /// Characters that connect all of these, such as `_`.
    pub connectors: Vec<RangeInclusive<char>>,
    /// Characters that may be in a word between two letters.
    pub between_letters: Vec<RangeInclusive<char>>,
    /// Characters that may be in a word between two digits.
    pub between_digits: Vec<RangeInclusive<char>>,
    /// Characters that are words alone.
    pub single: Vec<RangeInclusive<char>>,
    /// Characters that are words alone, however long words must be.
    pub emoji: Vec<RangeInclusive<char>>,
    /// Characters that become part of an emoji if they come after it.
    pub joining: Vec<RangeInclusive<char>>,
    /// Characters whose part in words depends on those beside them, and those that become several: accents
    /// apart from their letters, ligatures, the capital sigma, Hebrew letters before quotes, halves of
    /// flags.
    pub others: Vec<RangeInclusive<char>>,
    /// Characters in whose place another one is read, or none.
    pub replaced: Vec<(char, Option<char>)>,
}

/// What becomes of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Letter,
    Digit,
    Syllable,
    Connector,
    BetweenLetters,
    BetweenDigits,
    BetweenBoth,
    Single,
    Emoji,
    Divider,
    Dropped,
    Other,
}

/// A part, and the texts, with a character as `*`, whose words show it, with what becomes of the character as
/// `*`.
type Proof<'a> = (Part, &'a [(&'a str, &'a [&'a str])]);

/// Characters above these are taken for others.
const LAST_LOOKED_AT: char = '\u{1FFFF}';

/// Characters that stay as they are, and are not looked at one by one: ideographs, and syllables of Hangul.
const IDEOGRAPHS: [RangeInclusive<char>; 2] = ['\u{3400}'..='\u{4DBF}', '\u{4E00}'..='\u{9FFF}'];
const HANGUL: RangeInclusive<char> = '\u{AC00}'..='\u{D7A3}';

impl Tokens {
    /// What becomes of single characters. It takes some hundredths of a second.
    pub fn characters(&self) -> Characters {
        let mut look = Look::new(self);
        let mut all = Characters::default();
        for c in '\0'..=char::MAX {
            let (part, image) = look.at(c);
            match image {
                _ if part == Part::Dropped => all.replaced.push((c, None)),
                Some(image) if image != c => all.replaced.push((c, Some(image))),
                _ => all.add(c, part),
            }
            if look.joins(c, part, image) {
                push(&mut all.joining, c);
            }
        }
        all
    }
}

impl Characters {
    fn add(&mut self, c: char, part: Part) {
        let ranges = match part {
            Part::Letter => &mut self.letters,
            Part::Digit => &mut self.digits,
            Part::Syllable => &mut self.syllables,
            Part::Connector => &mut self.connectors,
            Part::BetweenLetters => &mut self.between_letters,
            Part::BetweenDigits => &mut self.between_digits,
            Part::BetweenBoth => {
                push(&mut self.between_letters, c);
                &mut self.between_digits
            }
            Part::Single => &mut self.single,
            Part::Emoji => &mut self.emoji,
            Part::Other => &mut self.others,
            Part::Divider | Part::Dropped => return,
        };
        push(ranges, c);
    }
}

/// Adds the next character to ranges.
fn push(ranges: &mut Vec<RangeInclusive<char>>, c: char) {
    match ranges.last_mut() {
        Some(last) if *last.end() as u32 + 1 == c as u32 => *last = *last.start()..=c,
        _ => ranges.push(c..=c),
    }
}

/// Looks at what tokens make of a character among others.
struct Look {
    tokens: Tokens,
    words: Words,
}

impl Look {
    fn new(tokens: &Tokens) -> Self {
        let tokens = Tokens { min_chars: 0, n_grams: 1..=1, stop_words: BTreeSet::new(), ..tokens.clone() };
        Self { tokens, words: Words::default() }
    }

    /// Whether texts, in which `*` is a character, have these words, in which it is the image of the
    /// character.
    fn all(&mut self, c: char, image: char, expected: &[(&str, &[&str])]) -> bool {
        let (mut of_c, mut of_image) = ([0; 4], [0; 4]);
        let (own, image): (&str, &str) = (c.encode_utf8(&mut of_c), image.encode_utf8(&mut of_image));
        expected.iter().all(|(text, words)| {
            self.words.read(&self.tokens, &text.replace('*', own));
            self.words.terms(&(1..=1)).eq(words.iter().map(|word| word.replace('*', image)))
        })
    }

    /// What becomes of a character, and which one it is then, if it is in words.
    fn at(&mut self, c: char) -> (Part, Option<char>) {
        let is_unicode = self.tokens.segmentation == Segmentation::UnicodeWords;
        if HANGUL.contains(&c) {
            return (Part::Letter, Some(c));
        }
        if IDEOGRAPHS.iter().any(|range| range.contains(&c)) {
            return (if is_unicode { Part::Single } else { Part::Letter }, Some(c));
        }
        if c > LAST_LOOKED_AT || self.depends_on_neighbours(c) {
            return (Part::Other, None);
        }
        let without_image: [Proof<'_>; 2] = [
            (Part::Divider, &[("a*b", &["a", "b"]), ("1*1", &["1", "1"]), ("**", &[])]),
            (Part::Dropped, &[("a*b", &["ab"]), ("1*1", &["11"]), ("**", &[])]),
        ];
        if let Some((part, _)) = without_image.iter().find(|(_, expected)| self.all(c, c, expected)) {
            return (*part, None);
        }
        let Some(image) = self.image(c) else { return (Part::Other, None) };
        let alone = if image.is_alphanumeric() { Part::Single } else { Part::Emoji };
        let parts: &[Proof<'_>] = if is_unicode {
            &[
                (
                    Part::Letter,
                    &[
                        ("a*b", &["a*b"]),
                        ("**", &["**"]),
                        ("1*,1", &["1*", "1"]),
                        ("a.*:a", &["a.*:a"]),
                        ("*'", &["*"]),
                        ("_*_", &["_*_"]),
                    ],
                ),
                (
                    Part::Digit,
                    &[
                        ("a*b", &["a*b"]),
                        ("**", &["**"]),
                        ("1,*.1", &["1,*.1"]),
                        ("a:*", &["a", "*"]),
                        ("*'", &["*"]),
                        ("_*_", &["_*_"]),
                    ],
                ),
                (
                    Part::Syllable,
                    &[("a*b", &["a", "*", "b"]), ("**", &["**"]), ("*.*", &["*", "*"]), ("_*_", &["_*_"])],
                ),
                (
                    Part::Connector,
                    &[
                        ("a*b", &["a*b"]),
                        ("a**1", &["a**1"]),
                        ("a*.b", &["a*", "b"]),
                        ("*a", &["*a"]),
                        ("**", &[]),
                    ],
                ),
                (
                    Part::BetweenLetters,
                    &[("a*b", &["a*b"]), ("a**b", &["a", "b"]), ("1*1", &["1", "1"]), ("**", &[])],
                ),
                (
                    Part::BetweenDigits,
                    &[("a*b", &["a", "b"]), ("1**1", &["1", "1"]), ("1*1", &["1*1"]), ("**", &[])],
                ),
                (
                    Part::BetweenBoth,
                    &[("a*b", &["a*b"]), ("a**b", &["a", "b"]), ("1*1", &["1*1"]), ("1**1", &["1", "1"])],
                ),
                (alone, &[("a*b", &["a", "*", "b"]), ("**", &["*", "*"]), ("1*1", &["1", "*", "1"])]),
            ]
        } else {
            &[
                (Part::Letter, &[("a*b", &["a*b"]), ("**", &["**"]), ("1*1", &["1*1"])]),
                (alone, &[("a*b", &["a", "*", "b"]), ("**", &["*", "*"]), ("1*1", &["1", "*", "1"])]),
            ]
        };
        let found = parts.iter().find(|(_, expected)| self.all(c, image, expected)).map(|&(part, _)| part);
        match found {
            // What is read in its place has the same part: a letter in parentheses is a word alone, and the
            // letter is not.
            Some(part) if image == c || self.at(image).0 == part => (part, Some(image)),
            _ => (Part::Other, None),
        }
    }

    /// The one character that another becomes between letters or digits, or alone.
    fn image(&mut self, c: char) -> Option<char> {
        [("a", "b"), ("1", "1"), ("", "")].into_iter().find_map(|(before, after)| {
            self.words.read(&self.tokens, &format!("{before}{c}{after}"));
            let words: Vec<&str> = self.words.terms(&(1..=1)).collect();
            let [word] = words[..] else { return None };
            let mut inside = word.strip_prefix(before)?.strip_suffix(after)?.chars();
            inside.next().filter(|_| inside.next().is_none())
        })
    }

    /// Whether a character becomes part of an emoji before it.
    fn joins(&mut self, c: char, part: Part, image: Option<char>) -> bool {
        if self.tokens.emoji != Emoji::Keep || part == Part::Other || HANGUL.contains(&c) {
            return false;
        }
        let between: &[&str] = match part {
            Part::Letter | Part::Digit | Part::Syllable | Part::Single | Part::Emoji => &["☺", "*", "☺"],
            _ => &["☺", "☺"],
        };
        !self.all(c, image.unwrap_or(c), &[("☺*☺", between)])
    }

    /// Whether a character may compose with one before it, or change places with it, in the form of the
    /// tokens.
    fn depends_on_neighbours(&self, c: char) -> bool {
        let moves = |c: char| {
            canonical_combining_class(c) != 0 || is_nfc_quick(std::iter::once(c)) == IsNormalized::Maybe
        };
        self.tokens.normalization == Normalization::Nfkc
            && (moves(c) || std::iter::once(c).nfkc().next().is_some_and(moves))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    impl Characters {
        /// The lists that a character is in.
        fn parts(&self, c: char) -> String {
            let lists = [
                ("letter", &self.letters),
                ("digit", &self.digits),
                ("syllable", &self.syllables),
                ("connector", &self.connectors),
                ("in letters", &self.between_letters),
                ("in digits", &self.between_digits),
                ("single", &self.single),
                ("emoji", &self.emoji),
                ("other", &self.others),
            ];
            let own = lists.iter().filter(|(_, ranges)| ranges.iter().any(|range| range.contains(&c)));
            let replaced = self.replaced.iter().any(|&(from, _)| from == c).then_some("replaced");
            own.map(|&(name, _)| name).chain(replaced).collect::<Vec<_>>().join(", ")
        }
    }

    #[test]
    fn characters_have_their_parts() {
        let (runs, words) = (Tokens::default().characters(), Tokens::unicode().characters());
        for (characters, of_runs, of_words) in [
            ("azßяé가", "letter", "letter"),
            ("09٣", "letter", "digit"),
            ("東は", "letter", "single"),
            ("カ", "letter", "syllable"),
            ("_", "", "connector"),
            (".'", "", "in letters, in digits"),
            (":", "", "in letters"),
            (",;", "", "in digits"),
            ("AZÉЯＡªº²\u{FE0F}", "replaced", "replaced"),
            ("\u{2019}", "", "replaced"),
            (" -£€…\u{A0}", "", ""),
            ("☺❤👍", "emoji", "emoji"),
            // A letter in parentheses, and one in a circle, which is a letter.
            ("㈀", "other", "other"),
            ("Ⓐ", "replaced", "replaced"),
            ("Σ\u{301}½ﬁ🇩🏽İ\u{1161}\u{9BE}\u{20E3}", "other", "other"),
            // In words of Unicode the soft hyphen is part of a word, and a quote after a Hebrew letter.
            ("\u{AD}", "", "other"),
            ("א", "letter", "other"),
        ] {
            for c in characters.chars() {
                assert_eq!((&*runs.parts(c), &*words.parts(c)), (of_runs, of_words), "{c:?}");
            }
        }
        assert!(runs.joining.iter().any(|range| range.contains(&'\u{200D}')));
    }

    /// The words that an engine finds, by the expression that the documentation describes.
    fn found(all: &Characters, text: &str) -> Option<Vec<String>> {
        let has = |ranges: &[RangeInclusive<char>], c: char| ranges.iter().any(|range| range.contains(&c));
        let read = |c: char| match all.replaced.iter().find(|&&(from, _)| from == c) {
            Some(&(_, to)) => to,
            None => Some(c),
        };
        let text: Vec<char> = text.chars().filter_map(read).collect();
        let joins = |pair: &[char]| has(&all.emoji, pair[0]) && has(&all.joining, pair[1]);
        if text.iter().any(|&c| has(&all.others, c)) || text.windows(2).any(joins) {
            return None;
        }
        let (mut words, mut at) = (Vec::new(), 0);
        while at < text.len() {
            let start = at;
            let (mut has_core, mut last) = (false, ' ');
            while let Some(&c) = text.get(at) {
                let next = text.get(at + 1).copied().unwrap_or(' ');
                let goes_on = if has(&all.connectors, c) {
                    true
                } else if has(&all.syllables, c) {
                    at == start || has(&all.syllables, last) || has(&all.connectors, last)
                } else if has(&all.letters, c) || has(&all.digits, c) {
                    !has(&all.syllables, last)
                } else {
                    (has(&all.between_letters, c) && has(&all.letters, last) && has(&all.letters, next))
                        || (has(&all.between_digits, c) && has(&all.digits, last) && has(&all.digits, next))
                };
                if !goes_on {
                    break;
                }
                has_core |= !has(&all.connectors, c);
                (last, at) = (c, at + 1);
            }
            if at == start {
                has_core = has(&all.single, text[at]) || has(&all.emoji, text[at]);
                at += 1;
            }
            if has_core {
                words.push(text[start..at].iter().collect());
            }
        }
        Some(words)
    }

    #[test]
    fn words_are_found_by_characters() {
        let variants = [
            Tokens::default(),
            Tokens::unicode(),
            Tokens::unicode().with_emoji(Emoji::Drop),
            Tokens::unicode().with_normalization(Normalization::None).with_lower_case(false),
        ];
        for tokens in variants {
            let tokens = tokens.with_min_chars(1);
            let all = tokens.characters();
            let text = "[a-cA-C1-3 É\u{301}ß☺👍🏽\u{200D}\u{FE0F}Σς½東カワー가ªİ'_.,:;\u{2019}]{0,8}|[a-c1-3カ東_.,:']{0,8}|\\PC{0,8}";
            proptest!(|(text in text)| {
                if let Some(found) = found(&all, &text) {
                    prop_assert_eq!(found, tokens.terms(&text), "{:?}", text);
                }
            });
        }
    }
}
