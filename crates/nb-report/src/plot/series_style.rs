//! How series are told apart: by colour, by marker and by line, so that colour is never alone.

use super::canvas::{Canvas, Drawn, Place, Shape};
use crate::Stroke;

/// The look of a series: classes `c0` to `c7` have the colours of the style sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SeriesStyle {
    number: usize,
}

/// Seven shapes and eight colours: 56 series before two look the same.
pub(super) const N_COLOURS: usize = 8;
const N_SHAPES: usize = 7;

impl SeriesStyle {
    /// The look of the series with this number, counted from 0.
    pub(super) fn of(number: usize) -> Self {
        Self { number }
    }

    /// The class of its colour.
    pub(super) fn class(self) -> String {
        format!("c{}", self.number % N_COLOURS)
    }

    /// Its marker. All shapes with the same area have the same weight for the eye.
    pub(super) fn marker(self, (x, y): Place, area: f64) -> Shape {
        let side = area.sqrt();
        let corners = |corners: &[Place]| {
            let points = corners.iter().map(|(dx, dy)| (x + side * dx, y + side * dy)).collect();
            Shape::Path { points, closed: true }
        };
        match self.number % N_SHAPES {
            0 => Shape::Disc { centre: (x, y), radius: (area / std::f64::consts::PI).sqrt() },
            1 => corners(&[(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]),
            2 => corners(&[(0.0, -0.88), (0.76, 0.44), (-0.76, 0.44)]),
            3 => corners(&[(0.0, -0.71), (0.71, 0.0), (0.0, 0.71), (-0.71, 0.0)]),
            4 => corners(&[(0.0, 0.88), (0.76, -0.44), (-0.76, -0.44)]),
            5 => corners(&CROSS.map(|(x, y)| ((x - y) * 0.707, (x + y) * 0.707))),
            _ => corners(&CROSS),
        }
    }

    /// How its line is drawn, by default.
    pub(super) fn stroke(self) -> Stroke {
        [Stroke::Solid, Stroke::Dashed, Stroke::Dotted][self.number % 3]
    }

    /// A line and a marker for the legend.
    pub(super) fn swatch(self, stroke: Option<Stroke>, marker: bool) -> Drawn {
        let mut canvas = Canvas::new();
        let class = self.class();
        let (width, middle) = if stroke.is_some() { (34.0, 17.0) } else { (14.0, 7.0) };
        if let Some(name) = stroke.and_then(stroke_class) {
            canvas.line(&format!("line {class} {name}"), (1.0, 7.0), (width - 1.0, 7.0));
        }
        if marker {
            canvas.shape(&format!("marker {class}"), self.marker((middle, 7.0), MARKER));
        }
        canvas.finish(width, 14.0, "")
    }
}

/// The area of an ordinary marker, in square pixels.
pub(super) const MARKER: f64 = 44.0;

/// An upright cross of area 1.
const CROSS: [(f64, f64); 12] = [
    (-0.26, -0.62),
    (0.26, -0.62),
    (0.26, -0.26),
    (0.62, -0.26),
    (0.62, 0.26),
    (0.26, 0.26),
    (0.26, 0.62),
    (-0.26, 0.62),
    (-0.26, 0.26),
    (-0.62, 0.26),
    (-0.62, -0.26),
    (-0.26, -0.26),
];

/// The class of a line, if there is one.
pub(super) fn stroke_class(stroke: Stroke) -> Option<&'static str> {
    match stroke {
        Stroke::Solid => Some("solid"),
        Stroke::Dashed => Some("dashed"),
        Stroke::Dotted => Some("dotted"),
        Stroke::None => None,
    }
}
