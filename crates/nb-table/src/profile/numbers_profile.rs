//! What a profile says of the numbers of a column.

use serde::Serialize;

use super::{
    distribution::Distribution,
    moments::Moments,
    order::{Order, OrderWatch},
    values::{Class, Values},
};

/// The numbers of a column. A moment that doubles cannot hold is `None`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct NumbersProfile {
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// The mean.
    pub mean: Option<f64>,
    /// The standard deviation, with the divisor `n - 1`.
    pub standard_deviation: Option<f64>,
    /// The skewness, `m3 / m2^(3/2)` (`g1` of Joanes and Gill 1998).
    pub skewness: Option<f64>,
    /// Quantiles: of 1, 5, 25, 50, 75, 95 and 99 %. Exact while the column has at most 8192 different
    /// numbers (counted once for each label, if there is a label column), then with linear interpolation
    /// between neighbours (type 7 of Hyndman and Fan 1996).
    pub quantiles: Vec<Quantile>,
    /// By which share of the numbers the rank of a quantile may be wrong at most; 0 where quantiles are
    /// exact.
    pub max_rank_error: f64,
    /// How many are zero.
    pub n_zero: u64,
    /// How many are below zero.
    pub n_negative: u64,
    /// Whether all are whole.
    pub is_whole: bool,
    /// Whether they rise or fall from row to row.
    pub order: Order,
    /// How many numbers are in bins of one width, or at each number if they are few and whole.
    pub histogram: Vec<Bin>,
    /// How many numbers are below the first bin and above the last one: where a few numbers are far away
    /// from the others, the bins go from the quantile of 1 % to that of 99 %.
    pub n_beyond: u64,
}

/// A quantile.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Quantile {
    /// Its probability.
    pub probability: f64,
    /// The number.
    pub value: f64,
}

/// How many numbers are between two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Bin {
    /// The lower end, which belongs to it.
    pub low: f64,
    /// The upper end, which belongs to the next bin, if there is one.
    pub high: f64,
    /// How many.
    pub n: u64,
}

impl NumbersProfile {
    /// The quantile of a probability that the profile has.
    pub(super) fn quantile(&self, probability: f64) -> Option<f64> {
        let quantile = self.quantiles.iter().find(|quantile| quantile.probability == probability);
        quantile.map(|quantile| quantile.value)
    }
}

/// What is known of the numbers of a column while rows are added.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Numbers {
    moments: Moments,
    min: f64,
    max: f64,
    n_zero: u64,
    n_negative: u64,
    is_whole: bool,
    order: OrderWatch,
    pub(super) values: Values,
}

impl Default for Numbers {
    fn default() -> Self {
        Self {
            moments: Moments::default(),
            min: f64::INFINITY,
            max: f64::NEG_INFINITY,
            n_zero: 0,
            n_negative: 0,
            is_whole: true,
            order: OrderWatch::default(),
            values: Values::default(),
        }
    }
}

impl Numbers {
    /// Adds the number of the next row.
    pub(super) fn add(&mut self, value: f64, class: Class) {
        self.order.look(value);
        self.count(value, class, 1);
    }

    /// Adds a number that occurs in `n` rows, whose order is not known.
    pub(super) fn add_unordered(&mut self, value: f64, class: Class, n: u64) {
        self.order.give_up();
        if n > 0 {
            self.count(value, class, n);
        }
    }

    fn count(&mut self, value: f64, class: Class, n: u64) {
        self.moments.merge(&Moments::of(value, n));
        (self.min, self.max) = (self.min.min(value), self.max.max(value));
        self.n_zero += if value == 0.0 { n } else { 0 };
        self.n_negative += if value < 0.0 { n } else { 0 };
        self.is_whole &= value.fract() == 0.0;
        self.values.add(value, class, n);
    }

    /// Adds the numbers of later rows, whose classes have the numbers that `class` says.
    pub(super) fn merge(&mut self, other: &Self, class: impl Fn(Class) -> Class) {
        self.moments.merge(&other.moments);
        (self.min, self.max) = (self.min.min(other.min), self.max.max(other.max));
        self.n_zero += other.n_zero;
        self.n_negative += other.n_negative;
        self.is_whole &= other.is_whole;
        self.order.merge(&other.order);
        self.values.merge(&other.values, class);
    }

    pub(super) fn n(&self) -> u64 {
        self.moments.n()
    }

