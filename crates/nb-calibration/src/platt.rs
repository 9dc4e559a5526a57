//! Platt's sigmoid: a line through log-odds.

use nb_core::exact::{ExactSums, domain::MAX_ABS_VALUE};
use ndarray::ArrayView2;

use crate::{
    CalibrationError, CalibrationMap, Calibrator,
    one_against_rest::{Case, LogOddsMap, OneAgainstRest},
    rows::CheckedRows,
};

/// Platt's sigmoid of the log-odds, for more than two classes of each against the rest.
///
/// A row in which a class has infinite log-odds (it, or every other class, is impossible) has no place on a
/// line: it is left out where the line of this class is fitted, and an impossible class stays impossible.
///
/// # Model
/// `p(c | row) = 1 / (1 + exp(-(a f + b)))` with the log-odds `f` of the class against all others. Platt's
/// `A` and `B` are `-a` and `-b`.
///
/// # Estimator
/// `a` and `b` minimise the cross-entropy `Σ w (ln(1 + exp(u)) - t u)`, `u = a f + b`, with the targets
/// `t = (N₊ + 1)/(N₊ + 2)` for the `N₊` rows of the class and `1/(N₋ + 2)` for the others, so that there is a
/// minimum also where the classes are separated. Newton's method with backtracking; the linear system is
/// solved in log-odds centered by the weights of the Hessian, where it is diagonal.
///
/// Log-odds are measured from their mean, `u = a (f - f̄) + u(f̄)`: where they lie close together the line is
/// steep, and `a f + b` would be a small difference of two large numbers.
///
/// # References
/// Platt (1999), *Probabilistic outputs for support vector machines and comparisons to regularized likelihood
/// methods*, Advances in Large Margin Classifiers, 61-74, section 2.2; Lin, Lin and Weng (2007), *A note on
/// Platt's probabilistic outputs for support vector machines*, Machine Learning 68, 267-276, for Newton's
/// method and the forms that do not overflow.
///
/// # Example
///
/// ```
/// use nb_calibration::{Calibrator, Platt};
/// use ndarray::array;
///
/// let scores = array![[0.0, -3.0], [0.0, -1.0], [0.0, 1.0], [0.0, 2.0], [0.0, 4.0]];
/// let map = Platt.fit(scores.view(), &[0, 1, 0, 1, 1], None)?;
/// assert_eq!(map.sigmoids().len(), 1); // the second class; the first has the rest
/// assert!(map.sigmoids()[0].slope > 0.0);
/// # Ok::<(), nb_calibration::CalibrationError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Platt;

/// A sigmoid of log-odds `f`: `1 / (1 + exp(-(slope · (f - center) + level)))`. In Platt's letters `A` is
/// `-slope` and `B` is `-intercept`.
///
/// ```
/// use nb_calibration::{Calibrator, Platt};
/// use ndarray::array;
///
/// // Log-odds of 1 and of 2: the line goes through the targets 1/3 and 2/3, whose log-odds are -ln 2 and ln 2.
/// let map = Platt.fit(array![[0.0, 1.0], [0.0, 2.0]].view(), &[0, 1], None)?;
/// let sigmoid = map.sigmoids()[0];
/// assert_eq!(sigmoid.center, 1.5);
/// assert!(sigmoid.level.abs() < 1e-15);
/// assert!((sigmoid.slope - 2.0 * 2.0_f64.ln()).abs() < 1e-15);
/// assert!((sigmoid.intercept() + 3.0 * 2.0_f64.ln()).abs() < 1e-15);
/// # Ok::<(), nb_calibration::CalibrationError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sigmoid {
    /// What log-odds are multiplied by; below 0 where larger log-odds speak against the class.
    pub slope: f64,
    /// What log-odds are measured from: the weighted mean of those that the line was fitted to.
    pub center: f64,
    /// The calibrated log-odds at the center.
    pub level: f64,
}

impl Sigmoid {
    /// The calibrated log-odds where those of the classifier are zero: what is added in `slope · f +
    /// intercept`.
    ///
    /// Steep lines far from zero lose digits in that form; `center` and `level` keep them.
    ///
    /// ```
    /// # use nb_calibration::Sigmoid;
    /// let sigmoid = Sigmoid { slope: 2.0, center: 3.0, level: 1.0 };
    /// assert_eq!(sigmoid.intercept(), -5.0); // 2 (f - 3) + 1 = 2 f - 5
    /// ```
    pub fn intercept(&self) -> f64 {
        libm::fma(-self.slope, self.center, self.level)
    }
}

