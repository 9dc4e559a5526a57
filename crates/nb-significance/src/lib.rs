//! Tests for comparing classifiers.
//!
//! # Should I be using this crate?
//!
//! Yes, to say whether one classifier is better than another, or only looks so: over the folds of one data
//! set, over the rows of one test set, or over many data sets. It takes scores and counts, whatever gave
//! them, and knows nothing of models. Scores themselves (accuracy, log-loss, AUC) are what nb-metrics
//! computes.
//!
//! | what you have | what to ask | how |
//! | --- | --- | --- |
//! | two classifiers, scores over folds or random splits of one data set | is one better on data of this kind? | [`corrected_cross_validation_t`], [`corrected_resampled_t`] |
//! | ... over five repeats of two folds | ... with a test made for these | [`five_by_two`] |
//! | ... and a difference that is too small to matter | how probable is it that they are practically the same? | [`CorrectedT::practical_difference`] |
//! | two classifiers, right or wrong on each row of one test set | does one of these two trained models err less often? | [`discordant`], [`mcnemar`] |
//! | two classifiers, a score for each of many data sets | is one better in general? | [`wilcoxon`] |
//! | ... and a difference that is too small to matter | how probable is it that they are practically the same in general? | [`bayesian_signed_rank`] |
//! | ... with the scores over folds of each data set | ... all folds in one model: how probable is it on the next data set? | [`hierarchical`] |
//! | more classifiers, a score for each of many data sets | do any differ? | [`friedman`] |
//! | ... and they do | which pairs differ? | [`nemenyi`]; with more power [`rank_tests`], or [`wilcoxon`] for each of [`pairs`] and [`PairwisePValues::holm`] |
//! | ... and one of them is your own | which others differ from it? | [`rank_tests_against`], [`critical_difference_from_control`] |
//! | p-values of all pairs | the bars of a critical-difference diagram | [`groups_by_difference`], [`groups_by_p_values`] |
//! | a difference that should be found | how many folds or data sets does that take? | [`CorrectedT::splits_needed`], [`CorrectedT::detectable_difference`], [`data_sets_needed`] |
//! | any of these | how large is the difference? | the interval of [`CorrectedT`], [`Wilcoxon::rank_biserial`], [`Friedman::kendalls_w`], [`paired_effect`], [`wins_ties_losses`] |
//! | counts or moments of two samples of one variable, such as the rows of a model and new ones | have they the same distribution? | [`homogeneity`], [`two_means`], and [`holm`] over all variables |
//! | ... and they do not | how large is the difference? | [`population_stability_index`], [`jensen_shannon`], [`stability_of_normals`] |
//!
//! The plain paired t-test over folds is missing on purpose: folds share training rows, and it finds
//! differences where there are none (Dietterich 1998, *Approximate statistical tests for comparing supervised
//! classification learning algorithms*, Neural Computation 10, 1895-1923).
//!
//! ```
//! use nb_significance::{Better, friedman, groups_by_difference, nemenyi};
//!
//! // Accuracy of three classifiers on six data sets.
//! let names = ["Gaussian", "kernel", "Bernoulli"];
//! let accuracies = [
//!     [0.91, 0.93, 0.85],
//!     [0.75, 0.79, 0.74],
//!     [0.97, 0.99, 0.95],
//!     [0.62, 0.60, 0.55],
//!     [0.83, 0.84, 0.78],
//!     [0.70, 0.74, 0.69],
//! ];
//! let test = friedman(&accuracies, Better::Larger)?;
//! let pairs = nemenyi(&test, 0.05)?;
//! assert_eq!(
//!     test.conclusion(&names, &pairs.p_values, "Nemenyi's test", 0.05)?,
//!     "Over 6 data sets the ranks of 3 classifiers differ (Friedman χ² = 10.333, p = 0.006); at α = 0.05, by Nemenyi's \
//!      test, kernel ranks above Bernoulli; no other pair differs significantly."
//! );
//! let bars = groups_by_difference(&test.average_ranks, pairs.critical_difference)?;
//! assert_eq!(bars, [vec![1, 0], vec![0, 2]]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Conventions
//!
//! Differences are the first classifier less the second. P-values are two-sided; a difference is significant
//! if its p-value is at most `α`. Classifiers are counted from 0, ranks from 1 for the best. That a
//! difference is not significant says that the data do not show one, never that there is none, and the
//! `conclusion` of each test says it so. Scores that differ by no more than rounding are tied in every test
//! ([`are_tied`]).
//!
//! # Precision
//!
//! P-values keep about eleven digits however small they are, until they underflow. The signed-rank and the
//! binomial p-values are exact where that is said. Results that are no numbers do not occur; where a
//! statistic has no finite value, the documentation of its field says which limit is given.

mod bayesian_signed_rank;
mod bonferroni_dunn;
mod conclusion;
mod corrected_t;
mod effect;
mod five_by_two;
mod friedman;
mod groups;
mod hierarchical;
mod holm;
mod interval;
mod mcnemar;
mod nemenyi;
mod pairwise;
mod power;
mod practical;
mod rank_differences;
mod ranks;
mod scores;
mod special;
mod studentized_range;
mod text;
mod two_samples;
mod wilcoxon;

pub use bayesian_signed_rank::{BayesianSignedRank, BayesianSignedRankError, bayesian_signed_rank};
pub use bonferroni_dunn::critical_difference_from_control;
pub use conclusion::ConclusionError;
pub use corrected_t::{CorrectedT, CorrectedTError, corrected_cross_validation_t, corrected_resampled_t};
pub use effect::{Magnitude, PairedEffect, WinsTiesLosses, paired_effect, wins_ties_losses};
pub use five_by_two::{FiveByTwo, five_by_two};
pub use friedman::{Friedman, FriedmanError, friedman};
pub use groups::{GroupError, groups_by_difference, groups_by_p_values};
pub use hierarchical::{FoldScores, Hierarchical, HierarchicalError, hierarchical};
pub use holm::{PValueError, holm};
pub use interval::Interval;
pub use mcnemar::{McNemar, McNemarError, discordant, mcnemar};
pub use nemenyi::{Nemenyi, NemenyiError, critical_difference, nemenyi};
pub use pairwise::{PairwiseError, PairwisePValues, pairs};
pub use power::{PowerError, data_sets_needed};
pub use practical::PracticalDifference;
pub use rank_differences::{ControlError, RankTest, rank_p_values, rank_tests, rank_tests_against};
pub use scores::{Better, ScoreError, are_tied};
pub use studentized_range::{StudentizedRange, StudentizedRangeError};
pub use two_samples::{
    CountsError, Homogeneity, MeansError, SampleMoments, TwoMeans, homogeneity, jensen_shannon,
    population_stability_index, stability_of_normals, two_means,
};
pub use wilcoxon::{Method, Wilcoxon, Zeros, wilcoxon};

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
