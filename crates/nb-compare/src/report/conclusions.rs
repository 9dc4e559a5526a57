//! What may be concluded.

use nb_report::{Block, List, Section, Text};

use crate::{
    Analysis, Cell, Overall,
    report::{methods, pairs, practical},
};

pub(super) fn section(analysis: &Analysis<'_>) -> Section {
    let mut section = Section::new("conclusions", "What may be concluded");
    let of_pairs = if analysis.comparison.data.len() == 1 { pairs::conclusion(analysis) } else { None };
    match of_pairs.or_else(|| analysis.conclusion()) {
        Some(conclusion) => section.push(Text::default().strong(conclusion)),
        None => section.push(format!(
            "There is nothing to compare: no variant but the baseline {0} gave results where {0} did.",
            analysis.name(analysis.baseline())
        )),
    }
    if analysis.comparison.data.len() == 1 {
        section
            .blocks
            .extend(pairs::table(analysis).into_iter().chain(practical::table(analysis)).map(Block::Table));
    }
    match analysis.ranking() {
        Some(overall) => left_out(analysis, overall, &mut section),
        None if analysis.comparison.data.len() > 1 => section.push(
            "There are no ranks: they need two variants that both gave results on two data sets. Each data set is judged by \
             itself.",
        ),
        None => {}
    }
    let main = analysis.comparison.design.measure;
    let others: Vec<Text> = analysis
        .overall
        .iter()
        .filter(|overall| overall.measure != main)
        .filter_map(|overall| of_measure(analysis, overall))
        .collect();
    if !others.is_empty() {
        section.push(format!("{} By these:", methods::exploratory(&analysis.comparison.design)));
        section.push(List { items: others, ..List::default() });
    }
    for hint in analysis.hints() {
        section.push(hint);
    }
    let gaps = gaps(analysis);
    if !gaps.is_empty() {
        section.push("Not every variant has every measure on every data set:");
        section.push(List { items: gaps, ..List::default() });
    }
    section
}

fn of_measure(analysis: &Analysis<'_>, overall: &Overall) -> Option<Text> {
    let sentence = analysis.of_ranks(overall)?;
    Some(Text::default().emphasis(overall.measure.title()).plain(format!(": {sentence}")))
}

/// Ranks are of those only that can be ranked.
fn left_out(analysis: &Analysis<'_>, overall: &Overall, section: &mut Section) {
    let comparison = analysis.comparison;
    let sets = (0..comparison.data.len()).filter(|set| !overall.sets.contains(set));
    let sets: Vec<&str> = sets.map(|set| comparison.data[set].name.as_str()).collect();
    let variants = (0..comparison.design.variants.len()).filter(|place| !overall.variants.contains(place));
    let variants: Vec<&str> = variants.map(|variant| analysis.name(variant)).collect();
    if sets.is_empty() && variants.is_empty() {
        return;
    }
    let what = |kind: &str, names: &[&str]| {
        if names.is_empty() { String::new() } else { format!("{kind} {}", names.join(", ")) }
    };
    let parts = [what("the data sets", &sets), what("the variants", &variants)];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    section.push(format!(
        "Ranks need a value of every variant on every data set, so that they leave out {}.",
        parts.join(" and ")
    ));
}

fn gaps(analysis: &Analysis<'_>) -> Vec<Text> {
    let mut gaps = Vec::new();
    for (data, row) in analysis.comparison.data.iter().zip(&analysis.cells) {
        for (variant, cell) in row.iter().enumerate() {
            let reason = match cell {
                Cell::Done(summary) if summary.losses.is_some() => continue,
                Cell::Done(_) => {
                    "only labels were predicted, so that there are no measures of probabilities".to_owned()
                }
                Cell::NotApplicable { reason } => format!("not applicable, {reason}"),
                Cell::Failed { reason } => reason.clone(),
                Cell::Open => "the run was interrupted before it".to_owned(),
            };
            gaps.push(Text::new(format!("{} on {}: {reason}", analysis.name(variant), data.name)));
        }
    }
    gaps
}
