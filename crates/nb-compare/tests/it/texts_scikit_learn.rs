//! Texts beside numbers and categories: the labels and posteriors of scikit-learn over the same folds.

use nb_compare::{Design, FileSet, Measure, Plan, Set, Variant};
use nb_io::text::{TextOptions, Tokens};
use serde::{Deserialize, Serialize};

use crate::{python, runs::run, texts::Messages};

#[derive(Serialize)]
struct Request {
    texts: Vec<String>,
    x: Vec<Vec<f64>>,
    labels: Vec<usize>,
    folds: Vec<usize>,
    /// Variants, and whether terms are weighted.
    cases: Vec<(&'static str, bool)>,
}

#[derive(Deserialize)]
struct Answer {
    labels: Vec<u32>,
    log_posteriors: Vec<Vec<f64>>,
}

#[test]
fn scikit_learn_says_the_same_of_texts() {
    let Some(python) = python::python("numpy, scipy, sklearn") else { return };
    let messages = Messages::new(240, 3);
    let cases = vec![("multinomial", false), ("multinomial", true), ("bernoulli", false), ("logistic", true)];
    let plan = Plan::CrossValidation { folds: 4, repeats: 1 };
    let plain = TextOptions::default();
    let weighted = plain
        .clone()
        .with_tokens(Tokens::default().with_n_grams(1..=2))
        .with_min_documents(2)
        .with_transforms();
    // Folds follow from the contents of a table, and its settings are part of them: these are given.
    let folds = plan.folds(&messages.table(&plain, true), 0, 0).unwrap();
    let request = Request {
        texts: messages.texts.clone(),
        x: messages.x.rows().into_iter().map(|row| row.to_vec()).collect(),
        labels: messages.labels.clone(),
        folds: folds.of_row.iter().flatten().copied().collect(),
        cases: cases.clone(),
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("request.json");
    std::fs::write(&path, serde_json::to_vec(&request).unwrap()).unwrap();
    let text = python::run(&python, include_str!("texts_scikit_learn.py"), &[&path]);
    let answers: Vec<Answer> = serde_json::from_str(&text).unwrap();
    assert_eq!(answers.len(), cases.len());
    for ((variant, is_weighted), answer) in cases.into_iter().zip(&answers) {
        let name = format!("{variant}, weighted: {is_weighted}");
        let table = messages.table(if is_weighted { &weighted } else { &plain }, true);
        let table = table.with_dealing(nb_compare::Dealing::Given(vec![folds.clone()])).unwrap();
        let variant = Variant::parse(variant).unwrap();
        let mut design = Design::new(vec![Set::File(FileSet::new("messages"))], vec![variant]).unwrap();
        (design.plan, design.predictions) = (plan, true);
        let units = run(&design, std::slice::from_ref(&table), 1);
        let done = units[0].done().unwrap_or_else(|| panic!("{name}: {:?}", units[0].outcome));
        let labels: Vec<u32> = done.labels.iter().flatten().copied().collect();
        assert_eq!(labels, answer.labels, "{name}");
        let right = labels.iter().zip(&messages.labels).filter(|(label, own)| **label == **own as u32);
        let accuracy = right.count() as f64 / labels.len() as f64;
        assert!((done.pooled.get(Measure::Accuracy).unwrap() - accuracy).abs() < 1e-15, "{name}");
        // Where L-BFGS ends decides the last digits of a regression.
        let bound = if name.starts_with("logistic") { 1e-5 } else { 1e-11 };
        for (ours, theirs) in done.log_posteriors.chunks_exact(3).zip(&answer.log_posteriors) {
            for (ours, theirs) in ours.iter().zip(theirs) {
                assert!(
                    (ours - theirs).abs() <= bound * (1.0 + theirs.abs()),
                    "{name}: {ours} is not {theirs}"
                );
            }
        }
    }
}
