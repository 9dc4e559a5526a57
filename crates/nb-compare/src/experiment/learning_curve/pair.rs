//! Pairs of variants: where one curve crosses the other, and who is ahead at the end.

use nb_significance::corrected_resampled_t;
use rand::{Rng, RngExt};
use serde::Serialize;

use super::{Loss, fit::means};
use crate::experiment::Place;

/// The number of bootstrap samples.
const N_SAMPLES: usize = 999;

/// Two variants on one data set, by one loss.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// The loss.
    pub loss: Loss,
    /// The first variant, a position among the variants.
    pub first: usize,
    /// The second variant.
    pub second: usize,
    /// Where the sign of the mean difference changes, by ascending size.
    pub crossings: Vec<Crossing>,
    /// The 95 % interval of the last crossing, from bootstrap samples of whole splits (Efron 1979); `None`
    /// if there is no crossing.
    pub last: Option<[Place; 2]>,
    /// The loss of the first minus that of the second at the largest size that both have.
    pub difference: Option<Difference>,
}

/// Where one variant overtakes the other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Crossing {
    /// The number of training rows, between sizes by interpolation over its logarithm.
    pub at: f64,
    /// The variant that has the smaller mean loss from there on.
    pub ahead: usize,
}

/// A mean difference over splits, by the corrected resampled t-test (Nadeau and Bengio 2003, *Inference for
/// the generalization error*, Machine Learning 52).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The number of training rows.
    pub size: usize,
    /// The mean.
    pub mean: f64,
    /// The 95 % interval.
    pub interval: [f64; 2],
    /// The p-value; `None` if all splits have the same difference.
    pub p: Option<f64>,
}

impl Pair {
    /// `splits` has for each split the losses of both variants at all sizes; infinite ones and those that do
    /// not exist are left out, with their size.
    pub(super) fn new(
        (loss, first, second): (Loss, usize, usize),
        sizes: &[usize],
        splits: &[Vec<Option<[f64; 2]>>],
        n_test: usize,
        random: &mut impl Rng,
    ) -> Self {
        let is_known = |at: &usize| {
            splits
                .iter()
                .all(|split| split[*at].is_some_and(|losses| losses.iter().all(|loss| loss.is_finite())))
        };
        let known: Vec<usize> = (0..sizes.len()).filter(is_known).collect();
        let sizes: Vec<usize> = known.iter().map(|&at| sizes[at]).collect();
        let losses = |split: &Vec<Option<[f64; 2]>>, at: usize| split[at].unwrap_or_default();
        let differences: Vec<Vec<f64>> = splits
            .iter()
            .map(|split| known.iter().map(|&at| losses(split, at)).map(|[one, other]| one - other).collect())
            .collect();
        let crossings = crossings(&sizes, &means(differences.iter(), sizes.len()), first, second);
        let difference = known.last().zip(sizes.last()).and_then(|(&at, &size)| {
            let of = |side: usize| splits.iter().map(|split| losses(split, at)[side]).collect::<Vec<f64>>();
            let t = corrected_resampled_t(&of(0), &of(1), n_test as f64 / size as f64, 0.95).ok()?;
            Some(Difference {
                size,
                mean: t.mean_difference,
                interval: [t.interval.lower, t.interval.upper],
                p: (t.standard_error > 0.0).then_some(t.p),
            })
        });
        let last = crossings.last().map(|last| {
            let mut places: Vec<Place> = (0..N_SAMPLES)
                .map(|_| {
                    let sample =
                        (0..splits.len()).map(|_| &differences[random.random_range(0..splits.len())]);
                    place(&sizes, &means(sample, sizes.len()), last.ahead == first)
                })
                .collect();
            places.sort_by(|one, other| one.partial_cmp(other).unwrap_or(std::cmp::Ordering::Equal));
            let tail = (N_SAMPLES + 1) / 40;
            [places[tail - 1], places[N_SAMPLES - tail]]
        });
        Self { loss, first, second, crossings, last, difference }
    }
}

/// The changes of sign; a difference of zero is of the sign before it.
fn crossings(sizes: &[usize], differences: &[f64], first: usize, second: usize) -> Vec<Crossing> {
    let points: Vec<(f64, f64)> =
        sizes.iter().zip(differences).map(|(&size, &difference)| (size as f64, difference)).collect();
    let mut found = Vec::new();
    let mut before: Option<usize> = None;
    for (number, &(_, difference)) in
        points.iter().enumerate().filter(|(_, (_, difference))| *difference != 0.0)
    {
        if let Some(last) = before.filter(|&last| points[last].1.signum() != difference.signum()) {
            // Equal for a while: they part at the last such size.
            let from = if last + 1 < number { points[number - 1] } else { points[last] };
            let share = from.1 / (from.1 - difference);
            let at = from.0 * libm::pow(points[number].0 / from.0, share);
            found.push(Crossing { at, ahead: if difference < 0.0 { first } else { second } });
        }
        before = Some(number);
    }
    found
}

/// Where one of the two gets ahead for good in a sample: the first if `of_first`.
fn place(sizes: &[usize], differences: &[f64], of_first: bool) -> Place {
    let ahead = differences.iter().rev().find(|difference| **difference != 0.0);
    if ahead.is_none_or(|difference| (*difference < 0.0) != of_first) {
        return Place::Beyond;
    }
    crossings(sizes, differences, 0, 1).last().map_or(Place::Before, |last| Place::At(last.at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::generator;

    #[test]
    fn every_change_of_sign_is_a_crossing() {
        let at = |differences: &[f64]| crossings(&[2, 4, 16, 32], differences, 7, 9);
        assert_eq!(at(&[0.1, 0.2, 0.1, 0.3]), []);
        let both = at(&[0.1, -0.1, -0.1, 0.1]);
        assert_eq!(both.iter().map(|crossing| crossing.ahead).collect::<Vec<_>>(), [7, 9]);
        assert!((both[0].at - 8_f64.sqrt()).abs() < 1e-12 && (both[1].at - 512_f64.sqrt()).abs() < 1e-12);
        assert_eq!(at(&[-0.1, 0.0, 0.0, 0.1]), [Crossing { at: 16.0, ahead: 9 }]);
        assert_eq!(at(&[-0.1, 0.0, -0.1, 0.0]), []);
    }

    #[test]
    fn the_last_crossing_has_an_interval_and_the_end_a_test() {
        let split = |shift: f64| vec![None, Some([0.3, 0.4]), Some([0.3, 0.2 + shift]), Some([0.3, 0.1])];
        let splits: Vec<_> = (0..20).map(|number| split(0.01 * f64::from(number % 3))).collect();
        let random = &mut generator(0, "pair", 0);
        let pair = Pair::new((Loss::Error, 0, 1), &[2, 4, 16, 64], &splits, 8, random);
        let [crossing] = pair.crossings[..] else { panic!("{pair:?}") };
        assert_eq!(crossing.ahead, 1);
        let Some([Place::At(low), Place::At(high)]) = pair.last else { panic!("{pair:?}") };
        assert!(low < crossing.at && crossing.at < high && 4.0 < low && high < 16.0, "{pair:?}");
        let difference = pair.difference.unwrap();
        assert_eq!((difference.size, difference.p), (64, None));
        assert!((difference.mean - 0.2).abs() < 1e-12, "{difference:?}");
    }
}
