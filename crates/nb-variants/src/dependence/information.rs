//! How much columns say of each other and of the class, from counts of pairs.

use nb_core::{exact::Exact, family::ClassSums};

use super::{PairCounts, pair_counts::pair};

/// Information below this, in natural units, is taken for rounding: it is zero.
const ROUNDING: f64 = 1e-15;

/// Counts of the codes of two columns, those of the first by row.
pub(super) type Table = Vec<Vec<f64>>;

/// `I(x_i; x_j | y)` of every two columns in natural units, as a square; from the rows in which both are
/// observed.
pub(super) fn conditional_information(model: &PairCounts, classes: &[ClassSums<'_>]) -> Vec<Vec<f64>> {
    of_pairs(model, classes, of_tables)
}

/// A number for every two columns from their counts in each class, as a square with zeros on its diagonal.
pub(super) fn of_pairs(
    model: &PairCounts,
    classes: &[ClassSums<'_>],
    of_tables: impl Fn(&[Table]) -> f64,
) -> Vec<Vec<f64>> {
    let (starts, counts) = (model.starts(), model.n_codes().collect::<Vec<_>>());
    let n_columns = counts.len();
    let mut all = vec![vec![0.0; n_columns]; n_columns];
    for later in 0..n_columns {
        for earlier in 0..later {
            let tables = classes.iter().map(|class| {
                let sums = class.part(0);
                let row = |a: usize| {
                    let cell = |b: usize| sums.get(pair(starts[later] + a, starts[earlier] + b)).to_f64();
                    (0..counts[earlier]).map(cell).collect()
                };
                (0..counts[later]).map(row).collect::<Table>()
            });
            let own = of_tables(&tables.collect::<Vec<_>>());
            all[later][earlier] = own;
            all[earlier][later] = own;
        }
    }
    all
}

/// `Σ_y Σ_ab n_yab / n log(n_yab n_y / (n_ya n_yb))`.
pub(super) fn of_tables(tables: &[Table]) -> f64 {
    let weights = tables.iter().map(|table| table.iter().flatten().sum::<f64>());
    // Exact sums, so that the order of the classes does not matter.
    let total = Exact::sum(weights).to_f64();
    let of_class = |table: &Table| -> f64 {
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
    if total > 0.0 { Exact::sum(tables.iter().map(of_class)).to_f64() / total } else { 0.0 }
}

/// The same, with zeros where there is no more than rounding.
pub(super) fn conditional_weights(model: &PairCounts, classes: &[ClassSums<'_>]) -> Vec<Vec<f64>> {
    let mut weights = conditional_information(model, classes);
    weights.iter_mut().flatten().for_each(|weight| *weight = without_rounding(*weight));
    weights
}

/// `I(x_i; y)` of every column in natural units, from the rows in which it is observed, with zeros where
/// there is no more than rounding.
pub(super) fn with_class(model: &PairCounts, classes: &[ClassSums<'_>]) -> Vec<f64> {
    let of_column = |(start, count): (usize, usize)| {
        let row = |class: &ClassSums<'_>| {
            let count_of = |code: usize| class.part(0).get(pair(start + code, start + code)).to_f64();
            (0..count).map(count_of).collect::<Vec<f64>>()
        };
        without_rounding(of_table(&classes.iter().map(row).collect::<Vec<_>>()))
    };
    model.starts().into_iter().zip(model.n_codes()).map(of_column).collect()
}

/// `Σ_ya n_ya / n log(n_ya n / (n_y n_a))` of a table with a row for each class, whose order does not matter.
fn of_table(table: &[Vec<f64>]) -> f64 {
    let of_rows: Vec<f64> = table.iter().map(|row| row.iter().sum()).collect();
    let total = Exact::sum(of_rows.iter().copied()).to_f64();
    let n_codes = table.first().map_or(0, Vec::len);
    let of_codes: Vec<f64> =
        (0..n_codes).map(|code| Exact::sum(table.iter().map(|row| row[code])).to_f64()).collect();
    let of_class = |(row, &of_row): (&Vec<f64>, &f64)| -> f64 {
        let cells = row.iter().zip(&of_codes).filter(|(cell, _)| **cell > 0.0);
        cells.map(|(cell, of_code)| cell * libm::log(cell / of_row * (total / of_code))).sum()
    };
    if total > 0.0 { Exact::sum(table.iter().zip(&of_rows).map(of_class)).to_f64() / total } else { 0.0 }
}

pub(super) fn without_rounding(information: f64) -> f64 {
    if information > ROUNDING { information } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn information_is_that_of_the_definition() {
        // One class in which the second column repeats the first, and one in which they are independent.
        let tables = [vec![vec![2.0, 0.0], vec![0.0, 2.0]], vec![vec![1.0, 1.0], vec![1.0, 1.0]]];
        assert!((of_tables(&tables) - 0.5 * 2.0_f64.ln()).abs() < 1e-15);
        assert_eq!(of_tables(&[vec![vec![0.0]]]), 0.0);
        // A column that is the class, and one of which every class has the same shares.
        assert!((of_table(&[vec![3.0, 0.0], vec![0.0, 3.0]]) - 2.0_f64.ln()).abs() < 1e-15);
        assert!(of_table(&[vec![1.0, 3.0], vec![2.0, 6.0]]).abs() < 1e-16);
        assert_eq!(of_table(&[vec![0.0], vec![0.0]]), 0.0);
    }
}
