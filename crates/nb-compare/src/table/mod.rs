//! What is compared on: a table of columns, or documents of terms, with a class for each row.

mod documents;
mod embedded;
mod error;
mod fingerprint;
mod protected;
mod texts;

use std::sync::Arc;

use nb_io::text::Corpus;
use ndarray::Array2;
use serde::{Deserialize, Serialize};

pub use documents::{Documents, Matrix};
pub use error::TableError;
pub use protected::Protected;
pub(crate) use texts::described;

use crate::{Dealing, PlanError};

/// Rows with a class each.
#[derive(Clone, Debug)]
pub struct Table {
    /// A short name, such as `iris`.
    pub name: String,
    /// Where the data come from.
    pub provenance: Provenance,
    /// What describes the rows.
    pub features: Features,
    /// The names of the classes, sorted.
    pub classes: Vec<String>,
    /// The class of each row, a position in `classes`.
    pub labels: Vec<usize>,
    /// What the rows say of how they may be split.
    pub dealing: Dealing,
    /// Groups by a protected column that is not among the features, or whose cells as features are no names.
    pub protected: Option<Protected>,
}

/// What describes the rows of a table.
#[derive(Clone, Debug)]
pub enum Features {
    /// Columns of numbers, categories and texts, `n_rows × n_columns`: a category is the position of its
    /// level, a text its position among the texts of the column, a missing cell is NaN.
    Columns {
        /// What the columns are.
        columns: Vec<Column>,
        /// Their cells.
        x: Array2<f64>,
    },
    /// Counts of terms.
    Documents(Documents),
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What its values are.
    pub kind: Kind,
}

/// What the values of a column are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Measured numbers.
    Numeric,
    /// Counts.
    Count,
    /// One of some levels. They are declared, not learnt: a level is known even where no training row has it.
    Categorical {
        /// The names of the levels; a cell is a position here.
        levels: Vec<String>,
    },
    /// Texts. Their terms are learnt from training rows; a missing text has none.
    Text {
        /// The texts, as the terms that they have, and how they become numbers; a cell is a position here.
        texts: Arc<Corpus>,
    },
}

/// Where data come from: what a report must say of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The copy that was used.
    pub source: String,
    /// Its licence, as far as it is known.
    pub licence: String,
    /// The work to cite.
    pub citation: String,
    /// SHA-256 checksums of the files, in hexadecimal digits.
    pub sha256: Vec<String>,
}

impl Table {
    /// A table of columns.
    ///
    /// # Errors
    /// [`TableError`] if the parts do not fit together, or a cell is not what its column says.
    pub fn new(
        name: impl Into<String>,
        columns: Vec<Column>,
        x: Array2<f64>,
        classes: Vec<String>,
        labels: Vec<usize>,
    ) -> Result<Self, TableError> {
        Self::checked(name.into(), Features::Columns { columns, x }, classes, labels)
    }

    /// A table of documents.
    ///
    /// # Errors
    /// [`TableError`] if the parts do not fit together.
    pub fn of_documents(
        name: impl Into<String>,
        documents: Documents,
        classes: Vec<String>,
        labels: Vec<usize>,
    ) -> Result<Self, TableError> {
        Self::checked(name.into(), Features::Documents(documents), classes, labels)
    }

    fn checked(
        name: String,
        features: Features,
        classes: Vec<String>,
        labels: Vec<usize>,
    ) -> Result<Self, TableError> {
        let (provenance, dealing) = (Provenance::default(), Dealing::default());
        let table = Self { name, provenance, features, classes, labels, dealing, protected: None };
        table.check()?;
        Ok(table)
    }

    /// The same table, whose rows are split in another way.
    ///
    /// # Errors
    /// [`PlanError`] if that does not go with its rows.
    pub fn with_dealing(self, dealing: Dealing) -> Result<Self, PlanError> {
        dealing.check(&self.name, self.n_rows())?;
        Ok(Self { dealing, ..self })
    }

