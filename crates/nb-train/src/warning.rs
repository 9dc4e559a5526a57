//! What makes measures of held-out rows better than those of new rows will be.

use nb_io::{
    HeldOutMeasures,
    profile::{Determines, Groups, Leakage},
};

/// Something that may make measures of held-out rows better than those of new rows will be. Nothing is done about it.
///
/// ```
/// use nb_train::{Trainer, Warning};
/// use ndarray::Array2;
///
/// let rows = Array2::from_shape_fn((200, 2), |(row, column)| ((row * (7 + 4 * column)) % 199) as f64 + 0.5);
/// let labels: Vec<&str> = rows.column(1).iter().map(|&paid| if paid > 120.0 { "yes" } else { "no" }).collect();
/// let schema = nb_io::Schema::numeric(["noise", "paid"], "class");
/// let trained = Trainer::default().fit(&schema, &rows, &labels)?;
/// assert!(matches!(&trained.warnings[..], [Warning::DeterminesLabel { columns, .. }] if columns == &["paid"]));
/// # Ok::<(), nb_train::TrainerError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// A column looks like one of patients, customers or speakers: if new rows will be of others, rows of a value are to be held out together.
    Group {
        /// The column.
        column: String,
        /// How many values there are, in the first 10,000 rows at most, and how many rows each has.
        found: Groups,
    },
    /// A column, or two together, have rows of one class only for each value or interval.
    DeterminesLabel {
        /// One column, or two.
        columns: Vec<String>,
        /// What was found.
        found: Determines,
    },
    /// Nearly all of a hundred held-out rows or more are classified correctly, with probabilities near 1, and no column alone explains it.
    NearlyPerfect {
        /// The share of held-out rows that are classified correctly.
        accuracy: f64,
        /// The column that says most of the label, and the share of the entropy of the label that it explains.
        strongest: Option<(String, f64)>,
    },
}

/// What was found in all rows, with the names of columns.
pub(crate) fn warnings(leakage: &Leakage, name: impl Fn(usize) -> Option<String>) -> Vec<Warning> {
    let groups = leakage.groups.iter().filter_map(|&found| {
        let column = name(found.feature)?;
        Some(Warning::Group { column, found })
    });
    let determinants = leakage.determinants.iter().filter_map(|found| {
        let columns = found.features.iter().map(|&feature| name(feature)).collect::<Option<Vec<_>>>()?;
        Some(Warning::DeterminesLabel { columns, found: found.clone() })
    });
    groups.chain(determinants).collect()
}

/// Whether held-out rows are classified better than is usual.
pub(crate) fn is_nearly_perfect(measures: &HeldOutMeasures, n_rows: usize) -> bool {
    const FEWEST_ROWS: usize = 100;
    const ACCURACY: f64 = 0.999;
    /// As a part of that of the class prior, so that it is no feat if one class has nearly all rows.
    const LOG_LOSS: f64 = 0.02;
    n_rows >= FEWEST_ROWS
        && measures.accuracy >= ACCURACY
        && measures.log_loss <= LOG_LOSS * measures.log_loss_of_prior
}
