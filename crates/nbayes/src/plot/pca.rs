//! Principal components of standardised columns.

use ndarray::{Array1, Array2, Axis};

/// The first `N` principal components.
#[derive(Clone, Debug)]
pub(crate) struct Components<const N: usize> {
    /// The columns that vary; others have no part in it.
    pub(crate) columns: Vec<usize>,
    /// For each component, the weights of these columns.
    pub(crate) loadings: [Vec<f64>; N],
    /// The shares of the variance.
    pub(crate) shares: [f64; N],
    /// Where each row is.
    pub(crate) at: Vec<[f64; N]>,
    pub(crate) n_missing: usize,
}

impl<const N: usize> Components<N> {
    /// The components of rows, whose missing cells are put at the mean of their column; none if fewer than
    /// `N` columns vary. The largest weight of each component is positive.
    pub(crate) fn new(rows: &Array2<f64>) -> Option<Self> {
        let mut standard = Array2::zeros(rows.raw_dim());
        let mut columns = Vec::new();
        let mut n_missing = 0;
        for (column, cells) in rows.axis_iter(Axis(1)).enumerate() {
            let known: Vec<f64> = cells.iter().copied().filter(|cell| cell.is_finite()).collect();
            n_missing += cells.len() - known.len();
            // Scaled, so that squares neither overflow nor vanish.
            let scale = known.iter().fold(0.0_f64, |most, cell| most.max(cell.abs()));
            let n = known.len() as f64;
            let mean = known.iter().map(|cell| cell / scale).sum::<f64>() / n;
            let squares: f64 = known.iter().map(|cell| (cell / scale - mean).powi(2)).sum();
            let sd = (squares / n).sqrt();
            // What rounding leaves of equal cells is no variance.
            if !(sd > 1e-14 && sd.is_finite()) {
                continue;
            }
            columns.push(column);
            for (place, &cell) in standard.column_mut(columns.len() - 1).iter_mut().zip(cells) {
                *place = if cell.is_finite() { (cell / scale - mean) / sd } else { 0.0 };
            }
        }
        if columns.len() < N || rows.nrows() < 2 {
            return None;
        }
        let standard = standard.slice_move(ndarray::s![.., ..columns.len()]);
        let (values, vectors) = eigen(standard.t().dot(&standard));
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
        let whole: f64 = values.iter().map(|value| value.max(0.0)).sum();
        let numbers: [usize; N] = std::array::from_fn(|component| component);
        let loadings = numbers.map(|component| {
            let vector: Vec<f64> = vectors.column(order[component]).to_vec();
            let largest = vector.iter().copied().fold(0.0_f64, |a, b| if b.abs() > a.abs() { b } else { a });
            vector.into_iter().map(|weight| weight * largest.signum()).collect::<Vec<f64>>()
        });
        let scores = numbers.map(|component| standard.dot(&Array1::from(loadings[component].clone())));
        Some(Self {
            columns,
            shares: numbers.map(|component| values[order[component]].max(0.0) / whole),
            at: (0..rows.nrows()).map(|row| numbers.map(|component| scores[component][row])).collect(),
            loadings,
            n_missing,
        })
    }
}

/// The eigenvalues of a symmetric matrix, and its eigenvectors as columns, by the rotations of Jacobi. Golub
/// and Van Loan, *Matrix Computations* (2013), section 8.5.
fn eigen(mut matrix: Array2<f64>) -> (Vec<f64>, Array2<f64>) {
    const SWEEPS: usize = 60;
    let n = matrix.nrows();
    let mut vectors = Array2::eye(n);
    let size: f64 = matrix.iter().map(|cell| cell * cell).sum();
    for _ in 0..SWEEPS {
        let off = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
        if off.map(|place| matrix[place] * matrix[place]).sum::<f64>() <= 1e-30 * size {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut matrix, &mut vectors, (p, q));
            }
        }
    }
    (matrix.diag().to_vec(), vectors)
}

