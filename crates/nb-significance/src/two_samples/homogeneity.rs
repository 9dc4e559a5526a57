//! Whether two samples have the same shares of categories: χ² where rows are many, Fisher's exact test where
//! they are few.

use super::counts::{CountsError, Table};
use crate::special::chi_squared_tail;

/// The least expected count of a group of categories in either sample (Cochran 1954).
const LEAST_EXPECTED: f64 = 5.0;

/// What [`homogeneity`] finds.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Homogeneity {
    /// Pearson's `Σ (observed - expected)² / expected` over groups of neighbouring categories, each with an
    /// expected count of at least 5 in both samples.
    pub chi_squared: f64,
    /// Its degrees of freedom, one less than there are groups; 0 if the rows are too few for two groups.
    pub degrees_of_freedom: usize,
    /// Its p-value; 1 without two groups.
    pub p_chi_squared: f64,
    /// The category, counted from 0, whose share differs most surely.
    pub category: usize,
    /// The least two-sided p-value of Fisher's exact tests of each category against all others, multiplied
    /// by the number of categories (Bonferroni) and at most 1.
    pub p_exact: f64,
    /// The p-value of both together: twice the smaller one, and at most 1. With two categories it is
    /// `p_exact`.
    pub p_value: f64,
}

/// Tests whether two samples have the same distribution over categories or bins, in the order of the bins, or
/// categories from the most to the least frequent.
///
/// The χ² test sees many small differences. Where a sample is small, neighbouring categories are grouped
/// until each group has an expected count of 5 in both; how they are grouped depends on the rows of both
/// samples together alone, which the test is conditional on anyway. Fisher's exact tests of the single
/// categories, of which the least counts after Bonferroni's correction, see one that is rare or new, and are
/// valid for any number of rows. Counts that are no whole numbers are rounded for them.
///
/// Pearson 1900, *On the criterion ...*, Philosophical Magazine 50, 157-175; Cochran 1954, *Some methods for
/// strengthening the common χ² tests*, Biometrics 10, 417-451; Fisher 1935, *The logic of inductive
/// inference*, Journal of the Royal Statistical Society 98, 39-82.
///
/// # Errors
/// If the numbers of categories differ, a count is no number from 0, or a sample has no rows.
///
/// ```
/// use nb_significance::homogeneity;
///
/// // The tea taster of Fisher: 3 of 4 right among either kind.
/// let test = homogeneity(&[3.0, 1.0], &[1.0, 3.0])?;
/// assert!((test.p_value - 0.4857).abs() < 1e-4);
/// // A category that none of 10,000 rows had, in 3 of 20 rows.
/// let test = homogeneity(&[6000.0, 4000.0, 0.0], &[10.0, 7.0, 3.0])?;
/// assert!(test.p_value < 1e-6 && test.category == 2);
/// # Ok::<(), nb_significance::CountsError>(())
/// ```
pub fn homogeneity(first: &[f64], second: &[f64]) -> Result<Homogeneity, CountsError> {
    let table = Table::new(first, second)?;
    let (chi_squared, degrees_of_freedom) = chi_squared(&table);
    let p_chi_squared =
        if degrees_of_freedom == 0 { 1.0 } else { chi_squared_tail(chi_squared, degrees_of_freedom as f64) };
    let [n_first, n_second] = table.totals.map(f64::round);
    let (mut category, mut least) = (table.cells.first().map_or(0, |&(place, _)| place), 1.0);
    for &(place, counts) in &table.cells {
        let [a, b] = counts.map(f64::round);
        let p = fisher(a.min(n_first), n_first, b.min(n_second), n_second);
        if p < least {
            (category, least) = (place, p);
        }
    }
    // The tests of two categories are the same test.
    let n_tests = if table.cells.len() <= 2 { 1 } else { table.cells.len() };
    let p_exact = (n_tests as f64 * least).min(1.0);
    let p_value = if n_tests == 1 { p_exact } else { (2.0 * p_exact.min(p_chi_squared)).min(1.0) };
    Ok(Homogeneity { chi_squared, degrees_of_freedom, p_chi_squared, category, p_exact, p_value })
}

/// The statistic over groups of neighbours, and its degrees of freedom.
fn chi_squared(table: &Table) -> (f64, usize) {
    let all = table.totals[0] + table.totals[1];
    let shares = table.totals.map(|total| total / all);
    let least = LEAST_EXPECTED / shares[0].min(shares[1]);
    let mut groups: Vec<[f64; 2]> = Vec::new();
    let mut is_open = false;
    for (_, counts) in &table.cells {
        match groups.last_mut().filter(|_| is_open) {
            Some(group) => (0..2).for_each(|sample| group[sample] += counts[sample]),
            None => groups.push(*counts),
        }
        is_open = groups.last().is_some_and(|group| group[0] + group[1] < least);
    }
    if is_open && let (Some(rest), Some(last)) = (groups.pop(), groups.last_mut()) {
        (0..2).for_each(|sample| last[sample] += rest[sample]);
    }
    let terms = groups.iter().map(|group| {
        let whole = group[0] + group[1];
        let term = |sample: usize| {
            let expected = whole * shares[sample];
            let distance = group[sample] - expected;
            distance * distance / expected
        };
        term(0) + term(1)
    });
    (terms.sum(), groups.len().saturating_sub(1))
}

