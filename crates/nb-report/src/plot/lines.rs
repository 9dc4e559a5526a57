//! Lines drawn, alone and in panels.

use std::collections::BTreeMap;

use super::{
    Drawing, Panel,
    canvas::{Anchor, Canvas, Drawn, text_width},
    describe, exact,
    frame::{FONT, Frame},
    interval_words, named,
    scale::{Span, has_place},
    series_style::{MARKER, SeriesStyle, stroke_class},
    styles,
};
use crate::{Direction, Lines, Panels, Point, Reference, Series, Spread, Stroke};

pub(super) fn draw(lines: &Lines, label: &str, first: &[String]) -> Drawing {
    let styles = styles(first, lines.series.iter().map(|series| series.name.as_str()));
    let (drawn, n_omitted) = picture(lines, &styles, (680.0, 380.0), MARKER, label);
    let pictures = vec![Panel { title: String::new(), drawn }];
    let legend = legend(&styles, lines.series.iter());
    Drawing { pictures, columns: 1, legend, n_omitted, ..Drawing::default() }
}

pub(super) fn draw_panels(panels: &Panels, first: &[String]) -> Drawing {
    let series = || panels.panels.iter().flat_map(|(_, lines)| &lines.series);
    let styles = styles(first, series().map(|series| series.name.as_str()));
    let columns = panels.columns.clamp(1, 4);
    // Two or three in the width of a page, without being made larger or smaller, so that texts are of one
    // size.
    let (size, marker) = if columns <= 2 { ((440.0, 290.0), 0.75) } else { ((300.0, 215.0), 0.55) };
    let mut drawing = Drawing { columns, legend: legend(&styles, series()), ..Drawing::default() };
    for (title, lines) in &panels.panels {
        let label = format!("{title}. {}", describe::of_lines(lines));
        let (drawn, n_omitted) = picture(lines, &styles, size, marker * MARKER, &label);
        drawing.pictures.push(Panel { title: title.clone(), drawn });
        drawing.n_omitted += n_omitted;
    }
    drawing
}

/// One entry per name, as its first series is drawn.
fn legend<'a>(
    styles: &BTreeMap<&str, SeriesStyle>,
    series: impl Iterator<Item = &'a Series>,
) -> Vec<(Drawn, String)> {
    let mut entries = Vec::new();
    for series in series {
        if entries.iter().all(|(_, name)| *name != series.name) {
            let style = styles[series.name.as_str()];
            entries.push((style.swatch(Some(series.stroke), !series.plain), series.name.clone()));
        }
    }
    entries
}

/// A plot and the number of points that have no place in it.
fn picture(
    lines: &Lines,
    styles: &BTreeMap<&str, SeriesStyle>,
    size: (f64, f64),
    marker: f64,
    label: &str,
) -> (Drawn, usize) {
    let points =
        || lines.series.iter().flat_map(|series| &series.points).filter(|point| is_drawn(lines, point));
    let at = |direction| lines.references.iter().filter(move |r| r.direction == direction).map(|r| r.at);
    let intervals = points().filter_map(|point| point.interval).flat_map(|(low, high)| [low, high]);
    let y_values = points().map(|point| point.y).chain(intervals).chain(at(Direction::Horizontal));
    let x = Span::around(&lines.x, points().map(|point| point.x).chain(at(Direction::Vertical)));
    let y = Span::around(&lines.y, y_values);

    let mut canvas = Canvas::new();
    let frame = Frame::draw(&mut canvas, size, (&lines.x, x), (&lines.y, y));
    let mut n_omitted = 0;
    for series in &lines.series {
        n_omitted += series.points.iter().filter(|point| !is_drawn(lines, point)).count();
        draw_line(&mut canvas, &frame, lines, series, styles[series.name.as_str()]);
    }
    for reference in &lines.references {
        draw_reference(&mut canvas, &frame, lines, reference);
    }
    for series in &lines.series {
        draw_points(&mut canvas, &frame, lines, series, styles[series.name.as_str()], marker);
    }
    (canvas.finish(size.0, size.1, label), n_omitted)
}