/// The rotation after which a cell off the diagonal is zero.
fn rotate(matrix: &mut Array2<f64>, vectors: &mut Array2<f64>, (p, q): (usize, usize)) {
    let cell = matrix[[p, q]];
    if cell == 0.0 {
        return;
    }
    let tau = (matrix[[q, q]] - matrix[[p, p]]) / (2.0 * cell);
    let tangent = tau.signum() / (tau.abs() + tau.hypot(1.0));
    let cosine = 1.0 / tangent.hypot(1.0);
    let sine = tangent * cosine;
    let turn = |a: &mut f64, b: &mut f64| (*a, *b) = (cosine * *a - sine * *b, sine * *a + cosine * *b);
    for k in 0..matrix.nrows() {
        let (mut a, mut b) = (matrix[[k, p]], matrix[[k, q]]);
        turn(&mut a, &mut b);
        (matrix[[k, p]], matrix[[k, q]]) = (a, b);
    }
    for k in 0..matrix.nrows() {
        let (mut a, mut b) = (matrix[[p, k]], matrix[[q, k]]);
        turn(&mut a, &mut b);
        (matrix[[p, k]], matrix[[q, k]]) = (a, b);
        let (mut a, mut b) = (vectors[[k, p]], vectors[[k, q]]);
        turn(&mut a, &mut b);
        (vectors[[k, p]], vectors[[k, q]]) = (a, b);
    }
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    fn components_of_numpy() {
        // import numpy as np; i = np.arange(40.)
        // x = np.c_[i % 7, i * i % 11 + i % 7, i % 5 - 0.5 * (i % 7), i * 13 % 17 + 1e6]
        // z = (x - x.mean(0)) / x.std(0); u, s, v = np.linalg.svd(z, full_matrices=False)
        // print((s**2 / (s**2).sum())[:2], v[:2], (z @ v[:2].T)[[0, 39]])  # signs so that the largest weight
        // is positive
        let rows = Array2::from_shape_fn((40, 4), |(row, column)| {
            let rest = |of: usize| (row % of) as f64;
            match column {
                0 => rest(7),
                1 => (row * row % 11) as f64 + rest(7),
                2 => rest(5) - 0.5 * rest(7),
                _ => (row * 13 % 17) as f64 + 1e6,
            }
        });
        let found = Components::<2>::new(&rows).unwrap();
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
        near(found.shares[0], 0.462_475_085_785);
        near(found.shares[1], 0.242_652_567_549);
        for (weight, wanted) in found.loadings[0].iter().zip([
            0.643_496_319_710,
            0.514_941_713_365,
            -0.527_651_681_297,
            0.205_745_526_274,
        ]) {
            near(*weight, wanted);
        }
        for (weight, wanted) in found.loadings[1].iter().zip([
            -0.217_551_626_741,
            -0.098_724_884_731,
            0.016_916_878_070,
            0.970_895_723_584,
        ]) {
            near(*weight, wanted);
        }
        near(found.at[0][0], -2.167_441_656_687);
        near(found.at[0][1], -1.004_818_477_643);
        near(found.at[39][0], 0.193_182_482_902);
        near(found.at[39][1], 1.078_811_071_599);
    }

    #[test]
    fn cells_at_the_mean_and_columns_that_do_not_vary() {
        let nan = f64::NAN;
        let rows =
            array![[1.0, 7.0, 1.0, nan], [2.0, 7.0, 1.5, 3.0], [nan, 7.0, 0.0, 5.0], [3.0, 7.0, 9.0, 4.0]];
        let found = Components::<2>::new(&rows).unwrap();
        assert_eq!((found.columns.as_slice(), found.n_missing), (&[0, 2, 3][..], 2));
        // The second column of weights is at right angles to the first.
        let dot: f64 = found.loadings[0].iter().zip(&found.loadings[1]).map(|(a, b)| a * b).sum();
        assert!(dot.abs() < 1e-12);
        assert!(Components::<2>::new(&array![[1.0, 7.0], [2.0, 7.0]]).is_none());
        assert!(Components::<2>::new(&array![[nan, nan], [nan, nan]]).is_none());
        let huge = Components::<2>::new(&array![[1e300, 1.0], [-1e300, 3.0], [0.0, 2.5]]).unwrap();
        assert!((huge.shares[0] + huge.shares[1] - 1.0).abs() < 1e-12);
    }
}
