//! NumPy arrays.

mod archive;
mod array;
mod dtype;
mod header;
mod reader;

use std::{
    fs::File,
    io::{BufReader, Cursor, Read, Seek, SeekFrom},
    path::Path,
};

pub use archive::{read_npz, read_npz_from};
pub use array::{NpyArray, NpyValues, read_npy, read_npy_from};
use header::Header;
pub use reader::NpyReader;
use reader::{Cells, LabelStream, cells, dimensions};
use zip::ZipArchive;

use crate::read::{FileProblem, Labels, ReadError, options::DEFAULT_CHUNK_ROWS};
use crate::with::with_fields;
use crate::{Limits, Schema};

/// How to read NumPy arrays: a matrix in a `.npy` file, perhaps with labels in another one, or both in a
/// `.npz` archive.
///
/// Capitals in the names of arrays make no difference, as `X` is as usual as `x`, unless an archive has both.
///
/// Elements are floating-point numbers, whole numbers, truth values, and, for labels, texts. Big-endian and
/// column-major arrays are fine; a column-major array in an archive is held in memory.
///
/// ```no_run
/// use nb_table::read::{Npy, ReadChunks};
///
/// let npy = Npy::default().with_x("features".into()).with_y("target".into());
/// let schema = npy.infer("data.npz")?;
/// let mut reader = npy.read("data.npz", &schema)?;
/// while let Some(chunk) = reader.next_chunk()? {
///     println!("{:?} {:?}", chunk.rows, chunk.labels);
/// }
/// # Ok::<(), nb_table::read::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Npy {
    /// The name of the matrix in an archive.
    pub x: String,
    /// The name of the labels in an archive.
    pub y: String,
    /// Whether there must be labels in an archive.
    pub labels: Labels,
    /// The most rows of a chunk. Wide tables get smaller chunks, of about a million cells.
    pub chunk_rows: usize,
    /// The memory for what cannot be streamed: the labels of an archive, and column-major arrays in it.
    pub limits: Limits,
}

impl Default for Npy {
    /// The arrays `x` and `y`, and up to a gibibyte of what cannot be streamed.
    fn default() -> Self {
        Self {
            x: "x".into(),
            y: "y".into(),
            labels: Labels::default(),
            chunk_rows: DEFAULT_CHUNK_ROWS,
            limits: Limits::default(),
        }
    }
}

/// # Options
impl Npy {
    with_fields! {
        with_x x: String;
        with_y y: String;
        with_labels labels: Labels;
        with_chunk_rows chunk_rows: usize;
        with_limits limits: Limits;
    }
}

/// The most columns of a schema made from a header alone.
const MOST_COLUMNS: usize = 1 << 24;

