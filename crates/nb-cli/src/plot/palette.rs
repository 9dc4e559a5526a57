//! How classes are told apart: colours of Okabe and Ito, *Color Universal Design* (2008), which differ also for the
//! colour-blind, without the yellow, of which a line on white cannot be seen. Where there are more classes, colours
//! come again with other dashes and markers.

use super::shapes::{Colour, Point, Shape, WHITE, stroke};

const COLOURS: [Colour; 7] = [
    Colour(0, 114, 178),
    Colour(213, 94, 0),
    Colour(0, 158, 115),
    Colour(204, 121, 167),
    Colour(230, 159, 0),
    Colour(86, 180, 233),
    Colour(0, 0, 0),
];

/// Lengths of strokes and of the gaps after them.
const DASHES: [&[f64]; 4] = [&[], &[7.0, 4.0], &[2.0, 3.0], &[9.0, 3.0, 2.0, 3.0]];

/// How light regions are, from the first use of a colour to the fourth.
const LIGHTNESS: [f64; 4] = [0.68, 0.5, 0.82, 0.35];

/// How points are marked. There are eight for seven colours, so that pairs come again late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marker {
    Disc,
    Square,
    Triangle,
    Diamond,
    Cross,
    Plus,
    Ring,
    Wedge,
}

const MARKERS: [Marker; 8] = [
    Marker::Disc,
    Marker::Triangle,
    Marker::Square,
    Marker::Cross,
    Marker::Diamond,
    Marker::Plus,
    Marker::Wedge,
    Marker::Ring,
];

/// How a class is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Style {
    pub(crate) colour: Colour,
    /// The colour of its region.
    pub(crate) region: Colour,
    pub(crate) dashes: &'static [f64],
    pub(crate) marker: Marker,
}

/// So many classes have colours of their own.
pub(crate) const N_COLOURS: usize = COLOURS.len();

/// How a class is drawn, by its number.
pub(crate) fn style(class: usize) -> Style {
    let (colour, round) = (COLOURS[class % COLOURS.len()], class / COLOURS.len());
    Style {
        colour,
        region: colour.lighter(LIGHTNESS[round % LIGHTNESS.len()]),
        dashes: DASHES[round % DASHES.len()],
        marker: MARKERS[class % MARKERS.len()],
    }
}

/// How rows without a label that the model knows are drawn.
pub(crate) fn unlabelled() -> Style {
    let colour = Colour(110, 110, 110);
    Style { colour, region: colour.lighter(0.7), dashes: &[], marker: Marker::Ring }
}

impl Marker {
    /// The marker at a place, with a thin white edge where it is filled.
    pub(crate) fn shapes(self, (x, y): Point, size: f64, colour: Colour) -> Vec<Shape> {
        let polygon = |corners: &[Point]| {
            let scaled = |by: f64| corners.iter().map(|&(dx, dy)| (x + dx * by, y + dy * by)).collect();
            vec![
                Shape::Polygon { corners: scaled(size + 1.1), colour: WHITE },
                Shape::Polygon { corners: scaled(size), colour },
            ]
        };
        let strokes = |ends: [(Point, Point); 2]| {
            let ends =
                ends.map(|(a, b)| ((x + a.0 * size, y + a.1 * size), (x + b.0 * size, y + b.1 * size)));
            ends.map(|(a, b)| stroke(a, b, 1.5, colour)).to_vec()
        };
        let disc = |radius: f64, colour: Colour| Shape::Disc { centre: (x, y), radius, colour };
        match self {
            Self::Disc => vec![disc(size + 0.7, WHITE), disc(size, colour)],
            Self::Ring => vec![disc(size, colour), disc(size - 1.4, WHITE)],
            Self::Square => polygon(&[(-0.88, -0.88), (0.88, -0.88), (0.88, 0.88), (-0.88, 0.88)]),
            Self::Triangle => polygon(&[(0.0, -1.15), (1.05, 0.8), (-1.05, 0.8)]),
            Self::Wedge => polygon(&[(0.0, 1.15), (1.05, -0.8), (-1.05, -0.8)]),
            Self::Diamond => polygon(&[(0.0, -1.25), (1.05, 0.0), (0.0, 1.25), (-1.05, 0.0)]),
            Self::Cross => strokes([((-0.9, -0.9), (0.9, 0.9)), ((-0.9, 0.9), (0.9, -0.9))]),
            Self::Plus => strokes([((-1.1, 0.0), (1.1, 0.0)), ((0.0, -1.1), (0.0, 1.1))]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_classes_look_different() {
        let looks = |class: usize| {
            let style = style(class);
            (style.colour.hex(), style.region.hex(), format!("{:?}", style.dashes), style.marker as u8)
        };
        for a in 0..28 {
            for b in 0..a {
                let (a, b) = (looks(a), looks(b));
                assert!(
                    (&a.0, &a.2) != (&b.0, &b.2) && a.1 != b.1 && (&a.0, a.3) != (&b.0, b.3),
                    "{a:?} {b:?}"
                );
            }
        }
    }
}
