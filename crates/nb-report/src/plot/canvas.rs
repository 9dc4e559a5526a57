//! Elements of SVG. Colours, widths and fonts are those of the style sheet, by class.

use std::fmt::Write as _;

use crate::escape;

/// A picture that grows element by element.
#[derive(Debug)]
pub(super) struct Canvas {
    elements: String,
}

/// Where a text has its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn name(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

/// A coordinate: a hundredth of a pixel is enough, and short.
pub(super) fn at(value: f64) -> String {
    let text = format!("{value:.2}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if matches!(short, "-0" | "") { "0".into() } else { short.into() }
}

impl Canvas {
    pub(super) fn new() -> Self {
        Self { elements: String::new() }
    }

    pub(super) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(at);
        let _ = write!(self.elements, r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#);
    }

    /// A path through these points.
    pub(super) fn path(&mut self, class: &str, points: &[(f64, f64)], closed: bool) {
        let _ = write!(self.elements, r#"<path class="{class}" d="{}"/>"#, trace(points, closed));
    }

    /// A path from a string of its commands.
    pub(super) fn shape(&mut self, class: &str, commands: &str) {
        let _ = write!(self.elements, r#"<path class="{class}" d="{commands}"/>"#);
    }

    /// A rectangle from its corner at the upper left.
    pub(super) fn rect(&mut self, class: &str, corner: (f64, f64), size: (f64, f64), opacity: Option<f64>) {
        let [x, y, width, height] = [corner.0, corner.1, size.0, size.1].map(at);
        let opacity = opacity.map(|opacity| format!(r#" fill-opacity="{opacity:.3}""#)).unwrap_or_default();
        let _ = write!(
            self.elements,
            r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}"{opacity}/>"#
        );
    }

    /// A text, on its base line at this place.
    pub(super) fn text(&mut self, class: &str, place: (f64, f64), anchor: Anchor, text: &str) {
        self.turned_text(class, place, anchor, 0, text);
    }

    /// A text turned by so many degrees clockwise.
    pub(super) fn turned_text(
        &mut self,
        class: &str,
        place: (f64, f64),
        anchor: Anchor,
        turn: i32,
        text: &str,
    ) {
        if text.is_empty() {
            return;
        }
        let (x, y) = (at(place.0), at(place.1));
        let turned =
            if turn == 0 { String::new() } else { format!(r#" transform="rotate({turn} {x} {y})""#) };
        let class = if class.is_empty() { String::new() } else { format!(r#" class="{class}""#) };
        let _ = write!(
            self.elements,
            r#"<text{class} x="{x}" y="{y}" text-anchor="{}"{turned}>{}</text>"#,
            anchor.name(),
            escape::html(text)
        );
    }

    /// What `draw` draws is a mark: pointing at it shows these lines.
    pub(super) fn mark(&mut self, class: &str, lines: &[String], draw: impl FnOnce(&mut Self)) {
        let title = escape::html(&lines.join("\n"));
        let _ = write!(self.elements, r#"<g class="mark {class}"><title>{title}</title>"#);
        draw(self);
        self.elements.push_str("</g>");
    }

    /// The picture of this size.
    pub(super) fn finish(self, width: f64, height: f64, label: &str) -> String {
        let (width, height) = (at(width), at(height));
        format!(
            concat!(
                r#"<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" "#,
                r#"role="group" aria-label="{label}">{elements}</svg>"#
            ),
            width = width,
            height = height,
            label = escape::html(label),
            elements = self.elements
        )
    }

    /// A small picture beside words that say the same.
    pub(super) fn finish_swatch(self, width: f64, height: f64) -> String {
        let (width, height) = (at(width), at(height));
        format!(
            r#"<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" aria-hidden="true">{}</svg>"#,
            self.elements
        )
    }
}

fn trace(points: &[(f64, f64)], closed: bool) -> String {
    let mut commands = String::new();
    for (i, &(x, y)) in points.iter().enumerate() {
        let _ = write!(commands, "{}{} {}", if i == 0 { 'M' } else { 'L' }, at(x), at(y));
    }
    if closed {
        commands.push('Z');
    }
    commands
}

/// Names are at most so wide, in pixels; the readout and the data have them whole.
pub(super) const LONGEST: f64 = 230.0;

/// A text, or as much of its beginning as is about so wide.
pub(super) fn shortened(text: &str, width: f64, size: f64) -> String {
    if text_width(text, size) <= width {
        return text.into();
    }
    let mut short = String::new();
    for c in text.chars() {
        short.push(c);
        if text_width(&short, size) > width - size {
            break;
        }
    }
    short + "…"
}

/// About how wide a text is, in pixels: a little more than the advances of Arial. The style sheet asks for fonts of its
/// widths.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    let em = |c: char| match c {
        'i' | 'j' | 'l' | '|' | '\'' => 0.24,
        '.' | ',' | ':' | ';' | '!' | ' ' | 'f' | 't' | 'I' | '/' | '[' | ']' => 0.29,
        'r' | '(' | ')' | '-' | '"' => 0.34,
        'm' | 'M' | '%' => 0.87,
        'w' | 'C' | 'D' | 'G' | 'H' | 'N' | 'O' | 'Q' | 'R' | 'U' => 0.75,
        'W' | '@' => 0.98,
        c if c.is_ascii_uppercase() => 0.67,
        c if c.is_ascii() || c < '\u{2e80}' => 0.56,
        _ => 1.0,
    };
    1.04 * size * text.chars().map(em).sum::<f64>()
}
