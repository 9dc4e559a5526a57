//! Ranks over all data sets, and the tests of them.

use nb_report::{Cell, Column, CriticalDifference, Figure, Section, Table};
use nb_significance::{critical_difference_from_control, pairs, rank_tests_against, wins_ties_losses};

use crate::{
    Analysis, Overall,
    analysis::better,
    report::{p_value, results::capital},
};

pub(super) fn section(analysis: &Analysis<'_>) -> Option<Section> {
    let ranking = analysis.ranking()?;
    let mut section = Section::new("ranks", "Ranks over all data sets");
    section.push(tests(analysis));
    section.push(diagram(analysis, ranking, Bars::Nemenyi));
    if ranking.holm_groups != ranking.groups {
        section.push(diagram(analysis, ranking, Bars::Holm));
    }
    if ranking.wilcoxon_holm.is_some() {
        section.push(diagram(analysis, ranking, Bars::Wilcoxon));
    }
    section.push(pairwise(analysis, ranking));
    if let Some(table) = against_baseline(analysis, ranking) {
        section.push(table);
    }
    let mut others = Section::new("other-ranks", "Ranks by other measures");
    for overall in analysis.overall.iter().filter(|overall| overall.measure != ranking.measure) {
        others.push(diagram(analysis, overall, Bars::Nemenyi));
    }
    if !others.blocks.is_empty() {
        section.sections.push(others);
    }
    Some(section)
}

/// Which test the bars of a diagram are of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bars {
    Nemenyi,
    Holm,
    Wilcoxon,
}

fn diagram(analysis: &Analysis<'_>, overall: &Overall, bars: Bars) -> Figure {
    let names = overall.variants.iter().map(|&variant| analysis.name(variant).to_owned());
    let ranks = names.zip(overall.friedman.average_ranks.iter().copied()).collect();
    let alpha = analysis.comparison.design.alpha;
    let (groups, difference, test, key) = match bars {
        Bars::Nemenyi => {
            (&overall.groups, Some(overall.nemenyi.critical_difference), "Nemenyi's test", "nemenyi")
        }
        Bars::Holm => (&overall.holm_groups, None, "tests of rank differences adjusted by Holm", "holm"),
        Bars::Wilcoxon => (&overall.wilcoxon_groups, None, "Wilcoxon's test adjusted by Holm", "wilcoxon"),
    };
    let diagram =
        CriticalDifference { ranks, difference, groups: groups.clone(), ..CriticalDifference::default() };
    let caption = format!(
        "Average ranks by {}; bars join variants that {test} does not tell apart (α = {alpha}, {} data sets)",
        overall.measure.title(),
        overall.sets.len()
    );
    Figure::new(caption, diagram).with_id(format!("figure-{key}-{}", overall.measure.key()))
}

fn tests(analysis: &Analysis<'_>) -> Table {
    let columns = [
        Column::text("measure"),
        Column::number("data sets"),
        Column::number("variants"),
        Column::number("Friedman χ²"),
        Column::number("p"),
        Column::number("F").with_note("Iman and Davenport (1980)"),
        Column::number("p of F"),
        Column::number("Kendall's W").with_note("agreement of the data sets on the ranks, from 0 to 1"),
        Column::number("critical difference").with_note("Nemenyi's test"),
    ];
    let mut table = Table::new("Do the ranks differ at all?", columns).with_id("table-friedman");
    for overall in &analysis.overall {
        let friedman = &overall.friedman;
        table.push([
            Cell::text(overall.measure.title()),
            Cell::count(overall.sets.len() as u64),
            Cell::count(overall.variants.len() as u64),
            Cell::number(friedman.chi_squared, 2),
            p_value(friedman.p),
            Cell::number(friedman.f, 2),
            p_value(friedman.p_f),
            Cell::number(friedman.kendalls_w, 2),
            Cell::number(overall.nemenyi.critical_difference, 2),
        ]);
    }
    table
}

