//! Why a document cannot be rendered.

/// Why a document cannot be rendered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DocumentError {
    /// A row of a table has not one cell per column.
    #[error(
        "row {row} of the table `{table}` has {found} cells for {expected} columns; \
         give one cell per column, with `Cell::missing()` where there is nothing"
    )]
    Row {
        /// The caption of the table.
        table: String,
        /// The row, counted from 1; rows of the footer are counted on.
        row: usize,
        /// Its cells.
        found: usize,
        /// The columns.
        expected: usize,
    },
    /// A part of a figure has not as many values as it needs.
    #[error("{part} of the figure `{figure}` has {found} values instead of {expected}; give one for each")]
    Values {
        /// The caption of the figure.
        figure: String,
        /// The row of a heatmap or the series of a dot plot.
        part: String,
        /// Its values.
        found: usize,
        /// The columns or categories.
        expected: usize,
    },
    /// A group of a diagram of ranks names a method that does not exist.
    #[error(
        "a group of the figure `{figure}` has a method {method}, but there are only {n_methods}, \
         counted from 0; give places in `ranks`"
    )]
    Group {
        /// The caption of the figure.
        figure: String,
        /// The place.
        method: usize,
        /// The number of methods.
        n_methods: usize,
    },
    /// An id cannot be one.
    #[error(
        "`{id}` cannot be an id; begin with a letter, but not with `nb-`, and use letters, digits, `-`, `_` and `.`"
    )]
    Id {
        /// The id.
        id: String,
    },
    /// Two things have the same id.
    #[error("the id `{id}` is given twice; give every section, table and figure its own")]
    Twice {
        /// The id.
        id: String,
    },
    /// A link leads nowhere.
    #[error("a link leads to `{to}`, but no section, table or figure has this id")]
    Link {
        /// Where it should lead.
        to: String,
    },
    /// An address is not a web address.
    #[error("the address `{url}` is refused; it must begin with `https://` or `http://`")]
    Address {
        /// The address.
        url: String,
    },
    /// A name of a file is none.
    #[error("`{name}` cannot be the name of a file; give one without folders and control characters")]
    FileName {
        /// The name.
        name: String,
    },
}
