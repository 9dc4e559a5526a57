//! Every measure of every variant on every data set.

use nb_report::{Axis, Block, Cell as TableCell, Column, Dot, Dots, Figure, Section, Table};

use crate::{Analysis, Measure, analysis::better, report};
use nb_significance::{Better, are_tied};

pub(super) fn section(analysis: &Analysis<'_>) -> Section {
    let main = analysis.comparison.design.measure;
    let mut section = Section::new("results", "Results");
    let limits = limits(analysis);
    if analysis.comparison.data.len() == 1 {
        section.push(all_measures(analysis));
        section.push(figure(analysis, main));
        section.push(losses(analysis));
        section.blocks.extend(decompositions(analysis).into_iter().chain(limits).map(Block::Table));
        return section;
    }
    section.push(table(analysis, main));
    section.push(figure(analysis, main));
    let mut others = Section::new("other-measures", "Other measures");
    for measure in analysis.measures().into_iter().filter(|measure| *measure != main) {
        others.push(table(analysis, measure));
        if measure == Measure::LogLoss {
            others.push(losses(analysis));
        }
    }
    if main == Measure::LogLoss {
        others.push(losses(analysis));
    }
    section.blocks.extend(decompositions(analysis).into_iter().chain(limits).map(Block::Table));
    section.sections.push(others);
    section
}

/// The columns whose power was cut off, if there are any.
fn limits(analysis: &Analysis<'_>) -> Option<Table> {
    let columns = [
        Column::text("data set"),
        Column::text("variant"),
        Column::text("column"),
        Column::number("splits").with_note("on whose training rows the power was cut off"),
        Column::number("power λ").with_note("of the first of them"),
    ];
    let mut table =
        Table::new("Columns whose power was cut off where doubles end", columns).with_id("table-limits");
    for (data, row) in analysis.comparison.data.iter().zip(&analysis.cells) {
        for (variant, cell) in row.iter().enumerate() {
            for limit in cell.summary().into_iter().flat_map(|summary| &summary.limits) {
                table.push([
                    TableCell::text(&data.name),
                    TableCell::text(analysis.name(variant)),
                    TableCell::text(&limit.column),
                    TableCell::count(limit.n_folds as u64),
                    TableCell::short(limit.lambda, report::DECIMALS),
                ]);
            }
        }
    }
    table.note(
        "A power beyond it fits the column better, but there doubles do not tell its values apart. Columns of few values have such powers; \
         bins or categories may suit them better.",
    );
    (!table.rows.is_empty()).then_some(table)
}

fn table(analysis: &Analysis<'_>, measure: Measure) -> Table {
    let comparison = analysis.comparison;
    let columns = report::names(comparison).map(Column::number);
    let direction = match (measure.is_ranked(), measure.larger_is_better()) {
        (true, true) => "; larger is better, the best of each data set in bold",
        (true, false) => "; smaller is better, the best of each data set in bold",
        (false, _) => "",
    };
    let caption = format!("{}: {}{direction}", capital(measure.title()), averaged(measure));
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
        table.note(meaning_of_marks(analysis));
    }
    table
}

/// How a measure is averaged.
fn averaged(measure: Measure) -> &'static str {
    if measure.is_pooled() {
        "mean over repeats, of all tested rows of a repeat together"
    } else {
        "mean ± standard deviation over folds"
    }
}

fn meaning_of_marks(analysis: &Analysis<'_>) -> String {
    format!(
        "◦ better and • worse than {} at the level {} (corrected resampled t-test, each data set by itself)",
        analysis.name(analysis.baseline()),
        analysis.comparison.design.alpha
    )
}

/// All measures of each variant on the only data set.
fn all_measures(analysis: &Analysis<'_>) -> Table {
    let comparison = analysis.comparison;
    let measures = analysis.measures();
    let columns = measures.iter().map(|measure| Column::number(measure.title()));
    let name = comparison.data.first().map_or("", |data| &data.name);
    let caption = format!("Measures on {name}: {}; the best in bold", averaged(Measure::Accuracy));
    let mut table =
        Table::new(caption, [Column::text("variant")].into_iter().chain(columns)).with_id("table-measures");
    let mut has_marks = false;
    for variant in 0..comparison.design.variants.len() {
        let cells = measures.iter().map(|&measure| {
            let cell = cell(analysis, 0, variant, measure, best(analysis, 0, measure));
            match mark(analysis, 0, variant).filter(|_| measure == comparison.design.measure) {
                Some(mark) => {
                    has_marks = true;
                    cell.with_mark(mark)
                }
                None => cell,
            }
        });
        table.push([TableCell::text(analysis.name(variant))].into_iter().chain(cells));
    }
    let titles = |is_meant: fn(Measure) -> bool| {
        let titles = measures.iter().filter(|measure| is_meant(**measure)).map(|measure| measure.title());
        titles.collect::<Vec<_>>().join(", ")
    };
    let smaller = titles(|measure| measure.is_ranked() && !measure.larger_is_better());
    if !smaller.is_empty() {
        table.note(format!("Larger is better, but of {smaller} smaller."));
    }
    let pooled = titles(Measure::is_pooled);
    if !pooled.is_empty() {
        table.note(format!("{}: {}.", capital(&pooled), averaged(Measure::CalibrationError)));
    }
    if has_marks {
        table.note(meaning_of_marks(analysis));
    }
    table
}

