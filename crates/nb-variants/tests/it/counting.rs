//! What tests of families on counts of pairs share: laws, and scores of counted probabilities against those
//! that other programs counted.

use std::fmt::Debug;

use nb_core::{FeatureModel, Likelihood, Missing, NaiveBayes, Prior, Smoothing, Unseen};
use nb_variants::{Codings, Cuts, PairCounts};
use ndarray::{Array2, ArrayView1};
use proptest::prelude::*;

use super::aode::{counts_of, set};

/// Evidence of categories and of a number in bins, with missing cells: smoothed, and without smoothing but
/// with unseen categories.
pub(super) fn law_counts() -> [PairCounts; 2] {
    let cuts = Cuts::new(vec![vec![], vec![0.5, 1.5], vec![]]).expect("valid");
    let counts = PairCounts {
        codings: Codings::new(vec![3, 0, 4], cuts).expect("valid"),
        missing: Missing::Skip,
        ..PairCounts::default()
    };
    let impossible =
        PairCounts { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, unseen: Unseen::Other, ..counts.clone() };
    [counts, impossible]
}

/// Checks the laws of a family of [`law_counts`].
pub(super) fn check_laws<M>(family: &M)
where
    M: FeatureModel + Debug,
    M::Fitted: Likelihood + Debug + 'static,
{
    let cells = prop_oneof![3 => (0..3_u8).prop_map(f64::from), 1 => Just(f64::NAN)];
    nb_laws::check_statistics(family, 3, cells.clone());
    nb_laws::check_scores(family, 3, cells);
}

/// What another program found on an embedded data set.
pub(super) struct Reference {
    pub(super) set: &'static str,
    /// The scores of rows 0, 6 and 12, which [`Checked`] names.
    pub(super) rows: [&'static [f64]; 3],
    /// The sum of the log-posteriors of the rows' own labels, and how many rows get them.
    pub(super) own: (f64, usize),
}

/// Which scores a [`Reference`] has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Checked {
    /// `log P(y, x)`.
    Joint,
    /// `log P(y | x)`.
    Posterior,
}

/// Trains the family of these counts on all rows, and compares its scores of the same rows.
pub(super) fn assert_scores<M>(
    reference: &Reference,
    checked: Checked,
    smoothing: f64,
    prior: impl Fn(&[String]) -> Prior,
    family: impl Fn(PairCounts) -> M,
) where
    M: FeatureModel,
    M::Fitted: Likelihood + Debug,
{
    let name = reference.set;
    let (x, y) = set(name);
    let model = NaiveBayes { model: family(counts_of(&x, smoothing)), prior: prior(&y) };
    let classifier = model.fit(&x, &y).expect("fits");
    let logs = classifier.predict_log_proba(&x).expect("scores");
    let scores: Array2<f64> = match checked {
        Checked::Joint => classifier.joint_log_likelihood(&x).expect("scores"),
        Checked::Posterior => logs.clone(),
    };
    for (row, expected) in [0, 6, 12].into_iter().zip(reference.rows) {
        assert_close(&format!("{name}, row {row}"), &scores.row(row), expected);
    }
    let class = |label: &String| classifier.classes().binary_search(label).expect("known");
    let own: f64 = y.iter().enumerate().map(|(row, label)| logs[[row, class(label)]]).sum();
    assert!((own - reference.own.0).abs() < 1e-12 * own.abs(), "{name}: {own}, not {}", reference.own.0);
    let labels = classifier.predict(&x).expect("predicts");
    assert_eq!(labels.iter().zip(&y).filter(|(a, b)| a == b).count(), reference.own.1, "{name}");
}

fn assert_close(what: &str, found: &ArrayView1<'_, f64>, expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, &expected) in found.iter().zip(expected) {
        let close = (found - expected).abs() < 1e-13 * expected.abs().max(1.0);
        assert!(close, "{what}: {found}, not {expected}");
    }
}

/// The shares of the classes, each with one more row that is divided among them: Weka's `(n_y + 1/C) / (n +
/// 1)`.
pub(super) fn prior_of_weka(labels: &[String]) -> Prior {
    let mut classes = labels.to_vec();
    classes.sort();
    classes.dedup();
    let count = |class: &String| labels.iter().filter(|label| *label == class).count() as f64;
    let n_classes = classes.len() as f64;
    let probability = |class: &String| (count(class) + 1.0 / n_classes) / (labels.len() as f64 + 1.0);
    Prior::Given(classes.iter().map(probability).collect())
}
