//! Every measure of every variant on every data set.

use nb_report::{Axis, Cell as TableCell, Column, Dot, Dots, Figure, Section, Table};

use crate::{Analysis, Measure, analysis::better, report};
use nb_significance::Better;

pub(super) fn section(analysis: &Analysis<'_>) -> Section {
    let main = analysis.comparison.design.measure;
    let mut section = Section::new("results", "Results");
    section.push(table(analysis, main));
    section.push(figure(analysis, main));
    let mut others = Section::new("other-measures", "Other measures");
    for measure in Measure::ALL.into_iter().filter(|measure| *measure != main) {
        others.push(table(analysis, measure));
    }
    section.sections.push(others);
    section
}

fn table(analysis: &Analysis<'_>, measure: Measure) -> Table {
    let comparison = analysis.comparison;
    let columns = report::names(comparison).map(Column::number);
    let direction = if measure.larger_is_better() { "larger" } else { "smaller" };
    let caption = format!(
        "{}: mean ± standard deviation over folds; {direction} is better, the best of each data set in bold",
        capital(measure.title())
    );
    let mut table = Table::new(caption, [Column::text("data set")].into_iter().chain(columns))
        .with_id(format!("table-{}", measure.key()));
    let is_tested = measure == comparison.design.measure;
    let mut has_marks = false;
    for (set, data) in comparison.data.iter().enumerate() {
        let best = best(analysis, set, measure);
        let mut row = vec![TableCell::text(&data.name)];
        for variant in 0..comparison.design.variants.len() {
            let cell = cell(analysis, set, variant, measure, best);
            let mark = is_tested.then(|| mark(analysis, set, variant)).flatten();
            has_marks |= mark.is_some();
            row.push(match mark {
                Some(mark) => cell.with_mark(mark),
                None => cell,
            });
        }
        table.push(row);
    }
    if let Some(overall) = analysis.overall.iter().find(|overall| overall.measure == measure) {
        let rank = |variant: usize| {
            let place = overall.variants.iter().position(|&ranked| ranked == variant);
            place.map_or(TableCell::missing(), |place| {
                TableCell::number(overall.friedman.average_ranks[place], 2)
            })
        };
        let ranks = (0..comparison.design.variants.len()).map(rank);
        table.push_footer([TableCell::text("average rank")].into_iter().chain(ranks));
    }
    if has_marks {
        let name = analysis.name(analysis.baseline());
        table.note(format!(
            "◦ better and • worse than {name} at the level {} (corrected resampled t-test, each data set by itself)",
            comparison.design.alpha
        ));
    }
    table
}

fn cell(
    analysis: &Analysis<'_>,
    set: usize,
    variant: usize,
    measure: Measure,
    best: Option<f64>,
) -> TableCell {
    let Some(summary) = analysis.cells[set][variant].summary() else { return TableCell::missing() };
    let Some(mean) = summary.mean.get(measure) else { return TableCell::missing() };
    let cell = match summary.deviation.get(measure) {
        Some(deviation) => TableCell::spread(mean, deviation, report::DECIMALS),
        None => TableCell::number(mean, report::DECIMALS),
    };
    if Some(mean) == best { cell.best() } else { cell }
}

/// The best mean of a data set.
fn best(analysis: &Analysis<'_>, set: usize, measure: Measure) -> Option<f64> {
    let means = analysis.cells[set].iter().filter_map(|cell| cell.mean(measure));
    if measure.larger_is_better() { means.reduce(f64::max) } else { means.reduce(f64::min) }
}

/// Whether a variant is significantly better or worse than the baseline on a data set.
fn mark(analysis: &Analysis<'_>, set: usize, variant: usize) -> Option<&'static str> {
    let (pair, is_swapped) = analysis.pair(set, variant, analysis.baseline())?;
    let t = pair.significant(analysis.comparison.design.alpha)?;
    let difference = if is_swapped { -t.mean_difference } else { t.mean_difference };
    let is_better = (difference > 0.0) == (better(analysis.comparison.design.measure) == Better::Larger);
    Some(if is_better { "◦" } else { "•" })
}

fn figure(analysis: &Analysis<'_>, measure: Measure) -> Figure {
    let comparison = analysis.comparison;
    let sets = comparison.data.iter().map(|data| data.name.clone());
    let mut dots = Dots::new(Axis::linear(measure.title()), "data set", sets);
    for (variant, name) in report::names(comparison).enumerate() {
        let dot = |row: &Vec<crate::Cell>| {
            let summary = row[variant].summary()?;
            let mean = summary.mean.get(measure).filter(|mean| mean.is_finite())?;
            Some(match summary.deviation.get(measure) {
                Some(deviation) => Dot::between(mean, mean - deviation, mean + deviation),
                None => Dot::new(mean),
            })
        };
        dots.push(name, analysis.cells.iter().map(dot));
    }
    let caption =
        format!("{} of each variant: mean and standard deviation over folds", capital(measure.title()));
    Figure::new(caption, dots).with_id("figure-results")
}

/// With a capital letter in front.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
