//! The classifier that a model gives, or why it gives none.

use nb_core::{
    Classifier,
    error::{FamilyProblem, FitError},
};
use nb_io::{FittedFamily, Model};

/// The classifier of a model; errors name column and class.
pub(super) fn fitted(model: &Model) -> anyhow::Result<Classifier<String, FittedFamily>> {
    model.classifier().map_err(|error| {
        let FitError::Family(found) = &error else { return error.into() };
        let class = model.stats().classes().nth(found.class);
        match (class, model.schema().feature(found.column)) {
            (Some(class), Some(feature)) if matches!(found.problem, FamilyProblem::NoData) => {
                let column = &feature.column.name;
                let name = if column.contains(' ') { format!("'{column}'") } else { column.clone() };
                anyhow::anyhow!(
                    "column {column:?} has no values for class {class:?}; leave it out (`--ignore {name}`), or add rows"
                )
            }
            (Some(class), Some(feature)) => {
                anyhow::anyhow!("column {:?}, class {class:?}: {}", feature.name(), found.problem)
            }
            _ => error.into(),
        }
    })
}
