//! Few rows.

use nb_train::{MemoryTable, Trainer};
use ndarray::Axis;

use crate::sets::load;

/// The mean log-loss of rows under a model that was trained on others, and under the shares of the classes
/// there.
fn losses(name: &str, n_rows: usize, first: usize) -> Option<[f64; 2]> {
    let set = load(name);
    let n = set.labels.len();
    let order: Vec<usize> = (0..n).map(|row| (row * 7919 + first * 104_729) % n).collect();
    let (train, test) = order.split_at(n_rows);
    let labels: Vec<&String> = train.iter().map(|&row| &set.labels[row]).collect();
    let rows = set.rows.select(Axis(0), train);
    let trained = Trainer::default().train(&MemoryTable::new(&set.schema, &rows, &labels).unwrap()).ok()?;
    let classifier = trained.model.classifier().unwrap();
    let test: Vec<usize> =
        test.iter().copied().filter(|&row| classifier.classes().contains(&set.labels[row])).collect();
    let used = trained.model.schema().columns.iter();
    let place = |name: &str| set.schema.columns.iter().position(|column| column.name == name).unwrap();
    let places: Vec<usize> = used.map(|column| place(&column.name)).collect();
    let posteriors =
        classifier.predict_log_proba(&set.rows.select(Axis(0), &test).select(Axis(1), &places)).unwrap();
    let mut losses = [0.0; 2];
    for (row, posterior) in test.iter().zip(posteriors.rows()) {
        let label = &set.labels[*row];
        let class = classifier.classes().iter().position(|class| class == label).unwrap();
        let share = labels.iter().filter(|own| **own == label).count() as f64 / n_rows as f64;
        losses[0] -= posterior[class] / test.len() as f64;
        losses[1] -= share.ln() / test.len() as f64;
    }
    Some(losses)
}

#[test]
fn they_are_no_reason_to_be_certain() {
    let (mut n, mut n_worse, mut gain) = (0, 0, 0.0);
    for name in ["iris", "pima", "breast_cancer", "titanic", "liver", "ionosphere", "zoo", "wine"] {
        for (first, n_rows) in [11, 14, 19, 24, 29].into_iter().enumerate() {
            let Some([of_model, of_prior]) = losses(name, n_rows, first) else { continue };
            assert!(of_model < of_prior + 0.6, "{name}, {n_rows} rows: {of_model} {of_prior}");
            n += 1;
            n_worse += usize::from(of_model > of_prior + 0.05);
            gain += of_prior - of_model;
        }
    }
    assert!(n >= 30 && n_worse <= n / 8 && gain / n as f64 > 0.1, "{n_worse} of {n}, {gain}");
}
