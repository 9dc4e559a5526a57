//! What variants predict of protected groups.

use nb_report::{Cell, Column, Section, Table};

use crate::{Analysis, GroupOutcome, report};

/// Nothing without a protected column.
pub(super) fn section(analysis: &Analysis<'_>) -> Option<Section> {
    let design = &analysis.comparison.design;
    let (protected, positive) = (design.protected.as_ref()?, design.positive.as_ref()?);
    let columns = [
        Column::text("data set"),
        Column::text("variant"),
        Column::text("group"),
        Column::number("rows").with_note("tested in each repeat, on average"),
        Column::number("predicted").with_note(format!("the share predicted to be {positive}")),
        Column::number("true positives")
            .with_note(format!("the share of those that are {positive} that was predicted to be")),
        Column::number("false positives")
            .with_note(format!("the share of the others that was predicted to be {positive}")),
    ];
    let caption = format!("Predictions of {positive} by {protected}: means over repeats");
    let mut table = Table::new(caption, columns).with_id("table-groups");
    for (data, variant) in report::each_cell(analysis) {
        let repeats: Vec<&[GroupOutcome]> =
            report::repeats(analysis, data, variant).map(|done| &done.groups[..]).collect();
        for (place, group) in repeats.first().copied().unwrap_or_default().iter().enumerate() {
            // The same groups in each repeat; a rate that one of them lacks is of the others.
            let mean = |value: fn(&GroupOutcome) -> Option<f64>| {
                let values: Vec<f64> =
                    repeats.iter().filter_map(|groups| groups.get(place).and_then(value)).collect();
                (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
            };
            let rate = |value: fn(&GroupOutcome) -> Option<f64>| {
                mean(value).map_or(Cell::missing(), |rate| Cell::number(rate, report::DECIMALS))
            };
            let rows = mean(|group| Some(group.rows as f64)).unwrap_or_default();
            table.push([
                Cell::text(data),
                Cell::text(variant),
                Cell::text(&group.group),
                Cell::number(rows, 0),
                rate(|group| group.selection_rate),
                rate(|group| group.true_positive_rate),
                rate(|group| group.false_positive_rate),
            ]);
        }
    }
    if table.rows.is_empty() {
        return None;
    }
    let mut section = Section::new("fairness", "Fairness");
    section.push(
        "What was predicted of the rows of each protected group, over all tested rows of a repeat. Rows whose group is missing are left out. The \
         demographic parity difference is that of the largest and the smallest share predicted; the equal opportunity difference that of \
         true positives; the equalised odds difference the larger one of those of true and false positives (Hardt, Price and Srebro \
         2016). They are above 0 by chance alone, the more so the smaller the groups, and unless the groups have the same share of the class or \
         predictions are perfect, no classifier makes all of them 0 (Kleinberg, Mullainathan and Raghavan 2017).",
    );
    section.push(table);
    Some(section)
}
