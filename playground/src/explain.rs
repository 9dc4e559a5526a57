//! Why a row has its label, and the labels of all rows.

use serde_json::{Value, json};

use crate::{Problem, bytes, fit::Fit, table::Table};

/// Posteriors of a row, and what each column adds to the log-odds of its class against the next probable one.
pub(crate) fn explain(fit: &Fit, row: &[Option<f64>]) -> Result<Value, Problem> {
    let rows = fit.row_of(row)?;
    let log_posteriors = fit.classifier.predict_log_proba(&rows)?.row(0).to_vec();
    let posteriors = fit.classifier.predict_proba(&rows)?.row(0).to_vec();
    let explanation = fit.classifier.explain(&rows, 0)?;
    let mut order: Vec<usize> = (0..posteriors.len()).collect();
    order.sort_by(|&a, &b| log_posteriors[b].total_cmp(&log_posteriors[a]));
    let class = order[0];
    let against = order.get(1).copied().unwrap_or(class);
    let columns = explanation.log_odds(class, against).into_iter().zip(&fit.places);
    let columns = columns.map(|(log_odds, &place)| json!({"places": [place], "log_odds": log_odds}));
    let pairs = explanation.interaction_log_odds(class, against).into_iter().zip(&explanation.interactions);
    let pairs = pairs.map(|(log_odds, pair)| {
        let places: Vec<usize> = pair.columns.iter().map(|&column| fit.places[column]).collect();
        json!({"places": places, "log_odds": log_odds})
    });
    Ok(json!({
        "class": class, "against": against, "posteriors": posteriors, "log_posteriors": log_posteriors,
        "prior": explanation.log_prior[class] - explanation.log_prior[against],
        "terms": columns.chain(pairs).collect::<Vec<_>>(),
        "joint": explanation.joint_log_likelihood,
    }))
}

/// For each row of the table two doubles: its label, and the posterior of it.
pub(crate) fn predict(fit: &Fit, table: &Table) -> Result<(Value, Vec<u8>), Problem> {
    let rows = fit.rows_of(&table.rows);
    let labels = fit.classifier.try_predict_each(&rows)?;
    let classes = fit.classifier.classes();
    let posteriors = fit.classifier.predict_proba(&rows)?;
    let mut n_right = 0;
    let all =
        labels.iter().zip(posteriors.rows()).zip(&table.labels).flat_map(|((label, posteriors), &truth)| {
            let class = label.as_ref().and_then(|label| classes.binary_search(label).ok());
            n_right += usize::from(label.as_ref() == Some(&table.classes[truth]));
            class.map_or([f64::NAN; 2], |class| [class as f64, posteriors[class]])
        });
    let bytes = bytes::of_doubles(all);
    Ok((json!({"n_right": n_right, "n_rows": table.labels.len()}), bytes))
}
