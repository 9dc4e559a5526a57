//! Reliability diagrams drawn.

use super::{
    Drawing, Panel,
    canvas::Canvas,
    exact,
    frame::Frame,
    interval_words,
    scale::{Span, has_place},
    series_style::stroke_class,
    styles,
};
use crate::{Axis, Reliability, ReliabilityPoint, Scale};

/// The area of the largest marker, in square pixels.
const LARGEST: f64 = 650.0;
/// The area below which a marker could not be seen any more.
const SMALLEST: f64 = 14.0;
/// The bars of more series would hide one another.
const MOST_WITH_BARS: usize = 3;

pub(super) fn draw(reliability: &Reliability, label: &str, first: &[String]) -> Drawing {
    let styles = styles(first, reliability.series.iter().map(|series| series.name.as_str()));
    let size = (480.0, 460.0);
    let mut canvas = Canvas::new();
    let points =
        || reliability.series.iter().flat_map(|series| &series.points).filter(|point| is_drawn(point));
    let most = points().map(|point| point.rows).fold(0.0, f64::max);
    // Probabilities; what is none is drawn all the same, on a larger frame.
    let ends = |value: fn(&ReliabilityPoint) -> f64| {
        let (low, high) = points().map(value).fold((0.0, 1.0), |(low, high), v| (v.min(low), v.max(high)));
        Span::exactly(low, high)
    };
    let with_bars = reliability.series.len() <= MOST_WITH_BARS;
    let (x, y) = (ends(|point| point.confidence), ends(|point| point.accuracy));
    let axes = (Axis::linear("mean confidence"), Axis::linear("accuracy"));
    let frame = Frame::draw(&mut canvas, size, (&axes.0, x), (&axes.1, y));
    let on_diagonal = |value: f64| (frame.x_of(value), frame.y_of(value));
    canvas.line("reference-line", on_diagonal(0.0), on_diagonal(1.0));

    let mut drawing = Drawing { columns: 1, ..Drawing::default() };
    for series in &reliability.series {
        let style = styles[series.name.as_str()];
        let stroke = style.stroke();
        drawing.legend.push((style.swatch(Some(stroke), true), series.name.clone()));
        drawing.n_omitted +=
            series.points.iter().filter(|point| !is_drawn(point) && point.rows != 0.0).count();
        let drawn: Vec<&ReliabilityPoint> = series.points.iter().filter(|point| is_drawn(point)).collect();
        let places: Vec<(f64, f64)> =
            drawn.iter().map(|point| (frame.x_of(point.confidence), frame.y_of(point.accuracy))).collect();
        let class = style.class();
        canvas.path(&format!("line thin {class} {}", stroke_class(stroke).unwrap_or("")), &places, false);
    }
    // The largest first, so that they cover no other.
    let mut marks: Vec<(&str, &ReliabilityPoint)> = Vec::new();
    for series in &reliability.series {
        let drawn = series.points.iter().filter(|point| is_drawn(point));
        marks.extend(drawn.map(|point| (series.name.as_str(), point)));
    }
    marks.sort_by(|a, b| b.1.rows.total_cmp(&a.1.rows));
    for (name, point) in marks {
        let style = styles[name];
        let area = (LARGEST * point.rows / most).max(SMALLEST);
        let place = (frame.x_of(point.confidence), frame.y_of(point.accuracy));
        let mut words = vec![
            name.to_string(),
            format!("mean confidence: {}", exact(point.confidence)),
            format!("accuracy: {}", exact(point.accuracy)),
            format!("rows: {}", exact(point.rows)),
        ];
        words.extend(interval_words(point.interval));
        canvas.mark(&style.class(), &words, |canvas| {
            if let Some((low, high)) = interval(point).filter(|_| with_bars) {
                canvas.line("bar", (place.0, frame.y_of(low)), (place.0, frame.y_of(high)));
            }
            canvas.shape("bubble", style.marker(place, area));
        });
    }
    let mut diagonal = Canvas::new();
    diagonal.line("reference-line", (1.0, 7.0), (33.0, 7.0));
    drawing.legend.push((diagonal.finish(34.0, 14.0, ""), "calibrated".into()));
    drawing.pictures.push(Panel { title: String::new(), drawn: canvas.finish(size.0, size.1, label) });
    drawing
}

fn is_drawn(point: &ReliabilityPoint) -> bool {
    point.rows > 0.0
        && [point.confidence, point.accuracy, point.rows].iter().all(|&v| has_place(Scale::Linear, v))
}

/// The interval of a point, if it is one of probabilities.
fn interval(point: &ReliabilityPoint) -> Option<(f64, f64)> {
    point.interval.filter(|(low, high)| low <= high && *low >= 0.0 && *high <= 1.0)
}
