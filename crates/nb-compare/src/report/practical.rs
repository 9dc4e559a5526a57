//! How probable it is that variants are practically the same as the baseline.

use nb_report::{Cell, Column, Table};
use nb_significance::{
    FoldScores, Hierarchical, HierarchicalError, PracticalDifference, bayesian_signed_rank, data_sets_needed,
    hierarchical,
};

use crate::{Analysis, report::DECIMALS};

/// Samples of the posterior distribution over data sets: shares of them are right to two decimals.
const N_SAMPLES: usize = 50_000;

/// Samples of the posterior distribution of the hierarchical model.
const N_HIERARCHICAL: usize = 8_000;

/// The fewest data sets over which a probability is given.
const FEWEST_SETS: usize = 5;

/// The power that differences and numbers of data sets are given for (Cohen 1988).
const POWER: f64 = 0.8;

/// What a row over all data sets has in place of the name of one.
const ALL: &str = "(data sets like these)";

/// The same, of all folds in one model: of the difference itself, and of the outcome that is the most probable.
const NEXT: &str = "(next data set, by all folds)";
const MOST_PROBABLE: &str = "(most probable on the next data set)";

/// Whether there is a probability: folds that can be compared, or enough data sets.
pub(super) fn has_probabilities(analysis: &Analysis<'_>) -> bool {
    let has_folds = analysis.pairs.iter().flatten().any(|pair| pair.t.is_some());
    has_folds || analysis.comparison.data.len() >= FEWEST_SETS
}

/// The probabilities that a variant is worse than the baseline, practically equal and better, on each data set and on data sets
/// like all of these.
pub(super) fn table(analysis: &Analysis<'_>) -> Option<Table> {
    let design = &analysis.comparison.design;
    let baseline = analysis.baseline();
    let larger_is_better = design.measure.larger_is_better();
    let mut table = empty(analysis);
    let variants = || (0..design.variants.len()).filter(|&variant| variant != baseline);
    let mut push =
        |set: &str, variant: usize, found: PracticalDifference, is_swapped: bool, needed: [Cell; 2]| {
            let (mut worse, mut better) = (found.below, found.above);
            if is_swapped == larger_is_better {
                (worse, better) = (better, worse);
            }
            let shares = [worse, found.within, better].map(|share| Cell::number(share, 2));
            table.push(
                [Cell::text(set), Cell::text(analysis.name(variant))].into_iter().chain(shares).chain(needed),
            );
        };
    for (set, data) in analysis.comparison.data.iter().enumerate() {
        for variant in variants() {
            let Some((pair, is_swapped)) = analysis.pair(set, variant, baseline) else { continue };
            if let Some(t) = &pair.t {
                let detectable = match pair.judged() {
                    Some(t) => Cell::number(t.detectable_difference(POWER), DECIMALS),
                    None => Cell::missing(),
                };
                let found = t.practical_difference(design.region);
                push(&data.name, variant, found, is_swapped, [detectable, Cell::missing()]);
            }
        }
    }
    for variant in variants() {
        let mean = |set: usize, variant: usize| analysis.cells[set][variant].mean(design.measure);
        let means = (0..analysis.comparison.data.len())
            .filter(|&set| !analysis.agree(set, variant, baseline))
            .filter_map(|set| Some((mean(set, variant)?, mean(set, baseline)?)));
        let (of_variant, of_baseline): (Vec<f64>, Vec<f64>) = means.unzip();
        if of_variant.len() < FEWEST_SETS {
            continue;
        }
        // Infinite means have no difference, and no probability is what there is then.
        if let Ok(found) =
            bayesian_signed_rank(&of_variant, &of_baseline, design.region, N_SAMPLES, design.seed)
        {
            let needed = data_sets_needed(&of_variant, &of_baseline, design.region, design.alpha, POWER)
                .ok()
                .flatten();
            let needed = needed.map_or(Cell::missing(), |needed| Cell::count(needed as u64));
            push(ALL, variant, found.probability, false, [Cell::missing(), needed]);
        }
    }
    let mut doubtful = Vec::new();
    let mut example = None;
    for variant in variants() {
        match by_all_folds(analysis, variant, baseline) {
            Some(Ok(found)) => {
                push(NEXT, variant, found.next, false, [Cell::missing(), Cell::missing()]);
                push(MOST_PROBABLE, variant, found.most_probable, false, [Cell::missing(), Cell::missing()]);
                example.get_or_insert((variant, found));
            }
            Some(Err(HierarchicalError::NotConverged { .. })) => doubtful.push(analysis.name(variant)),
            // Infinite measures of folds, or none that vary: there is no such probability then.
            _ => {}
        }
    }
    if table.rows.is_empty() {
        return None;
    }
    table.note(
        "On a data set: the Bayesian correlated t-test (Corani and Benavoli 2015) of the folds. On data sets like these: the Bayesian signed-rank \
         test of the means (Benavoli et al. 2014), whose probabilities are shares of 50,000 samples. Both as in Benavoli, Corani, Demšar and \
         Zaffalon (2017). On the next data set: the Bayesian hierarchical test of the folds of all data sets in one model (Corani, Benavoli, Demšar, \
         Mangili and Zaffalon 2017), from 8,000 samples or more: the posterior probability of each outcome, and that each is the most probable one, \
         which is what the package baycomp prints.",
    );
    if let Some((variant, found)) = example {
        table.note(in_words(analysis, variant, &found));
    }
    if let Some(same) = left_out(analysis) {
        table.note(same);
    }
    if !doubtful.is_empty() {
        table.note(format!(
            "The hierarchical test of {} has no answer: the chains of its samples do not agree (R̂ above 1.05, or too few effective \
             samples).",
            doubtful.join(", ")
        ));
    }
    Some(table)
}

