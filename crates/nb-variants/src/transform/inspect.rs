//! What users know of a Gaussian on transformed columns.

use nb_core::{
    Missing,
    description::{Formula, Inspect, Outline, ParameterName, Values},
};

use super::{FittedTransformed, Transform, Units};

/// How far from the mean the nodes of a class reach, in standard deviations.
const REACH: f64 = 9.0;
/// Nodes to either side of the mean.
const N_NODES: i32 = 72;

impl FittedTransformed {
    /// Mean and standard deviation of the transformed values of each class.
    fn normals(&self, column: usize) -> impl Iterator<Item = (f64, f64)> + '_ {
        let gaussian = self.gaussian();
        let means = gaussian.means().column(column).to_vec();
        let deviations = gaussian.standard_deviations().column(column).to_vec();
        means.into_iter().zip(deviations)
    }

    /// The median and half of the distance between the values one standard deviation below and above it,
    /// before the transform.
    fn moments(&self, column: usize) -> Vec<(f64, f64)> {
        let curve = self.curve(column);
        let of_class = |(mean, deviation): (f64, f64)| {
            let [low, high] = [mean - deviation, mean + deviation].map(|value| curve.invert(value));
            let median = curve.invert(mean);
            // Beyond the range of the transform there is nothing on that side.
            let spread = match (low.is_finite(), high.is_finite()) {
                (true, true) => 0.5 * (high - low),
                (true, false) => median - low,
                _ => high - median,
            };
            (median, spread)
        };
        self.normals(column).map(of_class).collect()
    }
}

impl Inspect for FittedTransformed {
    fn missing_cells(&self) -> Missing {
        self.missing()
    }

    fn parameters(&self, column: usize) -> Vec<(ParameterName, Vec<f64>)> {
        let (means, deviations): (Vec<f64>, Vec<f64>) = self.normals(column).unzip();
        let n_classes = means.len();
        let mut all: Vec<(ParameterName, Vec<f64>)> = Vec::new();
        let power = match self.transforms()[column] {
            Transform::Identity => None,
            Transform::Log => Some(0.0),
            Transform::BoxCox { lambda } | Transform::YeoJohnson { lambda } => Some(lambda),
        };
        all.extend(power.map(|power| ("power λ".into(), vec![power; n_classes])));
        all.push(("mean after the transform".into(), means));
        all.push(("standard deviation after it".into(), deviations));
        all.push(("median".into(), self.moments(column).into_iter().map(|(median, _)| median).collect()));
        all
    }

    fn outline(&self, column: usize) -> Option<Outline> {
        let curve = self.curve(column);
        let of_class = |(mean, deviation): (f64, f64)| {
            let node = move |place: i32| mean + REACH * deviation * f64::from(place) / f64::from(N_NODES);
            (-N_NODES..=N_NODES).map(move |place| curve.invert(node(place)))
        };
        let mut nodes: Vec<f64> =
            self.normals(column).flat_map(of_class).filter(|node| node.is_finite()).collect();
        nodes.retain(|&node| curve.problem(node, Missing::Error).is_none());
        nodes.sort_unstable_by(f64::total_cmp);
        nodes.dedup();
        Some(Outline::Smooth { moments: self.moments(column), nodes })
    }

    /// Those of the normal distributions, as an increasing function changes none.
    fn divergences(&self, column: usize, weights: &[f64]) -> Option<Vec<f64>> {
        self.gaussian().divergences(column, weights)
    }

    /// Without the logarithm of the slope, which is the same for all classes.
    fn formula(&self, class: usize, column: usize) -> Option<Formula> {
        let (mean, variance) =
            (self.gaussian().means()[[class, column]], self.gaussian().variances()[[class, column]]);
        if variance.is_infinite() {
            return Some(Formula::Sum(Vec::new()));
        }
        let transformed = formula(self.transforms()[column], self.units()[column]);
        let difference = Formula::Sum(vec![transformed, Formula::Number(-mean)]);
        let square = Formula::Product(vec![difference.clone(), difference, Formula::Number(-0.5 / variance)]);
        let log_norm = -0.5 * libm::log(std::f64::consts::TAU * variance);
        Some(Formula::Sum(vec![Formula::Number(log_norm), square]))
    }

