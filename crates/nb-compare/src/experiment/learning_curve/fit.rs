//! Power laws through learning curves.

use rand::{Rng, RngExt};
use serde::Serialize;

/// The exponents that are searched. A law with a smaller one cannot be told from a logarithm, which has no
/// limit, and one with a larger one from a single step.
pub const EXPONENTS: [f64; 2] = [0.01, 5.0];

/// The least number of sizes that a law is fitted to: one more than it has parameters.
pub const FEWEST_SIZES: usize = 4;

/// The largest [`misfit`](Fit::misfit) of a curve that is taken for a power law.
pub const LARGEST_MISFIT: f64 = 5.0;

/// The number of bootstrap samples.
const N_SAMPLES: usize = 199;

/// The number of exponents that are tried before the best is refined.
const N_EXPONENTS: usize = 120;

/// The 95 % quantile of the chi-squared distribution with two degrees of freedom, `-2 ln 0.05`.
const CHI_SQUARED: f64 = 5.991_464_547_107_979;

/// `a + b n^-c`, the expected loss after training on `n` rows (Cortes, Jackel, Solla, Vapnik and Denker 1994,
/// *Learning curves: asymptotic values and rate of convergence*, NIPS 6; Gu, Hu and Liu 2001, *Modelling
/// classification performance for large data sets*, WAIM; Viering and Loog 2023, *The shape of learning
/// curves: a review*, IEEE Transactions on Pattern Analysis and Machine Intelligence 45).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PowerLaw {
    /// The limit for ever more rows, at least 0.
    pub a: f64,
    /// What a single row is above the limit; negative for a curve that rises.
    pub b: f64,
    /// The exponent, within [`EXPONENTS`].
    pub c: f64,
}

impl PowerLaw {
    /// The loss after training on `n` rows.
    ///
    /// ```
    /// use nb_compare::experiment::learning_curve::PowerLaw;
    ///
    /// assert_eq!(PowerLaw { a: 0.25, b: 1.0, c: 0.5 }.at(16.0), 0.5);
    /// ```
    pub fn at(&self, n: f64) -> f64 {
        self.a + self.b * libm::pow(n, -self.c)
    }
}

/// Whether the sizes determine a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// They do.
    Determined,
    /// They do except for the limit: the best one would be below 0, which no loss is, so that it is 0.
    LimitAtZero,
    /// There are fewer than [`FEWEST_SIZES`] sizes with a finite mean.
    TooFewSizes,
    /// A constant fits as well: the weighted squares are less than the 95 % quantile of chi-squared with two
    /// degrees of freedom above those of the law.
    Flat,
    /// The best exponent is the smallest: a logarithm fits as well, which has no limit.
    SmallestExponent,
    /// The best exponent is the largest: all that the curve does is a step between its first sizes.
    LargestExponent,
    /// The misfit is above [`LARGEST_MISFIT`]: the curve is no power law.
    Misfit,
    /// The 95 % interval of the exponent goes to an end of [`EXPONENTS`].
    Loose,
}

/// What a law says of a number of rows, with a 95 % interval from bootstrap samples of the splits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// The 2.5 % quantile.
    pub low: f64,
    /// The 97.5 % quantile.
    pub high: f64,
}

/// A law fitted to a curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Fit {
    /// Whether the sizes determine it. Where they do not, the numbers describe the curve between its sizes
    /// at best.
    pub verdict: Verdict,
    /// The law; `None` if there are too few sizes.
    pub law: Option<PowerLaw>,
    /// The number of sizes.
    pub n_sizes: usize,
    /// The sum of the squared residuals, each divided by its standard error.
    pub weighted_squares: f64,
    /// The limit `a`.
    pub limit: Option<Estimate>,
    /// The exponent `c`.
    pub exponent: Option<Estimate>,
    /// The loss at ten times the largest size.
    pub tenfold: Option<Estimate>,
}

/// Means of a curve to which a law is fitted, with their standard errors.
#[derive(Clone, Debug)]
struct Points {
    sizes: Vec<f64>,
    weights: Vec<f64>,
    /// `(n / n_1)^-c` of all sizes, for each exponent that is tried.
    powers: Vec<(f64, Vec<f64>)>,
}

