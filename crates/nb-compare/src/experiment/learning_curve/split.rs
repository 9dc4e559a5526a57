//! The rows of a split: those that are tested, and the others in the order in which training sets grow.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::{LearningCurve, groups};
use crate::{Dealing, Folds, Plan, PlanError, Table, plan::generator};

/// The rows of a split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Split {
    /// The rows that are tested.
    pub(super) test: Vec<usize>,
    /// The other rows: the first `n` are the training set of size `n`.
    pub(super) order: Vec<usize>,
}

impl Split {
    /// The split of this number, whose tested rows are those of the one fold.
    ///
    /// The others are in an order of which every beginning has its share of every class, as far as whole rows
    /// allow: the `i`-th of the `n` rows of a class, counted from 0 and shuffled, comes at `(i + 1/2) /
    /// n`. Where rows belong to groups, whole groups follow one another.
    pub(super) fn new(table: &Table, key: &str, folds: &Folds, (seed, number): (u64, usize)) -> Self {
        let mut random = generator(seed, &format!("learning curve of {key}"), number);
        let (test, train) = (folds.test(0), folds.train(0));
        let order = match &table.dealing {
            Dealing::Groups { of_row, .. } => groups::order(table, of_row, &train, &mut random),
            Dealing::Rows | Dealing::Given(_) => stratified(table, &train, &mut random),
        };
        Self { test, order }
    }
}

/// The rows so that every beginning has its share of every class.
fn stratified(table: &Table, train: &[usize], random: &mut ChaCha8Rng) -> Vec<usize> {
    let mut places: Vec<(f64, f64, usize)> = Vec::with_capacity(train.len());
    for class in 0..table.classes.len() {
        let of_class = train.iter().filter(|&&row| table.labels[row] == class);
        let mut rows: Vec<(f64, usize)> = of_class.map(|&row| (random.random(), row)).collect();
        rows.sort_by(|one, other| one.0.total_cmp(&other.0));
        let n = rows.len() as f64;
        // Of rows at the same place, those of any class may be the first.
        places.extend(
            rows.iter().enumerate().map(|(i, &(_, row))| ((i as f64 + 0.5) / n, random.random(), row)),
        );
    }
    places.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
    places.into_iter().map(|(_, _, row)| row).collect()
}

impl LearningCurve {
    /// The sizes of training sets of a table: those of the options that every split has rows for, or a
    /// geometric grid. It begins where every class that has two training rows has two, or else at a
    /// quarter of the rows, and ends at all of them.
    pub(in crate::experiment) fn sizes_of(
        &self,
        (plan, seed): (Plan, u64),
        table: &Table,
        key: &str,
    ) -> Result<Vec<usize>, PlanError> {
        // Without groups, all splits have as many rows of each class.
        let n_splits = match table.dealing {
            Dealing::Rows => 1,
            Dealing::Groups { .. } => plan.repeats(),
            Dealing::Given(_) => {
                let problem = "a learning curve deals rows by itself; leave them out".to_owned();
                return Err(PlanError::Given { table: table.name.clone(), problem });
            }
        };
        let (mut first, mut all) = (0, usize::MAX);
        for number in 0..n_splits {
            let folds = plan.folds_of(table, key, seed, number)?;
            let Split { order, .. } = Split::new(table, key, &folds, (seed, number));
            let needed = match table.dealing {
                Dealing::Groups { .. } => groups::with_two(table, &order),
                _ => with_two(table, &order),
            };
            (first, all) = (first.max(needed), all.min(order.len()));
        }
        let sizes = self.sizes_up_to(first, all);
        match self.sizes.first() {
            Some(&smallest) if sizes.is_empty() => {
                Err(PlanError::NoSize { table: table.name.clone(), n_train: all, smallest })
            }
            _ => Ok(sizes),
        }
    }

    fn sizes_up_to(&self, needed: usize, all: usize) -> Vec<usize> {
        if !self.sizes.is_empty() {
            return self.sizes.iter().copied().filter(|&size| size <= all).collect();
        }
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

/// The size at which every class that has two rows has two in a stratified order.
fn with_two(table: &Table, order: &[usize]) -> usize {
    let mut n_of_class = vec![0_usize; table.classes.len()];
    for &row in order {
        n_of_class[table.labels[row]] += 1;
    }
    // The second row of a class of n comes at 1.5 / n; classes are of a size by then that rounds their share.
    let at_second = |n: usize| -> usize {
        let place = 1.5 / n as f64;
        n_of_class.iter().map(|&other| (other as f64 * place + 0.5).floor() as usize).sum()
    };
    n_of_class.iter().filter(|&&n| n >= 2).map(|&n| at_second(n)).max().unwrap_or(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn training_sets_are_nested_and_stratified() {
        let table = Table::embedded("pima").unwrap();
        let (options, key) = (LearningCurve::default(), table.split_key());
        let plan = Plan::HeldOut { test: 1.0 / 3.0, repeats: 2 };
        let split = |number| {
            let folds = plan.folds_of(&table, &key, 1, number).unwrap();
            Split::new(&table, &key, &folds, (1, number))
        };
        let other = split(1);
        let split = split(0);
        let mut rows: Vec<usize> = split.test.iter().chain(&split.order).copied().collect();
        rows.sort_unstable();
        assert_eq!(rows, (0..table.n_rows()).collect::<Vec<_>>());
        let of_first = |rows: &[usize]| rows.iter().filter(|&&row| table.labels[row] == 0).count() as f64;
        let share = of_first(&split.order) / split.order.len() as f64;
        for n in 1..=split.order.len() {
            assert!((of_first(&split.order[..n]) - share * n as f64).abs() <= 1.0, "{n}");
        }
        let sizes = options.sizes_of((plan, 1), &table, &key).unwrap();
        assert_eq!((sizes.len(), sizes.last()), (super::super::N_SIZES, Some(&split.order.len())));
        assert!(sizes.windows(2).all(|pair| pair[0] < pair[1]));
        let begin = &split.order[..sizes[0]];
        let n_first = of_first(begin) as usize;
        assert!(n_first >= 2 && begin.len() - n_first >= 2, "{sizes:?}");
        assert_ne!(split, other);
    }
}
