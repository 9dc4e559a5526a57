//! Quotients and means of exact sums, so that neither the order of the rows nor the way they were split shows
//! in a measure.

pub(crate) use exact_sums::ExactSum as Sum;

/// A quotient of sums, where it has a value.
pub(crate) fn ratio(numerator: f64, denominator: f64) -> Option<f64> {
    let is_defined = denominator > 0.0 && denominator.is_finite() && numerator.is_finite();
    is_defined.then(|| numerator / denominator)
}

/// The mean of the values that there are, whatever their order; `None` if there are none.
pub(crate) fn mean(values: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let n_values = values.clone().count();
    ratio(values.sum::<Sum>().value(), n_values as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinite_sums_have_no_quotient() {
        let sum: Sum = [f64::MAX, f64::MAX].into_iter().sum();
        assert_eq!(ratio(sum.value(), sum.value()), None);
        assert_eq!(ratio(1.0, 0.0), None);
        assert_eq!(mean([1.0, 2.0].into_iter()), Some(1.5));
    }
}
