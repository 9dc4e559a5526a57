//! Weights and corrections on the wire.

use nb_discriminative::{Correction, Refinement};
use serde::{Deserialize, Serialize};

use crate::{HeldOutMeasures, ModelRefinement};

/// The first version of the format that has bins, and weights and corrections.
pub(in crate::file) const REFINEMENT_VERSION: u16 = 8;

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(in crate::file) struct RefinementDocument {
    classes: Vec<String>,
    offsets: Vec<f64>,
    weights: Vec<f64>,
    corrections: Vec<CorrectionDocument>,
    n_rows: u64,
    held_out: HeldOutMeasures,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct CorrectionDocument {
    cuts: Option<Vec<f64>>,
    levels: Vec<f64>,
    missing: Vec<f64>,
    per_unit: Vec<f64>,
}

impl RefinementDocument {
    pub(super) fn of(refinement: &ModelRefinement) -> Self {
        let corrections = refinement.columns.corrections.iter().map(|correction| CorrectionDocument {
            cuts: correction.cuts().map(<[f64]>::to_vec),
            levels: correction.levels().to_vec(),
            missing: correction.missing().to_vec(),
            per_unit: correction.per_unit().to_vec(),
        });
        Self {
            classes: refinement.classes.clone(),
            offsets: refinement.offsets.clone(),
            weights: refinement.columns.weights.clone(),
            corrections: corrections.collect(),
            n_rows: refinement.n_rows,
            held_out: refinement.held_out,
        }
    }

    pub(super) fn into_refinement(self) -> ModelRefinement {
        let corrections = self.corrections.into_iter().map(CorrectionDocument::into_correction);
        ModelRefinement {
            columns: Refinement {
                n_classes: self.classes.len(),
                weights: self.weights,
                corrections: corrections.collect(),
                // Of another part of the document.
                pairs: Vec::new(),
                absent_texts: Vec::new(),
            },
            classes: self.classes,
            offsets: self.offsets,
            n_rows: self.n_rows,
            held_out: self.held_out,
        }
    }
}

impl CorrectionDocument {
    fn into_correction(self) -> Correction {
        let Self { cuts, levels, missing, per_unit } = self;
        match cuts {
            Some(cuts) => Correction::steps(cuts, levels, missing),
            None if per_unit.is_empty() => Correction::categories(levels, missing),
            None => Correction::slope(per_unit),
        }
    }
}
