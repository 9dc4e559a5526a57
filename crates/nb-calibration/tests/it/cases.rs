//! Rows for the tests, made the same way here and in `tests/reference.py`.

use ndarray::Array2;

/// Scores, true classes and weights.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) scores: Array2<f64>,
    pub(crate) truth: Vec<usize>,
    pub(crate) weights: Vec<f64>,
}

/// Knuth's linear congruential generator (MMIX).
struct Generator(u64);

impl Generator {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// Scores from -8 to 0 in this many steps; the truth is the best class in 6 of 10 rows, else any.
pub(crate) fn case(seed: u64, n_rows: usize, n_classes: usize, steps: u64, weighted: bool) -> Case {
    let mut generator = Generator(seed);
    let (mut scores, mut truth, mut weights) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..n_rows {
        let row: Vec<f64> =
            (0..n_classes).map(|_| -(generator.below(steps) as f64) * 8.0 / steps as f64).collect();
        let best = (0..n_classes).rev().max_by(|&a, &b| row[a].total_cmp(&row[b])).unwrap_or_default();
        scores.extend(row);
        truth.push(if generator.below(10) < 6 { best } else { generator.below(n_classes as u64) as usize });
        weights.push(if weighted { 0.5 * (1 + generator.below(4)) as f64 } else { 1.0 });
    }
    let scores = Array2::from_shape_vec((n_rows, n_classes), scores).expect("as many as there are cells");
    Case { scores, truth, weights }
}
