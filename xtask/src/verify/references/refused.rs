//! Models that the library refuses to fit, which is right if they do not exist.

use nb_core::error::{FitError, FitRowsError};

use super::format::{Undefined, Variant};
use super::input::Input;
use crate::verify::check::Outcome;

/// The outcome of a variant that was refused with `error`.
pub(super) fn outcome(variant: &Variant, input: &Input, train: &[usize], error: &FitRowsError) -> Outcome {
    match &variant.undefined {
        Some(undefined) => undefined_outcome(undefined, input, train, error),
        None => refused_although_defined(variant, error),
    }
}

/// The outcome of a variant that is fitted although it does not exist.
pub(super) fn fitted_although_undefined(undefined: &Undefined) -> Outcome {
    Outcome::equal(expected(undefined), "a model").and(false, "the model does not exist and must be refused")
}

fn expected(undefined: &Undefined) -> String {
    format!("undefined ({} places)", undefined.count)
}

/// A model that does not exist must be refused with an error that names a class and column at fault.
fn undefined_outcome(undefined: &Undefined, input: &Input, train: &[usize], error: &FitRowsError) -> Outcome {
    let mut classes = input.classes_of(train);
    classes.sort_unstable();
    classes.dedup();
    let named = match error {
        FitRowsError::Fit(FitError::Family(error)) => {
            classes.get(error.class).map(|&class| (Some(class), error.column))
        }
        _ => None,
    };
    // A variance that all classes share belongs to none of them.
    let is_listed = |(class, column)| {
        let places = &undefined.where_class_feature;
        places.contains(&(class, column)) || places.contains(&(None, column))
    };
    let right = named.is_some_and(is_listed);
    let got = match named {
        Some((Some(class), column)) => format!("refused (class {class}, column {column})"),
        _ => "refused".to_owned(),
    };
    Outcome { expected: expected(undefined), got, error: String::new(), passed: right, remarks: Vec::new() }
        .and(right, format!("the reference does not have this place: {}", undefined.reason))
        .remark(format!("our error: {error}"))
}

/// A model that exists must not be refused.
fn refused_although_defined(variant: &Variant, error: &FitRowsError) -> Outcome {
    let expected = format!("{} of {} right", variant.correct, variant.labels.len());
    Outcome::equal(expected, "an error").and(false, format!("a model that exists was refused: {error}"))
}
