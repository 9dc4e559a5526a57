//! Probabilities of values under conditions by multinomial logistic regression on the tree of conditions.

use std::cmp::Ordering;

/// The most steps of Newton's method, and of the conjugate gradients of each.
const MOST_STEPS: usize = 100;
const MOST_DIRECTIONS: usize = 200;

/// The gradient that is left, as a share of the weight of all rows.
const PRECISION: f64 = 1e-12;

/// Weights of values under every combination of conditions, in the order of [`Counts`](super::Counts).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights<'a> {
    /// How many values each condition has.
    pub(crate) conditions: &'a [usize],
    /// How many values are counted.
    pub(crate) n_values: usize,
    /// The weights, `conditions × ... × n_values`, the last index fastest.
    pub(crate) of: &'a [f64],
}

/// `log p(value | conditions)` in the order of the weights.
///
/// The values of the first condition, which are classes, may have any names: those with equal weights have
/// equal probabilities, and the others are taken in the order of their weights.
pub(crate) fn log_probabilities(weights: Weights<'_>, ridge: f64) -> Vec<f64> {
    let n_classes = weights.conditions.first().copied().unwrap_or(1).max(1);
    let len = weights.of.len() / n_classes;
    if len == 0 {
        return Vec::new();
    }
    let classes: Vec<&[f64]> = weights.of.chunks_exact(len).collect();
    let compare = |a: usize, b: usize| {
        let pairs = classes[a].iter().zip(classes[b]);
        pairs.map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    let mut order: Vec<usize> = (0..n_classes).collect();
    order.sort_by(|&a, &b| compare(a, b));
    let sorted: Vec<f64> = order.iter().flat_map(|&class| classes[class]).copied().collect();
    let found = Regression::new(Weights { of: &sorted, ..weights }, ridge).fit();
    let mut all = vec![0.0; weights.of.len()];
    let mut first = 0;
    for (place, &class) in order.iter().enumerate() {
        if compare(order[first], class).is_ne() {
            first = place;
        }
        all[class * len..][..len].copy_from_slice(&found[first * len..][..len]);
    }
    all
}

/// `η = Σ β` over the combination of conditions and all shorter ones of at least one condition, `p = exp η /
/// Σ exp η`; the `β` that minimise `-Σ n log p + penalty Σ β² / 2`.
struct Regression<'a> {
    weights: Weights<'a>,
    penalty: f64,
    /// Combinations with rows, and the nodes on the way to each.
    cells: Vec<(usize, Vec<usize>)>,
    n_nodes: usize,
}

/// The loss at some coefficients, its gradient, and the probabilities of each cell.
struct Point {
    loss: f64,
    gradient: Vec<f64>,
    probabilities: Vec<f64>,
}

impl<'a> Regression<'a> {
    fn new(weights: Weights<'a>, ridge: f64) -> Self {
        let n_values = weights.n_values;
        // Nodes without rows have no coefficient but 0.
        let mut numbers = std::collections::BTreeMap::new();
        let mut cells = Vec::new();
        for (cell, row) in weights.of.chunks_exact(n_values.max(1)).enumerate() {
            if row.iter().all(|&weight| weight == 0.0) {
                continue;
            }
            let path = path(weights.conditions, cell).map(|node| {
                let next = numbers.len();
                *numbers.entry(node).or_insert(next)
            });
            cells.push((cell, path.collect()));
        }
        // Of two values there is one coefficient, of the log-odds, whose square is half that of the two here
        // together.
        let penalty = if n_values == 2 { 2.0 * ridge } else { ridge };
        Self { weights, penalty, cells, n_nodes: numbers.len() }
    }

    /// The logarithms of all probabilities.
    fn fit(&self) -> Vec<f64> {
        let n_values = self.weights.n_values;
        let coefficients = self.minimise();
        // The coefficients of a node, by its place in the tree.
        let mut of_nodes = std::collections::BTreeMap::new();
        for (cell, nodes) in &self.cells {
            of_nodes.extend(path(self.weights.conditions, *cell).zip(nodes.iter().copied()));
        }
        let n_cells = self.weights.of.len() / n_values.max(1);
        let of_cell = |cell: usize| {
            let mut scores = vec![0.0; n_values];
            for node in path(self.weights.conditions, cell).filter_map(|node| of_nodes.get(&node)) {
                add(&mut scores, &coefficients[node * n_values..][..n_values]);
            }
            let log_sum = log_sum_exp(&scores);
            scores.into_iter().map(move |score| score - log_sum)
        };
        (0..n_cells).flat_map(of_cell).collect()
    }

