//! The check is checked: a disturbed reference must fail.

use super::format::Decimal;
use super::*;
use crate::verify::check::Outcome;

const VARIANT: &str = "gaussian,vs=0,ddof=0,empirical";

/// The outcome for iris after some disturbance of the reference.
fn iris(disturb: impl Fn(&mut Reference)) -> Outcome {
    let mut reference = load("iris").unwrap();
    let input = Input::load(&reference).unwrap();
    disturb(&mut reference);
    outcome::of(&reference, &reference.variants[VARIANT], &input).unwrap()
}

fn variant(reference: &mut Reference) -> &mut format::Variant {
    reference.variants.get_mut(VARIANT).unwrap()
}

#[track_caller]
fn assert_fails(outcome: &Outcome, because: &str) {
    assert!(!outcome.passed, "{outcome:?}");
    assert!(outcome.remarks.iter().any(|remark| remark.contains(because)), "{outcome:?}");
}

#[test]
fn the_reference_itself_passes() {
    let outcome = iris(|_| {});
    assert!(outcome.passed, "{outcome:?}");
    assert_eq!(outcome.got, "144 of 150 right");
}

#[test]
fn a_disturbed_score_fails() {
    let disturb = |number: &mut Decimal| number.0 *= 1.0 + 1e-9;
    assert_fails(&iris(|iris| disturb(&mut variant(iris).jll[3][1])), "joint log-likelihood of row 7");
    let posterior = iris(|iris| {
        variant(iris).log_posterior[0][0].iter_mut().for_each(disturb);
    });
    assert_fails(&posterior, "log-posterior of row 0");
}

#[test]
fn a_disturbed_parameter_fails() {
    assert_fails(&iris(|iris| iris.means[2][3].0 *= 1.0 + 1e-14), "mean [class virginica, 3]");
    assert_fails(&iris(|iris| variant(iris).disturb_variance()), "variance [class setosa, 0]");
    assert_fails(&iris(|iris| variant(iris).log_prior[0].0 += 1e-14), "log prior");
}

#[test]
fn a_disturbed_label_fails() {
    assert_fails(&iris(|iris| variant(iris).labels[10] = Some(1)), "1 labels differ, the first in rows [10]");
    assert_fails(&iris(|iris| variant(iris).labels[10] = None), "1 labels differ");
}

#[test]
fn a_tie_excuses_only_its_own_row() {
    let tie = |row| {
        iris(move |iris| {
            variant(iris).labels[10] = Some(1);
            variant(iris).ties.insert(row, vec![0, 1]);
        })
    };
    assert!(tie(10).passed);
    assert!(!tie(11).passed);
}

#[test]
fn missing_numbers_are_no_pass() {
    let mut reference = load("iris").unwrap();
    let input = Input::load(&reference).unwrap();
    variant(&mut reference).rows.clear();
    assert!(outcome::of(&reference, &reference.variants[VARIANT], &input).is_err());
}

#[test]
fn a_model_that_does_not_exist_must_be_refused_by_name() {
    let reference = load("hard_constant_in_one_class").unwrap();
    let input = Input::load(&reference).unwrap();
    let outcome = |variant: &format::Variant| outcome::of(&reference, variant, &input).unwrap();
    let mut undefined = reference.variants[VARIANT].clone();
    assert!(outcome(&undefined).passed);
    if let Some(undefined) = &mut undefined.undefined {
        undefined.where_class_feature = vec![(Some(1), 0)];
    }
    assert_fails(&outcome(&undefined), "does not have this place");
    // A model that exists must not be refused, and one that does not exist must not be fitted.
    undefined.undefined = None;
    assert_fails(&outcome(&undefined), "a model that exists was refused");
    let undefined = reference.variants[VARIANT].undefined.clone();
    let mut fitted = reference.variants["gaussian,vs=1e-09,ddof=0,empirical"].clone();
    assert!(outcome(&fitted).passed);
    fitted.undefined = undefined;
    assert_fails(&outcome(&fitted), "must be refused");
}

#[test]
fn every_reference_is_checked() {
    let checks = checks().unwrap();
    let n_variants: usize = REFERENCES.iter().map(|(name, _)| load(name).unwrap().variants.len()).sum();
    assert_eq!(checks.len(), n_variants);
}
