//! The wrong model: Gaussian naive Bayes as the R package klaR computes it.
//!
//! Nothing here is how it should be done. A density that underflows to zero is replaced by 0.001, which is
//! far *more* than most honest densities in the tails, and the joint likelihood leaves log space before it is
//! normalised, so that a row far from both classes becomes NaN. The published numbers of klaR are reproduced
//! to show what that costs.

use std::f64::consts::LN_2;

use ndarray::{Array2, ArrayView1, ArrayView2, Axis};

/// What klaR puts in the place of a density of zero.
const THRESHOLD: f64 = 0.001;

/// klaR's fitted model.
pub(super) struct KlarModel {
    priors: Vec<f64>,
    /// By class, then column.
    means: Array2<f64>,
    deviations: Array2<f64>,
}

impl KlarModel {
    /// Means and R's `sd` of each class, in ordinary two-pass arithmetic.
    pub(super) fn fit(x: &ArrayView2<'_, f64>, labels: &[usize], n_classes: usize) -> Self {
        let shape = (n_classes, x.ncols());
        let (mut means, mut deviations) = (Array2::zeros(shape), Array2::zeros(shape));
        let mut priors = Vec::with_capacity(n_classes);
        for class in 0..n_classes {
            let rows: Vec<usize> = (0..labels.len()).filter(|&row| labels[row] == class).collect();
            let own = x.select(Axis(0), &rows);
            priors.push(rows.len() as f64 / labels.len() as f64);
            for (column, values) in own.columns().into_iter().enumerate() {
                let n = values.len() as f64;
                let mean = values.sum() / n;
                let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
                means[[class, column]] = mean;
                deviations[[class, column]] = (squares / (n - 1.0)).sqrt();
            }
        }
        Self { priors, means, deviations }
    }

    /// klaR's posterior of a class; NaN where the likelihoods of all classes underflow.
    pub(super) fn posterior(&self, row: &ArrayView1<'_, f64>, class: usize) -> f64 {
        let joint: Vec<f64> = (0..self.priors.len()).map(|class| self.joint_likelihood(row, class)).collect();
        joint[class] / joint.iter().sum::<f64>()
    }

    /// The classes and columns in which klaR replaces a density of zero, in this order.
    pub(super) fn truncated(&self, row: &ArrayView1<'_, f64>) -> Vec<(usize, usize)> {
        let cells = self.means.indexed_iter().zip(&self.deviations);
        cells
            .filter(|&(((_, column), &mean), &deviation)| r_dnorm(row[column], mean, deviation) == 0.0)
            .map(|((cell, _), _)| cell)
            .collect()
    }

    fn joint_likelihood(&self, row: &ArrayView1<'_, f64>, class: usize) -> f64 {
        let parameters = self.means.row(class).into_iter().zip(self.deviations.row(class));
        let log_densities = row.iter().zip(parameters).map(|(&value, (&mean, &deviation))| {
            let density = r_dnorm(value, mean, deviation);
            if density == 0.0 { THRESHOLD.ln() } else { density.ln() }
        });
        (self.priors[class].ln() + log_densities.sum::<f64>()).exp()
    }
}

/// R's `dnorm`: beyond five standard deviations the exponent is split to keep digits, and from the point on
/// where the result is below the smallest subnormal double it is zero.
fn r_dnorm(value: f64, mean: f64, deviation: f64) -> f64 {
    const INVERSE_ROOT_OF_TAU: f64 = 0.398_942_280_401_432_7;
    /// The exponent of the smallest subnormal double, 2^-1074.
    const SMALLEST_EXPONENT: f64 = -1074.0;
    let distance = ((value - mean) / deviation).abs();
    if distance < 5.0 {
        return INVERSE_ROOT_OF_TAU * (-0.5 * distance * distance).exp() / deviation;
    }
    if distance > (-2.0 * LN_2 * SMALLEST_EXPONENT).sqrt() {
        return 0.0;
    }
    let coarse = (distance * 65536.0).round_ties_even() / 65536.0;
    let rest = distance - coarse;
    INVERSE_ROOT_OF_TAU / deviation * ((-0.5 * coarse * coarse).exp() * ((-0.5 * rest - coarse) * rest).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dnorm_is_a_density_until_it_underflows() {
        // The third is subnormal and has few digits.
        assert!((r_dnorm(0.0, 0.0, 1.0) - 0.398_942_280_401_432_7).abs() < 1e-16);
        assert!((r_dnorm(6.0, 0.0, 1.0) / 6.075_882_849_823_286e-9 - 1.0).abs() < 1e-14);
        assert!((r_dnorm(38.0, 0.0, 1.0) / 1.097_221_052e-314 - 1.0).abs() < 1e-8);
        assert_eq!(r_dnorm(39.0, 0.0, 1.0), 0.0);
    }
}
