//! What was chosen for variants that are tuned.

use std::collections::BTreeMap;

use nb_report::{Cell, Column, Section, Table};

use crate::{Analysis, Variant};

/// Which values were chosen how often; none without a tuned variant.
pub(super) fn section(analysis: &Analysis<'_>) -> Option<Section> {
    let comparison = analysis.comparison;
    let is_tuned = |variant: &&Variant| variant.tune.is_some();
    if !comparison.design.variants.iter().any(|variant| is_tuned(&variant)) {
        return None;
    }
    let columns = [
        Column::text("data set"),
        Column::text("variant"),
        Column::text("values"),
        Column::number("splits").with_note("on whose training rows they were chosen"),
    ];
    let mut table =
        Table::new("Values that were chosen, the most frequent first", columns).with_id("table-tuned");
    let columns = [
        Column::text("data set"),
        Column::text("variant"),
        Column::text("values"),
        Column::number("splits").with_note("on whose training rows they failed"),
        Column::text("why, on the first"),
    ];
    let mut refused = Table::new("Values that could not be tried: the variant failed with them", columns)
        .with_id("table-tuned-failed");
    for data in &comparison.data {
        for variant in comparison.design.variants.iter().filter(is_tuned) {
            let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
            let units =
                comparison.units.iter().filter(|unit| unit.set == data.name && unit.variant == variant.name);
            for name in units.filter_map(|unit| unit.done()).flat_map(|done| &done.chosen) {
                *counts.entry(name).or_default() += 1;
            }
            let mut counts: Vec<(&str, u64)> = counts.into_iter().collect();
            counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
            for (values, count) in counts {
                table.push([
                    Cell::text(&data.name),
                    Cell::text(&variant.name),
                    Cell::text(values),
                    Cell::count(count),
                ]);
            }
        }
    }
    for (data, row) in comparison.data.iter().zip(&analysis.cells) {
        for (variant, cell) in comparison.design.variants.iter().zip(row) {
            for failed in cell.summary().into_iter().flat_map(|summary| &summary.failed) {
                refused.push([
                    Cell::text(&data.name),
                    Cell::text(&variant.name),
                    Cell::text(&failed.values),
                    Cell::count(failed.n_folds as u64),
                    Cell::text(&failed.reason),
                ]);
            }
        }
    }
    let mut section = Section::new("tuned", "Tuned values");
    section.push(
        "A tuned variant chose its values for each split, by cross-validation within its training rows, so that its measures \
         are of rows that neither the choice nor the model has seen.",
    );
    section.push(table);
    if !refused.rows.is_empty() {
        section.push(refused);
    }
    Some(section)
}