/// The table without rows.
fn empty(analysis: &Analysis<'_>) -> Table {
    let design = &analysis.comparison.design;
    let columns = [
        Column::text("data set"),
        Column::text("variant"),
        Column::number("worse"),
        Column::number("equal").with_note(format!(
            "a difference of {} of at most {}",
            design.measure.title(),
            design.region
        )),
        Column::number("better"),
        Column::number("detectable").with_note(format!(
            "the difference that the corrected resampled t-test finds with a probability of {POWER} at α = {}, if one is there",
            design.alpha
        )),
        Column::number("data sets needed").with_note(format!(
            "as many find a mean difference of {} with this probability by Wilcoxon's test",
            design.region
        )),
    ];
    let caption = format!(
        "Probabilities that each variant is worse than {}, practically equal, and better",
        analysis.name(analysis.baseline())
    );
    Table::new(caption, columns).with_id("table-practical")
}

/// What an author may write of the hierarchical test of a variant.
fn in_words(analysis: &Analysis<'_>, variant: usize, found: &Hierarchical) -> String {
    let design = &analysis.comparison.design;
    let better = |all: PracticalDifference| {
        if design.measure.larger_is_better() { all.above } else { all.below }
    };
    let (variant, baseline) = (analysis.name(variant), analysis.name(analysis.baseline()));
    format!(
        "In words: on the next data set {variant} is better than {baseline} by more than {} in {} with a probability of {:.2}. The probability \
         that this is the most probable outcome is {:.2}; it says how sure the data are of the sign, and not how often {variant} will be better.",
        design.region,
        design.measure.title(),
        better(found.next),
        better(found.most_probable)
    )
}

/// On which data sets variants have the same measures as the baseline.
fn left_out(analysis: &Analysis<'_>) -> Option<String> {
    let baseline = analysis.baseline();
    let of_variant = |variant: usize| {
        let sets = (0..analysis.comparison.data.len()).filter(|&set| analysis.agree(set, variant, baseline));
        let names: Vec<&str> = sets.map(|set| analysis.comparison.data[set].name.as_str()).collect();
        let is_named = variant != baseline && !names.is_empty();
        is_named.then(|| format!("{} ({})", analysis.name(variant), names.join(", ")))
    };
    let all: Vec<String> = (0..analysis.comparison.design.variants.len()).filter_map(of_variant).collect();
    (!all.is_empty()).then(|| {
        format!(
            "Of a variant that has the same measure as {} on every fold of a data set, the tests over data sets leave that data set out: {}.",
            analysis.name(baseline),
            all.join("; ")
        )
    })
}

/// The hierarchical test of a variant and the baseline over the data sets on which both have a measure of each fold and differ; `None`
/// for too few of them.
fn by_all_folds(
    analysis: &Analysis<'_>,
    variant: usize,
    baseline: usize,
) -> Option<Result<Hierarchical, HierarchicalError>> {
    let design = &analysis.comparison.design;
    let of_set = |set: usize| {
        let ratio = analysis.comparison.data[set].splits.test_to_train;
        if analysis.agree(set, variant, baseline) {
            return None;
        }
        Some((analysis.folds(set, variant)?, analysis.folds(set, baseline)?, ratio / (1.0 + ratio)))
    };
    let all: Vec<(Vec<f64>, Vec<f64>, f64)> =
        (0..analysis.comparison.data.len()).filter_map(of_set).collect();
    if all.len() < FEWEST_SETS {
        return None;
    }
    let scores: Vec<FoldScores<'_>> = all
        .iter()
        .map(|(first, second, test_share)| FoldScores { first, second, test_share: *test_share })
        .collect();
    Some(hierarchical(&scores, design.region, N_HIERARCHICAL, design.seed))
}
