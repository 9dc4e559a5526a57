//! Dots with intervals drawn.

use super::{
    Drawing, Panel,
    canvas::{Anchor, Canvas, LONGEST, shortened, text_width},
    exact,
    frame::{FONT, Frame},
    interval_words, named,
    scale::{Span, has_place},
    series_style::MARKER,
    styles,
};
use crate::{Dot, Dots};

pub(super) fn draw(dots: &Dots, label: &str, first: &[String]) -> Drawing {
    let styles = styles(first, dots.series.iter().map(|series| series.name.as_str()));
    let names = dots.categories.iter().map(|name| text_width(name, FONT)).fold(0.0, f64::max).min(LONGEST);
    let is_drawn = |dot: &Dot| has_place(dots.axis.scale, dot.value);
    let drawn =
        || dots.series.iter().flat_map(|series| series.values.iter().flatten()).filter(|dot| is_drawn(dot));
    let intervals = drawn().filter_map(interval).flat_map(|(low, high)| [low, high]);
    let x = Span::around(&dots.axis, drawn().map(|dot| dot.value).chain(intervals));

    let row = (9.0 * dots.series.len() as f64 + 9.0).max(22.0);
    let (width, top) = (680.0, 6.0);
    let bottom = top + row * dots.categories.len() as f64;
    let height = bottom + if dots.axis.label.is_empty() { 26.0 } else { 46.0 };
    let frame = Frame { left: names + 16.0, top, right: width - 16.0, bottom, x, y: Span::exactly(0.0, 1.0) };

    let mut canvas = Canvas::new();
    for (i, name) in dots.categories.iter().enumerate() {
        let above = top + row * i as f64;
        if i % 2 == 1 {
            canvas.rect("stripe", (0.0, above), (width, row), None);
        }
        canvas.text("", (names + 6.0, above + row / 2.0 + 4.0), Anchor::End, &shortened(name, LONGEST, FONT));
    }
    frame.x_axis(&mut canvas, bottom);
    canvas.path("axis", &[(frame.left, bottom), (frame.right, bottom)], false);
    let middle = f64::midpoint(frame.left, frame.right);
    canvas.text("axis-label", (middle, height - 8.0), Anchor::Middle, &dots.axis.label);

    let mut drawing = Drawing { columns: 1, ..Drawing::default() };
    for (number, series) in dots.series.iter().enumerate() {
        let style = styles[series.name.as_str()];
        if !series.name.is_empty() {
            drawing.legend.push((style.swatch(None, true), series.name.clone()));
        }
        // Series lie below each other, centered in the row.
        let offset = 9.0 * (number as f64 - (dots.series.len() as f64 - 1.0) / 2.0);
        for (i, (category, dot)) in dots.categories.iter().zip(&series.values).enumerate() {
            let Some(dot) = dot else { continue };
            if !is_drawn(dot) {
                drawing.n_omitted += 1;
                continue;
            }
            let place = (frame.x_of(dot.value), top + row * (i as f64 + 0.5) + offset);
            let mut words = vec![
                named(&dots.category, category),
                series.name.clone(),
                named(&dots.axis.label, &exact(dot.value)),
            ];
            words.extend(interval_words(dot.interval));
            canvas.mark(&style.class(), &words, |canvas| {
                if let Some((low, high)) = interval(dot) {
                    canvas.line("bar", (frame.x_of(low), place.1), (frame.x_of(high), place.1));
                }
                canvas.shape("marker", style.marker(place, 0.8 * MARKER));
            });
        }
    }
    drawing.pictures.push(Panel { title: String::new(), drawn: canvas.finish(width, height, label) });
    drawing
}

/// The interval of a dot, if it is one.
fn interval(dot: &Dot) -> Option<(f64, f64)> {
    dot.interval.filter(|(low, high)| low <= high)
}