/// A sigmoid for each class, or for the second of two.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedPlatt(OneAgainstRest<Sigmoid>);

impl FittedPlatt {
    /// The sigmoid of each class against the rest; of two classes that of the second alone, from which the
    /// first follows.
    ///
    /// ```
    /// # use nb_calibration::{Calibrator, Platt};
    /// # use ndarray::array;
    /// let map = Platt.fit(array![[0.0, 1.0], [0.0, 2.0]].view(), &[0, 1], None)?;
    /// assert_eq!((map.sigmoids().len(), map.sigmoids()[0].center), (1, 1.5));
    /// # Ok::<(), nb_calibration::CalibrationError>(())
    /// ```
    pub fn sigmoids(&self) -> &[Sigmoid] {
        &self.0.maps
    }
}

impl CalibrationMap for FittedPlatt {
    fn n_classes(&self) -> usize {
        self.0.n_classes()
    }

    fn apply_row(&self, log_posteriors: &mut [f64]) {
        self.0.apply_row(log_posteriors);
    }
}

impl LogOddsMap for Sigmoid {
    fn log_probabilities(&self, log_odds: f64) -> [f64; 2] {
        // Infinite log-odds stay what they are, whatever the slope. Halves, as a distance can be twice the
        // largest double.
        let u = if log_odds.is_finite() {
            2.0 * (self.slope * (0.5 * log_odds - 0.5 * self.center)) + self.level
        } else {
            log_odds
        };
        [-softplus(u), -softplus(-u)]
    }
}

impl Calibrator for Platt {
    type Fitted = FittedPlatt;

    /// Fits the sigmoids.
    ///
    /// # Errors
    /// [`CalibrationError`]: rows that are wrong, a row whose true class is [impossible](CalibrationError::Impossible),
    /// log-odds that are all [the same](CalibrationError::Flat) or closer together than a slope can tell, or
    /// [no convergence](CalibrationError::NoConvergence).
    fn fit(
        &self,
        log_posteriors: ArrayView2<'_, f64>,
        truth: &[usize],
        weights: Option<&[f64]>,
    ) -> Result<FittedPlatt, CalibrationError> {
        let rows = CheckedRows::new(&log_posteriors, truth, weights)?;
        if let Some(row) = rows.iter().find(|row| row.scores[row.truth] == f64::NEG_INFINITY) {
            return Err(CalibrationError::Impossible { row: row.number, class: row.truth });
        }
        Ok(FittedPlatt(OneAgainstRest::fit(&rows, fit_sigmoid)?))
    }
}

/// `ln(1 + exp(x))`.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + libm::log1p(libm::exp(-x.abs()))
}

/// Newton steps until the error of the loss is below its rounding; 20 are many.
const MOST_STEPS: usize = 500;

/// Brings log-odds whose squares would leave the range of doubles back into it: a power of two.
fn scale_of(cases: &[Case]) -> f64 {
    const UP: f64 = f64::from_bits((1023 + 625) << 52);
    let largest = cases.iter().map(|case| case.log_odds.abs()).fold(0.0, f64::max);
    if largest > MAX_ABS_VALUE {
        1.0 / UP
    } else if largest < 1.0 / MAX_ABS_VALUE {
        UP
    } else {
        1.0
    }
}

/// The sigmoid of the smallest cross-entropy.
fn fit_sigmoid(class: usize, cases: &[Case]) -> Result<Sigmoid, CalibrationError> {
    let mut cases: Vec<Case> = cases.iter().copied().filter(|case| case.log_odds.is_finite()).collect();
    if cases.iter().all(|case| case.log_odds == cases[0].log_odds) {
        return Err(CalibrationError::Flat { class });
    }
    let scale = scale_of(&cases);
    for case in &mut cases {
        case.log_odds *= scale;
    }
    let center = mean(&cases);
    for case in &mut cases {
        case.log_odds -= center;
    }
    let Line { slope, level } = minimum(cases).ok_or(CalibrationError::NoConvergence { class })?;
    let slope = slope * scale;
    if slope.is_finite() {
        Ok(Sigmoid { slope, center: center / scale, level })
    } else {
        // Closer together than the slope of a line can tell.
        Err(CalibrationError::Flat { class })
    }
}

/// The weighted mean of the log-odds.
fn mean(cases: &[Case]) -> f64 {
    let mut sums = ExactSums::new(2);
    for case in cases {
        sums.add(0, case.weight);
        sums.add_product(1, case.weight, case.log_odds);
    }
    sums.get(1).to_f64() / sums.get(0).to_f64()
}

