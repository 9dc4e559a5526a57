//! What a density that is truncated does: klaR's model beside the exact one.

use nb_core::{Gaussian, NaiveBayes, VarianceEstimator, VarianceSmoothing};
use serde_json::{Value, json};

use crate::{Problem, klar::KlarModel, table::Table};

/// The posteriors of a row of both models, the cells whose density is truncated, and the number of rows with
/// other labels.
pub(crate) fn truncation(table: &Table, row: usize) -> Result<Value, Problem> {
    table.check_row(row)?;
    let gaussian = Gaussian {
        estimator: VarianceEstimator::Unbiased,
        smoothing: VarianceSmoothing::None,
        ..Gaussian::default()
    };
    let exact = NaiveBayes::new(gaussian).fit(&table.rows, &table.labels)?;
    let n_classes = table.classes.len();
    let klar = KlarModel::fit(&table.rows.view(), &table.labels, n_classes);
    let explanation = exact.explain(&table.rows, row)?;
    let cells = klar.truncated(&table.rows.row(row)).into_iter().map(|(class, place)| {
        let log_density = explanation.contributions[[class, place]];
        json!({"class": class, "place": place, "log_density": log_density})
    });
    let labels = exact.predict(&table.rows)?;
    let (mut n_flipped, mut n_lost) = (0, 0);
    for (cells, label) in table.rows.rows().into_iter().zip(&labels) {
        let posteriors: Vec<f64> = (0..n_classes).map(|class| klar.posterior(&cells, class)).collect();
        if posteriors.iter().any(|posterior| posterior.is_nan()) {
            n_lost += 1;
        } else {
            let most = (0..n_classes).fold(0, |a, b| if posteriors[b] > posteriors[a] { b } else { a });
            n_flipped += usize::from(most != *label);
        }
    }
    let of_row = |class| klar.posterior(&table.rows.row(row), class);
    Ok(json!({
        "truncated": cells.collect::<Vec<_>>(), "truth": table.labels[row],
        "klar": (0..n_classes).map(of_row).collect::<Vec<f64>>(),
        "exact": exact.predict_proba(&table.rows)?.row(row).to_vec(),
        "log_odds": explanation.joint_log_likelihood,
        "n_flipped": n_flipped, "n_lost": n_lost, "n_rows": table.labels.len(),
    }))
}
