//! Every variant against the baseline, on each data set by itself.

use nb_report::{Cell, Column, Section, Table};
use nb_significance::holm;

use crate::{
    Analysis,
    analysis::Pair,
    report::{DECIMALS, p_value, practical},
};

pub(super) fn section(analysis: &Analysis<'_>) -> Option<Section> {
    let mut section = Section::new("pairs", "Each data set by itself");
    section.push(table(analysis)?);
    if let Some(table) = practical::table(analysis) {
        section.push(table);
    }
    Some(section)
}

/// Every variant less the baseline, with the interval, and p-values as they are and adjusted.
pub(super) fn table(analysis: &Analysis<'_>) -> Option<Table> {
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
        Column::number("p, Holm")
            .with_note("the same, adjusted for all variants on the data set by Holm's procedure"),
        Column::number("only this one right").with_note("rows of the first repeat"),
        Column::number("only the baseline right"),
        Column::number("p, McNemar").with_note("mid-p-value"),
    ];
    let has_five_by_two = analysis.pairs.iter().flatten().any(|pair| pair.five_by_two.is_some());
    let columns = columns.into_iter().chain(has_five_by_two.then(|| {
        Column::number("p, 5×2 cv F")
            .with_note("combined F test of five repeats of two folds (Alpaydin 1999)")
    }));
    let caption = format!("Each variant less {}, on each data set by itself", analysis.name(baseline));
    let mut table = Table::new(caption, columns).with_id("table-baseline");
    for (set, data) in analysis.comparison.data.iter().enumerate() {
        for ((variant, pair, is_swapped), p_holm) in of_set(analysis, set) {
            let names = [Cell::text(&data.name), Cell::text(analysis.name(variant))];
            let five_by_two = pair.five_by_two.map_or(Cell::missing(), |test| p_value(test.p));
            let five_by_two = has_five_by_two.then_some(five_by_two);
            table.push(names.into_iter().chain(cells(pair, is_swapped, p_holm)).chain(five_by_two));
        }
    }
    if table.rows.is_empty() {
        return None;
    }
    table.note("P-values but those of Holm are of each pair by itself: of twenty pairs that do not differ, about one has a p-value below 0.05.");
    Some(table)
}

/// What Holm's procedure leaves of the differences from the baseline on the only data set.
pub(super) fn conclusion(analysis: &Analysis<'_>) -> Option<String> {
    let alpha = analysis.comparison.design.alpha;
    let larger_is_better = analysis.comparison.design.measure.larger_is_better();
    let (mut better, mut worse, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for ((variant, pair, is_swapped), p_holm) in of_set(analysis, 0) {
        let Some(t) = pair.judged() else {
            // Equal on every fold is no difference; anything else without a variance cannot be judged.
            pair.t.as_ref().filter(|t| t.mean_difference == 0.0)?;
            others.push(analysis.name(variant));
            continue;
        };
        let is_better = ((t.mean_difference > 0.0) != is_swapped) == larger_is_better;
        let kind = match p_holm.is_some_and(|p| p <= alpha) {
            false => &mut others,
            true if is_better => &mut better,
            true => &mut worse,
        };
        kind.push(analysis.name(variant));
    }
    let baseline = analysis.name(analysis.baseline());
    let parts =
        [(better, "better than"), (worse, "worse than"), (others, "not significantly different from")];
    let parts = parts.into_iter().filter(|(names, _)| !names.is_empty()).map(|(names, what)| {
        let verb = if names.len() == 1 { "is" } else { "are" };
        format!("{} {verb} {what} {baseline}", names.join(", "))
    });
    let parts: Vec<String> = parts.collect();
    (!parts.is_empty()).then(|| {
        format!(
            "At α = {alpha}, in {}, by corrected resampled t-tests adjusted by Holm's procedure: {}.",
            analysis.comparison.design.measure.title(),
            parts.join("; ")
        )
    })
}

/// A variant, its pair with the baseline, and whether the pair has the baseline first.
pub(super) type WithBaseline<'a> = (usize, &'a Pair, bool);

/// The variants on a data set beside the baseline, with p-values adjusted by Holm's procedure.
pub(super) fn of_set<'a>(analysis: &'a Analysis<'_>, set: usize) -> Vec<(WithBaseline<'a>, Option<f64>)> {
    let baseline = analysis.baseline();
    let variants = (0..analysis.comparison.design.variants.len()).filter(|&variant| variant != baseline);
    let found: Vec<WithBaseline<'_>> = variants
        .filter_map(|variant| {
            analysis.pair(set, variant, baseline).map(|(pair, is_swapped)| (variant, pair, is_swapped))
        })
        .collect();
    let p: Vec<f64> = found.iter().filter_map(|(_, pair, _)| pair.judged()).map(|t| t.p).collect();
    // P-values of tests are between 0 and 1, which is all that is asked of them.
    let mut adjusted = holm(&p).unwrap_or_default().into_iter();
    found.into_iter().map(|one| (one, one.1.judged().and_then(|_| adjusted.next()))).collect()
}

fn cells(pair: &Pair, is_swapped: bool, p_holm: Option<f64>) -> [Cell; 8] {
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
    let adjusted = p_holm.map_or(Cell::missing(), p_value);
    [difference, from, to, p, adjusted, one, other, p_rows]
}
