//! Making a profile of the rows of files.

use std::collections::{BTreeMap, BTreeSet};

use nb_core::Rows;

use super::{
    column::ColumnWatch,
    finding::of_leakage,
    label::LabelWatch,
    label_copies::LabelCopies,
    leakage::LeakageWatch,
    table_profile::{ColumnProfile, TableProfile},
    values::Class,
};
use crate::{
    DateOrder, Kind, Schema,
    read::{Chunk, Inferred, Labels, NewLevels, ReadChunks, ReadError, SparseTable, Table, TableOptions},
};

/// Makes a profile of the rows of one or several files, chunk by chunk, in memory that does not grow with the
/// rows.
///
/// What the columns hold is what a reader has [inferred](Inferred), so that the profile and a model trained
/// on the files agree. The files are read with [`schema`](Self::schema) and
/// [`table_options`](Self::table_options).
///
/// ```
/// use nb_table::{profile::{FindingKind, Profiler}, read::{Csv, Overrides, TableOptions}};
///
/// let rows: String = (0..40).map(|row| format!("{},{},{}\n", row * row, ["x", "y"][row % 2], row % 2 == 0)).collect();
/// let file = format!("size,kind,label\n{rows}");
/// let inferred = Csv::default().infer_from(|| Ok(file.as_bytes()), "rows.csv", "label", &Overrides::default())?;
///
/// let mut profiler = Profiler::new(&inferred).with_label("label");
/// let csv = Csv::default().with_table(profiler.table_options(TableOptions::default()));
/// profiler.read(&mut csv.read_from(file.as_bytes(), "rows.csv", &profiler.schema())?)?;
/// let profile = profiler.profile();
/// assert_eq!((profile.n_rows, profile.columns[0].distinct.n), (40, 40));
/// assert_eq!(profile.columns[1].findings[0].kind, FindingKind::DuplicatesLabel);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Profiler {
    schema: Schema,
    columns: Vec<ColumnWatch>,
    mostly_numeric: BTreeSet<String>,
    date_orders: BTreeMap<String, DateOrder>,
    copies: LabelCopies,
    leakage: LeakageWatch,
    label: Option<LabelWatch>,
    n_rows: u64,
}

/// Why two profiles cannot be merged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// They are of other columns.
    #[error("the profiles have other columns: {first:?} and {second:?}; profile files with the same columns")]
    Columns {
        /// The first column of one that is another one in the other.
        first: String,
        /// That column.
        second: String,
    },
    /// A column has cells of other kinds.
    #[error(
        "column {column:?} has cells of other kinds in both profiles; infer the columns of all files together"
    )]
    Kind {
        /// The column.
        column: String,
    },
    /// Only one has labels, or they are of other columns.
    #[error("the profiles have other label columns; name the same one for both")]
    Label,
}

impl Profiler {
    /// One of these columns, without rows.
    pub fn new(inferred: &Inferred) -> Self {
        let columns: Vec<ColumnWatch> = inferred.columns.iter().map(ColumnWatch::new).collect();
        let mut schema = inferred.schema.clone();
        for column in &mut schema.columns {
            // Texts are handed out as they are.
            if matches!(column.kind, Kind::Text(_)) {
                column.kind = Kind::Categorical { levels: Vec::new() };
            }
        }
        let watched = columns.iter().enumerate().filter(|(_, column)| !column.is_text());
        let copies = LabelCopies::new(watched.clone().map(|(place, _)| place).collect::<Vec<_>>());
        let leakage = LeakageWatch::new(watched.map(|(place, column)| (place, column.is_numeric())));
        let (mostly_numeric, date_orders) = (inferred.mostly_numeric(), inferred.date_orders());
        Self { schema, columns, mostly_numeric, date_orders, copies, leakage, label: None, n_rows: 0 }
    }

    /// The same with a label column, which is not among the others. Cells with one of the
    /// [usual markers](crate::read::missing_markers) have no label.
    #[must_use]
    pub fn with_label(self, column: &str) -> Self {
        self.with_label_missing(column, crate::read::missing_markers())
    }

