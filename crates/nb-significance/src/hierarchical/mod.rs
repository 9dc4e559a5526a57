//! The Bayesian hierarchical test: all folds of all data sets in one model.

mod diagnostics;
mod draws;
mod model;

use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

use self::{
    diagnostics::diagnose,
    model::{Prior, Set, State},
};
use crate::{
    PracticalDifference,
    scores::{Differences, ScoreError},
    special::student_two_sided,
};

/// How many chains there are, from different places.
const N_CHAINS: usize = 4;

/// How many times as many samples are drawn where fewer do not agree.
const MOST_ROUNDS: usize = 16;

/// How many samples of each chain are left out at its start.
const WARM_UP: usize = 500;

/// The largest `R̂` and the fewest effective samples with which there is an answer.
const LARGEST_R_HAT: f64 = 1.05;
const FEWEST_EFFECTIVE: f64 = 400.0;

/// The least standard deviation of a data set, as a share of their mean.
const LEAST_NOISE: f64 = 1e-3;

/// The largest standard deviations, as multiples of those that are seen; as in the package baycomp.
const LARGEST: f64 = 1000.0;

/// Scores of two classifiers on the same folds, or other splits, of one data set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoldScores<'a> {
    /// The scores of the first classifier, one per fold of each repetition.
    pub first: &'a [f64],
    /// Those of the second.
    pub second: &'a [f64],
    /// The share of the rows that a fold tests, `n_test / n`, which is taken for the correlation of two
    /// differences: 0.1 for ten folds.
    pub test_share: f64,
}

/// Why there is no Bayesian hierarchical test.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HierarchicalError {
    /// There are no data sets.
    #[error("there are no data sets; give the scores of at least one, better of several")]
    NoSets,
    /// The scores of a data set are no pairs.
    #[error("data set {set} (counted from 0) has no pairs of scores to compare")]
    Scores {
        /// The data set, counted from 0.
        set: usize,
        /// Why.
        source: ScoreError,
    },
    /// The share of tested rows is none.
    #[error(
        "data set {set} (counted from 0): the share of tested rows is {share}; it must lie between 0 and 1, such as 0.1 for ten folds"
    )]
    Share {
        /// The data set, counted from 0.
        set: usize,
        /// The share.
        share: f64,
    },
    /// On each data set all differences are equal, so that nothing is known of their noise.
    #[error(
        "on each data set the difference is the same on all folds, and nothing is known of its noise; compare means by the Bayesian signed-rank test"
    )]
    NoSpread,
    /// The region is none.
    #[error("the region of practical equivalence is {region}; it must be finite and 0 or more, such as 0.01")]
    Region {
        /// The region.
        region: f64,
    },
    /// The samples do not represent the posterior distribution.
    #[error(
        "the chains of samples do not agree well enough (R̂ = {r_hat:.3}, at most {LARGEST_R_HAT}; {effective_samples:.0} effective samples, at least {FEWEST_EFFECTIVE}); draw more samples"
    )]
    NotConverged {
        /// The largest potential scale reduction.
        r_hat: f64,
        /// The least effective number of samples.
        effective_samples: f64,
    },
}

/// What the Bayesian hierarchical test says about first less second.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Hierarchical {
    /// The probabilities that the difference on the next data set is below, in or above the region: means
    /// over the samples.
    pub next: PracticalDifference,
    /// The probabilities that each of these is the most probable outcome on the next data set, as baycomp
    /// prints them. They add up to 1, and are shares of the samples: their standard error is about `1/(2
    /// √effective_samples)` at most.
    pub most_probable: PracticalDifference,
    /// The posterior mean of `δ₀`, the typical difference on data sets, in the unit of the scores.
    pub mean_difference: f64,
    /// The posterior mean of `σ₀`, the scale of the differences between data sets.
    pub scale: f64,
    /// The posterior mean of the difference on each data set, which is drawn towards `δ₀`, the more the less
    /// its folds say.
    pub differences: Vec<f64>,
    /// How many samples were drawn.
    pub n_samples: usize,
    /// The largest potential scale reduction `R̂` of `δ₀`, `ln σ₀`, `ln (ν - 1)` and the three shares of each
    /// sample: 1 if the chains agree.
    pub r_hat: f64,
    /// The least effective number of samples of these.
    pub effective_samples: f64,
}

