//! One mail: fields of its header, and the text of its body.

use mail_parser::{ContentType, Message, MessageParser, MimeHeaders, PartType, decoders::html::html_to_text};

use crate::read::{cells::date::moment_of_text, file::recognize::field_name};

/// How deep parts may be in one another; what is deeper is not read.
const DEEPEST: usize = 16;

/// What is read of a mail. What is not there is an empty text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mail {
    /// The address of the sender.
    pub(super) from: String,
    pub(super) subject: String,
    /// When it was sent, as ISO 8601 writes it.
    pub(super) date: String,
    /// How many parts are not read.
    pub(super) n_attachments: usize,
    /// The body as plain text.
    pub(super) text: String,
}

impl Mail {
    /// Reads a mail; `None` if it does not begin with a field of a header.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        // A last line without an end is not read as a field.
        let bytes = &[bytes.trim_ascii_start(), b"\n"].concat()[..];
        let first = bytes.split(|&byte| byte == b'\n').next()?;
        field_name(first)?;
        let message = MessageParser::new().parse_headers(bytes)?;
        let address = || message.from()?.first()?.address();
        let date = message.date().map(ToString::to_string);
        let body = Body::of(bytes, DEEPEST);
        Some(Self {
            from: address().unwrap_or_default().into(),
            subject: message.subject().unwrap_or_default().into(),
            date: date.filter(|date| moment_of_text(date).is_some()).unwrap_or_default(),
            n_attachments: body.n_attachments,
            text: body.text,
        })
    }
}

/// What is read of a part.
///
/// Parts are split here and decoded by `mail_parser`, which would read mails within mails to any depth, one
/// on top of the other on the stack.
#[derive(Debug, Default)]
struct Body {
    text: String,
    is_html: bool,
    n_attachments: usize,
}

impl Body {
    fn of(part: &[u8], deepest: usize) -> Self {
        let headers = MessageParser::new().parse_headers(part);
        let headers = headers.as_ref();
        let content_type = headers.and_then(Message::content_type);
        let is_attachment =
            headers.and_then(Message::content_disposition).is_some_and(ContentType::is_attachment);
        let (kind, subtype) = content_type.map_or(("text", "plain"), |content_type| {
            (content_type.ctype(), content_type.subtype().unwrap_or_default())
        });
        match (kind, subtype) {
            ("multipart", subtype) if deepest > 0 => {
                let boundary = content_type.and_then(|content_type| content_type.attribute("boundary"));
                let parts = parts(part, boundary.unwrap_or_default());
                if parts.is_empty() {
                    return Self { text: lossy(after_header(part)), ..Self::default() };
                }
                let parts = parts.into_iter().map(|part| Self::of(part, deepest - 1));
                Self::joined(parts.collect(), subtype == "alternative")
            }
            ("text", "plain" | "html") if !is_attachment => Self::of_text(part),
            _ => Self { n_attachments: 1, ..Self::default() },
        }
    }

    /// A part that is text, decoded.
    fn of_text(part: &[u8]) -> Self {
        let message = MessageParser::new().parse(part);
        let body = message.as_ref().and_then(|message| Some(&message.parts.first()?.body));
        let (text, is_html) = match body {
            Some(PartType::Html(html)) => (html_to_text(html), true),
            Some(PartType::Text(text)) => (text.to_string(), false),
            _ => (String::new(), false),
        };
        Self { text: text.trim().into(), is_html, n_attachments: 0 }
    }

    /// Several parts, or the one of several alternatives that is plain text.
    fn joined(parts: Vec<Self>, are_alternatives: bool) -> Self {
        let n_attachments = parts.iter().map(|part| part.n_attachments).sum();
        let mut texts: Vec<Self> = parts.into_iter().filter(|part| !part.text.is_empty()).collect();
        if are_alternatives {
            texts.sort_by_key(|part| part.is_html);
            texts.truncate(1);
        }
        let is_html = texts.iter().any(|part| part.is_html);
        let texts: Vec<String> = texts.into_iter().map(|part| part.text).collect();
        Self { text: texts.join("\n"), is_html, n_attachments }
    }
}

/// The parts between lines with the boundary. The last one may lack its end.
fn parts<'a>(part: &'a [u8], boundary: &str) -> Vec<&'a [u8]> {
    let (mut parts, mut start) = (Vec::new(), None);
    let (body, mut place) = (after_header(part), 0);
    for line in body.split_inclusive(|&byte| byte == b'\n') {
        let (before, behind) = (place, place + line.len());
        place = behind;
        let rest = line.strip_prefix(b"--").and_then(|line| line.strip_prefix(boundary.as_bytes()));
        let Some(rest) = rest.map(<[u8]>::trim_ascii_end).filter(|_| !boundary.is_empty()) else { continue };
        if rest.is_empty() || rest == b"--" {
            parts.extend(start.take().map(|start| &body[start..before]));
            if rest == b"--" {
                return parts;
            }
            start = Some(behind);
        }
    }
    parts.extend(start.map(|start| &body[start..]));
    parts
}

/// What follows the header: what is behind the first blank line.
fn after_header(part: &[u8]) -> &[u8] {
    let mut place = 0;
    for line in part.split_inclusive(|&byte| byte == b'\n') {
        place += line.len();
        if line.trim_ascii().is_empty() {
            break;
        }
    }
    &part[place..]
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().into()
}