fn is_drawn(lines: &Lines, point: &Point) -> bool {
    has_place(lines.x.scale, point.x) && has_place(lines.y.scale, point.y)
}

/// The interval of a point, if it is one.
fn interval(point: &Point) -> Option<(f64, f64)> {
    point.interval.filter(|(low, high)| low <= high)
}

/// The band and the line, with a gap at each point that has no place.
fn draw_line(canvas: &mut Canvas, frame: &Frame, lines: &Lines, series: &Series, style: SeriesStyle) {
    let class = style.class();
    for run in series.points.split(|point| !is_drawn(lines, point)).filter(|run| !run.is_empty()) {
        if series.spread == Spread::Band {
            for known in run.split(|point| interval(point).is_none()).filter(|known| known.len() > 1) {
                let edge = |point: &Point, end: fn((f64, f64)) -> f64| {
                    let value = interval(point).map_or(point.y, end);
                    (frame.x_of(point.x), frame.y_of(value))
                };
                let lower = known.iter().map(|point| edge(point, |(low, _)| low));
                let upper = known.iter().rev().map(|point| edge(point, |(_, high)| high));
                canvas.path(&format!("band {class}"), &lower.chain(upper).collect::<Vec<_>>(), true);
            }
        }
        if let Some(stroke) = stroke_class(series.stroke).filter(|_| run.len() > 1) {
            let places: Vec<(f64, f64)> =
                run.iter().map(|point| (frame.x_of(point.x), frame.y_of(point.y))).collect();
            canvas.path(&format!("line {class} {stroke}"), &places, false);
        }
    }
}

fn draw_points(
    canvas: &mut Canvas,
    frame: &Frame,
    lines: &Lines,
    series: &Series,
    style: SeriesStyle,
    area: f64,
) {
    let hidden = if series.plain && series.stroke != Stroke::None { " hidden-mark" } else { "" };
    for point in series.points.iter().filter(|point| is_drawn(lines, point)) {
        let place = (frame.x_of(point.x), frame.y_of(point.y));
        let mut words = vec![
            series.name.clone(),
            named(&lines.x.label, &exact(point.x)),
            named(&lines.y.label, &exact(point.y)),
        ];
        words.extend(interval_words(point.interval));
        canvas.mark(&format!("{}{hidden}", style.class()), &words, |canvas| {
            if let Some((low, high)) = interval(point).filter(|_| series.spread == Spread::Bars) {
                let (low, high) = (frame.y_of(low), frame.y_of(high));
                canvas.line("bar", (place.0, low), (place.0, high));
                canvas.line("bar", (place.0 - 3.0, low), (place.0 + 3.0, low));
                canvas.line("bar", (place.0 - 3.0, high), (place.0 + 3.0, high));
            }
            canvas.shape("marker", style.marker(place, area));
        });
    }
}

fn draw_reference(canvas: &mut Canvas, frame: &Frame, lines: &Lines, reference: &Reference) {
    let scale = match reference.direction {
        Direction::Horizontal => lines.y.scale,
        Direction::Vertical => lines.x.scale,
    };
    if !has_place(scale, reference.at) {
        return;
    }
    let words = [named(&reference.label, &exact(reference.at))];
    canvas.mark("reference", &words, |canvas| match reference.direction {
        Direction::Horizontal => {
            let y = frame.y_of(reference.at);
            canvas.line("reference-line", (frame.left, y), (frame.right, y));
            let base = if y - frame.top < 1.5 * FONT { y + FONT + 2.0 } else { y - 5.0 };
            canvas.text("halo", (frame.right - 4.0, base), Anchor::End, &reference.label);
        }
        Direction::Vertical => {
            let x = frame.x_of(reference.at);
            canvas.line("reference-line", (x, frame.top), (x, frame.bottom));
            let fits = x + 5.0 + text_width(&reference.label, FONT) < frame.right;
            let (x, anchor) = if fits { (x + 5.0, Anchor::Start) } else { (x - 5.0, Anchor::End) };
            canvas.text("halo", (x, frame.top + FONT), anchor, &reference.label);
        }
    });
}