/// The Bayesian hierarchical test of two classifiers over the folds of one or more data sets, with a region
/// of practical equivalence from `-region` to `region`, in the unit of the scores.
///
/// The differences `x_ij` on the folds `j` of data set `i` are normal with mean `δ_i`, standard deviation
/// `σ_i` and the correlation `ρ = n_test/n`, since training sets overlap; and the means are draws from one
/// population, so that data sets of which the folds say little are judged in the light of the others:
///
/// `δ_i ~ Student(ν, δ₀, σ₀)`, `δ₀ ~ U(-max|x|, max|x|)`, `σ₀ ~ U(0, 1000 s₀)`, `σ_i ~ U(s/1000, 1000 s)`,
/// `ν - 1 ~ Gamma(α, β)`, `α ~ U(1, 2)`, `β ~ U(0.01, 0.1)`,
///
/// with the mean `s` of the standard deviations within data sets, and that of the means, `s₀` (`s` where
/// these are equal). Corani, Benavoli, Demšar, Mangili and Zaffalon 2017, *Statistical comparison of
/// classifiers through Bayesian hierarchical modelling*, Machine Learning 106, 1817-1837; the bounds are
/// those of the package baycomp, except for the lower one of `σ_i`, which is 0 there. (Where all folds of a
/// data set have the same difference, `σ_i = 0` has an infinite density; baycomp puts random numbers into
/// such data sets.)
///
/// Given a sample of `δ₀`, `σ₀` and `ν`, the difference on the next data set is below, in or above the region
/// with probabilities by Student's distribution, of which [`Hierarchical::next`] has the means;
/// [`Hierarchical::most_probable`] is the share of the samples in which each is the largest (equal ones
/// share).
///
/// Samples are drawn by Gibbs sampling in blocks, with slice sampling (Neal 2003) where there is no closed
/// form, in four chains of `n_samples/4` each after 500 that are left out. Where the chains do not agree yet
/// they go on, up to 16 times as far; then there is an error and no answer. The same seed gives the same
/// samples.
///
/// # Errors
/// If there are no data sets, the scores of one do not pair up, are fewer than 2 or have no finite
/// difference, a share is not between 0 and 1, the region is negative or no number, all differences on each
/// data set are equal, or the samples do not represent the posterior distribution (some thousands are
/// needed).
///
/// ```
/// use nb_significance::{FoldScores, hierarchical};
///
/// let sets = [
///     ([0.81, 0.79, 0.84, 0.80, 0.82], [0.78, 0.77, 0.80, 0.79, 0.78]),
///     ([0.91, 0.93, 0.90, 0.94, 0.92], [0.89, 0.90, 0.89, 0.90, 0.89]),
///     ([0.65, 0.70, 0.68, 0.66, 0.71], [0.63, 0.66, 0.66, 0.62, 0.69]),
/// ];
/// let folds: Vec<FoldScores<'_>> =
///     sets.iter().map(|(first, second)| FoldScores { first, second, test_share: 0.2 }).collect();
/// let found = hierarchical(&folds, 0.01, 8_000, 1)?;
/// assert!(found.next.above > 0.6);
/// assert!(found.r_hat < 1.05);
/// # Ok::<(), nb_significance::HierarchicalError>(())
/// ```
pub fn hierarchical(
    data_sets: &[FoldScores<'_>],
    region: f64,
    n_samples: usize,
    seed: u64,
) -> Result<Hierarchical, HierarchicalError> {
    if !(region >= 0.0 && region.is_finite()) {
        return Err(HierarchicalError::Region { region });
    }
    let (sets, prior, unit) = prepared(data_sets)?;
    let region = region / unit;
    let length = n_samples.div_ceil(N_CHAINS);
    let mut totals = Totals::new(sets.len());
    // By quantity, then by chain.
    let mut quantities = vec![vec![Vec::new(); N_CHAINS]; 6];
    let mut chains: Vec<(State, ChaCha8Rng)> = (0..N_CHAINS as u64)
        .map(|chain| {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            random.set_stream(chain);
            let mut state = State::start(&sets, &prior, &mut random);
            (0..WARM_UP).for_each(|_| state.step(&sets, &prior, &mut random));
            (state, random)
        })
        .collect();
    let mut rounds = 0;
    loop {
        // As many again as there are.
        for _ in 0..rounds.max(1) * length {
            for (chain, (state, random)) in chains.iter_mut().enumerate() {
                state.step(&sets, &prior, random);
                let shares = next(state, region);
                totals.add(state, shares);
                let values = [state.center, state.log_deviation, state.log_freedom].into_iter().chain(shares);
                quantities.iter_mut().zip(values).for_each(|(all, value)| all[chain].push(value));
            }
        }
        rounds = (2 * rounds).max(1);
        let (mut r_hat, mut effective_samples) = (1.0_f64, f64::INFINITY);
        for found in quantities.iter().filter_map(|chains| diagnose(chains)) {
            r_hat = r_hat.max(found.r_hat);
            effective_samples = effective_samples.min(found.effective_samples);
        }
        // No quantity that varies: too few samples to look at.
        if effective_samples.is_infinite() {
            effective_samples = 0.0;
        }
        if r_hat <= LARGEST_R_HAT && effective_samples >= FEWEST_EFFECTIVE {
            return Ok(totals.into_result(unit, r_hat, effective_samples));
        }
        if rounds >= MOST_ROUNDS {
            return Err(HierarchicalError::NotConverged { r_hat, effective_samples });
        }
    }
}

/// The data sets and the bounds of the priors in units of the mean standard deviation within data sets, and
/// this unit.
fn prepared(data_sets: &[FoldScores<'_>]) -> Result<(Vec<Set>, Prior, f64), HierarchicalError> {
    if data_sets.is_empty() {
        return Err(HierarchicalError::NoSets);
    }
    let mut all = Vec::with_capacity(data_sets.len());
    for (set, scores) in data_sets.iter().enumerate() {
        let share = scores.test_share;
        if !(share > 0.0 && share < 1.0) {
            return Err(HierarchicalError::Share { set, share });
        }
        let differences = Differences::of(scores.first, scores.second, 2);
        all.push(differences.map_err(|source| HierarchicalError::Scores { set, source })?);
    }
    let n_sets = data_sets.len() as f64;
    // With divisor n, as baycomp has it.
    let deviation = |differences: &Differences| {
        let n = differences.values.len() as f64;
        differences.moments().deviation * ((n - 1.0) / n).sqrt()
    };
    let unit = all.iter().map(|differences| deviation(differences) / n_sets).sum::<f64>();
    if unit <= 0.0 {
        return Err(HierarchicalError::NoSpread);
    }
    let set = |(differences, scores): (&Differences, &FoldScores<'_>)| {
        let n = differences.values.len() as f64;
        let deviation = deviation(differences) / unit;
        let mean = differences.moments().mean / unit;
        Set { n, mean, squares: n * deviation * deviation, correlation: scores.test_share }
    };
    let sets: Vec<Set> = all.iter().zip(data_sets).map(set).collect();
    let mean = sets.iter().map(|set| set.mean).sum::<f64>() / n_sets;
    let squares: f64 = sets.iter().map(|set| (set.mean - mean) * (set.mean - mean)).sum();
    let among = (squares / n_sets).sqrt();
    let largest = all
        .iter()
        .flat_map(|set| &set.values)
        .fold(0.0_f64, |largest, value| largest.max(value.abs() / unit));
    let prior = Prior {
        center: (-largest, largest),
        deviation: LARGEST * if among > 0.0 { among } else { 1.0 },
        noise: (LEAST_NOISE, LARGEST),
    };
    Ok((sets, prior, unit))
}

/// How probable it is that the difference on the next data set is below, in and above the region.
fn next(state: &State, region: f64) -> [f64; 3] {
    let (scale, freedom) = (libm::exp(state.log_deviation), state.freedom());
    // The probability of a number above this many scales.
    let above = |distance: f64| {
        let outside = 0.5 * student_two_sided(distance, freedom);
        if distance > 0.0 { outside } else { 1.0 - outside }
    };
    let (below, above) = (above((region + state.center) / scale), above((region - state.center) / scale));
    [below, (1.0 - below - above).max(0.0), above]
}

/// Sums over the samples.
struct Totals {
    n: usize,
    largest: [f64; 3],
    shares: [f64; 3],
    center: f64,
    scale: f64,
    deltas: Vec<f64>,
}

impl Totals {
    fn new(n_sets: usize) -> Self {
        Self { n: 0, largest: [0.0; 3], shares: [0.0; 3], center: 0.0, scale: 0.0, deltas: vec![0.0; n_sets] }
    }

    fn add(&mut self, state: &State, shares: [f64; 3]) {
        self.n += 1;
        let largest = shares.iter().copied().fold(0.0, f64::max);
        let n_largest = shares.iter().filter(|&&share| share == largest).count() as f64;
        for (place, share) in shares.into_iter().enumerate() {
            self.shares[place] += share;
            self.largest[place] += if share == largest { 1.0 / n_largest } else { 0.0 };
        }
        self.center += state.center;
        self.scale += libm::exp(state.log_deviation);
        self.deltas.iter_mut().zip(state.deltas()).for_each(|(sum, delta)| *sum += delta);
    }

    fn into_result(self, unit: f64, r_hat: f64, effective_samples: f64) -> Hierarchical {
        let n = self.n as f64;
        let part = |[below, within, above]: [f64; 3]| PracticalDifference {
            below: below / n,
            within: within / n,
            above: above / n,
        };
        Hierarchical {
            next: part(self.shares),
            most_probable: part(self.largest),
            mean_difference: self.center / n * unit,
            scale: self.scale / n * unit,
            differences: self.deltas.iter().map(|sum| sum / n * unit).collect(),
            n_samples: self.n,
            r_hat,
            effective_samples,
        }
    }
}