/// The law with the least sum of squared residuals, each divided by its standard error, and `a` at least 0:
/// `curve_fit(f, sizes, means, sigma=standard_errors)` of SciPy with bounds. For a given exponent the law is
/// linear and its `a` and `b` have a closed form, so that the exponent alone is searched (Golub and Pereyra
/// 1973, *The differentiation of pseudo-inverses and nonlinear least squares problems whose variables
/// separate*, SIAM Journal on Numerical Analysis 10).
///
/// A standard error of 0, where all splits agree by chance, counts as the smallest other one.
///
/// ```
/// use nb_compare::experiment::learning_curve::{PowerLaw, power_law};
///
/// let sizes = [10.0, 20.0, 40.0, 80.0, 160.0];
/// let means = sizes.map(|n: f64| 0.1 + 2.0 * n.powf(-0.75));
/// let PowerLaw { a, b, c } = power_law(&sizes, &means, &[0.01; 5]).expect("five sizes");
/// assert!((a - 0.1).abs() < 1e-6 && (b - 2.0).abs() < 1e-5 && (c - 0.75).abs() < 1e-6);
/// ```
///
/// `None` for slices of other lengths, fewer than [`FEWEST_SIZES`] sizes, sizes that do not ascend from 1 or
/// more, and means or standard errors that are not finite.
pub fn power_law(sizes: &[f64], means: &[f64], standard_errors: &[f64]) -> Option<PowerLaw> {
    let points = Points::new(sizes, standard_errors)?;
    let is_right = means.len() == sizes.len() && means.iter().all(|mean| mean.is_finite());
    is_right.then(|| points.law(means).0)
}

impl Points {
    fn new(sizes: &[f64], standard_errors: &[f64]) -> Option<Self> {
        let ascend = sizes.windows(2).all(|pair| pair[0] < pair[1]);
        let known = standard_errors.iter().all(|error| error.is_finite() && *error >= 0.0);
        let first = *sizes.first()?;
        if sizes.len() < FEWEST_SIZES || sizes.len() != standard_errors.len() || !ascend || !known {
            return None;
        }
        if first < 1.0 || !sizes[sizes.len() - 1].is_finite() {
            return None;
        }
        let positive = standard_errors.iter().copied().filter(|error| *error > 0.0);
        let smallest = positive.fold(f64::INFINITY, f64::min);
        // Where no split differs from another, all sizes weigh the same.
        let smallest = if smallest.is_finite() { smallest } else { 1.0 };
        let weights = standard_errors.iter().map(|error| error.max(smallest).powi(-2)).collect();
        let [low, high] = EXPONENTS;
        let step = libm::log(high / low) / (N_EXPONENTS - 1) as f64;
        let exponent = |number: usize| match number {
            0 => low,
            _ if number == N_EXPONENTS - 1 => high,
            _ => low * libm::exp(step * number as f64),
        };
        let powers = (0..N_EXPONENTS).map(|number| (exponent(number), powers(sizes, exponent(number))));
        Some(Self { sizes: sizes.to_vec(), weights, powers: powers.collect() })
    }

    /// The best law and its weighted squares.
    fn law(&self, means: &[f64]) -> (PowerLaw, f64) {
        let squares = |powers: &[f64]| self.linear(powers, means).2;
        let best = (0..self.powers.len())
            .min_by(|&one, &other| squares(&self.powers[one].1).total_cmp(&squares(&self.powers[other].1)))
            .unwrap_or_default();
        let at = |number: usize| self.powers[number.min(self.powers.len() - 1)].0;
        let at_exponent = |c: f64| squares(&powers(&self.sizes, c));
        let refined = golden(at(best.saturating_sub(1)), at(best + 1), at_exponent);
        // An end of the range is itself tried, and kept where nothing inside is better.
        let c = if at_exponent(refined) < squares(&self.powers[best].1) { refined } else { at(best) };
        let (a, b, squares) = self.linear(&powers(&self.sizes, c), means);
        (PowerLaw { a, b: b * libm::pow(self.sizes[0], c), c }, squares)
    }

    /// The weighted squares of the mean.
    fn constant(&self, means: &[f64]) -> f64 {
        self.linear(&vec![0.0; means.len()], means).2
    }

    /// `a`, `b` and the weighted squares of `a + b x`, with `a` at least 0.
    fn linear(&self, x: &[f64], y: &[f64]) -> (f64, f64, f64) {
        let sum = |value: &dyn Fn(usize) -> f64| -> f64 {
            self.weights.iter().enumerate().map(|(at, weight)| weight * value(at)).sum()
        };
        let total: f64 = self.weights.iter().sum();
        let (mean_x, mean_y) = (sum(&|at| x[at]) / total, sum(&|at| y[at]) / total);
        let spread = sum(&|at| (x[at] - mean_x).powi(2));
        let both = sum(&|at| (x[at] - mean_x) * (y[at] - mean_y));
        let mut b = if spread > 0.0 { both / spread } else { 0.0 };
        let mut a = mean_y - b * mean_x;
        let raw = sum(&|at| x[at] * x[at]);
        if a < 0.0 && raw > 0.0 {
            (a, b) = (0.0, sum(&|at| x[at] * y[at]) / raw);
        }
        (a, b, sum(&|at| (y[at] - a - b * x[at]).powi(2)))
    }
}

/// `(n / n_1)^-c`.
fn powers(sizes: &[f64], c: f64) -> Vec<f64> {
    sizes.iter().map(|size| libm::pow(size / sizes[0], -c)).collect()
}

