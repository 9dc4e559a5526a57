//! The graph of what columns add together: places on axes, and lookups of cells.

use nb_discriminative::{FittedRefined, GridAxis, PairCorrection};
use ndarray::Array2;

use super::graph::{Graph, Name};
use crate::FittedFamily;

/// Adds what pairs of columns of `x` and texts without known terms add, `n_rows × n_classes`, if there are
/// any.
pub(super) fn scores(graph: &mut Graph, refined: &FittedRefined<FittedFamily>, x: &str) -> Option<Name> {
    let refinement = refined.refinement();
    let mut total = None;
    for pair in &refinement.pairs {
        let scores = of_pair(graph, pair, refinement.n_classes, x);
        total = Some(graph.sum(total, scores));
    }
    for text in &refinement.absent_texts {
        let terms = graph.columns(x, &text.terms.clone().collect::<Vec<_>>());
        let axis = graph.integers(&[1]);
        let all = graph.operator("ReduceSum", &[&terms, &axis], &[("keepdims", 1)]);
        let zero = graph.vector(&[0.0]);
        let is_absent = graph.operator("Equal", &[&all, &zero], &[]);
        let added = graph.vector(&text.added);
        let scores = graph.operator("Where", &[&is_absent, &added, &zero], &[]);
        total = Some(graph.sum(total, scores));
    }
    total
}

fn of_pair(graph: &mut Graph, pair: &PairCorrection, n_classes: usize, x: &str) -> Name {
    let [first, second] = [0, 1].map(|axis| pair.axes[axis].n_places());
    // One row and column more, of zeros, for values that have no place.
    let values = Array2::from_shape_fn(((first + 1) * (second + 1), n_classes), |(cell, class)| {
        let (row, column) = (cell / (second + 1), cell % (second + 1));
        if row < first && column < second {
            pair.cells[(row * second + column) * n_classes + class]
        } else {
            0.0
        }
    });
    let [a, b] = [0, 1].map(|axis| place(graph, &pair.axes[axis], pair.columns[axis], x));
    let length = graph.vector(&[(second + 1) as f64]);
    let row = graph.operator("Mul", &[&a, &length], &[]);
    let cell = graph.operator("Add", &[&row, &b], &[]);
    let axis = graph.integers(&[1]);
    let cell = graph.operator("Squeeze", &[&cell, &axis], &[]);
    let cell = graph.as_integer(&cell);
    let values = graph.matrix(&values.view());
    graph.operator("Gather", &[&values, &cell], &[("axis", 0)])
}

/// The place of a column of `x` on an axis, as a double, `n_rows × 1`; the one after the last for what has
/// none.
fn place(graph: &mut Graph, axis: &GridAxis, column: usize, x: &str) -> Name {
    let cells = graph.columns(x, &[column]);
    let nowhere = axis.n_places() as f64;
    let place = match axis {
        GridAxis::Bins(cuts) => graph.cuts_below(&cells, cuts),
        GridAxis::Categories { places, .. } => {
            let places = places.iter().map(|&place| place as f64).chain([nowhere]);
            let places = graph.vector(&places.collect::<Vec<_>>());
            let code = graph.code_up_to(&cells, axis_len(axis));
            let code = graph.as_integer(&code);
            graph.operator("Gather", &[&places, &code], &[("axis", 0)])
        }
    };
    let is_missing = graph.operator("IsNaN", &[&cells], &[]);
    let nowhere = graph.vector(&[nowhere]);
    graph.operator("Where", &[&is_missing, &nowhere, &place], &[])
}

/// The number of values that an axis knows.
fn axis_len(axis: &GridAxis) -> usize {
    match axis {
        GridAxis::Bins(cuts) => cuts.len() + 1,
        GridAxis::Categories { places, .. } => places.len(),
    }
}
