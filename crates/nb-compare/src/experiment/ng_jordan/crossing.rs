//! Where two learning curves cross.

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use crate::experiment::Place;

/// The estimate and a 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Crossing {
    /// Where the curves of the mean errors cross for the last time.
    pub place: Place,
    /// The 2.5 % quantile of the places of resampled splits.
    pub low: Place,
    /// The 97.5 % quantile.
    pub high: Place,
}

/// The number of bootstrap samples.
const N_SAMPLES: usize = 999;

/// Where the last change of sign is, between sizes by interpolation over the logarithm of the size.
///
/// `differences` are mean errors of naive Bayes minus those of logistic regression, one for each of the
/// sizes; one that is not a number is of a size that nothing is known of.
pub(super) fn place(sizes: &[usize], differences: &[f64]) -> Place {
    let known = sizes.iter().zip(differences).filter(|(_, difference)| !difference.is_nan());
    let points: Vec<(f64, f64)> = known.map(|(&size, &difference)| (size as f64, difference)).collect();
    let Some(last) = points.iter().rposition(|&(_, difference)| difference <= 0.0) else {
        return if points.is_empty() { Place::Beyond } else { Place::Before };
    };
    let ((from, before), Some(&(to, after))) = (points[last], points.get(last + 1)) else {
        return Place::Beyond;
    };
    let share = -before / (after - before);
    Place::At(from * (to / from).powf(share))
}

impl Crossing {
    /// The place for the means of all splits, and its percentile interval over bootstrap samples of whole
    /// splits (Efron 1979, *Bootstrap methods: another look at the jackknife*, Annals of Statistics 7).
    ///
    /// `splits` has for each split the differences of the errors at all sizes, or none where a training set
    /// has one class.
    pub(super) fn new(sizes: &[usize], splits: &[Vec<Option<f64>>], random: &mut impl Rng) -> Self {
        let mut places: Vec<Place> = (0..N_SAMPLES)
            .map(|_| {
                let sample = (0..splits.len()).map(|_| &splits[random.random_range(0..splits.len())]);
                place(sizes, &means(sizes.len(), sample))
            })
            .collect();
        places.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        let quantile = |tail: usize| places[(N_SAMPLES + 1) * tail / 1000 - 1];
        Self {
            place: place(sizes, &means(sizes.len(), splits.iter())),
            low: quantile(25),
            high: quantile(975),
        }
    }
}

/// Means over the splits that have a difference; not a number where none has.
fn means<'a>(n_sizes: usize, splits: impl Iterator<Item = &'a Vec<Option<f64>>>) -> Vec<f64> {
    let mut sums = vec![(0.0, 0_usize); n_sizes];
    for split in splits {
        for ((sum, n), difference) in sums.iter_mut().zip(split) {
            if let Some(difference) = difference {
                *sum += difference;
                *n += 1;
            }
        }
    }
    sums.into_iter().map(|(sum, n)| sum / n as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::generator;

    #[test]
    fn the_last_change_of_sign_counts() {
        assert_eq!(place(&[2, 4, 8], &[0.1, 0.2, 0.1]), Place::Before);
        assert_eq!(place(&[2, 4, 8], &[0.1, 0.2, -0.1]), Place::Beyond);
        assert_eq!(place(&[2, 4, 8], &[0.1, 0.2, 0.0]), Place::Beyond);
        assert_eq!(place(&[2, 4, 16, 32], &[0.1, -0.1, 0.1, 0.2]), Place::At(8.0));
        assert_eq!(place(&[2, 4, 8, 16], &[0.1, -0.1, f64::NAN, 0.1]), Place::At(8.0));
        assert_eq!(place(&[2], &[f64::NAN]), Place::Beyond);
        assert!(
            Place::Before < Place::At(2.0)
                && Place::At(2.0) < Place::At(3.0)
                && Place::At(3.0) < Place::Beyond
        );
    }

    #[test]
    fn splits_that_agree_leave_no_doubt_and_others_do() {
        let agree = vec![vec![None, Some(-0.1), Some(0.1)]; 20];
        let crossing = Crossing::new(&[2, 4, 16], &agree, &mut generator(0, "agree", 0));
        assert_eq!([crossing.low, crossing.place, crossing.high], [Place::At(8.0); 3]);

        let differ: Vec<_> =
            (0..20).map(|split| vec![Some(-0.2), Some(f64::from(split % 5) - 2.0)]).collect();
        let crossing = Crossing::new(&[2, 4], &differ, &mut generator(0, "differ", 0));
        assert_eq!((crossing.place, crossing.high), (Place::Beyond, Place::Beyond));
        assert!(crossing.low < Place::At(4.0));
    }
}
