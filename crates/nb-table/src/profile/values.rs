//! The numbers of a column, by class: each counted while few are different, in sketches beyond that.

use std::collections::{BTreeMap, HashMap};

use super::{
    distinct_sketch::DistinctSketch, distribution::Distribution, frequent::Frequent,
    quantile_sketch::QuantileSketch, table_profile::Distinct,
};
use crate::hash::mix;

/// How many pairs of number and class are counted one by one.
const MOST_COUNTED: usize = 8192;

/// The number of a class; 0 for rows without one.
pub(super) type Class = u32;

/// The bits of a number; those of zero for a negative zero.
type Bits = u64;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Values {
    Counted(HashMap<(Bits, Class), u64>),
    Sketched(Box<Sketches>),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sketches {
    distinct: DistinctSketch,
    frequent: Frequent<Bits>,
    quantiles: BTreeMap<Class, QuantileSketch>,
}

impl Default for Values {
    fn default() -> Self {
        Self::Counted(HashMap::new())
    }
}

impl Values {
    /// Adds a finite number that occurs `n` times in rows of a class.
    pub(super) fn add(&mut self, value: f64, class: Class, n: u64) {
        let bits = (value + 0.0).to_bits();
        match self {
            Self::Counted(counts) => {
                *counts.entry((bits, class)).or_insert(0) += n;
                if counts.len() > MOST_COUNTED {
                    *self = Self::Sketched(Box::new(Sketches::of(&sorted(counts))));
                }
            }
            Self::Sketched(sketches) => sketches.add(bits, class, n),
        }
    }

    /// Adds those of another column, whose classes have the numbers that `class` says.
    pub(super) fn merge(&mut self, other: &Self, class: impl Fn(Class) -> Class) {
        match (&mut *self, other) {
            (_, Self::Counted(counts)) => {
                for ((bits, of), n) in sorted(counts) {
                    self.add(f64::from_bits(bits), class(of), n);
                }
            }
            (Self::Counted(counts), Self::Sketched(other)) => {
                let mut sketches = Sketches::of(&sorted(counts));
                sketches.merge(other, class);
                *self = Self::Sketched(Box::new(sketches));
            }
            (Self::Sketched(sketches), Self::Sketched(other)) => sketches.merge(other, class),
        }
    }

    /// Makes all rows ones without a class.
    pub(super) fn forget_classes(&mut self) {
        let before = std::mem::take(self);
        self.merge(&before, |_| 0);
    }

    /// All numbers.
    pub(super) fn distribution(&self) -> Distribution {
        self.distribution_of(|_| true)
    }

    /// The numbers in the rows of a class.
    pub(super) fn of_class(&self, class: Class) -> Distribution {
        self.distribution_of(|other| other == class)
    }

    fn distribution_of(&self, is_wanted: impl Fn(Class) -> bool) -> Distribution {
        match self {
            Self::Counted(counts) => {
                let wanted = counts.iter().filter(|((_, class), _)| is_wanted(*class));
                Distribution::new(wanted.map(|(&(bits, _), &n)| (f64::from_bits(bits), n)).collect(), 0, true)
            }
            Self::Sketched(sketches) => {
                let wanted = || sketches.quantiles.iter().filter(|(class, _)| is_wanted(**class));
                let values = wanted().flat_map(|(_, sketch)| sketch.weighted()).collect();
                let error = wanted().map(|(_, sketch)| sketch.max_rank_error()).sum();
                Distribution::new(values, error, false)
            }
        }
    }

    /// How many are different.
    pub(super) fn distinct(&self) -> Distinct {
        match self {
            Self::Counted(_) => Distinct::exactly(self.distribution().values().len() as u64),
            Self::Sketched(sketches) => Distinct::about(sketches.distinct.estimate()),
        }
    }

    /// The commonest, how often each occurs, and by how much that may be too few.
    pub(super) fn commonest(&self, most: usize) -> (Vec<(f64, u64)>, u64) {
        let (mut counts, error): (Vec<(f64, u64)>, u64) = match self {
            Self::Counted(_) => (self.distribution().values().to_vec(), 0),
            Self::Sketched(sketches) => {
                let counts = sketches.frequent.counts().map(|(&bits, n)| (f64::from_bits(bits), n));
                (counts.collect(), sketches.frequent.error())
            }
        };
        counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.total_cmp(&b.0)));
        counts.truncate(most);
        (counts, error)
    }
}

fn sorted(counts: &HashMap<(Bits, Class), u64>) -> Vec<((Bits, Class), u64)> {
    let mut counts: Vec<_> = counts.iter().map(|(&key, &n)| (key, n)).collect();
    counts.sort_unstable();
    counts
}

impl Sketches {
    fn of(counts: &[((Bits, Class), u64)]) -> Self {
        let mut sketches = Self::default();
        for &((bits, class), n) in counts {
            sketches.add(bits, class, n);
        }
        sketches
    }

    fn add(&mut self, bits: Bits, class: Class, n: u64) {
        self.distinct.add(mix(bits));
        self.frequent.add(&bits, n);
        self.quantiles.entry(class).or_default().add(f64::from_bits(bits), n);
    }

    fn merge(&mut self, other: &Self, class: impl Fn(Class) -> Class) {
        self.distinct.merge(&other.distinct);
        self.frequent.merge(&other.frequent);
        for (&of, sketch) in &other.quantiles {
            self.quantiles.entry(class(of)).or_default().merge(sketch);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_numbers_are_counted_and_many_sketched() {
        let mut values = Values::default();
        for i in 0..100_000_u64 {
            values.add((i % 5_000) as f64, (i % 2) as Class, 1);
        }
        assert_eq!(values.distinct(), Distinct::exactly(5_000));
        assert_eq!(values.distribution().quantile(0.5), 2_499.5);
        for i in 0..100_000_u64 {
            values.add(i as f64, 1, 1);
        }
        let distinct = values.distinct();
        assert!(!distinct.is_exact && distinct.n.abs_diff(100_000) < 6_000, "{distinct:?}");
        let distribution = values.distribution();
        assert!(distribution.rank_error() > 0.0 && distribution.rank_error() < 0.02);
        // Half of the cells are below 5000.
        assert!((4_000.0..9_000.0).contains(&distribution.quantile(0.5)));
    }

    #[test]
    fn zeros_of_both_signs_are_one() {
        let mut values = Values::default();
        values.add(0.0, 0, 1);
        values.add(-0.0, 0, 1);
        assert_eq!((values.distinct().n, values.commonest(1).0), (1, vec![(0.0, 2)]));
    }

    #[test]
    fn merging_and_forgetting_classes_keep_all_numbers() {
        let (mut few, mut many) = (Values::default(), Values::default());
        (0..100).for_each(|i| few.add(f64::from(i), 1, 1));
        (0..20_000).for_each(|i| many.add(f64::from(i), 2, 1));
        few.merge(&many, |class| class + 1);
        let n =
            |values: &Values, class| -> u64 { values.of_class(class).values().iter().map(|(_, n)| n).sum() };
        assert_eq!((n(&few, 1), n(&few, 3)), (100, 20_000));
        few.forget_classes();
        assert_eq!((n(&few, 0), n(&few, 3)), (20_100, 0));
    }
}
