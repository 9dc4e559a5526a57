//! What a model of two classes is worth to those who act on it: decision curves and cost curves.

use nb_metrics::{NetBenefit, RankingCurve};
use nb_report::{Axis, Cell, Column, Figure, Lines, Panels, Point, Section, Series, Stroke, Table};

use super::Found;
use crate::output::short;

/// Thresholds of the table, in percent.
const THRESHOLDS: [u32; 8] = [1, 5, 10, 20, 30, 50, 70, 90];

/// Nothing for more than two classes, and for rows of one.
pub(super) fn section(found: &Found<'_>) -> Option<Section> {
    let (&[positive], [_, _]) = (&found.pictured()[..], found.classifier.classes()) else { return None };
    let [class, other] = [found.name(positive), found.name(1 - positive)];
    let ranked = found
        .ranked(positive)
        .map(|(odds, is_class, weight)| (1.0 / (1.0 + libm::exp(-odds)), is_class, weight));
    let curve = RankingCurve::new(ranked);
    let (positives, negatives) = curve.weights();
    if positives == 0.0 || negatives == 0.0 {
        return None;
    }
    let mut section = Section::new("decisions", "Decisions");
    section.push(format!(
        "Who acts on rows that are {class} with a probability of at least t, and on no others, holds acting on a row that is \
         {other} for t/(1 - t) times as bad as acting on one that is {class} is good. The net benefit counts the gain by that \
         account, in rows that are {class} for each row (Vickers and Elkin 2006): the model is worth using where its curve is \
         above both of acting on all rows and of acting on none. It takes the probabilities at their word, so that poor \
         calibration costs it.",
    ));
    let share = positives / (positives + negatives);
    let mut panels = Panels { columns: 2, ..Panels::default() };
    panels.push("Decision curve", benefits(&curve.decision(percents(1..=99)), share));
    panels.push("Cost curve", costs(&curve));
    section.push(Figure::new(
        format!(
            "Net benefit of acting on rows as {class} from a threshold probability on; and the expected cost where always being \
             wrong costs 1, by the share c that missed rows of {class} have in it (Drummond and Holte 2006): with the best threshold \
             for c among these rows, with the threshold 0.5, and without a model."
        ),
        panels,
    ));
    section.push(table(&curve, class));
    Some(section)
}

fn percents(numbers: impl IntoIterator<Item = u32>) -> impl Iterator<Item = f64> {
    numbers.into_iter().map(|percent| f64::from(percent) / 100.0)
}

/// Losses larger than a third of the largest benefit are off the picture, as acting on all rows has no bound.
fn benefits(found: &[NetBenefit], share: f64) -> Lines {
    let lowest = -share / 3.0;
    let mut lines =
        Lines::new(Axis::linear("threshold probability").between(0.0, 1.0), Axis::linear("net benefit"));
    let mut push = |name: &str, stroke: Stroke, value: fn(&NetBenefit) -> f64| {
        let shown = found.iter().filter(|benefit| value(benefit) >= lowest);
        let points = shown.map(|benefit| Point::new(benefit.threshold, value(benefit)));
        lines.series.push(Series::new(name, points).with_stroke(stroke).without_markers());
    };
    push("model", Stroke::Solid, |benefit| benefit.model);
    push("acting on all", Stroke::Dashed, |benefit| benefit.all);
    push("acting on none", Stroke::Dotted, |_| 0.0);
    lines
}

fn costs(curve: &RankingCurve) -> Lines {
    let found = curve.costs(percents(0..=100));
    let mut lines =
        Lines::new(Axis::linear("c").between(0.0, 1.0), Axis::linear("expected cost").between(0.0, 0.5));
    let of_half = |condition: f64| curve.cost_of(0.5, condition).unwrap_or(f64::NAN);
    let mut push = |name: &str, stroke: Stroke, points: Vec<Point>| {
        lines.series.push(Series::new(name, points).with_stroke(stroke).without_markers());
    };
    push(
        "best threshold",
        Stroke::Solid,
        found.iter().map(|cost| Point::new(cost.condition, cost.lowest)).collect(),
    );
    let half = found.iter().map(|cost| Point::new(cost.condition, of_half(cost.condition))).collect();
    push("threshold 0.5", Stroke::Dotted, half);
    let trivial = found.iter().map(|cost| Point::new(cost.condition, cost.trivial)).collect();
    push("always one class", Stroke::Dashed, trivial);
    lines
}

fn table(curve: &RankingCurve, class: &str) -> Table {
    let columns = [
        Column::text("threshold"),
        Column::number("acted on")
            .with_note("The share of the rows whose probability is at least the threshold."),
        Column::number("net benefit"),
        Column::number("acting on all"),
        Column::number("gain of the model")
            .with_note("On the better of acting on all rows and on none; below 0 the model does harm."),
    ];
    let mut table = Table::new(format!("Net benefit of acting on rows as {class}"), columns);
    let (positives, negatives) = curve.weights();
    for benefit in curve.decision(percents(THRESHOLDS)) {
        let taken = curve.at_least(benefit.threshold);
        table.push([
            Cell::text(short(benefit.threshold)).sorted_by(benefit.threshold),
            Cell::number((taken.positives + taken.negatives) / (positives + negatives), 4),
            Cell::number(benefit.model, 4),
            Cell::number(benefit.all, 4),
            Cell::number(benefit.gain(), 4),
        ]);
    }
    table
}
