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

/// How light the region of each colour is: of the shares of white from 0.52 to 0.84 those that keep the regions apart
/// for the colour-blind, too, above all the first ones.
const LIGHTNESS: [f64; 7] = [0.52, 0.52, 0.52, 0.84, 0.76, 0.52, 0.6];

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

/// Number of classes with a colour of their own.
pub(crate) const N_COLOURS: usize = COLOURS.len();

/// How a class is drawn, by its number.
pub(crate) fn style(class: usize) -> Style {
    let (colour, round) = (COLOURS[class % COLOURS.len()], class / COLOURS.len());
    Style {
        colour,
        region: colour.lighter(lightness(class % COLOURS.len(), round)),
        dashes: DASHES[round % DASHES.len()],
        marker: MARKERS[class % MARKERS.len()],
    }
}

/// How light a region is where its colour comes again, between 0.42 and 0.9.
fn lightness(colour: usize, round: usize) -> f64 {
    let steps = (LIGHTNESS[colour] - 0.42) / 0.12 + (round % DASHES.len()) as f64;
    0.42 + 0.12 * (steps % 4.0)
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
                Shape::Polygon { corners: scaled(size + 1.1), colour: WHITE, opacity: 1.0 },
                Shape::Polygon { corners: scaled(size), colour, opacity: 1.0 },
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

    /// Lightness and two opponents of a colour, in which distances are about those that people see (CIELAB), seen
    /// through one of the matrices below.
    fn perceived(colour: Colour, sight: [[f64; 3]; 3]) -> [f64; 3] {
        let linear = [colour.0, colour.1, colour.2].map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        });
        let times = |row: [f64; 3], by: [f64; 3]| row.iter().zip(by).map(|(a, b)| a * b).sum::<f64>();
        let seen = sight.map(|row| times(row, linear));
        let [x, y, z] = [[0.4339, 0.3762, 0.1899], [0.2126, 0.7152, 0.0722], [0.0177, 0.1095, 0.8730]]
            .map(|row| times(row, seen))
            .map(|t| if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 });
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    #[test]
    fn colours_and_regions_differ_for_the_colour_blind() {
        // All colours; without the cones for green; without those for red. Machado, Oliveira and Fernandes, *A
        // Physiologically-based Model for Simulation of Color Vision Deficiency* (2009).
        let sights = [
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            [
                [0.367_322, 0.860_646, -0.227_968],
                [0.280_085, 0.672_501, 0.047_413],
                [-0.011_820, 0.042_940, 0.968_881],
            ],
            [
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ],
        ];
        for sight in sights {
            for a in 0..N_COLOURS {
                for b in 0..a {
                    let distance = |colour: fn(Style) -> Colour| {
                        let [a, b] = [a, b].map(|class| perceived(colour(style(class)), sight));
                        a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
                    };
                    assert!(distance(|style| style.colour) > 15.0, "colours {b} and {a}");
                    assert!(distance(|style| style.region) > 10.0, "regions {b} and {a}");
                }
            }
        }
    }

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