/// Fisher's exact test: twice the tail of the hypergeometric distribution beyond `b` of `m` rows, and at most
/// 1, if `a` of the other `n` rows are of the category as well.
fn fisher(a: f64, n: f64, b: f64, m: f64) -> f64 {
    let (all, whole) = (n + m, a + b);
    let ln_choose =
        |of: f64, k: f64| libm::lgamma(of + 1.0) - libm::lgamma(k + 1.0) - libm::lgamma(of - k + 1.0);
    let start = libm::exp(ln_choose(whole, b) + ln_choose(all - whole, m - b) - ln_choose(all, m));
    let up = b * all >= whole * m;
    // Away from the mean the probabilities fall ever faster.
    let (mut k, mut term, mut tail) = (b, start, start);
    loop {
        let ratio = if up {
            (whole - k) * (m - k) / ((k + 1.0) * (n - whole + k + 1.0))
        } else {
            k * (n - whole + k) / ((whole - k + 1.0) * (m - k + 1.0))
        };
        term *= ratio;
        k += if up { 1.0 } else { -1.0 };
        tail += term;
        if term.is_nan() || term <= tail * f64::EPSILON {
            return (2.0 * tail).min(1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `P(X ≤ b)` and `P(X ≥ b)` by all terms.
    fn tails(a: u32, n: u32, b: u32, m: u32) -> (f64, f64) {
        let choose =
            |of: u32, k: u32| -> f64 { (0..k).map(|i| f64::from(of - i) / f64::from(i + 1)).product() };
        let whole = a + b;
        let p = |k: u32| choose(whole, k) * choose(n + m - whole, m - k) / choose(n + m, m);
        let range = whole.saturating_sub(n)..=whole.min(m);
        let sum = |keep: &dyn Fn(u32) -> bool| range.clone().filter(|&k| keep(k)).map(p).sum::<f64>();
        (sum(&|k| k <= b), sum(&|k| k >= b))
    }

    #[test]
    fn exact_tails_are_those_of_all_terms() {
        for (a, n, b, m) in
            [(3, 10, 5, 7), (0, 30, 4, 6), (30, 30, 1, 6), (12, 40, 3, 10), (0, 5, 0, 5), (5, 5, 5, 5)]
        {
            let (below, above) = tails(a, n, b, m);
            let expected = (2.0 * below.min(above)).min(1.0);
            let found = fisher(f64::from(a), f64::from(n), f64::from(b), f64::from(m));
            // Between mean and median, where the tails change places, both are 1.
            assert!(
                (found - expected).abs() < 1e-12 || (found > 0.9 && expected > 0.9),
                "{a} {n} {b} {m}: {found} {expected}"
            );
        }
    }

    #[test]
    fn a_statistic_of_a_textbook() {
        // Agresti 2013, *Categorical Data Analysis*: 762, 327, 468 women and 484, 239, 477 men by party; χ² =
        // 30.07.
        let test = homogeneity(&[762.0, 327.0, 468.0], &[484.0, 239.0, 477.0]).unwrap();
        assert!((test.chi_squared - 30.07).abs() < 0.005, "{test:?}");
        assert_eq!((test.degrees_of_freedom, test.category), (2, 2));
        assert!((test.p_chi_squared / 2.95e-7 - 1.0).abs() < 0.01, "{test:?}");
    }

    #[test]
    fn few_rows_are_grouped() {
        let (first, second) = ([100.0; 20], [1.0; 20]);
        let test = homogeneity(&first, &second).unwrap();
        assert_eq!((test.degrees_of_freedom, test.chi_squared, test.p_value), (3, 0.0, 1.0));
        let test = homogeneity(&first, &{
            let mut counts = [0.0; 20];
            counts[3] = 1.0;
            counts
        });
        assert_eq!(test.unwrap().degrees_of_freedom, 0);
    }

    #[test]
    fn many_rows_take_no_longer_than_their_root() {
        let test = homogeneity(&[5e8, 5e8], &[5e8 - 1e3, 5e8 + 1e3]).unwrap();
        assert!((test.p_value - 0.964_33).abs() < 1e-4, "{test:?}"); // z = 1000 / sqrt(5e8), two-sided
    }
}
