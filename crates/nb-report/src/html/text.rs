//! Running text in HTML.

use crate::{Span, Text, escape};

pub(super) fn inline(text: &Text) -> String {
    text.spans.iter().map(span).collect()
}

fn span(span: &Span) -> String {
    let words = escape::html(span.words());
    match span {
        Span::Plain(_) => words,
        Span::Emphasis(_) => format!("<em>{words}</em>"),
        Span::Strong(_) => format!("<strong>{words}</strong>"),
        Span::Code(_) => format!("<code>{words}</code>"),
        // Behind `./`, so that a colon in a name does not end a scheme.
        Span::File(name) => format!("<a href=\"./{}\" download>{words}</a>", escape::address(name)),
        Span::Link { to, .. } => format!("<a href=\"#{to}\">{words}</a>"),
        Span::Web { url, .. } => {
            format!("<a href=\"{}\" rel=\"noopener noreferrer\">{words}</a>", escape::html(url))
        }
    }
}
