//! The rows of a split: those that are tested, and the others in the order in which training sets grow.

use rand::RngExt;

use super::LearningCurve;
use crate::{Plan, Table, experiment::ExperimentError, plan::generator};

/// The rows of a split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Split {
    /// The rows that are tested.
    pub(super) test: Vec<usize>,
    /// The other rows: the first `n` are the training set of size `n`.
    pub(super) order: Vec<usize>,
}

impl Split {
    /// The split of this number. The tested rows are those of [`Plan::HeldOut`] in the repeat of this number.
    ///
    /// The others are in an order of which every beginning has its share of every class, as far as whole rows allow: the
    /// `i`-th of the `n` rows of a class, counted from 0 and shuffled, comes at `(i + 1/2) / n`.
    pub(super) fn new(
        table: &Table,
        key: &str,
        options: &LearningCurve,
        seed: u64,
        number: usize,
    ) -> Result<Self, ExperimentError> {
        let plan = Plan::HeldOut { test: options.test, repeats: options.splits };
        let folds = plan.deal(&table.name, key, &table.labels, seed, number)?;
        let mut random = generator(seed, &format!("learning curve of {key}"), number);
        let train = folds.train(0);
        let mut places: Vec<(f64, f64, usize)> = Vec::with_capacity(train.len());
        for class in 0..table.classes.len() {
            let mut rows: Vec<(f64, usize)> = train
                .iter()
                .filter(|&&row| table.labels[row] == class)
                .map(|&row| (random.random(), row))
                .collect();
            rows.sort_by(|one, other| one.0.total_cmp(&other.0));
            let n = rows.len() as f64;
            // Of rows at the same place, those of any class may be the first.
            places.extend(
                rows.iter().enumerate().map(|(i, &(_, row))| ((i as f64 + 0.5) / n, random.random(), row)),
            );
        }
        places.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
        Ok(Self { test: folds.test(0), order: places.into_iter().map(|(_, _, row)| row).collect() })
    }

    /// The sizes of training sets: those of the options that there are rows for, or a geometric grid. It begins where
    /// every class that has two training rows has two, or else at a quarter of the rows, and ends at all of them.
    pub(super) fn sizes(&self, table: &Table, options: &LearningCurve) -> Vec<usize> {
        let all = self.order.len();
        if !options.sizes.is_empty() {
            return options.sizes.iter().copied().filter(|&size| size <= all).collect();
        }
        let mut n_of_class = vec![0_usize; table.classes.len()];
        for &row in &self.order {
            n_of_class[table.labels[row]] += 1;
        }
        // The second row of a class of n comes at 1.5 / n; classes are of a size by then that rounds their share.
        let with_two = |n: usize| -> usize {
            let place = 1.5 / n as f64;
            n_of_class.iter().map(|&other| (other as f64 * place + 0.5).floor() as usize).sum()
        };
        let needed = n_of_class.iter().filter(|&&n| n >= 2).map(|&n| with_two(n)).max().unwrap_or(2);
        let first = needed.min(all.div_ceil(4)).max(2.min(all));
        let (low, high) = (first as f64, all as f64);
        let steps = (super::N_SIZES - 1) as f64;
        let mut sizes: Vec<usize> = (0..super::N_SIZES)
            .map(|step| (low * libm::pow(high / low, step as f64 / steps)).round() as usize)
            .collect();
        sizes.dedup();
        sizes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn training_sets_are_nested_and_stratified() {
        let table = Table::embedded("pima").unwrap();
        let options = LearningCurve::default();
        let split = Split::new(&table, &table.split_key(), &options, 1, 0).unwrap();
        let mut rows: Vec<usize> = split.test.iter().chain(&split.order).copied().collect();
        rows.sort_unstable();
        assert_eq!(rows, (0..table.n_rows()).collect::<Vec<_>>());
        let of_first = |rows: &[usize]| rows.iter().filter(|&&row| table.labels[row] == 0).count() as f64;
        let share = of_first(&split.order) / split.order.len() as f64;
        for n in 1..=split.order.len() {
            assert!((of_first(&split.order[..n]) - share * n as f64).abs() <= 1.0, "{n}");
        }
        let sizes = split.sizes(&table, &options);
        assert_eq!((sizes.len(), sizes.last()), (super::super::N_SIZES, Some(&split.order.len())));
        assert!(sizes.windows(2).all(|pair| pair[0] < pair[1]));
        let begin = &split.order[..sizes[0]];
        let n_first = of_first(begin) as usize;
        assert!(n_first >= 2 && begin.len() - n_first >= 2, "{sizes:?}");
        assert_ne!(split, Split::new(&table, &table.split_key(), &options, 1, 1).unwrap());
    }
}
