//! Probabilities of values under conditions, each smoothed by those under fewer conditions.

mod counts;
mod draws;
mod linear;
mod sampler;
mod setting;

use nb_core::error::LayoutError;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

pub(crate) use counts::{Counts, whole};
pub(crate) use linear::{Weights, log_probabilities};
use sampler::Sampler;
pub(crate) use setting::Hierarchy;

/// Smoothing by a hierarchy of Dirichlet distributions (Petitjean, Buntine, Webb and Zaidi 2018, *Accurate
/// parameter estimation for Bayesian network classifiers using hierarchical Dirichlet processes*, Machine
/// Learning 107).
///
/// # Model
/// The distribution of a column given the class and its parents, in this order, is a Dirichlet variate around
/// the distribution given all but the last parent, and so on up to the distribution of the column alone,
/// which is one around the uniform distribution: `p(x | y, a) ~ Dirichlet(c₂ p(x | y))`, `p(x | y) ~
/// Dirichlet(c₁ p(x))`, `p(x) ~ Dirichlet(c₀ / K)` with `K` values. Cells with few rows have about the
/// distribution above them, and those with many their own. `c₀` is 2; all distributions under the same number
/// of conditions share a concentration, which has a gamma prior of shape 2 and rate 1. These are the authors'
/// defaults.
///
/// # Estimates
/// The posterior means of the probabilities, by Gibbs sampling. A count `n` of a value is `t` tables of a
/// Chinese restaurant with concentration `c p`, `p` the probability above, which are counts for the
/// distribution above: with their number the distributions are Dirichlet variates, and concentrations gamma
/// variates given a beta variate for each distribution (Teh, Jordan, Beal and Blei 2006, *Hierarchical
/// Dirichlet processes*, JASA 101, appendix A). Every sweep draws all tables, concentrations and
/// distributions; after `burn_in` sweeps the means given tables and concentrations, `(n + c p) / (N + c)`
/// from the top down, are averaged. The authors' program draws tables with all distributions integrated out,
/// from a window around their number, and takes one table for each value at the top, where a Dirichlet
/// distribution around the uniform one may have more: with few rows and values its means are a little
/// different.
///
/// The same seed has the same bits, in any order of rows, with any names of the classes and with any number
/// of threads. Memory is a few doubles for each probability, and time grows with the number of tables: about
/// the logarithm of the counts.
///
/// Counts must be whole numbers: a share of a row has no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HierarchicalDirichlet {
    /// How many sweeps there are in all.
    pub iterations: usize,
    /// How many of them come before the averages.
    pub burn_in: usize,
    /// The seed of all draws; each column has its own stream.
    pub seed: u64,
}

impl Default for HierarchicalDirichlet {
    /// 5000 sweeps, 500 of them before the averages, and seed 0.
    fn default() -> Self {
        Self { iterations: 5000, burn_in: 500, seed: 0 }
    }
}

impl HierarchicalDirichlet {
    /// The most sweeps: more than anybody waits for.
    pub const MOST_ITERATIONS: usize = 1_000_000;

    /// With this number of sweeps, a tenth of them before the averages.
    ///
    /// ```
    /// use nb_variants::HierarchicalDirichlet;
    ///
    /// let quick = HierarchicalDirichlet::default().with_iterations(1000).with_seed(7);
    /// assert_eq!((quick.iterations, quick.burn_in, quick.seed), (1000, 100, 7));
    /// ```
    #[must_use]
    pub fn with_iterations(self, iterations: usize) -> Self {
        Self { iterations, burn_in: iterations / 10, ..self }
    }

    /// With this number of sweeps before the averages.
    ///
    /// ```
    /// # use nb_variants::HierarchicalDirichlet;
    /// assert_eq!(HierarchicalDirichlet::default().with_burn_in(50).burn_in, 50);
    /// ```
    #[must_use]
    pub fn with_burn_in(self, burn_in: usize) -> Self {
        Self { burn_in, ..self }
    }

    /// With this seed.
    ///
    /// ```
    /// # use nb_variants::HierarchicalDirichlet;
    /// assert_eq!(HierarchicalDirichlet::default().with_seed(7).seed, 7);
    /// ```
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Refuses a number of sweeps that leaves none for the averages, and one that nobody waits for.
    pub(crate) fn check(self) -> Result<(), LayoutError> {
        let (name, value) = ("the number of sweeps", self.iterations as f64);
        if self.burn_in >= self.iterations {
            return Err(LayoutError::Parameter {
                name,
                value,
                must_be: "above the number of those of the burn-in",
            });
        }
        if self.iterations > Self::MOST_ITERATIONS {
            return Err(LayoutError::Parameter { name, value, must_be: "at most 1000000" });
        }
        Ok(())
    }

    /// The probabilities of all values under all combinations of conditions, in the order of the counts.
    ///
    /// The values of the first condition, which are classes, may have any names: draws are for their counts
    /// in increasing order, and those with equal counts, which are exchangeable, have the mean of their
    /// probabilities.
    pub(crate) fn probabilities(self, counts: &Counts, stream: u64) -> Vec<f64> {
        let n_classes = counts.conditions.first().copied().unwrap_or(1).max(1);
        let len = counts.of.len() / n_classes;
        if len == 0 {
            return Vec::new();
        }
        let classes: Vec<&[u64]> = counts.of.chunks_exact(len).collect();
        let mut order: Vec<usize> = (0..n_classes).collect();
        order.sort_by_key(|&class| classes[class]);
        let sorted = order.iter().flat_map(|&class| classes[class]).copied().collect();
        let found = self.averages(&Counts { of: sorted, ..counts.clone() }, stream);
        let found: Vec<&[f64]> = found.chunks_exact(len).collect();
        let mut probabilities = vec![0.0; counts.of.len()];
        let mut from = 0;
        for equal in order.chunk_by(|&a, &b| classes[a] == classes[b]) {
            let of_equal = &found[from..][..equal.len()];
            let mean = |place| of_equal.iter().map(|own| own[place]).sum::<f64>() / equal.len() as f64;
            let mean: Vec<f64> = (0..len).map(mean).collect();
            for &class in equal {
                probabilities[class * len..][..len].copy_from_slice(&mean);
            }
            from += equal.len();
        }
        probabilities
    }

    /// The averages of all sweeps after the burn-in.
    fn averages(self, counts: &Counts, stream: u64) -> Vec<f64> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(stream);
        let mut sampler = Sampler::new(counts);
        for sweep in 0..self.iterations {
            sampler.sweep(&mut random);
            if sweep >= self.burn_in {
                sampler.record();
            }
        }
        sampler.averages()
    }
}
