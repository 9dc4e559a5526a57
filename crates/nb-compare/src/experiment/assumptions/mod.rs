//! When naive Bayes and logistic regression agree: their coefficients as rows are added, where the
//! assumptions of naive Bayes hold, and where one of them does not.
//!
//! If the columns are normal and independent within classes and their variances are common, the log-odds are
//! linear with `w_j = (μ_1j - μ_0j) / v_j`, and both learners are consistent: their coefficients go to the
//! true ones, and the distance between them shrinks like `1/√n` (Mitchell 2005, *Generative and
//! discriminative classifiers*, section 3.1; Ng and Jordan 2002, section 2). If an assumption fails, each
//! goes to its own limit: naive Bayes to that formula with the moments of the population, logistic regression
//! to the minimum of the expected log-loss.
//!
//! While the assumptions hold naive Bayes needs fewer rows for the same error. Efron (1975), *The efficiency
//! of logistic regression compared to normal discriminant analysis*, JASA 70, calls the ratio of the excess
//! errors over the Bayes rate the relative efficiency of logistic regression, for discriminants with a full
//! covariance matrix; here it is measured against naive Bayes, which estimates even less.

mod limit;
pub(super) mod report;
mod scenario;

use std::num::NonZeroUsize;

use nb_core::NaiveBayes;
use nb_linear::{LinearForm, LogisticError, LogisticRegression, SharedGaussian};
use ndarray::Array2;
use serde::{Deserialize, Serialize};

use scenario::{SCENARIOS, Scenario};

use crate::{
    experiment::{ExperimentError, Progress, error::LearnerError, tasks},
    plan::generator,
};

/// The options of the experiment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Assumptions {
    /// How many samples of each size are drawn, at least 1. The default is 200.
    pub samples: usize,
    /// The smallest sample size `n`, at least 16. The default is 128.
    pub smallest: usize,
    /// How often the size is doubled. The default is 8, up to 32,768 rows.
    pub doublings: u32,
}

impl Default for Assumptions {
    fn default() -> Self {
        Self { samples: 200, smallest: 128, doublings: 8 }
    }
}

/// Coefficients `[w_1, w_2, b]` of a linear rule, for the second class where `w · x + b` is positive.
pub type Coefficients = [f64; 3];

/// What both learners do with samples of one size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SizePoint {
    /// The number of rows `n`, half of each class.
    pub size: usize,
    /// The number of samples; those whose classes a line separates, so that maximum likelihood has no
    /// solution, are left out.
    pub samples: usize,
    /// The root mean square of the Euclidean distance between the coefficients of both.
    pub distance: f64,
    /// The same from naive Bayes to its limit.
    pub naive_bayes_to_limit: f64,
    /// The same from logistic regression to its limit.
    pub logistic_to_limit: f64,
    /// The mean error of naive Bayes, exact for each rule.
    pub naive_bayes_error: f64,
    /// The mean error of logistic regression.
    pub logistic_error: f64,
}

/// What came of one scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Its name.
    pub scenario: String,
    /// Which assumption holds or does not.
    pub assumption: String,
    /// Where the coefficients of naive Bayes go.
    pub naive_bayes_limit: Coefficients,
    /// Where those of logistic regression go.
    pub logistic_limit: Coefficients,
    /// The Euclidean distance between the limits.
    pub limit_distance: f64,
    /// The errors of both limits.
    pub limit_errors: [f64; 2],
    /// The error of the best rule of any kind.
    pub bayes_error: f64,
    /// What both do, by ascending size.
    pub points: Vec<SizePoint>,
    /// The slopes of the logarithms of `distance`, `naive_bayes_to_limit` and `logistic_to_limit` over the
    /// logarithm of the size, by least squares: -1/2 where a distance shrinks like `1/√n`.
    pub slopes: [f64; 3],
    /// The relative efficiency of logistic regression, the excess error of naive Bayes over that of logistic
    /// regression, from all sizes; none where the limits are not both the best rule.
    pub relative_efficiency: Option<f64>,
}

/// The two rules of a sample.
struct Pair {
    naive_bayes: Coefficients,
    logistic: Coefficients,
}

impl Assumptions {
    /// Carries the experiment out. Progress is counted in samples.
    ///
    /// ```
    /// use std::{num::NonZeroUsize, ops::ControlFlow};
    /// use nb_compare::experiment::assumptions::Assumptions;
    ///
    /// let options = Assumptions { samples: 20, doublings: 2, ..Assumptions::default() };
    /// let outcomes = options.run(1, NonZeroUsize::MIN, &mut |_, _| ControlFlow::Continue(()))?;
    /// assert!(outcomes[0].limit_distance < 1e-6); // all assumptions hold
    /// assert!(outcomes[2].limit_distance > 0.1); // columns are correlated
    /// # Ok::<(), nb_compare::experiment::ExperimentError>(())
    /// ```
    ///
    /// # Errors
    /// [`ExperimentError`] if an option is out of range, a learner fails or `progress` breaks off.
    pub fn run(
        &self,
        seed: u64,
        threads: NonZeroUsize,
        progress: Progress<'_>,
    ) -> Result<Vec<Outcome>, ExperimentError> {
        self.check()?;
        let n_sizes = self.doublings as usize + 1;
        let per_scenario = self.samples * n_sizes;
        let pairs = tasks::each(SCENARIOS.len() * per_scenario, threads, progress, |task| {
            let scenario = &SCENARIOS[task / per_scenario];
            let (at, number) = (task % per_scenario / self.samples, task % self.samples);
            let size = self.smallest << at;
            let what = || format!("{}, sample {number} of {size} rows", scenario.name);
            pair(scenario, size, seed, number).map_err(|error| ExperimentError::learner(what())(error))
        })?;
        let outcomes = SCENARIOS.iter().zip(pairs.chunks(per_scenario));
        outcomes.map(|(scenario, pairs)| self.outcome(scenario, pairs)).collect()
    }

