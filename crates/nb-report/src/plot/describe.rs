//! Figures in words, for readers who do not see them.

use std::fmt::Write as _;

use crate::{
    BarPanel, BarSet, CriticalDifference, Dots, Heatmap, Lines, Panels, Plane, Plot, Point, Reliability,
    Scale, number,
};

/// A description of the picture, in a sentence or two.
pub(crate) fn description(plot: &Plot) -> String {
    match plot {
        Plot::Lines(lines) => of_lines(lines),
        Plot::Panels(panels) => of_panels(panels),
        Plot::CriticalDifference(diagram) => of_ranks(diagram),
        Plot::Reliability(reliability) => of_reliability(reliability),
        Plot::Dots(dots) => of_dots(dots),
        Plot::Heatmap(heatmap) => of_heatmap(heatmap),
        Plot::Plane(plane) => of_plane(plane),
        Plot::Bars(bars) => {
            let panels = bars.panels.iter().map(|panel| of_bars(panel, &bars.measure));
            panels.collect::<Vec<_>>().join(" ")
        }
    }
}

/// Four significant digits: a description is read aloud.
fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    number::exact(rounded)
}

fn logarithmic(scale: Scale) -> &'static str {
    match scale {
        Scale::Linear => "",
        Scale::Log => " on a logarithmic axis",
    }
}

pub(super) fn of_lines(lines: &Lines) -> String {
    let ends = |points: &[Point]| {
        let mut finite = points.iter().filter(|point| point.x.is_finite() && point.y.is_finite());
        let first = finite.next()?;
        let last = finite.next_back().unwrap_or(first);
        let [x, y, end_x, end_y] = [first.x, first.y, last.x, last.y].map(short);
        Some(format!("from {y} at {x} to {end_y} at {end_x}"))
    };
    let series = lines.series.iter().map(|series| {
        format!("{}, {}", series.name, ends(&series.points).unwrap_or_else(|| "without values".into()))
    });
    let references = lines
        .references
        .iter()
        .map(|reference| format!("a line at {}, {}", short(reference.at), reference.label));
    let parts: Vec<String> = series.chain(references).collect();
    format!(
        "Lines of {}{} against {}{}: {}.",
        lines.y.label,
        logarithmic(lines.y.scale),
        lines.x.label,
        logarithmic(lines.x.scale),
        parts.join("; ")
    )
}

fn of_panels(panels: &Panels) -> String {
    let plots = panels.panels.iter().map(|(title, lines)| format!("{title}. {}", of_lines(lines)));
    format!("{} small plots. {}", panels.panels.len(), plots.collect::<Vec<_>>().join(" "))
}

fn of_ranks(diagram: &CriticalDifference) -> String {
    let mut sorted: Vec<&(String, f64)> = diagram.ranks.iter().collect();
    sorted.sort_by(|a, b| a.1.total_cmp(&b.1));
    let ranks: Vec<String> = sorted.iter().map(|(name, rank)| format!("{name} {}", short(*rank))).collect();
    let mut words = format!("Average ranks, best first: {}.", ranks.join(", "));
    if let Some(difference) = diagram.difference {
        let _ = write!(words, " The critical difference is {}.", short(difference));
    }
    for group in &diagram.groups {
        let names: Vec<&str> = group.iter().filter_map(|&i| Some(diagram.ranks.get(i)?.0.as_str())).collect();
        let _ = write!(words, " Joined, as they do not differ significantly: {}.", names.join(", "));
    }
    words
}

fn of_plane(plane: &Plane) -> String {
    let mut names: Vec<&str> = Vec::new();
    for layer in &plane.layers {
        if !layer.name.is_empty() && !names.contains(&layer.name.as_str()) {
            names.push(&layer.name);
        }
    }
    format!("{} against {}: {}.", plane.y.label, plane.x.label, names.join(", "))
}

fn of_reliability(reliability: &Reliability) -> String {
    let series = reliability.series.iter().map(|series| {
        let used = series.points.iter().filter(|point| point.rows > 0.0);
        let gap = |point: &crate::ReliabilityPoint| point.accuracy - point.confidence;
        let widest = used.max_by(|a, b| gap(a).abs().total_cmp(&gap(b).abs()));
        widest.map_or_else(
            || format!("{}, without rows", series.name),
            |point| {
                let [confidence, accuracy] = [point.confidence, point.accuracy].map(short);
                format!(
                    "{}, farthest from it with accuracy {accuracy} at confidence {confidence}",
                    series.name
                )
            },
        )
    });
    format!("Accuracy against confidence beside the diagonal: {}.", series.collect::<Vec<_>>().join("; "))
}

fn of_dots(dots: &Dots) -> String {
    let series = dots.series.iter().map(|series| {
        let named = dots.categories.iter().zip(&series.values);
        let values = || named.clone().filter_map(|(name, dot)| Some((name, (*dot)?.value)));
        let lowest = values().min_by(|a, b| a.1.total_cmp(&b.1));
        let highest = values().max_by(|a, b| a.1.total_cmp(&b.1));
        match (lowest, highest) {
            (Some((low_name, low)), Some((high_name, high))) => {
                format!("{}, from {} ({low_name}) to {} ({high_name})", series.name, short(low), short(high))
            }
            _ => format!("{}, without values", series.name),
        }
    });
    let series: Vec<String> = series.collect();
    format!(
        "{}{} by {}: {}.",
        dots.axis.label,
        logarithmic(dots.axis.scale),
        dots.category,
        series.join("; ")
    )
}

pub(super) fn of_bars(panel: &BarPanel, measure: &str) -> String {
    let (ends, largest) = match &panel.bars {
        BarSet::Intervals(bars) => {
            let ends = bars.first().zip(bars.last());
            let largest = bars.iter().max_by(|a, b| a.2.total_cmp(&b.2));
            (
                ends.map(|(first, last)| format!("from {} to {}", short(first.0), short(last.1))),
                largest.map(|bar| format!("{} from {} to {}", short(bar.2), short(bar.0), short(bar.1))),
            )
        }
        BarSet::Named(bars) => {
            let largest = bars.iter().max_by(|a, b| a.1.total_cmp(&b.1));
            let ends = (!bars.is_empty()).then(|| format!("of {} names", bars.len()));
            (ends, largest.map(|(name, value)| format!("{} ({name})", short(*value))))
        }
    };
    match (ends, largest) {
        (Some(ends), Some(largest)) => {
            format!("{}: bars {ends}, the largest number of {measure} {largest}.", panel.title)
        }
        _ => format!("{}: no bars.", panel.title),
    }
}

fn of_heatmap(heatmap: &Heatmap) -> String {
    let values = || heatmap.cells.iter().flatten().flatten().map(|cell| cell.value);
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    let what = if heatmap.measure.is_empty() { "numbers" } else { &heatmap.measure };
    let size = format!("{} rows and {} columns", heatmap.rows.len(), heatmap.columns.len());
    if low <= high {
        format!("A matrix of {what} with {size}, from {} to {}.", short(low), short(high))
    } else {
        format!("A matrix of {what} with {size}, without values.")
    }
}
