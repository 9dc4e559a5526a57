//! Columns whose scores are one number per bin or category and class, for languages that have no families.

use nb_core::{Likelihood, fitted::FittedBlocks};
use nb_discriminative::Line;

use super::FittedFamily;

/// What a column adds to the score of each class by itself: a number per bin or category, and perhaps a line.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ScoreTable {
    /// The cut points of bins, of which the first has the values up to the first cut; `None` for categories.
    pub cuts: Option<Vec<f64>>,
    /// For each bin, or category 0, 1, and so on, what it adds to each class.
    pub levels: Vec<Vec<f64>>,
    /// What a missing cell adds to each class.
    pub missing: Vec<f64>,
    /// What any other category adds.
    pub other: Vec<f64>,
    /// What the value adds beside its bin, if there is such a line.
    pub line: Option<Line>,
}

impl FittedFamily {
    /// What a column adds to each class by itself; `None` if that is not one number per bin or category, or
    /// no block has the column.
    ///
    /// There is one for each column of bins, and for bins and categories that have weights and corrections.
    pub fn score_table(&self, column: usize) -> Option<ScoreTable> {
        match self {
            Self::Blocks(blocks) => {
                let (fitted, position) = block_of(blocks, column)?;
                fitted.score_table(position)
            }
            Self::Binned(fitted) => {
                let n_classes = fitted.shape()?.0;
                Some(self.table(column, n_classes, Some(fitted.cuts().column(column).to_vec()), 0))
            }
            Self::Refined(refined) => {
                let refinement = refined.refinement();
                let correction = refinement.corrections.get(column)?;
                let (fitted, position) = match refined.fitted() {
                    Self::Blocks(blocks) => block_of(blocks, column)?,
                    fitted => (fitted, column),
                };
                match fitted {
                    Self::Binned(fitted) => {
                        let cuts = fitted.cuts().column(position);
                        let is_same = correction.levels().is_empty() || correction.cuts() == Some(cuts);
                        is_same.then(|| self.table(column, refinement.n_classes, Some(cuts.to_vec()), 0))
                    }
                    fitted if correction.cuts().is_none() => {
                        let fitted = fitted.of_categories()?;
                        let of_correction = correction.levels().len() / refinement.n_classes.max(1);
                        let of_family = fitted.codes(position).last().map_or(0, |last| last + 1);
                        let n_levels = of_correction.max(of_family);
                        Some(self.table(column, refinement.n_classes, None, n_levels))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Where what a column adds jumps or bends, in order: the cut points of its bins, given or those of its
    /// correction, and the limits of its line.
    pub fn breaks(&self, column: usize, cuts: &[f64]) -> Vec<f64> {
        let mut all = cuts.to_vec();
        if let Self::Refined(refined) = self
            && let Some(correction) = refined.refinement().corrections.get(column)
        {
            all.extend(correction.cuts().unwrap_or_default());
            all.extend(correction.line().into_iter().flat_map(|line| [line.low, line.high]));
        }
        all.sort_by(f64::total_cmp);
        all.dedup();
        all
    }

    /// Whether a column adds a line beside its bins.
    pub fn has_line(&self, column: usize) -> bool {
        let Self::Refined(refined) = self else { return false };
        let correction = refined.refinement().corrections.get(column);
        correction.is_some_and(|correction| correction.line().is_some())
    }

    /// The scores of a value in each bin, or of each category.
    fn table(
        &self,
        column: usize,
        n_classes: usize,
        cuts: Option<Vec<f64>>,
        n_categories: usize,
    ) -> ScoreTable {
        let score = |class, value| match self {
            Self::Refined(refined) => refined.without_line(class, column, value),
            fitted => fitted.log_likelihood(class, column, value),
        };
        let scores = |value: f64| (0..n_classes).map(|class| score(class, value)).collect();
        let line = match self {
            Self::Refined(refined) => refined.refinement().corrections[column].line().cloned(),
            _ => None,
        };
        let values: Vec<f64> = match &cuts {
            // A cut lies in the bin below it.
            Some(cuts) => {
                cuts.iter().copied().chain([cuts.last().map_or(0.0, |last| last.next_up())]).collect()
            }
            None => (0..n_categories).map(|code| code as f64).collect(),
        };
        ScoreTable {
            levels: values.into_iter().map(scores).collect(),
            missing: scores(f64::NAN),
            other: if cuts.is_some() { Vec::new() } else { scores(n_categories as f64) },
            cuts,
            line,
        }
    }
}

/// The block of a column, and its position there.
fn block_of(blocks: &FittedBlocks<FittedFamily>, column: usize) -> Option<(&FittedFamily, usize)> {
    blocks.iter().find_map(|(columns, fitted)| {
        let position = columns.iter().position(|&own| own == column)?;
        Some((fitted, position))
    })
}
