//! What a user should look at: what makes measures of held-out rows better than those of new rows will be,
//! and labels that are spelt in two ways.

use std::collections::BTreeMap;

use nb_io::{
    Column, HeldOutMeasures,
    profile::{Determines, Groups, Leakage},
    read::Reason,
};

use crate::{Columns, Source, Watch};

/// Something that may make measures of held-out rows better than those of new rows will be, or one class two.
/// Nothing is done about it.
///
/// ```
/// use nb_train::{Trainer, Warning};
/// use ndarray::Array2;
///
/// let rows = Array2::from_shape_fn((200, 2), |(row, column)| ((row * (7 + 4 * column)) % 199) as f64 + 0.5);
/// let labels: Vec<&str> = rows.column(1).iter().map(|&paid| if paid > 120.0 { "yes" } else { "no" }).collect();
/// let schema = nb_io::Schema::numeric(["noise", "paid"], "class");
/// let trained = Trainer::default().fit(&schema, &rows, &labels)?;
/// let [Warning::DeterminesLabel { columns, found }] = &trained.warnings[..] else { panic!("{:?}", trained.warnings) };
/// assert_eq!((&columns[..], found.n_values), (&["paid".to_owned()][..], 2));
/// # Ok::<(), nb_train::TrainerError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// A column looks like one of patients, customers or speakers: if new rows will be of others, rows of a
    /// value must be held out together.
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
    /// Labels that differ only in upper and lower case, spaces and punctuation are classes of their own.
    AlikeLabels {
        /// The labels, in order.
        labels: Vec<String>,
    },
    /// Nearly all of a hundred held-out rows or more are classified correctly, with probabilities near 1, and
    /// no column alone explains it.
    NearlyPerfect {
        /// The share of held-out rows that are classified correctly.
        accuracy: f64,
        /// The column that says most of the label, and the share of the entropy of the label that it
        /// explains.
        strongest: Option<(String, f64)>,
    },
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Group { column, found } => write!(
                f,
                "column {column:?} looks like a group ({found}): if new rows will be of other values of {column:?}, hold rows of a value out \
                 together"
            ),
            Self::DeterminesLabel { columns, found } => {
                match &columns[..] {
                    [one, other] => write!(f, "columns {one:?} and {other:?} together determine the label")?,
                    _ => write!(f, "column {:?} determines the label", columns.concat())?,
                }
                write!(f, ": {found}; if it is known only after the label is, leave it out")
            }
            Self::AlikeLabels { labels } => {
                let quoted: Vec<String> = labels.iter().map(|label| format!("{label:?}")).collect();
                write!(
                    f,
                    "the labels {} differ only in case, spaces or punctuation, and are {} classes: if they are one, spell them alike",
                    quoted.join(", "),
                    labels.len()
                )
            }
            Self::NearlyPerfect { accuracy, strongest } => {
                let all = if *accuracy < 1.0 { "nearly all" } else { "all" };
                write!(
                    f,
                    "{all} held-out rows are classified correctly, which is rare: check that no column is known only after the label is"
                )?;
                let Some((column, share)) = strongest else { return Ok(()) };
                let percent = (100.0 * share).round();
                write!(
                    f,
                    "; the most informative column is {column:?} (it explains {percent} % of the entropy of the label)"
                )
            }
        }
    }
}

/// The labels that differ only in case, spaces and punctuation. Signs of numbers and labels of punctuation
/// alone are themselves.
pub(crate) fn alike_labels<'a>(classes: impl Iterator<Item = &'a String>) -> Vec<Warning> {
    let mut spellings: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for class in classes.filter(|class| class.chars().any(char::is_alphabetic)) {
        let key: String =
            class.chars().filter(|letter| letter.is_alphanumeric() || "+-<>=*#".contains(*letter)).collect();
        spellings.entry(key.to_lowercase()).or_default().push(class.clone());
    }
    let alike = spellings.into_values().filter(|labels| labels.len() > 1);
    alike.map(|labels| Warning::AlikeLabels { labels }).collect()
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

/// The groups among the columns that are left out as they name rows, such as `patient_id`, by the first rows.
/// What cannot be read says nothing.
pub(crate) fn groups_left_out(source: &impl Source, columns: &Columns) -> Vec<Warning> {
    const MOST_ROWS: usize = 10_000;
    let names_rows = |reason: &Reason| matches!(reason, Reason::Identifier | Reason::ManyCategories { .. });
    let left_out: Vec<_> = columns.left_out.iter().filter(|column| names_rows(&column.reason)).collect();
    if left_out.is_empty() {
        return Vec::new();
    }
    let mut inferred = columns.inferred.clone();
    for column in &left_out {
        inferred.schema.columns.push(Column { name: column.column.clone(), kind: column.kind.clone() });
        inferred.columns.push((*column).clone());
    }
    let (mut watch, mut n_rows) = (Watch::new(&inferred.schema).without_record(), 0);
    for part in 0..source.n_parts() {
        let Ok(mut reader) = source.open(part, &inferred, Vec::new()) else { return Vec::new() };
        while n_rows < MOST_ROWS
            && let Ok(Some(chunk)) = reader.next_chunk()
        {
            n_rows += chunk.labels.as_ref().map_or(0, Vec::len);
            watch.look(&inferred.schema, &chunk);
        }
    }
    let mut found = watch.finish(&inferred.schema).warnings;
    found.retain(|warning| match warning {
        Warning::Group { column, .. } => left_out.iter().any(|own| own.column == *column),
        _ => false,
    });
    found
}

/// Puts groups in front of what was found without them. Columns of many values may then only tell the groups
/// apart.
pub(crate) fn add_groups(warnings: &mut Vec<Warning>, groups: Vec<Warning>) {
    const FEW_VALUES: usize = 10;
    if !groups.is_empty() {
        warnings.retain(|warning| match warning {
            Warning::DeterminesLabel { found, .. } => found.cuts.is_some() || found.n_values <= FEW_VALUES,
            _ => true,
        });
        warnings.splice(0..0, groups);
    }
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