    /// The same with a label column, whose cells with one of these texts, or with none, have no label.
    #[must_use]
    pub fn with_label_missing(self, column: &str, missing: BTreeSet<String>) -> Self {
        Self { label: Some(LabelWatch::new(column, missing)), ..self }
    }

    /// The schema with which the files are read.
    pub fn schema(&self) -> Schema {
        self.schema.clone()
    }

    /// Options for a reader of a table with named columns: the given ones, with what the profile needs.
    #[must_use]
    pub fn table_options(&self, options: TableOptions) -> TableOptions {
        options
            .with_labels(Labels::Ignore)
            .with_new_levels(NewLevels::Missing)
            .with_non_numeric(self.mostly_numeric.clone())
            .with_date_orders(self.date_orders.clone())
            .with_ids(self.texts())
    }

    /// The columns whose texts the chunks must hand out ([`TableOptions::ids`]): those of free text or too
    /// many categories, then the label.
    pub fn texts(&self) -> Vec<String> {
        let texts = self.columns.iter().filter(|column| column.is_text());
        let label = self.label.as_ref().map(|_| self.schema.label.clone());
        texts.map(|column| column.inference.column.clone()).chain(label).collect()
    }

    /// Adds all rows of a file.
    ///
    /// # Errors
    /// [`ReadError`] names what is wrong with the file.
    pub fn read(&mut self, reader: &mut (impl ReadChunks + ?Sized)) -> Result<(), ReadError> {
        while let Some(chunk) = reader.next_chunk()? {
            self.add(&chunk);
        }
        Ok(())
    }

    /// Adds the rows of a chunk that was read with [`schema`](Self::schema) and
    /// [`table_options`](Self::table_options). Labels are those of the chunk, if it has some, as svmlight
    /// and NumPy files do.
    pub fn add(&mut self, chunk: &Chunk) {
        let n_rows = chunk.rows.n_rows();
        self.n_rows += n_rows as u64;
        let classes = self.classes(chunk);
        if self.label.as_ref().is_some_and(|label| !label.has_classes()) {
            self.columns.iter_mut().for_each(ColumnWatch::forget_classes);
        }
        match &chunk.rows {
            Table::Dense(rows) => {
                for (place, column) in
                    self.columns.iter_mut().enumerate().filter(|(_, column)| !column.is_text())
                {
                    if place < rows.ncols() {
                        rows.column(place)
                            .iter()
                            .zip(&classes)
                            .for_each(|(&value, &class)| column.add(value, class));
                    }
                }
            }
            Table::Sparse(rows) => add_sparse(&mut self.columns, rows, &classes),
        }
        let texts = self.columns.iter_mut().filter(|column| column.is_text());
        for (column, texts) in texts.zip(&chunk.ids) {
            for text in texts {
                column.add_text(text);
            }
        }
    }

    /// The classes of the rows of a chunk.
    fn classes(&mut self, chunk: &Chunk) -> Vec<Class> {
        let n_rows = chunk.rows.n_rows();
        let n_texts = self.columns.iter().filter(|column| column.is_text()).count();
        let labels = chunk.labels.as_ref().or_else(|| chunk.ids.get(n_texts));
        let (Some(label), Some(labels)) = (&mut self.label, labels) else {
            // Rows of a group are alike without labels, too.
            (0..n_rows).for_each(|row| self.leakage.add_row(&chunk.rows, row, ""));
            return vec![0; n_rows];
        };
        if labels.iter().any(|of_row| label.is_missing(of_row)) {
            // Rows without a label say nothing of copies of it.
            for (row, of_row) in labels.iter().enumerate().filter(|(_, of_row)| !label.is_missing(of_row)) {
                self.copies.add_row(&chunk.rows, row, of_row);
                self.leakage.add_row(&chunk.rows, row, of_row);
            }
        } else {
            self.copies.add(&chunk.rows, labels);
            self.leakage.add(&chunk.rows, labels);
        }
        labels.iter().map(|of_row| label.look(of_row)).collect()
    }

