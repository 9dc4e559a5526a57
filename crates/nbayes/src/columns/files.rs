//! Data files as the library learns from them, and its errors and notes in the words of the program.

use anyhow::{Result, anyhow};
use nb_core::error::{LayoutError, PredictError};
use nb_io::{
    PreparationError, Schema,
    read::{Inferred, Overrides, ReadChunks, Reason},
};
use nb_train::{Note, Source, TrainerError, TrendError};

use super::{family_option, infer::infer_all, why};
use crate::{
    commands::train::{note_prepared, pairs},
    data::{Input, Origin, Purpose, ReadArgs, Wanted},
    design::{families_error, prior_error},
    failure::usage,
    model::fitted,
    output::{Screen, quoted_list},
    words::{nearest, not_learnt, value_error},
};

/// Data files, and how they are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Files<'a> {
    pub(crate) inputs: &'a [Input],
    /// The label column, if there is one.
    pub(crate) label: Option<&'a str>,
    pub(crate) weights: Option<&'a str>,
    /// The column of groups, if there is one.
    pub(crate) groups: &'a [String],
    pub(crate) read: &'a ReadArgs,
    /// Whether they are read as those of a model, whose columns are known.
    pub(crate) is_of_model: bool,
    pub(crate) screen: Screen,
}

impl Source for Files<'_> {
    type Error = anyhow::Error;

    fn infer(&self, overrides: &Overrides) -> Result<Inferred> {
        infer_all(self.inputs, self.label, self.weights, overrides, self.read, self.screen)
    }

    fn n_parts(&self) -> usize {
        self.inputs.len()
    }

    fn open(
        &self,
        part: usize,
        inferred: &Inferred,
        classes: Vec<String>,
    ) -> Result<Box<dyn ReadChunks + '_>> {
        let found = Some(inferred).filter(|_| !self.is_of_model);
        let wanted =
            Wanted { weight: self.weights, ids: self.groups, inferred: found, classes, places: false };
        self.read.open(&self.inputs[part], &inferred.schema, wanted, Purpose::Learn, self.screen)
    }

    fn note(&self, note: &Note<'_>) {
        match note {
            Note::CopyLeftOut { column, choice } => self.screen.note(&format!(
                "column {:?} is left out, as it repeats the label: one value for each class, and one class for each value; \
                 `{}` keeps it",
                column.column,
                family_option(&choice.name(), &column.column)
            )),
            Note::PreparedFromSome { n_rows } => self.screen.note(&format!(
                "cut points, grids and powers are learnt from {n_rows} of the rows, the sums are those of all; --best learns from \
                 more",
            )),
            Note::Prepared { family, cut_off, inexact, schema } => {
                note_prepared(family, cut_off, inexact, schema, self.screen);
            }
            Note::ClassNotTuned { class } => self.screen.note(&format!(
                "class {class:?} has too few rows for cross-validation; --tune ignores it"
            )),
            _ => {}
        }
    }

    fn explain(&self, error: TrainerError, schema: &Schema) -> anyhow::Error {
        let at = |name: &str, row: usize| {
            let input = self.inputs.iter().find(|input| input.name() == name);
            input.map_or_else(
                || format!("{name}, row {}", row + 1),
                |input| self.origin(input, schema).at(row),
            )
        };
        match error {
            TrainerError::NotFound { column, choice } => usage(format!(
                "column {column:?}, named by --{}, not found{}",
                choice.name(),
                nearest(&column, schema.columns.iter().map(|known| known.name.as_str()))
            )),
            TrainerError::Value { part, error, .. } => {
                value_error(PredictError::Value(error), self.origin(&self.inputs[part], schema), 0)
            }
            TrainerError::Weight { name, row, weight, least, most } => anyhow!(
                "{}: the row has the weight {weight:e}; weights are 0, or from {least:e} to {most:e}",
                at(&name, row)
            ),
            TrainerError::UnknownLabel { name, row, label, known } => anyhow!(
                "{}: the label {label:?} is not one of the classes of the model ({}); a file of new rows is given by --add",
                at(&name, row),
                quoted_list(&known)
            ),
            TrainerError::UnknownCategory { name, row, column, category } => anyhow!(
                "{}, column {column:?}: the model does not know the category {category:?}, so that its sums do not have \
                 this row; a file of new rows is given by --add",
                at(&name, row)
            ),
            TrainerError::Trend(error) => usage(trend_error(&error, schema)),
            TrainerError::Families(error) => families_error(error),
            TrainerError::Sparse => anyhow!(
                "bins, kernel densities and powers are learnt from tables with all cells of a row; the rows here store only some \
                 cells: convert them to CSV or Parquet, or choose other families"
            ),
            TrainerError::Preparation { column, error } => match error {
                PreparationError::Value { value, reason, .. } => {
                    anyhow!("column {column:?}: {value} {reason}")
                }
                PreparationError::NoValues { .. } => {
                    anyhow!("column {column:?} has no values to learn from; leave it out (--ignore)")
                }
                PreparationError::Layout(error @ LayoutError::Parameter { name: "the smoothing", .. }) => {
                    error.into()
                }
                PreparationError::Layout(error) => {
                    anyhow!("{error}; `--parents`, `--bins width:5` and `--ignore` are the options for that")
                }
                error => error.into(),
            },
            TrainerError::Memory { memory, limit } => pairs::memory_error(*memory, schema, limit, ""),
            TrainerError::Regression { label, n_classes, n_rows } => {
                usage(measurements(&label, n_classes, n_rows))
            }
            TrainerError::Prior(error) => prior_error(error),
            TrainerError::Add(error) => not_learnt(error, at),
            TrainerError::Fold { name, error } => anyhow::Error::new(error).context(name),
            TrainerError::Fit { model, is_of_folds, error } => {
                let error = fitted(&model).err().unwrap_or_else(|| error.into());
                if is_of_folds { error } else { error.context("cannot build a model from these rows") }
            }
            TrainerError::NoColumns { .. } => none_left(error),
            // As they are, so that the options for what they are about are found.
            TrainerError::Read(error) => error.into(),
            TrainerError::Model(error) => error.into(),
            error => error.into(),
        }
    }
}

