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
    /// The calibration error over bins of equal width as it is mostly given, of all folds of a repeat
    /// together.
    ExpectedCalibrationError,
    /// The root of the mean squared error of the posteriors over rows and classes.
    Rmse,
    /// Matthews' correlation coefficient.
    Matthews,
    /// Cohen's kappa.
    Kappa,
    /// The part of the rows predicted to be of the positive class that are.
    Precision,
    /// The part of the rows of the positive class that were predicted to be.
    Recall,
    /// The harmonic mean of precision and recall of the positive class.
    F1,
    /// The part of the rows whose class is in the prediction set.
    Coverage,
    /// The mean number of classes of the prediction sets.
    SetSize,
    /// How far groups differ in the part that is predicted to be of the positive class.
    DemographicParity,
    /// How far groups differ in the recall of the positive class.
    EqualOpportunity,
    /// How far groups differ in the recall of the positive class, or in the part of the other rows that is
    /// predicted to be of it.
    EqualizedOdds,
}

impl Measure {
    /// All measures, in the order of reports.
    pub const ALL: [Self; 19] = [
        Self::Accuracy,
        Self::BalancedAccuracy,
        Self::MacroF1,
        Self::LogLoss,
        Self::Brier,
        Self::Auc,
        Self::CalibrationError,
        Self::ExpectedCalibrationError,
        Self::Rmse,
        Self::Matthews,
        Self::Kappa,
        Self::Precision,
        Self::Recall,
        Self::F1,
        Self::Coverage,
        Self::SetSize,
        Self::DemographicParity,
        Self::EqualOpportunity,
        Self::EqualizedOdds,
    ];

    /// Whether it is of the positive class of a design, and does not exist without one.
    ///
    /// ```
    /// use nb_compare::Measure;
    ///
    /// assert!(Measure::Recall.needs_positive() && !Measure::Auc.needs_positive());
    /// ```
    pub fn needs_positive(self) -> bool {
        matches!(self, Self::Precision | Self::Recall | Self::F1) || self.needs_protected()
    }

    /// Whether it compares the groups of the protected column of a design, and does not exist without one.
    ///
    /// ```
    /// use nb_compare::Measure;
    ///
    /// assert!(Measure::EqualizedOdds.needs_protected() && !Measure::Recall.needs_protected());
    /// ```
    pub fn needs_protected(self) -> bool {
        matches!(self, Self::DemographicParity | Self::EqualOpportunity | Self::EqualizedOdds)
    }

    /// Whether it is of prediction sets, and does not exist without the coverage that a design wants of them.
    ///
    /// ```
    /// use nb_compare::Measure;
    ///
    /// assert!(Measure::SetSize.needs_coverage() && !Measure::Accuracy.needs_coverage());
    /// ```
    pub fn needs_coverage(self) -> bool {
        matches!(self, Self::Coverage | Self::SetSize)
    }

    /// Whether variants are ranked by it. Coverage is what prediction sets are made to have, whatever the
    /// variant: more of it is not better.
    pub(crate) fn is_ranked(self) -> bool {
        self != Self::Coverage
    }

    /// Whether folds have too few rows for it, so that it is of all tested rows of a repeat together.
    pub(crate) fn is_pooled(self) -> bool {
        matches!(self, Self::CalibrationError | Self::ExpectedCalibrationError) || self.needs_protected()
    }

