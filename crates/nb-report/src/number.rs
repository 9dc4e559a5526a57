//! Numbers as text.

/// A number with this many decimals. What rounds to zero has no sign.
pub(crate) fn fixed(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return special(value);
    }
    // Formatting takes at most 65535 decimals, and panics beyond.
    let text = format!("{value:.*}", decimals.min(1000));
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|byte| matches!(byte, b'0' | b'.')) => digits.into(),
        _ => text,
    }
}

/// Numbers from here on are written in scientific form by [`short`].
pub(crate) const LARGE: f64 = 1e5;

/// The same in scientific form, where there are more than five digits before the point or all decimals are 0.
pub(crate) fn short(value: f64, decimals: usize) -> String {
    let is_lost = value != 0.0 && fixed(value, decimals).bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if value.is_finite() && (value.abs() >= LARGE || is_lost) {
        format!("{value:.*e}", decimals.min(1000))
    } else {
        fixed(value, decimals)
    }
}

/// The shortest text that reads back as the same number, with an exponent where that is far from 0.
pub(crate) fn exact(value: f64) -> String {
    if !value.is_finite() {
        special(value)
    } else if value == 0.0 || (1e-5..1e15).contains(&value.abs()) {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

fn special(value: f64) -> String {
    if value.is_nan() {
        "–".into()
    } else if value > 0.0 {
        "∞".into()
    } else {
        "-∞".into()
    }
}

/// The same with a proper minus sign before digits, for eyes only: programs do not read it as a number. In an
/// interval such as `-0.2 to -0.1` all numbers get one, and in other texts only the first, as names may have
/// hyphens.
pub(crate) fn for_eyes(text: &str) -> String {
    if !text.contains('-') {
        return text.into();
    }
    let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let are_numbers = words.iter().all(|word| is_number(word) || matches!(word.as_str(), "to" | "±"));
    let n_words = if are_numbers { words.len() } else { 1 };
    for word in &mut words[..n_words] {
        let start = word.len() - word.trim_start_matches(OPENING).len();
        if let Some(rest) = word[start..].strip_prefix('-').filter(|rest| starts_with_digit(rest)) {
            *word = format!("{}−{rest}", &word[..start]);
        }
    }
    words.join(" ")
}

/// What may be before and behind the numbers of an interval.
const OPENING: [char; 2] = ['(', '['];
const CLOSING: [char; 3] = [')', ']', ','];

fn is_number(word: &str) -> bool {
    let word = word.trim_start_matches(OPENING).trim_end_matches(CLOSING);
    let digits = word.strip_prefix('-').unwrap_or(word);
    digits == "∞" || starts_with_digit(digits) && digits.parse::<f64>().is_ok()
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || c == '∞')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        assert_eq!(fixed(-0.0004, 3), "0.000");
        assert_eq!(fixed(-0.0006, 3), "-0.001");
        assert_eq!(fixed(2.0, usize::MAX).len(), 1002);
        assert_eq!(exact(0.1 + 0.2), "0.30000000000000004");
        assert_eq!(exact(1e-300), "1e-300");
        assert_eq!(exact(-2.5e20), "-2.5e20");
        assert_eq!(exact(123_456.0), "123456");
        assert_eq!(for_eyes("-1.5"), "−1.5");
        assert_eq!(for_eyes("-x"), "-x");
        assert_eq!(for_eyes("-"), "-");
        assert_eq!(for_eyes("-0.07 to -0.02"), "−0.07 to −0.02");
        assert_eq!(for_eyes("-1.5 ± 1e-3"), "−1.5 ± 1e-3");
        assert_eq!(for_eyes("-0.3 (-∞ to -2e-5)"), "−0.3 (−∞ to −2e-5)");
        // Names are left as they are.
        assert_eq!(for_eyes("route -7 to -9"), "route -7 to -9");
        assert_eq!(for_eyes("0.5 of group -2"), "0.5 of group -2");
    }
}
