//! Figures drawn, described and as tables.
//!
//! ```text
//! Plot ─lines, bars, plane, ...─▶ Canvas ─svg─▶ elements of a page: classes, which the style sheet colours in light and dark
//!          │                        │
//!          frame, scale, ticks,     └─sheet─▶ with title, legend and caption ─looks─▶ colours ─┬─svg─▶ file
//!          series_style, clip                                                                   ├─tikz─▶ LaTeX
//!                                                                                               └─png─▶ dots
//! ```

mod bars;
mod canvas;
mod clip;
mod critical_difference;
mod data;
mod describe;
mod dots;
mod frame;
mod heatmap;
mod lines;
mod looks;
mod plane;
#[cfg(feature = "png")]
mod png;
mod reliability;
mod scale;
mod series_style;
mod sheet;
mod svg;
mod ticks;
mod tikz;

use std::collections::BTreeMap;

pub(crate) use data::data;
pub(crate) use describe::description;
pub(crate) use plane::{colour, region_colour};
pub use sheet::{Area, Picture};

use crate::Plot;
use canvas::Drawn;
use series_style::SeriesStyle;

/// A figure drawn: pictures, and what its styles mean.
#[derive(Debug, Default)]
pub(crate) struct Drawing {
    pub(crate) pictures: Vec<Panel>,
    /// Pictures in a row, where there is space.
    pub(crate) columns: usize,
    /// What the names of the legend are; may be empty.
    pub(crate) legend_title: String,
    /// Swatches, and the names beside them.
    pub(crate) legend: Vec<(Drawn, String)>,
    /// Values that have no place in the picture.
    pub(crate) n_omitted: usize,
    /// Where the data lie in the picture, if it has two axes.
    pub(crate) area: Option<Area>,
}

/// A picture and its title, which may be empty.
#[derive(Debug)]
pub(crate) struct Panel {
    pub(crate) title: String,
    pub(crate) drawn: Drawn,
}

/// Draws a figure; `label` is what it says to readers who do not see it, `first` are the names whose styles
/// are those of the whole document.
pub(crate) fn draw(plot: &Plot, label: &str, first: &[String]) -> Drawing {
    match plot {
        Plot::Lines(lines) => lines::draw(lines, label, first),
        Plot::Panels(panels) => lines::draw_panels(panels, first),
        Plot::CriticalDifference(diagram) => critical_difference::draw(diagram, label),
        Plot::Reliability(reliability) => reliability::draw(reliability, label, first),
        Plot::Dots(dots) => dots::draw(dots, label, first),
        Plot::Heatmap(heatmap) => heatmap::draw(heatmap, label),
        Plot::Bars(bars) => bars::draw(bars, label),
        Plot::Plane(plane) => plane::draw(plane, label, (680.0, 380.0)),
    }
}

/// A plot above its legend as `TikZ`, and its size in points; `first` are the names whose styles are those of
/// the whole document.
pub(crate) fn tikz(plot: &Plot, first: &[String]) -> (String, (f64, f64)) {
    let drawn = sheet::above_legend(plot, first);
    (drawn.tikz(), (drawn.width, drawn.height))
}

/// The styles of series by their names: those of the document, then others in the order in which they first
/// occur.
fn styles<'a>(first: &'a [String], names: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, SeriesStyle> {
    let mut styles = BTreeMap::new();
    for name in first.iter().map(String::as_str).chain(names) {
        let next = SeriesStyle::of(styles.len());
        styles.entry(name).or_insert(next);
    }
    styles
}

/// "label: value", or the value alone.
fn named(label: &str, value: &str) -> String {
    if label.is_empty() { value.into() } else { format!("{label}: {value}") }
}

/// All digits of a value.
fn exact(value: f64) -> String {
    crate::number::for_eyes(&crate::number::exact(value))
}

/// The ends of an interval, if it is one: its own line in the readout.
fn interval_words(interval: Option<(f64, f64)>) -> Option<String> {
    let (low, high) = interval?;
    Some(format!("interval: {} to {}", exact(low), exact(high)))
}