    /// The profile; none without a number.
    pub(super) fn profile(&self) -> Option<NumbersProfile> {
        if self.n() == 0 {
            return None;
        }
        let distribution = self.values.distribution();
        let histogram = histogram(&distribution, self.is_whole);
        let n_in_bins: u64 = histogram.iter().map(|bin| bin.n).sum();
        Some(NumbersProfile {
            min: self.min,
            max: self.max,
            mean: self.moments.mean(),
            standard_deviation: self.moments.standard_deviation(),
            skewness: self.moments.skewness(),
            quantiles: distribution.quantiles(),
            max_rank_error: distribution.rank_error(),
            n_zero: self.n_zero,
            n_negative: self.n_negative,
            is_whole: self.is_whole,
            order: self.order.order(),
            histogram,
            n_beyond: self.n().saturating_sub(n_in_bins),
        })
    }
}

/// Bins for a picture.
fn histogram(distribution: &Distribution, is_whole: bool) -> Vec<Bin> {
    const N_BINS: usize = 24;
    const LARGEST: f64 = 1e12;
    let (Some(&(low, _)), Some(&(high, _))) = (distribution.values().first(), distribution.values().last())
    else {
        return Vec::new();
    };
    if is_whole && high - low < N_BINS as f64 {
        let one_each =
            |value: i32| Bin { low: low + f64::from(value) - 0.5, high: low + f64::from(value) + 0.5, n: 0 };
        let mut bins: Vec<Bin> = (0..=(high - low) as i32).map(one_each).collect();
        distribution.values().iter().for_each(|&(value, n)| bins[(value - low) as usize].n += n);
        return bins;
    }
    let (low, high) = without_far(distribution, low, high);
    // Bins of whole numbers have as many each.
    if is_whole && low.abs().max(high.abs()) < LARGEST {
        let (low, high) = (low.ceil(), high.floor());
        let width = ((high - low + 1.0) / N_BINS as f64).ceil();
        let n_bins = ((high - low + 1.0) / width).ceil();
        return distribution.histogram(low - 0.5, low - 0.5 + width * n_bins, n_bins.max(1.0) as usize);
    }
    if low < high { distribution.histogram(low, high, N_BINS) } else { distribution.histogram(low, high, 1) }
}

/// The ends of a histogram: the quantiles of 1 % and 99 % where the smallest and the largest number are far
/// away from them.
fn without_far(distribution: &Distribution, low: f64, high: f64) -> (f64, f64) {
    let at = |probability| distribution.quantile(probability);
    // Far away is more than three times the width of the middle.
    let is_far = |end: f64, near: f64| (end - near).abs() > 3.0 * (at(0.99) - at(0.01));
    let low = if is_far(low, at(0.01)) { at(0.01) } else { low };
    let high = if is_far(high, at(0.99)) { at(0.99) } else { high };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(values: impl IntoIterator<Item = f64>) -> NumbersProfile {
        let mut numbers = Numbers::default();
        values.into_iter().for_each(|value| numbers.add(value, 0));
        numbers.profile().unwrap()
    }

    #[test]
    fn bins_have_all_numbers_or_say_how_many_are_beyond() {
        let few = profile([3.0, 5.0, 5.0, 6.0]);
        assert_eq!(few.histogram.iter().map(|bin| bin.n).collect::<Vec<_>>(), [1, 0, 2, 1]);
        assert_eq!((few.histogram[0].low, few.histogram[3].high, few.n_beyond), (2.5, 6.5, 0));
        let far = profile((0..1000).map(f64::from).chain([1e9]));
        assert_eq!(
            (far.histogram.len(), far.histogram.iter().map(|bin| bin.n).sum::<u64>() + far.n_beyond),
            (24, 1001)
        );
        assert!(far.n_beyond > 0 && far.histogram[23].high < 1e4);
        let same = profile([0.5; 3]);
        assert_eq!((same.histogram.len(), same.histogram[0].n), (1, 3));
    }

    #[test]
    fn extreme_numbers_give_no_nan() {
        let extreme = profile([f64::MAX, -f64::MAX, 0.0, 5e-324]);
        assert_eq!((extreme.min, extreme.max), (-f64::MAX, f64::MAX));
        assert_eq!(extreme.skewness, None);
        assert!(extreme.quantiles.iter().all(|quantile| quantile.value.is_finite()));
    }
}
