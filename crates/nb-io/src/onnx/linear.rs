//! The graph of linear columns: a matrix product for numbers, a comparison for thresholds, a lookup for
//! categories.

use nb_core::Missing;
use nb_linear::{ColumnTerm, LinearColumn};
use ndarray::Array2;

use super::graph::{Graph, Name, Refusal};

/// Adds the scores of these columns of `x`, `n_rows × n_classes`.
pub(super) fn scores(graph: &mut Graph, columns: &[LinearColumn], x: &str) -> Result<Name, Refusal> {
    let mut total = None;
    for missing in [Missing::Error, Missing::Skip] {
        let (mut numbers, mut thresholds) = (Products::default(), Products::default());
        for (column, linear) in columns.iter().enumerate().filter(|(_, linear)| linear.missing == missing) {
            match &linear.term {
                ColumnTerm::Real { center, weights, constants, .. } => {
                    numbers.push(column, *center, weights, constants)?;
                }
                ColumnTerm::Count { weights, constants } => numbers.push(column, 0.0, weights, constants)?,
                ColumnTerm::Threshold { threshold, below, above } => {
                    let gains: Vec<f64> =
                        above.iter().zip(below).map(|(above, below)| above - below).collect();
                    thresholds.push(column, *threshold, &gains, below)?;
                }
                ColumnTerm::Categories { codes, scores, other } => {
                    let scores = lookup(graph, column, codes, scores, other.as_deref(), missing, x)?;
                    total = Some(graph.sum(total, scores));
                }
                ColumnTerm::Ignored => {}
                _ => return Err(Refusal::Unsupported(column)),
            }
        }
        if !numbers.columns.is_empty() {
            let own = graph.columns(x, &numbers.columns);
            let origins = graph.vector(&numbers.origins);
            let mut differences = graph.operator("Sub", &[&own, &origins], &[]);
            if missing == Missing::Skip {
                differences = graph.zero_where_missing(&own, &differences);
            }
            let scores = numbers.scores(graph, &own, &differences, missing);
            total = Some(graph.sum(total, scores));
        }
        if !thresholds.columns.is_empty() {
            let own = graph.columns(x, &thresholds.columns);
            let origins = graph.vector(&thresholds.origins);
            // A missing cell is not above the threshold.
            let above = graph.operator("Greater", &[&own, &origins], &[]);
            let mut above = graph.as_double(&above);
            if missing == Missing::Error {
                // Makes the score of a missing cell NaN.
                let nothing = graph.operator("Sub", &[&own, &own], &[]);
                above = graph.operator("Add", &[&above, &nothing], &[]);
            }
            let scores = thresholds.scores(graph, &own, &above, missing);
            total = Some(graph.sum(total, scores));
        }
    }
    total.ok_or(Refusal::NoColumns)
}

/// For every class the sum of the constants that [`scores`] has in it.
pub(super) fn constants(columns: &[LinearColumn], n_classes: usize) -> Vec<f64> {
    let mut sums = vec![0.0; n_classes];
    for column in columns {
        let constants = match &column.term {
            ColumnTerm::Real { constants, .. } | ColumnTerm::Count { constants, .. } => constants,
            ColumnTerm::Threshold { below, .. } => below,
            _ => continue,
        };
        sums.iter_mut().zip(constants).for_each(|(sum, constant)| *sum += constant);
    }
    sums
}

/// Columns that enter by a matrix product.
#[derive(Default)]
struct Products {
    columns: Vec<usize>,
    /// What is subtracted from a column, or compared with it.
    origins: Vec<f64>,
    /// By column, then class.
    weights: Vec<f64>,
    constants: Vec<f64>,
}

impl Products {
    fn push(
        &mut self,
        column: usize,
        origin: f64,
        weights: &[f64],
        constants: &[f64],
    ) -> Result<(), Refusal> {
        if weights.iter().chain(constants).any(|value| !value.is_finite()) {
            return Err(Refusal::Impossible(column));
        }
        self.columns.push(column);
        self.origins.push(origin);
        self.weights.extend_from_slice(weights);
        self.constants.extend_from_slice(constants);
        Ok(())
    }

    fn n_classes(&self) -> usize {
        self.weights.len() / self.columns.len().max(1)
    }

    /// The product of `features` and the weights, and the constants of the columns that are not missing in
    /// `own`.
    fn scores(&self, graph: &mut Graph, own: &str, features: &str, missing: Missing) -> Name {
        let shape = [self.columns.len(), self.n_classes()];
        let weights = graph.table(shape, &self.weights);
        let products = graph.operator("MatMul", &[features, &weights], &[]);
        let constants = match missing {
            Missing::Error => {
                let sum = |class| self.constants.iter().skip(class).step_by(shape[1]).sum();
                graph.vector(&(0..shape[1]).map(sum).collect::<Vec<f64>>())
            }
            Missing::Skip => {
                let absent = graph.operator("IsNaN", &[own], &[]);
                let present = graph.operator("Not", &[&absent], &[]);
                let present = graph.as_double(&present);
                let constants = graph.table(shape, &self.constants);
                graph.operator("MatMul", &[&present, &constants], &[])
            }
        };
        graph.operator("Add", &[&products, &constants], &[])
    }
}

/// A table lookup. Its rows are the codes from 0 to the largest, then one for all other values, then one for
/// a missing cell.
fn lookup(
    graph: &mut Graph,
    column: usize,
    codes: &[usize],
    scores: &[Vec<f64>],
    other: Option<&[f64]>,
    missing: Missing,
    x: &str,
) -> Result<Name, Refusal> {
    let n_codes = codes.last().map_or(0, |largest| largest + 1);
    let n_classes = scores.first().map_or(0, Vec::len);
    let absent = if missing == Missing::Skip { 0.0 } else { f64::NAN };
    let table = Array2::from_shape_fn((n_codes + 2, n_classes), |(code, class)| {
        if code == n_codes + 1 {
            return absent;
        }
        let known = codes.binary_search(&code).ok().and_then(|category| scores.get(category));
        let of_class = |scores: &[f64]| scores.get(class).copied().unwrap_or(f64::NAN);
        known.map(|scores| of_class(scores)).or_else(|| other.map(of_class)).unwrap_or(f64::NAN)
    });
    if table.iter().any(|score| score.is_infinite()) {
        return Err(Refusal::Impossible(column));
    }
    let cells = graph.columns(x, &[column]);
    let axis = graph.integers(&[1]);
    let cells = graph.operator("Squeeze", &[&cells, &axis], &[]);
    // What is no code is refused elsewhere, but must not be looked up beyond the table.
    let least = graph.vector(&[0.0]);
    let cells = graph.operator("Max", &[&cells, &least], &[]);
    let beyond = graph.vector(&[n_codes as f64]);
    let known = graph.operator("Min", &[&cells, &beyond], &[]);
    let is_absent = graph.operator("IsNaN", &[&cells], &[]);
    let last = graph.vector(&[(n_codes + 1) as f64]);
    let known = graph.operator("Where", &[&is_absent, &last, &known], &[]);
    let known = graph.as_integer(&known);
    let table = graph.matrix(&table.view());
    Ok(graph.operator("Gather", &[&table, &known], &[("axis", 0)]))
}
