//! What the page can ask for.

use serde::Deserialize;

use crate::{design::Design, picture::Plan};

/// A request; the field `do` has its name.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub(crate) enum Request {
    /// Reads the text in the bytes; the label is the last column if no other is named.
    Table {
        name: String,
        label: Option<String>,
        /// Columns of numbers that are read as categories.
        #[serde(default)]
        categories: Vec<String>,
    },
    /// Takes points in the bytes: a row is its cells and the number of its class.
    Points { columns: Vec<String>, label: String, classes: Vec<String> },
    /// Replaces all rows by those in the bytes.
    Cells,
    /// Trains a model.
    Fit(Design),
    /// Measures such models on rows that were held out.
    Measure(Design),
    /// The equation of the boundary between two classes.
    Boundary { class: usize, against: usize },
    /// Labels and posteriors in the plane of two columns.
    Picture(Plan),
    /// The density of a column in each class, times the prior of the class.
    Densities { column: usize, from: f64, to: f64, n_points: usize },
    /// Why a row has its label. A cell that is `null` is missing.
    Explain { row: Vec<Option<f64>> },
    /// The label and the posterior of each row.
    Predict,
    /// Rows drawn from the model.
    Sample { n_rows: usize, seed: u64 },
    /// The first three principal components of the columns of numbers.
    Components,
    /// Removes a row from the statistics, and compares them with those of a model that never had it.
    Forget { row: usize },
    /// The product of the densities of a row, in doubles, beside the sum of their logarithms.
    Products { row: Vec<Option<f64>>, n_copies: usize },
    /// The posteriors of a row for values of the smoothing `l`.
    Smoothing { row: Vec<Option<f64>>, values: Vec<f64> },
    /// What a truncated density does to the rows.
    Truncation { row: usize },
    /// Naive Bayes and logistic regression on training sets that grow.
    Learning { sizes: Vec<usize>, n_repeats: usize, seed: u64 },
    /// The model as a file, in the bytes of the answer.
    Save,
    /// Takes a model file in the bytes. Its table has rows drawn from it.
    Load,
}