    /// The same table with the groups of its rows by a protected column.
    ///
    /// # Errors
    /// [`TableError::Protected`] if they are those of another number of rows.
    pub fn with_protected(self, protected: Protected) -> Result<Self, TableError> {
        let (rows, found) = (self.n_rows(), protected.of_row.len());
        if rows != found {
            return Err(TableError::Protected { column: protected.column, rows, found });
        }
        Ok(Self { protected: Some(protected), ..self })
    }

    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.labels.len()
    }

    /// The number of columns, or of terms of documents.
    pub fn n_features(&self) -> usize {
        match &self.features {
            Features::Columns { columns, .. } => columns.len(),
            Features::Documents(documents) => documents.n_terms(),
        }
    }

    /// The number of rows of each class.
    pub fn class_sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.classes.len()];
        for &label in &self.labels {
            sizes[label] += 1;
        }
        sizes
    }

    /// The columns that a condition holds for, and all rows.
    ///
    /// # Errors
    /// [`TableError::NoColumns`] if it holds for none.
    pub fn with_columns(&self, keep: impl Fn(&Column) -> bool) -> Result<Self, TableError> {
        let Features::Columns { columns, x } = &self.features else {
            return Err(TableError::NoColumns { table: self.name.clone() });
        };
        let kept: Vec<usize> = (0..columns.len()).filter(|&column| keep(&columns[column])).collect();
        if kept.is_empty() {
            return Err(TableError::NoColumns { table: self.name.clone() });
        }
        let features = Features::Columns {
            columns: kept.iter().map(|&column| columns[column].clone()).collect(),
            x: x.select(ndarray::Axis(1), &kept),
        };
        Ok(Self { features, ..self.clone() })
    }

    /// The rows of the classes with these names, each dealt by itself.
    ///
    /// # Errors
    /// [`TableError::NoSuchClass`] if there is no such class.
    pub fn with_classes(&self, names: &[&str]) -> Result<Self, TableError> {
        let mut classes: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        classes.sort();
        classes.dedup();
        if let Some(class) = classes.iter().find(|class| !self.classes.contains(class)) {
            return Err(TableError::NoSuchClass {
                table: self.name.clone(),
                class: class.clone(),
                classes: self.classes.clone(),
            });
        }
        let position = |label: &usize| classes.binary_search(&self.classes[*label]).ok();
        let rows: Vec<usize> =
            (0..self.n_rows()).filter(|&row| position(&self.labels[row]).is_some()).collect();
        let labels = rows.iter().filter_map(|&row| position(&self.labels[row])).collect();
        let features = match &self.features {
            Features::Columns { columns, x } => {
                Features::Columns { columns: columns.clone(), x: x.select(ndarray::Axis(0), &rows) }
            }
            Features::Documents(documents) => Features::Documents(documents.select(&rows)),
        };
        let (name, provenance) = (self.name.clone(), self.provenance.clone());
        let (dealing, protected) = (Dealing::default(), self.protected_of(&rows));
        Ok(Self { name, provenance, features, classes, labels, dealing, protected })
    }

    /// The rows of these numbers, with their groups, if they have any; splits that are given are those of all
    /// rows, and not kept.
    pub(crate) fn with_rows(&self, rows: &[usize]) -> Self {
        let features = match &self.features {
            Features::Columns { columns, x } => {
                Features::Columns { columns: columns.clone(), x: x.select(ndarray::Axis(0), rows) }
            }
            Features::Documents(documents) => Features::Documents(documents.select(rows)),
        };
        Self {
            name: self.name.clone(),
            provenance: self.provenance.clone(),
            features,
            classes: self.classes.clone(),
            labels: rows.iter().map(|&row| self.labels[row]).collect(),
            dealing: self.dealing.of_rows(rows),
            protected: self.protected_of(rows),
        }
    }

    /// The groups of some rows.
    fn protected_of(&self, rows: &[usize]) -> Option<Protected> {
        let protected = self.protected.as_ref()?;
        Some(Protected {
            of_row: rows.iter().map(|&row| protected.of_row.get(row).copied().flatten()).collect(),
            ..protected.clone()
        })
    }

    fn check(&self) -> Result<(), TableError> {
        let rows = self.labels.len();
        if let Some(row) = self.labels.iter().position(|&label| label >= self.classes.len()) {
            return Err(TableError::Label { row, label: self.labels[row], n_classes: self.classes.len() });
        }
        let (columns, x) = match &self.features {
            Features::Documents(documents) if documents.n_rows() == rows => return Ok(()),
            Features::Documents(documents) => {
                let shape = (documents.n_rows(), documents.n_terms());
                return Err(TableError::Shape { shape, rows, columns: documents.n_terms() });
            }
            Features::Columns { columns, x } => (columns, x),
        };
        if x.dim() != (rows, columns.len()) {
            return Err(TableError::Shape { shape: x.dim(), rows, columns: columns.len() });
        }
        for ((row, column), &value) in x.indexed_iter() {
            if !columns[column].kind.allows(value) {
                return Err(TableError::Cell { row, column: columns[column].name.clone(), value });
            }
        }
        Ok(())
    }
}

impl Kind {
    /// The number of levels; none unless it is categorical.
    pub(crate) fn n_levels(&self) -> usize {
        if let Self::Categorical { levels } = self { levels.len() } else { 0 }
    }

    fn allows(&self, value: f64) -> bool {
        value.is_nan()
            || match self {
                Self::Numeric => value.is_finite(),
                Self::Count => value.is_finite() && value >= 0.0,
                Self::Categorical { levels } => {
                    value >= 0.0 && value.fract() == 0.0 && value < levels.len() as f64
                }
                Self::Text { texts } => value >= 0.0 && value.fract() == 0.0 && value < texts.len() as f64,
            }
    }
}
