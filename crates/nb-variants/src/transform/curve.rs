//! The transforms: single-parameter curves that take a column nearer to a normal distribution.

use nb_core::{
    Missing,
    error::{LayoutError, ValueProblem},
    exact::domain::{MAX_ABS_VALUE, MIN_ABS_NONZERO},
};

use crate::observable::real;

/// An increasing function `T` of the values of a column.
///
/// Powers far from one are not for all columns: of numbers about a million, `x^-3` is lost next to the 1 that
/// Box-Cox subtracts. Scale such columns first, or [learn](crate::Transformed::learn) a `λ`, which minds
/// this.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Transform {
    /// `x`: the column stays as it is.
    #[default]
    Identity,
    /// `ln x`, for positive values; a normal distribution of it is the log-normal distribution of `x`.
    Log,
    /// `(x^λ - 1) / λ`, and `ln x` for `λ = 0`, for positive values: Box and Cox (1964), equation 1.
    BoxCox {
        /// `λ`.
        lambda: f64,
    },
    /// `((x + 1)^λ - 1) / λ` for `x ≥ 0` and `-((1 - x)^(2 - λ) - 1) / (2 - λ)` for `x < 0`, with logarithms
    /// where a divisor is zero: Yeo and Johnson (2000). For values of either sign; `λ = 1` changes nothing.
    YeoJohnson {
        /// `λ`.
        lambda: f64,
    },
}

/// `(exp(power × log) - 1) / power`, which is `log` for a power of zero.
pub(super) fn power_of_log(log: f64, power: f64) -> f64 {
    if power == 0.0 { log } else { libm::expm1(power * log) / power }
}

/// `(base^power - 1) / power`, with the logarithm of the base where the power is near one and the logarithm
/// has more digits.
fn power(base: f64, log: f64, power: f64) -> f64 {
    if (power * log).abs() < 0.5 { power_of_log(log, power) } else { (libm::pow(base, power) - 1.0) / power }
}

/// The inverse of [`power_of_log`]; not a number beyond its range.
fn log_of_power(value: f64, power: f64) -> f64 {
    if power == 0.0 { value } else { libm::log1p(power * value) / power }
}

impl Transform {
    /// `T(x)`; not a number for values that the transform does not take.
    ///
    /// ```
    /// use nb_variants::Transform;
    ///
    /// assert_eq!(Transform::BoxCox { lambda: 2.0 }.apply(3.0), 4.0);
    /// assert_eq!(Transform::YeoJohnson { lambda: 1.0 }.apply(-3.0), -3.0);
    /// assert!(Transform::Log.apply(-3.0).is_nan());
    /// ```
    pub fn apply(self, value: f64) -> f64 {
        match self {
            Self::Identity | Self::YeoJohnson { lambda: 1.0 } => value,
            Self::Log | Self::BoxCox { .. } if value <= 0.0 => f64::NAN,
            Self::Log => libm::log(value),
            Self::BoxCox { lambda } => power(value, libm::log(value), lambda),
            Self::YeoJohnson { lambda } if value < 0.0 => {
                -power(1.0 - value, libm::log1p(-value), 2.0 - lambda)
            }
            Self::YeoJohnson { lambda } => power(1.0 + value, libm::log1p(value), lambda),
        }
    }

    /// The `x` with `T(x)` equal to a number; not a number if there is none.
    ///
    /// ```
    /// # use nb_variants::Transform;
    /// let square = Transform::BoxCox { lambda: 2.0 }; // (x² - 1) / 2
    /// assert!((square.invert(4.0) - 3.0).abs() < 1e-14);
    /// ```
    pub fn invert(self, transformed: f64) -> f64 {
        match self {
            Self::Identity | Self::YeoJohnson { lambda: 1.0 } => transformed,
            Self::Log => libm::exp(transformed),
            Self::BoxCox { lambda } => libm::exp(log_of_power(transformed, lambda)),
            Self::YeoJohnson { lambda } if transformed < 0.0 => {
                -libm::expm1(log_of_power(-transformed, 2.0 - lambda))
            }
            Self::YeoJohnson { lambda } => libm::expm1(log_of_power(transformed, lambda)),
        }
    }

    /// `ln T'(x)`: what a log-density of `T(x)` lacks to be one of `x`.
    ///
    /// ```
    /// # use nb_variants::Transform;
    /// // ln' x = 1/x
    /// assert!((Transform::Log.log_derivative(4.0) - 0.25_f64.ln()).abs() < 1e-15);
    /// assert_eq!(Transform::Identity.log_derivative(4.0), 0.0);
    /// ```
    pub fn log_derivative(self, value: f64) -> f64 {
        match self {
            Self::Identity | Self::YeoJohnson { lambda: 1.0 } => 0.0,
            Self::Log => -libm::log(value),
            Self::BoxCox { lambda } => (lambda - 1.0) * libm::log(value),
            Self::YeoJohnson { lambda } if value < 0.0 => (1.0 - lambda) * libm::log1p(-value),
            Self::YeoJohnson { lambda } => (lambda - 1.0) * libm::log1p(value),
        }
    }

