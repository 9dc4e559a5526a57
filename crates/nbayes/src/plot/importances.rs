//! Importance of columns as bars across, with their standard errors.

use super::{
    frame::{Axis, Frame, Scale, Words},
    legend::Legend,
    palette::style,
    picture::{Picture, Shown},
    shapes::{GREY, INK, Rectangle, Shape, stroke},
};

/// The most columns that are drawn.
const MOST: usize = 20;

/// A column and its importance, with the standard error.
#[derive(Clone, Debug)]
pub(crate) struct Bar {
    pub(crate) name: String,
    pub(crate) value: f64,
    pub(crate) standard_error: f64,
}

/// Draws columns in this order, from above; `subtitle` and `caption` say of what rows.
pub(crate) fn importances(bars: &[Bar], axis: &str, subtitle: &str, caption: &str) -> Picture {
    let more = bars.len().saturating_sub(MOST);
    let shown: Vec<&Bar> = bars.iter().take(MOST).rev().collect();
    let ends =
        |bar: &&Bar| [bar.value, bar.value - 2.0 * bar.standard_error, bar.value + 2.0 * bar.standard_error];
    let (low, high) = shown
        .iter()
        .flat_map(ends)
        .filter(|end| end.is_finite())
        .fold((0.0_f64, 0.0_f64), |(low, high), end| (low.min(end), high.max(end)));
    let span = if high > low { high - low } else { 1.0 };
    let low = if low < 0.0 { low - 0.03 * span } else { 0.0 };
    let more = if more > 0 { format!(" {more} more columns are less important.") } else { String::new() };
    let words = Words {
        title: "Importance of the columns".into(),
        subtitle: subtitle.into(),
        caption: format!("{caption} Lines: two standard errors.{more}"),
    };
    let x = Axis { name: axis.into(), scale: Scale::Numbers { low, high: high + 0.03 * span, whole: false } };
    let names: Vec<String> = shown.iter().map(|bar| bar.name.clone()).collect();
    let y = Axis { name: String::new(), scale: Scale::Categories(names.clone()) };
    let frame = Frame::new(&words, &x, &y, &Legend::none());
    let mut shapes = Vec::new();
    let zero = frame.x(0.0);
    for (place, bar) in shown.iter().enumerate().filter(|(_, bar)| bar.value.is_finite()) {
        let (top, bottom) = (frame.y(place as f64 + 0.85), frame.y(place as f64 + 0.15));
        let end = frame.x(bar.value);
        let area = Rectangle { left: zero.min(end), top, right: zero.max(end), bottom };
        shapes.push(Shape::Rectangle { area, colour: style(0).colour, opacity: 1.0 });
        let middle = f64::midpoint(top, bottom);
        let [low, high] = [-2.0, 2.0].map(|times| frame.x(bar.value + times * bar.standard_error));
        shapes.push(stroke((low, middle), (high, middle), 1.5, INK));
    }
    shapes.push(stroke((zero, frame.area.top), (zero, frame.area.bottom), 1.0, GREY));
    Picture {
        kind: "importance",
        area: frame.area,
        shapes: frame.around(shapes),
        shown: vec![Shown::Categories { categories: names }],
        outside: 0,
        missing: 0,
        contributions: Vec::new(),
    }
}
