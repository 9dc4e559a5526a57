//! What kernels read of Gaussian parameters.

use super::double;
use crate::model::scores::add_compensated;

/// The parameters of all classes and columns, as scoring reads them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GaussianTable {
    pub(crate) n_classes: usize,
    pub(crate) n_columns: usize,
    /// Class after class.
    pub(crate) terms: Vec<Term>,
    /// `-½ Σ log(2πv)` over columns, per class, with its rounding error.
    pub(crate) log_norm_sums: Vec<(f64, f64)>,
    /// See [`Class`].
    pub(crate) needs_mean_low: Vec<bool>,
    /// Up to this absolute value a cell can surely be scored, whatever its column.
    pub(crate) least_limit: f64,
    /// Whether rows whose distances from the first class sum up to less than
    /// [`max_partial_sum`](double::max_partial_sum) can surely be scored, so that none of their cells
    /// need be looked at.
    pub(crate) score_bound_implies_range: bool,
}

impl GaussianTable {
    /// All parameters zero.
    pub(crate) fn zeros(n_classes: usize, n_columns: usize) -> Self {
        Self {
            n_classes,
            n_columns,
            terms: vec![Term::default(); n_classes * n_columns],
            log_norm_sums: Vec::new(),
            needs_mean_low: Vec::new(),
            least_limit: 0.0,
            score_bound_implies_range: false,
        }
    }

    /// Derives what kernels need of all parameters together, given up to which absolute value each column can
    /// be scored and the sum of `-½ log(2πv)` for each class.
    pub(crate) fn derive(&mut self, least_limit: f64, log_norm_sums: Vec<(f64, f64)>) {
        self.least_limit = least_limit;
        self.score_bound_implies_range = self.score_bound_implies_range();
        self.log_norm_sums = log_norm_sums;
        self.needs_mean_low =
            (0..self.n_classes).map(|class| self.class_terms(class).iter().any(rest_matters)).collect();
    }

    /// The same after the parameters of one class have changed.
    pub(crate) fn derive_class(&mut self, class: usize, least_limit: f64, log_norm_sum: (f64, f64)) {
        let is_of_old_limit = class != 0 && least_limit == self.least_limit;
        self.least_limit = least_limit;
        if !is_of_old_limit {
            self.score_bound_implies_range = self.score_bound_implies_range();
        }
        self.log_norm_sums[class] = log_norm_sum;
        self.needs_mean_low[class] = self.class_terms(class).iter().any(rest_matters);
    }

    fn score_bound_implies_range(&self) -> bool {
        // Twice the reach that such a distance has; infinite in a column that carries no information.
        let reach = |term: &Term| 2.0 * libm::sqrt(double::max_partial_sum(self.n_columns) / term[2]);
        self.n_classes > 0
            && self.class_terms(0).iter().all(|term| term[0].abs() + reach(term) <= self.least_limit)
    }

    pub(crate) fn class_terms(&self, class: usize) -> &[Term] {
        &self.terms[class * self.n_columns..(class + 1) * self.n_columns]
    }

    pub(crate) fn class(&self, class: usize) -> Class<'_> {
        Class {
            terms: self.class_terms(class),
            norm: self.log_norm_sums[class],
            needs_mean_low: self.needs_mean_low[class],
        }
    }

    pub(crate) fn term(&self, class: usize, column: usize) -> &Term {
        &self.terms[class * self.n_columns + column]
    }
}

/// The parameters of a class and column: the mean; what rounding took from it, so that scores at huge offsets
/// keep their digits; and `1 / (2v)`, which is zero where the column carries no information.
pub(crate) type Term = [f64; 3];

/// `(x - μ)² / 2v`. The difference is formed with both doubles of the mean.
#[inline(always)]
pub(crate) fn distance(value: f64, &[mean, mean_rest, half_inv_variance]: &Term) -> f64 {
    let difference = (value - mean) - mean_rest;
    difference * difference * half_inv_variance
}

/// [`distance`] where its steps may overflow although it does not: the square of the difference in standard
/// deviations.
#[cold]
pub(crate) fn far_distance(value: f64, &[mean, mean_rest, half_inv_variance]: &Term) -> f64 {
    if half_inv_variance == 0.0 {
        return 0.0;
    }
    let half = (0.5 * value - 0.5 * mean) - 0.5 * mean_rest;
    let root = 2.0 * (half * libm::sqrt(half_inv_variance));
    root * root
}

/// Whether the rest of the mean is more than half a unit in the last place of one standard deviation, which
/// is what rounding may take from `x - μ` there.
fn rest_matters(&[_, mean_rest, half_inv_variance]: &Term) -> bool {
    const UNIT: f64 = f64::EPSILON / 2.0;
    mean_rest * mean_rest * half_inv_variance > 0.5 * UNIT * UNIT
}

/// `-Σ (x - μ)² / 2v` of one row and what rounding took from it, as the kernel for many rows gives them.
pub(crate) fn minus_distances(cells: &[f64], terms: &[Term], needs_mean_low: bool) -> (f64, f64) {
    let bias = double::bias(cells.len());
    let (mut sum, mut rest) = (bias, 0.0);
    let distance_in_bundle = |value, &[mean, mean_rest, half_inv_variance]: &Term| {
        distance(value, &[mean, if needs_mean_low { mean_rest } else { 0.0 }, half_inv_variance])
    };
    for (cells, terms) in cells.chunks(double::SUM_BLOCK).zip(terms.chunks(double::SUM_BLOCK)) {
        let distances = cells.iter().zip(terms).map(|(&value, term)| distance_in_bundle(value, term));
        add_compensated(&mut sum, &mut rest, -distances.sum::<f64>());
    }
    if sum.abs() > double::max_partial_sum(cells.len()) {
        // In a summation block, large distances that all classes share would take the digits of small ones.
        (sum, rest) = (bias, 0.0);
        for (&value, term) in cells.iter().zip(terms) {
            add_compensated(&mut sum, &mut rest, -distance(value, term));
        }
    }
    (sum - bias, rest)
}

/// The parameters of a class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Class<'a> {
    pub(crate) terms: &'a [Term],
    /// `-½ Σ log(2πv)` as two doubles.
    pub(crate) norm: (f64, f64),
    /// Whether a mean's rest is more than rounding takes from `x - μ` at one standard deviation.
    pub(crate) needs_mean_low: bool,
}
