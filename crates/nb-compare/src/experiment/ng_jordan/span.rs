//! Rows in coordinates of the space that they span, which may have far fewer dimensions than columns.

use ndarray::{Array1, Array2, ArrayView2, Axis};

/// An affine space through the first of some rows, with an orthonormal basis.
///
/// The weights that minimise a loss of the scores of the training rows and a penalty on their squares lie in
/// the span of the rows (the representer theorem; Schölkopf, Herbrich and Smola 2001, *A generalized
/// representer theorem*, COLT), up to what the intercept takes up. So the minimum over `min(n_rows - 1,
/// n_columns)` coordinates is the minimum over all columns.
#[derive(Debug)]
pub(super) struct Span {
    /// The first row.
    pub(super) origin: Array1<f64>,
    /// One direction per row.
    basis: Array2<f64>,
}

impl Span {
    /// The span of these rows, by the modified Gram-Schmidt process, each direction made orthogonal twice
    /// (Björck 1994, *Numerics of Gram-Schmidt orthogonalization*, Linear Algebra and its Applications
    /// 197).
    pub(super) fn new(rows: &ArrayView2<'_, f64>) -> Self {
        let n_columns = rows.ncols();
        let origin =
            rows.rows().into_iter().next().map_or_else(|| Array1::zeros(n_columns), |row| row.to_owned());
        let mut basis: Vec<Array1<f64>> = Vec::new();
        for row in rows.rows().into_iter().skip(1) {
            let mut rest = &row - &origin;
            let length = rest.dot(&rest).sqrt();
            for _ in 0..2 {
                for direction in &basis {
                    let along = direction.dot(&rest);
                    rest.scaled_add(-along, direction);
                }
            }
            let left = rest.dot(&rest).sqrt();
            // What is left of a row that depends on those before it are rounding errors.
            if left > 1e-10 * length {
                basis.push(rest / left);
            }
        }
        let mut directions = Array2::zeros((basis.len(), n_columns));
        for (direction, mut out) in basis.iter().zip(directions.axis_iter_mut(Axis(0))) {
            out.assign(direction);
        }
        Self { origin, basis: directions }
    }

    /// The number of dimensions; none where all rows are alike.
    pub(super) fn n_dimensions(&self) -> usize {
        self.basis.nrows()
    }

    /// The coordinates of rows that lie in the space, `n_rows × n_dimensions`. Inputs are at most 1 in size,
    /// so that what is below `1e-14` is a rounding error and 0.
    pub(super) fn coordinates(&self, rows: &ArrayView2<'_, f64>) -> Array2<f64> {
        let coordinates = (rows - &self.origin).dot(&self.basis.t());
        coordinates.mapv_into(|value| if value.abs() < 1e-14 { 0.0 } else { value })
    }

    /// Weights of coordinates as weights of columns.
    pub(super) fn weights(&self, of_coordinates: &Array1<f64>) -> Array1<f64> {
        of_coordinates.dot(&self.basis)
    }
}
