//! How much rows say of the corrections of a refined model: the curvature of the conditional log-likelihood.

use nb_core::{Rows, error::PredictError, family::BlockBuffer};
use nb_io::{Model, read::Chunk};

use super::{feature::Fitted, interval::Curvature};

/// With more features, such as the terms of texts, corrections are numbers per unit.
const MOST_FEATURES: usize = 4096;

/// `Σ p(1 − p)` for each class, over the rows in each bin or category of each column with corrections.
#[derive(Clone, Debug, Default)]
pub(crate) struct Curvatures {
    columns: Vec<Option<Curvature>>,
    n_rows: usize,
    /// How many rows the corrections were learnt from.
    learnt_from: u64,
}

impl Curvatures {
    pub(crate) fn new(model: &Model) -> Self {
        let Some(refinement) = model.refinement() else { return Self::default() };
        let n_classes = refinement.classes.len();
        let columns = refinement.columns.corrections.iter().map(|correction| {
            let n_levels = correction.levels().len() / n_classes.max(1);
            let cuts = correction.cuts().map(<[f64]>::to_vec);
            (n_levels > 0).then(|| Curvature { cuts, levels: vec![vec![0.0; n_classes]; n_levels] })
        });
        if refinement.columns.corrections.len() > MOST_FEATURES {
            return Self::default();
        }
        Self { columns: columns.collect(), n_rows: 0, learnt_from: refinement.n_rows }
    }

    /// Adds rows, by the probabilities of the model without its calibration map.
    ///
    /// # Errors
    /// [`PredictError`] names a cell that the model does not take.
    pub(crate) fn add(&mut self, classifier: &Fitted, chunk: &Chunk) -> Result<(), PredictError> {
        if self.columns.iter().all(Option::is_none) {
            return Ok(());
        }
        let posteriors = classifier.predict_proba(&chunk.rows)?;
        let mut buffer = BlockBuffer::default();
        for (row, posterior) in posteriors.rows().into_iter().enumerate() {
            self.n_rows += 1;
            chunk.rows.copy_rows(&[row], &mut buffer);
            buffer.block().for_each_row(|_, cells| {
                for (curvature, &value) in self.columns.iter_mut().zip(cells) {
                    let Some(curvature) = curvature.as_mut().filter(|_| !value.is_nan()) else { continue };
                    let level = curvature.level(value);
                    let Some(sums) = curvature.levels.get_mut(level) else { continue };
                    sums.iter_mut().zip(posterior).for_each(|(sum, p)| *sum += p * (1.0 - p));
                }
            });
        }
        Ok(())
    }

    /// That of a column, as if there were as many rows as the corrections were learnt from.
    pub(crate) fn of(&self, column: usize) -> Option<Curvature> {
        let mut curvature = self.columns.get(column)?.clone()?;
        let scale = self.learnt_from as f64 / self.n_rows.max(1) as f64;
        curvature.levels.iter_mut().flatten().for_each(|sum| *sum *= scale);
        Some(curvature)
    }
}
