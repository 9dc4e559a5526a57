//! Prediction sets: how often they have the class, and how large they are.

use nb_report::{Cell, Column, Section, Table};

use crate::{Analysis, SetOutcome, report};

/// Nothing without prediction sets.
pub(super) fn section(analysis: &Analysis<'_>) -> Option<Section> {
    let coverage = analysis.comparison.design.coverage?;
    let columns = [
        Column::text("data set"),
        Column::text("variant"),
        Column::number("coverage").with_note("the share of rows whose class is in the set"),
        Column::number("least of a class").with_note("the least such share of the rows of a class"),
        Column::number("set size").with_note("classes of a set, on average"),
        Column::number("one class").with_note("the share of sets of one class"),
        Column::number("none").with_note("the share of sets without a class"),
    ];
    let caption = format!("Prediction sets for a coverage of {coverage}: means over repeats");
    let mut table = Table::new(caption, columns).with_id("table-sets");
    for (data, variant) in report::each_cell(analysis) {
        let of_repeats = report::repeats(analysis, data, variant).filter_map(|done| done.sets);
        let found: Vec<SetOutcome> = of_repeats.collect();
        if found.is_empty() {
            continue;
        }
        let mean = |value: fn(&SetOutcome) -> f64| found.iter().map(value).sum::<f64>() / found.len() as f64;
        let values = [
            mean(|set| set.coverage),
            mean(|set| set.least_coverage.unwrap_or_default()),
            mean(|set| set.mean_size),
            mean(|set| set.single),
            mean(|set| set.empty),
        ];
        table.push(
            [Cell::text(data), Cell::text(variant)]
                .into_iter()
                .chain(values.map(|value| Cell::number(value, report::DECIMALS))),
        );
    }
    if table.rows.is_empty() {
        return None;
    }
    let mut section = Section::new("sets", "Prediction sets");
    section.push(
        "A prediction set has every class whose posterior reaches a bound. The bound of a fold is that of split conformal prediction: the \
         posteriors of the true classes of the n rows that are tested in the other folds of the repeat are sorted, and the one of rank \
         ⌈(n + 1) coverage⌉ from above is taken; of a single fold each half is judged by the other one. Sets have the true class \
         about as often as the level says, however wrong the posteriors are, if rows are exchangeable; exactly so with one model, and nearly so with \
         the models of the folds (Vovk 2015). A variant is better if its sets are smaller; coverage far from the level says that rows depend on \
         each other or on their order. The level holds over all rows, and need not hold in each class.",
    );
    section.push(table);
    Some(section)
}
