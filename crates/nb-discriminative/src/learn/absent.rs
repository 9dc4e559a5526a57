//! What a missing cell adds in a column without missing cells in training: the constant under which
//! predictions with cells left out at random are calibrated.

use super::{
    coding::{Coding, Levels},
    columns::Columns,
    folds::{mixed, sample},
    linear::Scale,
    minimise::{PRECISION, divide_by, minimise},
    row_weights::RowWeights,
    sums::residuals,
    text::Text,
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
    /// The rows in the table, how their numbers become what slopes are multiplied with, and these, `n ×
    /// n_classes`.
    pub(super) rows: &'a [usize],
    pub(super) scales: &'a [Scale],
    pub(super) columns: &'a Columns,
    pub(super) slopes: &'a [f64],
    pub(super) pairs: &'a [AddedByPair<'a>],
    /// What the texts add to each of the rows, `n_rows × n_classes` for each text.
    pub(super) by_texts: &'a [Vec<f64>],
    /// The scores of the classes to which that is added.
    pub(super) intercept: &'a [f64],
    /// The logarithms of the shares of the classes.
    pub(super) log_prior: &'a [f64],
}

/// What two columns add together.
pub(super) struct AddedByPair<'a> {
    pub(super) columns: [usize; 2],
    /// The level of each of the rows, of which that of the first cell is `start`, and those after the last
    /// cell add nothing.
    pub(super) levels: &'a [u32],
    pub(super) start: usize,
    /// `n_cells × n_classes`.
    pub(super) cells: &'a [f64],
}

