//! Groups of classifiers that do not differ significantly: the bars of critical-difference diagrams.

use crate::pairwise::PairwisePValues;

/// Why there are no groups.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GroupError {
    /// An average rank is no number.
    #[error("the average rank of classifier {classifier} is {rank}; it must be finite")]
    Rank {
        /// The classifier, counted from 0.
        classifier: usize,
        /// Its rank.
        rank: f64,
    },
    /// The critical difference is none.
    #[error("the critical difference is {critical_difference}; it must be finite and more than 0")]
    CriticalDifference {
        /// The critical difference.
        critical_difference: f64,
    },
    /// The p-values are of other classifiers.
    #[error(
        "there are {n_ranks} average ranks and p-values of {n_classifiers} classifiers; give those of the same ones"
    )]
    Length {
        /// The number of ranks.
        n_ranks: usize,
        /// The number of classifiers that have p-values.
        n_classifiers: usize,
    },
    /// The significance level is none.
    #[error("the significance level is {alpha}; it must lie between 0 and 1, such as 0.05")]
    Alpha {
        /// The level.
        alpha: f64,
    },
}

/// The bars of a critical-difference diagram: each maximal set of two or more classifiers, neighbours in the
/// order of average ranks, whose ranks all differ by less than the critical difference. Sets are in the order
/// of ranks, best first, and so are the classifiers in them, which are counted from 0. Classifiers without a
/// common set differ significantly; that two have one does not say that they are equal.
///
/// Demšar 2006, *Statistical comparisons of classifiers over multiple data sets*, Journal of Machine Learning
/// Research 7, section 3.2.4 and figure 1.
///
/// # Errors
/// If a rank is not finite, or the critical difference is not positive and finite.
///
/// ```
/// use nb_significance::groups_by_difference;
///
/// // Demšar's example at 10 %.
/// let groups = groups_by_difference(&[3.143, 2.000, 2.893, 1.964], 1.12)?;
/// assert_eq!(groups, [vec![3, 1, 2], vec![2, 0]]);
/// # Ok::<(), nb_significance::GroupError>(())
/// ```
pub fn groups_by_difference(
    average_ranks: &[f64],
    critical_difference: f64,
) -> Result<Vec<Vec<usize>>, GroupError> {
    if !(critical_difference > 0.0 && critical_difference.is_finite()) {
        return Err(GroupError::CriticalDifference { critical_difference });
    }
    let order = by_rank(average_ranks)?;
    Ok(groups(&order, |a, b| (average_ranks[a] - average_ranks[b]).abs() < critical_difference))
}

/// The bars of a critical-difference diagram from p-values of all pairs, adjusted for their number, such as
/// those of [`rank_p_values`](crate::rank_p_values) or of Wilcoxon's test with Holm's procedure: each maximal
/// set of two or more classifiers, neighbours in the order of average ranks, of which no pair has a p-value
/// of at most `alpha`.
///
/// With p-values that do not follow the ranks, two classifiers that do not differ significantly may have no
/// common set, because one of them differs from a classifier between them. Such a set cannot be drawn as a
/// bar.
///
/// The use of Wilcoxon's test for this is that of Benavoli, Corani and Mangili 2016, *Should we really use
/// post-hoc tests based on mean-ranks?*, Journal of Machine Learning Research 17, 1-10.
///
/// # Errors
/// If a rank is not finite, the p-values are of another number of classifiers, or `alpha` is not between 0
/// and 1.
///
/// ```
/// use nb_significance::{PairwisePValues, groups_by_p_values};
///
/// let p_values = PairwisePValues::new(3, vec![0.4, 0.01, 0.2])?;
/// assert_eq!(groups_by_p_values(&[1.5, 2.0, 2.5], &p_values, 0.05)?, [vec![0, 1], vec![1, 2]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn groups_by_p_values(
    average_ranks: &[f64],
    p_values: &PairwisePValues,
    alpha: f64,
) -> Result<Vec<Vec<usize>>, GroupError> {
    if !(alpha > 0.0 && alpha < 1.0) {
        return Err(GroupError::Alpha { alpha });
    }
    if p_values.n_classifiers() != average_ranks.len() {
        let n_classifiers = p_values.n_classifiers();
        return Err(GroupError::Length { n_ranks: average_ranks.len(), n_classifiers });
    }
    let order = by_rank(average_ranks)?;
    Ok(groups(&order, |a, b| p_values.get(a, b).is_some_and(|p| p > alpha)))
}

/// Classifiers from the best rank to the worst; of equal ones the earlier first.
fn by_rank(average_ranks: &[f64]) -> Result<Vec<usize>, GroupError> {
    if let Some(classifier) = average_ranks.iter().position(|rank| !rank.is_finite()) {
        return Err(GroupError::Rank { classifier, rank: average_ranks[classifier] });
    }
    let mut order: Vec<usize> = (0..average_ranks.len()).collect();
    order.sort_by(|&a, &b| average_ranks[a].total_cmp(&average_ranks[b]));
    Ok(order)
}

/// Maximal runs of which every pair is alike.
fn groups(order: &[usize], are_alike: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut groups = Vec::new();
    let mut covered = 0;
    for start in 0..order.len() {
        let mut end = start + 1;
        while end < order.len() && order[start..end].iter().all(|&member| are_alike(member, order[end])) {
            end += 1;
        }
        // A run that ends no later than an earlier one lies within it.
        if end > covered && end - start > 1 {
            groups.push(order[start..end].to_vec());
            covered = end;
        }
    }
    groups
}
