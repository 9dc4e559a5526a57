//! The tree of columns that say most about each other.

use nb_core::family::ClassSums;

use super::{PairCounts, pair_counts::pair};

/// `I(x_i; x_j | y)` of every two columns in natural units, as a square; from the rows in which both are observed.
pub(super) fn conditional_information(model: &PairCounts, classes: &[ClassSums<'_>]) -> Vec<Vec<f64>> {
    let (starts, counts) = (model.starts(), model.n_codes().collect::<Vec<_>>());
    let n_columns = counts.len();
    let mut information = vec![vec![0.0; n_columns]; n_columns];
    for later in 0..n_columns {
        for earlier in 0..later {
            let tables = classes.iter().map(|class| {
                let sums = class.part(0);
                let row = |a: usize| {
                    let cell = |b: usize| sums.get(pair(starts[later] + a, starts[earlier] + b)).to_f64();
                    (0..counts[earlier]).map(cell).collect()
                };
                (0..counts[later]).map(row).collect::<Vec<Vec<f64>>>()
            });
            let own = of_tables(&tables.collect::<Vec<_>>());
            information[later][earlier] = own;
            information[earlier][later] = own;
        }
    }
    information
}

/// `Σ_y Σ_ab n_yab / n log(n_yab n_y / (n_ya n_yb))`.
fn of_tables(tables: &[Vec<Vec<f64>>]) -> f64 {
    let total: f64 = tables.iter().flatten().flatten().sum();
    let of_class = |table: &Vec<Vec<f64>>| -> f64 {
        let of_rows: Vec<f64> = table.iter().map(|row| row.iter().sum()).collect();
        let weight: f64 = of_rows.iter().sum();
        let n_columns = table.first().map_or(0, Vec::len);
        let of_columns: Vec<f64> =
            (0..n_columns).map(|column| table.iter().map(|row| row[column]).sum()).collect();
        let cells = table.iter().zip(&of_rows).flat_map(|(row, of_row)| {
            row.iter().zip(&of_columns).map(move |(&cell, of_column)| (cell, *of_row, *of_column))
        });
        let cells = cells.filter(|(cell, ..)| *cell > 0.0);
        cells.map(|(cell, of_row, of_column)| cell * libm::log(cell / of_row * (weight / of_column))).sum()
    };
    if total > 0.0 { tables.iter().map(of_class).sum::<f64>() / total } else { 0.0 }
}

/// The parent of each column in the spanning tree with the largest sum of weights, whose root is the first column (Prim
/// 1957); of equal edges the first.
pub(super) fn largest_tree(weights: &[Vec<f64>]) -> Vec<Option<usize>> {
    let mut parents = vec![None; weights.len()];
    // For each column that is not in the tree yet the best edge to it.
    let mut best: Vec<Option<(f64, usize)>> =
        (0..weights.len()).map(|column| (column > 0).then(|| (weights[0][column], 0))).collect();
    loop {
        let mut next: Option<(f64, usize, usize)> = None;
        for (column, edge) in best.iter().enumerate() {
            if let Some((weight, parent)) = *edge
                && next.is_none_or(|(largest, ..)| weight > largest)
            {
                next = Some((weight, parent, column));
            }
        }
        let Some((_, parent, column)) = next else { return parents };
        parents[column] = Some(parent);
        best[column] = None;
        for (other, edge) in best.iter_mut().enumerate() {
            if let Some((weight, _)) = *edge
                && weights[column][other] > weight
            {
                *edge = Some((weights[column][other], column));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_has_the_heaviest_edges() {
        let weights = vec![
            vec![0.0, 1.0, 4.0, 0.5],
            vec![1.0, 0.0, 3.0, 0.5],
            vec![4.0, 3.0, 0.0, 0.5],
            vec![0.5, 0.5, 0.5, 0.0],
        ];
        assert_eq!(largest_tree(&weights), [None, Some(2), Some(0), Some(0)]);
        assert_eq!(largest_tree(&[]), []);
    }

    #[test]
    fn information_is_that_of_the_definition() {
        // One class in which the second column repeats the first, and one in which they are independent.
        let tables = [vec![vec![2.0, 0.0], vec![0.0, 2.0]], vec![vec![1.0, 1.0], vec![1.0, 1.0]]];
        assert!((of_tables(&tables) - 0.5 * 2.0_f64.ln()).abs() < 1e-15);
        assert_eq!(of_tables(&[vec![vec![0.0]]]), 0.0);
    }
}
