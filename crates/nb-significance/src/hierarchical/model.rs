//! The hierarchical model of differences over folds and data sets, and a chain of samples of its posterior
//! distribution.

use rand_chacha::ChaCha8Rng;

use super::draws::{gamma, normal, slice, uniform};

/// What is known of the differences on one data set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Set {
    /// How many differences there are.
    pub(super) n: f64,
    /// Their mean.
    pub(super) mean: f64,
    /// The sum of the squares of their distances from it.
    pub(super) squares: f64,
    /// The correlation `ρ` of two of them.
    pub(super) correlation: f64,
}

impl Set {
    /// The variance of the mean in units of the variance `σ²` of a difference.
    fn inflation(&self) -> f64 {
        (1.0 + (self.n - 1.0) * self.correlation) / self.n
    }

    /// `(x - δ)ᵀ M⁻¹ (x - δ)`, where `M` has 1 on its diagonal and `ρ` elsewhere: the mean is an eigenvector.
    fn distance(&self, delta: f64) -> f64 {
        let deviation = self.mean - delta;
        self.squares / (1.0 - self.correlation) + deviation * deviation / self.inflation()
    }
}

/// Bounds of the uniform priors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prior {
    /// Of `δ₀`.
    pub(super) center: (f64, f64),
    /// The upper one of `σ₀`; the lower one is 0.
    pub(super) deviation: f64,
    /// Of each `σ_i`.
    pub(super) noise: (f64, f64),
}

/// Bounds of the parameters of the gamma distribution of `ν - 1`, as in the package baycomp.
const SHAPE: (f64, f64) = (1.0, 2.0);
const RATE: (f64, f64) = (0.01, 0.1);

/// How far below its bound `ln σ₀` is looked for: its density falls off like `σ₀` there.
const FAR_BELOW: f64 = 100.0;

/// One sample.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// `δ₀`.
    pub(super) center: f64,
    /// `ln σ₀`.
    pub(super) log_deviation: f64,
    /// `ln (ν - 1)`.
    pub(super) log_freedom: f64,
    /// Parameters of the gamma distribution of `ν - 1`.
    shape: f64,
    rate: f64,
    /// `δ_i - δ₀`: where they are far smaller than `δ₀`, they keep their digits.
    offsets: Vec<f64>,
    /// `λ_i`: given these, `δ_i` is normal with variance `σ₀² / λ_i`.
    precisions: Vec<f64>,
    /// `ln σ_i`.
    log_noise: Vec<f64>,
}

impl State {
    /// A place to start from, other for each generator.
    pub(super) fn start(sets: &[Set], prior: &Prior, random: &mut ChaCha8Rng) -> Self {
        let means = || sets.iter().map(|set| set.mean);
        let n = sets.len() as f64;
        let mean = means().sum::<f64>() / n;
        let among = (means().map(|own| (own - mean) * (own - mean)).sum::<f64>() / n).sqrt();
        let noise = |set: &Set| (set.squares / set.n).sqrt().clamp(prior.noise.0, prior.noise.1);
        let within = sets.iter().map(noise).sum::<f64>() / n;
        let deviation = (among + 0.1 * within) * libm::exp(normal(random));
        let center = mean + deviation * normal(random);
        let log_noise = sets.iter().map(|set| {
            libm::log((noise(set) * libm::exp(0.3 * normal(random))).clamp(prior.noise.0, prior.noise.1))
        });
        Self {
            log_noise: log_noise.collect(),
            center: center.clamp(prior.center.0, prior.center.1),
            log_deviation: libm::log(deviation.min(prior.deviation)),
            log_freedom: libm::log(20.0) + normal(random),
            shape: SHAPE.0 + (SHAPE.1 - SHAPE.0) * uniform(random),
            rate: RATE.0 + (RATE.1 - RATE.0) * uniform(random),
            offsets: vec![0.0; sets.len()],
            precisions: vec![1.0; sets.len()],
        }
    }

    /// `ν`.
    pub(super) fn freedom(&self) -> f64 {
        1.0 + libm::exp(self.log_freedom)
    }

    /// `δ_i`.
    pub(super) fn deltas(&self) -> impl Iterator<Item = f64> {
        self.offsets.iter().map(|offset| self.center + offset)
    }

    /// Goes on to the next sample: each step draws some of the numbers given all others, and what it first
    /// leaves out by integration right after.
    pub(super) fn step(&mut self, sets: &[Set], prior: &Prior, random: &mut ChaCha8Rng) {
        self.draw_centers(sets, prior, random);
        self.draw_freedom(random);
        self.draw_noise(sets, prior, random);
    }

