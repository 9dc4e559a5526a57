//! What users know of the Gaussian family.

use crate::families::gaussian::{FittedGaussian, Gaussian};
use crate::{
    families::{
        BoxedModel,
        description::{
            Columns, Described, Description, Formula, Hyper, Inspect, Outline, ParameterName, Summand,
            Values, mean_divergence_of_normals, parameters,
        },
    },
    model::Missing,
};

impl Described for Gaussian {
    fn describe() -> Description {
        Description::new("gaussian", Columns::Real)
            .titled("Gaussian")
            .about("Real numbers: a normal distribution per class", "Columns of real numbers")
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

impl FittedGaussian {
    /// Mean and standard deviation of a column in each class.
    fn normals(&self, column: usize) -> [Vec<f64>; 2] {
        [self.means().column(column).to_vec(), self.standard_deviations().column(column).to_vec()]
    }

    /// `-½ log(2πv) - (x - μ)²/2v`, never expanded, with both doubles of the mean; nothing where the column
    /// says nothing.
    pub(crate) fn normal_formula(&self, class: usize, column: usize) -> Vec<Formula> {
        let &[mean, mean_rest, _] = self.term(class, column);
        let [_, _, variances] = self.parameters_in_units();
        let variance = variances[[class, column]];
        if !variance.is_finite() {
            return Vec::new();
        }
        let unit = self.unit_exponent(column);
        let mut difference = Formula::Sum(vec![Formula::cell_in_units(unit), Formula::Number(0.0 - mean)]);
        if mean_rest != 0.0 {
            difference = Formula::Sum(vec![difference, Formula::Number(-mean_rest)]);
        }
        let square = Formula::Product(vec![difference.clone(), difference, Formula::Number(-0.5 / variance)]);
        let shift = unit as f64 * std::f64::consts::LN_2;
        vec![Formula::Number(-0.5 * libm::log(std::f64::consts::TAU * variance) + shift), square]
    }
}

impl Inspect for FittedGaussian {
    fn missing_cells(&self) -> Missing {
        self.missing()
    }

    fn parameters(&self, column: usize) -> Vec<(ParameterName, Vec<f64>)> {
        let [means, deviations] = self.normals(column);
        vec![("mean".into(), means), ("sd".into(), deviations)]
    }

    fn outline(&self, column: usize) -> Option<Outline> {
        let [means, deviations] = self.normals(column);
        Some(Outline::Real(means.into_iter().zip(deviations).collect()))
    }

    fn divergences(&self, column: usize, weights: &[f64]) -> Option<Vec<f64>> {
        let [means, _, variances] = self.parameters_in_units();
        Some(mean_divergence_of_normals(&means.column(column), &variances.column(column).to_vec(), weights))
    }

    fn formula(&self, class: usize, column: usize) -> Option<Formula> {
        Some(Formula::Sum(self.normal_formula(class, column)))
    }

    fn values(&self) -> Values {
        Values::Real
    }
}
