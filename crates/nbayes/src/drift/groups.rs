//! Bins and categories in groups, so that a stability index of few rows is not made of empty cells.

use nb_significance::{Homogeneity, homogeneity, jensen_shannon, population_stability_index};
use serde::Serialize;

use super::test::Test;
use crate::output::{counted, short};

/// The most groups of the bins of a column, as is usual for stability indices.
const MOST_GROUPS: usize = 10;
/// A category is a group if as many of the new rows are expected to have it, and as many rows of the model
/// have it: shares of rarer ones are too large on average, as only those are known that were drawn.
const LEAST_EXPECTED: f64 = 5.0;
const LEAST_ROWS: f64 = 10.0;

/// A group of bins or categories, and the shares of the rows that it has.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) model: f64,
    pub(crate) new: f64,
}

/// Rows of both samples by groups.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grouped {
    names: Vec<String>,
    counts: [Vec<f64>; 2],
}

impl Grouped {
    pub(crate) fn push(&mut self, name: impl Into<String>, model: f64, new: f64) {
        self.names.push(name.into());
        self.counts[0].push(model);
        self.counts[1].push(new);
    }

    /// Neighbouring bins in at most ten groups of about equally many rows of the model.
    pub(crate) fn bins(cuts: &[f64], model: &[f64], new: &[f64]) -> Self {
        let size = model.iter().sum::<f64>() / MOST_GROUPS as f64;
        let mut grouped = Self::default();
        let (mut low, mut sums) = (None, [0.0, 0.0]);
        let count = |counts: &[f64], bin: usize| counts.get(bin).copied().unwrap_or(0.0);
        for bin in 0..=cuts.len() {
            sums[0] += count(model, bin);
            sums[1] += count(new, bin);
            let high = cuts.get(bin).copied();
            // What is left over after the last cut would be a group of few rows.
            let is_enough = sums[0] >= size * (1.0 - 1e-9);
            if high.is_none() || is_enough {
                let is_rest = high.is_none() && !is_enough && !grouped.names.is_empty();
                if is_rest && sums[0] < size / 2.0 && sums[1] == 0.0 {
                    let last = grouped.names.len() - 1;
                    grouped.counts[0][last] += sums[0];
                } else {
                    grouped.push(range(low, high), sums[0], sums[1]);
                }
                (low, sums) = (high, [0.0, 0.0]);
            }
        }
        grouped
    }

    /// Categories that are frequent enough, all others together, and those that the model does not know.
    /// `single` is the number of rows of the model whose category no other of its rows has.
    pub(crate) fn categories(levels: &Levels<'_>) -> Self {
        let mut grouped = Self::default();
        let (mut others, mut n_others) = ([0.0, 0.0], 0_u64);
        for (place, counts) in levels.known() {
            if levels.is_frequent(counts) {
                grouped.push((levels.name)(place), counts[0], counts[1]);
                continue;
            }
            // A row of the model that is alone with its category counts as one whose category is new.
            others[0] += if counts[0] > 1.0 { counts[0] } else { 0.0 };
            others[1] += counts[1];
            n_others += 1;
        }
        if n_others > 0 || others[1] > 0.0 {
            let name = counted(n_others, "rarer one", "rarer ones");
            grouped.push(format!("({name})"), others[0], others[1]);
        }
        let [single, unseen] = levels.unseen_counts();
        if single + unseen > 0.0 {
            grouped.push("(not seen in training)", single, unseen);
        }
        grouped
    }

    fn totals(&self) -> [f64; 2] {
        [0, 1].map(|sample| self.counts[sample].iter().sum())
    }

    /// The stability index with the p-value of a test.
    pub(crate) fn test(&self, p_value: f64) -> Option<Test> {
        let psi = population_stability_index(&self.counts[0], &self.counts[1]).ok()?;
        Some(Test::of_psi(psi, self.names.len().saturating_sub(1), self.totals(), p_value))
    }

    /// The test of the groups themselves.
    pub(crate) fn homogeneity(&self) -> Option<Homogeneity> {
        homogeneity(&self.counts[0], &self.counts[1]).ok()
    }

    pub(crate) fn jensen_shannon(&self) -> Option<f64> {
        jensen_shannon(&self.counts[0], &self.counts[1]).ok()
    }

    /// The shares of the rows.
    pub(crate) fn shares(self) -> Vec<Group> {
        let totals = self.totals();
        let [model, new] = self.counts;
        let counts = self.names.into_iter().zip(model.into_iter().zip(new));
        counts
            .map(|(name, (model, new))| Group { name, model: model / totals[0], new: new / totals[1] })
            .collect()
    }
}

/// The rows of each category of a column, and of those that the model does not know.
pub(crate) struct Levels<'a> {
    model: &'a [f64],
    new: &'a [f64],
    unseen: f64,
    name: &'a dyn Fn(usize) -> String,
    /// The number of rows of the model, and of new ones.
    totals: [f64; 2],
}