/// The place of the minimum of a function that has one between two places, by golden sections of their
/// logarithms (Kiefer 1953, *Sequential minimax search for a maximum*).
fn golden(low: f64, high: f64, value: impl Fn(f64) -> f64) -> f64 {
    let share = (5_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (libm::log(low), libm::log(high));
    let value = |log: f64| value(libm::exp(log));
    let (mut left, mut right) = (high - share * (high - low), low + share * (high - low));
    let (mut of_left, mut of_right) = (value(left), value(right));
    for _ in 0..48 {
        if of_left <= of_right {
            (high, right, of_right) = (right, left, of_left);
            left = high - share * (high - low);
            of_left = value(left);
        } else {
            (low, left, of_left) = (left, right, of_right);
            right = low + share * (high - low);
            of_right = value(right);
        }
    }
    libm::exp(f64::midpoint(low, high))
}

impl Fit {
    /// Fits the means of splits, whose losses at all sizes are rows of `splits`, and judges the fit by
    /// bootstrap samples of whole splits.
    pub(super) fn new(
        sizes: &[f64],
        standard_errors: &[f64],
        splits: &[Vec<f64>],
        random: &mut impl Rng,
    ) -> Self {
        let none = Self {
            verdict: Verdict::TooFewSizes,
            law: None,
            n_sizes: sizes.len(),
            weighted_squares: 0.0,
            limit: None,
            exponent: None,
            tenfold: None,
        };
        let (Some(points), Some(&largest)) = (Points::new(sizes, standard_errors), sizes.last()) else {
            return none;
        };
        let means = means(splits.iter(), sizes.len());
        let (law, weighted_squares) = points.law(&means);
        let samples: Vec<PowerLaw> = (0..N_SAMPLES)
            .map(|_| {
                let sample = (0..splits.len()).map(|_| &splits[random.random_range(0..splits.len())]);
                points.law(&self::means(sample, sizes.len())).0
            })
            .collect();
        let estimate = |value: &dyn Fn(&PowerLaw) -> f64| {
            let mut values: Vec<f64> = samples.iter().map(value).collect();
            values.sort_by(f64::total_cmp);
            let tail = (N_SAMPLES + 1) / 40;
            Estimate { value: value(&law), low: values[tail - 1], high: values[N_SAMPLES - tail] }
        };
        let exponent = estimate(&|law| law.c);
        let [smallest, largest_exponent] = EXPONENTS;
        let misfit = weighted_squares / (sizes.len() as f64 - 3.0);
        let verdict = if points.constant(&means) - weighted_squares < CHI_SQUARED {
            Verdict::Flat
        } else if law.c <= smallest {
            Verdict::SmallestExponent
        } else if law.c >= largest_exponent {
            Verdict::LargestExponent
        } else if misfit > LARGEST_MISFIT {
            Verdict::Misfit
        } else if exponent.low <= smallest || exponent.high >= largest_exponent {
            Verdict::Loose
        } else if law.a <= 0.0 {
            Verdict::LimitAtZero
        } else {
            Verdict::Determined
        };
        Self {
            verdict,
            law: Some(law),
            weighted_squares,
            limit: Some(estimate(&|law| law.a)),
            exponent: Some(exponent),
            tenfold: Some(estimate(&|law| law.at(10.0 * largest))),
            ..none
        }
    }

    /// Whether the sizes determine what the law extrapolates to.
    pub fn is_determined(&self) -> bool {
        matches!(self.verdict, Verdict::Determined | Verdict::LimitAtZero)
    }

    /// The weighted squares for each degree of freedom: about 1 where the curve is a power law and the means
    /// of the sizes are independent. `None` if there are too few sizes.
    pub fn misfit(&self) -> Option<f64> {
        self.law.map(|_| self.weighted_squares / (self.n_sizes as f64 - 3.0))
    }

    /// What the verdict means.
    pub fn words(&self) -> &'static str {
        match self.verdict {
            Verdict::Determined => "determined",
            Verdict::LimitAtZero => "determined except for its limit, which is held at 0",
            Verdict::TooFewSizes => "not determined: too few sizes with a finite mean",
            Verdict::Flat => "not determined: the curve is flat within its standard errors",
            Verdict::SmallestExponent => {
                "not determined: the curve changes like a logarithm, without a limit"
            }
            Verdict::LargestExponent => "not determined: all of the change is between the first sizes",
            Verdict::Misfit => "not determined: the curve is no power law (misfit)",
            Verdict::Loose => "not determined: the interval of the exponent goes to the end of its range",
        }
    }
}

/// The means of some splits at all sizes.
pub(super) fn means<'a>(splits: impl Iterator<Item = &'a Vec<f64>>, n_sizes: usize) -> Vec<f64> {
    let (mut sums, mut n) = (vec![0.0; n_sizes], 0.0);
    for split in splits {
        n += 1.0;
        sums.iter_mut().zip(split).for_each(|(sum, value)| *sum += value);
    }
    sums.into_iter().map(|sum| sum / n).collect()
}

#[cfg(test)]
mod tests;
