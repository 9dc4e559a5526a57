//! The classifier that a model gives, or why it gives none.

use nb_core::{
    Classifier, Likelihood, Prior,
    error::{FamilyError, FamilyProblem, FitError},
};
use nb_io::{Family, FittedFamily, Model};

/// The classifier of a model; errors name column and class.
pub(crate) fn fitted(model: &Model) -> anyhow::Result<Classifier<String, FittedFamily>> {
    named(model, model.classifier())
}

/// The classifier of a model without its calibration map: its scores are sums over the columns.
pub(crate) fn uncalibrated(model: &Model) -> anyhow::Result<Classifier<String, FittedFamily>> {
    named(model, model.uncalibrated_classifier())
}

/// Whether a model has a calibration of its probabilities, and no other weights and corrections.
pub(crate) fn is_calibrated_plain(model: &Model) -> bool {
    model.refinement().is_some_and(|refinement| refinement.columns.is_one_weight())
}

/// The name of the first term of the scores of a model: of weights, corrections and factors the intercept,
/// which is no prior.
pub(crate) fn first_term(model: &Model) -> &'static str {
    if model.refinement().is_some() { "intercept" } else { "prior" }
}

/// The class prior of a model, whatever its intercept: the shares of the classes in the rows, or what was
/// chosen.
pub(crate) fn class_prior(model: &Model, classifier: &Classifier<String, FittedFamily>) -> Vec<f64> {
    if model.refinement().is_none() {
        return first_probabilities(classifier);
    }
    let weights = model.stats().class_weights();
    match model.prior() {
        Prior::Given(probabilities) => probabilities.clone(),
        Prior::Uniform => vec![1.0 / weights.len() as f64; weights.len()],
        Prior::Empirical => weights.iter().map(|own| own.to_f64() / super::weight(model)).collect(),
    }
}

/// The probabilities of the classes by the first term of the scores alone.
pub(crate) fn first_probabilities(classifier: &Classifier<String, FittedFamily>) -> Vec<f64> {
    classifier.log_prior().iter().map(|log| libm::exp(*log)).collect()
}

/// What is said where contributions of columns are shown and the model has a calibration map.
pub(crate) const BEFORE_CALIBRATION: &str =
    "contributions are those before the calibration map (isotonic regression)";

/// Says so, if the model has a map.
pub(crate) fn note_calibration(model: &Model, screen: crate::output::Screen) {
    if model.calibration().is_some() {
        screen.note(BEFORE_CALIBRATION);
    }
}

fn named(
    model: &Model,
    classifier: Result<Classifier<String, FittedFamily>, FitError>,
) -> anyhow::Result<Classifier<String, FittedFamily>> {
    classifier.map_err(|error| {
        if let Some((column, class)) = column_without_values(model, &error) {
            let name = if column.contains(' ') { format!("'{column}'") } else { column.clone() };
            return anyhow::anyhow!(
                "column {column:?} has no values for class {class:?}; leave it out (`--ignore {name}`), or add rows"
            );
        }
        let FitError::Family(found) = &error else { return error.into() };
        let class = model.stats().classes().nth(found.class);
        match (class, model.schema().feature(found.column)) {
            (Some(class), Some(feature)) => {
                anyhow::anyhow!("column {:?}, class {class:?}: {}", feature.name(), found.problem)
            }
            _ => error.into(),
        }
    })
}

/// The options for columns that depend on each other, as a list.
pub(crate) fn dependent_options() -> String {
    let depends = |family: &Family| family.variant().is_some_and(|variant| variant.code_counts(1).is_some());
    let families = Family::learnt().into_iter().filter(depends);
    families.map(|family| format!("--{}", family.description().name)).collect::<Vec<_>>().join(", ")
}

/// Refuses a model whose score is no sum over columns, for `work` that shows what each column adds.
pub(crate) fn refuse_dependent(
    classifier: &Classifier<String, FittedFamily>,
    work: &str,
) -> anyhow::Result<()> {
    anyhow::ensure!(
        classifier.likelihood().is_additive(),
        "{work} what each column adds, and the columns of this model depend on each other ({}), or its score mixes \
         posteriors or counts rows by their values (--awnb with --column-weights rnb or aiwnb), so that none has its own \
         part; `nbayes predict` and `nbayes evaluate` work as ever",
        dependent_options()
    );
    Ok(())
}

/// A column and a class that has no value in it, if that is why the model cannot be fitted.
fn column_without_values(model: &Model, error: &FitError) -> Option<(String, String)> {
    let FitError::Family(FamilyError { class, column, problem: FamilyProblem::NoData, .. }) = error else {
        return None;
    };
    let (class, feature) = (model.stats().classes().nth(*class)?, model.schema().feature(*column)?);
    Some((feature.column.name.clone(), class.clone()))
}
