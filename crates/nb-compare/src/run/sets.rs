//! Prediction sets of tested rows, each by the rows that are tested elsewhere.

use nb_calibration::{DecisionError, PredictionSets};

use crate::{Measure, SetOutcome, Values};

/// The log-posteriors of tested rows, by fold.
#[derive(Debug)]
pub(super) struct SetRows {
    coverage: f64,
    n_classes: usize,
    /// Class and log-posteriors of each row.
    folds: Vec<Vec<(usize, Vec<f64>)>>,
}

impl SetRows {
    pub(super) fn new(coverage: f64, n_classes: usize) -> Self {
        Self { coverage, n_classes, folds: Vec::new() }
    }

    /// Adds the rows of the next fold.
    pub(super) fn add(&mut self, rows: impl Iterator<Item = (usize, Vec<f64>)>) {
        self.folds.push(rows.collect());
    }

    /// What the sets are, and the measures of each fold that has any.
    pub(super) fn outcome(&self) -> Result<(SetOutcome, Vec<Values>), DecisionError> {
        // A single fold is dealt into two parts, as there is no other one.
        let halves: Vec<Vec<(usize, Vec<f64>)>>;
        let parts = if let [single] = &self.folds[..] {
            halves = (0..2).map(|half| single.iter().skip(half).step_by(2).cloned().collect()).collect();
            &halves
        } else {
            &self.folds
        };
        let mut of_true: Vec<(f64, usize)> = Vec::new();
        for (part, rows) in parts.iter().enumerate() {
            // What rounding has left above 1.
            of_true.extend(rows.iter().map(|(class, values)| (libm::exp(values[*class]).min(1.0), part)));
        }
        // In order, they are sorted in one pass for each part.
        of_true.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut all = SetTally::new(self.n_classes);
        let mut of_folds = Vec::new();
        for (part, rows) in parts.iter().enumerate() {
            let others = of_true.iter().filter(|(_, of)| *of != part).map(|(value, _)| *value).collect();
            let sets = PredictionSets::calibrated(others, self.coverage)?;
            let mut tally = SetTally::new(self.n_classes);
            for (class, values) in rows {
                tally.add(*class, &sets.set(values));
            }
            of_folds.push(tally.values());
            all.merge(&tally);
        }
        if self.folds.len() == 1 {
            of_folds = vec![all.values()];
        }
        Ok((all.outcome(), of_folds))
    }
}

/// Counts of prediction sets.
#[derive(Clone, Debug, Default)]
struct SetTally {
    /// Rows of each class, and those whose set has it.
    classes: Vec<(u64, u64)>,
    /// Classes of all sets.
    size: u64,
    /// Sets of one class, and of none.
    single: u64,
    empty: u64,
}

impl SetTally {
    fn new(n_classes: usize) -> Self {
        Self { classes: vec![(0, 0); n_classes], ..Self::default() }
    }

    fn add(&mut self, class: usize, set: &[usize]) {
        self.classes[class].0 += 1;
        self.classes[class].1 += u64::from(set.contains(&class));
        self.size += set.len() as u64;
        self.single += u64::from(set.len() == 1);
        self.empty += u64::from(set.is_empty());
    }

    fn merge(&mut self, other: &Self) {
        for (class, theirs) in self.classes.iter_mut().zip(&other.classes) {
            *class = (class.0 + theirs.0, class.1 + theirs.1);
        }
        self.size += other.size;
        self.single += other.single;
        self.empty += other.empty;
    }

    fn outcome(&self) -> SetOutcome {
        let rows: u64 = self.classes.iter().map(|class| class.0).sum();
        let share = |count: u64| count as f64 / rows.max(1) as f64;
        let of_class = |&(rows, covered): &(u64, u64)| (rows > 0).then(|| covered as f64 / rows as f64);
        SetOutcome {
            coverage: share(self.classes.iter().map(|class| class.1).sum()),
            least_coverage: self.classes.iter().filter_map(of_class).reduce(f64::min),
            mean_size: share(self.size),
            single: share(self.single),
            empty: share(self.empty),
        }
    }

    fn values(&self) -> Values {
        let outcome = self.outcome();
        let mut values = Values::default();
        values.set(Measure::Coverage, Some(outcome.coverage));
        values.set(Measure::SetSize, Some(outcome.mean_size));
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(n_folds: usize, n_rows: usize) -> SetRows {
        // Posteriors 0.01, 0.02, ... of the true class, which is the first and the second in turn.
        let mut all = SetRows::new(0.8, 2);
        for fold in 0..n_folds {
            let numbers = (fold..n_rows).step_by(n_folds);
            all.add(numbers.map(|number| {
                let p = (number + 1) as f64 / 100.0;
                let class = number % 2;
                let values = [p, 1.0 - p].map(f64::ln);
                (class, if class == 0 { values.to_vec() } else { values.iter().rev().copied().collect() })
            }));
        }
        all
    }

    /// Of 98 other rows the bound is the one of rank ⌈99 · 0.8⌉ = 80, counted by hand on the odd and the even
    /// numbers.
    #[test]
    fn rows_are_judged_by_those_of_other_folds() {
        // Two folds: even and odd numbers, 49 rows each, of probabilities 0.01, 0.03, ... 0.97 and 0.02, ...
        // 0.98.
        let (all, folds) = rows(2, 98).outcome().unwrap();
        // Rank ⌈50 · 0.8⌉ = 40 from above: 0.20 of the even ones is the bound of the odd ones, 0.19 that of
        // the others. Of 0.01, ... 0.97 are 0.21, ... 0.97 within: 39 of 49. Of 0.02, ... 0.98 are
        // 0.20, ... 0.98: 40.
        assert_eq!(folds[0].get(Measure::Coverage), Some(39.0 / 49.0));
        assert_eq!(folds[1].get(Measure::Coverage), Some(40.0 / 49.0));
        assert_eq!(all.coverage, 79.0 / 98.0);
        // The other class is within unless its probability, 1 - p, is below the bound: p above 0.80 and 0.81.
        // Of 0.01, ... 0.79 are 40 within, of 0.02, ... 0.80 are 40.
        assert_eq!(folds[0].get(Measure::SetSize), Some((39.0 + 40.0) / 49.0));
        assert_eq!(all.mean_size, (79.0 + 80.0) / 98.0);
        // Each fold is one class.
        assert_eq!(all.least_coverage, Some(39.0 / 49.0));
        assert_eq!((all.single, all.empty), ((98.0 - 61.0) / 98.0, 0.0));
    }

    #[test]
    fn a_single_fold_is_judged_by_halves() {
        let (all, folds) = rows(1, 98).outcome().unwrap();
        // The halves are the folds of the other test.
        assert_eq!(all, rows(2, 98).outcome().unwrap().0);
        assert_eq!(folds.len(), 1);
        assert_eq!(folds[0].get(Measure::Coverage), Some(79.0 / 98.0));
        assert!(rows(1, 1).outcome().is_err());
    }

    #[test]
    fn few_rows_make_sets_of_all_classes() {
        let (all, _) = rows(4, 4).outcome().unwrap();
        // Of three rows the fourth is wanted, ⌈4 · 0.8⌉.
        assert_eq!((all.coverage, all.mean_size), (1.0, 2.0));
    }
}