    /// `δ₀` and `σ₀` without the `δ_i`, then these.
    fn draw_centers(&mut self, sets: &[Set], prior: &Prior, random: &mut ChaCha8Rng) {
        let noise: Vec<f64> = sets
            .iter()
            .zip(&self.log_noise)
            .map(|(set, log_noise)| set.inflation() * libm::exp(2.0 * log_noise))
            .collect();
        let precisions = &self.precisions;
        let log_likelihood = |center: f64, log_deviation: f64| -> f64 {
            let variance = libm::exp(2.0 * log_deviation);
            let of_set = |((set, noise), precision): ((&Set, &f64), &f64)| {
                let variance = variance / precision + noise;
                let distance = set.mean - center;
                -0.5 * (libm::log(variance) + distance * distance / variance)
            };
            sets.iter().zip(&noise).zip(precisions).map(of_set).sum()
        };
        let log_deviation = self.log_deviation;
        let width = (libm::exp(2.0 * log_deviation) + noise.iter().sum::<f64>() / sets.len() as f64).sqrt();
        self.center =
            slice(self.center, prior.center, width, |center| log_likelihood(center, log_deviation), random);
        let center = self.center;
        let most = libm::log(prior.deviation);
        // The prior of the logarithm is σ₀.
        let density = |log_deviation: f64| log_deviation + log_likelihood(center, log_deviation);
        self.log_deviation = slice(log_deviation, (most - FAR_BELOW, most), 1.0, density, random);
        let variance = libm::exp(2.0 * self.log_deviation);
        for (place, (set, noise)) in sets.iter().zip(&noise).enumerate() {
            let variance = variance / self.precisions[place];
            let share = variance / (variance + noise);
            self.offsets[place] = share * (set.mean - center) + (share * noise).sqrt() * normal(random);
        }
    }

    /// `ν` without the `λ_i`, then these; and the parameters of its prior.
    fn draw_freedom(&mut self, random: &mut ChaCha8Rng) {
        let deviation = libm::exp(self.log_deviation);
        let squares: Vec<f64> =
            self.offsets.iter().map(|offset| (offset / deviation) * (offset / deviation)).collect();
        let (shape, rate) = (self.shape, self.rate);
        let density = |log_freedom: f64| -> f64 {
            let above_one = libm::exp(log_freedom);
            let freedom = 1.0 + above_one;
            let constant =
                libm::lgamma(0.5 * (freedom + 1.0)) - libm::lgamma(0.5 * freedom) - 0.5 * libm::log(freedom);
            let tails: f64 = squares.iter().map(|square| libm::log1p(square / freedom)).sum();
            let likelihood = squares.len() as f64 * constant - 0.5 * (freedom + 1.0) * tails;
            likelihood + shape * log_freedom - rate * above_one
        };
        let bounds = (f64::NEG_INFINITY, f64::INFINITY);
        self.log_freedom = slice(self.log_freedom, bounds, 2.0, density, random);
        let freedom = self.freedom();
        for (precision, square) in self.precisions.iter_mut().zip(&squares) {
            *precision = gamma(0.5 * (freedom + 1.0), random) / (0.5 * (freedom + square));
        }
        let log_freedom = self.log_freedom;
        let by_shape = |shape: f64| shape * (libm::log(rate) + log_freedom) - libm::lgamma(shape);
        self.shape = slice(shape, SHAPE, SHAPE.1 - SHAPE.0, by_shape, random);
        let shape = self.shape;
        let by_rate = |rate: f64| shape * libm::log(rate) - rate * (freedom - 1.0);
        self.rate = slice(rate, RATE, RATE.1 - RATE.0, by_rate, random);
    }