impl Absences<'_> {
    /// What a missing cell of each column, and then each text without a known term, adds to the scores of the
    /// classes, `n_parts × n_classes`.
    ///
    /// These `m_jc` minimise `-Σ log p(y | x') + 10 Σ (m_jc - mean_jc)²` over copies `x'` of the rows: each
    /// row with one cell left out, the same row with half of its cells left out on average, and as many
    /// empty rows, whose labels have the shares of the classes. A cell that is left out adds `m_jc`;
    /// `mean_jc` is the mean that the column adds to the rows. So an empty row gets about the
    /// class prior, and with some cells missing the mean posterior stays near it, where the means alone are
    /// too far from it if columns are informative.
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
                    add(scores, added, 1.0);
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
                    add(gradient, scores, 1.0);
                }
            }
            value
        });
        found
    }

    /// The share of what [`fit`](Self::fit) says in what missing cells of a column add, beside what was
    /// learnt from rows in which they are missing: with a ridge penalty these shares are those of the
    /// penalty and of the curvature that such rows bring.
    pub(super) fn share(&self, column: usize, ridge: f64) -> f64 {
        let missing = self.coding.missing(column);
        let levels = self.levels.columns[column].iter().enumerate();
        let rows = levels.filter(|(_, level)| **level as usize == missing);
        let weight: f64 = rows.map(|(row, _)| self.row_weights.of(row)).sum();
        self.share_of(weight, ridge)
    }

    fn share_of(&self, weight: f64, ridge: f64) -> f64 {
        let n_classes = self.intercept.len() as f64;
        ridge / (ridge + weight * (n_classes - 1.0) / (n_classes * n_classes))
    }

    /// The same for a text of which some rows have no term: where these are many, the classes have learnt
    /// from them what they add.
    pub(super) fn share_of_text(&self, text: &Text, rows: &[usize]) -> f64 {
        /// In two classes twenty such rows count as much.
        const RIDGE_OF_TEXT: f64 = 5.0;
        let without = rows.iter().enumerate().filter(|(_, row)| text.of_row(**row).next().is_none());
        let weight: f64 = without.map(|(place, _)| self.row_weights.of(place)).sum();
        self.share_of(weight, RIDGE_OF_TEXT)
    }

    fn of_level(&self, level: usize) -> &[f64] {
        let n_classes = self.intercept.len();
        &self.added[level * n_classes..(level + 1) * n_classes]
    }

    /// The columns with slopes, with the number of a row and the slopes.
    fn of_slopes(&self, row: usize) -> impl Iterator<Item = (usize, f64, &[f64])> {
        let Self { scales, columns, .. } = *self;
        let slopes = scales.iter().zip(self.slopes.chunks_exact(self.intercept.len()));
        slopes.map(move |(scale, slopes)| {
            (scale.column, scale.apply(columns.cells(scale.column)[self.rows[row]]), slopes)
        })
    }

    /// The mean that each column adds to the rows in which it is not missing.
    fn means(&self) -> Vec<f64> {
        let n_classes = self.intercept.len();
        let mut sums = vec![0.0; self.levels.columns.len() * n_classes];
        for row in 0..self.labels.len() {
            let weight = self.row_weights.of(row);
            for (column, number, slopes) in self.of_slopes(row) {
                add(&mut sums[column * n_classes..(column + 1) * n_classes], slopes, weight * number);
            }
        }
        let columns = self.levels.columns.iter().zip(sums.chunks_exact_mut(n_classes)).enumerate();
        for (column, (levels, sums)) in columns {
            let missing = self.coding.missing(column);
            let mut total = 0.0;
            for (row, &level) in levels.iter().enumerate().filter(|(_, level)| **level as usize != missing) {
                let weight = self.row_weights.of(row);
                total += weight;
                add(sums, self.of_level(level as usize), weight);
            }
            if total > 0.0 {
                for sum in sums {
                    *sum /= total;
                }
            }
        }
        for added in self.by_texts {
            let mut mean = vec![0.0; n_classes];
            for (row, added) in added.chunks_exact(n_classes).enumerate() {
                add(&mut mean, added, self.row_weights.of(row));
            }
            let total = self.row_weights.total(self.labels.len());
            sums.extend(mean.into_iter().map(|sum| sum / total));
        }
        sums
    }

    /// Rows with cells left out.
    fn patterns(&self) -> Patterns {
        let (n_columns, n_classes) = (self.levels.columns.len(), self.intercept.len());
        let n_parts = n_columns + self.by_texts.len();
        let rows = sample(self.labels, None, n_classes, MOST_ROWS);
        let adds = self.adds();
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
            let columns = (0..n_columns).filter(|&column| adds[column]);
            patterns.absent.push(columns.chain(n_columns..n_parts).collect());
            patterns.labels.push(class);
            patterns.weights.push(total * libm::exp(*log_prior));
        }
        patterns
    }

    /// Whether each column adds anything.
    fn adds(&self) -> Vec<bool> {
        let are_some = |added: &[f64]| added.iter().any(|added| *added != 0.0);
        let of_levels = |column| self.coding.of_column(column).any(|level| are_some(self.of_level(level)));
        let mut adds: Vec<bool> = (0..self.levels.columns.len()).map(of_levels).collect();
        for (slopes, scale) in self.slopes.chunks_exact(self.intercept.len()).zip(self.scales) {
            adds[scale.column] |= are_some(slopes);
        }
        adds
    }

    /// Adds a row without some of its parts, which are the columns, of which some add something, and the
    /// texts.
    fn push(&self, patterns: &mut Patterns, row: usize, adds: &[bool], is_absent: impl Fn(usize) -> bool) {
        let (n_columns, n_classes) = (self.levels.columns.len(), self.intercept.len());
        let mut scores = self.intercept.to_vec();
        let mut absent = Vec::new();
        for (column, levels) in self.levels.columns.iter().enumerate() {
            if !is_absent(column) {
                add(&mut scores, self.of_level(levels[row] as usize), 1.0);
            } else if adds[column] {
                absent.push(column);
            }
        }
        for (_, number, slopes) in self.of_slopes(row).filter(|(column, ..)| !is_absent(*column)) {
            add(&mut scores, slopes, number);
        }
        for pair in self.pairs.iter().filter(|pair| !pair.columns.iter().any(|&column| is_absent(column))) {
            let cell = (pair.levels[row] as usize - pair.start) * n_classes;
            add(&mut scores, pair.cells.get(cell..cell + n_classes).unwrap_or(&[]), 1.0);
        }
        for (text, added) in self.by_texts.iter().enumerate() {
            if is_absent(n_columns + text) {
                absent.push(n_columns + text);
            } else {
                add(&mut scores, &added[row * n_classes..(row + 1) * n_classes], 1.0);
            }
        }
        patterns.scores.extend(scores);
        patterns.absent.push(absent);
        patterns.labels.push(self.labels[row]);
        patterns.weights.push(self.row_weights.of(row));
    }
}

fn add(to: &mut [f64], values: &[f64], factor: f64) {
    to.iter_mut().zip(values).for_each(|(to, value)| *to += factor * value);
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