impl Files<'_> {
    fn origin<'a>(&'a self, input: &'a Input, schema: &'a Schema) -> Origin<'a> {
        Origin { input, read: self.read, schema, purpose: Purpose::Learn }
    }
}

/// Why labels are none of a classifier, and what to do.
pub(crate) fn measurements(label: &str, n_classes: usize, n_rows: usize) -> String {
    format!(
        "the label column {label:?} has {n_classes} different numbers in {n_rows} rows, which looks like regression; a classifier needs \
         classes: choose another column, group the numbers, or take them as they are with `--numeric-labels`"
    )
}

/// Why a column has no trend, and what to do.
fn trend_error(error: &TrendError, schema: &Schema) -> String {
    match error {
        TrendError::NotFound { column } => {
            let near = nearest(column, schema.columns.iter().map(|known| known.name.as_str()));
            format!("column {column:?}, named by --increasing or --decreasing, not found{near}")
        }
        TrendError::NoClass { class, known } => {
            format!("the label {class:?} (--positive) is not one of the classes {}", quoted_list(known))
        }
        TrendError::Plain { why } => format!(
            "--increasing and --decreasing are for models with corrections, and this one has none: {why}; leave out these options, or \
             what keeps the model from having corrections"
        ),
        error => error.to_string(),
    }
}

/// The error about the last column, which is left out.
pub(super) fn none_left(error: TrainerError) -> anyhow::Error {
    let TrainerError::NoColumns { column, choice } = error else { return error.into() };
    let name = &column.column;
    match &column.reason {
        Reason::NoValuesInClass { class } => {
            anyhow!("no column is left to learn from: {name:?} has no values for class {class:?}")
        }
        Reason::DuplicatesLabel => anyhow!(
            "no column is left to learn from: {name:?} repeats the label: one value for each class, and one class for each \
             value; a family by option keeps it, such as `{}`",
            family_option(&choice.name(), name)
        ),
        _ => anyhow!("no column is left to learn from: {name:?} is left out, as {}", why(&column)),
    }
}