    /// Newton's method with steps by conjugate gradients (Nocedal and Wright 2006, *Numerical Optimization*,
    /// algorithm 7.1), which are shortened until the loss falls.
    fn minimise(&self) -> Vec<f64> {
        let total: f64 = self.weights.of.iter().sum();
        let mut x = vec![0.0; self.n_nodes * self.weights.n_values];
        let mut point = self.at(&x);
        for _ in 0..MOST_STEPS {
            let largest = point.gradient.iter().fold(0.0_f64, |largest, g| largest.max(g.abs()));
            if largest <= PRECISION * total.max(1.0) {
                break;
            }
            let step = self.newton_step(&point);
            let slope = dot(&step, &point.gradient);
            let mut length = 1.0;
            let next = loop {
                let moved: Vec<f64> = x.iter().zip(&step).map(|(x, step)| x + length * step).collect();
                let next = self.at(&moved);
                if next.loss <= point.loss + 1e-4 * length * slope {
                    break Some((moved, next));
                }
                length /= 2.0;
                if length < 1e-10 {
                    break None;
                }
            };
            // Rounding leaves nothing to gain.
            let Some((moved, next)) = next else { break };
            (x, point) = (moved, next);
        }
        x
    }

    fn at(&self, x: &[f64]) -> Point {
        let n_values = self.weights.n_values;
        let mut gradient: Vec<f64> = x.iter().map(|x| self.penalty * x).collect();
        let mut loss = 0.5 * self.penalty * dot(x, x);
        let mut probabilities = Vec::with_capacity(self.cells.len() * n_values);
        for (cell, nodes) in &self.cells {
            let weights = &self.weights.of[cell * n_values..][..n_values];
            let n: f64 = weights.iter().sum();
            let mut scores = vec![0.0; n_values];
            for node in nodes {
                add(&mut scores, &x[node * n_values..][..n_values]);
            }
            let log_sum = log_sum_exp(&scores);
            loss +=
                weights.iter().zip(&scores).map(|(weight, score)| weight * (log_sum - score)).sum::<f64>();
            let own: Vec<f64> = scores.iter().map(|score| libm::exp(score - log_sum)).collect();
            let residuals: Vec<f64> = own.iter().zip(weights).map(|(p, weight)| n * p - weight).collect();
            for node in nodes {
                add(&mut gradient[node * n_values..][..n_values], &residuals);
            }
            probabilities.extend(own);
        }
        Point { loss, gradient, probabilities }
    }

    /// The Hessian times a vector.
    fn curvature(&self, point: &Point, vector: &[f64]) -> Vec<f64> {
        let n_values = self.weights.n_values;
        let mut product: Vec<f64> = vector.iter().map(|v| self.penalty * v).collect();
        for ((cell, nodes), own) in self.cells.iter().zip(point.probabilities.chunks_exact(n_values)) {
            let n: f64 = self.weights.of[cell * n_values..][..n_values].iter().sum();
            let mut along = vec![0.0; n_values];
            for node in nodes {
                add(&mut along, &vector[node * n_values..][..n_values]);
            }
            let mean = dot(own, &along);
            let change: Vec<f64> = own.iter().zip(&along).map(|(p, v)| n * p * (v - mean)).collect();
            for node in nodes {
                add(&mut product[node * n_values..][..n_values], &change);
            }
        }
        product
    }

    /// The diagonal of the Hessian.
    fn diagonal(&self, point: &Point) -> Vec<f64> {
        let n_values = self.weights.n_values;
        let mut diagonal = vec![self.penalty; point.gradient.len()];
        for ((cell, nodes), own) in self.cells.iter().zip(point.probabilities.chunks_exact(n_values)) {
            let n: f64 = self.weights.of[cell * n_values..][..n_values].iter().sum();
            let change: Vec<f64> = own.iter().map(|p| n * p * (1.0 - p)).collect();
            for node in nodes {
                add(&mut diagonal[node * n_values..][..n_values], &change);
            }
        }
        diagonal
    }

    /// Minus the inverse Hessian times the gradient, as far as it is worth it.
    fn newton_step(&self, point: &Point) -> Vec<f64> {
        let diagonal = self.diagonal(point);
        let mut residual: Vec<f64> = point.gradient.iter().map(|g| -g).collect();
        let size = dot(&residual, &residual).sqrt();
        let enough = size * size.sqrt().min(0.1);
        let divided = |residual: &[f64]| -> Vec<f64> {
            residual.iter().zip(&diagonal).map(|(residual, diagonal)| residual / diagonal).collect()
        };
        let mut step = vec![0.0; residual.len()];
        let mut direction = divided(&residual);
        let mut product = dot(&residual, &direction);
        for _ in 0..MOST_DIRECTIONS {
            let curved = self.curvature(point, &direction);
            let length = product / dot(&direction, &curved);
            if !length.is_finite() {
                break;
            }
            step.iter_mut().zip(&direction).for_each(|(step, direction)| *step += length * direction);
            residual.iter_mut().zip(&curved).for_each(|(residual, curved)| *residual -= length * curved);
            if dot(&residual, &residual).sqrt() <= enough {
                break;
            }
            let next = divided(&residual);
            let next_product = dot(&residual, &next);
            let share = next_product / product;
            direction
                .iter_mut()
                .zip(&next)
                .for_each(|(direction, next)| *direction = next + share * *direction);
            product = next_product;
        }
        step
    }
}

