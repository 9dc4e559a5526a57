//! One name for a category that programs write in several ways.

/// The name of a category, the same whatever program wrote it: whole numbers have no decimals that are zero,
/// as those that a column of doubles has (`1.0`, `1.00` and `1.000e+00` are `1`), and truth values are `true`
/// and `false` (also `True`, `TRUE`). Everything else is its own name; `007` and `1.10` are no numbers here,
/// as identifiers and versions are written so. Readers name the categories of a [`Schema`](crate::Schema) by
/// it.
///
/// ```
/// use nb_table::category_name;
///
/// assert_eq!((category_name("1.0"), category_name("True"), category_name("007")), ("1", "true", "007"));
/// ```
pub fn category_name(text: &str) -> &str {
    if let Some((whole, decimals)) = text.split_once('.') {
        let decimals = without_zero_exponent(decimals);
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

/// The decimals before an exponent that is zero, such as `e+00`.
fn without_zero_exponent(decimals: &str) -> &str {
    let Some((before, exponent)) = decimals.split_once(['e', 'E']) else { return decimals };
    let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    if !digits.is_empty() && digits.bytes().all(|byte| byte == b'0') { before } else { decimals }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("1.000e+00", "1"),
            ("0.0E-0", "0"),
            ("1.0e+01", "1.0e+01"),
            ("1.5e+00", "1.5e+00"),
            ("1.0e", "1.0e"),
            ("tRUE", "tRUE"),
            ("", ""),
        ] {
            assert_eq!(category_name(text), name, "{text}");
        }
    }
}
