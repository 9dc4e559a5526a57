//! How probable it is that variants are practically the same as the baseline.

use nb_significance::{
    FoldScores, Hierarchical, HierarchicalError, PracticalDifference, bayesian_signed_rank, data_sets_needed,
    hierarchical,
};

use crate::Analysis;

/// Samples of the posterior distribution over data sets: shares of them are right to two decimals.
const N_SAMPLES: usize = 50_000;

/// Samples of the posterior distribution of the hierarchical model.
const N_HIERARCHICAL: usize = 8_000;

/// The fewest data sets over which a probability is given.
const FEWEST_SETS: usize = 5;

/// The power that differences and numbers of data sets are given for (Cohen 1988).
pub(crate) const POWER: f64 = 0.8;

/// The probabilities that each variant is worse than the baseline, practically equal and better.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Practical {
    /// What the tests say: each data set by itself, then all of them.
    pub outcomes: Vec<PracticalOutcome>,
    /// The variants of which the hierarchical test has no answer, as the chains of its samples do not agree.
    pub not_converged: Vec<usize>,
}

/// What a test says of a variant and the baseline.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PracticalOutcome {
    /// The test.
    pub test: PracticalTest,
    /// The data set, a position in the design, if it is of one.
    pub set: Option<usize>,
    /// The variant, a position in the design.
    pub variant: usize,
    /// How many folds or data sets it is of.
    pub n: usize,
    /// The probability that the variant is worse.
    pub worse: f64,
    /// The probability that the difference is at most the region.
    pub equal: f64,
    /// The probability that the variant is better.
    pub better: f64,
    /// The difference that the corrected resampled t-test finds with a power of 0.8, if there is such a
    /// test.
    pub detectable: Option<f64>,
    /// How many data sets show a mean difference of the region with a power of 0.8 by Wilcoxon's test, if
    /// that can be said.
    pub needed: Option<usize>,
}

/// A test of practical differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PracticalTest {
    /// The Bayesian correlated t-test of the folds of a data set.
    CorrelatedT,
    /// The Bayesian signed-rank test of the means on the data sets.
    SignedRank,
    /// The Bayesian hierarchical test of all folds: the outcome on the next data set.
    Hierarchical,
    /// The same: the outcome that is the most probable one.
    MostProbable,
}

impl Practical {
    pub(super) fn new(analysis: &Analysis<'_>) -> Self {
        let baseline = analysis.baseline();
        let variants =
            || (0..analysis.comparison.design.variants.len()).filter(|&variant| variant != baseline);
        let sets = 0..analysis.comparison.data.len();
        let of_sets =
            sets.flat_map(|set| variants().filter_map(move |variant| of_set(analysis, set, variant)));
        let mut outcomes: Vec<PracticalOutcome> = of_sets.collect();
        outcomes.extend(variants().filter_map(|variant| of_means(analysis, variant)));
        let mut not_converged = Vec::new();
        for variant in variants() {
            match by_all_folds(analysis, variant, baseline) {
                Some((n, Ok(found))) => {
                    let outcome = |test, difference| {
                        PracticalOutcome::new(analysis, test, variant, n, difference, false)
                    };
                    outcomes.push(outcome(PracticalTest::Hierarchical, found.next));
                    outcomes.push(outcome(PracticalTest::MostProbable, found.most_probable));
                }
                Some((_, Err(HierarchicalError::NotConverged { .. }))) => not_converged.push(variant),
                // Infinite measures of folds, or none that vary: there is no such probability then.
                _ => {}
            }
        }
        Self { outcomes, not_converged }
    }
}

impl PracticalOutcome {
    /// Of a difference of the variant less the baseline, or the other way round.
    fn new(
        analysis: &Analysis<'_>,
        test: PracticalTest,
        variant: usize,
        n: usize,
        found: PracticalDifference,
        is_swapped: bool,
    ) -> Self {
        let (mut worse, mut better) = (found.below, found.above);
        if is_swapped == analysis.comparison.design.measure.larger_is_better() {
            (worse, better) = (better, worse);
        }
        Self {
            test,
            set: None,
            variant,
            n,
            worse,
            equal: found.within,
            better,
            detectable: None,
            needed: None,
        }
    }
}

/// The folds of a data set.
fn of_set(analysis: &Analysis<'_>, set: usize, variant: usize) -> Option<PracticalOutcome> {
    let (pair, is_swapped) = analysis.pair(set, variant, analysis.baseline())?;
    let t = pair.t.as_ref()?;
    let found = t.practical_difference(analysis.comparison.design.region);
    let outcome =
        PracticalOutcome::new(analysis, PracticalTest::CorrelatedT, variant, t.n, found, is_swapped);
    let detectable = pair.judged().map(|t| t.detectable_difference(POWER));
    Some(PracticalOutcome { set: Some(set), detectable, ..outcome })
}

/// The means on data sets; none for too few of them.
fn of_means(analysis: &Analysis<'_>, variant: usize) -> Option<PracticalOutcome> {
    let (design, baseline) = (&analysis.comparison.design, analysis.baseline());
    let mean = |set: usize, variant: usize| analysis.cells[set][variant].mean(design.measure);
    let means = (0..analysis.comparison.data.len())
        .filter(|&set| !analysis.agree(set, variant, baseline))
        .filter_map(|set| Some((mean(set, variant)?, mean(set, baseline)?)));
    let (of_variant, of_baseline): (Vec<f64>, Vec<f64>) = means.unzip();
    let n = of_variant.len();
    if n < FEWEST_SETS {
        return None;
    }
    // Infinite means have no difference, and no probability is what there is then.
    let found =
        bayesian_signed_rank(&of_variant, &of_baseline, design.region, N_SAMPLES, design.seed).ok()?;
    let needed =
        data_sets_needed(&of_variant, &of_baseline, design.region, design.alpha, POWER).ok().flatten();
    let outcome =
        PracticalOutcome::new(analysis, PracticalTest::SignedRank, variant, n, found.probability, false);
    Some(PracticalOutcome { needed, ..outcome })
}

/// The hierarchical test of a variant and the baseline over the data sets on which both have a measure of
/// each fold and differ, and how many these are; `None` for too few of them.
fn by_all_folds(
    analysis: &Analysis<'_>,
    variant: usize,
    baseline: usize,
) -> Option<(usize, Result<Hierarchical, HierarchicalError>)> {
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
    Some((all.len(), hierarchical(&scores, design.region, N_HIERARCHICAL, design.seed)))
}
