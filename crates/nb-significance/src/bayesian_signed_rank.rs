//! The Bayesian signed-rank test: how probable is it that two classifiers are practically the same on data
//! sets in general?

use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use rand_distr::{Distribution, Exp1, StandardNormal};

use crate::{
    PracticalDifference,
    scores::{Differences, ScoreError},
};

/// The strength of the prior, as a number of data sets on which the classifiers are equal.
const PRIOR: f64 = 0.5;

/// Why there is no Bayesian signed-rank test.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BayesianSignedRankError {
    /// The scores are no pairs.
    #[error(transparent)]
    Scores(#[from] ScoreError),
    /// The region is none.
    #[error("the region of practical equivalence is {region}; it must be finite and 0 or more, such as 0.01")]
    Region {
        /// The region.
        region: f64,
    },
    /// No samples.
    #[error("0 samples of the posterior distribution; draw some thousands, such as 50 000")]
    NoSamples,
}

/// What the Bayesian signed-rank test says about first less second.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BayesianSignedRank {
    /// The probabilities that the difference on data sets in general is most often below, in or above the
    /// region. They add up to 1, and are shares of the samples: their standard error is at most `1/(2
    /// √n_samples)`.
    pub probability: PracticalDifference,
    /// Means over the samples of how often it is so, for the mean of the differences on two data sets.
    pub mean_share: PracticalDifference,
    /// How many samples were drawn.
    pub n_samples: usize,
}

/// The Bayesian signed-rank test for two classifiers over data sets, one pair of scores each, with a region
/// of practical equivalence from `-region` to `region`, in the unit of the scores.
///
/// The distribution of the differences `z` has a Dirichlet process as its prior, of the strength 0.5 at 0.
/// Under a sample of its posterior distribution, with weights `w ~ Dirichlet(0.5, 1, ..., 1)` of 0 and the
/// differences,
///
/// `above = Σ_ij w_i w_j [z_i + z_j > 2 region]`, and `below` and `within` likewise;
///
/// a pair on an end of the region counts half on each side of it. A probability is the share of the samples
/// in which its number is the largest of the three. Benavoli, Mangili, Corani, Zaffalon and Ruggeri 2014, *A
/// Bayesian Wilcoxon signed-rank test based on the Dirichlet process*, ICML 2014, 1026-1034; Benavoli,
/// Corani, Demšar and Zaffalon 2017, *Time for a change: a tutorial for comparing multiple classifiers
/// through Bayesian analysis*, Journal of Machine Learning Research 18(77), section 4.2.
///
/// The same seed gives the same samples.
///
/// # Errors
/// If the scores do not pair up, there are none, a pair has no finite difference, the region is negative or
/// no number, or `n_samples` is 0.
///
/// ```
/// use nb_significance::bayesian_signed_rank;
///
/// let (first, second) = ([0.80, 0.71, 0.93, 0.65, 0.88, 0.79], [0.78, 0.70, 0.90, 0.61, 0.83, 0.73]);
/// let found = bayesian_signed_rank(&first, &second, 0.01, 10_000, 1)?;
/// assert!(found.probability.above > 0.9);
/// # Ok::<(), nb_significance::BayesianSignedRankError>(())
/// ```
pub fn bayesian_signed_rank(
    first: &[f64],
    second: &[f64],
    region: f64,
    n_samples: usize,
    seed: u64,
) -> Result<BayesianSignedRank, BayesianSignedRankError> {
    if !(region >= 0.0 && region.is_finite()) {
        return Err(BayesianSignedRankError::Region { region });
    }
    if n_samples == 0 {
        return Err(BayesianSignedRankError::NoSamples);
    }
    let differences = Differences::of(first, second, 1)?;
    let sums = Sums::new(&differences, region);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut probability, mut mean_share) = ([0.0; 3], [0.0; 3]);
    let mut weights = vec![0.0; differences.values.len() + 1];
    let mut cumulated = vec![0.0; weights.len() + 1];
    for _ in 0..n_samples {
        for (place, weight) in weights.iter_mut().enumerate() {
            *weight = if place == sums.prior {
                // A gamma variate of shape 1/2.
                let normal: f64 = StandardNormal.sample(&mut random);
                PRIOR * normal * normal
            } else {
                Exp1.sample(&mut random)
            };
        }
        let shares = sums.shares(&weights, &mut cumulated);
        let largest = shares.iter().copied().fold(0.0, f64::max);
        let n_largest = shares.iter().filter(|&&share| share == largest).count() as f64;
        for (place, &share) in shares.iter().enumerate() {
            mean_share[place] += share;
            probability[place] += if share == largest { 1.0 / n_largest } else { 0.0 };
        }
    }
    let part = |[below, within, above]: [f64; 3]| {
        let n = n_samples as f64;
        PracticalDifference { below: below / n, within: within / n, above: above / n }
    };
    Ok(BayesianSignedRank { probability: part(probability), mean_share: part(mean_share), n_samples })
}

/// For each difference in rising order, with the 0 of the prior among them, which others make sums beyond the
/// region with it.
struct Sums {
    /// The place of the prior's 0.
    prior: usize,
    ends: Vec<Ends>,
}

/// Places from which, or up to which, the sum with a difference is beyond the region, and at an end of it.
struct Ends {
    below: usize,
    not_above_lower: usize,
    not_below_upper: usize,
    above: usize,
}

impl Sums {
    fn new(differences: &Differences, region: f64) -> Self {
        let mut all = differences.values.clone();
        all.push(0.0);
        all.sort_by(f64::total_cmp);
        let prior = all.partition_point(|&difference| difference < 0.0);
        // Sums that rounding alone takes off an end of the region are at it.
        let rounding =
            differences.rounding.iter().fold(4.0 * f64::EPSILON * region, |all, &own| all.max(2.0 * own));
        let ends = all.iter().map(|&own| {
            let (lower, upper) = (-2.0 * region - own, 2.0 * region - own);
            Ends {
                below: all.partition_point(|&other| other < lower - rounding),
                not_above_lower: all.partition_point(|&other| other <= lower + rounding),
                not_below_upper: all.partition_point(|&other| other < upper - rounding),
                above: all.partition_point(|&other| other <= upper + rounding),
            }
        });
        Self { prior, ends: ends.collect() }
    }

    /// How much of the weight of pairs is below, in and above the region.
    fn shares(&self, weights: &[f64], cumulated: &mut [f64]) -> [f64; 3] {
        let mut total = 0.0;
        for (sum, weight) in cumulated[1..].iter_mut().zip(weights) {
            total += weight;
            *sum = total;
        }
        let (mut below, mut above) = (0.0, 0.0);
        for (weight, ends) in weights.iter().zip(&self.ends) {
            below += weight * 0.5 * (cumulated[ends.below] + cumulated[ends.not_above_lower]);
            above += weight * 0.5 * (2.0 * total - cumulated[ends.not_below_upper] - cumulated[ends.above]);
        }
        let (below, above) = (below / (total * total), above / (total * total));
        [below, (1.0 - below - above).max(0.0), above]
    }
}
