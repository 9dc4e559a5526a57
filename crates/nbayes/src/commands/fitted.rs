//! The classifier that a model gives, or why it gives none.

use nb_core::{
    Classifier, Likelihood,
    error::{FamilyError, FamilyProblem, FitError},
};
use nb_io::{FittedFamily, Model};

/// The classifier of a model; errors name column and class.
pub(super) fn fitted(model: &Model) -> anyhow::Result<Classifier<String, FittedFamily>> {
    model.classifier().map_err(|error| {
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

/// Refuses a model whose score is no sum over columns, for `work` that shows what each column adds.
pub(super) fn refuse_dependent(
    classifier: &Classifier<String, FittedFamily>,
    work: &str,
) -> anyhow::Result<()> {
    anyhow::ensure!(
        classifier.likelihood().is_additive(),
        "{work} what each column adds, and the columns of this model depend on each other (--aode, --tan), so that none \
         has a part of its own; `nbayes predict` and `nbayes evaluate` work as ever"
    );
    Ok(())
}

/// A column and a class that has no value in it, if that is why the model cannot be fitted.
pub(super) fn without_values(model: &Model) -> Option<(String, String)> {
    column_without_values(model, &model.classifier().err()?)
}

fn column_without_values(model: &Model, error: &FitError) -> Option<(String, String)> {
    let FitError::Family(FamilyError { class, column, problem: FamilyProblem::NoData, .. }) = error else {
        return None;
    };
    let (class, feature) = (model.stats().classes().nth(*class)?, model.schema().feature(*column)?);
    Some((feature.column.name.clone(), class.clone()))
}
