//! Text from files on a terminal: what would move the cursor, change colours or turn lines round is shown
//! instead.

use std::borrow::Cow;

/// The text with control characters, and those that change the direction of text, escaped.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden)
}

/// The same for several lines.
pub(super) fn visible_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |letter| letter != '\n' && is_hidden(letter))
}

/// Names in quotes, as in a sentence; of very many only the first.
pub(crate) fn quoted_list<T: AsRef<str>>(names: &[T]) -> String {
    const MOST: usize = 12;
    let shown: Vec<String> = names.iter().take(MOST).map(|name| format!("{:?}", name.as_ref())).collect();
    match names.len().saturating_sub(MOST) {
        0 => shown.join(", "),
        rest => format!("{} and {rest} more", shown.join(", ")),
    }
}

fn escaped(text: &str, hide: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&hide) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        match letter {
            '\n' | '\r' | '\t' if hide(letter) => shown.extend(letter.escape_default()),
            _ if hide(letter) => shown.extend(letter.escape_unicode()),
            _ => shown.push(letter),
        }
    }
    Cow::Owned(shown)
}

fn is_hidden(letter: char) -> bool {
    let changes_direction = matches!(letter, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    let ends_line = matches!(letter, '\u{2028}' | '\u{2029}');
    letter.is_control() || changes_direction || ends_line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_terminals_obey_is_escaped() {
        assert_eq!(visible("a\u{1b}[2Jb"), "a\\u{1b}[2Jb");
        assert_eq!(visible("a\u{7}\u{9b}\u{7f}"), "a\\u{7}\\u{9b}\\u{7f}");
        assert_eq!(visible("abc\u{202e}fed"), "abc\\u{202e}fed");
        assert_eq!(visible("1\n2\t3\r"), "1\\n2\\t3\\r");
        assert_eq!(visible_lines("1\n2\t3"), "1\n2\\t3");
        assert_eq!(visible("Zoë, 名, 👩‍👧, שלום"), "Zoë, 名, 👩‍👧, שלום");
    }
}
