//! How measures are read and written.

use nb_significance::Better;

use super::{score::Score, view::Cell};

/// A measure.
#[derive(Clone, Copy)]
pub(super) struct Measure {
    pub(super) title: &'static str,
    read: fn(&Score) -> f64,
    better: Better,
    digits: usize,
}

pub(super) const LOG_LOSS: Measure =
    Measure { title: "Log-loss", read: |score| score.log_loss, better: Better::Smaller, digits: 4 };

pub(super) const ACCURACY: Measure = Measure {
    title: "Accuracy, per cent",
    read: |score| 100.0 * score.accuracy,
    better: Better::Larger,
    digits: 1,
};

pub(super) const AUC: Measure = Measure {
    title: "Area under the ROC curve, per cent",
    read: |score| 100.0 * score.auc,
    better: Better::Larger,
    digits: 1,
};

pub(super) const CALIBRATION: Measure = Measure {
    title: "Calibration error, per cent",
    read: |score| 100.0 * score.calibration_error,
    better: Better::Smaller,
    digits: 1,
};

/// All of them, in the order of the page.
pub(super) const MEASURES: [Measure; 4] = [LOG_LOSS, ACCURACY, AUC, CALIBRATION];

impl Measure {
    /// Of a cell; worse than any other where there is no score.
    pub(super) fn of(self, cell: &Cell) -> f64 {
        let worst = if self.better == Better::Larger { f64::NEG_INFINITY } else { f64::INFINITY };
        cell.score().map_or(worst, self.read)
    }

    /// Whether a value is as good as another one, or better.
    pub(super) fn is_no_worse(self, value: f64, other: f64) -> bool {
        if self.better == Better::Larger { value >= other } else { value <= other }
    }

    /// As tables have it.
    pub(super) fn text(self, value: f64) -> String {
        if value.is_finite() { format!("{value:.*}", self.digits) } else { "–".into() }
    }
}
