//! How probable it is that variants are practically the same as the baseline.

use nb_report::{Cell, Column, Table};

use crate::{Analysis, PracticalOutcome, PracticalTest, analysis::POWER, report::DECIMALS};

/// What a row over all data sets has in place of the name of one.
const ALL: &str = "(data sets like these)";

/// The same, of all folds in one model: of the difference itself, and of the outcome that is the most
/// probable.
const NEXT: &str = "(next data set, by all folds)";
const MOST_PROBABLE: &str = "(most probable on the next data set)";

/// The probabilities that a variant is worse than the baseline, practically equal and better, on each data
/// set and on data sets like all of these.
pub(super) fn table(analysis: &Analysis<'_>) -> Option<Table> {
    let practical = analysis.practical();
    if practical.outcomes.is_empty() {
        return None;
    }
    let mut table = empty(analysis);
    for outcome in &practical.outcomes {
        let set = match outcome.test {
            PracticalTest::CorrelatedT => {
                outcome.set.map_or("", |set| analysis.comparison.data[set].name.as_str())
            }
            PracticalTest::SignedRank => ALL,
            PracticalTest::Hierarchical => NEXT,
            PracticalTest::MostProbable => MOST_PROBABLE,
        };
        let names = [set, analysis.name(outcome.variant)].map(Cell::text);
        let shares = [outcome.worse, outcome.equal, outcome.better].map(|share| Cell::number(share, 2));
        let detectable = outcome.detectable.map_or(Cell::missing(), |least| Cell::number(least, DECIMALS));
        let needed = outcome.needed.map_or(Cell::missing(), |needed| Cell::count(needed as u64));
        table.push(names.into_iter().chain(shares).chain([detectable, needed]));
    }
    table.note(
        "On a data set: the Bayesian correlated t-test (Corani and Benavoli 2015) of the folds. On data sets like these: the Bayesian signed-rank \
         test of the means (Benavoli et al. 2014), whose probabilities are shares of 50,000 samples. Both as in Benavoli, Corani, Demšar and \
         Zaffalon (2017). On the next data set: the Bayesian hierarchical test of the folds of all data sets in one model (Corani, Benavoli, Demšar, \
         Mangili and Zaffalon 2017), from 8,000 samples or more: the posterior probability of each outcome, and that each is the most probable one, \
         which is what the package baycomp prints.",
    );
    let first = |test| practical.outcomes.iter().find(|outcome| outcome.test == test);
    if let (Some(next), Some(most_probable)) =
        (first(PracticalTest::Hierarchical), first(PracticalTest::MostProbable))
    {
        table.note(in_words(analysis, next, most_probable));
    }
    if let Some(same) = left_out(analysis) {
        table.note(same);
    }
    let doubtful: Vec<&str> = practical.not_converged.iter().map(|&variant| analysis.name(variant)).collect();
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
fn in_words(analysis: &Analysis<'_>, next: &PracticalOutcome, most_probable: &PracticalOutcome) -> String {
    let design = &analysis.comparison.design;
    let (variant, baseline) = (analysis.name(next.variant), analysis.name(analysis.baseline()));
    format!(
        "In words: on the next data set {variant} is better than {baseline} by more than {} in {} with a probability of {:.2}. The probability \
         that this is the most probable outcome is {:.2}; it says how sure the data are of the sign, and not how often {variant} will be better.",
        design.region,
        design.measure.title(),
        next.better,
        most_probable.better
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
