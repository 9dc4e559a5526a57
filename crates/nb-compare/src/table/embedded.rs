//! The data sets of nb-datasets as tables.

use nb_datasets::{ColumnKind, Dataset, DatasetError, Group, Info, TextDataset, Values};

use crate::table::{Column, Documents, Kind, Provenance, Table, TableError};

impl Table {
    /// The embedded data set of this name. Identifiers are left out, and columns without any value (TBG of
    /// `sick`).
    ///
    /// ```
    /// let zoo = nb_compare::Table::embedded("zoo")?;
    /// assert_eq!((zoo.n_rows(), zoo.n_features(), zoo.classes.len()), (101, 16, 7));
    /// # Ok::<(), nb_compare::TableError>(())
    /// ```
    ///
    /// # Errors
    /// [`TableError::Dataset`] names the nearest set if none has this name.
    pub fn embedded(name: &str) -> Result<Self, TableError> {
        let info = nb_datasets::info(name)?;
        if info.group == Group::Text {
            Self::of_text(nb_datasets::load_text()?)
        } else {
            Self::of_dataset(nb_datasets::load(name)?)
        }
    }
}

impl Table {
    fn of_text(set: TextDataset) -> Result<Self, TableError> {
        let documents = Documents::new(set.vocabulary, set.indptr, set.indices, set.values)?;
        let name = set.info.name.clone();
        Ok(Self {
            provenance: provenance(set.info),
            ..Self::of_documents(name, documents, set.classes, set.labels)?
        })
    }
}

impl Table {
    fn of_dataset(set: Dataset) -> Result<Self, TableError> {
        let kept: Vec<_> = set.features().filter(|column| column.missing() < set.n_rows()).collect();
        let names: Vec<&str> = kept.iter().map(|column| column.name.as_str()).collect();
        let x = set.matrix(&names)?;
        let columns = kept.iter().map(|column| Column {
            name: column.name.clone(),
            kind: match (&column.values, column.kind) {
                (Values::Categories { levels, .. }, _) => Kind::Categorical { levels: levels.clone() },
                (Values::Numbers(_), ColumnKind::Count) => Kind::Count,
                (Values::Numbers(_), _) => Kind::Numeric,
            },
        });
        let columns = columns.collect();
        let table = Self::new(&set.info.name, columns, x, set.classes, set.labels)?;
        Ok(Self { provenance: provenance(set.info), ..table })
    }
}

impl From<DatasetError> for TableError {
    fn from(error: DatasetError) -> Self {
        Self::Dataset(error.to_string())
    }
}

fn provenance(info: &Info) -> Provenance {
    Provenance {
        source: info.source.clone(),
        licence: info.licence.clone(),
        citation: info.citation.clone(),
        sha256: info.files.iter().map(|file| file.sha256.clone()).collect(),
    }
}
