//! The probabilities of a column with all combinations of its parents.

use std::convert::Infallible;

use nb_core::{error::FamilyProblem, exact::ExactSums};

use super::super::tables::log_ratio;
use crate::hierarchical::{Counts, HierarchicalDirichlet, Weights, log_probabilities, whole};

/// The shape of a table of counts: a row of codes for each combination of codes of the parents, each of which
/// may be missing.
pub(super) struct Shape {
    /// For each parent how many codes it has, and one for a missing cell.
    pub(super) radices: Vec<usize>,
    /// How many codes the column has.
    pub(super) n_codes: usize,
    /// How many values it has: with one for unseen codes, one more.
    pub(super) n_values: usize,
}

impl Shape {
    /// The counts of a class; where a parent is missing, its codes are summed over, with the rows of training
    /// that lack it.
    pub(super) fn counts(&self, sums: &ExactSums) -> Result<Vec<f64>, FamilyProblem> {
        let n_counts = self.radices.iter().product::<usize>() * self.n_codes;
        let mut counts = Vec::with_capacity(n_counts);
        for place in 0..n_counts {
            let count = sums.get(place).to_f64();
            if count < 0.0 || !count.is_finite() {
                return Err(FamilyProblem::Impossible { sum: count });
            }
            counts.push(count);
        }
        let mut stride = self.n_codes;
        for &radix in self.radices.iter().rev() {
            for block in counts.chunks_exact_mut(stride * radix) {
                let (codes, missing) = block.split_at_mut(stride * (radix - 1));
                for code in codes.chunks_exact(stride) {
                    missing.iter_mut().zip(code).for_each(|(sum, count)| *sum += count);
                }
            }
            stride *= radix;
        }
        Ok(counts)
    }

    /// `log P(x_j | y, x_a, ...)` of a class with a pseudo-count for each value, a row of values for each
    /// combination.
    pub(super) fn with_pseudo_count(&self, counts: &[f64], l: f64) -> Vec<f64> {
        let of_row = |row: &[f64]| {
            let total = row.iter().sum::<f64>() + l * self.n_values as f64;
            let values = row.iter().copied().chain(std::iter::repeat(0.0)).take(self.n_values);
            values.map(|count| log_ratio(count + l, total)).collect::<Vec<f64>>()
        };
        counts.chunks_exact(self.n_codes).flat_map(of_row).collect()
    }

    /// The same of all classes, by a hierarchy for each set of parents that a row can have.
    pub(super) fn by_hierarchy(
        &self,
        classes: &[Vec<f64>],
        smoothing: HierarchicalDirichlet,
        column: usize,
    ) -> Result<Vec<Vec<f64>>, (usize, FamilyProblem)> {
        self.for_each_set(classes, |present, conditions, weights| {
            let of_class = (weights.len() / classes.len().max(1)).max(1);
            let whole = |(place, &count): (usize, &f64)| {
                whole(count).ok_or_else(|| (place / of_class, not_whole(count)))
            };
            let of = weights.iter().enumerate().map(whole).collect::<Result<_, _>>()?;
            let counts = Counts { conditions, n_values: self.n_values, of };
            let probabilities = smoothing.probabilities(&counts, (column as u64) << 32 | present);
            Ok(probabilities.into_iter().map(libm::log).collect())
        })
    }

    /// The same by a regression for each set of parents.
    pub(super) fn by_regression(&self, classes: &[Vec<f64>], ridge: f64) -> Vec<Vec<f64>> {
        let tables = self.for_each_set(classes, |_, conditions, weights| {
            let weights = Weights { conditions: &conditions, n_values: self.n_values, of: &weights };
            Ok::<_, Infallible>(log_probabilities(weights, ridge))
        });
        tables.unwrap_or_else(|never| match never {})
    }

    /// Tables of what `estimate` says of each set of parents that a row can have: it is given the set as
    /// bits, the number of values of the class and of each parent, and the counts of all their
    /// combinations, and returns as many logarithms of probabilities.
    fn for_each_set<E>(
        &self,
        classes: &[Vec<f64>],
        estimate: impl Fn(u64, Vec<usize>, Vec<f64>) -> Result<Vec<f64>, E>,
    ) -> Result<Vec<Vec<f64>>, E> {
        let n_combinations: usize = self.radices.iter().product();
        let mut tables = vec![vec![0.0; n_combinations * self.n_values]; classes.len()];
        for present in 0..1_u64 << self.radices.len() {
            let is_present = |parent: usize| present >> parent & 1 == 1;
            let combinations = self.combinations(is_present);
            let mut of = Vec::with_capacity(classes.len() * combinations.len() * self.n_values);
            for counts in classes {
                for &combination in &combinations {
                    of.extend(&counts[combination * self.n_codes..][..self.n_codes]);
                    of.extend(std::iter::repeat_n(0.0, self.n_values - self.n_codes));
                }
            }
            let codes = self.radices.iter().enumerate();
            let codes = codes.filter(|&(parent, _)| is_present(parent)).map(|(_, radix)| radix - 1);
            let conditions = std::iter::once(classes.len()).chain(codes).collect();
            let found = estimate(present, conditions, of)?;
            let of_class = found.chunks_exact((combinations.len() * self.n_values).max(1));
            for (table, of_class) in tables.iter_mut().zip(of_class) {
                for (&combination, row) in combinations.iter().zip(of_class.chunks_exact(self.n_values)) {
                    table[combination * self.n_values..][..self.n_values].copy_from_slice(row);
                }
            }
        }
        Ok(tables)
    }

    /// The combinations of codes of these parents, the others missing.
    fn combinations(&self, is_present: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut combinations = vec![0];
        for (parent, &radix) in self.radices.iter().enumerate() {
            let digits = if is_present(parent) { 0..radix - 1 } else { radix - 1..radix };
            let longer = |&number: &usize| digits.clone().map(move |digit| number * radix + digit);
            combinations = combinations.iter().flat_map(longer).collect();
        }
        combinations
    }
}

fn not_whole(count: f64) -> FamilyProblem {
    FamilyProblem::Other(format!(
        "a count is {count}, and hierarchical Dirichlet smoothing takes whole numbers; give the rows whole weights, or use additive \
         smoothing"
    ))
}
