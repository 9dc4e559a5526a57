//! Strings made safe where they go.

use std::fmt::Write as _;

/// Text in HTML and SVG, inside of elements and of quoted attributes. Control characters, which XML forbids,
/// become replacement characters.
pub(crate) fn html(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            c if c.is_control() && !matches!(c, '\n' | '\t') => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

/// The name of a file in an address (RFC 3986): letters, digits and `-._~` as they are, other bytes by their
/// numbers.
pub(crate) fn address(name: &str) -> String {
    let mut safe = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            safe.push(char::from(byte));
        } else {
            let _ = write!(safe, "%{byte:02X}");
        }
    }
    safe
}

/// Words in Markdown (`CommonMark` 0.31, section 2.4, and the tables of GitHub's dialect), on one line.
pub(crate) fn markdown(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '~' | '$' | '&') {
            safe.push('\\');
        }
        safe.push(if c.is_control() { ' ' } else { c });
    }
    // Lists and underlines of headings begin with these, and only at the beginning of a line, which may be
    // indented.
    let start = safe.len() - safe.trim_start_matches(' ').len();
    let words = &safe[start..];
    let digits = words.len() - words.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let ends_list = |rest: &str| rest.is_empty() || rest.starts_with(' ');
    if words.starts_with(['-', '+', '=']) && !words[1..].starts_with(char::is_numeric) {
        safe.insert(start, '\\');
    } else if digits > 0 && words[digits..].starts_with(['.', ')']) && ends_list(&words[digits + 1..]) {
        safe.insert(start + digits, '\\');
    }
    safe
}

/// Words in running text of LaTeX (Lamport 1994, *LaTeX: a document preparation system*, appendix C.1.2), on
/// one line.
pub(crate) fn latex(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut before = ' ';
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                safe.push('\\');
                safe.push(c);
            }
            '\\' => safe.push_str("\\textbackslash{}"),
            '~' => safe.push_str("\\textasciitilde{}"),
            '^' => safe.push_str("\\textasciicircum{}"),
            '`' => safe.push_str("\\textasciigrave{}"),
            '<' => safe.push_str("\\textless{}"),
            '>' => safe.push_str("\\textgreater{}"),
            '|' => safe.push_str("\\textbar{}"),
            '"' => safe.push_str("''"),
            // Behind the end of a row these would be read as its arguments.
            '[' | ']' | '*' => {
                let _ = write!(safe, "{{{c}}}");
            }
            // Two would become a dash.
            '-' if before == '-' => safe.push_str("{}-"),
            '–' => safe.push_str("--"),
            '—' => safe.push_str("---"),
            '…' => safe.push_str("\\ldots{}"),
            '†' => safe.push_str("\\dag{}"),
            '‡' => safe.push_str("\\ddag{}"),
            c if c.is_control() => safe.push(' '),
            c => match maths(c) {
                Some(command) => {
                    let _ = write!(safe, "${command}$");
                }
                None => safe.push(c),
            },
        }
        before = c;
    }
    safe
}

/// Signs that LaTeX has in formulas only.
fn maths(c: char) -> Option<&'static str> {
    Some(match c {
        '−' => "-",
        '±' => "\\pm",
        '×' => "\\times",
        '·' => "\\cdot",
        '∞' => "\\infty",
        '≤' => "\\le",
        '≥' => "\\ge",
        '≠' => "\\ne",
        '≈' => "\\approx",
        '→' => "\\to",
        '√' => "\\surd",
        '▲' | '△' => "\\bigtriangleup",
        '▼' | '▽' => "\\bigtriangledown",
        '•' => "\\bullet",
        '∘' => "\\circ",
        'α' => "\\alpha",
        'β' => "\\beta",
        'γ' => "\\gamma",
        'δ' => "\\delta",
        'Δ' => "\\Delta",
        'ε' => "\\varepsilon",
        'κ' => "\\kappa",
        'λ' => "\\lambda",
        'μ' | 'µ' => "\\mu",
        'π' => "\\pi",
        'ρ' => "\\rho",
        'σ' => "\\sigma",
        'τ' => "\\tau",
        'φ' => "\\varphi",
        'χ' => "\\chi",
        '⁰' => "^0",
        '¹' => "^1",
        '²' => "^2",
        '³' => "^3",
        '⁴' => "^4",
        '⁵' => "^5",
        '⁶' => "^6",
        '⁷' => "^7",
        '⁸' => "^8",
        '⁹' => "^9",
        '⁻' => "^-",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn html_has_no_way_out() {
        assert_eq!(html("<b a=\"1\" c='2'>&\u{1}"), "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;\u{fffd}");
    }

    #[test]
    fn addresses_have_no_scheme() {
        assert_eq!(address("a b:c\"ä.json.gz"), "a%20b%3Ac%22%C3%A4.json.gz");
    }

    #[test]
    fn markdown_stays_words() {
        assert_eq!(markdown("a|b*c_d<e>"), "a\\|b\\*c\\_d\\<e\\>");
        assert_eq!(markdown("- a - b"), "\\- a - b");
        assert_eq!(markdown("-0.5"), "-0.5");
        assert_eq!(markdown("1. a"), "1\\. a");
        assert_eq!(markdown("1.5"), "1.5");
        assert_eq!(markdown("a\nb"), "a b");
    }

    #[test]
    fn latex_stays_words() {
        assert_eq!(latex(r"50 % of a_b & c\d^2"), r"50 \% of a\_b \& c\textbackslash{}d\textasciicircum{}2");
        assert_eq!(latex("[1mm] x--y – ±"), "{[}1mm{]} x-{}-y -- $\\pm$");
        assert_eq!(latex("Demšar"), "Demšar");
    }

    proptest! {
        #[test]
        fn no_string_leaves_its_place(text in any::<String>()) {
            prop_assert!(!html(&text).contains(['<', '>', '"', '\'']));
            prop_assert!(!markdown(&text).contains('\n'));
            let plain = latex(&text).replace("\\&", "").replace("\\%", "").replace("\\#", "");
            prop_assert!(!plain.contains(['&', '%', '#', '\n']));
        }
    }
}
