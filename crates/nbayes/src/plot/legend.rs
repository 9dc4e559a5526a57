//! The legend, on the right of the picture.

use super::{
    font::{fit, width},
    lines::dashed,
    palette::{Marker, Style},
    shapes::{Anchor, Colour, GREY, INK, Point, Rectangle, Shape, text},
};

const TEXT: f64 = 13.0;
const LINE: f64 = 21.0;
const KEY: f64 = 26.0;
const WIDEST: f64 = 230.0;
/// Maximum number of classes listed.
const MOST: usize = 20;

/// What stands before a name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Key {
    /// A line, before the bars of a histogram if there are some.
    Curve { style: Style, bars: bool },
    /// A bar, before one that is seen through if there are some.
    Bar { style: Style, data: bool },
    /// A region with points in it if there are some.
    Region { style: Style, points: bool },
    /// Points.
    Points { marker: Marker, colour: Colour },
    /// A thin line.
    Line(Colour),
    /// A filled patch.
    Patch(Colour),
}

/// Names and what they look like: those of classes, and further ones below.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Legend {
    title: String,
    entries: Vec<(Key, String)>,
    more: Option<String>,
    notes: Vec<(Key, String)>,
}

impl Legend {
    /// A legend of classes with a title.
    pub(crate) fn new(title: &str, classes: impl ExactSizeIterator<Item = (Key, String)>) -> Self {
        let n = classes.len();
        let shown = if n > MOST + 1 { MOST } else { n };
        let shorten = |(key, name): (Key, String)| (key, fit(&name, TEXT, WIDEST - KEY - 8.0));
        Self {
            title: fit(title, TEXT, WIDEST),
            entries: classes.take(shown).map(shorten).collect(),
            more: (n > shown).then(|| format!("and {} more", n - shown)),
            notes: Vec::new(),
        }
    }

    /// No legend, and no room for one.
    pub(crate) fn none() -> Self {
        Self { title: String::new(), entries: Vec::new(), more: None, notes: Vec::new() }
    }

    /// One more entry, below the classes.
    pub(crate) fn with_note(mut self, key: Key, said: &str) -> Self {
        self.notes.push((key, fit(said, TEXT, WIDEST - KEY - 8.0)));
        self
    }

    pub(crate) fn width(&self) -> f64 {
        if self.title.is_empty() && self.entries.is_empty() && self.notes.is_empty() {
            return 0.0;
        }
        let entries = self.entries.iter().chain(&self.notes);
        let entries = entries.map(|(_, name)| KEY + 8.0 + width(name, TEXT));
        let heads = [&self.title].into_iter().chain(&self.more).map(|said| width(said, TEXT));
        entries.chain(heads).fold(60.0, f64::max)
    }

    /// The legend with its upper left corner at a place.
    pub(crate) fn shapes(&self, (x, y): Point) -> Vec<Shape> {
        let mut shapes = vec![text((x, y + TEXT), self.title.clone(), TEXT, GREY, Anchor::Start)];
        let mut base = y + TEXT + LINE + 2.0;
        let mut entry = |base: f64, key: Key, name: &String| {
            shapes.extend(key.shapes((x, base - TEXT * 0.36)));
            shapes.push(text((x + KEY + 8.0, base), name.clone(), TEXT, INK, Anchor::Start));
        };
        for (key, name) in &self.entries {
            entry(base, *key, name);
            base += LINE;
        }
        let more = self.more.as_ref().map(|more| {
            base += LINE;
            text((x, base - LINE), more.clone(), TEXT, GREY, Anchor::Start)
        });
        base += if self.notes.is_empty() { 0.0 } else { 8.0 };
        for (key, name) in &self.notes {
            entry(base, *key, name);
            base += LINE;
        }
        shapes.extend(more);
        shapes
    }
}

impl Key {
    /// The key with the middle of its left side at a place.
    fn shapes(self, (x, y): Point) -> Vec<Shape> {
        let patch = |height: f64, colour: Colour, opacity: f64| {
            let area = Rectangle { left: x, top: y - height / 2.0, right: x + KEY, bottom: y + height / 2.0 };
            Shape::Rectangle { area, colour, opacity }
        };
        let line = |colour: Colour, width: f64, dashes: &[f64]| {
            dashed(&[(x, y), (x + KEY, y)], dashes)
                .into_iter()
                .map(|points| Shape::Line { points, colour, width })
                .collect::<Vec<_>>()
        };
        let middle = (x + KEY / 2.0, y);
        match self {
            Self::Curve { style, bars } => {
                let mut shapes = line(style.colour, 2.2, style.dashes);
                if bars {
                    shapes.insert(0, patch(13.0, style.colour, super::SEEN_THROUGH));
                }
                shapes
            }
            Self::Bar { style, data } => {
                let inner = Rectangle { left: x + 7.0, top: y - 6.5, right: x + KEY - 7.0, bottom: y + 6.5 };
                let bar = Shape::Rectangle { area: inner, colour: style.colour, opacity: 1.0 };
                if data {
                    vec![patch(13.0, style.colour, super::SEEN_THROUGH), bar]
                } else {
                    vec![patch(13.0, style.colour, 1.0)]
                }
            }
            Self::Region { style, points } => {
                let mut shapes = vec![patch(15.0, style.region, 1.0)];
                if points {
                    shapes.extend(style.marker.shapes(middle, 4.0, style.colour));
                }
                shapes
            }
            Self::Points { marker, colour } => marker.shapes(middle, 4.0, colour),
            Self::Line(colour) => line(colour, 1.6, &[]),
            Self::Patch(colour) => vec![patch(13.0, colour, 1.0)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::palette::style;

    #[test]
    fn long_lists_end_with_how_many_more_there_are() {
        let legend = |n: usize| {
            let class = |class| (Key::Region { style: style(class), points: true }, format!("class {class}"));
            Legend::new("label", (0..n).map(class))
        };
        assert_eq!((legend(21).entries.len(), legend(21).more), (21, None));
        assert_eq!((legend(26).entries.len(), legend(26).more), (20, Some("and 6 more".into())));
    }
}
