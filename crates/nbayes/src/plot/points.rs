//! The rows of the data as points over two features.

use nb_report::{Mark, Plane};

use super::{bins::grid, contour::Point, feature::PlottedColumn, picture::Subject};

/// Maximum number of points drawn, evenly spread over the file.
const MOST_POINTS: usize = 2000;
/// The part of a category's place in which points are scattered.
const SCATTER: f64 = 0.7;

/// The rows of the data on a picture.
pub(super) struct Points {
    /// Class and place, in units of the axes.
    at: Vec<(usize, Point)>,
    pub(super) outside: usize,
    pub(super) missing: usize,
    /// How many rows are in the picture, and how many of them are drawn.
    pub(super) inside: usize,
    pub(super) drawn: usize,
    pub(super) is_scattered: bool,
}

impl Points {
    pub(super) fn new(subject: &Subject<'_>, features: [&PlottedColumn; 2], limits: [(f64, f64); 2]) -> Self {
        let mut points =
            Self { at: Vec::new(), outside: 0, missing: 0, inside: 0, drawn: 0, is_scattered: false };
        let Some(sample) = subject.sample else { return points };
        let spread = [0, 1].map(|place| spread(subject, features[place], place));
        points.is_scattered = spread.iter().any(|spread| *spread > 0.0);
        for (row, (values, &class)) in sample.values.iter().zip(&sample.classes).enumerate() {
            let of = |place: usize| {
                if features[place].is_numeric() {
                    return Some(values[place]).filter(|value| value.is_finite());
                }
                features[place].level(values[place]).map(|level| level as f64 + 0.5)
            };
            let (Some(x), Some(y)) = (of(0), of(1)) else {
                points.missing += 1;
                continue;
            };
            let inside = |value: f64, (low, high): (f64, f64)| (low..=high).contains(&value);
            if !inside(x, limits[0]) || !inside(y, limits[1]) {
                points.outside += 1;
                continue;
            }
            // The golden ratio and related numbers spread numbers evenly.
            let scattered = |ratio: f64| (ratio * (row + 1) as f64).fract() - 0.5;
            let (dx, dy) = (spread[0] * scattered(0.754_877_666), spread[1] * scattered(0.569_840_291));
            points.at.push((class, (x + dx, y + dy)));
        }
        points.inside = points.at.len();
        if points.inside > MOST_POINTS {
            // Evenly spread: those where the count of points to draw goes up.
            let n = points.inside;
            let mut number = 0;
            points.at.retain(|_| {
                number += 1;
                number * MOST_POINTS / n > (number - 1) * MOST_POINTS / n
            });
        }
        points.drawn = points.at.len();
        points
    }

    /// The points of all classes, in the order of the rows.
    pub(super) fn draw(&self, subject: &Subject<'_>, plane: &mut Plane) {
        let area = match self.drawn {
            0..=300 => 40.0,
            301..=1000 => 28.0,
            _ => 19.0,
        };
        for run in self.at.chunk_by(|a, b| a.0 == b.0) {
            let at = run.iter().map(|(_, at)| *at).collect();
            plane.push(subject.layer(run[0].0, Mark::Points { at, area }));
        }
    }
}

/// How far points are scattered along an axis: over most of a category, and around the places of a coarse
/// grid.
fn spread(subject: &Subject<'_>, feature: &PlottedColumn, place: usize) -> f64 {
    const FEW_ROWS: usize = 200;
    if !feature.is_numeric() {
        return SCATTER;
    }
    let Some(sample) = subject.sample.filter(|sample| sample.values.len() > FEW_ROWS) else { return 0.0 };
    let mut values: Vec<f64> =
        sample.values.iter().map(|values| values[place]).filter(|value| value.is_finite()).collect();
    let n = values.len();
    match grid(&mut values) {
        Some(step) if (values[n - 1] - values[0]) / step <= 60.0 => 0.6 * step,
        _ => 0.0,
    }
}
