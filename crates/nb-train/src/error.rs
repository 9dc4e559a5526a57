//! Why a table has no model.

use nb_core::error::{FitError, FoldError, PredictError, UpdateError, ValueError};
use nb_io::{
    CodeMemory, Model, ModelError, PreparationError, Schema,
    read::{Inference, ReadError},
};
use nb_metrics::RowError;

use crate::{
    Choice, FamiliesError, LossChange, PriorError, RefineError, TrendError, WhyPlain, source::Place,
};

/// Why no model was made of a table. Rows are counted from 0.
///
/// ```
/// use nb_train::{Trainer, TrainerError};
/// use ndarray::array;
///
/// let schema = nb_io::Schema::numeric(["same"], "class");
/// let labels = ["a", "b"].map(String::from);
/// let error = Trainer::default().fit(&schema, &array![[1.0], [1.0]], &labels).unwrap_err();
/// assert!(matches!(error, TrainerError::NoColumns { .. }));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainerError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A column that the caller has named is not there.
    #[error("column {column:?}, named as {}, not found", choice.name())]
    NotFound {
        /// The column.
        column: String,
        /// What it should be.
        choice: Choice,
    },
    /// A cell holds what cannot be learnt from.
    #[error("{name}, row {} (counted from 0), column {column:?}: {} {}", .error.row, .error.value, .error.reason)]
    Value {
        /// The part of the table.
        part: usize,
        /// What it is called.
        name: String,
        /// The name of the column.
        column: String,
        /// What is wrong, with the row of the part and the feature.
        error: ValueError,
    },
    /// A row has a weight from which no weights and corrections are learnt.
    #[error(
        "{name}, row {row} (counted from 0): the row has the weight {weight:e}; weights are 0, or from {least:e} to {most:e}"
    )]
    Weight {
        /// What the part of the table is called.
        name: String,
        /// The row of the part.
        row: usize,
        /// Its weight.
        weight: f64,
        /// The least weight beside 0.
        least: f64,
        /// The largest weight.
        most: f64,
    },
    /// There is not one label, or one weight, for each row.
    #[error("rows: {rows}, {what}: {given}; give one for each row")]
    Lengths {
        /// What there is another number of.
        what: &'static str,
        /// The number of rows.
        rows: usize,
        /// The number of labels or weights.
        given: usize,
    },
    /// Rows have another number of features than their schema.
    #[error("the rows have {rows} columns, and the schema has {schema} features")]
    Width {
        /// The number of columns of the rows.
        rows: usize,
        /// The number of features of the schema.
        schema: usize,
    },
    /// A column of rows in memory holds what its schema says.
    #[error(
        "column {column:?} cannot be what is chosen for it, as the schema says what the cells of rows in memory are"
    )]
    Kind {
        /// The column.
        column: String,
    },
    /// No column is left.
    #[error("no column is left to learn from: {:?} is left out, as {}", .column.column, .column.reason)]
    NoColumns {
        /// The last column that is left out, and why.
        column: Box<Inference>,
        /// What it would have been.
        choice: Choice,
    },
    /// Columns cannot have their families.
    #[error(transparent)]
    Families(#[from] FamiliesError),
    /// Cut points, grids and powers are learnt from all cells of a row.
    #[error(
        "bins, kernel densities and powers are learnt from tables with all cells of a row; the rows here store only some cells: \
         convert them, or choose other families"
    )]
    Sparse,
    /// Cut points, grids and powers cannot be learnt.
    #[error("column {column:?}: {error}")]
    Preparation {
        /// The name of the column; empty if the error is about none.
        column: String,
        /// What is wrong.
        error: PreparationError,
    },
    /// Counts of several columns at once would take more memory than the limit, or there are more than there
    /// may be.
    #[error(
        "{}: {} categories and bins of {} columns need {} counts of {} in {} bytes of memory; the limit is {limit} bytes: leave \
         out columns with many of them, or make fewer bins",
        memory.family,
        memory.n_codes,
        memory.features.len(),
        memory.n_counts,
        memory.of,
        memory.bytes
    )]
    Memory {
        /// The counts.
        memory: Box<CodeMemory>,
        /// The most bytes that they may take.
        limit: u64,
    },
    /// The labels are numbers that look like those of regression.
    #[error(
        "the label column {label:?} has {n_classes} different numbers in {n_rows} rows, which looks like regression; a classifier \
         needs classes: choose another column, group the numbers, or allow them"
    )]
    Regression {
        /// The label column.
        label: String,
        /// The number of different labels.
        n_classes: usize,
        /// The number of rows.
        n_rows: usize,
    },
    /// A column cannot have its trend.
    #[error(transparent)]
    Trend(#[from] TrendError),
    /// Rows like these have a plain model, and weights and corrections were to be learnt again.
    #[error("weights and corrections cannot be learnt from these rows: {why}")]
    Plain {
        /// The number of rows in memory, if they were looked at.
        n_rows: Option<usize>,
        /// Why.
        why: WhyPlain,
    },
    /// A row has a label that is no class of the model.
    #[error("{name}, row {row} (counted from 0): the label {label:?} is not one of the classes of the model")]
    UnknownLabel {
        /// What the part of the table is called.
        name: String,
        /// The row of the part.
        row: usize,
        /// The label.
        label: String,
        /// The classes of the model.
        known: Vec<String>,
    },
    /// A row has a category that the model does not know.
    #[error(
        "{name}, row {row} (counted from 0), column {column:?}: the model does not know the category {category:?}, so that its sums \
         do not have this row"
    )]
    UnknownCategory {
        /// What the part of the table is called.
        name: String,
        /// The row of the part.
        row: usize,
        /// The column.
        column: String,
        /// The category.
        category: String,
    },
    /// The sums of the model are of other rows than those that weights and corrections were learnt from.
    #[error(
        "the sums of the model are of rows too different from these: with them and the new weights the log-loss is {log_loss}, and \
         {held_out} with sums of these rows"
    )]
    OtherSums {
        /// The log-loss of the rows with the sums of the model.
        log_loss: f64,
        /// That of held-out rows with their own sums.
        held_out: f64,
    },
    /// Weights and corrections would be learnt from a small part of the rows of the model.
    #[error(
        "weights and corrections would be learnt from {n_rows} rows, less than half of the {of_sums} rows of the model; give all of \
         its rows, or keep its weights"
    )]
    PartOfRows {
        /// The number of rows given.
        n_rows: usize,
        /// The number of rows of the model.
        of_sums: u64,
    },
    /// The weights and corrections of the model predict the rows better than those learnt from them do.
    #[error(
        "the new weights and corrections are worse: the log-loss of these rows, each held out, is {}, and {} with those that the \
         model has",
        .0.after,
        .0.before
    )]
    Worse(LossChange),
    /// A classifier cannot score a row.
    #[error(transparent)]
    Predict(#[from] PredictError),
    /// The prior does not fit the classes.
    #[error(transparent)]
    Prior(#[from] PriorError),
    /// Weights and corrections cannot be learnt.
    #[error(transparent)]
    Refine(#[from] RefineError),
    /// The rows in memory cannot be added.
    #[error(transparent)]
    Update(#[from] UpdateError),
    /// Rows cannot be added.
    #[error(transparent)]
    Add(#[from] nb_io::read::TrainFileError),
    /// Rows cannot be added to folds.
    #[error("{name}: {error}")]
    Fold {
        /// What the part of the table is called.
        name: String,
        /// What is wrong.
        error: FoldError,
    },
    /// A hyper-parameter cannot be tuned.
    #[error(transparent)]
    Setting(#[from] nb_core::description::SettingError),
    /// Held-out rows cannot be judged.
    #[error(transparent)]
    Row(#[from] RowError),
    /// Columns and family do not fit together.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The sums of all rows are of other columns than the model.
    #[error(transparent)]
    Merge(#[from] nb_io::MergeError),
    /// The rows do not determine a classifier.
    #[error("cannot build a model from these rows")]
    Fit {
        /// The model that has none.
        model: Box<Model>,
        /// Whether it is one of rows of other folds, and not of all rows.
        is_of_folds: bool,
        /// Why.
        #[source]
        error: FitError,
    },
}

impl TrainerError {
    pub(crate) fn unfitted(model: &Model, is_of_folds: bool, error: FitError) -> Self {
        Self::Fit { model: Box::new(model.clone()), is_of_folds, error }
    }

    /// The error about a cell of a chunk that begins with this row.
    pub(crate) fn of_cell(place: &Place<'_>, schema: &Schema, first_row: usize, error: ValueError) -> Self {
        Self::Value {
            part: place.part,
            name: place.name.to_owned(),
            column: schema.feature_name(error.column).unwrap_or_default(),
            error: ValueError { row: first_row + error.row, ..error },
        }
    }
}
