//! What is measured.

use nb_metrics::Measures;
use serde::{Deserialize, Serialize};

/// A measure of predictions. What each means, and its source, is said in [`nb_metrics::Measures`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// The part of the rows whose class was predicted.
    Accuracy,
    /// The mean recall of the classes.
    BalancedAccuracy,
    /// The mean F1 of the classes.
    MacroF1,
    /// The mean of `-ln p(true class)`.
    LogLoss,
    /// The mean squared error of the posteriors.
    Brier,
    /// The area under the ROC curve.
    Auc,
    /// The debiased calibration error of all folds of a repeat together.
    CalibrationError,
}

impl Measure {
    /// All measures, in the order of reports.
    pub const ALL: [Self; 7] = [
        Self::Accuracy,
        Self::BalancedAccuracy,
        Self::MacroF1,
        Self::LogLoss,
        Self::Brier,
        Self::Auc,
        Self::CalibrationError,
    ];

    /// Whether larger values are better.
    pub fn larger_is_better(self) -> bool {
        !matches!(self, Self::LogLoss | Self::Brier | Self::CalibrationError)
    }

    /// The name as reports write it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::BalancedAccuracy => "balanced accuracy",
            Self::MacroF1 => "macro F1",
            Self::LogLoss => "log-loss",
            Self::Brier => "Brier score",
            Self::Auc => "AUC",
            Self::CalibrationError => "calibration error",
        }
    }

    /// The name as files and options write it.
    pub fn key(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::BalancedAccuracy => "balanced-accuracy",
            Self::MacroF1 => "macro-f1",
            Self::LogLoss => "log-loss",
            Self::Brier => "brier",
            Self::Auc => "auc",
            Self::CalibrationError => "calibration-error",
        }
    }

    /// What it is, for reports.
    pub fn definition(self) -> &'static str {
        match self {
            Self::Accuracy => "the part of the rows whose class was predicted",
            Self::BalancedAccuracy => {
                "the mean over classes of the part of their rows that was predicted right (recall)"
            }
            Self::MacroF1 => "the mean over classes of F1, the harmonic mean of precision and recall",
            Self::LogLoss => {
                "the mean of -ln p of the true class, nothing clipped: infinite if a true class has posterior 0 (Good 1952)"
            }
            Self::Brier => {
                "the mean of the squared differences of the posteriors from 0 and 1, summed over classes: from 0 to 2, for two \
                 classes twice the one-sided form (Brier 1950)"
            }
            Self::Auc => {
                "the area under the ROC curve; of more than two classes the unweighted mean of each against the others (Hanley \
                 and McNeil 1982, Fawcett 2006)"
            }
            Self::CalibrationError => {
                "the root of the debiased mean square of accuracy less posterior of the predicted class, over at most 15 bins of \
                 equal mass with at least 10 rows, of all tested rows of a repeat together; 0 if it cannot be told from chance \
                 (Kumar, Liang and Ma 2019; Roelofs et al. 2022)"
            }
        }
    }

    /// The least and the largest value.
    pub fn range(self) -> (f64, f64) {
        match self {
            Self::LogLoss => (0.0, f64::INFINITY),
            Self::Brier => (0.0, 2.0),
            _ => (0.0, 1.0),
        }
    }

    /// Its position in [`ALL`](Self::ALL).
    pub fn position(self) -> usize {
        self as usize
    }

    /// What it is for some predictions; `None` where it does not exist.
    pub fn of(self, measures: &Measures) -> Option<f64> {
        match self {
            Self::Accuracy => measures.accuracy,
            Self::BalancedAccuracy => measures.balanced_accuracy,
            Self::MacroF1 => measures.macro_f1,
            Self::LogLoss => measures.log_loss,
            Self::Brier => measures.brier,
            Self::Auc => measures.auc,
            Self::CalibrationError => measures.calibration_error,
        }
    }
}

/// A value of each measure, in the order of [`Measure::ALL`]; `None` where it does not exist.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Values(#[serde(with = "crate::json::numbers")] pub [Option<f64>; 7]);

impl Values {
    /// All measures of some predictions.
    pub fn of(measures: &Measures) -> Self {
        Self(Measure::ALL.map(|measure| measure.of(measures)))
    }

    /// The same without a measure.
    #[must_use]
    pub(crate) fn without(mut self, measure: Measure) -> Self {
        self.0[measure.position()] = None;
        self
    }

    /// The value of a measure.
    pub fn get(&self, measure: Measure) -> Option<f64> {
        self.0[measure.position()]
    }
}