    /// Refuses a `λ` that is no number.
    pub(super) fn check(self) -> Result<(), LayoutError> {
        match self {
            Self::BoxCox { lambda } | Self::YeoJohnson { lambda } if !lambda.is_finite() => {
                let (name, must_be) = ("the lambda of a transform", "a finite number");
                Err(LayoutError::Parameter { name, value: lambda, must_be })
            }
            _ => Ok(()),
        }
    }

    /// What keeps a value from being transformed to a number of which there are exact moments, if anything.
    pub(super) fn problem(self, value: f64, missing: Missing) -> Option<ValueProblem> {
        if let Some(problem) = real(value, missing) {
            return Some(problem);
        }
        if value.is_nan() {
            return None;
        }
        if value <= 0.0 && matches!(self, Self::Log | Self::BoxCox { .. }) {
            let what =
                "is not above 0, and has no logarithm; shift the column, or choose the Yeo-Johnson transform";
            return Some(ValueProblem::Other(what.into()));
        }
        let transformed = self.apply(value);
        let size = transformed.abs();
        if size == 0.0 || (MIN_ABS_NONZERO..=MAX_ABS_VALUE).contains(&size) {
            return None;
        }
        if self == Self::Identity {
            return Some(ValueProblem::TooSmall);
        }
        Some(ValueProblem::Other(format!(
            "is transformed to {transformed:e}, which cannot be squared exactly; choose a lambda nearer to 1, or scale the column"
        )))
    }

    /// What tells this transform from others in the name of a layout.
    pub(super) fn name(self) -> String {
        match self {
            Self::Identity => "identity".into(),
            Self::Log => "log".into(),
            // Adding 0 makes -0 and 0 the same.
            Self::BoxCox { lambda } => format!("box-cox {:e}", lambda + 0.0),
            Self::YeoJohnson { lambda } => format!("yeo-johnson {:e}", lambda + 0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn transforms() -> impl Strategy<Value = Transform> {
        prop_oneof![
            Just(Transform::Identity),
            Just(Transform::Log),
            Just(Transform::BoxCox { lambda: 0.0 }),
            Just(Transform::YeoJohnson { lambda: 0.0 }),
            Just(Transform::YeoJohnson { lambda: 2.0 }),
            (-3.0..3.0_f64).prop_map(|lambda| Transform::BoxCox { lambda }),
            (-3.0..3.0_f64).prop_map(|lambda| Transform::YeoJohnson { lambda }),
        ]
    }

    proptest! {
        #[test]
        fn inverses_invert(transform in transforms(), value in 0.05..20.0_f64) {
            // Where the curve is flat the inverse magnifies what was rounded.
            let steepness = libm::exp(transform.log_derivative(value));
            let back = transform.invert(transform.apply(value));
            let rounding = 1e-14 * (1.0 + transform.apply(value).abs()) * (1.0 + 1.0 / steepness);
            prop_assert!((back - value).abs() < rounding * value.max(1.0), "{back}, not {value}");
        }

        #[test]
        fn derivatives_are_slopes(transform in transforms(), value in prop_oneof![0.05..20.0_f64, -20.0..-0.05_f64]) {
            prop_assume!(value > 0.0 || matches!(transform, Transform::Identity | Transform::YeoJohnson { .. }));
            let h = 1e-5 * value.abs();
            let slope = (transform.apply(value + h) - transform.apply(value - h)) / (2.0 * h);
            let found = libm::exp(transform.log_derivative(value));
            prop_assert!((found / slope - 1.0).abs() < 1e-6, "{found}, not {slope}");
        }
    }

    #[test]
    fn small_values_keep_their_digits() {
        // The curve has slope one at zero, whatever its lambda.
        for lambda in [-3.0, 0.0, 0.5, 2.0, 4.0] {
            let transform = Transform::YeoJohnson { lambda };
            for value in [1e-20, -1e-20] {
                assert!((transform.apply(value) / value - 1.0).abs() < 1e-15, "{lambda}");
            }
        }
        let nearly_log = Transform::BoxCox { lambda: 1e-18 }.apply(7.0);
        assert!((nearly_log - libm::log(7.0)).abs() < 1e-15);
    }

    #[test]
    fn what_cannot_be_transformed_is_named() {
        let problem =
            |transform: Transform, value| transform.problem(value, Missing::Error).map(|why| why.to_string());
        for transform in [Transform::Log, Transform::BoxCox { lambda: 1.0 }] {
            assert!(problem(transform, 0.0).is_some_and(|why| why.contains("shift the column")));
            assert_eq!(problem(transform, 2.0), None);
        }
        let steep = problem(Transform::BoxCox { lambda: 4.0 }, 1e100);
        assert!(steep.is_some_and(|why| why.contains("nearer to 1")));
        assert_eq!(problem(Transform::YeoJohnson { lambda: 0.5 }, -3.0), None);
        assert!(problem(Transform::Identity, f64::NAN).is_some());
        assert_eq!(Transform::Log.problem(f64::NAN, Missing::Skip), None);
        assert!(Transform::BoxCox { lambda: f64::NAN }.check().is_err());
    }
}