impl<'a> Levels<'a> {
    /// Counts by category, new rows of categories beyond those of the model, and the names of categories.
    pub(crate) fn new([model, new]: [&'a [f64]; 2], unseen: f64, name: &'a dyn Fn(usize) -> String) -> Self {
        let totals = [model.iter().sum(), new.iter().sum::<f64>() + unseen];
        Self { model, new, unseen, name, totals }
    }

    /// Rows of categories that no other row of the model has, in the model and among the new ones.
    ///
    /// A row of the model is alone with its category as often as a further row has one that was not seen:
    /// Good 1953, *The population frequencies of species and the estimation of population parameters*,
    /// Biometrika 40, 237-264.
    pub(crate) fn unseen_counts(&self) -> [f64; 2] {
        let single = self.model.iter().filter(|count| **count > 0.0 && **count <= 1.0).sum();
        let new = self.new.iter().enumerate();
        let of_unknown =
            new.filter(|(place, _)| self.model.get(*place).is_none_or(|count| *count <= 0.0)).map(|(_, n)| n);
        [single, self.unseen + of_unknown.sum::<f64>()]
    }

    /// The place and the counts of each category that the model has rows of.
    fn known(&self) -> impl Iterator<Item = (usize, [f64; 2])> {
        let new = |place: usize| self.new.get(place).copied().unwrap_or(0.0);
        let known = self.model.iter().enumerate().filter(|(_, count)| **count > 0.0);
        known.map(move |(place, &count)| (place, [count, new(place)]))
    }

    fn is_frequent(&self, counts: [f64; 2]) -> bool {
        let [all, n] = self.totals;
        counts[0] >= LEAST_ROWS && counts[0] * n / all >= LEAST_EXPECTED
    }

    /// The p-value of three tests together (Bonferroni): of the shares of frequent categories, of how often
    /// categories are new, and of rare categories that are more frequent now.
    pub(crate) fn p_value(&self) -> Option<f64> {
        let totals = self.totals;
        let [single, unseen] = self.unseen_counts();
        let (mut frequent, mut others, mut n_rare) = (Vec::new(), [-single, 0.0], 0.0);
        let mut of_rare = 1.0_f64;
        for (_, counts) in self.known() {
            if self.is_frequent(counts) {
                frequent.push(counts);
                continue;
            }
            n_rare += 1.0;
            (0..2).for_each(|sample| others[sample] += counts[sample]);
            // Fewer rows than that are no news.
            if counts[1] >= 3.0 && counts[1] * totals[0] > counts[0] * totals[1] {
                of_rare = of_rare.min(share_p_value(counts, totals)?);
            }
        }
        frequent.sort_by(|a, b| (b[0] + b[1]).total_cmp(&(a[0] + a[1])));
        let known = frequent.into_iter().chain((others[0] + others[1] > 0.0).then_some(others));
        let (model, new): (Vec<f64>, Vec<f64>) = known.map(|[a, b]| (a.max(0.0), b)).unzip();
        let of_known = homogeneity(&model, &new).ok().map(|test| test.p_value);
        let of_unseen = (single + unseen > 0.0).then(|| share_p_value([single, unseen], totals));
        let of_rare = (n_rare > 0.0).then_some((n_rare * of_rare).min(1.0));
        let all: Vec<f64> = of_known.into_iter().chain(of_unseen.flatten()).chain(of_rare).collect();
        let least = all.iter().copied().reduce(f64::min)?;
        Some((all.len() as f64 * least).min(1.0))
    }
}

/// The p-value of a share of the rows.
fn share_p_value(counts: [f64; 2], totals: [f64; 2]) -> Option<f64> {
    let rest = |sample: usize| (totals[sample] - counts[sample]).max(0.0);
    homogeneity(&[counts[0], rest(0)], &[counts[1], rest(1)]).ok().map(|test| test.p_value)
}

/// A range of numbers in words.
fn range(low: Option<f64>, high: Option<f64>) -> String {
    match (low, high) {
        (None, None) => "all".into(),
        (None, Some(high)) => format!("up to {}", short(high)),
        (Some(low), Some(high)) => format!("{} to {}", short(low), short(high)),
        (Some(low), None) => format!("above {}", short(low)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_become_at_most_ten_groups() {
        let cuts: Vec<f64> = (1..33).map(f64::from).collect();
        let grouped = Grouped::bins(&cuts, &[10.0; 33], &[1.0; 33]);
        assert!(grouped.names.len() <= 10 && grouped.names.len() >= 8, "{:?}", grouped.names);
        assert_eq!(grouped.totals(), [330.0, 33.0]);
        assert_eq!(grouped.names[0], "up to 4");
        let two = Grouped::bins(&[0.5], &[5.0, 6.0], &[1.0, 0.0]);
        assert_eq!(two.names, ["up to 0.5", "above 0.5"]);
    }

    #[test]
    fn rare_categories_are_together() {
        let name = |place: usize| format!("c{place}");
        let counts = [&[500.0, 480.0, 15.0, 4.0, 1.0][..], &[52.0, 40.0, 3.0, 1.0, 1.0]];
        let levels = Levels::new(counts, 3.0, &name);
        let grouped = Grouped::categories(&levels);
        assert_eq!(grouped.names, ["c0", "c1", "(3 rarer ones)", "(not seen in training)"]);
        assert_eq!(grouped.counts, [vec![500.0, 480.0, 19.0, 1.0], vec![52.0, 40.0, 5.0, 3.0]]);
        assert!(levels.p_value().unwrap() < 0.05);
    }
}
