//! What users know of the zero-inflated Gaussian family.

use crate::families::zero_inflated_gaussian::{FittedZeroInflatedGaussian, ZeroInflatedGaussian};
use crate::{
    families::{
        BoxedModel,
        description::{
            Columns, Described, Description, Formula, Hyper, Inspect, Outline, Parameter, ParameterName,
            Summand, Values, mean_divergence_of_events, mean_divergence_of_normals, parameters,
        },
    },
    model::Missing,
};

static VALUE: Parameter =
    Parameter::new("inflated_value", "The inflated value of zero-inflated columns").called("", "NUMBER");

impl Described for ZeroInflatedGaussian {
    fn describe() -> Description {
        Description::new("zero_inflated_gaussian", Columns::Real).titled("zero-inflated Gaussian").about(
            "Real numbers of which many are exactly zero",
            "Columns of real numbers of which many are exactly zero",
        )
    }

    fn hyper_parameters(&mut self) -> Vec<Hyper<'_>> {
        vec![
            Hyper::new(&VALUE, &mut self.value),
            Hyper::new(&parameters::SMOOTHING, &mut self.smoothing),
            Hyper::new(&parameters::UNBIASED, &mut self.estimator),
            Hyper::new(&parameters::VARIANCE_FLOOR, &mut self.variance),
            Hyper::new(&parameters::MISSING, &mut self.missing),
        ]
    }

    fn density(&self) -> Option<BoxedModel> {
        Some(BoxedModel::new(self.clone()))
    }

    fn summands(&self) -> Option<Vec<Summand>> {
        let power = |power| Summand::PowerBeside(power, self.value);
        Some(vec![power(1), power(2), power(0), Summand::Missing])
    }
}

impl FittedZeroInflatedGaussian {
    fn probabilities(&self, column: usize) -> Vec<f64> {
        self.log_probabilities.column(column).iter().map(|&log| libm::exp(log)).collect()
    }
}

impl Inspect for FittedZeroInflatedGaussian {
    fn missing_cells(&self) -> Missing {
        self.missing()
    }

    fn parameters(&self, column: usize) -> Vec<(ParameterName, Vec<f64>)> {
        let at_value = ParameterName::Text(format!("p({})", self.value).into());
        [(at_value, self.probabilities(column))].into_iter().chain(self.gaussian.parameters(column)).collect()
    }

    fn outline(&self, column: usize) -> Option<Outline> {
        match self.gaussian.outline(column)? {
            Outline::Real(others) => Some(Outline::Beside { value: self.value, others }),
            other => Some(other),
        }
    }

    /// Those of being the value or not, and in the classes' share of other values those of the normal
    /// distributions.
    fn divergences(&self, column: usize, weights: &[f64]) -> Option<Vec<f64>> {
        let (at_value, elsewhere) =
            (self.log_probabilities.column(column), self.log_complements.column(column));
        let mut sums = mean_divergence_of_events([at_value, elsewhere], weights);
        let [means, _, variances] = self.gaussian.parameters_in_units();
        let variances = variances.column(column).to_vec();
        if variances.iter().all(|variance| variance.is_finite()) {
            let normals = mean_divergence_of_normals(&means.column(column), &variances, weights);
            for ((sum, normal), &log) in sums.iter_mut().zip(normals).zip(elsewhere) {
                *sum += libm::exp(log) * normal;
            }
        }
        Some(sums)
    }

    fn formula(&self, class: usize, column: usize) -> Option<Formula> {
        let at = [class, column];
        let mut terms = vec![Formula::Number(self.log_complements[at])];
        // Where other values are impossible, there is nothing to add to that.
        if self.log_complements[at].is_finite() {
            terms.extend(self.gaussian.normal_formula(class, column));
        }
        let at_value = Formula::Number(self.log_probabilities[at]);
        Some(Formula::At(self.value, at_value.into(), Formula::Sum(terms).into()))
    }

    fn values(&self) -> Values {
        Values::Real
    }
}
