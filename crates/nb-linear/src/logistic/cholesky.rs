//! Cholesky decomposition, for Newton steps.

/// Replaces the lower triangle of a symmetric positive definite matrix, `size × size`, by its Cholesky
/// factor.
///
/// # Errors
/// The first row that is, up to rounding, a linear combination of those before it.
pub(super) fn factorise(matrix: &mut [f64], size: usize) -> Result<(), usize> {
    for i in 0..size {
        let (above, rest) = matrix.split_at_mut(i * size);
        let row = &mut rest[..=i];
        for j in 0..i {
            let other = &above[j * size..=j * size + j];
            row[j] = (row[j] - dot(&row[..j], &other[..j])) / other[j];
        }
        let diagonal = row[i];
        let pivot = diagonal - dot(&row[..i], &row[..i]);
        // What is left of a dependent row is rounding errors of its diagonal.
        if !(pivot > 1e-14 * diagonal && pivot.is_normal()) {
            return Err(i);
        }
        row[i] = libm::sqrt(pivot);
    }
    Ok(())
}

/// Solves `L Lᵀ x = b` in place, for a factor from [`factorise`].
pub(super) fn solve(factor: &[f64], size: usize, b: &mut [f64]) {
    for i in 0..size {
        b[i] = (b[i] - dot(&factor[i * size..i * size + i], &b[..i])) / factor[i * size + i];
    }
    for i in (0..size).rev() {
        b[i] /= factor[i * size + i];
        let (before, own) = b.split_at_mut(i);
        before.iter_mut().zip(&factor[i * size..]).for_each(|(b, factor)| *b -= factor * own[0]);
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_and_finds_dependent_rows() {
        let matrix = [4.0, 0.0, 0.0, 2.0, 5.0, 0.0, -2.0, 1.0, 6.0];
        let mut factor = matrix;
        factorise(&mut factor, 3).expect("positive definite");
        let mut x = [0.0, 12.0, 18.0]; // the matrix times (-1/2·…): checked by multiplying back
        solve(&factor, 3, &mut x);
        let full = [[4.0, 2.0, -2.0], [2.0, 5.0, 1.0], [-2.0, 1.0, 6.0]];
        for (row, expected) in full.iter().zip([0.0, 12.0, 18.0]) {
            assert!((dot(row, &x) - expected).abs() < 1e-14);
        }
        assert_eq!(factorise(&mut [1.0, 0.0, 0.0, 2.0, 5.0, 0.0, 3.0, 7.0, 10.0], 3), Err(2));
        assert_eq!(factorise(&mut [f64::NAN], 1), Err(0));
    }
}