    fn values(&self) -> Values {
        let is_positive =
            |transform: &Transform| matches!(transform, Transform::Log | Transform::BoxCox { .. });
        // A family with columns of both kinds says what holds for all of them.
        if self.transforms().iter().any(is_positive) { Values::Positive } else { Values::Real }
    }
}

/// The transformed cell. Transformed values are about as large as one in their units, so that 1 may be added
/// to what is small beside it.
fn formula(transform: Transform, units: Units) -> Formula {
    let number = Formula::Number;
    let scaled = |sign: f64| {
        let center = if units.center == 0.0 {
            Formula::Cell
        } else {
            Formula::Sum(vec![Formula::Cell, number(-units.center)])
        };
        Formula::Product(vec![center, number(sign / units.scale)])
    };
    let log_above_one = |sign: f64| Formula::Ln(Formula::Sum(vec![number(1.0), scaled(sign)]).into());
    match transform {
        Transform::Identity | Transform::YeoJohnson { lambda: 1.0 } => scaled(1.0),
        Transform::Log => Formula::Ln(scaled(1.0).into()),
        Transform::BoxCox { lambda } => power_of_log(&Formula::Ln(scaled(1.0).into()), lambda, 1.0),
        Transform::YeoJohnson { lambda } => Formula::Above(
            units.center,
            power_of_log(&log_above_one(1.0), lambda, 1.0).into(),
            power_of_log(&log_above_one(-1.0), 2.0 - lambda, -1.0).into(),
        ),
    }
}

/// `(exp(power × log) - 1) / power`, times a sign: by its series where the power is so near zero that the
/// difference would lose its digits.
fn power_of_log(log: &Formula, power: f64, sign: f64) -> Formula {
    const NEAR_ZERO: f64 = 1e-3;
    let number = Formula::Number;
    if power.abs() >= NEAR_ZERO {
        let exponential = Formula::Exp(Formula::Product(vec![log.clone(), number(power)]).into());
        let difference = Formula::Sum(vec![exponential, number(-1.0)]);
        return Formula::Product(vec![difference, number(sign / power)]);
    }
    let series = [5.0, 4.0, 3.0, 2.0].into_iter().fold(number(1.0), |rest, divisor| {
        Formula::Sum(vec![number(1.0), Formula::Product(vec![log.clone(), rest, number(power / divisor)])])
    });
    let series = if power == 0.0 { number(1.0) } else { series };
    Formula::Product(vec![log.clone(), series, number(sign)])
}

#[cfg(test)]
mod tests {
    use nb_core::{Likelihood, NaiveBayes};
    use ndarray::array;

    use super::*;
    use crate::Transformed;

    #[test]
    fn formulas_are_the_scores_without_the_slope() {
        let x = array![[0.5], [1.5], [4.0], [2.5], [9.0], [3.0]];
        for transform in [
            Transform::Identity,
            Transform::Log,
            Transform::BoxCox { lambda: 0.3 },
            Transform::YeoJohnson { lambda: -0.4 },
            Transform::YeoJohnson { lambda: 0.0 },
            Transform::YeoJohnson { lambda: 3e-4 },
            Transform::YeoJohnson { lambda: 2.0 },
            Transform::YeoJohnson { lambda: 1.0 },
        ] {
            let center = if transform == (Transform::YeoJohnson { lambda: -0.4 }) { 3.0 } else { 0.0 };
            let units = vec![Units { center, scale: 1.7 }];
            let model = Transformed { units, ..Transformed::new(vec![transform]) };
            let classifier = NaiveBayes::new(model).fit(&x, &[0, 0, 0, 1, 1, 1]).expect("fits");
            let fitted = classifier.likelihood();
            for value in [0.25, 1.0, 3.0, 3.5, 17.0] {
                let slope = fitted.curve(0).log_derivative(value);
                for class in 0..2 {
                    let expected = fitted.log_likelihood(class, 0, value) - slope;
                    let found = fitted.formula(class, 0).expect("known").evaluate(value);
                    assert!(
                        (found - expected).abs() < 1e-13 * (1.0 + expected.abs()),
                        "{transform:?} {value}"
                    );
                }
            }
        }
    }
}
