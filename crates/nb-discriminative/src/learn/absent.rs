//! What a missing cell adds in a column without missing cells in training: the constant under which predictions with cells left out
//! at random are calibrated.

use super::{
    coding::{Coding, Levels},
    folds::{mixed, sample},
    minimise::{PRECISION, divide_by, minimise},
    row_weights::RowWeights,
    sums::residuals,
};

/// The penalty on the squares of the distances from the mean that a column adds to the rows.
const RIDGE: f64 = 20.0;

/// The most rows whose cells are left out.
const MOST_ROWS: usize = 5_000;

/// A classifier that is a sum over columns and texts, with the rows that it was learnt from.
pub(super) struct Absences<'a> {
    pub(super) coding: &'a Coding,
    pub(super) levels: &'a Levels,
    pub(super) labels: &'a [usize],
    pub(super) row_weights: RowWeights<'a>,
    /// What the levels add, `n_levels × n_classes`.
    pub(super) added: &'a [f64],
    /// What the texts add to each of the rows, `n_rows × n_classes` for each text.
    pub(super) by_texts: &'a [Vec<f64>],
    /// The scores of the classes to which that is added.
    pub(super) intercept: &'a [f64],
    /// The logarithms of the shares of the classes.
    pub(super) log_prior: &'a [f64],
}

