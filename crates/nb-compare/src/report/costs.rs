//! What variants cost: time and memory.

use nb_report::{Axis, Cell, Column, Dot, Dots, Figure, Section, Table};

use crate::{Analysis, Summary, report};

pub(super) fn section(analysis: &Analysis<'_>) -> Section {
    let mut section = Section::new("costs", "Time and size");
    section.push(
        "Times are of one thread while others may have been at work, and are the only numbers of this report that another \
         run does not repeat. Training is measured the plain way, without taking folds out of sums.",
    );
    section.push(
        table(analysis, "Training: microseconds a row", |summary| Some(1e6 * summary.fit_per_row?), 2)
            .with_id("table-training"),
    );
    let answering = table(
        analysis,
        "Answering with log-posteriors: microseconds a row",
        |summary| Some(1e6 * summary.predict_per_row?),
        2,
    );
    section.push(answering.with_id("table-answering"));
    section.push(
        table(analysis, "Size: numbers that a classifier keeps", |summary| summary.n_parameters, 0)
            .with_id("table-size"),
    );
    section.push(figure(analysis));
    section
}

fn table(
    analysis: &Analysis<'_>,
    caption: &str,
    value: impl Fn(&Summary) -> Option<f64>,
    decimals: usize,
) -> Table {
    let columns = report::names(analysis.comparison).map(Column::number);
    let mut table = Table::new(caption, [Column::text("data set")].into_iter().chain(columns));
    for (data, row) in analysis.comparison.data.iter().zip(&analysis.cells) {
        let cells = row.iter().map(|cell| {
            let value = cell.summary().and_then(&value);
            value.map_or(Cell::missing(), |value| Cell::number(value, decimals))
        });
        table.push([Cell::text(&data.name)].into_iter().chain(cells));
    }
    table
}

fn figure(analysis: &Analysis<'_>) -> Figure {
    let sets = analysis.comparison.data.iter().map(|data| data.name.clone());
    let mut dots = Dots::new(Axis::log("microseconds a row, training"), "data set", sets);
    for (variant, name) in report::names(analysis.comparison).enumerate() {
        let times = analysis.cells.iter().map(|row| {
            Some(Dot::new(1e6 * row[variant].summary()?.fit_per_row?)).filter(|dot| dot.value > 0.0)
        });
        dots.push(name, times);
    }
    Figure::new("Time of training", dots).with_id("figure-times")
}
