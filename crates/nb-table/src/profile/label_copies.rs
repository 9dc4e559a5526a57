//! Columns that repeat the label.

use std::collections::{BTreeMap, HashMap};

use nb_core::Rows;

use crate::read::Table;

/// Fewer rows may be a coincidence.
const FEWEST_ROWS: u64 = 20;
/// More labels are no classes.
const MOST_CLASSES: usize = 4096;

/// Finds the features that are a one-to-one function of the label: in every row of a class the same value,
/// and in those of other classes other ones. Such a column is nearly always the label under another name, or
/// was made of it, and will not be known of rows to be predicted.
///
/// At least 20 rows are needed, two per class on average, two classes, and a value in each of the rows.
///
/// ```
/// use nb_table::{profile::LabelCopies, read::Table};
/// use ndarray::Array2;
///
/// let rows = Array2::from_shape_fn((30, 2), |(row, column)| if column == 0 { row as f64 } else { 5.0 - (row % 3) as f64 });
/// let labels: Vec<&str> = (0..30).map(|row| ["a", "b", "c"][row % 3]).collect();
/// let mut copies = LabelCopies::new(0..2);
/// copies.add(&Table::Dense(rows), &labels);
/// assert_eq!(copies.found(), [1]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LabelCopies {
    classes: HashMap<String, usize>,
    candidates: Vec<Candidate>,
    n_rows: u64,
}

/// A feature that repeats the label as far as is known.
#[derive(Clone, Debug, PartialEq)]
struct Candidate {
    feature: usize,
    /// The bits of the value of each class.
    values: Vec<Option<u64>>,
    /// The class of each value.
    classes: BTreeMap<u64, usize>,
}

impl LabelCopies {
    /// For these features of the rows.
    pub fn new(features: impl IntoIterator<Item = usize>) -> Self {
        let candidate = |feature| Candidate { feature, values: Vec::new(), classes: BTreeMap::new() };
        Self { candidates: features.into_iter().map(candidate).collect(), ..Self::default() }
    }

    /// Looks at rows and their labels.
    pub fn add<L: AsRef<str>>(&mut self, rows: &Table, labels: &[L]) {
        for (row, label) in labels.iter().enumerate().take(rows.n_rows()) {
            if self.candidates.is_empty() {
                return;
            }
            self.add_row(rows, row, label.as_ref());
        }
    }

    /// Looks at one of the rows, and its label.
    pub(super) fn add_row(&mut self, rows: &Table, row: usize, label: &str) {
        self.n_rows += 1;
        if self.candidates.is_empty() {
            return;
        }
        let Some(class) = self.class(label) else {
            self.candidates.clear();
            return;
        };
        let value = |feature: usize| match rows {
            Table::Dense(rows) => rows.get((row, feature)).copied().unwrap_or(f64::NAN),
            Table::Sparse(rows) => rows.get(row, feature),
        };
        self.candidates.retain_mut(|candidate| candidate.look(value(candidate.feature), class));
    }

    /// The number of a class; none if there are too many.
    fn class(&mut self, label: &str) -> Option<usize> {
        if let Some(&class) = self.classes.get(label) {
            return Some(class);
        }
        let class = self.classes.len();
        (class < MOST_CLASSES).then(|| {
            self.classes.insert(label.into(), class);
            class
        })
    }

    /// What the rows of both say. Codes of categories mean the same in both.
    #[must_use]
    pub fn merge(mut self, other: &Self) -> Self {
        self.n_rows += other.n_rows;
        let mut classes: Vec<(&String, usize)> =
            other.classes.iter().map(|(name, &class)| (name, class)).collect();
        classes.sort_unstable_by_key(|&(_, class)| class);
        let classes: Option<Vec<usize>> = classes.into_iter().map(|(name, _)| self.class(name)).collect();
        let Some(classes) = classes else {
            self.candidates.clear();
            return self;
        };
        self.candidates.retain_mut(|candidate| {
            let of_other = other.candidates.iter().find(|of_other| of_other.feature == candidate.feature);
            of_other.is_some_and(|of_other| {
                of_other
                    .classes
                    .iter()
                    .all(|(&bits, &class)| candidate.look(f64::from_bits(bits), classes[class]))
            })
        });
        self
    }

    /// The features that repeat the label in all rows, in order.
    pub fn found(&self) -> Vec<usize> {
        let n_classes = self.classes.len();
        if self.n_rows < FEWEST_ROWS || n_classes < 2 || self.n_rows < 2 * n_classes as u64 {
            return Vec::new();
        }
        self.candidates.iter().map(|candidate| candidate.feature).collect()
    }
}

impl Candidate {
    /// Whether the feature still repeats the label with this value in a row of this class.
    fn look(&mut self, value: f64, class: usize) -> bool {
        if value.is_nan() {
            return false;
        }
        let bits = (value + 0.0).to_bits();
        if self.values.len() <= class {
            self.values.resize(class + 1, None);
        }
        match (self.values[class], self.classes.get(&bits)) {
            (Some(known), _) => known == bits,
            (None, Some(_)) => false,
            (None, None) => {
                self.values[class] = Some(bits);
                self.classes.insert(bits, class);
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::Array2;

    fn found(
        n_rows: usize,
        cell: impl Fn(usize, usize) -> f64,
        label: impl Fn(usize) -> &'static str,
    ) -> Vec<usize> {
        let rows = Array2::from_shape_fn((n_rows, 3), |(row, column)| cell(row, column));
        let labels: Vec<&str> = (0..n_rows).map(label).collect();
        let mut copies = LabelCopies::new(0..3);
        let half = n_rows / 2;
        copies.add(&Table::Dense(rows.slice(ndarray::s![..half, ..]).to_owned()), &labels[..half]);
        let mut other = LabelCopies::new(0..3);
        other.add(&Table::Dense(rows.slice(ndarray::s![half.., ..]).to_owned()), &labels[half..]);
        let merged = copies.clone().merge(&other).found();
        copies.add(&Table::Dense(rows.slice(ndarray::s![half.., ..]).to_owned()), &labels[half..]);
        assert_eq!(copies.found(), merged);
        merged
    }

    #[test]
    fn only_one_to_one_functions_of_the_label_are_found() {
        let label = |row: usize| ["a", "b", "c"][row % 3];
        let cell = |row: usize, column: usize| match column {
            0 => [7.0, -0.0, 1e300][row % 3],
            // Says which of a and c, but not which of a and b.
            1 => [1.0, 1.0, 2.0][row % 3],
            // Determines the label, but the label does not determine it.
            _ => [1.0, 2.0, 3.0][row % 3] + 10.0 * (row % 2) as f64,
        };
        assert_eq!(found(30, cell, label), [0]);
        assert_eq!(found(19, cell, label), [0; 0], "few rows");
        let missing = |row: usize, column: usize| if row == 25 { f64::NAN } else { cell(row, column) };
        assert_eq!(found(30, missing, label), [0; 0], "a missing cell");
        assert_eq!(found(30, |_, _| 1.0, |_| "a"), [0; 0], "one class");
        let other = |row: usize, column: usize| if row == 29 { 7.0 } else { cell(row, column) };
        assert_eq!(found(30, other, label), [0; 0], "an exception in the last row");
    }
}
