//! The objective: value, gradient, and whether coefficients separate the classes.

use super::design::Design;
use exact_sums::Compensated;

/// The penalised log-loss of a regression, as a function of its coefficients: for every free class the
/// weights of the standardised columns, then the intercept.
///
/// Of two classes only the second is free, and the first scores zero; of more, all are free.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub(super) design: Design,
    /// The class of each row.
    classes: Vec<usize>,
    /// The weight of each row, positive.
    weights: Vec<f64>,
    n_classes: usize,
    /// The penalty on half the square of each standardised weight.
    penalties: Vec<f64>,
    total_weight: f64,
}

impl Problem {
    pub(super) fn new(
        design: Design,
        classes: Vec<usize>,
        weights: Vec<f64>,
        n_classes: usize,
        l2: f64,
    ) -> Self {
        // A weight in the units of its column is `scale` times the standardised one.
        let penalties = design.scale().iter().map(|scale| l2 * scale * scale).collect();
        let total_weight = weights.iter().sum();
        Self { design, classes, weights, n_classes, penalties, total_weight }
    }

    /// The position of a class among those that are free.
    pub(super) fn free(&self, class: usize) -> Option<usize> {
        if self.n_classes == 2 { class.checked_sub(1) } else { Some(class) }
    }

    /// The number of free classes.
    pub(super) fn n_free(&self) -> usize {
        if self.n_classes == 2 { 1 } else { self.n_classes }
    }

    /// The number of coefficients of a class: one per column, and the intercept.
    pub(super) fn stride(&self) -> usize {
        self.design.n_columns() + 1
    }

    /// The number of coefficients.
    pub(super) fn n_coefficients(&self) -> usize {
        self.n_free() * self.stride()
    }

    /// The weight of all rows.
    pub(super) fn total_weight(&self) -> f64 {
        self.total_weight
    }

    /// Whether all columns that vary are penalised, so that there is exactly one minimum.
    pub(super) fn is_penalised(&self) -> bool {
        let scales = self.design.scale().iter().zip(&self.penalties);
        scales.into_iter().all(|(&scale, &penalty)| penalty > 0.0 || scale == 0.0)
    }

    /// The penalty at a position of a class; none for the intercept.
    pub(super) fn penalty(&self, position: usize) -> f64 {
        self.penalties.get(position).copied().unwrap_or(0.0)
    }

    /// The probabilities of the classes for each row, with its number and weight.
    pub(super) fn for_each_row(&self, coefficients: &[f64], mut visit: impl FnMut(usize, f64, &[f64])) {
        let mut scores = vec![0.0; self.n_classes];
        for (row, &class) in self.classes.iter().enumerate() {
            self.score(row, coefficients, &mut scores);
            softmax(&mut scores, class);
            visit(row, self.weights[row], &scores);
        }
    }

    /// The number of classes.
    pub(super) fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// The scores of all classes for a row.
    fn score(&self, row: usize, coefficients: &[f64], scores: &mut [f64]) {
        let first = self.n_classes - self.n_free();
        scores[..first].fill(0.0);
        for (score, coefficients) in scores[first..].iter_mut().zip(coefficients.chunks_exact(self.stride()))
        {
            *score = self.design.dot(row, coefficients);
        }
    }

    /// The objective.
    pub(super) fn value(&self, coefficients: &[f64]) -> f64 {
        let (mut sum, mut scores) = (Compensated::default(), vec![0.0; self.n_classes]);
        for (row, &class) in self.classes.iter().enumerate() {
            self.score(row, coefficients, &mut scores);
            sum.add(self.weights[row] * softmax(&mut scores, class));
        }
        self.with_penalty(sum, coefficients)
    }

    /// The objective and its gradient.
    pub(super) fn gradient(&self, coefficients: &[f64], gradient: &mut [f64]) -> f64 {
        gradient.fill(0.0);
        let (mut sum, mut scores) = (Compensated::default(), vec![0.0; self.n_classes]);
        for (row, &class) in self.classes.iter().enumerate() {
            self.score(row, coefficients, &mut scores);
            sum.add(self.weights[row] * softmax(&mut scores, class));
            for (c, &probability) in scores.iter().enumerate() {
                if let Some(free) = self.free(c) {
                    // The residual of the own class is minus the sum of the others, with all its digits.
                    let residual = if c == class { -others(&scores, c) } else { probability };
                    let out = &mut gradient[free * self.stride()..(free + 1) * self.stride()];
                    self.design.add_row(row, self.weights[row] * residual, out);
                }
            }
        }
        for (index, out) in gradient.iter_mut().enumerate() {
            *out += self.penalty(index % self.stride()) * coefficients[index];
        }
        self.with_penalty(sum, coefficients)
    }

    fn with_penalty(&self, mut sum: Compensated, coefficients: &[f64]) -> f64 {
        for (index, coefficient) in coefficients.iter().enumerate() {
            sum.add(0.5 * self.penalty(index % self.stride()) * coefficient * coefficient);
        }
        sum.value()
    }

    /// The smallest and the largest margin that the coefficients give: by how much the own class of a row
    /// scores more than another. If the smallest is positive, a hyperplane separates the classes; if none
    /// is negative and some are positive, they are quasi-separated. Either way the log-loss alone has no
    /// minimum (Albert and Anderson 1984).
    pub(super) fn margins(&self, coefficients: &[f64]) -> (f64, f64) {
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut scores = vec![0.0; self.n_classes];
        for (row, &class) in self.classes.iter().enumerate() {
            self.score(row, coefficients, &mut scores);
            for (_, score) in scores.iter().enumerate().filter(|&(other, _)| other != class) {
                let margin = scores[class] - score;
                (least, most) = (least.min(margin), most.max(margin));
            }
        }
        (least, most)
    }
}

/// Turns scores into probabilities, and returns minus the logarithm of that of `class`.
fn softmax(scores: &mut [f64], class: usize) -> f64 {
    let best = (1..scores.len()).fold(0, |best, c| if scores[c] > scores[best] { c } else { best });
    let (largest, own) = (scores[best], scores[class]);
    for score in &mut *scores {
        *score = libm::exp(*score - largest);
    }
    let odds = others(scores, best);
    for score in scores {
        *score /= 1.0 + odds;
    }
    (largest - own) + libm::log1p(odds)
}

/// The sum of all entries but one.
pub(super) fn others(values: &[f64], except: usize) -> f64 {
    let others = values.iter().enumerate().filter(|&(index, _)| index != except);
    others.map(|(_, value)| value).sum()
}
