//! The prior counts once a document, however long the document is.

use nb_core::{Multinomial, NaiveBayes};
use ndarray::array;

use super::special;
use crate::verify::check::{Check, Outcome, Problem};

pub(super) fn checks() -> Vec<Check> {
    let check = |repeats: f64| {
        let title = format!("prior counted once: {} words", 5.0 * repeats);
        special(title, "iir_china, by hand", move || verify(repeats))
    };
    [0.0, 1.0, 100_000.0].map(check).into()
}

/// "Chinese Chinese Chinese Tokyo Japan", many times over.
fn verify(repeats: f64) -> Result<Outcome, Problem> {
    let set = nb_datasets::load("iir_china")?;
    let classifier = NaiveBayes::new(Multinomial::default()).fit(&set.x(), &set.labels)?;
    let document = array![[0.0, 3.0, 1.0, 0.0, 0.0, 1.0]] * repeats;
    let joint = classifier.joint_log_likelihood(&document)?;
    let (no, yes) = (0, 1);

    // 3/4 against 1/4, and per document 3/7, 1/14, 1/14 against 2/9 each.
    let chinese = (27.0_f64 / 14.0).ln();
    let others = 2.0 * (9.0_f64 / 28.0).ln();
    let expected = 3.0_f64.ln() + repeats * (3.0 * chinese + others);
    let got = joint[[0, yes]] - joint[[0, no]];
    // 1e-14 of the absolute terms of both scores.
    let explanation = classifier.explain(&document, 0)?;
    let terms = explanation.contributions.iter().chain(&explanation.log_prior);
    let bound = 1e-14 * terms.map(|term| term.abs()).sum::<f64>();
    Ok(Outcome::within(expected, got, bound))
}
