//! Sizes of effects: how large a difference is, which no p-value says.

use crate::scores::{Better, Differences, ScoreError};
use libm::lgamma;

/// Conventional words for standardised differences. Cohen 1988, *Statistical power analysis for the
/// behavioral sciences*, second edition, chapter 2, has the limits 0.2, 0.5 and 0.8, as a last resort where
/// nothing better is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Magnitude {
    /// Less than 0.2 in size.
    Negligible,
    /// From 0.2.
    Small,
    /// From 0.5.
    Medium,
    /// From 0.8.
    Large,
}

/// A mean difference in standard deviations of the differences.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PairedEffect {
    /// Cohen's `d_z`, mean by standard deviation of the differences: positive where the first scores are
    /// larger. Infinite if all differences are equal up to the rounding of the scores, and 0 if they
    /// are 0.
    pub d_z: f64,
    /// `d_z` times Hedges' factor, which removes the bias of small samples.
    pub g_z: f64,
    /// A word for `g_z`.
    pub magnitude: Magnitude,
}

/// Cohen's `d_z` of paired scores, with Hedges' correction `Γ(ν/2) / (√(ν/2) Γ((ν - 1)/2))`, where `ν = n -
/// 1`.
///
/// Over the folds of one data set it is descriptive only: folds share training rows, so that their spread is
/// not that of independent samples.
///
/// Cohen 1988, *Statistical power analysis for the behavioral sciences*, section 2.3; Hedges 1981,
/// *Distribution theory for Glass's estimator of effect size and related estimators*, Journal of Educational
/// Statistics 6, 107-128.
///
/// # Errors
/// If the scores do not pair up, are fewer than 3 or have no finite difference.
///
/// ```
/// use nb_significance::{Magnitude, paired_effect};
///
/// let effect = paired_effect(&[0.80, 0.75, 0.90, 0.70], &[0.78, 0.76, 0.85, 0.70])?;
/// assert!((effect.d_z - 0.566_9).abs() < 1e-4);
/// assert!((effect.g_z - 0.410_2).abs() < 1e-4);
/// assert_eq!(effect.magnitude, Magnitude::Small);
/// # Ok::<(), nb_significance::ScoreError>(())
/// ```
pub fn paired_effect(first: &[f64], second: &[f64]) -> Result<PairedEffect, ScoreError> {
    let differences = Differences::of(first, second, 3)?;
    let d_z = differences.moments().standardized(1.0);
    let half = (differences.values.len() as f64 - 1.0) / 2.0;
    let factor = (lgamma(half) - lgamma(half - 0.5)).exp() / half.sqrt();
    let g_z = d_z * factor;
    let magnitude = match g_z.abs() {
        size if size >= 0.8 => Magnitude::Large,
        size if size >= 0.5 => Magnitude::Medium,
        size if size >= 0.2 => Magnitude::Small,
        _ => Magnitude::Negligible,
    };
    Ok(PairedEffect { d_z, g_z, magnitude })
}

/// On how many folds or data sets the first classifier is better, as good, and worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WinsTiesLosses {
    /// The first is better.
    pub wins: usize,
    /// The scores are equal.
    pub ties: usize,
    /// The second is better.
    pub losses: usize,
}

/// Counts wins, ties and losses of the first classifier.
///
/// # Errors
/// If the scores do not pair up, there are none, or a pair has no finite difference.
///
/// ```
/// use nb_significance::{Better, wins_ties_losses};
///
/// let counts = wins_ties_losses(&[0.31, 0.75, 0.20], &[0.33, 0.75, 0.18], Better::Smaller)?;
/// assert_eq!((counts.wins, counts.ties, counts.losses), (1, 1, 1));
/// # Ok::<(), nb_significance::ScoreError>(())
/// ```
pub fn wins_ties_losses(first: &[f64], second: &[f64], better: Better) -> Result<WinsTiesLosses, ScoreError> {
    let differences = Differences::of(first, second, 1)?.values;
    let larger = differences.iter().filter(|&&difference| difference > 0.0).count();
    let smaller = differences.iter().filter(|&&difference| difference < 0.0).count();
    let (wins, losses) = match better {
        Better::Larger => (larger, smaller),
        Better::Smaller => (smaller, larger),
    };
    Ok(WinsTiesLosses { wins, ties: differences.len() - larger - smaller, losses })
}