    /// The profile of the rows of both, of which those of the other one come later.
    ///
    /// ```
    /// use nb_table::{profile::Profiler, read::{Csv, Overrides, TableOptions}};
    ///
    /// let file = "x,y\n1.5,a\n2.5,b\n";
    /// let inferred = Csv::default().infer_from(|| Ok(file.as_bytes()), "rows.csv", "y", &Overrides::default())?;
    /// let empty = Profiler::new(&inferred).with_label("y");
    /// let mut part = empty.clone();
    /// let csv = Csv::default().with_table(part.table_options(TableOptions::default()));
    /// part.read(&mut csv.read_from(file.as_bytes(), "rows.csv", &part.schema())?)?;
    /// let both = part.clone().merge(&part)?;
    /// assert_eq!((both.profile().n_rows, both.profile().columns[0].distinct.n), (4, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ProfileError`] if the columns or labels are others.
    pub fn merge(mut self, other: &Self) -> Result<Self, ProfileError> {
        let name = |profiler: &Self, place: usize| {
            profiler.columns.get(place).map(|column| column.inference.column.clone()).unwrap_or_default()
        };
        let n_columns = self.columns.len().max(other.columns.len());
        let is_other = |&place: &usize| name(&self, place) != name(other, place);
        if let Some(place) = (0..n_columns).find(is_other) {
            return Err(ProfileError::Columns { first: name(&self, place), second: name(other, place) });
        }
        let classes = match (&mut self.label, &other.label) {
            (None, None) => vec![0],
            (Some(label), Some(others)) if self.schema.label == other.schema.label => label.merge(others),
            _ => return Err(ProfileError::Label),
        };
        let class = |of: Class| classes.get(of as usize).copied().unwrap_or(0);
        for (column, others) in self.columns.iter_mut().zip(&other.columns) {
            if !column.merge(others, class) {
                return Err(ProfileError::Kind { column: column.inference.column.clone() });
            }
        }
        if self.label.as_ref().is_some_and(|label| !label.has_classes()) {
            self.columns.iter_mut().for_each(ColumnWatch::forget_classes);
        }
        self.copies = self.copies.merge(&other.copies);
        self.leakage = self.leakage.merge(&other.leakage);
        self.n_rows += other.n_rows;
        Ok(self)
    }

    /// What all rows say.
    pub fn profile(&self) -> TableProfile {
        let copies = if self.label.is_some() { self.copies.found() } else { Vec::new() };
        let classes = self.label.as_ref().map(LabelWatch::classes).unwrap_or_default();
        let columns = self.columns.iter().enumerate();
        let mut columns: Vec<ColumnProfile> = columns
            .map(|(place, column)| column.profile(self.n_rows, &classes, copies.contains(&place)))
            .collect();
        of_leakage(&self.leakage.found(&copies), &mut columns);
        TableProfile { n_rows: self.n_rows, columns, label: self.label.as_ref().map(LabelWatch::profile) }
    }
}

/// Adds sparse rows: the cells that are stored, and as many zeros as there are other rows.
fn add_sparse(columns: &mut [ColumnWatch], rows: &SparseTable, classes: &[Class]) {
    let n_classes = classes.iter().max().map_or(0, |&class| class as usize) + 1;
    let mut n_rows = vec![0_u64; n_classes];
    for &class in classes {
        n_rows[class as usize] += 1;
    }
    let mut cells: Vec<Vec<(f64, Class)>> = vec![Vec::new(); columns.len()];
    for (row, &class) in classes.iter().enumerate() {
        let stored = rows.indptr()[row]..rows.indptr()[row + 1];
        for (&column, &value) in rows.indices()[stored.clone()].iter().zip(&rows.values()[stored]) {
            if let Some(cells) = cells.get_mut(column) {
                cells.push((value, class));
            }
        }
    }
    for (column, cells) in columns.iter_mut().zip(cells) {
        let mut n_zeros = n_rows.clone();
        for (value, class) in cells {
            n_zeros[class as usize] -= 1;
            column.add_unordered(value, class, 1);
        }
        for (class, n) in n_zeros.into_iter().enumerate().filter(|(_, n)| *n > 0) {
            column.add_unordered(0.0, class as Class, n);
        }
    }
}
