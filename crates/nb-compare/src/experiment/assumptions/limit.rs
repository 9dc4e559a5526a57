//! Where the coefficients of both learners go as rows are added without end.

use nb_linear::LogisticRegression;
use ndarray::Array2;

use super::scenario::Scenario;
use crate::experiment::error::LearnerError;

/// The limit of naive Bayes with common variances, `[w_1, w_2, b]`: `w_j = (μ_1j - μ_0j) / v_j` with the mean
/// variance within classes `v_j`, and `b = -Σ w_j (μ_0j + μ_1j) / 2`.
pub(super) fn naive_bayes(scenario: &Scenario) -> [f64; 3] {
    let mut limit = [0.0; 3];
    for column in 0..2 {
        let [(mean_0, variance_0), (mean_1, variance_1)] =
            [0, 1].map(|class| scenario.moments(class, column));
        limit[column] = (mean_1 - mean_0) / f64::midpoint(variance_0, variance_1);
        limit[2] -= limit[column] * f64::midpoint(mean_0, mean_1);
    }
    limit
}

/// How many cells the grid has along each side. The integrands are smooth and vanish at the ends, where the
/// midpoint rule converges faster than any power of the step.
const CELLS: usize = 161;

/// The limit of logistic regression: the minimum of the expected log-loss (White 1982, *Maximum likelihood
/// estimation of misspecified models*, Econometrica 50), found by logistic regression on a grid of rows,
/// weighted by the densities.
pub(super) fn logistic(scenario: &Scenario) -> Result<[f64; 3], LearnerError> {
    let (mut cells, mut labels, mut weights) = (Vec::new(), Vec::new(), Vec::new());
    for class in [0, 1] {
        for (x, area) in scenario.grid(CELLS) {
            let weight = area * scenario.density(class, x);
            // Less than rounding errors of the sums, and not too small for exact ones.
            if weight > 1e-17 {
                cells.extend(x);
                labels.push(class);
                weights.push(weight);
            }
        }
    }
    let x = Array2::from_shape_vec((labels.len(), 2), cells).map_err(|_| "the grid has no shape")?;
    let logistic = LogisticRegression::default().with_l2(0.0);
    let plane = logistic.fit_weighted(&x, &labels, &weights)?.hyperplane(1, 0)?;
    Ok([plane.coef()[0], plane.coef()[1], plane.intercept()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::assumptions::scenario::SCENARIOS;

    fn near(found: [f64; 3], expected: [f64; 3], within: f64) -> bool {
        found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < within)
    }

    #[test]
    fn the_limits_are_the_true_coefficients_where_all_assumptions_hold() -> Result<(), LearnerError> {
        let expected = [1.2, 0.5, -1.22];
        assert!(near(naive_bayes(&SCENARIOS[0]), expected, 1e-14));
        assert!(near(logistic(&SCENARIOS[0])?, expected, 1e-8));
        Ok(())
    }

    #[test]
    fn limits_without_normality_are_those_of_scipy() -> Result<(), LearnerError> {
        // scipy 1.17.1, `minimize` of the expected log-loss by the trapezoidal rule, to three decimals.
        assert!(near(logistic(&SCENARIOS[3])?, [3.0, 0.5, -2.75], 5e-4));
        assert!(near(naive_bayes(&SCENARIOS[3]), [0.621, 0.5, -0.966], 5e-4));
        Ok(())
    }

    #[test]
    fn logistic_regression_finds_the_discriminant_of_correlated_columns() -> Result<(), LearnerError> {
        // The inverse covariance times the difference of the means: ((1.2 - 0.7) / 0.51, (1 - 0.84) / 1.02).
        let (first, second) = (0.5 / 0.51, 0.16 / 1.02);
        let expected = [first, second, -0.6 * first - second];
        assert!(near(logistic(&SCENARIOS[2])?, expected, 1e-8));
        assert!(near(naive_bayes(&SCENARIOS[2]), [1.2, 0.5, -1.22], 1e-14));
        Ok(())
    }
}