/// The nodes on the way to a cell: its first condition, its first two, and so on, each with the number of
/// conditions.
fn path(conditions: &[usize], cell: usize) -> impl Iterator<Item = (usize, usize)> {
    let n_below: Vec<usize> =
        (1..=conditions.len()).map(|depth| conditions[depth..].iter().product::<usize>().max(1)).collect();
    n_below.into_iter().enumerate().map(move |(depth, n_below)| (depth, cell / n_below))
}

fn add(sum: &mut [f64], terms: &[f64]) {
    sum.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn log_sum_exp(scores: &[f64]) -> f64 {
    let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    largest + libm::log(scores.iter().map(|score| libm::exp(score - largest)).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(weights: Weights<'_>, ridge: f64, expected: &[f64]) {
        let found = log_probabilities(weights, ridge);
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((found.exp() - expected).abs() < 1e-9, "{} {expected}", found.exp());
        }
    }

    /// scikit-learn 1.9.1, with a row for each combination and value, weighted by its count, and an indicator
    /// for each node of the tree but the root: `LogisticRegression(C=1 / ridge, fit_intercept=False,
    /// solver="newton-cg", tol=1e-13).predict_proba`.
    #[test]
    #[expect(clippy::unreadable_literal, reason = "reference numbers are copied, not read")]
    fn probabilities_are_those_of_scikit_learn() {
        let of = [0, 4, 2, 0, 0, 0, 0, 1, 4, 4, 2, 0, 0, 4, 5, 0, 0, 0].map(f64::from);
        let weights = Weights { conditions: &[2, 3], n_values: 3, of: &of };
        close(
            weights,
            1.0,
            &[
                0.0718177115802152,
                0.5754793918636733,
                0.3527028965561116,
                0.1316050908965315,
                0.39656821845548934,
                0.47182669064797916,
                0.07247530674769562,
                0.24747281538779056,
                0.6800518778645137,
                0.5387306695640935,
                0.33759423440452896,
                0.12367509603137739,
                0.09876914786846545,
                0.4188811809950475,
                0.4823496711364869,
                0.29205634938992625,
                0.4045426111953973,
                0.30340103941467644,
            ],
        );
        let of = [3, 0, 1, 2, 0, 5, 0, 0, 0, 6, 0, 4].map(f64::from);
        let weights = Weights { conditions: &[3], n_values: 4, of: &of };
        close(
            weights,
            2.0,
            &[
                0.360673760629908,
                0.1509704135450212,
                0.20908490409732877,
                0.2792709217277419,
                0.1409588361516018,
                0.5771234915451945,
                0.1409588361516018,
                0.1409588361516018,
                0.11704867146564593,
                0.44842040218531615,
                0.11704867146564593,
                0.31748225488339205,
            ],
        );
        let of = [0, 5, 0, 1, 6, 2, 2, 5, 5, 3, 0, 0, 0, 3, 4, 2].map(f64::from);
        let weights = Weights { conditions: &[2, 2, 2], n_values: 2, of: &of };
        close(
            weights,
            4.0,
            &[
                0.26660464604502465,
                0.7333953539549753,
                0.3189915365838345,
                0.6810084634161655,
                0.5633858387004874,
                0.4366141612995126,
                0.4147904101125872,
                0.5852095898874128,
                0.5648340742489535,
                0.4351659257510465,
                0.535060557399258,
                0.46493944260074205,
                0.4051784493351569,
                0.5948215506648431,
                0.5308714001682765,
                0.4691285998317235,
            ],
        );
    }

    #[test]
    fn no_rows_are_uniform_and_the_order_of_classes_does_not_matter() {
        close(Weights { conditions: &[2, 2], n_values: 4, of: &[0.0; 16] }, 1.0, &[0.25; 16]);
        assert!(log_probabilities(Weights { conditions: &[0], n_values: 3, of: &[] }, 1.0).is_empty());
        let (a, b) = ([5.0, 1.0, 0.0, 0.5, 0.0, 2.0], [0.0, 7.0, 1.0, 0.0, 0.0, 4.0]);
        let of = |classes: [[f64; 6]; 3]| {
            let of = classes.concat();
            let found = log_probabilities(Weights { conditions: &[3, 2], n_values: 3, of: &of }, 1.0);
            found.chunks(6).map(<[f64]>::to_vec).collect::<Vec<_>>()
        };
        let (one, other) = (of([a, b, a]), of([a, a, b]));
        assert_eq!(one[0], one[2]);
        assert_eq!([&one[0], &one[1]], [&other[0], &other[2]]);
    }

    /// Where a penalty is small, probabilities are shares; where it is large, they are uniform.
    #[test]
    fn the_penalty_goes_from_shares_to_uniform() {
        let of = [30.0, 10.0, 60.0, 5.0, 5.0, 10.0];
        let weights = Weights { conditions: &[2], n_values: 3, of: &of };
        for (place, p) in log_probabilities(weights, 1e-6).into_iter().map(f64::exp).enumerate() {
            let total = if place < 3 { 100.0 } else { 20.0 };
            assert!((p - of[place] / total).abs() < 1e-6, "{p}");
        }
        assert!(log_probabilities(weights, 1e6).into_iter().all(|log| (log.exp() - 1.0 / 3.0).abs() < 1e-4));
    }
}
