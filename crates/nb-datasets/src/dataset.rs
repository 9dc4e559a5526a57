//! Tables: the classic sets and the hard cases.

use ndarray::{Array1, Array2};

use crate::catalogue::{ColumnKind, FileInfo, Group, Info, info};
use crate::column::{Column, ColumnBuilder};
use crate::embedded::csv_file;
use crate::error::{ContentError, DatasetError};
use crate::labels::Labels;
use crate::nearest::nearest;
use crate::rows::{File, bad_value};

/// A loaded table.
#[derive(Debug, Clone)]
pub struct Dataset {
    /// Where the data are from, how to cite them and what they contain.
    pub info: &'static Info,
    /// The columns in file order, without the split and the class.
    pub columns: Vec<Column>,
    /// The class names, sorted as byte strings.
    pub classes: Vec<String>,
    /// The class of each row, an index into [`classes`](Self::classes).
    pub labels: Vec<usize>,
    /// For hard cases, which rows are meant for training and which for tests (not necessarily in two
    /// blocks).
    pub split: Option<Vec<Part>>,
}

/// What a row of a hard case is meant for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// To fit a model.
    Train,
    /// To be predicted.
    Test,
}

/// Decompresses, verifies and parses the table with this name.
///
/// ```
/// let pima = nb_datasets::load("pima2")?;
/// assert_eq!(pima.classes, ["neg", "pos"]);
/// assert_eq!(pima.column("insulin")?.missing(), 374);
/// # Ok::<(), nb_datasets::DatasetError>(())
/// ```
///
/// # Errors
///
/// [`DatasetError::UnknownSet`] with the nearest existing name, and [`DatasetError::NotATable`] for the text
/// set. The other errors mean that the crate was built from a damaged copy.
pub fn load(name: &str) -> Result<Dataset, DatasetError> {
    let info = info(name)?;
    Dataset::from_csv(info, &csv_file(&table_file(info)?.file)?)
}

impl Dataset {
    /// Parses a CSV that must be the one `info` describes: checksum, header, kinds of the cells, number of
    /// rows, rows of each class and missing cells are verified.
    ///
    /// ```
    /// use nb_datasets::{Dataset, DatasetError, csv, info};
    ///
    /// let mut bytes = csv("iris")?;
    /// assert!(Dataset::from_csv(info("iris")?, &bytes).is_ok());
    ///
    /// bytes[100] ^= 1;
    /// let error = Dataset::from_csv(info("iris")?, &bytes).unwrap_err();
    /// assert!(matches!(error, DatasetError::Checksum { set, .. } if set == "iris"));
    /// # Ok::<(), DatasetError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`DatasetError::Checksum`] if a byte differs, [`DatasetError::Content`] if the content is not as
    /// described, and [`DatasetError::NotATable`] if `info` describes the text set.
    pub fn from_csv(info: &'static Info, csv: &[u8]) -> Result<Self, DatasetError> {
        let file = File::new(info, table_file(info)?);
        let mut header: Vec<&str> = info.columns.iter().map(|column| column.name.as_str()).collect();
        header.push(&info.target);
        if info.has_split {
            header.insert(0, "split");
        }

        let mut builders: Vec<ColumnBuilder> =
            info.columns.iter().map(|column| ColumnBuilder::new(column, info.rows)).collect();
        let mut labels = Labels::new(info);
        let mut split = info.has_split.then(|| Vec::with_capacity(info.rows));
        file.for_each_row(csv, &header, |row, fields| {
            let mut fields = fields.iter();
            if let Some(split) = &mut split {
                split.push(parse_part(row, fields.next().unwrap_or_default())?);
            }
            // The header fixes the number of fields.
            for (builder, field) in builders.iter_mut().zip(&mut fields) {
                builder.push(row, field)?;
            }
            labels.push(row, fields.next().unwrap_or_default())
        })?;

        file.content(labels.check_counts())?;
        let columns: Vec<Column> = builders.into_iter().map(ColumnBuilder::finish).collect();
        let found = columns.iter().map(Column::missing).sum();
        let expected = info.missing_cells;
        if found != expected {
            return file.content(Err(ContentError::MissingCells { expected, found }));
        }
        Ok(Self { info, columns, classes: labels.classes, labels: labels.rows, split })
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.labels.len()
    }

