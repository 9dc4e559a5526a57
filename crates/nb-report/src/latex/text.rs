//! Running text in LaTeX.

use super::fit;
use crate::{Span, Text, escape};

/// Words on one line of the file; long ones may be broken.
pub(super) fn words(text: &str) -> String {
    let broken = |word: &str| {
        fit::pieces(word).iter().map(|piece| escape::latex(piece)).collect::<Vec<_>>().join("\\allowbreak{}")
    };
    text.split(char::is_whitespace).map(broken).collect::<Vec<_>>().join(" ")
}

/// A text with its spans. Links have the number of what they lead to.
pub(super) fn text(text: &Text) -> String {
    let span = |span: &Span| match span {
        Span::Plain(inner) => words(inner),
        Span::Emphasis(inner) => format!("\\emph{{{}}}", words(inner)),
        Span::Strong(inner) => format!("\\textbf{{{}}}", words(inner)),
        Span::Code(inner) | Span::File(inner) => format!("\\texttt{{{}}}", words(inner)),
        Span::Link { to, text } => format!("{} (\\ref{{{}}})", words(text), of_label(to)),
        Span::Web { url, text } => format!("{} (\\texttt{{{}}})", words(text), words(url)),
    };
    text.spans.iter().map(span).collect()
}

/// The command that gives something a label.
pub(super) fn label(id: &str) -> String {
    format!("\\label{{{}}}", of_label(id))
}

/// What links name something by.
fn of_label(id: &str) -> String {
    id.replace(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | ':' | '.'), "-")
}

/// Source text, line by line.
pub(super) fn code(text: &str) -> String {
    let line = |line: &str| {
        let indented = line.len() - line.trim_start().len();
        format!("\\mbox{{}}{}{}\\par\n", "~".repeat(indented), words(line.trim_start()))
    };
    let lines: String = text.trim_end().lines().map(line).collect();
    format!("{{\\footnotesize\\ttfamily\\raggedright\\setlength{{\\parindent}}{{0pt}}\n{lines}}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans() {
        let all = Text::new("a_b ")
            .emphasis("c")
            .strong("d")
            .code("e")
            .link("f_g", " h")
            .web("https://i.j/k-l-m-n", "o");
        assert_eq!(
            text(&all),
            "a\\_b \\emph{c}\\textbf{d}\\texttt{e} h (\\ref{f-g})o (\\texttt{https://\\allowbreak{}i.j/k-l-\\allowbreak{}m-n})"
        );
        assert_eq!(
            code("a = 1\n\n  b\n"),
            "{\\footnotesize\\ttfamily\\raggedright\\setlength{\\parindent}{0pt}\n\\mbox{}a = 1\\par\n\\mbox{}\\par\n\\mbox{}~~b\\par\n}"
        );
    }
}