/// `slope · x + level`, with `x` the log-odds less their mean.
#[derive(Clone, Copy)]
struct Line {
    slope: f64,
    level: f64,
}

impl Line {
    fn at(self, x: f64) -> f64 {
        self.slope * x + self.level
    }
}

/// The minimum of the cross-entropy of cases with different log-odds, if Newton's method gets there.
fn minimum(cases: Vec<Case>) -> Option<Line> {
    let entropy = CrossEntropy::new(cases);
    let mut line = Line { slope: 0.0, level: entropy.prior_log_odds() };
    let mut loss = entropy.value(line);
    let mut last = f64::INFINITY;
    for _ in 0..MOST_STEPS {
        let step = entropy.newton_step(line);
        let is_rounding = step.decrement <= 1e-8 * loss && step.decrement >= 0.5 * last;
        if step.decrement == 0.0 || is_rounding {
            return Some(line);
        }
        last = step.decrement;
        // Backtracking (Nocedal and Wright (2006), Numerical Optimization, 3.1); what rounding adds is no
        // reason.
        let mut share = 1.0;
        loop {
            let next =
                Line { slope: line.slope + share * step.slope, level: line.level + share * step.level };
            let next_loss = entropy.value(next);
            if next_loss <= loss - 1e-4 * share * step.decrement + 1e-14 * loss {
                (line, loss) = (next, next_loss);
                break;
            }
            share *= 0.5;
            if share < f64::EPSILON {
                return None;
            }
        }
    }
    None
}

/// The objective. All sums over rows are exact, so that the order of the rows does not matter.
struct CrossEntropy {
    cases: Vec<Case>,
    weight_of_rest: f64,
    weight_of_class: f64,
}

/// A Newton step.
struct Step {
    slope: f64,
    level: f64,
    /// `gᵀH⁻¹g`, twice what the quadratic model promises.
    decrement: f64,
}

impl CrossEntropy {
    fn new(cases: Vec<Case>) -> Self {
        let mut sums = ExactSums::new(2);
        for case in &cases {
            sums.add(usize::from(case.is_class), case.weight);
        }
        Self { weight_of_rest: sums.get(0).to_f64(), weight_of_class: sums.get(1).to_f64(), cases }
    }

    /// Where Lin, Lin and Weng start: `ln((N₊ + 1)/(N₋ + 1))`.
    fn prior_log_odds(&self) -> f64 {
        libm::log((self.weight_of_class + 1.0) / (self.weight_of_rest + 1.0))
    }

    fn target(&self, case: &Case) -> f64 {
        if case.is_class {
            (self.weight_of_class + 1.0) / (self.weight_of_class + 2.0)
        } else {
            1.0 / (self.weight_of_rest + 2.0)
        }
    }

    fn value(&self, line: Line) -> f64 {
        let mut sum = ExactSums::new(1);
        for case in &self.cases {
            let u = line.at(case.log_odds);
            // Either form is a sum of two terms that are not negative.
            let target = self.target(case);
            let loss = if u > 0.0 { (1.0 - target) * u + softplus(-u) } else { softplus(u) - target * u };
            sum.add_product(0, case.weight, loss);
        }
        sum.get(0).to_f64()
    }

    fn newton_step(&self, line: Line) -> Step {
        let mut sums = ExactSums::new(3);
        let mut terms = Vec::with_capacity(self.cases.len());
        for case in &self.cases {
            let u = line.at(case.log_odds);
            let odds = libm::exp(-u.abs());
            let (large, small) = (1.0 / (1.0 + odds), odds / (1.0 + odds));
            let gradient = if u > 0.0 { large } else { small } - self.target(case);
            let curvature = large * small;
            sums.add_product(0, case.weight, gradient);
            sums.add_product(1, case.weight, curvature);
            sums.add_product(2, case.weight, curvature * case.log_odds);
            terms.push((gradient, curvature));
        }
        let [gradient, curvature, first_moment] = [0, 1, 2].map(|index| sums.get(index).to_f64());
        let center = first_moment / curvature;
        let mut centered = ExactSums::new(2);
        for (case, (gradient, curvature)) in self.cases.iter().zip(terms) {
            let distance = case.log_odds - center;
            centered.add_product(0, case.weight, gradient * distance);
            centered.add_product(1, case.weight, curvature * distance * distance);
        }
        let slope = -centered.get(0).to_f64() / centered.get(1).to_f64();
        let at_center = -gradient / curvature;
        let decrement = curvature * at_center * at_center + centered.get(1).to_f64() * slope * slope;
        Step { slope, level: at_center - slope * center, decrement }
    }
}