    /// Each `σ_i`.
    fn draw_noise(&mut self, sets: &[Set], prior: &Prior, random: &mut ChaCha8Rng) {
        let bounds = (libm::log(prior.noise.0), libm::log(prior.noise.1));
        for (place, set) in sets.iter().enumerate() {
            let distance = set.distance(self.center + self.offsets[place]);
            let density = |log: f64| -(set.n - 1.0) * log - 0.5 * distance * libm::exp(-2.0 * log);
            let width = 2.0 / set.n.sqrt();
            self.log_noise[place] = slice(self.log_noise[place], bounds, width, density, random);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::rand_core::SeedableRng;

    fn between((least, most): (f64, f64), random: &mut ChaCha8Rng) -> f64 {
        least + (most - least) * uniform(random)
    }

    /// The inverse of a matrix with 1 on its diagonal and `ρ` elsewhere has `(1 + (n-2) ρ) / ((1-ρ)(1 + (n-1)
    /// ρ))` on its diagonal and `-ρ / ((1-ρ)(1 + (n-1) ρ))` elsewhere.
    #[test]
    fn distances_are_those_of_the_inverse() {
        let (x, rho, delta) = ([0.3, -0.2, 1.1, 0.7], 0.25, 0.4);
        let (n, mean) = (4.0, 0.475);
        let squares = x.iter().map(|x| (x - mean) * (x - mean)).sum();
        let set = Set { n, mean, squares, correlation: rho };
        let determinant = (1.0 - rho) * (1.0 + (n - 1.0) * rho);
        let mut expected = 0.0;
        for (i, one) in x.iter().enumerate() {
            for (j, other) in x.iter().enumerate() {
                let entry = if i == j { 1.0 + (n - 2.0) * rho } else { -rho };
                expected += entry / determinant * (one - delta) * (other - delta);
            }
        }
        assert!((set.distance(delta) - expected).abs() < 1e-12, "{} {expected}", set.distance(delta));
    }

    /// Simulation-based calibration: numbers drawn from the prior, and data from these, have ranks among
    /// posterior samples that are uniform (Talts, Betancourt, Simpson, Vehtari and Gelman 2018,
    /// *Validating Bayesian inference algorithms with simulation-based calibration*; Cook, Gelman and
    /// Rubin 2006).
    #[test]
    fn ranks_of_what_was_drawn_from_the_prior_are_uniform() {
        const SIMULATIONS: usize = 300;
        const SAMPLES: usize = 19;
        const THINNING: usize = 8;
        let prior = Prior { center: (-1.0, 1.0), deviation: 1.0, noise: (0.1, 1.0) };
        // Of δ₀, σ₀, ν, the first δ_i and the first σ_i.
        let mut ranks = [[0_u32; SAMPLES + 1]; 5];
        for seed in 0..SIMULATIONS as u64 {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let random = &mut random;
            let (center, deviation) = (between(prior.center, random), prior.deviation * uniform(random));
            let (shape, rate) = (between(SHAPE, random), between(RATE, random));
            let freedom = 1.0 + gamma(shape, random) / rate;
            let mut truth = [center, deviation, freedom, 0.0, 0.0];
            let (n, rho) = (5.0_f64, 0.2_f64);
            let mut sets = Vec::new();
            for place in 0..4 {
                // A gamma variate of half of the degrees of freedom, of which the shape may be below 1.
                let half = 0.5 * freedom;
                let precision = gamma(half + 1.0, random) * uniform(random).powf(1.0 / half) / half;
                let delta = center + deviation * normal(random) / precision.sqrt();
                let noise = between(prior.noise, random);
                let shared = rho.sqrt() * normal(random);
                let x: Vec<f64> =
                    (0..5).map(|_| delta + noise * (shared + (1.0 - rho).sqrt() * normal(random))).collect();
                let mean = x.iter().sum::<f64>() / n;
                let squares = x.iter().map(|x| (x - mean) * (x - mean)).sum();
                sets.push(Set { n, mean, squares, correlation: rho });
                if place == 0 {
                    (truth[3], truth[4]) = (delta, noise);
                }
            }
            let mut state = State::start(&sets, &prior, random);
            let mut below = [0; 5];
            for number in 0..=SAMPLES {
                // The first samples are of the start.
                let steps = if number == 0 { 60 } else { THINNING };
                (0..steps).for_each(|_| state.step(&sets, &prior, random));
                if number > 0 {
                    let sample = [
                        state.center,
                        libm::exp(state.log_deviation),
                        state.freedom(),
                        state.center + state.offsets[0],
                        libm::exp(state.log_noise[0]),
                    ];
                    for ((below, sample), truth) in below.iter_mut().zip(sample).zip(truth) {
                        *below += usize::from(sample < truth);
                    }
                }
            }
            for (ranks, below) in ranks.iter_mut().zip(below) {
                ranks[below] += 1;
            }
        }
        for (number, ranks) in ranks.iter().enumerate() {
            let expected = SIMULATIONS as f64 / (SAMPLES + 1) as f64;
            let chi_squared: f64 =
                ranks.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
            // The 99.9 % quantile of χ² with 19 degrees of freedom.
            assert!(chi_squared < 43.82, "number {number}: {chi_squared}, {ranks:?}");
        }
    }
}
