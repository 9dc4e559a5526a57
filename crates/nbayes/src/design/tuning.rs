//! Choosing smoothing and variance floors by the cross-validated log-likelihood, from the statistics of folds alone: the
//! rows are not read again.
//!
//! The joint log-likelihood of a naive Bayes model is a sum over its blocks, so that the best hyper-parameter of each
//! block is the best of all together.

use anyhow::Result;
use nb_core::{
    Blocks, CrossValidation, FoldedStats, NaiveBayes,
    description::{Parameter, Value},
    error::CrossValidationError,
};
use nb_io::Family;
use serde::Serialize;

use super::families::family_name;

/// What was chosen for a block.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Tuned {
    pub(crate) family: String,
    pub(crate) columns: usize,
    pub(crate) parameter: String,
    pub(crate) value: f64,
    /// The mean held-out log-likelihood per row, all blocks together.
    pub(crate) log_likelihood: f64,
    pub(crate) standard_error: f64,
}

/// The family with the hyper-parameters under which rows held out are most probable, and what was chosen. Blocks without
/// a likelihood keep what they have.
pub(crate) fn tune(
    folds: &FoldedStats<String>,
    family: &Family,
    n_columns: usize,
) -> Result<(Family, Vec<Tuned>)> {
    let mut family = family.clone();
    let mut tuned = Vec::new();
    for block in 0..n_blocks(&family) {
        let (own, columns) = of_block(&family, block, n_columns);
        let mut own = own.clone();
        for parameter in own.settings().into_iter().map(|(parameter, _)| parameter) {
            let candidate = |value: f64| {
                let mut candidate = own.clone();
                candidate.set(parameter.name, &Value::Number(value))?;
                anyhow::Ok(candidate)
            };
            let mut candidates = Vec::with_capacity(parameter.grid.len());
            for &value in parameter.grid {
                candidates.push(NaiveBayes::new(with_block(&family, block, candidate(value)?)));
            }
            let results = folds.cross_validate_each(&candidates);
            let Some((value, best)) = best(parameter.grid, results)? else { continue };
            own = candidate(value)?;
            tuned.push(Tuned {
                family: family_name(&own),
                columns,
                parameter: label(parameter),
                value,
                log_likelihood: best.mean(),
                standard_error: best.standard_error(),
            });
            family = with_block(&family, block, own.clone());
        }
    }
    Ok((family, tuned))
}

/// The value whose result is best; of equal ones the first. `None` if there is no likelihood, or all are impossible.
fn best(
    values: &[f64],
    results: Vec<Result<CrossValidation, CrossValidationError>>,
) -> Result<Option<(f64, CrossValidation)>> {
    let mut best: Option<(f64, CrossValidation)> = None;
    for (&value, result) in values.iter().zip(results) {
        let result = match result {
            Ok(result) => result,
            // Without smoothing or floors a class may have no distribution; the next candidate may do.
            Err(CrossValidationError::Fit { .. } | CrossValidationError::Likelihood { .. }) => continue,
            Err(error) => return Err(error.into()),
        };
        let is_better = best.as_ref().is_none_or(|(_, best)| result.mean() > best.mean());
        if result.mean().is_finite() && is_better {
            best = Some((value, result));
        }
    }
    Ok(best)
}

fn n_blocks(family: &Family) -> usize {
    if let Family::Blocks(blocks) = family { blocks.iter().len() } else { 1 }
}

/// A block and its number of columns.
fn of_block(family: &Family, block: usize, n_columns: usize) -> (&Family, usize) {
    match family {
        Family::Blocks(blocks) => {
            blocks.iter().nth(block).map_or((family, 0), |(columns, own)| (own, columns.len()))
        }
        family => (family, n_columns),
    }
}

/// The family with another block in place of one.
fn with_block(family: &Family, block: usize, own: Family) -> Family {
    let Family::Blocks(blocks) = family else { return own };
    let all = blocks.iter().enumerate().fold(Blocks::default(), |all, (place, (columns, old))| {
        let family = if place == block { own.clone() } else { old.clone() };
        all.with_same(columns.iter().copied(), family)
    });
    Family::Blocks(all.ignore(blocks.ignored().iter().copied()))
}

/// What a hyper-parameter is called in reports: its name, and its symbol if it has one.
fn label(parameter: &Parameter) -> String {
    let name = parameter.name.replace('_', " ");
    if parameter.short.len() == 1 { format!("{name} {}", parameter.short) } else { name }
}

#[cfg(test)]
mod tests {
    use nb_core::{Bernoulli, FoldAssignment, Gaussian};
    use ndarray::Array2;

    use super::*;

    #[test]
    fn each_block_is_tuned_as_if_alone() {
        let rows = Array2::from_shape_fn((40, 2), |(row, column)| {
            if column == 0 { ((row * 7) % 11) as f64 } else { ((row * row) % 3 % 2) as f64 }
        });
        let labels: Vec<String> = (0..40).map(|row| ["a", "b"][row % 2].to_owned()).collect();
        let gaussian = Family::Gaussian(Gaussian::default());
        let bernoulli = Family::Bernoulli(Bernoulli::default());
        let both = Family::Blocks(
            Blocks::default().with_same([0], gaussian.clone()).with_same([1], bernoulli.clone()),
        );
        let value = |family: &Family, rows: &Array2<f64>| {
            let n_columns = rows.ncols();
            let mut folds = FoldedStats::new(family, n_columns, 5, FoldAssignment::Stratified).unwrap();
            folds.update(family, rows, &labels).unwrap();
            let (_, tuned) = tune(&folds, family, n_columns).unwrap();
            tuned.iter().map(|tuned| tuned.value).collect::<Vec<_>>()
        };
        let column = |column| rows.select(ndarray::Axis(1), &[column]);
        let alone = [value(&gaussian, &column(0)), value(&bernoulli, &column(1))].concat();
        assert_eq!(value(&both, &rows), alone);
        assert_ne!(alone[1], 0.0);
    }
}