impl Absences<'_> {
    /// What a missing cell of each column adds to the scores of the classes, `n_columns × n_classes`.
    ///
    /// These `m_jc` minimise `-Σ log p(y | x') + 10 Σ (m_jc - mean_jc)²` over copies `x'` of the rows: each row with one cell left
    /// out, the same row with half of its cells left out on average, and as many empty rows, whose labels have the shares of the
    /// classes. A cell that is left out adds `m_jc`; `mean_jc` is the mean that the column adds to the rows. So an empty row gets about the
    /// class prior, and with some cells missing the mean posterior stays near it, where the means alone are too far from it if columns
    /// are informative. A text that is left out adds nothing.
    pub(super) fn fit(&self) -> Vec<f64> {
        let n_classes = self.intercept.len();
        let means = self.means();
        let patterns = self.patterns();
        let mut curvature = vec![RIDGE; means.len()];
        let of_row = (n_classes as f64 - 1.0) / (n_classes * n_classes) as f64;
        for (absent, weight) in patterns.absent.iter().zip(&patterns.weights) {
            for &column in absent {
                for entry in &mut curvature[column * n_classes..(column + 1) * n_classes] {
                    *entry += weight * of_row;
                }
            }
        }
        let mut found = means.clone();
        let mut scores = vec![0.0; patterns.scores.len()];
        minimise(&mut found, 0, PRECISION, divide_by(&curvature), |added, gradient| {
            scores.copy_from_slice(&patterns.scores);
            for (scores, absent) in scores.chunks_exact_mut(n_classes).zip(&patterns.absent) {
                for &column in absent {
                    let added = &added[column * n_classes..(column + 1) * n_classes];
                    add(scores, added);
                }
            }
            let weights = RowWeights::of_all(Some(&patterns.weights));
            let mut value = residuals(&mut scores, &patterns.labels, weights, n_classes);
            for ((gradient, added), mean) in gradient.iter_mut().zip(added).zip(&means) {
                *gradient = RIDGE * (added - mean);
                value += 0.5 * RIDGE * (added - mean).powi(2);
            }
            for (scores, absent) in scores.chunks_exact(n_classes).zip(&patterns.absent) {
                for &column in absent {
                    let gradient = &mut gradient[column * n_classes..(column + 1) * n_classes];
                    add(gradient, scores);
                }
            }
            value
        });
        found
    }

    /// The share of what [`fit`](Self::fit) says in what missing cells of a column add, beside what was learnt from rows in
    /// which they are missing: with a ridge penalty these shares are those of the penalty and of the curvature that such rows
    /// bring.
    pub(super) fn share(&self, column: usize, ridge: f64) -> f64 {
        let missing = self.coding.missing(column);
        let levels = self.levels.columns[column].iter().enumerate();
        let rows = levels.filter(|(_, level)| **level as usize == missing);
        let weight: f64 = rows.map(|(row, _)| self.row_weights.of(row)).sum();
        let n_classes = self.intercept.len() as f64;
        ridge / (ridge + weight * (n_classes - 1.0) / (n_classes * n_classes))
    }

    fn of_level(&self, level: usize) -> &[f64] {
        let n_classes = self.intercept.len();
        &self.added[level * n_classes..(level + 1) * n_classes]
    }

    /// The mean that each column adds to the rows in which it is not missing.
    fn means(&self) -> Vec<f64> {
        let of_column = |(column, levels): (usize, &Vec<u32>)| {
            let (mut sums, mut total) = (vec![0.0; self.intercept.len()], 0.0);
            let missing = self.coding.missing(column);
            for (row, &level) in levels.iter().enumerate().filter(|(_, level)| **level as usize != missing) {
                let weight = self.row_weights.of(row);
                total += weight;
                let added = self.of_level(level as usize);
                sums.iter_mut().zip(added).for_each(|(sum, added)| *sum += weight * added);
            }
            let total = if total > 0.0 { total } else { 1.0 };
            sums.into_iter().map(move |sum| sum / total)
        };
        self.levels.columns.iter().enumerate().flat_map(of_column).collect()
    }

    /// Rows with cells left out.
    fn patterns(&self) -> Patterns {
        let (n_columns, n_classes) = (self.levels.columns.len(), self.intercept.len());
        let n_parts = n_columns + self.by_texts.len();
        let rows = sample(self.labels, None, n_classes, MOST_ROWS);
        let adds: Vec<bool> = (0..n_columns).map(|column| self.adds(column)).collect();
        let mut patterns = Patterns::default();
        let mut total = 0.0;
        for &row in &rows {
            total += self.row_weights.of(row);
            let number = |of: usize| mixed((row * (n_parts + 2) + of) as u64);
            let one = (number(n_parts) % n_parts.max(1) as u64) as usize;
            let below = number(n_parts + 1);
            self.push(&mut patterns, row, &adds, |part| part == one);
            self.push(&mut patterns, row, &adds, |part| number(part) < below);
        }
        for (class, log_prior) in self.log_prior.iter().enumerate() {
            patterns.scores.extend(self.intercept);
            patterns.absent.push((0..n_columns).filter(|&column| adds[column]).collect());
            patterns.labels.push(class);
            patterns.weights.push(total * libm::exp(*log_prior));
        }
        patterns
    }

    /// Whether a column adds anything.
    fn adds(&self, column: usize) -> bool {
        self.coding.of_column(column).any(|level| self.of_level(level).iter().any(|added| *added != 0.0))
    }

    /// Adds a row without some of its parts, which are the columns, of which some add something, and the texts.
    fn push(&self, patterns: &mut Patterns, row: usize, adds: &[bool], is_absent: impl Fn(usize) -> bool) {
        let (n_columns, n_classes) = (self.levels.columns.len(), self.intercept.len());
        let mut scores = self.intercept.to_vec();
        let mut absent = Vec::new();
        for (column, levels) in self.levels.columns.iter().enumerate() {
            if !is_absent(column) {
                add(&mut scores, self.of_level(levels[row] as usize));
            } else if adds[column] {
                absent.push(column);
            }
        }
        for (text, added) in self.by_texts.iter().enumerate() {
            if !is_absent(n_columns + text) {
                add(&mut scores, &added[row * n_classes..(row + 1) * n_classes]);
            }
        }
        patterns.scores.extend(scores);
        patterns.absent.push(absent);
        patterns.labels.push(self.labels[row]);
        patterns.weights.push(self.row_weights.of(row));
    }
}

fn add(to: &mut [f64], values: &[f64]) {
    to.iter_mut().zip(values).for_each(|(to, value)| *to += value);
}

/// Rows with cells left out.
#[derive(Default)]
struct Patterns {
    /// What is added by the other cells, `n_patterns × n_classes`.
    scores: Vec<f64>,
    absent: Vec<Vec<usize>>,
    labels: Vec<usize>,
    weights: Vec<f64>,
}
