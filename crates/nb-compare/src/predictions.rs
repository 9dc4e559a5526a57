//! What each variant answered, row by row.

use crate::{Comparison, Condition, Folds, PlanError, Table};

/// What a variant answered for a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction<'a> {
    /// The data set.
    pub set: &'a str,
    /// The variant.
    pub variant: &'a str,
    /// The repeat, counted from 0.
    pub repeat: usize,
    /// The condition, if the design has an experiment.
    pub condition: Condition,
    /// The fold in which the row was tested, counted from 0.
    pub fold: usize,
    /// The row of the data set, counted from 0.
    pub row: usize,
    /// Its class.
    pub label: &'a str,
    /// The class that was predicted; none for a row that is impossible under every class.
    pub predicted: Option<&'a str>,
    /// The log-posterior of each class of the table; empty if the design keeps none.
    pub log_posteriors: &'a [f64],
}

/// Hands out all predictions of a comparison, made on these tables: sets, repeats, variants and conditions in
/// the order of the results, and rows ascending.
///
/// ```
/// use std::{num::NonZeroUsize, ops::ControlFlow};
/// use nb_compare::{Comparison, Design, Table, predictions, run};
///
/// let mut design = Design::from_toml(r#"
///     sets = ["iris"]
///     variants = ["gaussian"]
///     plan = { kind = "cross-validation", folds = 5, repeats = 1 }
///     predictions = true
/// "#)?;
/// let tables = [Table::embedded("iris")?];
/// let units = run(&design, &tables, Vec::new(), NonZeroUsize::MIN, |_| ControlFlow::Continue(()))?;
/// let comparison = Comparison::new(design, &tables, units);
/// let mut n_right = 0;
/// predictions(&comparison, &tables, |prediction| -> Result<(), nb_compare::PlanError> {
///     n_right += usize::from(prediction.predicted == Some(prediction.label));
///     assert_eq!(prediction.log_posteriors.len(), 3);
///     Ok(())
/// })?;
/// assert_eq!(n_right, 143);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of `each`, and [`PlanError`] if the tables are not those of the comparison.
pub fn predictions<E: From<PlanError>>(
    comparison: &Comparison,
    tables: &[Table],
    mut each: impl FnMut(Prediction<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let design = &comparison.design;
    for table in tables.iter().take(comparison.data.len()) {
        let key = table.split_key();
        let mut folds: Option<(usize, Folds)> = None;
        for unit in comparison.units.iter().filter(|unit| unit.set == table.name) {
            let Some(done) = unit.done() else { continue };
            // The units of a repeat follow one another.
            if folds.as_ref().is_none_or(|(repeat, _)| *repeat != unit.repeat) {
                let found = design.plan.folds_of(table, &key, design.seed, unit.repeat)?;
                folds = Some((unit.repeat, found));
            }
            let of_row = folds.iter().flat_map(|(_, folds)| &folds.of_row);
            let tested = of_row.enumerate().filter_map(|(row, fold)| Some((row, (*fold)?)));
            let mut kept = done.log_posteriors.chunks_exact(table.classes.len());
            for (row, fold) in tested {
                let predicted = done.labels.get(row).copied().flatten();
                each(Prediction {
                    set: &table.name,
                    variant: &unit.variant,
                    repeat: unit.repeat,
                    condition: unit.condition,
                    fold,
                    row,
                    label: &table.classes[table.labels[row]],
                    predicted: predicted
                        .and_then(|label| table.classes.get(label as usize))
                        .map(String::as_str),
                    log_posteriors: kept.next().unwrap_or_default(),
                })?;
            }
        }
    }
    Ok(())
}
