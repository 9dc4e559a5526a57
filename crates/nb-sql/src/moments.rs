//! Exact sums from shifted ones.

use nb_core::exact::{Exact, ExactSums};

/// `Σ w x` and `Σ w x²` of a column in one class, exact functions of what the engine summed, and how many
/// digits of the variance rounding may have taken.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Moments {
    pub(crate) sum: Exact,
    pub(crate) squares: Exact,
    /// `κ² = Σ w (x - c)² / Σ w (x - m)²` with `m` the mean: by how much the relative error of the variance
    /// may exceed that of the sums. One where the variance is zero.
    pub(crate) condition: f64,
}

/// The variance that sums of squares would make, where it is below zero by more than rounding explains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Negative {
    pub(crate) variance: f64,
}

impl Moments {
    /// From `Σ w (x - c)` and `Σ w (x - c)²` over cells of total weight `n`, as an engine has rounded them:
    ///
    /// `Σ w x = Σ w (x - c) + n c` and `Σ w x² = Σ w (x - c)² + 2c Σ w (x - c) + n c²`, without rounding. The
    /// variance does not depend on `c` then, and has the errors of the shifted sums only.
    ///
    /// Rounding may have made the sum of squares smaller than its least value, `(Σ w (x - c))² / n`. It is
    /// raised to about that value where the bound of recursive summation allows it,
    /// `|error| ≤ (n_rows - 1) u Σ|w (x - c)²|` plus the roundings of the products (Higham 2002, *Accuracy and Stability of
    /// Numerical Algorithms*, 2nd ed., section 4.2, inequality (4.4)).
    pub(crate) fn new(
        n_rows: f64,
        weight: &Exact,
        shift: f64,
        sum: f64,
        squares: f64,
    ) -> Result<Self, Negative> {
        let mut shifted_squares = Exact::from(squares);
        let square_of_sum = &Exact::from(sum) * &Exact::from(sum);
        let mut deviation = &(weight * &shifted_squares) - &square_of_sum;
        if deviation.is_negative() && !weight.is_zero() {
            // Three times: the errors of n Σd², and twice that of (Σd)², which is at most as large as n Σd².
            let bound = 3.0
                * (n_rows + 4.0)
                * (f64::EPSILON / 2.0)
                * (weight.to_f64() * squares).max(square_of_sum.to_f64());
            if -deviation.to_f64() > bound {
                let (variance, _) = deviation.divided_by(&(weight * weight));
                return Err(Negative { variance });
            }
            let (lacking, _) = (&Exact::ZERO - &deviation).divided_by(weight);
            shifted_squares = &shifted_squares + &Exact::from(lacking.next_up());
            deviation = &(weight * &shifted_squares) - &square_of_sum;
        }
        let condition = (weight.to_f64() * shifted_squares.to_f64()) / deviation.to_f64();
        let shift = Exact::from(shift);
        let of_weight = weight * &shift;
        let shifted_sum = Exact::from(sum);
        let cross = &(&shift * &shifted_sum).times(2.0) + &(&of_weight * &shift);
        Ok(Self {
            sum: &shifted_sum + &of_weight,
            squares: &shifted_squares + &cross,
            condition: if deviation.is_zero() { 1.0 } else { condition },
        })
    }
}

/// Adds an exact number to a sum.
pub(crate) fn add(sums: &mut ExactSums, index: usize, value: &Exact) {
    value.components().iter().for_each(|&component| sums.add(index, component));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shifted(values: &[f64], shift: f64) -> (f64, f64) {
        let differences = values.iter().map(|value| value - shift);
        (differences.clone().sum(), differences.map(|difference| difference * difference).sum())
    }

    #[test]
    fn whole_numbers_give_the_sums_of_the_rows() {
        let values = [1e9 + 1.0, 1e9 + 5.0, 1e9 + 6.0];
        let (sum, squares) = shifted(&values, 1e9 + 4.0);
        let moments = Moments::new(3.0, &Exact::from(3.0), 1e9 + 4.0, sum, squares).unwrap();
        assert_eq!(moments.sum.to_f64(), 3e9 + 12.0);
        let mut direct = ExactSums::new(1);
        for value in values {
            direct.add_product(0, value, value);
        }
        assert_eq!(moments.squares, direct.get(0));
        assert!(moments.condition < 1.2, "{}", moments.condition);
    }

    #[test]
    fn a_variance_is_negative_only_beyond_rounding() {
        // The square of 0.1 rounded is below the square: a single row without shift.
        let value = 1.0 + f64::EPSILON;
        let moments = Moments::new(1.0, &Exact::from(1.0), 0.0, value, 1.0).unwrap();
        let deviation = &moments.squares - &(&moments.sum * &moments.sum);
        assert!(!deviation.is_negative() && deviation.to_f64() < 1e-30, "{deviation:?}");
        assert!(moments.condition > 1e15);
        let negative = Moments::new(2.0, &Exact::from(2.0), 0.0, 4.0, 7.0).unwrap_err();
        assert_eq!(negative.variance, -0.5);
    }

    proptest! {
        #[test]
        fn no_rounding_makes_an_error(values in prop::collection::vec(-1e3..1e3_f64, 1..50), offset in -1e15..1e15_f64, shift in prop_oneof![Just(0.0), -1e15..1e15_f64]) {
            let values: Vec<f64> = values.iter().map(|value| value + offset).collect();
            let (sum, squares) = shifted(&values, shift);
            let n = values.len() as f64;
            let moments = Moments::new(n, &Exact::from(n), shift, sum, squares);
            prop_assert!(moments.is_ok());
            let moments = moments.unwrap();
            let deviation = &moments.squares.times(n) - &(&moments.sum * &moments.sum);
            prop_assert!(!deviation.is_negative());
            prop_assert!(moments.condition >= 0.99);
        }
    }
}
