//! Outcome by disturbance as documents and as CSV.

use nb_report::{
    Axis, Cell, Column, Document, Figure, Lines, List, Panels, Point, Section, Series, Table, Text,
};

use super::{Gap, Outcome, SetOutcome};
use crate::{Comparison, Measure, experiment::Trial, report as parts};

/// What figures and tables show; the CSV has all measures.
const SHOWN: [Measure; 2] = [Measure::Accuracy, Measure::LogLoss];

/// How many decimals a measure is written with.
const DECIMALS: usize = 4;

/// The outcome as a document: changes by level as figures and tables, which variant loses less, what was
/// done, the data and where they come from, the design, and the raw results. `comparison` is that which the
/// outcome is of.
pub fn report(outcome: &Outcome, comparison: &Comparison) -> Document {
    let mut document = Document::new("Robustness");
    document.subtitle = "Accuracy and log-loss as the data get worse".into();
    document.series.clone_from(&outcome.variants);
    document.fact("splits", parts::splits(comparison));
    document.fact("seed", comparison.design.seed.to_string());
    comparison.made.add_to(&mut document);
    document.push(figures(outcome));
    document.push(changes(outcome, &parts::own_splits(comparison)));
    document.sections.extend(pairs(outcome));
    document.push(method(outcome));
    document.push(parts::data_section(comparison));
    document.push(parts::raw_section(
        comparison,
        || [results_csv(outcome), results_json(outcome, comparison)],
        "a line for each fold",
    ));
    document
}

/// The levels of a series, as positions among all levels.
fn positions(outcome: &Outcome, series: usize) -> std::ops::Range<usize> {
    let n_levels = |series: &super::Series| series.levels.len();
    let first: usize = outcome.options.series[..series].iter().map(n_levels).sum();
    first..first + n_levels(&outcome.options.series[series])
}

fn figures(outcome: &Outcome) -> Section {
    let mut section = Section::new("figures", "What is lost");
    for set in &outcome.sets {
        for measure in SHOWN {
            let mut panels = Panels { columns: 2, ..Panels::default() };
            for (number, series) in outcome.options.series.iter().enumerate() {
                let label = format!("change of {}", measure.title());
                let mut lines = Lines::new(Axis::linear(series.disturbance.level()), Axis::linear(label));
                for (variant, name) in outcome.variants.iter().enumerate() {
                    let changes =
                        positions(outcome, number).filter_map(|at| set.change(variant, at, measure));
                    let points: Vec<Point> = changes
                        .filter_map(|change| {
                            let Gap { mean, interval: [low, high], .. } = change.change?;
                            Some(Point::new(change.level, mean).between(low, high))
                        })
                        .collect();
                    if !points.is_empty() {
                        let zero = Point::new(0.0, 0.0).between(0.0, 0.0);
                        lines.series.push(Series::new(name, [zero].into_iter().chain(points)));
                    }
                }
                lines.horizontal(0.0, "");
                panels.push(series.disturbance.title(), lines);
            }
            section.push(Figure::new(
                format!(
                    "{}: change of the {} against undisturbed data, mean over folds with 95 % intervals of the \
                     corrected resampled t-test.",
                    set.name,
                    measure.title()
                ),
                panels,
            ));
        }
    }
    section
}

fn changes(outcome: &Outcome, own_splits: &str) -> Section {
    let mut section = Section::new("changes", "Changes by level");
    if !own_splits.is_empty() {
        section.push(own_splits);
    }
    let mut gaps = Vec::new();
    for set in &outcome.sets {
        for (number, series) in outcome.options.series.iter().enumerate() {
            let caption = format!("{}: {}", set.name, series.disturbance.level());
            let columns =
                ["level", "variant"].map(Column::text).into_iter().chain(SHOWN.iter().flat_map(|measure| {
                    [
                        Column::number(measure.title()),
                        Column::number("change"),
                        Column::text("95 % interval"),
                        Column::number("p"),
                    ]
                }));
            let mut table = Table::new(caption, columns);
            for (variant, name) in outcome.variants.iter().enumerate() {
                if set.reason(variant, None).is_some() {
                    continue;
                }
                let level = |level: f64| Cell::text(level.to_string()).sorted_by(level);
                let before = SHOWN.iter().flat_map(|measure| {
                    let mean = set.undisturbed_mean(variant, *measure).unwrap_or(f64::NAN);
                    [Cell::short(mean, DECIMALS), Cell::missing(), Cell::missing(), Cell::missing()]
                });
                table.push([level(0.0), Cell::text(name)].into_iter().chain(before));
                for at in positions(outcome, number) {
                    let cells = SHOWN.iter().flat_map(|measure| {
                        let change = set.change(variant, at, *measure);
                        let mean = change.map_or(f64::NAN, |change| change.mean);
                        let [gap, interval, p] = cells(change.and_then(|change| change.change));
                        [Cell::short(mean, DECIMALS), gap, interval, p]
                    });
                    table.push([level(set.disturbed[at].level), Cell::text(name)].into_iter().chain(cells));
                    if let Some(reason) = set.reason(variant, Some(at)) {
                        let level = set.disturbed[at].level;
                        gaps.push(format!(
                            "{name} on {}, {} {level}: {reason}",
                            set.name,
                            series.disturbance.name()
                        ));
                    }
                }
            }
            section.push(table);
        }
        for (variant, name) in outcome.variants.iter().enumerate() {
            if let Some(reason) = set.reason(variant, None) {
                gaps.push(format!("{name} on {}: {reason}", set.name));
            }
        }
    }
    if !gaps.is_empty() {
        section.push("Variants without a result in some fold:");
        section.push(List { numbered: false, items: gaps.into_iter().map(Text::from).collect() });
    }
    section
}

