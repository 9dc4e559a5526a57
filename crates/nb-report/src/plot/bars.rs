//! Bars drawn.

use super::{
    Drawing, Panel,
    canvas::{Anchor, Canvas, Drawn, shortened, text_width},
    describe, exact,
    frame::{FONT, Frame},
    named,
    scale::{Span, has_place},
    series_style::SeriesStyle,
};
use crate::{Axis, BarPanel, BarSet, Bars, Scale};

/// The width of small plots, and of one alone.
const SMALL: f64 = 300.0;
const LARGE: f64 = 680.0;

pub(super) fn draw(bars: &Bars, label: &str) -> Drawing {
    let is_alone = bars.panels.len() == 1;
    let mut drawing = Drawing { columns: if is_alone { 1 } else { 3 }, ..Drawing::default() };
    for panel in &bars.panels {
        let words = if is_alone { label.into() } else { describe::of_bars(panel, &bars.measure) };
        let width = if is_alone { LARGE } else { SMALL };
        let (drawn, n_omitted) = match &panel.bars {
            BarSet::Intervals(intervals) => histogram(intervals, &bars.measure, width, &words),
            BarSet::Named(values) => named_bars(values, panel, &bars.measure, width, &words),
        };
        drawing.pictures.push(Panel { title: panel.title.clone(), drawn });
        drawing.n_omitted += n_omitted;
    }
    drawing
}

fn is_drawn(value: f64) -> bool {
    has_place(Scale::Linear, value)
}

fn histogram(intervals: &[(f64, f64, f64)], measure: &str, width: f64, words: &str) -> (Drawn, usize) {
    let drawn = || {
        intervals
            .iter()
            .filter(|(low, high, value)| low <= high && [*low, *high, *value].into_iter().all(is_drawn))
    };
    let (x_axis, y_axis) = (Axis::linear(""), Axis::linear(""));
    let x = Span::around(&x_axis, drawn().flat_map(|bar| [bar.0, bar.1]));
    let y = Span::around(&y_axis.clone().between(0.0, 0.0), drawn().map(|bar| bar.2));
    let mut canvas = Canvas::new();
    let size = (width, if width > SMALL { 260.0 } else { 160.0 });
    let frame = Frame::draw(&mut canvas, size, (&x_axis, x), (&y_axis, y));
    for &(low, high, value) in drawn().filter(|bar| bar.2 != 0.0) {
        let (left, right) = (frame.x_of(low), frame.x_of(high));
        // A bar of no width is a line.
        let (left, right) = if right - left < 2.0 { (left - 1.0, left + 1.0) } else { (left, right) };
        let (top, bottom) = (frame.y_of(value.max(0.0)), frame.y_of(value.min(0.0)));
        let lines = [format!("{} to {}", exact(low), exact(high)), named(measure, &exact(value))];
        canvas.mark(&SeriesStyle::of(0).class(), &lines, |canvas| {
            canvas.rect("column", (left, top), (right - left, bottom - top), None);
        });
    }
    (canvas.finish(size.0, size.1, words), intervals.len() - drawn().count())
}

fn named_bars(
    values: &[(String, f64)],
    panel: &BarPanel,
    measure: &str,
    width: f64,
    words: &str,
) -> (Drawn, usize) {
    const ROW: f64 = 20.0;
    let most = 0.4 * width;
    let names = values.iter().map(|(name, _)| text_width(name, FONT)).fold(0.0, f64::max).min(most);
    let digits = values.iter().map(|(_, value)| text_width(&exact(*value), FONT)).fold(0.0, f64::max);
    let drawn = || values.iter().filter(|(_, value)| is_drawn(*value));
    let largest = drawn().map(|(_, value)| value.abs()).fold(0.0, f64::max);
    let (left, right) = (names + 10.0, width - digits - 10.0);
    let height = 6.0 + ROW * values.len() as f64;
    let mut canvas = Canvas::new();
    for (i, (name, value)) in values.iter().enumerate() {
        let above = 3.0 + ROW * i as f64;
        canvas.text("", (names + 4.0, above + 14.0), Anchor::End, &shortened(name, most, FONT));
        if !is_drawn(*value) {
            continue;
        }
        let length = if largest > 0.0 { value.abs() / largest * (right - left) } else { 0.0 };
        let lines = [named(&panel.title, name), named(measure, &exact(*value))];
        canvas.mark(&SeriesStyle::of(0).class(), &lines, |canvas| {
            canvas.rect("column", (left, above + 3.0), (length.max(1.0), ROW - 6.0), None);
        });
        canvas.text("", (left + length.max(1.0) + 5.0, above + 14.0), Anchor::Start, &exact(*value));
    }
    (canvas.finish(width, height, words), values.len() - drawn().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_place_is_counted() {
        let mut bars = Bars::new("rows");
        bars.push_histogram("a", [(0.0, 1.0, 3.0), (1.0, 2.0, f64::NAN), (2.0, 3.0, 0.0)]);
        bars.push_named("b", [("x", 2.0), ("<y>", 4.0), ("z", f64::INFINITY)]);
        bars.push_named("c", [("x", 2.0)]);
        bars.push_named("d", Vec::<(String, f64)>::new());
        let drawing = draw(&bars, "bars");
        assert_eq!((drawing.pictures.len(), drawing.n_omitted), (4, 2));
        assert_eq!(drawing.pictures[0].drawn.element().matches("class=\"column\"").count(), 1);
        assert!(drawing.pictures[1].drawn.element().contains("&lt;y&gt;"));
        let heights = ["66", "26", "6"];
        for (picture, height) in drawing.pictures[1..].iter().zip(heights) {
            assert!(
                picture.drawn.element().contains(&format!("viewBox=\"0 0 300 {height}\"")),
                "{}",
                picture.drawn.element()
            );
        }
    }
}
