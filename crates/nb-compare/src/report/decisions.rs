//! What variants are worth on data of two classes to those who act on their posteriors: ROC, decision and
//! cost curves.

use nb_metrics::RankingCurve;
use nb_report::{Axis, Cell, Column, Figure, Lines, Panels, Point, Section, Series, Stroke, Table};

use crate::{Analysis, Comparison, Data, Done, report};

/// Thresholds of the table.
const THRESHOLDS: [f64; 7] = [0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9];

/// Steps of the curves.
const STEPS: u32 = 100;

/// Nothing without kept log-posteriors of data of two classes.
pub(super) fn section(analysis: &Analysis<'_>) -> Option<Section> {
    let comparison = analysis.comparison;
    let mut section = Section::new("decisions", "Decisions");
    section.push(
        "A threshold t for the probability of a class means that a false positive costs t/(1 - t) times the benefit of a true \
         positive; the net benefit is what true positives bring less what false positives cost, for each row (Vickers and Elkin 2006). The \
         cost curve is the lowest expected cost over all thresholds, where always being wrong costs 1, by the probability cost: the share \
         of that cost which missed rows of the class have (Drummond and Holte 2006). Rows of all repeats are pooled. The class is the positive \
         one of the design, or else the second one by name.",
    );
    let before = section.blocks.len();
    for (set, data) in comparison.data.iter().enumerate() {
        if data.classes.len() != 2 {
            continue;
        }
        let positive = positive(comparison, data);
        let [class, other] = [positive, 1 - positive].map(|class| &data.classes[class].0);
        let curves: Vec<(&str, Curves)> = report::names(comparison)
            .filter_map(|variant| Some((variant, Curves::new(comparison, data, variant)?)))
            .collect();
        if curves.is_empty() {
            continue;
        }
        let caption = format!(
            "{}: ROC curve, {class} against {other}; net benefit of acting on rows as {class} from a threshold on; expected cost",
            data.name
        );
        let figure = Figure::new(caption, panels(&curves));
        section.push(figure.with_id(format!("figure-decisions-{set}")));
        let title = format!("Net benefit of acting on rows as {class} on {}, by the threshold", data.name);
        section.push(table(title, &curves).with_id(format!("table-decisions-{set}")));
    }
    (section.blocks.len() > before).then_some(section)
}

/// The rows of a variant, ranked.
struct Curves {
    /// By log-odds, which distinguish posteriors near 1.
    odds: RankingCurve,
    /// By probability.
    probabilities: RankingCurve,
}

impl Curves {
    /// Those of the positive class over all repeats; none without log-posteriors, or of rows of one class.
    fn new(comparison: &Comparison, data: &Data, variant: &str) -> Option<Self> {
        let units = comparison.units.iter().filter(|unit| unit.set == data.name && unit.variant == variant);
        let positive = positive(comparison, data);
        let dones = units.filter_map(|unit| unit.done());
        let rows: Vec<(f64, bool)> = dones.flat_map(|done| odds_of(done, &data.labels, positive)).collect();
        let curve = |score: fn(f64) -> f64| {
            RankingCurve::new(rows.iter().map(|&(odds, is_class)| (score(odds), is_class, 1.0)))
        };
        let odds = curve(|odds| odds);
        let (positives, negatives) = odds.weights();
        let is_whole = positives > 0.0 && negatives > 0.0;
        is_whole.then(|| Self { odds, probabilities: curve(|odds| 1.0 / (1.0 + libm::exp(-odds))) })
    }
}

/// The positive class of data of two classes: that of the design, or else the second one.
fn positive(comparison: &Comparison, data: &Data) -> usize {
    let positive = comparison.design.positive.as_deref();
    usize::from(data.classes.first().is_none_or(|(class, _)| Some(class.as_str()) != positive))
}

/// The log-odds of the positive class for each tested row, and whether it is of this class. A row that is
/// impossible under both is as likely of either.
fn odds_of<'a>(
    done: &'a Done,
    labels: &'a [usize],
    positive: usize,
) -> impl Iterator<Item = (f64, bool)> + 'a {
    let is_tested = |row: &usize| done.tested.is_empty() || done.tested[*row];
    let tested = (0..labels.len()).filter(is_tested);
    tested.zip(done.log_posteriors.chunks_exact(2)).map(move |(row, values)| {
        let odds = values[positive] - values[1 - positive];
        (if odds.is_nan() { 0.0 } else { odds }, labels[row] == positive)
    })
}