    /// Number of features.
    pub fn n_features(&self) -> usize {
        self.features().count()
    }

    /// The columns that describe a row: all but identifiers.
    pub fn features(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(|column| column.kind != ColumnKind::Id)
    }

    /// All features as a matrix, a row for each row and a column for each feature. A category is the index of
    /// its level, a missing value is NaN.
    ///
    /// ```
    /// let zoo = nb_datasets::load("zoo")?;
    /// assert_eq!(zoo.x().dim(), (101, 16)); // without the animal names
    /// # Ok::<(), nb_datasets::DatasetError>(())
    /// ```
    pub fn x(&self) -> Array2<f64> {
        self.to_matrix(&self.features().collect::<Vec<_>>())
    }

    /// Chosen columns, in the order given, as a matrix like that of [`x`](Self::x).
    ///
    /// ```
    /// use nb_datasets::ColumnKind;
    ///
    /// let adult = nb_datasets::load("adult")?;
    /// let numeric = adult.matrix(&adult.columns_of(ColumnKind::Numeric))?;
    /// assert_eq!(numeric.dim(), (32_561, 6));
    /// # Ok::<(), nb_datasets::DatasetError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`DatasetError::UnknownColumn`] with the nearest existing name.
    pub fn matrix(&self, columns: &[&str]) -> Result<Array2<f64>, DatasetError> {
        let chosen: Vec<&Column> = columns.iter().map(|name| self.column(name)).collect::<Result<_, _>>()?;
        Ok(self.to_matrix(&chosen))
    }

    /// The class name of each row.
    pub fn y(&self) -> Vec<&str> {
        self.labels.iter().map(|&label| self.classes[label].as_str()).collect()
    }

    /// Names of the columns of a kind, in file order.
    pub fn columns_of(&self, kind: ColumnKind) -> Vec<&str> {
        self.columns.iter().filter(|column| column.kind == kind).map(|column| column.name.as_str()).collect()
    }

    /// The column with this name.
    ///
    /// # Errors
    ///
    /// [`DatasetError::UnknownColumn`] with the nearest existing name.
    pub fn column(&self, name: &str) -> Result<&Column, DatasetError> {
        self.columns.iter().find(|column| column.name == name).ok_or_else(|| DatasetError::UnknownColumn {
            set: self.info.name.clone(),
            column: name.to_owned(),
            nearest: nearest(name, self.columns.iter().map(|column| column.name.as_str())),
        })
    }

    /// Indices of the rows of a part, ascending; all rows are training rows if the set has no
    /// [`split`](Self::split).
    ///
    /// ```
    /// use nb_datasets::Part;
    ///
    /// let set = nb_datasets::load("offset_1e9")?;
    /// assert_eq!((set.rows_of(Part::Train).len(), set.rows_of(Part::Test).len()), (200, 80));
    /// # Ok::<(), nb_datasets::DatasetError>(())
    /// ```
    pub fn rows_of(&self, part: Part) -> Vec<usize> {
        let is_in = |row: usize| self.split.as_ref().map_or(Part::Train, |split| split[row]) == part;
        (0..self.n_rows()).filter(|&row| is_in(row)).collect()
    }

    fn to_matrix(&self, columns: &[&Column]) -> Array2<f64> {
        let mut matrix = Array2::zeros((self.n_rows(), columns.len()));
        for (mut target, column) in matrix.columns_mut().into_iter().zip(columns) {
            target.assign(&Array1::from_vec(column.to_numbers()));
        }
        matrix
    }
}

/// The only file of a table.
fn table_file(info: &Info) -> Result<&FileInfo, DatasetError> {
    match info.files.as_slice() {
        [file] if info.group != Group::Text => Ok(file),
        _ => Err(DatasetError::NotATable { set: info.name.clone() }),
    }
}

fn parse_part(row: usize, field: &str) -> Result<Part, ContentError> {
    match field {
        "train" => Ok(Part::Train),
        "test" => Ok(Part::Test),
        _ => Err(bad_value(row, "split", field, "`train` or `test`")),
    }
}
