//! Groups of rows by a protected column.

use std::collections::BTreeSet;

use crate::{Features, Kind, Table};

/// Groups of rows, such as those of each sex, between which measures of fairness compare predictions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Protected {
    /// The column that says so.
    pub column: String,
    /// The names of the groups, sorted.
    pub groups: Vec<String>,
    /// The group of each row, a position in `groups`; none where the cell is missing.
    pub of_row: Vec<Option<usize>>,
}

impl Protected {
    /// The groups of rows with these cells; a missing one is in no group.
    ///
    /// ```
    /// let protected = nb_compare::Protected::new("sex", &[Some("male"), None, Some("female")]);
    /// assert_eq!(protected.groups, ["female", "male"]);
    /// assert_eq!(protected.of_row, [Some(1), None, Some(0)]);
    /// ```
    pub fn new(column: impl Into<String>, cells: &[Option<impl AsRef<str>>]) -> Self {
        let texts = || cells.iter().map(|cell| cell.as_ref().map(|text| -> &str { text.as_ref() }));
        let groups: BTreeSet<&str> = texts().flatten().collect();
        let groups: Vec<&str> = groups.into_iter().collect();
        Self {
            column: column.into(),
            of_row: texts().map(|cell| groups.binary_search(&cell?).ok()).collect(),
            groups: groups.into_iter().map(String::from).collect(),
        }
    }

    /// All that decides about measures, for checksums.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let names = self.groups.iter().flat_map(|name| [name.as_bytes(), b"\0"].concat());
        let rows =
            self.of_row.iter().flat_map(|group| group.map_or(0, |group| group as u64 + 1).to_le_bytes());
        [b"protected".to_vec(), names.collect(), rows.collect()].concat()
    }
}

impl Table {
    /// The groups of the rows by a protected column: those that were read with the table, or those of its
    /// column of this name. None if it has no such column.
    ///
    /// ```
    /// let titanic = nb_compare::Table::embedded("titanic")?;
    /// let protected = titanic.protected_by("Sex").ok_or("a column")?;
    /// assert_eq!(protected.groups, ["Female", "Male"]);
    /// assert!(titanic.protected_by("hair").is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn protected_by(&self, column: &str) -> Option<Protected> {
        if let Some(protected) = self.protected.as_ref().filter(|protected| protected.column == column) {
            return Some(protected.clone());
        }
        let Features::Columns { columns, x } = &self.features else { return None };
        let place = columns.iter().position(|own| own.name == column)?;
        let name = |cell: f64| match &columns[place].kind {
            Kind::Categorical { levels } => levels.get(cell as usize).cloned().unwrap_or_default(),
            _ => cell.to_string(),
        };
        let cells: Option<Vec<Option<String>>> = (!columns[place].kind.is_text())
            .then(|| x.column(place).iter().map(|&cell| (!cell.is_nan()).then(|| name(cell))).collect());
        cells.map(|cells| Protected::new(column, &cells))
    }
}
