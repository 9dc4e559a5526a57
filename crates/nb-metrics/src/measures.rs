//! The measures, as plain numbers.

use crate::{calibration::ReliabilityBin, confusion::ClassMeasures, interval::Interval, tally::Tally};

/// What can be said of the answers of a model. A measure that does not exist is `None`, never NaN.
///
/// What rows of classes that the model never saw ([`unseen`](Self::unseen)) and rows without an answer
/// ([`unanswered`](Self::unanswered)) do:
///
/// | measure | of an unseen class | without an answer |
/// | --- | --- | --- |
/// | accuracy | wrong | wrong |
/// | balanced accuracy, macro F1 | together one more class, of recall and F1 0 | missed rows of their class |
/// | precision of a class | wrongly predicted | not predicted |
/// | Matthews' correlation, kappa | together one more class | one more answer, never right |
/// | log-loss | infinite | as any other |
/// | Brier score | one more class, of posterior 0 | as any other |
/// | calibration | wrong | left out: there is no confidence in no answer |
/// | AUC | left out | as any other |
///
/// All measures of posteriors (log-loss, Brier score, AUC, calibration) are `None` as soon as one row came
/// without posteriors.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Measures {
    /// All rows.
    pub rows: Tally,
    /// Rows of classes that the model never saw.
    pub unseen: Tally,
    /// Rows without an answer.
    pub unanswered: Tally,
    /// Rows whose true class had posterior 0 (or a log-posterior below `-2^900`), those of unseen classes
    /// among them: each makes the log-loss infinite.
    pub impossible: Tally,
    /// The part of the rows that was predicted right.
    pub accuracy: Option<f64>,
    /// The 95 % score interval of the accuracy ([`Interval::wilson`]), with the effective number of rows,
    /// `(Σ w)² / Σ w²`, as the number of trials: the number of rows if all have the same weight, and
    /// fewer otherwise. It supposes rows that are independent.
    ///
    /// Kish 1965, *Survey Sampling*, section 11.7.
    pub accuracy_interval: Option<Interval>,
    /// The mean recall of the classes that the rows have: 1/n for guessing among n of them, however unequal
    /// their sizes.
    ///
    /// Brodersen, Ong, Stephan and Buhmann 2010, *The balanced accuracy and its posterior distribution*,
    /// ICPR, 3121-3124; for more than two classes Kelleher, Mac Namee and D'Arcy 2015, *Fundamentals of
    /// Machine Learning for Predictive Data Analytics*, chapter 8.
    pub balanced_accuracy: Option<f64>,
    /// The mean F1 of the classes that occur, among the rows or among the predictions
    /// ([`ClassMeasures::f1`]): the mean of the harmonic means, not the other way round.
    ///
    /// Sokolova and Lapalme 2009, *A systematic analysis of performance measures for classification tasks*,
    /// Information Processing & Management 45, 427-437, for averages over classes; Opitz and Burst 2019,
    /// *Macro F1 and macro F1*, arXiv:1911.03347, for the order of the means.
    pub macro_f1: Option<f64>,
    /// Matthews' correlation coefficient, from -1 to 1, for any number of classes: the correlation of the
    /// indicators of the true and of the predicted class, `(c s - Σ t_k p_k)/√((s² - Σ t_k²)(s² - Σ
    /// p_k²))` with `s` rows, `c` of them right, `t_k` of class k and `p_k` predicted to be. 0 if all
    /// rows have one class or all predictions are one; `None` if both are so.
    ///
    /// Matthews 1975, *Comparison of the predicted and observed secondary structure of T4 phage lysozyme*,
    /// Biochimica et Biophysica Acta 405, 442-451; more than two classes: Gorodkin 2004, *Comparing two
    /// K-category assignments by a K-category correlation coefficient*, Computational Biology and
    /// Chemistry 28, 367-374.
    pub matthews: Option<f64>,
    /// Cohen's kappa, the accuracy beyond chance: `(a - e)/(1 - e)`, where `a` is the accuracy and `e = Σ
    /// t_k p_k/s²` that of predictions of the same frequencies that know nothing of the row. `None` if
    /// all rows have one class and it is always predicted.
    ///
    /// Cohen 1960, *A coefficient of agreement for nominal scales*, Educational and Psychological
    /// Measurement 20, 37-46.
    pub kappa: Option<f64>,
    /// Each class, in label order.
    pub classes: Vec<ClassMeasures>,
    /// The mean of `-ln p(true class | row)`: infinite if there is an [`impossible`](Self::impossible) row.
    /// Nothing is clipped.
    ///
    /// Good 1952, *Rational decisions*, Journal of the Royal Statistical Society B 14, 107-114.
    pub log_loss: Option<f64>,
    /// The log-loss of the rows that are not impossible, to be read beside the number of those that are.
    pub log_loss_of_possible: Option<f64>,
    /// The mean of `Σ_c (p(c | row) - [c is the true class])²`, from 0 to 2: the form in which Brier defined
    /// it. For two classes it is twice the one-sided form `(p(1 | row) - y)²` that is often called so.
    ///
    /// Brier 1950, *Verification of forecasts expressed in terms of probability*, Monthly Weather Review 78,
    /// 1-3.
    pub brier: Option<f64>,
    /// The root of the mean squared error of the posteriors over rows and classes, `√(brier/K)` for `K`
    /// classes of the model, and one more if there are unseen ones: what Weka calls the root mean
    /// squared error.
    pub root_mean_squared_error: Option<f64>,
    /// The area under the ROC curve. For two classes the probability that a row of the one has a larger
    /// posterior of it than a row of the other, ties counted half (the Mann-Whitney statistic); both
    /// classes have the same. For more, the mean over the classes that the rows have of the area of each
    /// against all others.
    ///
    /// Scores are compared as log-posteriors, so that posteriors that round to 0 still differ; for two
    /// classes, so do those that round to 1. A row that is impossible under every class ranks last for
    /// each of them; for two classes it ties with rows that prefer neither. `None` if the rows have only
    /// one class, or scores were not kept.
    ///
    /// Mann and Whitney 1947, *On a test of whether one of two random variables is stochastically larger
    /// than the other*, Annals of Mathematical Statistics 18, 50-60; Hanley and McNeil 1982, *The
    /// meaning and use of the area under a receiver operating characteristic (ROC) curve*, Radiology
    /// 143, 29-36. Each class against the others: Fawcett 2006, *An introduction to ROC analysis*,
    /// Pattern Recognition Letters 27, 861-874, section 9; the mean there is weighted by the sizes of
    /// the classes, here it is not, so that rare classes count as much as frequent ones.
    pub auc: Option<f64>,
    /// Hand and Till's M: the mean over all pairs of classes that the rows have of `(A(i|j) + A(j|i))/2`,
    /// where `A(i|j)` is the probability that a row of class i has a larger posterior of i than a row of
    /// class j. It does not depend on how many rows the classes have. For two classes it is the AUC.
    ///
    /// Hand and Till 2001, *A simple generalisation of the area under the ROC curve for multiple class
    /// classification problems*, Machine Learning 45, 171-186.
    pub auc_pairwise: Option<f64>,
    /// The root-mean-square calibration error of the answers, debiased: the root of `Σ_b n_b/n
    /// ((accuracy_b - confidence_b)² - accuracy_b (1 - accuracy_b)/(n_b - 1))`, or 0 where the sum is negative, over
    /// bins of about equal mass (`n_b`, but in the last term the effective number of rows, `(Σ w)² / Σ
    /// w²`) of the posterior of the predicted class, which is the top one if the most probable class is
    /// predicted.
    ///
    /// The term subtracted is the variance of the accuracy of a bin, by which the squared gap of a
    /// calibrated model is too large on average: without it, small samples look worse calibrated than
    /// large ones. 0 says that no error can be told from chance. Bins are joined from cells that are the
    /// same for all data, at most 1/64 of the posterior's distance from 0 or 1 wide; a bin has at least
    /// 10 effective rows, so that there are fewer than [`n_bins`](crate::Settings::n_bins) of few rows
    /// ([`calibration_bins`](Self::calibration_bins)). `None` for fewer than 2 effective rows.
    ///
    /// Kumar, Liang and Ma 2019, *Verified uncertainty calibration*, Advances in Neural Information
    /// Processing Systems 32, section 4; equal mass: Roelofs, Cain, Shlens and Mozer 2022, *Mitigating
    /// bias in calibration error estimation*, AISTATS, 4036-4054.
    pub calibration_error: Option<f64>,
    /// The number of bins of the calibration error; 0 where there is none.
    pub calibration_bins: u32,
    /// The expected calibration error as it is mostly given: the mean of `|accuracy_b - confidence_b|` over
    /// the bins of the [`reliability`](Self::reliability) diagram, weighted by their rows. Unlike
    /// [`calibration_error`](Self::calibration_error) it is above 0 for calibrated posteriors, the more so
    /// the fewer the rows.
    ///
    /// Naeini, Cooper and Hauskrecht 2015, *Obtaining well calibrated probabilities using Bayesian binning*,
    /// AAAI, 2901-2907; Guo, Pleiss, Sun and Weinberger 2017, *On calibration of modern neural
    /// networks*, ICML, 1321-1330.
    pub expected_calibration_error: Option<f64>,
    /// The rows by the posterior of the predicted class, in those of [`n_bins`](crate::Settings::n_bins)
    /// bins of equal width that have any, upwards: a reliability diagram.
    pub reliability: Vec<ReliabilityBin>,
}
