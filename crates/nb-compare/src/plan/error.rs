//! Why a plan cannot be carried out.

/// Why a plan cannot be carried out.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// A number of the plan is out of range.
    #[error("{name} is {value}, but must be {must_be}")]
    Range {
        /// Which number.
        name: &'static str,
        /// What it is.
        value: f64,
        /// What it may be.
        must_be: &'static str,
    },
    /// The part that is tested is less than a row, or all but less than one.
    #[error(
        "a part of {test} of the {rows} rows of `{table}` leaves nothing to test or to train on; it must be from 1/{rows} to \
         1 - 1/{rows}"
    )]
    NoRows {
        /// The table.
        table: String,
        /// How many rows it has.
        rows: usize,
        /// The part requested.
        test: f64,
    },
    /// A table has too few rows.
    #[error("`{table}` has {rows} rows, too few for {folds} folds; ask for fewer")]
    TooFewRows {
        /// The table.
        table: String,
        /// How many rows it has.
        rows: usize,
        /// The number of folds requested.
        folds: usize,
    },
    /// The groups of a table cannot be dealt as the plan wants.
    #[error(
        "`{table}`: the {groups} groups of column `{column}` make no {parts} parts with training rows for each; ask for \
         fewer folds or another part"
    )]
    Groups {
        /// The table.
        table: String,
        /// The column of the groups.
        column: String,
        /// How many groups there are.
        groups: usize,
        /// How many parts are needed.
        parts: usize,
    },
    /// Given splits do not go with the table.
    #[error("the given splits of `{table}` cannot be used: {problem}")]
    Given {
        /// The table.
        table: String,
        /// What is wrong.
        problem: String,
    },
    /// There are fewer given splits.
    #[error("`{table}` brings the splits of {repeats} repeats, and there is no repeat {repeat}")]
    NoRepeat {
        /// The table.
        table: String,
        /// The repeat, counted from 0.
        repeat: usize,
        /// How many there are.
        repeats: usize,
    },
    /// Every row is a fold, which robustness has no use for.
    #[error(
        "leave-one-out tests a single row at a time, which has no measures of its own; choose folds or a held-out part"
    )]
    LeaveOneOut,
    /// A table has fewer rows to train on than any size of a learning curve.
    #[error(
        "`{table}` has {n_train} rows to train on, fewer than the smallest size of {smallest}; choose smaller sizes or test \
         fewer rows"
    )]
    NoSize {
        /// The table.
        table: String,
        /// The number of rows that are not tested.
        n_train: usize,
        /// The smallest size.
        smallest: usize,
    },
}