fn pairwise(analysis: &Analysis<'_>, overall: &Overall) -> Table {
    let measure = overall.measure;
    let columns = [
        Column::text("one"),
        Column::text("other"),
        Column::text("better, equal, worse").with_note("data sets on which the one has the better mean"),
        Column::text("significantly better, worse")
            .with_note("data sets on which the one differs by the corrected resampled t-test"),
        Column::number("difference of ranks"),
        Column::number("p, Nemenyi"),
        Column::number("p, Holm").with_note("tests of rank differences, adjusted by Holm's procedure"),
        Column::number("p, Wilcoxon").with_note(
            "signed-rank test of the pair alone, not adjusted; tests of ranks depend on which other variants are compared, and this one does \
             not (Benavoli, Corani and Mangili 2016)",
        ),
        Column::number("p, Wilcoxon, Holm").with_note("the same, adjusted by Holm's procedure for all pairs"),
        Column::number("effect")
            .with_note("matched-pairs rank-biserial correlation: 1 if the one is larger everywhere"),
    ];
    let caption = format!("{}: every pair of variants over all data sets", capital(measure.title()));
    let mut table = Table::new(caption, columns).with_id("table-pairs");
    let mut same = Vec::new();
    for (place, (first, second)) in pairs(overall.variants.len()).enumerate() {
        let (one, other) = (overall.variants[first], overall.variants[second]);
        let means = |variant: usize| -> Vec<f64> {
            overall.sets.iter().filter_map(|&set| analysis.cells[set][variant].mean(measure)).collect()
        };
        let counts = wins_ties_losses(&means(one), &means(other), better(measure)).ok();
        let counts = counts.map_or(Cell::missing(), |counts| {
            Cell::text(format!("{}, {}, {}", counts.wins, counts.ties, counts.losses))
        });
        let (wins, losses) = significant(analysis, overall, one, other);
        let wilcoxon = overall.wilcoxon.get(place).and_then(Option::as_ref);
        let ranks = &overall.friedman.average_ranks;
        table.push([
            Cell::text(analysis.name(one)),
            Cell::text(analysis.name(other)),
            counts,
            Cell::text(format!("{wins}, {losses}")),
            Cell::number(ranks[first] - ranks[second], 2),
            overall.nemenyi.p_values.get(first, second).map_or(Cell::missing(), p_value),
            overall.holm.get(first, second).map_or(Cell::missing(), p_value),
            wilcoxon.map_or(Cell::missing(), |test| p_value(test.p)),
            overall
                .wilcoxon_holm
                .as_ref()
                .and_then(|all| all.get(first, second))
                .map_or(Cell::missing(), p_value),
            wilcoxon.map_or(Cell::missing(), |test| Cell::number(test.rank_biserial, 2)),
        ]);
        let sets = overall.sets.iter().filter(|&&set| analysis.agree(set, one, other));
        let names: Vec<&str> = sets.map(|&set| analysis.comparison.data[set].name.as_str()).collect();
        if !names.is_empty() {
            same.push(format!("{} and {} ({})", analysis.name(one), analysis.name(other), names.join(", ")));
        }
    }
    if !same.is_empty() {
        table.note(format!(
            "With the same {} on every fold of a data set, and so tied in its ranks: {}.",
            measure.title(),
            same.join("; ")
        ));
    }
    table
}

/// The ranks of the baseline and of each other variant, judged together.
fn against_baseline(analysis: &Analysis<'_>, overall: &Overall) -> Option<Table> {
    let alpha = analysis.comparison.design.alpha;
    let control = overall.variants.iter().position(|&variant| variant == analysis.baseline())?;
    let tests = rank_tests_against(&overall.friedman, control).ok()?;
    let (n_variants, n_sets) = (overall.variants.len(), overall.sets.len());
    let critical = critical_difference_from_control(n_variants, n_sets, alpha).ok()?;
    let columns = [
        Column::text("variant"),
        Column::number("difference of ranks").with_note("below 0 where the variant ranks better"),
        Column::number("p"),
        Column::number("p, Holm").with_note("adjusted for all variants of this table"),
        Column::text("Bonferroni-Dunn").with_note(format!(
            "whether the difference is beyond the critical one, {critical:.2} at α = {alpha} (Dunn 1961)"
        )),
    ];
    let caption = format!(
        "{}: every variant against {} over all data sets",
        capital(overall.measure.title()),
        analysis.name(analysis.baseline())
    );
    let mut table = Table::new(caption, columns).with_id("table-ranks-baseline");
    for test in tests {
        // The control is the first of each pair.
        let beyond = if test.difference.abs() >= critical { "differs" } else { "not significant" };
        table.push([
            Cell::text(analysis.name(overall.variants[test.second])),
            Cell::number(-test.difference, 2),
            p_value(test.p),
            p_value(test.p_holm),
            Cell::text(beyond),
        ]);
    }
    Some(table)
}

/// On how many data sets a variant is significantly better and worse than another.
fn significant(analysis: &Analysis<'_>, overall: &Overall, one: usize, other: usize) -> (usize, usize) {
    let (mut wins, mut losses) = (0, 0);
    for &set in &overall.sets {
        let Some((pair, is_swapped)) = analysis.pair(set, one, other) else { continue };
        let Some(t) = pair.significant(analysis.comparison.design.alpha) else { continue };
        let larger = (t.mean_difference > 0.0) != is_swapped;
        if larger == overall.measure.larger_is_better() { wins += 1 } else { losses += 1 }
    }
    (wins, losses)
}
