//! Figures drawn, described and as tables.

mod bars;
mod canvas;
mod critical_difference;
mod data;
mod describe;
mod dots;
mod frame;
mod heatmap;
mod lines;
mod reliability;
mod scale;
mod series_style;
mod ticks;

use std::collections::BTreeMap;

pub(crate) use data::data;
pub(crate) use describe::description;

use crate::Plot;
use series_style::SeriesStyle;

/// A figure drawn: pictures as SVG, and what its styles mean.
#[derive(Debug, Default)]
pub(crate) struct Drawing {
    pub(crate) pictures: Vec<Picture>,
    /// Pictures in a row, where there is space.
    pub(crate) columns: usize,
    /// Swatches as SVG, and the names beside them.
    pub(crate) legend: Vec<(String, String)>,
    /// Values that have no place in the picture.
    pub(crate) n_omitted: usize,
}

/// A picture and its title, which may be empty.
#[derive(Debug)]
pub(crate) struct Picture {
    pub(crate) title: String,
    pub(crate) svg: String,
}

/// Draws a figure; `label` is what it says to readers who do not see it, `first` are the names whose styles are those of
/// the whole document.
pub(crate) fn draw(plot: &Plot, label: &str, first: &[String]) -> Drawing {
    match plot {
        Plot::Lines(lines) => lines::draw(lines, label, first),
        Plot::Panels(panels) => lines::draw_panels(panels, first),
        Plot::CriticalDifference(diagram) => critical_difference::draw(diagram, label),
        Plot::Reliability(reliability) => reliability::draw(reliability, label, first),
        Plot::Dots(dots) => dots::draw(dots, label, first),
        Plot::Heatmap(heatmap) => heatmap::draw(heatmap, label),
        Plot::Bars(bars) => bars::draw(bars, label),
    }
}

/// The styles of series by their names: those of the document, then others in the order in which they first occur.
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

/// The ends of an interval, if it is one: a line of its own in the readout.
fn interval_words(interval: Option<(f64, f64)>) -> Option<String> {
    let (low, high) = interval?;
    Some(format!("interval: {} to {}", exact(low), exact(high)))
}
