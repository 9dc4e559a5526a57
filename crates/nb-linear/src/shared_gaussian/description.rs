//! What users know of the shared-variance Gaussian family.

use nb_core::{
    Missing,
    description::{
        Columns, Described, Description, Formula, Hyper, Inspect, Outline, ParameterName, Summand, Values,
        mean_divergence_of_normals, parameters,
    },
    family::BoxedModel,
};

use super::{FittedSharedGaussian, SharedGaussian};

impl Described for SharedGaussian {
    fn describe() -> Description {
        Description::new("shared_gaussian", Columns::Real).titled("Gaussian with shared variance").about(
            "Real numbers with one variance for all classes",
            "Columns of real numbers with one variance for all classes",
        )
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        vec![
            Hyper::new(&parameters::UNBIASED, &mut self.estimator),
            Hyper::new(&parameters::VARIANCE_FLOOR, &mut self.smoothing),
            Hyper::new(&parameters::MISSING, &mut self.missing),
        ]
    }

    fn density(&self) -> Option<BoxedModel> {
        Some(BoxedModel::new(*self))
    }

    fn summands(&self) -> Option<Vec<Summand>> {
        Some(vec![Summand::Power(1), Summand::Power(2), Summand::Missing])
    }
}

impl Inspect for FittedSharedGaussian {
    fn missing_cells(&self) -> Missing {
        self.missing()
    }

    fn parameters(&self, column: usize) -> Vec<(ParameterName, Vec<f64>)> {
        let means = self.means().column(column).to_vec();
        let deviations = vec![self.standard_deviations()[column]; means.len()];
        vec![("mean".into(), means), ("sd".into(), deviations)]
    }

    fn outline(&self, column: usize) -> Option<Outline> {
        let deviation = self.standard_deviations()[column];
        Some(Outline::Real(self.means().column(column).iter().map(|&mean| (mean, deviation)).collect()))
    }

    fn divergences(&self, column: usize, weights: &[f64]) -> Option<Vec<f64>> {
        let (means, _, variances) = self.parameters_in_units();
        let variances = vec![variances[column]; weights.len()];
        Some(mean_divergence_of_normals(&means.column(column), &variances, weights))
    }

    fn formula(&self, class: usize, column: usize) -> Option<Formula> {
        let (means, rests, variances) = self.parameters_in_units();
        let variance = variances[column];
        // A column that was constant over all training rows says nothing.
        if !variance.is_finite() {
            return Some(Formula::Sum(Vec::new()));
        }
        let (mean, rest) = (means[[class, column]], rests[[class, column]]);
        let unit = self.unit_exponent(column);
        let mut difference = Formula::Sum(vec![Formula::cell_in_units(unit), Formula::Number(0.0 - mean)]);
        if rest != 0.0 {
            difference = Formula::Sum(vec![difference, Formula::Number(-rest)]);
        }
        let square = Formula::Product(vec![difference.clone(), difference, Formula::Number(-0.5 / variance)]);
        let shift = unit as f64 * std::f64::consts::LN_2;
        let log_norm = -0.5 * libm::log(std::f64::consts::TAU * variance) + shift;
        Some(Formula::Sum(vec![Formula::Number(log_norm), square]))
    }

    fn values(&self) -> Values {
        Values::Real
    }
}
