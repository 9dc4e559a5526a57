//! Numbers as people write them: with grouped thousands, a currency or a percent sign.

use crate::read::cells::number::number_with;

/// Signs before or behind the digits of a number.
const SIGNS: [char; 9] = ['%', '$', '€', '£', '¥', '₹', '₽', '₩', '¢'];
/// What may group digits, beside a comma or point that is not before the decimals: spaces of several widths
/// and apostrophes.
const GROUPS: [char; 6] = [' ', '\u{A0}', '\u{2009}', '\u{202F}', '\'', '’'];

/// The number in a text such as `$1,234.50`, `1 234,5 €`, `12 %` or `(1,234)`, which accountants write for
/// -1234. A percent sign and a currency do not change its value. None if the text is no number, also if the
/// digits are not grouped by three.
pub(in crate::read) fn marked_number(text: &str, decimal: u8) -> Option<f64> {
    // Few texts are so short and have a digit.
    if text.len() > 64 || !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut digits = text.trim();
    let mut is_negative = false;
    if let Some(inner) = digits.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        (digits, is_negative) = (inner, true);
    }
    // A minus sign may be before the currency or behind it.
    for _ in 0..2 {
        digits = digits.trim();
        if let Some(rest) = digits.strip_prefix(['-', '−']) {
            if is_negative {
                return None;
            }
            (digits, is_negative) = (rest, true);
        }
        digits = digits.trim().trim_start_matches('+');
        digits = digits.strip_prefix(SIGNS).unwrap_or(digits);
    }
    digits = digits.strip_suffix(SIGNS).unwrap_or(digits).trim();
    let decimal = char::from(decimal);
    let (whole, decimals) = digits.split_once(decimal).map_or((digits, None), |(w, d)| (w, Some(d)));
    let is_group = |c: char| GROUPS.contains(&c) || (matches!(c, ',' | '.') && c != decimal);
    let mut plain = String::with_capacity(digits.len());
    match whole.find(is_group) {
        Some(place) => {
            let separator = whole[place..].chars().next()?;
            let mut groups = whole.split(separator);
            let first = groups.next()?;
            if !(1..=3).contains(&first.len()) {
                return None;
            }
            plain.push_str(first);
            for group in groups {
                if group.len() != 3 {
                    return None;
                }
                plain.push_str(group);
            }
            if !plain.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
        }
        None => plain.push_str(whole),
    }
    if let Some(decimals) = decimals {
        plain.push('.');
        plain.push_str(decimals);
    }
    if !plain.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let value = number_with(&plain, b'.').ok()?;
    Some(if is_negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_do_not_change_the_value() {
        for (text, decimal, value) in [
            ("$1,234.50", b'.', 1234.5),
            ("-$1,234", b'.', -1234.0),
            ("$-5", b'.', -5.0),
            ("(1,234,567.25)", b'.', -1_234_567.25),
            ("1.234,50 €", b',', 1234.5),
            ("€ 0,5", b',', 0.5),
            ("1 234 567,5", b',', 1_234_567.5),
            ("1\u{202F}234", b'.', 1234.0),
            ("1'234.5", b'.', 1234.5),
            ("12 %", b'.', 12.0),
            ("−3.5%", b'.', -3.5),
            ("1,234e3", b'.', f64::NAN),
            ("12,34", b'.', f64::NAN),
            ("1,2345", b'.', f64::NAN),
            ("1234,567", b'.', f64::NAN),
            ("1,234,56", b'.', f64::NAN),
            ("--5", b'.', f64::NAN),
            ("(-5)", b'.', f64::NAN),
            ("5 kg", b'.', f64::NAN),
            ("$", b'.', f64::NAN),
            ("12:30", b'.', f64::NAN),
            ("2024-01-05", b'.', f64::NAN),
            ("inf%", b'.', f64::NAN),
        ] {
            let found = marked_number(text, decimal).unwrap_or(f64::NAN);
            assert!(found == value || (found.is_nan() && value.is_nan()), "{text}: {found}");
        }
    }
}
