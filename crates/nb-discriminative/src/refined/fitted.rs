//! The fitted family.

use nb_core::{
    Likelihood,
    error::ValueError,
    family::{Block, Interactions, Scores},
};

use crate::Refinement;

/// A fitted family with weights and corrections.
///
/// ```
/// use nb_core::{Gaussian, Likelihood, NaiveBayes};
/// use nb_discriminative::{Correction, Line, Refined, Refinement};
/// use ndarray::array;
///
/// // Half of the first column, a slope for the second, bins and a line for the third, nothing of the last.
/// let mut refinement = Refinement::none(2, 4);
/// refinement.weights = vec![0.5, 0.0, 1.0, 0.0];
/// refinement.corrections[1] = Correction::slope(vec![0.0, 1.5]);
/// let line = Line { low: 0.0, high: 10.0, center: 4.0, per_unit: vec![0.0, 1.0] };
/// let bins = Correction::steps(vec![], vec![0.0, 0.25], vec![0.0, 0.0]);
/// refinement.corrections[2] = bins.with_line(Some(line));
/// let model = Refined { model: Gaussian::default(), refinement };
/// let x = array![[1.0, 0.0, 1.0, 5.0], [3.0, 1.0, 2.0, 6.0], [4.0, 0.0, 3.0, 5.0], [6.0, 1.0, 5.0, 6.0]];
/// let classifier = NaiveBayes::new(model).fit(&x, &["a", "a", "b", "b"])?;
///
/// let refined = classifier.likelihood();
/// assert_eq!(refined.fitted().means()[[0, 0]], 2.0); // those of the family
/// assert_eq!(refined.refinement().weights[0], 0.5);
/// assert!(refined.uses(2) && !refined.uses(3));
/// assert_eq!((refined.weight_alone(0), refined.weight_alone(1)), (Some(0.5), None));
/// assert_eq!(refined.one_weight(), None);
/// assert_eq!(refined.per_unit(1), Some(&[0.0, 1.5][..]));
/// let of_line = refined.log_likelihood(1, 2, 6.0) - refined.without_line(1, 2, 6.0);
/// assert!((of_line - 2.0).abs() < 1e-12); // 1 (6 - 4)
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FittedRefined<F> {
    fitted: F,
    refinement: Refinement,
    /// The columns whose terms are the value times a number per class.
    linear: Vec<bool>,
    /// These numbers, `n_columns × n_classes`; empty if there are no such columns.
    per_unit: Vec<f64>,
    /// The other columns.
    others: Vec<usize>,
    /// The columns of each pair, and those of each text for which something is added if it has no known
    /// term.
    together: Vec<Vec<usize>>,
}

impl<F: Likelihood> FittedRefined<F> {
    pub(super) fn new(fitted: F, refinement: Refinement) -> Self {
        let linear: Vec<bool> =
            refinement.corrections.iter().map(|correction| !correction.per_unit().is_empty()).collect();
        let others = (0..linear.len()).filter(|&column| !linear[column]).collect();
        let n_classes = refinement.n_classes;
        let mut per_unit = vec![0.0; if linear.contains(&true) { linear.len() * n_classes } else { 0 }];
        for (column, values) in per_unit.chunks_exact_mut(n_classes.max(1)).enumerate() {
            for (class, value) in values.iter_mut().enumerate().filter(|_| linear[column]) {
                let slope = refinement.corrections[column].per_unit()[class];
                let weight = refinement.weights[column];
                let weighted =
                    if weight > 0.0 { weight * fitted.log_likelihood(class, column, 1.0) } else { 0.0 };
                *value = weighted + slope;
            }
        }
        let pairs = refinement.pairs.iter().map(|pair| pair.columns.to_vec());
        let texts = refinement.absent_texts.iter().map(|text| text.terms.clone().collect());
        let together = pairs.chain(texts).collect();
        Self { fitted, refinement, linear, per_unit, others, together }
    }

    /// The fitted family without weights and corrections.
    pub fn fitted(&self) -> &F {
        &self.fitted
    }

    /// Whether a column can change the score of a class.
    pub fn uses(&self, column: usize) -> bool {
        let Refinement { weights, corrections, .. } = &self.refinement;
        weights.get(column).is_some_and(|weight| *weight > 0.0)
            || corrections.get(column).is_some_and(|correction| !correction.is_none())
            || self.together.iter().any(|columns| columns.contains(&column))
    }

    /// The weight of a column without its own correction. It may still be in a pair.
    pub fn weight_alone(&self, column: usize) -> Option<f64> {
        let is_alone = self.refinement.corrections.get(column)?.is_none();
        is_alone.then(|| self.refinement.weights[column])
    }

    /// The weight that all columns have, if it is the same and there are no corrections.
    pub fn one_weight(&self) -> Option<f64> {
        self.refinement.is_one_weight().then(|| self.refinement.weights.first().copied())?
    }