/// A difference, its interval and its p-value.
fn cells(gap: Option<Gap>) -> [Cell; 3] {
    let Some(gap) = gap else { return [Cell::missing(), Cell::missing(), Cell::missing()] };
    let [low, high] = gap.interval.map(|end| Cell::short(end, DECIMALS).text);
    [
        Cell::short(gap.mean, DECIMALS),
        Cell::text(format!("{low} to {high}")),
        gap.p.map_or_else(Cell::missing, parts::p_value),
    ]
}

/// Who loses less at the highest level of each series.
fn pairs(outcome: &Outcome) -> Option<Section> {
    if outcome.variants.len() < 2 {
        return None;
    }
    let mut section = Section::new("pairs", "Which variant loses less");
    let columns = [
        Column::text("data set"),
        Column::text("disturbance"),
        Column::number("level"),
        Column::text("measure"),
        Column::text("loses less").with_note(
            "The variant whose measure gets worse by less, and the other one. Where the interval has 0 in it, it may be the \
             other way round.",
        ),
        Column::number("by").with_note("The difference of the changes, fold by fold."),
        Column::text("95 % interval"),
        Column::number("p"),
    ];
    let mut table = Table::new("Differences of changes at the highest level", columns).with_id("change-gaps");
    for set in &outcome.sets {
        for (number, series) in outcome.options.series.iter().enumerate() {
            let Some(at) = positions(outcome, number).last() else { continue };
            for measure in SHOWN {
                for (first, second) in nb_significance::pairs(outcome.variants.len()) {
                    table.rows.extend(pair(
                        outcome,
                        set,
                        (series.disturbance.name(), at),
                        measure,
                        [first, second],
                    ));
                }
            }
        }
    }
    table.note("No correction is made for the number of tests.");
    section.push(table);
    Some(section)
}

fn pair(
    outcome: &Outcome,
    set: &SetOutcome,
    (disturbance, at): (&str, usize),
    measure: Measure,
    [first, second]: [usize; 2],
) -> Option<Vec<Cell>> {
    let gap = set.change_gap([first, second], at, measure)?;
    // As a gain of the first: positive where its measure gets worse by less.
    let is_first = (gap.mean >= 0.0) == measure.larger_is_better();
    let [less, more] = if is_first { [first, second] } else { [second, first] };
    let gap =
        set.change_gap(if measure.larger_is_better() { [less, more] } else { [more, less] }, at, measure)?;
    let [by, interval, p] = cells(Some(gap));
    let words = if gap.mean == 0.0 {
        format!("{} and {} alike", outcome.variants[first], outcome.variants[second])
    } else {
        format!("{} than {}", outcome.variants[less], outcome.variants[more])
    };
    Some(vec![
        Cell::text(&set.name),
        Cell::text(disturbance),
        Cell::text(set.disturbed[at].level.to_string()).sorted_by(set.disturbed[at].level),
        Cell::text(measure.title()),
        Cell::text(words),
        by,
        interval,
        p,
    ])
}

fn method(outcome: &Outcome) -> Section {
    let mut section = Section::new("method", "What was done");
    section.push(
        "Each fold was disturbed, and all variants were trained and tested on the same disturbed rows. Labels of tested rows \
         were not touched. What a level disturbs, every higher level disturbs as well. Changes are of the same fold with and \
         without the disturbance.",
    );
    let items = outcome.options.series.iter().map(|series| {
        let levels: Vec<String> = series.levels.iter().map(f64::to_string).collect();
        Text::from(format!(
            "{} (levels {}): {}.",
            series.disturbance.title(),
            levels.join(", "),
            series.disturbance.meaning()
        ))
    });
    section.push(List { numbered: false, items: items.collect() });
    section
}

/// Everything as JSON, with the design and the data that it can be repeated from.
pub fn results_json(outcome: &Outcome, comparison: &Comparison) -> String {
    parts::json_with(comparison, outcome)
}

/// The measures of every fold as CSV, a line for each data set, disturbance, level, variant and fold; folds
/// are counted over all repeats. Level 0 has no disturbance.
pub fn results_csv(outcome: &Outcome) -> String {
    let heads = ["set", "disturbance", "level", "variant", "fold"].into_iter();
    let mut table = Table::new("", heads.chain(Measure::ALL.map(Measure::key)).map(Column::text));
    for set in &outcome.sets {
        let levels = set.disturbed.iter().map(|at| (at.disturbance.name(), at.level, &at.variants));
        for (disturbance, level, variants) in [("", 0.0, &set.undisturbed)].into_iter().chain(levels) {
            for (name, folds) in outcome.variants.iter().zip(variants) {
                for (fold, values) in folds.iter().map(Trial::values).enumerate() {
                    let Some(values) = values else { continue };
                    let names = [&set.name, disturbance, &level.to_string(), name, &fold.to_string()]
                        .map(str::to_owned);
                    let number =
                        |measure| values.get(measure).map_or(String::new(), |value: f64| value.to_string());
                    table.push(names.into_iter().chain(Measure::ALL.map(number)).map(Cell::text));
                }
            }
        }
    }
    // Every row has as many cells as there are heads.
    table.to_csv().unwrap_or_default()
}