/// How much of the error is the same in every repeat; none where no variant has several repeats of the same
/// rows.
fn decompositions(analysis: &Analysis<'_>) -> Option<Table> {
    let columns = [
        Column::text("data set"),
        Column::text("variant"),
        Column::number("error"),
        Column::number("bias").with_note("Kohavi and Wolpert (1996), with what no classifier could know"),
        Column::number("variance").with_note("error less bias: what other training rows change"),
        Column::number("bias, Webb").with_note(
            "wrong answers that are the most frequent answer to their row over the repeats (Webb 2000)",
        ),
        Column::number("variance, Webb").with_note("the other wrong answers"),
    ];
    let mut table =
        Table::new("Error, as bias and variance over the repeats", columns).with_id("table-bias-variance");
    for (data, row) in analysis.comparison.data.iter().zip(&analysis.cells) {
        for (variant, cell) in row.iter().enumerate() {
            let Some(found) = cell.summary().and_then(|summary| summary.decomposition) else { continue };
            let values = [found.error, found.bias, found.variance, found.webb_bias, found.webb_variance];
            let names = [&data.name, analysis.name(variant)].map(TableCell::text);
            table.push(
                names.into_iter().chain(values.map(|value| TableCell::number(value, report::DECIMALS))),
            );
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

/// Which rows the log-loss is of: a mean that a few rows drive says little of the others.
fn losses(analysis: &Analysis<'_>) -> Table {
    let columns = [
        Column::text("data set"),
        Column::text("variant"),
        Column::number("mean").with_note("over the folds"),
        Column::number("median")
            .with_note("of all tested rows of a repeat, averaged over repeats, as are the numbers of rows"),
        Column::number("rows of posterior 0").with_note("each makes the mean infinite"),
        Column::number("rows that are half of it")
            .with_note("the least number that makes up half of the sum over the others"),
        Column::number("tested rows"),
    ];
    let mut table = Table::new("Log-loss: how it is spread over the rows", columns).with_id("table-losses");
    for (data, row) in analysis.comparison.data.iter().zip(&analysis.cells) {
        let n_rows = data.splits.tested as u64;
        for (variant, cell) in row.iter().enumerate() {
            let Some(summary) = cell.summary() else { continue };
            let Some(spread) = &summary.losses else { continue };
            table.push([
                TableCell::text(&data.name),
                TableCell::text(analysis.name(variant)),
                summary
                    .mean
                    .get(Measure::LogLoss)
                    .map_or(TableCell::missing(), |mean| TableCell::short(mean, report::DECIMALS)),
                TableCell::short(spread.median, report::DECIMALS),
                TableCell::number(spread.n_impossible, 1),
                TableCell::number(spread.n_half, 1),
                TableCell::count(n_rows),
            ]);
        }
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
        None => TableCell::short(mean, report::DECIMALS),
    };
    if best.is_some_and(|best| are_tied(mean, best)) { cell.best() } else { cell }
}

/// The best mean of a data set.
fn best(analysis: &Analysis<'_>, set: usize, measure: Measure) -> Option<f64> {
    if !measure.is_ranked() {
        return None;
    }
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
    let (least, most) = measure.range();
    for (variant, name) in report::names(comparison).enumerate() {
        let dot = |row: &Vec<crate::Cell>| {
            let summary = row[variant].summary()?;
            let mean = summary.mean.get(measure).filter(|mean| mean.is_finite())?;
            Some(match summary.deviation.get(measure) {
                Some(deviation) => {
                    Dot::between(mean, (mean - deviation).max(least), (mean + deviation).min(most))
                }
                None => Dot::new(mean),
            })
        };
        dots.push(name, analysis.cells.iter().map(dot));
    }
    let caption = format!(
        "{} of each variant: mean and standard deviation over folds, within the range of the measure",
        capital(measure.title())
    );
    Figure::new(caption, dots).with_id("figure-results")
}

/// With a capital letter in front.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