    /// What is multiplied with the values of a column and added to the score of each class, if its terms are
    /// such products.
    pub fn per_unit(&self, column: usize) -> Option<&[f64]> {
        let n_classes = self.refinement.n_classes;
        let is_linear = self.linear.get(column) == Some(&true);
        is_linear.then(|| &self.per_unit[column * n_classes..(column + 1) * n_classes])
    }

    /// Weights and corrections.
    pub fn refinement(&self) -> &Refinement {
        &self.refinement
    }

    /// What a cell adds to the score of a class, without the [line](crate::Correction::line) of its column.
    pub fn without_line(&self, class: usize, column: usize, value: f64) -> f64 {
        if self.linear.get(column) == Some(&true) {
            return self.log_likelihood(class, column, value);
        }
        self.term(class, column, value, Corrected { line: None, ..self.correction(column, value) })
    }

    /// What the value of a column adds beside its weighted log-likelihood.
    fn correction(&self, column: usize, value: f64) -> Corrected<'_> {
        let correction = &self.refinement.corrections[column];
        let line = correction.line().filter(|_| !value.is_nan());
        Corrected {
            level: correction.at(value),
            line: line.map(|line| (&*line.per_unit, line.distance(value))),
        }
    }

    /// What a cell adds to the score of a class.
    fn term(&self, class: usize, column: usize, value: f64, corrected: Corrected<'_>) -> f64 {
        let weight = self.refinement.weights[column];
        // A weight of zero takes no part, even where a class is impossible.
        let weighted =
            if weight > 0.0 { weight * self.fitted.log_likelihood(class, column, value) } else { 0.0 };
        let line = corrected.line.map_or(0.0, |(per_unit, distance)| per_unit[class] * distance);
        weighted + corrected.level.get(class).copied().unwrap_or(0.0) + line
    }
}

/// What is added to all classes for a value.
#[derive(Clone, Copy)]
struct Corrected<'a> {
    level: &'a [f64],
    /// One number per class, and what they are multiplied with.
    line: Option<(&'a [f64], f64)>,
}

impl<F: Likelihood> Likelihood for FittedRefined<F> {
    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        self.fitted.check(rows)
    }

    fn shape(&self) -> Option<(usize, usize)> {
        self.fitted.shape()
    }

    fn interactions(&self) -> Option<&dyn Interactions> {
        if self.together.is_empty() { None } else { Some(self) }
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        if self.linear.get(column) == Some(&true) {
            return value * self.per_unit[column * self.refinement.n_classes + class];
        }
        self.term(class, column, value, self.correction(column, value))
    }

    fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
        self.check(rows)?;
        if let Block::Sparse(sparse) = rows {
            let mut cells = vec![0.0; self.linear.len()];
            for (row, (columns, values)) in sparse.rows().enumerate() {
                for (column, &value) in columns.iter().zip(values) {
                    cells[column] = value;
                    if self.linear[column] {
                        self.add_linear(row, column, value, scores);
                    }
                }
                self.add_others(row, &cells, scores);
                for column in columns.iter() {
                    cells[column] = 0.0;
                }
            }
            return Ok(());
        }
        rows.for_each_row(|row, cells| {
            if !self.per_unit.is_empty() {
                for (column, &value) in cells.iter().enumerate() {
                    if value != 0.0 && self.linear[column] {
                        self.add_linear(row, column, value, scores);
                    }
                }
            }
            self.add_others(row, cells, scores);
        });
        Ok(())
    }
}

impl<F: Likelihood> Interactions for FittedRefined<F> {
    fn n_interactions(&self) -> usize {
        self.together.len()
    }

    fn columns(&self, interaction: usize) -> &[usize] {
        &self.together[interaction]
    }

    fn terms(&self, interaction: usize, cells: &[f64]) -> &[f64] {
        let Refinement { pairs, absent_texts, .. } = &self.refinement;
        if let Some(pair) = pairs.get(interaction) {
            return pair.at(pair.columns.map(|column| cells[column]));
        }
        let text = &absent_texts[interaction - pairs.len()];
        let is_absent = cells[text.terms.clone()].iter().all(|&value| value == 0.0);
        if is_absent { &text.added } else { &[] }
    }
}

impl<F: Likelihood> FittedRefined<F> {
    fn add_linear(&self, row: usize, column: usize, value: f64, scores: &mut Scores<'_>) {
        let n_classes = self.refinement.n_classes;
        let per_unit = &self.per_unit[column * n_classes..(column + 1) * n_classes];
        for (class, per_unit) in per_unit.iter().enumerate() {
            scores.add(row, class, value * per_unit);
        }
    }

    fn add_others(&self, row: usize, cells: &[f64], scores: &mut Scores<'_>) {
        for &column in &self.others {
            // Looked up once for all classes.
            let corrected = self.correction(column, cells[column]);
            for class in 0..scores.n_classes() {
                scores.add(row, class, self.term(class, column, cells[column], corrected));
            }
        }
        for interaction in 0..self.together.len() {
            for (class, &term) in self.terms(interaction, cells).iter().enumerate() {
                scores.add(row, class, term);
            }
        }
    }
}
