//! Weights of columns by their mutual information with the class and with each other.

use nb_core::family::ClassSums;

use super::super::{
    PairCounts,
    information::{self, Table},
};

/// `1 / (1 + exp(-D_j))` of every column, from counts of pairs.
pub(super) fn weights(counts: &PairCounts, classes: &[ClassSums<'_>]) -> Vec<f64> {
    let relevance = information::with_class(counts, classes);
    let redundancy = information::of_pairs(counts, classes, |tables| {
        let all = tables.iter().skip(1).fold(tables.first().cloned().unwrap_or_default(), sum);
        information::without_rounding(information::of_tables(&[all]))
    });
    of_information(&relevance, &redundancy)
}

/// A table with the cells of another one added.
fn sum(mut all: Table, table: &Table) -> Table {
    for (all, row) in all.iter_mut().zip(table) {
        all.iter_mut().zip(row).for_each(|(all, cell)| *all += cell);
    }
    all
}

/// The weights from the information of every column about the class, and of every two columns about each
/// other, as a square with zeros on its diagonal.
fn of_information(relevance: &[f64], redundancy: &[Vec<f64>]) -> Vec<f64> {
    let n_columns = relevance.len() as f64;
    let others = n_columns - 1.0;
    let mean_relevance = relevance.iter().sum::<f64>() / n_columns;
    let mean_redundancy = redundancy.iter().flatten().sum::<f64>() / (n_columns * others);
    // Where nothing says anything, nothing is above the mean.
    let share = |own: f64, mean: f64| if mean > 0.0 { own / mean } else { 0.0 };
    let weight = |(own, row): (&f64, &Vec<f64>)| {
        let redundancy = row.iter().map(|other| share(*other, mean_redundancy)).sum::<f64>();
        let average = if others > 0.0 { redundancy / others } else { 0.0 };
        1.0 / (1.0 + libm::exp(average - share(*own, mean_relevance)))
    };
    relevance.iter().zip(redundancy).map(weight).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_those_of_the_definition() {
        // Means of 0.3 and 0.2: D = (1, 1.5) and so on, less the mean of the other two columns.
        let redundancy = vec![vec![0.0, 0.1, 0.2], vec![0.1, 0.0, 0.3], vec![0.2, 0.3, 0.0]];
        let found = of_information(&[0.3, 0.6, 0.0], &redundancy);
        for (found, difference) in found.iter().zip([1.0 - 0.75, 2.0 - 1.0, 0.0 - 1.25]) {
            assert!((found - 1.0 / (1.0 + f64::exp(-difference))).abs() < 1e-15, "{found}");
        }
        assert_eq!(of_information(&[0.0, 0.0], &[vec![0.0, 0.0], vec![0.0, 0.0]]), [0.5, 0.5]);
        assert_eq!(of_information(&[0.4], &[vec![0.0]]), [1.0 / (1.0 + libm::exp(-1.0))]);
    }
}
