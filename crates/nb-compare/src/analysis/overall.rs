//! All variants over all data sets.

use nb_significance::{
    Better, Friedman, Nemenyi, PairwisePValues, Wilcoxon, Zeros, friedman, groups_by_difference,
    groups_by_p_values, nemenyi, pairs, rank_p_values, wilcoxon,
};

use crate::{
    Design, Measure,
    analysis::{Cell, common::without_gaps},
};

/// All variants over all data sets, by one measure (Demšar 2006, *Statistical comparisons of classifiers over
/// multiple data sets*, Journal of Machine Learning Research 7, 1-30).
///
/// Ranks need a value of every variant on every data set. Variants and data sets with gaps are left out, one
/// by one, always the one with the largest share of gaps.
#[derive(Clone, Debug, PartialEq)]
pub struct Overall {
    /// The measure.
    pub measure: Measure,
    /// The data sets that are left, positions in the design.
    pub sets: Vec<usize>,
    /// The variants that are left, positions in the design. All that follows is in this order.
    pub variants: Vec<usize>,
    /// Friedman's test and the average ranks; 1 is the best.
    pub friedman: Friedman,
    /// Nemenyi's test of all pairs, and its critical difference.
    pub nemenyi: Nemenyi,
    /// Variants that Nemenyi's test does not tell apart, positions in `variants`.
    pub groups: Vec<Vec<usize>>,
    /// P-values of all pairs of ranks, adjusted by Holm's procedure.
    pub holm: PairwisePValues,
    /// Variants that these do not tell apart.
    pub holm_groups: Vec<Vec<usize>>,
    /// Wilcoxon's signed-rank test of each pair, in the order of [`pairs`]; none where a measure is
    /// infinite.
    pub wilcoxon: Vec<Option<Wilcoxon>>,
    /// The p-values of these, adjusted by Holm's procedure: unlike ranks, no test of a pair depends on which
    /// other variants are compared (Benavoli, Corani and Mangili 2016). None if a pair has no test.
    pub wilcoxon_holm: Option<PairwisePValues>,
    /// Variants that these do not tell apart, as far as they are neighbours in the order of ranks.
    pub wilcoxon_groups: Vec<Vec<usize>>,
}

impl Overall {
    /// `None` if there are not two variants and two data sets without gaps.
    pub(super) fn new(design: &Design, cells: &[Vec<Cell>], measure: Measure) -> Option<Self> {
        let gaps: Vec<Vec<bool>> =
            cells.iter().map(|row| row.iter().map(|cell| cell.mean(measure).is_none()).collect()).collect();
        let (sets, variants) = without_gaps(&gaps, design.variants.len());
        if sets.len() < 2 || variants.len() < 2 {
            return None;
        }
        let value = |set: usize, variant: usize| cells[set][variant].mean(measure);
        let scores: Vec<Vec<f64>> = sets
            .iter()
            .map(|&set| variants.iter().filter_map(|&variant| value(set, variant)).collect())
            .collect();
        let better = better(measure);
        // Two of each without gaps or NaN, and a level that was checked, are all that the tests ask for.
        let friedman = friedman(&scores, better).ok()?;
        let nemenyi = nemenyi(&friedman, design.alpha).ok()?;
        let holm = rank_p_values(&friedman);
        let ranks = &friedman.average_ranks;
        let groups = groups_by_difference(ranks, nemenyi.critical_difference).ok()?;
        let holm_groups = groups_by_p_values(ranks, &holm, design.alpha).ok()?;
        let of_variant = |variant: usize| scores.iter().map(|row| row[variant]).collect::<Vec<f64>>();
        let wilcoxon: Vec<Option<Wilcoxon>> = pairs(variants.len())
            .map(|(first, second)| wilcoxon(&of_variant(first), &of_variant(second), Zeros::Split).ok())
            .collect();
        let p_values: Option<Vec<f64>> =
            wilcoxon.iter().map(|test| test.as_ref().map(|test| test.p)).collect();
        let wilcoxon_holm =
            p_values.and_then(|p_values| Some(PairwisePValues::new(variants.len(), p_values).ok()?.holm()));
        let wilcoxon_groups = wilcoxon_holm
            .as_ref()
            .and_then(|p_values| groups_by_p_values(ranks, p_values, design.alpha).ok())
            .unwrap_or_default();
        Some(Self {
            measure,
            sets,
            variants,
            friedman,
            nemenyi,
            groups,
            holm,
            holm_groups,
            wilcoxon,
            wilcoxon_holm,
            wilcoxon_groups,
        })
    }
}

/// Which scores are better, as the tests want to know.
pub(crate) fn better(measure: Measure) -> Better {
    if measure.larger_is_better() { Better::Larger } else { Better::Smaller }
}