    fn check(&self) -> Result<(), ExperimentError> {
        let error = |name, value, must_be| Err(ExperimentError::Option { name, value, must_be });
        if !(1..=1_000_000).contains(&self.samples) {
            return error("the number of samples", self.samples as f64, "from 1 to 1000000");
        }
        if !(16..=1 << 20).contains(&self.smallest) {
            return error("the smallest size", self.smallest as f64, "from 16 to 1048576");
        }
        if self.doublings > 16 {
            return error("the number of doublings", f64::from(self.doublings), "at most 16");
        }
        let largest = self.smallest << self.doublings;
        if largest > 1 << 24 {
            return error("the largest size, after all doublings,", largest as f64, "at most 16777216");
        }
        Ok(())
    }

    fn outcome(&self, scenario: &Scenario, pairs: &[Option<Pair>]) -> Result<Outcome, ExperimentError> {
        let naive_bayes = limit::naive_bayes(scenario);
        let logistic = limit::logistic(scenario).map_err(ExperimentError::learner(scenario.name))?;
        let points: Vec<SizePoint> = pairs
            .chunks(self.samples)
            .enumerate()
            .filter_map(|(at, pairs)| point(scenario, self.smallest << at, pairs, naive_bayes, logistic))
            .collect();
        let slope = |value: fn(&SizePoint) -> f64| {
            slope(points.iter().map(|point| (libm::log(point.size as f64), libm::log(value(point)))))
        };
        let bayes_error = scenario.bayes_error();
        let limit_errors = [scenario.error(naive_bayes), scenario.error(logistic)];
        let is_best = limit_errors.iter().all(|error| (error - bayes_error).abs() < 1e-4);
        // Excess errors are of the order 1/n; times n all sizes count alike.
        let excess = |error: fn(&SizePoint) -> f64| {
            points.iter().map(|point| point.size as f64 * (error(point) - limit_errors[0])).sum::<f64>()
        };
        let efficiency = || excess(|point| point.naive_bayes_error) / excess(|point| point.logistic_error);
        Ok(Outcome {
            scenario: scenario.name.to_owned(),
            assumption: scenario.assumption.to_owned(),
            naive_bayes_limit: naive_bayes,
            logistic_limit: logistic,
            limit_distance: distance(naive_bayes, logistic),
            limit_errors,
            bayes_error,
            slopes: [
                slope(|point| point.distance),
                slope(|point| point.naive_bayes_to_limit),
                slope(|point| point.logistic_to_limit),
            ],
            relative_efficiency: is_best.then(efficiency),
            points,
        })
    }
}

/// Draws a sample and fits both; none if a line separates its classes.
fn pair(scenario: &Scenario, size: usize, seed: u64, number: usize) -> Result<Option<Pair>, LearnerError> {
    let mut random = generator(seed, &format!("{}/{size}", scenario.name), number);
    let labels: Vec<usize> = (0..size).map(|row| row % 2).collect();
    let cells: Vec<f64> = labels.iter().flat_map(|&class| scenario.sample(class, &mut random)).collect();
    let x = Array2::from_shape_vec((size, 2), cells).map_err(|_| "the sample has no shape")?;
    let naive_bayes = LinearForm::new(&NaiveBayes::new(SharedGaussian::default()).fit(&x, &labels)?);
    let logistic = LogisticRegression::default().with_l2(0.0);
    let logistic = match logistic.fit(&x, &labels) {
        Err(LogisticError::Separable) => return Ok(None),
        fitted => fitted?,
    };
    let coefficients = |form: &LinearForm<usize>| -> Result<Coefficients, LearnerError> {
        let plane = form.hyperplane(1, 0)?;
        Ok([plane.coef()[0], plane.coef()[1], plane.intercept()])
    };
    Ok(Some(Pair { naive_bayes: coefficients(&naive_bayes)?, logistic: coefficients(&logistic)? }))
}

/// Means over the samples of a size; none if all were separable.
fn point(
    scenario: &Scenario,
    size: usize,
    pairs: &[Option<Pair>],
    naive_bayes: Coefficients,
    logistic: Coefficients,
) -> Option<SizePoint> {
    let samples = pairs.iter().flatten().count();
    let mean = |value: &dyn Fn(&Pair) -> f64| pairs.iter().flatten().map(value).sum::<f64>() / samples as f64;
    let root = |value: &dyn Fn(&Pair) -> f64| mean(&|pair| value(pair).powi(2)).sqrt();
    (samples > 0).then(|| SizePoint {
        size,
        samples,
        distance: root(&|pair| distance(pair.naive_bayes, pair.logistic)),
        naive_bayes_to_limit: root(&|pair| distance(pair.naive_bayes, naive_bayes)),
        logistic_to_limit: root(&|pair| distance(pair.logistic, logistic)),
        naive_bayes_error: mean(&|pair| scenario.error(pair.naive_bayes)),
        logistic_error: mean(&|pair| scenario.error(pair.logistic)),
    })
}

fn distance(a: Coefficients, b: Coefficients) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// The slope of the line of least squares; zero for fewer than two points.
fn slope(points: impl Iterator<Item = (f64, f64)>) -> f64 {
    let points: Vec<(f64, f64)> = points.collect();
    let n = points.len() as f64;
    let mean = |value: fn(&(f64, f64)) -> f64| points.iter().map(value).sum::<f64>() / n;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let products: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let squares: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    if squares > 0.0 { products / squares } else { 0.0 }
}
