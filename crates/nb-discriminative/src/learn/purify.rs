//! What a grid says beyond its two columns.

/// The most rounds, and the largest mean that is left, as a share of the largest term.
const MOST_ROUNDS: usize = 100;
const PRECISION: f64 = 1e-9;

/// The terms of a grid whose means over the rows, for each place of either axis, were moved to the columns.
pub(super) struct Pure {
    /// `n_places × n_places × n_classes`.
    pub(super) cells: Vec<f64>,
    /// What the places of each axis add instead, `n_places × n_classes`.
    pub(super) of_axes: [Vec<f64>; 2],
}

impl Pure {
    /// Of the terms of a grid, and the weight of the rows in each of its cells.
    ///
    /// Means are taken off in turn until none is left (Lengerich, Tan, Chang, Hooker and Caruana 2020,
    /// *Purifying interaction effects with the functional ANOVA*, AISTATS). So a column says all that it
    /// says alone, and a grid adds nothing on average where one of the values is missing.
    pub(super) fn new(mut cells: Vec<f64>, weights: &[f64], n_places: [usize; 2]) -> Self {
        let n_classes = cells.len() / weights.len().max(1);
        let mut of_axes = n_places.map(|n_places| vec![0.0; n_places * n_classes]);
        let largest = cells.iter().fold(0.0_f64, |most, cell| most.max(cell.abs()));
        let place =
            |axis: usize, cell: usize| if axis == 0 { cell / n_places[1] } else { cell % n_places[1] };
        for _ in 0..MOST_ROUNDS {
            let mut most = 0.0_f64;
            for (axis, moved) in of_axes.iter_mut().enumerate() {
                let mut totals = vec![0.0; n_places[axis]];
                let mut means = vec![0.0; moved.len()];
                for (cell, (terms, weight)) in cells.chunks_exact(n_classes).zip(weights).enumerate() {
                    let place = place(axis, cell);
                    totals[place] += weight;
                    let means = &mut means[place * n_classes..(place + 1) * n_classes];
                    means.iter_mut().zip(terms).for_each(|(mean, term)| *mean += weight * term);
                }
                for (means, total) in means.chunks_exact_mut(n_classes).zip(totals) {
                    for mean in means {
                        *mean = if total > 0.0 { *mean / total } else { 0.0 };
                        most = most.max(mean.abs());
                    }
                }
                for (cell, terms) in cells.chunks_exact_mut(n_classes).enumerate() {
                    let place = place(axis, cell);
                    let means = &means[place * n_classes..(place + 1) * n_classes];
                    terms.iter_mut().zip(means).for_each(|(term, mean)| *term -= mean);
                }
                moved.iter_mut().zip(&means).for_each(|(moved, mean)| *moved += mean);
            }
            if most <= PRECISION * largest {
                break;
            }
        }
        Self { cells, of_axes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_move_to_the_columns_and_the_sum_stays() {
        let cells = vec![1.0, -1.0, 4.0, 0.5, 2.0, 3.0, -2.0, 0.0, 7.0, 1.0, 0.25, -0.5];
        let weights = [3.0, 1.0, 0.0, 2.0, 5.0, 1.0];
        let pure = Pure::new(cells.clone(), &weights, [2, 3]);
        for (cell, (found, given)) in pure.cells.chunks(2).zip(cells.chunks(2)).enumerate() {
            for class in 0..2 {
                let sum = found[class]
                    + pure.of_axes[0][cell / 3 * 2 + class]
                    + pure.of_axes[1][cell % 3 * 2 + class];
                assert!((sum - given[class]).abs() < 1e-12, "{cell} {class}");
            }
        }
        for class in 0..2 {
            let mean = |is_of: &dyn Fn(usize) -> bool| {
                let cells = (0..6).filter(|&cell| is_of(cell));
                cells.map(|cell| weights[cell] * pure.cells[2 * cell + class]).sum::<f64>()
            };
            assert!((0..2).all(|row| mean(&|cell| cell / 3 == row).abs() < 1e-7));
            assert!((0..3).all(|column| mean(&|cell| cell % 3 == column).abs() < 1e-7));
        }
    }
}
