//! Every variant against the baseline, on each data set by itself.

use nb_report::{Cell, Column, Section, Table};

use crate::{
    Analysis,
    analysis::Pair,
    report::{DECIMALS, p_value},
};

pub(super) fn section(analysis: &Analysis<'_>) -> Option<Section> {
    let baseline = analysis.baseline();
    let measure = analysis.comparison.design.measure.title();
    let level = 100.0 * (1.0 - analysis.comparison.design.alpha);
    let columns = [
        Column::text("data set"),
        Column::text("variant"),
        Column::number(format!("difference of {measure}")),
        Column::number("from").with_note(format!("{level} % interval")),
        Column::number("to"),
        Column::number("p").with_note("corrected resampled t-test (Nadeau and Bengio 2003)"),
        Column::number("only this one right").with_note("rows of the first repeat"),
        Column::number("only the baseline right"),
        Column::number("p, McNemar").with_note("mid-p-value"),
    ];
    let caption = format!("Each variant less {}, on each data set by itself", analysis.name(baseline));
    let mut table = Table::new(caption, columns).with_id("table-baseline");
    for (set, data) in analysis.comparison.data.iter().enumerate() {
        for variant in (0..analysis.comparison.design.variants.len()).filter(|&variant| variant != baseline) {
            if let Some((pair, is_swapped)) = analysis.pair(set, variant, baseline) {
                let names = [Cell::text(&data.name), Cell::text(analysis.name(variant))];
                table.push(names.into_iter().chain(cells(pair, is_swapped)));
            }
        }
    }
    if table.rows.is_empty() {
        return None;
    }
    table.note("P-values are of each pair by itself: of twenty pairs that do not differ, about one has a p-value below 0.05.");
    let mut section = Section::new("pairs", "Each data set by itself");
    section.push(table);
    Some(section)
}

fn cells(pair: &Pair, is_swapped: bool) -> [Cell; 7] {
    let sign = if is_swapped { -1.0 } else { 1.0 };
    let [mut difference, mut from, mut to, mut p] = std::array::from_fn(|_| Cell::missing());
    if let Some(t) = &pair.t {
        difference = Cell::number(sign * t.mean_difference, DECIMALS);
    }
    if let Some(t) = pair.judged() {
        let ends = [sign * t.interval.lower, sign * t.interval.upper];
        from = Cell::number(ends[0].min(ends[1]), DECIMALS);
        to = Cell::number(ends[0].max(ends[1]), DECIMALS);
        p = p_value(t.p);
    }
    let [mut one, mut other, mut p_rows] = std::array::from_fn(|_| Cell::missing());
    if let Some(mcnemar) = &pair.mcnemar {
        let (first, second) = (mcnemar.only_first, mcnemar.only_second);
        let (ours, theirs) = if is_swapped { (second, first) } else { (first, second) };
        one = Cell::count(ours);
        other = Cell::count(theirs);
        p_rows = p_value(mcnemar.p_mid);
    }
    [difference, from, to, p, one, other, p_rows]
}
