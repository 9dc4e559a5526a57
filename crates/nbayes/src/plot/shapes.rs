//! What a picture is made of: shapes in pixels, counted from the upper left corner, in the order of painting.

/// A place, to the right and down.
pub(crate) type Point = (f64, f64);

/// A colour by its red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Colour(pub(crate) u8, pub(crate) u8, pub(crate) u8);

/// Of axes and texts.
pub(crate) const INK: Colour = Colour(38, 38, 38);
/// Of what is said aside.
pub(crate) const GREY: Colour = Colour(100, 100, 100);
/// Of the lines behind everything.
pub(crate) const FAINT: Colour = Colour(229, 229, 229);
pub(crate) const WHITE: Colour = Colour(255, 255, 255);

impl Colour {
    /// The colour mixed with white; 1 gives white.
    pub(crate) fn lighter(self, white: f64) -> Self {
        let mix = |part: u8| (f64::from(part) + (255.0 - f64::from(part)) * white).round() as u8;
        Self(mix(self.0), mix(self.1), mix(self.2))
    }

    /// As CSS writes it.
    pub(crate) fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// Which part of a text stands at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// One stroke of the brush.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    /// A filled rectangle.
    Rectangle { area: Rectangle, colour: Colour, opacity: f64 },
    /// A filled polygon.
    Polygon { corners: Vec<Point>, colour: Colour, opacity: f64 },
    /// A line through points.
    Line { points: Vec<Point>, colour: Colour, width: f64 },
    /// A filled circle.
    Disc { centre: Point, radius: f64, colour: Colour },
    /// A text whose base line starts, ends or has its middle at a point; upright texts run from the bottom to the top.
    Text { at: Point, text: String, size: f64, colour: Colour, anchor: Anchor, upright: bool },
}

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub(crate) struct Rectangle {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

impl Rectangle {
    pub(crate) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(crate) fn height(&self) -> f64 {
        self.bottom - self.top
    }

    /// The corners, and the first again.
    pub(crate) fn outline(&self) -> Vec<Point> {
        let Self { left, top, right, bottom } = *self;
        vec![(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
    }
}

/// A horizontal text.
pub(crate) fn text(at: Point, text: impl Into<String>, size: f64, colour: Colour, anchor: Anchor) -> Shape {
    Shape::Text { at, text: text.into(), size, colour, anchor, upright: false }
}

/// A line from one point to another.
pub(crate) fn stroke(from: Point, to: Point, width: f64, colour: Colour) -> Shape {
    Shape::Line { points: vec![from, to], colour, width }
}
