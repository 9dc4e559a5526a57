//! ROC and precision-recall curves, gain and lift.

use nb_metrics::RankingCurve;
use nb_report::{Axis, Cell, Column, Figure, Lines, Panels, Point, Section, Series, Stroke, Table};

use super::Found;
use crate::output::short;

/// The most points of a curve that are drawn.
const MOST_POINTS: f64 = 100.0;

pub(super) fn ranking(found: &Found<'_>) -> Section {
    let mut section = Section::new("ranking", "Ranking");
    let pictured = found.pictured();
    let share = |label: &str| Axis::linear(label).between(0.0, 1.0);
    let mut roc = Lines::new(share("false positive rate"), share("true positive rate"));
    let mut recall = Lines::new(share("recall"), share("precision"));
    let heads = ["share of the rows", "AUC", "average precision"].map(Column::number);
    let mut table = Table::new("Areas under the curves", [Column::text("class")].into_iter().chain(heads));
    for &class in &pictured {
        let curve = RankingCurve::new(found.ranked(class));
        let name = found.name(class);
        roc.series.push(if pictured.len() == 1 { banded(name, &curve) } else { series(name, curve.roc()) });
        recall
            .series
            .push(series(name, curve.precision_recall().map(|(precision, recall)| (recall, precision))));
        let (positives, negatives) = curve.weights();
        let number = |value: Option<f64>| value.map_or_else(Cell::missing, |value| Cell::number(value, 4));
        let frequency = positives / (positives + negatives);
        table.push([
            Cell::text(name),
            Cell::number(frequency, 4),
            number(curve.auc()),
            number(curve.average_precision()),
        ]);
        if pictured.len() == 1 {
            recall.horizontal(frequency, "chance");
        }
    }
    roc.series.push(chance());
    let mut panels = Panels { columns: 2, ..Panels::default() };
    panels.push("ROC", roc);
    panels.push("Precision and recall", recall);
    let against = match found.classifier.classes() {
        [first, second] => format!("{second} against {first}"),
        _ => "each class against all others".into(),
    };
    let band = if pictured.len() == 1 {
        " The band of the ROC curve holds the whole curve of the population with 95 % confidence."
    } else {
        ""
    };
    let caption = format!(
        "ROC and precision-recall curves, {against}: what is found as the threshold of the probability goes down.{band}{}",
        found.left_out(&pictured)
    );
    section.push(Figure::new(caption, panels));
    section.push(table);
    section
}

pub(super) fn gain(found: &Found<'_>) -> Section {
    let mut section = Section::new("gain", "Gain and lift");
    let pictured = found.pictured();
    let share = |label: &str| Axis::linear(label).between(0.0, 1.0);
    let mut gain = Lines::new(share("share of the rows"), share("share of the class"));
    let mut lift = Lines::new(share("share of the rows"), Axis::linear("lift").between(0.0, 1.0));
    for &class in &pictured {
        let curve = RankingCurve::new(found.ranked(class));
        gain.series.push(series(found.name(class), curve.gain()));
        // Of a few rows the lift is a matter of luck.
        let enough = curve.gain().filter(|(taken, _)| *taken >= 0.01);
        lift.series.push(series(found.name(class), enough.map(|(taken, found)| (taken, found / taken))));
    }
    gain.series.push(chance());
    lift.horizontal(1.0, "chance");
    let mut panels = Panels { columns: 2, ..Panels::default() };
    panels.push("Cumulative gain", gain);
    panels.push("Lift", lift);
    let caption = format!(
        "If the rows that are most probably of a class are taken first: the share of the class that is found, and how many times as \
         many that is as by chance.{}",
        found.left_out(&pictured)
    );
    section.push(Figure::new(caption, panels));
    if let &[class] = pictured.as_slice() {
        section.push(tenths(found, class));
    }
    section
}

/// What is found in the first tenths of the rows.
fn tenths(found: &Found<'_>, class: usize) -> Table {
    let curve = RankingCurve::new(found.ranked(class));
    let points: Vec<(f64, f64)> = curve.gain().collect();
    let heads = ["share of the class", "lift"].map(Column::number);
    let title = format!("Rows that are most probably {}, taken first", found.name(class));
    let mut table = Table::new(title, [Column::text("rows taken")].into_iter().chain(heads));
    for percent in [5.0, 10.0, 20.0, 30.0, 40.0, 50.0] {
        let taken = percent / 100.0;
        let Some(share) = at(&points, taken) else { continue };
        let head = Cell::text(format!("{} %", short(percent))).sorted_by(percent);
        table.push([head, Cell::number(share, 4), Cell::number(share / taken, 2)]);
    }
    table
}

/// The height of a curve at a place, between two of its points in proportion.
fn at(points: &[(f64, f64)], x: f64) -> Option<f64> {
    let above = points.iter().position(|point| point.0 >= x)?;
    let (to_x, to_y) = points[above];
    let (from_x, from_y) = points[above.checked_sub(1)?];
    Some(from_y + (to_y - from_y) * (x - from_x) / (to_x - from_x))
}

fn series(name: &str, points: impl Iterator<Item = (f64, f64)>) -> Series {
    let points: Vec<(f64, f64)> = points.collect();
    Series::new(name, thinned(&points).into_iter().map(|(x, y)| Point::new(x, y))).without_markers()
}

/// A ROC curve with its confidence band.
fn banded(name: &str, curve: &RankingCurve) -> Series {
    let band = curve.roc_band(0.95);
    let points: Vec<(f64, f64)> = band.iter().map(|at| (at.false_positives, at.found)).collect();
    let shown = thinned(&points);
    let is_shown = |at: &&nb_metrics::RocBand| shown.contains(&(at.false_positives, at.found));
    let dot = |at: &nb_metrics::RocBand| Point::new(at.false_positives, at.found).between(at.lower, at.upper);
    Series::new(name, band.iter().filter(is_shown).map(dot)).without_markers()
}

/// The diagonal.
fn chance() -> Series {
    let ends = [Point::new(0.0, 0.0), Point::new(1.0, 1.0)];
    Series::new("chance", ends).with_stroke(Stroke::Dotted).without_markers()
}

/// Points that are far enough from one another to be seen, with the first and the last one.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for (place, &point) in points.iter().enumerate() {
        let far = |last: &(f64, f64)| (point.0 - last.0).abs() + (point.1 - last.1).abs() > 2.0 / MOST_POINTS;
        if place + 1 == points.len() || kept.last().is_none_or(far) {
            kept.push(point);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinned_curves_keep_their_ends() {
        let points: Vec<(f64, f64)> =
            (0..=10_000).map(|i| (f64::from(i) / 1e4, f64::from(i) / 1e4)).collect();
        let kept = thinned(&points);
        assert!(
            kept.len() < 110 && kept[0] == (0.0, 0.0) && kept[kept.len() - 1] == (1.0, 1.0),
            "{}",
            kept.len()
        );
        assert_eq!(thinned(&[]), []);
    }

    #[test]
    fn heights_are_between_points() {
        let points = [(0.0, 0.0), (0.2, 0.6), (1.0, 1.0)];
        assert_eq!((at(&points, 0.1), at(&points, 0.2), at(&points, 1.0)), (Some(0.3), Some(0.6), Some(1.0)));
        assert_eq!(at(&points[..1], 0.5), None);
    }
}