fn steps() -> impl Iterator<Item = f64> {
    (0..=STEPS).map(|step| f64::from(step) / f64::from(STEPS))
}

/// The height of an ROC curve, which is straight where scores are equal.
fn height(points: &[(f64, f64)], x: f64) -> f64 {
    let next = points.partition_point(|point| point.0 <= x);
    let Some(&(from_x, from_y)) = next.checked_sub(1).and_then(|last| points.get(last)) else { return 0.0 };
    let Some(&(to_x, to_y)) = points.get(next) else { return from_y };
    from_y + (to_y - from_y) * (x - from_x) / (to_x - from_x)
}

fn panels(curves: &[(&str, Curves)]) -> Panels {
    let share = |label: &str| Axis::linear(label).between(0.0, 1.0);
    let mut roc = Lines::new(share("false positive rate"), share("true positive rate"));
    let mut benefit = Lines::new(share("threshold probability"), Axis::linear("net benefit"));
    let mut cost = Lines::new(share("probability cost"), Axis::linear("expected cost").between(0.0, 0.5));
    let series = |name: &str, points: Vec<Point>| Series::new(name, points).without_markers();
    // Losses larger than a third of the largest benefit are off the picture, as acting on all rows has no
    // bound.
    let shown = |curve: &RankingCurve, value: fn(&nb_metrics::NetBenefit) -> f64| -> Vec<Point> {
        let (positives, negatives) = curve.weights();
        let lowest = -positives / (positives + negatives) / 3.0;
        let found = curve.decision(steps());
        let seen = found.iter().filter(|benefit| value(benefit) >= lowest);
        seen.map(|benefit| Point::new(benefit.threshold, value(benefit))).collect()
    };
    for (name, curve) in curves {
        let found: Vec<(f64, f64)> = curve.odds.roc().collect();
        roc.series.push(series(name, steps().map(|x| Point::new(x, height(&found, x))).collect()));
        benefit.series.push(series(name, shown(&curve.probabilities, |benefit| benefit.model)));
        let costs = curve.odds.costs(steps());
        let points = costs.iter().map(|cost| Point::new(cost.condition, cost.lowest)).collect();
        cost.series.push(series(name, points));
    }
    let reference = |lines: &mut Lines, name: &str, points: Vec<Point>| {
        lines.series.push(series(name, points).with_stroke(Stroke::Dotted));
    };
    reference(&mut roc, "chance", vec![Point::new(0.0, 0.0), Point::new(1.0, 1.0)]);
    if let Some((_, curve)) = curves.first() {
        reference(&mut benefit, "acting on all", shown(&curve.probabilities, |benefit| benefit.all));
    }
    benefit.horizontal(0.0, "acting on none");
    let corners = [(0.0, 0.0), (0.5, 0.5), (1.0, 0.0)].map(|(c, cost)| Point::new(c, cost));
    reference(&mut cost, "always one class", corners.to_vec());
    let mut panels = Panels { columns: 3, ..Panels::default() };
    panels.push("ROC", roc);
    panels.push("Decision curve", benefit);
    panels.push("Cost curve", cost);
    panels
}

fn table(title: String, curves: &[(&str, Curves)]) -> Table {
    let thresholds = THRESHOLDS.map(|threshold| Column::number(format!("{threshold}")));
    let mut table = Table::new(title, [Column::text("variant")].into_iter().chain(thresholds));
    let mut push = |name: &str, curve: &RankingCurve, value: fn(&nb_metrics::NetBenefit) -> f64| {
        let cells = curve
            .decision(THRESHOLDS)
            .iter()
            .map(|benefit| Cell::number(value(benefit), 4))
            .collect::<Vec<_>>();
        table.push([Cell::text(name)].into_iter().chain(cells));
    };
    for (name, curve) in curves {
        push(name, &curve.probabilities, |benefit| benefit.model);
    }
    if let Some((_, curve)) = curves.first() {
        push("acting on all", &curve.probabilities, |benefit| benefit.all);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_scores_are_a_straight_line() {
        let curve = RankingCurve::new([(0.5, true, 1.0), (0.5, false, 1.0), (0.1, false, 1.0)]);
        let points: Vec<(f64, f64)> = curve.roc().collect();
        let heights = [0.0, 0.25, 0.5, 0.75, 1.0].map(|x| height(&points, x));
        assert_eq!(heights, [0.0, 0.5, 1.0, 1.0, 1.0]);
        assert_eq!(height(&[], 0.5), 0.0);
    }
}
