//! The distribution of numbers: values in order, and how often each occurs.

use super::numbers_profile::{Bin, Quantile};

/// Values in order, each with the number of cells that it stands for.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Distribution {
    values: Vec<(f64, u64)>,
    n: u64,
    max_rank_error: u64,
    is_exact: bool,
}

/// The probabilities of the quantiles that a profile has.
const PROBABILITIES: [f64; 7] = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99];

impl Distribution {
    /// From values in any order, of which equal ones may be apart.
    pub(super) fn new(mut values: Vec<(f64, u64)>, max_rank_error: u64, is_exact: bool) -> Self {
        values.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        values.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            kept.1 += if is_same { next.1 } else { 0 };
            is_same
        });
        let n = values.iter().map(|(_, count)| count).sum();
        Self { values, n, max_rank_error, is_exact }
    }

    pub(super) fn values(&self) -> &[(f64, u64)] {
        &self.values
    }

    /// By which share of the cells the rank of a quantile may be wrong at most.
    pub(super) fn rank_error(&self) -> f64 {
        if self.n == 0 { 0.0 } else { self.max_rank_error as f64 / self.n as f64 }
    }

    pub(super) fn quantiles(&self) -> Vec<Quantile> {
        let quantile = |probability| Quantile { probability, value: self.quantile(probability) };
        if self.n == 0 { Vec::new() } else { PROBABILITIES.map(quantile).into() }
    }

    /// With linear interpolation between neighbours (type 7 of Hyndman and Fan 1996, the default of R and
    /// NumPy) where all values are known; else the value at that rank.
    pub(super) fn quantile(&self, probability: f64) -> f64 {
        let place = probability * (self.n.max(1) - 1) as f64;
        let below = self.at(place.floor() as u64);
        let share = place.fract();
        if !self.is_exact || share == 0.0 {
            return below;
        }
        let above = self.at(place.floor() as u64 + 1);
        // Not by their difference, which may overflow.
        if above == below { below } else { below * (1.0 - share) + above * share }
    }

    /// The value at a rank, counted from 0.
    fn at(&self, rank: u64) -> f64 {
        let mut before = 0;
        let reached = self.values.iter().find(|(_, count)| {
            before += count;
            before > rank
        });
        reached.or(self.values.last()).map_or(0.0, |(value, _)| *value)
    }

    /// About ten groups of neighbouring values with about as many cells each: the largest value of each but
    /// the last.
    pub(super) fn cuts(&self, n_groups: u64) -> Vec<f64> {
        let mut cuts: Vec<f64> =
            (1..n_groups).map(|group| self.at((self.n * group).div_ceil(n_groups).max(1) - 1)).collect();
        cuts.dedup();
        if cuts.last().is_some_and(|&cut| self.values.last().is_some_and(|&(largest, _)| cut >= largest)) {
            cuts.pop();
        }
        cuts
    }

    /// How many cells are in each group between cuts.
    pub(super) fn grouped(&self, cuts: &[f64]) -> Vec<u64> {
        let mut groups = vec![0; cuts.len() + 1];
        for &(value, count) in &self.values {
            groups[cuts.partition_point(|&cut| cut < value)] += count;
        }
        groups
    }

    /// Bins of the same width from `low` to `high`; what is beyond is left out.
    pub(super) fn histogram(&self, low: f64, high: f64, n_bins: usize) -> Vec<Bin> {
        let width = (high - low) / n_bins as f64;
        let end = |bin: usize| {
            let share = bin as f64 / n_bins as f64;
            // The width may overflow.
            if width.is_finite() { low + bin as f64 * width } else { low * (1.0 - share) + high * share }
        };
        let ends: Vec<f64> = (1..n_bins).map(end).collect();
        let mut bins: Vec<Bin> = (0..n_bins)
            .map(|bin| Bin {
                low: if bin == 0 { low } else { end(bin) },
                high: if bin + 1 == n_bins { high } else { end(bin + 1) },
                n: 0,
            })
            .collect();
        for &(value, count) in self.values.iter().filter(|(value, _)| (low..=high).contains(value)) {
            bins[ends.partition_point(|&end| end <= value)].n += count;
        }
        bins
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64]) -> Distribution {
        Distribution::new(values.iter().map(|&value| (value, 1)).collect(), 0, true)
    }

    #[test]
    fn quantiles_are_those_of_r() {
        // quantile(c(3, 1, 4, 1, 5, 9, 2, 6), c(0.05, 0.25, 0.5, 0.99), type = 7)
        let distribution = of(&[3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0]);
        for (probability, expected) in [(0.05, 1.0), (0.25, 1.75), (0.5, 3.5), (0.99, 8.79)] {
            assert!((distribution.quantile(probability) - expected).abs() < 1e-12);
        }
        assert_eq!(of(&[f64::MAX, -f64::MAX]).quantile(0.5), 0.0);
        assert!(of(&[]).quantiles().is_empty());
    }

    #[test]
    fn groups_are_of_about_one_size() {
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        let distribution = of(&values);
        let cuts = distribution.cuts(10);
        assert_eq!(distribution.grouped(&cuts), [10; 10]);
        let tied = of(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 2.0]);
        assert_eq!(tied.grouped(&tied.cuts(10)), [8, 1, 1]);
        assert_eq!(of(&[5.0; 7]).cuts(10), [0.0; 0]);
    }

    #[test]
    fn bins_cover_all_values() {
        let histogram = of(&[0.0, 0.5, 1.0, 9.0, 10.0]).histogram(0.0, 10.0, 10);
        let counts: Vec<u64> = histogram.iter().map(|bin| bin.n).collect();
        assert_eq!(counts, [2, 1, 0, 0, 0, 0, 0, 0, 0, 2]);
        let wide = of(&[-f64::MAX, f64::MAX]).histogram(-f64::MAX, f64::MAX, 20);
        assert_eq!(wide.iter().map(|bin| bin.n).sum::<u64>(), 2);
    }
}
