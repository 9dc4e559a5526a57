//! What becomes of a product of probabilities in doubles, and of the sum of their logarithms.

use serde_json::{Value, json};

use crate::{Problem, fit::Fit};

const MOST_COPIES: usize = 1000;

/// For each class the product of the prior and the densities of the row, after each column of each of some
/// copies of the row, and the sum of the logarithms. JSON has no infinity: the product that leaves the
/// doubles at the top is `null`.
pub(crate) fn products(fit: &Fit, row: &[Option<f64>], n_copies: usize) -> Result<Value, Problem> {
    let rows = fit.row_of(row)?;
    let explanation = fit.classifier.explain(&rows, 0)?;
    let classes = explanation.contributions.rows().into_iter().zip(&explanation.log_prior);
    let mut n_until_zero = Vec::new();
    let steps: Vec<Value> = classes
        .map(|(contributions, &log_prior)| {
            let (mut product, mut sum) = (log_prior.exp(), log_prior);
            let (mut products, mut sums) = (vec![product], vec![sum]);
            for _ in 0..n_copies.clamp(1, MOST_COPIES) {
                for &log in contributions {
                    product *= log.exp();
                    sum += log;
                    products.push(product);
                    sums.push(sum);
                }
            }
            n_until_zero.push(products.iter().position(|&product| product == 0.0));
            json!({"products": products, "sums": sums})
        })
        .collect();
    Ok(json!({"classes": steps, "n_until_zero": n_until_zero}))
}
