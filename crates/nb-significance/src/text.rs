//! Numbers and lists in sentences.

/// `p = 0.012` or `p < 0.001`, with more digits where three would hide on which side of `alpha` it lies.
pub(crate) fn p_value(p: f64, alpha: f64) -> String {
    if p < 0.001 {
        return if alpha >= 0.001 { "p < 0.001".into() } else { format!("p = {p:.2e}") };
    }
    for digits in 3..17 {
        let text = format!("{p:.digits$}");
        let rounded = text.parse().unwrap_or(p);
        if (p <= alpha) == (rounded <= alpha) && (rounded != alpha || p == alpha) {
            return format!("p = {text}");
        }
    }
    format!("p = {p:e}")
}

/// A number with three digits after the point, or three digits where that would show nothing of it.
pub(crate) fn number(value: f64) -> String {
    let rounded = format!("{value:.3}");
    if value == 0.0 || value.is_infinite() {
        format!("{}", value.abs() * value.signum())
    } else if rounded.trim_start_matches('-') == "0.000" || value.abs() >= 1e9 {
        format!("{value:.2e}")
    } else {
        rounded
    }
}

/// A level such as 0.05, or 95 in %, without the digits that `1 - 0.95` adds to it.
pub(crate) fn level(value: f64) -> String {
    let rounded: f64 = format!("{value:.9}").parse().unwrap_or(value);
    // Levels that near to 0 or 1 keep their digits.
    format!("{}", if rounded == 0.0 || rounded == 1.0 { value } else { rounded })
}

/// `A`, `A and B`, `A, B and C`.
pub(crate) fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [name] => (*name).into(),
        [names @ .., last] => format!("{} and {last}", names.join(", ")),
    }
}

/// `1 row`, `2 rows`.
pub(crate) fn count(n: u64, singular: &str, plural: &str) -> String {
    format!("{n} {}", if n == 1 { singular } else { plural })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_values_stay_on_their_side_of_the_level() {
        assert_eq!(p_value(0.003, 0.05), "p = 0.003");
        assert_eq!(p_value(0.000_99, 0.05), "p < 0.001");
        assert_eq!(p_value(0.0, 0.05), "p < 0.001");
        assert_eq!(p_value(1.0, 0.05), "p = 1.000");
        assert_eq!(p_value(0.049_96, 0.05), "p = 0.04996");
        assert_eq!(p_value(0.050_4, 0.05), "p = 0.0504");
        assert_eq!(p_value(0.05, 0.05), "p = 0.050");
        assert_eq!(p_value(3e-5, 1e-4), "p = 3.00e-5");
    }

    #[test]
    fn numbers_show_something() {
        assert_eq!(number(0.0123), "0.012");
        assert_eq!(number(-0.034), "-0.034");
        assert_eq!(number(-0.000_012_34), "-1.23e-5");
        assert_eq!(number(0.0), "0");
        assert_eq!(number(f64::NEG_INFINITY), "-inf");
        assert_eq!(level(1.0 - 0.95), "0.05");
        assert_eq!(level(100.0 * 0.29), "29");
        assert_eq!(level(1e-12), "0.000000000001");
    }

    #[test]
    fn lists_read_like_lists() {
        assert_eq!(list(&[]), "");
        assert_eq!(list(&["A"]), "A");
        assert_eq!(list(&["A", "B"]), "A and B");
        assert_eq!(list(&["A", "B", "C"]), "A, B and C");
        assert_eq!(count(1, "row", "rows"), "1 row");
    }
}
