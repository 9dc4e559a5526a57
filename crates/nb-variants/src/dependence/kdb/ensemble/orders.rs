//! The orders of columns in members, and the parents that follow from them.

use nb_core::family::ClassSums;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use rand_distr::{Distribution, Exp1};

use super::super::{
    super::{PairCounts, information},
    structure::in_order,
};

/// The parents of each column in each of a number of members, with orders by a seed.
pub(super) fn members(
    counts: &PairCounts,
    classes: &[ClassSums<'_>],
    k: usize,
    (n_members, seed): (usize, u64),
) -> Vec<Vec<Vec<usize>>> {
    let with_class = information::with_class(counts, classes);
    let within_classes = information::conditional_weights(counts, classes);
    let member = |number: usize| in_order(&order(&with_class, number, seed), &within_classes, k);
    (0..n_members).map(member).collect()
}

/// The order of columns in a member: the first by what they say of the class, others at random.
///
/// Exponential variates divided by the weights of columns, in increasing order, are draws without replacement
/// with probabilities proportional to the weights (Efraimidis and Spirakis 2006, *Weighted random sampling
/// with a reservoir*).
fn order(with_class: &[f64], member: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..with_class.len()).collect();
    if member == 0 {
        order.sort_by(|&a, &b| with_class[b].total_cmp(&with_class[a]));
        return order;
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(member as u64);
    let key = |&weight: &f64| {
        let variate: f64 = Exp1.sample(&mut random);
        // Those without weight come last.
        (weight == 0.0, if weight > 0.0 { variate / weight } else { variate })
    };
    let keys: Vec<(bool, f64)> = with_class.iter().map(key).collect();
    order.sort_by(|&a, &b| keys[a].0.cmp(&keys[b].0).then(keys[a].1.total_cmp(&keys[b].1)));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of weights 1, 2 and 5 the first column is each with probability 1/8, 2/8 and 5/8, and a column of
    /// weight 0 is the last one.
    #[test]
    fn orders_are_draws_by_weight() {
        let weights = [1.0, 0.0, 5.0, 2.0];
        let n = 20_000;
        let mut first = [0.0; 4];
        for member in 1..=n {
            let order = order(&weights, member, 3);
            first[order[0]] += 1.0 / n as f64;
            assert_eq!(order[3], 1);
        }
        for (found, expected) in first.into_iter().zip([0.125, 0.0, 0.625, 0.25]) {
            // Four standard deviations.
            assert!((found - expected).abs() < 0.014, "{first:?}");
        }
        assert_eq!(order(&weights, 0, 3), [2, 3, 0, 1]);
        assert_eq!(order(&weights, 5, 3), order(&weights, 5, 3));
    }
}
