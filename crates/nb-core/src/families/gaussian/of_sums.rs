//! The log-likelihood of rows of which only the moments are known.

use crate::families::gaussian::{FittedGaussian, Moments, WideMoments, has_wide, moments};
use exact_sums::{Dyadic, Exact};

use exact_sums::Compensated;

use crate::model::{ClassSums, remaining::remaining};

impl Moments {
    /// The weight `n` of the observed cells of a column in a class, and `Σ w (x - c)²` around a center `c` of
    /// two doubles, both exact: `Σ w x² - c (2 Σ w x - n c)`.
    ///
    /// ```
    /// use nb_core::{family::{ClassSums, Moments}, Gaussian, SufficientStats};
    /// use ndarray::array;
    ///
    /// let mut stats = SufficientStats::new(&Gaussian::default(), 1)?;
    /// stats.update(&Gaussian::default(), &array![[1e9 + 1.0], [1e9 + 5.0]], &["a", "a"])?;
    /// let (weight, sums) = (&stats.class_weights()[0], stats.class_sums().next().unwrap());
    /// let (n, squares) = Moments::squares_about(&ClassSums::new(weight, sums), 0, (1e9, 0.0));
    /// assert_eq!((n.to_f64(), squares.to_f64()), (2.0, 26.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the sums are not in the layout of [`Gaussian`](crate::Gaussian).
    pub fn squares_about(class: &ClassSums<'_>, column: usize, center: (f64, f64)) -> (Exact, Exact) {
        let [sum, squares, missing] =
            [moments::SUM, moments::SQUARES, moments::MISSING].map(|part| class.part(part).get(column));
        let weight = remaining(class.weight(), &missing);
        let center = Exact::sum([center.0, center.1]);
        let slope = &sum.times(2.0) - &(&weight * &center);
        let squares = &squares - &(&center * &slope);
        (weight, squares)
    }
}

impl FittedGaussian {
    /// `Σ_j -½ n_cj log(2π v_cj) - Σ w (x_j - μ_cj)² / (2 v_cj)`. The squared distances are exact, so that
    /// nothing cancels at any offset; columns without information add nothing.
    pub(crate) fn of_sums(&self, class: usize, sums: &ClassSums<'_>) -> Option<f64> {
        let n_columns = self.variances().ncols();
        if sums.n_parts() != 3 || sums.parts().iter().any(|part| part.len() != n_columns) {
            return None;
        }
        let mut total = Compensated::default();
        for column in 0..n_columns {
            let &[mean, mean_rest, half_inv_variance] = self.term(class, column);
            if half_inv_variance > 0.0
                && (self.unit_exponent(column) != 0 || has_wide(std::slice::from_ref(sums)))
            {
                let unit = self.unit_exponent(column);
                let center = &Dyadic::from(mean) + &Dyadic::from(mean_rest);
                let moments = WideMoments::of_class(sums, column);
                let squares = moments.squares_about(&center.times_power_of_two(-unit));
                total.add(moments.weight.to_f64() * self.log_norm(class, column));
                total.add(
                    -(&squares.times_power_of_two(2 * unit) * &Dyadic::from(half_inv_variance)).to_f64(),
                );
            } else if half_inv_variance > 0.0 {
                let (weight, squares) = Moments::squares_about(sums, column, (mean, mean_rest));
                total.add(weight.to_f64() * self.log_norm(class, column));
                total.add(-squares.to_f64() * half_inv_variance);
            }
        }
        Some(total.value())
    }
}
