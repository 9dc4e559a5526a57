//! The MODL criterion of groups of categories (Boullé 2005).

use std::sync::LazyLock;

use crate::ln_factorial::{LnFactorials, fixed};

/// Counts are whole multiples of this, so that their sums are exact.
pub(super) const UNIT: f64 = 1.0 / (1_u64 << 20) as f64;

/// The largest total weight of a column that is taken as it is.
pub(super) const LARGEST_TOTAL: f64 = (1_u64 << 40) as f64;

/// `ln k!` for the counts that most groups have, for all columns and models: leave-one-out finds groups once
/// for each row.
static FACTORIALS: LazyLock<LnFactorials> = LazyLock::new(|| LnFactorials::up_to(1 << 16));

/// Minus the logarithm of the posterior probability of a grouping, up to what no grouping changes.
///
/// With `V` categories in `K` groups, `J` classes, and `n_kj` of the `n_k` rows of group `k` in class `j`, it
/// is
///
/// ```text
/// ln V + ln B(V, K) + Σ_k ln C(n_k + J - 1, J - 1) + Σ_k ln (n_k! / Π_j n_kj!)
/// ```
///
/// where `B(V, K)` is the number of ways to put `V` values into at most `K` groups, the sum of the Stirling
/// numbers of the second kind `S(V, 1) + ... + S(V, K)` (Boullé 2005, *A Bayes optimal approach for
/// partitioning the values of categorical attributes*, Journal of Machine Learning Research 6, 1431-1452,
/// theorem 1). The last two terms of a group are together `ln (n_k + J - 1)! - ln (J - 1)! - Σ_j ln n_kj!`.
pub(super) struct Criterion {
    factorials: &'static LnFactorials,
    n_classes: usize,
}

impl Criterion {
    pub(super) fn new(n_classes: usize) -> Self {
        Self { factorials: &FACTORIALS, n_classes }
    }

    /// The cost of a group with these counts by class, which are numbers of units.
    pub(super) fn of_group(&self, counts: impl Iterator<Item = u64>) -> i128 {
        let (mut total, mut own) = (0_u64, 0_i128);
        for count in counts {
            total += count;
            if count > 0 {
                own += self.factorials.of_real(count as f64 * UNIT);
            }
        }
        let others = self.n_classes.saturating_sub(1);
        self.factorials.of_real(total as f64 * UNIT + others as f64)
            - self.factorials.of_real(others as f64)
            - own
    }
}

/// `ln V + ln B(V, K)` for `K` from 1 to `largest`.
pub(super) fn costs_of_partitions(n_values: usize, largest: usize) -> Vec<i128> {
    let terms = PartitionTerms::new(n_values, largest);
    let choice = libm::log(n_values.max(1) as f64);
    (1..=largest).map(|n_groups| fixed(choice + terms.ln_partitions(n_groups))).collect()
}

/// What `B(V, K)` is added up from.
///
/// Dobinski's formula, cut off after `K` groups, has terms that are not negative, so that nothing cancels:
/// `B(V, K) = Σ_{i=1}^{K} i^V / i! · D_{K-i}` with `D_m = Σ_{j=0}^{m} (-1)^j / j!`, the share of permutations
/// of `m` things without a fixed point.
struct PartitionTerms {
    /// `ln (i^V / i!)`, from `i = 1`.
    powers: Vec<f64>,
    /// `ln D_m`, from `m = 0`.
    derangements: Vec<f64>,
}

impl PartitionTerms {
    fn new(n_values: usize, largest: usize) -> Self {
        let power = |i: usize| n_values as f64 * libm::log(i as f64) - libm::lgamma(i as f64 + 1.0);
        let (mut sum, mut term) = (0.0, 1.0);
        let derangements = (0..largest).map(|m| {
            if m > 0 {
                term /= -(m as f64);
            }
            sum += term;
            // The first two are 1 and 0; all others are above 1 / 3.
            libm::log(sum)
        });
        let derangements = derangements.collect();
        Self { powers: (1..=largest).map(power).collect(), derangements }
    }

    /// `ln B(V, K)`.
    fn ln_partitions(&self, n_groups: usize) -> f64 {
        let term = |i: usize| self.powers[i - 1] + self.derangements[n_groups - i];
        let largest = (1..=n_groups).map(term).fold(f64::NEG_INFINITY, f64::max);
        largest + libm::log((1..=n_groups).map(|i| libm::exp(term(i) - largest)).sum::<f64>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ln_factorial::NAT;

    /// Stirling numbers of the second kind by their recurrence, `S(n, k) = k S(n - 1, k) + S(n - 1, k - 1)`.
    fn stirling(n: usize, k: usize) -> u128 {
        match (n, k) {
            (0, 0) => 1,
            (0, _) | (_, 0) => 0,
            _ => k as u128 * stirling(n - 1, k) + stirling(n - 1, k - 1),
        }
    }

    #[test]
    fn partitions_are_sums_of_stirling_numbers() {
        for n_values in 1..=14 {
            let costs = costs_of_partitions(n_values, n_values);
            for n_groups in 1..=n_values {
                let all: u128 = (1..=n_groups).map(|k| stirling(n_values, k)).sum();
                let expected = (n_values as f64).ln() + (all as f64).ln();
                let found = costs[n_groups - 1] as f64 / NAT;
                assert!(
                    (found - expected).abs() < 1e-12 * expected.max(1.0),
                    "{n_values} {n_groups}: {found}"
                );
            }
        }
        // Bell number 10 of OEIS A000110, and 2^9 ways for at most two groups.
        let of_ten = costs_of_partitions(10, 10);
        let number = |n_groups: usize| (of_ten[n_groups - 1] as f64 / NAT).exp() / 10.0;
        assert!((number(10) - 115_975.0).abs() < 1e-6 && (number(2) - 512.0).abs() < 1e-9);
    }

    #[test]
    fn many_categories_stay_finite() {
        let costs = costs_of_partitions(200_000, 400);
        assert!(costs.windows(2).all(|pair| pair[0] <= pair[1]));
        // B(V, K) is about K^V / K! for many values.
        let expected = 200_000.0 * 400_f64.ln() - libm::lgamma(401.0) + 200_000_f64.ln();
        assert!((costs[399] as f64 / NAT - expected).abs() < 1e-6 * expected);
    }

    #[test]
    fn a_group_costs_its_binomials() {
        let criterion = Criterion::new(3);
        let unit = |count: u64| count << 20;
        // ln C(7, 2) + ln (5! / (3! 2!)) = ln 21 + ln 10.
        let cost = criterion.of_group([3, 2, 0].map(unit).into_iter()) as f64 / NAT;
        assert!((cost - 210_f64.ln()).abs() < 1e-12, "{cost}");
        // Beyond what is kept: ln C(n + 2, 2), for a group of one class.
        let n = 1_000_000_u64;
        let cost = criterion.of_group([unit(n), 0, 0].into_iter()) as f64 / NAT;
        assert!((cost - ((n + 2) as f64 * (n + 1) as f64 / 2.0).ln()).abs() < 1e-7, "{cost}");
    }
}
