//! Hierarchical smoothing as a hyper-parameter.

use nb_core::{
    description::{Setting, Value},
    error::LayoutError,
};

use super::HierarchicalDirichlet;

/// The bits of half a seed.
const BITS: u32 = 32;

/// Hierarchical smoothing, or additive smoothing where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Hierarchy(pub(crate) Option<HierarchicalDirichlet>);

impl Hierarchy {
    /// From the number of sweeps, or from it, that of the burn-in, and the lower and upper half of the seed.
    fn of(numbers: &[f64]) -> Option<HierarchicalDirichlet> {
        let whole = |number: f64| {
            let is_whole = number.fract() == 0.0 && (0.0..1e18).contains(&number);
            is_whole.then_some(number as u64)
        };
        let half = |number: f64| whole(number).filter(|&half| half >> BITS == 0);
        let count = |number: f64| whole(number).and_then(|number| usize::try_from(number).ok());
        let default = HierarchicalDirichlet::default();
        Some(match *numbers {
            [iterations] => default.with_iterations(count(iterations)?),
            [iterations, burn_in, low, high] => default
                .with_iterations(count(iterations)?)
                .with_burn_in(count(burn_in)?)
                .with_seed(half(high)? << BITS | half(low)?),
            _ => return None,
        })
    }
}

/// The number of sweeps, 0 for additive smoothing; with a burn-in or seed of its own, those as well.
impl Setting for Hierarchy {
    fn value(&self) -> Value {
        let Some(own) = self.0 else { return Value::Number(0.0) };
        let usual = HierarchicalDirichlet::default().with_iterations(own.iterations);
        if own == usual {
            return Value::Number(own.iterations as f64);
        }
        let (low, high) = (own.seed & u64::from(u32::MAX), own.seed >> BITS);
        Value::Numbers(vec![own.iterations as f64, own.burn_in as f64, low as f64, high as f64])
    }

    fn set(&mut self, value: &Value) -> Result<bool, LayoutError> {
        let numbers = match value {
            Value::Number(number) => std::slice::from_ref(number),
            Value::Numbers(numbers) => numbers,
            _ => return Ok(false),
        };
        if numbers == [0.0] {
            self.0 = None;
            return Ok(true);
        }
        let Some(smoothing) = Self::of(numbers) else {
            let (name, value) = ("the number of sweeps", numbers.first().copied().unwrap_or(f64::NAN));
            return Err(LayoutError::Parameter {
                name,
                value,
                must_be: "a whole number, 0 for additive smoothing",
            });
        };
        smoothing.check()?;
        self.0 = Some(smoothing);
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_become_the_same_smoothing() {
        let usual = HierarchicalDirichlet::default();
        for smoothing in [
            None,
            Some(usual),
            Some(usual.with_iterations(9)),
            Some(usual.with_iterations(1000).with_burn_in(7).with_seed(u64::MAX - 5)),
        ] {
            let mut found = Hierarchy(Some(usual.with_iterations(77)));
            assert!(found.set(&Hierarchy(smoothing).value()).expect("in range"));
            assert_eq!(found.0, smoothing);
        }
    }

    #[test]
    fn other_numbers_are_refused() {
        let mut smoothing = Hierarchy::default();
        for number in [-1.0, 0.5, 2e6, f64::NAN, f64::INFINITY] {
            let error = smoothing.set(&Value::Number(number)).expect_err("out of range");
            assert!(error.to_string().contains("the number of sweeps"), "{error}");
        }
        let error = smoothing.set(&Value::Number(1e15)).expect_err("out of range").to_string();
        assert!(error.contains("at most 1000000"), "{error}");
        assert!(smoothing.set(&Value::Numbers(vec![10.0, 10.0, 0.0, 0.0])).is_err());
        assert!(smoothing.set(&Value::Numbers(vec![10.0, 1.0, 4_294_967_296.0, 0.0])).is_err());
        assert!(smoothing.set(&Value::Numbers(vec![10.0, 1.0])).is_err());
        assert!(!smoothing.set(&Value::Flag(true)).expect("another kind"));
        assert_eq!(smoothing, Hierarchy::default());
    }
}
