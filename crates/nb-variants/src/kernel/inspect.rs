//! What users know of kernel densities.

use nb_core::{
    Likelihood, Missing,
    description::{Inspect, Outline, ParameterName, Values, mean_divergence_of_densities},
};

use super::FittedKernelDensity;

/// Kernels reach this far, in bandwidths.
const REACH: f64 = 9.0;
/// The most nodes of a column; beyond that they are further apart than half a bandwidth.
const MOST_NODES: f64 = 2048.0;

impl FittedKernelDensity {
    /// Mean and standard deviation of the density of each class: a kernel density has the variance of its
    /// points and that of the kernel.
    fn moments(&self, column: usize) -> Vec<(f64, f64)> {
        self.mixtures_of(column).map(|mixture| mixture.moments(self.grids()[column].origin())).collect()
    }

    /// Numbers half a bandwidth apart, over all kernels of all classes.
    fn nodes(&self, column: usize) -> Vec<f64> {
        let origin = self.grids()[column].origin();
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut least = f64::INFINITY;
        for mixture in self.mixtures_of(column) {
            let ([first, last], reach) = (mixture.ends(), REACH * mixture.bandwidth());
            (low, high) = (low.min(origin + first - reach), high.max(origin + last + reach));
            least = least.min(mixture.bandwidth());
        }
        let n = ((high - low) / (0.5 * least)).ceil().clamp(1.0, MOST_NODES);
        (0..=n as usize).map(|node| low + (high - low) * (node as f64 / n)).collect()
    }
}

impl Inspect for FittedKernelDensity {
    fn missing_cells(&self) -> Missing {
        self.missing()
    }

    fn parameters(&self, column: usize) -> Vec<(ParameterName, Vec<f64>)> {
        let (means, deviations) = self.moments(column).into_iter().unzip();
        let bandwidths = self.bandwidths().column(column).to_vec();
        vec![
            ("mean".into(), means),
            ("standard deviation".into(), deviations),
            ("bandwidth".into(), bandwidths),
        ]
    }

    fn outline(&self, column: usize) -> Option<Outline> {
        Some(Outline::Smooth { moments: self.moments(column), nodes: self.nodes(column) })
    }

    /// There is no closed form: by quadrature.
    fn divergences(&self, column: usize, weights: &[f64]) -> Option<Vec<f64>> {
        let log_density = |class: usize, value: f64| self.log_likelihood(class, column, value);
        Some(mean_divergence_of_densities(&self.nodes(column), log_density, weights))
    }

    fn values(&self) -> Values {
        Values::Real
    }
}