    /// Whether larger values are better.
    pub fn larger_is_better(self) -> bool {
        !matches!(
            self,
            Self::LogLoss
                | Self::Brier
                | Self::CalibrationError
                | Self::ExpectedCalibrationError
                | Self::Rmse
                | Self::SetSize
                | Self::DemographicParity
                | Self::EqualOpportunity
                | Self::EqualizedOdds
        )
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
            Self::ExpectedCalibrationError => "expected calibration error",
            Self::Rmse => "root mean squared error",
            Self::Matthews => "Matthews correlation",
            Self::Kappa => "kappa",
            Self::Precision => "precision",
            Self::Recall => "recall",
            Self::F1 => "F1",
            Self::Coverage => "coverage",
            Self::SetSize => "set size",
            Self::DemographicParity => "demographic parity difference",
            Self::EqualOpportunity => "equal opportunity difference",
            Self::EqualizedOdds => "equalised odds difference",
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
            Self::ExpectedCalibrationError => "expected-calibration-error",
            Self::Rmse => "rmse",
            Self::Matthews => "matthews",
            Self::Kappa => "kappa",
            Self::Precision => "precision",
            Self::Recall => "recall",
            Self::F1 => "f1",
            Self::Coverage => "coverage",
            Self::SetSize => "set-size",
            Self::DemographicParity => "demographic-parity",
            Self::EqualOpportunity => "equal-opportunity",
            Self::EqualizedOdds => "equalized-odds",
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
                "the area under the ROC curve, of the positive class against the others if one is chosen; else of more than two classes \
                 the unweighted mean of each against the others (Hanley and McNeil 1982, Fawcett 2006)"
            }
            Self::CalibrationError => {
                "the root of the debiased mean square of accuracy less posterior of the predicted class, over at most 15 bins of \
                 equal mass with at least 10 rows, of all tested rows of a repeat together; 0 if it cannot be told from chance \
                 (Kumar, Liang and Ma 2019; Roelofs et al. 2022)"
            }
            Self::ExpectedCalibrationError => {
                "the mean distance of accuracy and posterior of the predicted class over 15 bins of equal width, weighted by their rows, of \
                 all tested rows of a repeat together; above 0 by chance alone, the more so the fewer the rows (Guo et al. 2017)"
            }
            Self::Rmse => {
                "the root of the mean squared difference of the posteriors from 0 and 1 over rows and classes, as Weka has it: the root of the \
                 Brier score divided by the number of classes"
            }
            Self::Matthews => {
                "the correlation of the true and the predicted class, from -1 to 1, 0 if one class is always predicted (Matthews 1975, for more \
                 classes Gorodkin 2004)"
            }
            Self::Kappa => {
                "the accuracy less that of predictions of the same frequencies by chance, divided by 1 less the latter (Cohen 1960)"
            }
            Self::Precision => "the part of the rows predicted to be of the positive class that are",
            Self::Recall => "the part of the rows of the positive class that were predicted to be",
            Self::F1 => {
                "the harmonic mean of precision and recall of the positive class (van Rijsbergen 1979)"
            }
            Self::Coverage => {
                "the part of the rows whose class is in the prediction set: near the level that the sets are made for, by split conformal \
                 prediction, whatever the variant, if rows are exchangeable (Vovk, Gammerman and Shafer 2005)"
            }
            Self::SetSize => {
                "the mean number of classes of the prediction sets, which have every class whose posterior reaches a bound: of the posteriors of \
                 the true classes of the n rows tested in the other folds of the repeat (of a single fold, in the other half) the one of rank \
                 ⌈(n + 1) level⌉ from above (Sadinle, Lei and Wasserman 2019; Vovk 2015)"
            }
            Self::DemographicParity => {
                "the largest part of a protected group predicted to be of the positive class, less the smallest one; above 0 by chance alone, \
                 the more so the smaller the groups (Dwork et al. 2012)"
            }
            Self::EqualOpportunity => {
                "the largest recall of the positive class in a protected group, less the smallest one (Hardt, Price and Srebro 2016)"
            }
            Self::EqualizedOdds => {
                "the larger one of two differences between protected groups: that of the recall of the positive class, and that of the part of \
                 the other rows predicted to be of it (Hardt, Price and Srebro 2016)"
            }
        }
    }

    /// The least and the largest value.
    pub fn range(self) -> (f64, f64) {
        match self {
            Self::LogLoss | Self::SetSize => (0.0, f64::INFINITY),
            Self::Brier => (0.0, 2.0),
            Self::Matthews | Self::Kappa => (-1.0, 1.0),
            _ => (0.0, 1.0),
        }
    }

    /// Its position in [`ALL`](Self::ALL).
    pub fn position(self) -> usize {
        self as usize
    }

    /// What it is for some predictions, with the position of the positive class, if there is one; `None`
    /// where it does not exist, and of prediction sets and groups.
    pub fn of(self, measures: &Measures, positive: Option<usize>) -> Option<f64> {
        let of_class = positive.and_then(|class| measures.classes.get(class));
        match self {
            Self::Accuracy => measures.accuracy,
            Self::BalancedAccuracy => measures.balanced_accuracy,
            Self::MacroF1 => measures.macro_f1,
            Self::LogLoss => measures.log_loss,
            Self::Brier => measures.brier,
            Self::Auc => of_class.map_or(measures.auc, |class| class.auc),
            Self::CalibrationError => measures.calibration_error,
            Self::ExpectedCalibrationError => measures.expected_calibration_error,
            Self::Rmse => measures.root_mean_squared_error,
            Self::Matthews => measures.matthews,
            Self::Kappa => measures.kappa,
            Self::Precision => of_class?.precision,
            Self::Recall => of_class?.recall,
            Self::F1 => of_class?.f1,
            // They are of more than the measures of rows one by one.
            Self::Coverage
            | Self::SetSize
            | Self::DemographicParity
            | Self::EqualOpportunity
            | Self::EqualizedOdds => None,
        }
    }
}

/// A value of each measure, in the order of [`Measure::ALL`]; `None` where it does not exist.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Values(#[serde(with = "crate::json::numbers")] pub [Option<f64>; Measure::ALL.len()]);

impl Values {
    /// All measures of some predictions, with the position of the positive class, if there is one.
    pub fn of(measures: &Measures, positive: Option<usize>) -> Self {
        Self(Measure::ALL.map(|measure| measure.of(measures, positive)))
    }

    /// The same without what folds have too few rows for.
    #[must_use]
    pub(crate) fn of_fold(&self) -> Self {
        Self(Measure::ALL.map(|measure| self.get(measure).filter(|_| !measure.is_pooled())))
    }

    /// Sets the value of a measure.
    pub(crate) fn set(&mut self, measure: Measure, value: Option<f64>) {
        self.0[measure.position()] = value;
    }

    /// The value of a measure.
    pub fn get(&self, measure: Measure) -> Option<f64> {
        self.0[measure.position()]
    }
}
