//! The fitted family.

use nb_core::{
    Likelihood,
    error::ValueError,
    family::{Block, Scores},
};

use crate::Refinement;

/// A fitted family with weights and corrections.
#[derive(Clone, Debug)]
pub struct FittedRefined<F> {
    fitted: F,
    refinement: Refinement,
}

impl<F: Likelihood> FittedRefined<F> {
    pub(super) fn new(fitted: F, refinement: Refinement) -> Self {
        Self { fitted, refinement }
    }

    /// The fitted family without weights and corrections.
    pub fn fitted(&self) -> &F {
        &self.fitted
    }

    /// Whether a column can change the score of a class.
    pub fn uses(&self, column: usize) -> bool {
        let Refinement { weights, corrections, .. } = &self.refinement;
        weights.get(column).is_some_and(|weight| *weight > 0.0)
            || corrections.get(column).is_some_and(|correction| !correction.missing().is_empty())
    }

    /// Weights and corrections.
    pub fn refinement(&self) -> &Refinement {
        &self.refinement
    }

    /// What a cell adds to the score of a class, with the corrections of its value for all classes.
    fn term(&self, class: usize, column: usize, value: f64, corrections: &[f64]) -> f64 {
        let weight = self.refinement.weights[column];
        // A weight of zero takes no part, even where a class is impossible.
        let weighted =
            if weight > 0.0 { weight * self.fitted.log_likelihood(class, column, value) } else { 0.0 };
        weighted + corrections.get(class).copied().unwrap_or(0.0)
    }
}

impl<F: Likelihood> Likelihood for FittedRefined<F> {
    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        self.fitted.check(rows)
    }

    fn shape(&self) -> Option<(usize, usize)> {
        self.fitted.shape()
    }

    fn log_likelihood(&self, class: usize, column: usize, value: f64) -> f64 {
        self.term(class, column, value, self.refinement.corrections[column].at(value))
    }

    fn score(&self, rows: &Block<'_>, scores: &mut Scores<'_>) -> Result<(), ValueError> {
        self.check(rows)?;
        let n_classes = scores.n_classes();
        rows.for_each_row(|row, cells| {
            for (column, &value) in cells.iter().enumerate() {
                // Looked up once for all classes.
                let corrections = self.refinement.corrections[column].at(value);
                for class in 0..n_classes {
                    scores.add(row, class, self.term(class, column, value, corrections));
                }
            }
        });
        Ok(())
    }
}
