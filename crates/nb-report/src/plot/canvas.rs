//! A picture as a list of elements, in the order of painting. What they look like is said by classes: in
//! pages by the style sheet, in files by what [`super::looks`] reads from it.

/// A place in pixels, to the right and down.
pub(super) type Place = (f64, f64);

/// A picture that grows element by element.
#[derive(Clone, Debug, Default)]
pub(crate) struct Canvas {
    pub(super) elements: Vec<Element>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Element {
    /// One stroke of the brush.
    Shape {
        class: String,
        shape: Shape,
        tone: Tone,
    },
    /// What follows until the end is a mark: pointing at it shows these lines.
    Mark {
        class: String,
        lines: Vec<String>,
    },
    End,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    Path {
        points: Vec<Place>,
        closed: bool,
    },
    Disc {
        centre: Place,
        radius: f64,
    },
    /// From the corner at the upper left.
    Rect {
        corner: Place,
        size: Place,
    },
    /// A text on its base line, turned by this many degrees clockwise.
    Text {
        place: Place,
        anchor: Anchor,
        turn: i32,
        text: String,
    },
}

/// How much of its colour a shape has.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Tone {
    /// As the class says.
    #[default]
    Full,
    /// This share of it; what lies below is seen through it.
    Through(f64),
    /// This share of it, mixed with the paper: nothing is seen through it.
    Mixed(f64),
}

/// Where a text has its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Canvas {
    pub(super) fn new() -> Self {
        Self::default()
    }

    pub(super) fn line(&mut self, class: &str, from: Place, to: Place) {
        self.path(class, &[from, to], false);
    }

    /// A path through these points.
    pub(super) fn path(&mut self, class: &str, points: &[Place], closed: bool) {
        self.shape(class, Shape::Path { points: points.to_vec(), closed });
    }

    pub(super) fn shape(&mut self, class: &str, shape: Shape) {
        self.toned(class, shape, Tone::Full);
    }

    pub(super) fn toned(&mut self, class: &str, shape: Shape, tone: Tone) {
        self.elements.push(Element::Shape { class: class.into(), shape, tone });
    }

    /// A rectangle from its corner at the upper left.
    pub(super) fn rect(&mut self, class: &str, corner: Place, size: Place, opacity: Option<f64>) {
        self.toned(class, Shape::Rect { corner, size }, opacity.map_or(Tone::Full, Tone::Through));
    }

    /// A text, on its base line at this place.
    pub(super) fn text(&mut self, class: &str, place: Place, anchor: Anchor, text: &str) {
        self.turned_text(class, place, anchor, 0, text);
    }

    /// A text turned by this many degrees clockwise.
    pub(super) fn turned_text(&mut self, class: &str, place: Place, anchor: Anchor, turn: i32, text: &str) {
        if !text.is_empty() {
            self.shape(class, Shape::Text { place, anchor, turn, text: text.into() });
        }
    }

    /// What `draw` draws is a mark: pointing at it shows these lines.
    pub(super) fn mark(&mut self, class: &str, lines: &[String], draw: impl FnOnce(&mut Self)) {
        self.elements.push(Element::Mark { class: class.into(), lines: lines.to_vec() });
        draw(self);
        self.elements.push(Element::End);
    }

    /// The picture of this size; `label` is what it says to readers who do not see it.
    pub(super) fn finish(self, width: f64, height: f64, label: &str) -> Drawn {
        Drawn { canvas: self, width, height, label: label.into() }
    }

    /// Adds another picture with its upper left corner at a place.
    pub(super) fn place(&mut self, mut other: Canvas, (dx, dy): Place) {
        let shift = |place: &mut Place| *place = (place.0 + dx, place.1 + dy);
        for element in &mut other.elements {
            match element {
                Element::Shape { shape: Shape::Path { points, .. }, .. } => points.iter_mut().for_each(shift),
                Element::Shape { shape: Shape::Disc { centre: place, .. }, .. }
                | Element::Shape { shape: Shape::Rect { corner: place, .. }, .. }
                | Element::Shape { shape: Shape::Text { place, .. }, .. } => shift(place),
                Element::Mark { .. } | Element::End => {}
            }
        }
        self.elements.append(&mut other.elements);
    }
}

/// A picture of some size.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    pub(super) canvas: Canvas,
    pub(super) width: f64,
    pub(super) height: f64,
    /// Empty beside words that say the same.
    pub(super) label: String,
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

/// About how wide a text is, in pixels: a little more than the advances of Arial. The style sheet asks for
/// fonts of its widths.
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

/// The words of a text in lines that are no wider than this.
pub(super) fn wrapped(text: &str, width: f64, size: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(&format!("{line} {word}"), size) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(shortened(word, width, size)),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_shortened_and_wrapped() {
        assert_eq!(shortened("short", 100.0, 12.0), "short");
        let short = shortened("a name that goes on and on and on", 100.0, 12.0);
        assert!(short.ends_with('…') && short.len() > 8 && text_width(&short, 12.0) <= 100.0, "{short}");
        let lines = wrapped("one two three four five six", 90.0, 12.0);
        assert!(lines.len() > 1 && lines.iter().all(|line| text_width(line, 12.0) <= 90.0), "{lines:?}");
        assert_eq!(lines.join(" "), "one two three four five six");
    }
}