impl Npy {
    /// The schema that a file has of itself: numeric columns `x1`, `x2`, ..., and the label column `label`.
    ///
    /// ```
    /// use nb_table::{Schema, read::Npy};
    ///
    /// # /// What `numpy.save` writes of 2 rows and 3 columns.
    /// # fn saved() -> Vec<u8> {
    /// #     let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }";
    /// #     let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    /// #     bytes.extend(118_u16.to_le_bytes());
    /// #     bytes.extend(format!("{header:<117}\n").bytes());
    /// #     bytes.extend([1.0, 2.0, 3.0, 4.0, 5.0, 6.0].iter().flat_map(|value: &f64| value.to_le_bytes()));
    /// #     bytes
    /// # }
    /// # let path = std::env::temp_dir().join("nb-io-doc-infer.npy");
    /// # std::fs::write(&path, saved())?;
    /// assert_eq!(Npy::default().infer(&path)?, Schema::numbered(3, "label"));
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] names what is wrong with the file.
    pub fn infer(&self, path: impl AsRef<Path>) -> Result<Schema, ReadError> {
        let (name, mut file) = open(path.as_ref())?;
        let header = if is_archive(&mut file).map_err(|error| ReadError::io(&name, error))? {
            let mut archive = ZipArchive::new(file).map_err(|error| archive::refuse(&name, error))?;
            let index = archive::index_of(&archive, &self.x);
            let index = index.ok_or_else(|| archive::missing(&archive, &name, &self.x))?;
            let mut entry = archive.by_index(index).map_err(|error| archive::refuse(&name, error))?;
            Header::read(&mut entry, &name, &self.x)?
        } else {
            Header::read(&mut file, &name, &self.x)?
        };
        let (_, columns) = dimensions(&header, &name, &self.x)?;
        if columns > MOST_COLUMNS {
            let (size, limit) = (columns as u64, MOST_COLUMNS as u64);
            return Err(ReadError::of_file(
                &name,
                FileProblem::TooLarge { what: "the number of columns is", size, limit },
            ));
        }
        Ok(Schema::numbered(columns, "label"))
    }

    /// Reads an archive or, without labels, a `.npy` file, with as many columns as the schema.
    ///
    /// ```
    /// use nb_table::read::{Npy, ReadChunks};
    ///
    /// # /// What `numpy.save` writes of 2 rows and 3 columns.
    /// # fn saved() -> Vec<u8> {
    /// #     let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }";
    /// #     let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    /// #     bytes.extend(118_u16.to_le_bytes());
    /// #     bytes.extend(format!("{header:<117}\n").bytes());
    /// #     bytes.extend([1.0, 2.0, 3.0, 4.0, 5.0, 6.0].iter().flat_map(|value: &f64| value.to_le_bytes()));
    /// #     bytes
    /// # }
    /// # let path = std::env::temp_dir().join("nb-io-doc-read.npy");
    /// # std::fs::write(&path, saved())?;
    /// let npy = Npy::default();
    /// let mut reader = npy.read(&path, &npy.infer(&path)?)?;
    /// let chunk = reader.next_chunk()?.unwrap();
    /// assert_eq!((nb_core::Rows::n_rows(&chunk.rows), chunk.labels), (2, None));
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] names what is wrong with the file.
    pub fn read(&self, path: impl AsRef<Path>, schema: &Schema) -> Result<NpyReader<'static>, ReadError> {
        let (name, file) = open(path.as_ref())?;
        self.read_from(file, &name, schema)
    }

    /// Reads a matrix and its labels from two `.npy` files.
    ///
    /// ```
    /// use nb_table::{Schema, read::{Npy, ReadChunks}};
    ///
    /// # /// What `numpy.save` writes of 2 rows and 3 columns.
    /// # fn saved() -> Vec<u8> {
    /// #     let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }";
    /// #     let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    /// #     bytes.extend(118_u16.to_le_bytes());
    /// #     bytes.extend(format!("{header:<117}\n").bytes());
    /// #     bytes.extend([1.0, 2.0, 3.0, 4.0, 5.0, 6.0].iter().flat_map(|value: &f64| value.to_le_bytes()));
    /// #     bytes
    /// # }
    /// # let folder = std::env::temp_dir();
    /// # let (x, y) = (folder.join("nb-io-doc-x.npy"), folder.join("nb-io-doc-y.npy"));
    /// # std::fs::write(&x, saved())?;
    /// # let labels = String::from_utf8_lossy(&saved()[10..128]).replace("(2, 3), }", "(2,), }  ").into_bytes();
    /// # std::fs::write(&y, [&saved()[..10], &labels, &saved()[128..144]].concat())?;
    /// let mut reader = Npy::default().read_pair(&x, &y, &Schema::numbered(3, "class"))?;
    /// assert_eq!(reader.next_chunk()?.unwrap().labels.unwrap(), ["1", "2"]);
    /// # std::fs::remove_file(&x)?;
    /// # std::fs::remove_file(&y)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] names what is wrong with either file.
    pub fn read_pair(
        &self,
        x: impl AsRef<Path>,
        y: impl AsRef<Path>,
        schema: &Schema,
    ) -> Result<NpyReader<'static>, ReadError> {
        let ((x_name, x), (y_name, mut y)) = (open(x.as_ref())?, open(y.as_ref())?);
        let header = Header::read(&mut y, &y_name, &self.y)?;
        let labels = LabelStream { file: y_name, header, input: Box::new(y) };
        self.read_array(x, &x_name, schema, Some(labels))
    }

    /// Reads a stream in either format. Messages call it `name`.
    ///
    /// ```
    /// use std::io::Cursor;
    ///
    /// use nb_table::{Schema, read::{Npy, ReadChunks, Table}};
    ///
    /// # /// What `numpy.save` writes of 2 rows and 3 columns.
    /// # fn saved() -> Vec<u8> {
    /// #     let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }";
    /// #     let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    /// #     bytes.extend(118_u16.to_le_bytes());
    /// #     bytes.extend(format!("{header:<117}\n").bytes());
    /// #     bytes.extend([1.0, 2.0, 3.0, 4.0, 5.0, 6.0].iter().flat_map(|value: &f64| value.to_le_bytes()));
    /// #     bytes
    /// # }
    /// let mut reader = Npy::default().read_from(Cursor::new(saved()), "rows", &Schema::numbered(3, "class"))?;
    /// let Table::Dense(rows) = reader.next_chunk()?.unwrap().rows else { unreachable!("every cell is stored") };
    /// assert_eq!(rows, ndarray::array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] names what is wrong with the stream.
    pub fn read_from<'a>(
        &self,
        mut input: impl Read + Seek + Send + 'a,
        name: &str,
        schema: &Schema,
    ) -> Result<NpyReader<'a>, ReadError> {
        if !is_archive(&mut input).map_err(|error| ReadError::io(name, error))? {
            return self.read_array(input, name, schema, None);
        }
        let mut archive = ZipArchive::new(input).map_err(|error| archive::refuse(name, error))?;
        let labels = self.labels_of(&mut archive, name)?;
        let index = archive::index_of(&archive, &self.x);
        let index = index.ok_or_else(|| archive::missing(&archive, name, &self.x))?;
        let mut entry = archive::Entry::open(archive, name, index)?;
        let header = Header::read(&mut entry, name, &self.x)?;
        let cells = cells(entry, &header, name, self)?;
        NpyReader::new(name, header, cells, labels, schema, self)
    }

    /// Reads a stream that is a single array.
    fn read_array<'a>(
        &self,
        mut input: impl Read + Seek + Send + 'a,
        name: &str,
        schema: &Schema,
        labels: Option<LabelStream<'a>>,
    ) -> Result<NpyReader<'a>, ReadError> {
        let header = Header::read(&mut input, name, &self.x)?;
        let cells = if header.fortran_order {
            Cells::Columns(Box::new(input), header.length)
        } else {
            Cells::Rows(Box::new(input))
        };
        NpyReader::new(name, header, cells, labels, schema, self)
    }

    /// The labels of an archive, held in memory: the archive can be read at one place at a time only.
    fn labels_of(
        &self,
        archive: &mut ZipArchive<impl Read + Seek>,
        file: &str,
    ) -> Result<Option<LabelStream<'static>>, ReadError> {
        if self.labels == Labels::Ignore {
            return Ok(None);
        }
        let Some(index) = archive::index_of(archive, &self.y) else {
            let required = self.labels == Labels::Required;
            return if required { Err(archive::missing(archive, file, &self.y)) } else { Ok(None) };
        };
        let mut entry = archive.by_index(index).map_err(|error| archive::refuse(file, error))?;
        let header = Header::read(&mut entry, file, &self.y)?;
        let bytes = array::read_bytes(&mut entry, &header, file, &self.y, self.limits)?;
        Ok(Some(LabelStream { file: file.into(), header, input: Box::new(Cursor::new(bytes)) }))
    }
}

fn open(path: &Path) -> Result<(String, BufReader<File>), ReadError> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| ReadError::io(&name, error))?;
    Ok((name, BufReader::with_capacity(64 * 1024, file)))
}

/// Whether a stream begins like a ZIP file. It is at its start then.
fn is_archive(input: &mut (impl Read + Seek)) -> std::io::Result<bool> {
    let mut start = Vec::new();
    input.by_ref().take(4).read_to_end(&mut start)?;
    input.seek(SeekFrom::Start(0))?;
    // An archive without entries begins with its end.
    Ok(start == b"PK\x03\x04" || start == b"PK\x05\x06")
}
