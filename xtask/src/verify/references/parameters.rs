//! Comparing fitted parameters.

use ndarray::Array2;

use super::bounds::{PARAMETER_ULPS, Worst, parameter_error};
use super::format::{Matrix, Reference, Variant};
use super::model::Fitted;
use crate::verify::check::Problem;

/// The errors of all parameters that the reference lists.
pub(super) fn compare(reference: &Reference, variant: &Variant, fitted: &Fitted) -> Result<Worst, Problem> {
    let mut comparison = Comparison { reference, classes: fitted.scorer.classes(), worst: Worst::default() };
    let own = &fitted.parameters;
    for (position, &class) in comparison.classes.iter().enumerate() {
        // The complement model of the references has no prior.
        if let Some(expected) = variant.log_prior.get(class) {
            comparison.add("log prior", class, 0, expected.0, fitted.scorer.log_prior()[position]);
        }
    }
    if variant.spec.split.is_none() && own.means.is_some() {
        comparison.matrix("mean", &reference.means, own.means.as_ref())?;
    }
    comparison.matrix("variance", &variant.variances(reference.classes.len())?, own.variances.as_ref())?;
    comparison.matrix("log theta", &variant.log_theta, own.log_theta.as_ref())?;
    comparison.matrix("weight", &variant.weights, own.weights.as_ref())?;
    if variant.log_probability.len() != own.log_probability.len() {
        return Err("the reference has probabilities for another number of columns".into());
    }
    for (column, (expected, got)) in variant.log_probability.iter().zip(&own.log_probability).enumerate() {
        comparison.matrix(&format!("log probability in column {column}"), expected, Some(got))?;
    }
    Ok(comparison.worst)
}

struct Comparison<'a> {
    reference: &'a Reference,
    /// The classes of the model, by their position in the reference.
    classes: &'a [usize],
    worst: Worst,
}

impl Comparison<'_> {
    /// Compares a matrix by class and column; the reference may have all classes and no more than the first
    /// columns, or nothing at all.
    fn matrix(&mut self, what: &str, expected: &Matrix, got: Option<&Array2<f64>>) -> Result<(), Problem> {
        if expected.is_empty() {
            return Ok(());
        }
        let got = got.ok_or_else(|| format!("the model has no {what}"))?;
        for (position, &class) in self.classes.iter().enumerate() {
            let expected = expected
                .get(class)
                .filter(|expected| !expected.is_empty() && expected.len() <= got.ncols())
                .ok_or_else(|| format!("the reference has no {what} of class {class} for these columns"))?;
            for (column, expected) in expected.iter().enumerate() {
                self.add(what, class, column, expected.0, got[[position, column]]);
            }
        }
        Ok(())
    }

    fn add(&mut self, what: &str, class: usize, column: usize, expected: f64, got: f64) {
        let name = &self.reference.classes[class];
        self.worst.add(parameter_error(expected, got), || {
            format!("{what} [class {name}, {column}] is {got:e}, not {expected:e}: over {PARAMETER_ULPS} ulp")
        });
    }
}
