//! What a model keeps of its training, on the wire.

use serde::{Deserialize, Serialize};

use crate::{HeldOutMeasures, RowFingerprint, fingerprint::COUNTERS, model::Training};

/// The first version of the format that has measures of held-out rows of plain models, and fingerprints of
/// rows.
pub(in crate::file) const TRAINING_VERSION: u16 = 10;

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(in crate::file) struct TrainingDocument {
    held_out: Option<HeldOutMeasures>,
    rows: Option<RowsDocument>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct RowsDocument {
    n_rows: u64,
    sum: u64,
    counters: Vec<i32>,
}

impl TrainingDocument {
    /// The document, if there is anything to be said.
    pub(super) fn of(training: &Training) -> Option<Self> {
        let rows = training.rows.as_ref();
        let rows = rows.map(|rows| RowsDocument {
            n_rows: rows.n_rows,
            sum: rows.sum,
            counters: rows.counters.to_vec(),
        });
        let held_out = training.held_out;
        (held_out.is_some() || rows.is_some()).then_some(Self { held_out, rows })
    }

    pub(super) fn into_training(self) -> Result<Training, &'static str> {
        let rows = self.rows.map(|RowsDocument { n_rows, sum, counters }| {
            if counters.len() != COUNTERS {
                return Err("the fingerprint of rows does not have 512 counters");
            }
            Ok(RowFingerprint { n_rows, sum, counters: counters.into() })
        });
        Ok(Training { held_out: self.held_out, rows: rows.transpose()?, ..Training::default() })
    }
}
