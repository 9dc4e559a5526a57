//! Readers of data files: rows in chunks, in bounded memory.
//!
//! ```text
//!  CSV, TSV, JSON, ARFF ──┐
//!  svmlight ──────────────┼──▶ ReadChunks ──next_chunk──▶ Chunk { rows, labels, weights } ──▶ update, predict
//!  .npy, .npz ────────────┤                 └─────────────────train────────────────────────▶ Model
//!  Parquet, Arrow IPC ────┤
//!  Excel, OpenDocument ───┘
//! ```
//!
//! Text may be compressed by gzip, bzip2, xz or zstd, each a feature. [`FileFormat`] tells the format of a file from its first
//! bytes.
//!
//! Where columns have names (all but svmlight and NumPy), a [`Schema`] is learnt from one file and
//! applied to others, whose columns may be in another order or among further ones: they are found by name. Categories
//! become the codes of their names in the schema, missing cells NaN.
//!
//! Every error names the file, the line or row, the column and the value, and says what to do. No file makes a reader
//! panic, and none makes it take more memory than a chunk and the longest record allowed; see `Arrow`, `Excel` and `Npy` for
//! what cannot be read in pieces.
//!
//! [`train`] adds a whole file to a model, or none of it.

#[cfg(feature = "csv")]
mod arff;
#[cfg(feature = "arrow")]
mod arrow;
#[cfg(any(feature = "csv", feature = "npy", feature = "arrow"))]
#[cfg_attr(
    not(all(feature = "csv", feature = "npy")),
    allow(dead_code, reason = "not every reader needs all of it")
)]
mod collect;
#[cfg(any(feature = "arrow", feature = "excel"))]
mod contained;
#[cfg(feature = "csv")]
mod converted;
#[cfg(feature = "csv")]
mod csv;
pub(crate) mod date;
#[cfg(feature = "csv")]
mod decimal;
#[cfg(feature = "csv")]
mod encoding;
mod error;
#[cfg(feature = "excel")]
mod excel;
mod inferred;
#[cfg(feature = "csv")]
mod json;
mod line;
#[cfg(any(feature = "csv", feature = "arrow"))]
mod marked;
#[cfg(any(feature = "csv", feature = "arrow"))]
mod named;
#[cfg(any(feature = "csv", feature = "npy", feature = "arrow"))]
mod nearest;
#[cfg(feature = "npy")]
mod npy;
pub(crate) mod number;
mod options;
mod recognize;
mod source;
mod svmlight;
mod table;
mod train;
mod union;

#[cfg(feature = "arrow")]
pub use self::arrow::{Arrow, ArrowReader, BatchRows};
#[cfg(feature = "csv")]
pub use self::csv::{Csv, CsvFormat, CsvReader, CsvRow, CsvRows};
#[cfg(feature = "csv")]
pub use arff::Arff;
#[cfg(feature = "csv")]
pub use encoding::{Encoding, UnknownEncoding};
pub(crate) use error::shortened;
pub use error::{CellProblem, FileProblem, Place, ReadError, RecordProblem};
#[cfg(feature = "excel")]
pub use excel::Excel;
pub use inferred::{Inference, Inferred, Reason};
#[cfg(feature = "csv")]
pub use json::Json;
#[cfg(feature = "npy")]
pub use npy::{Npy, NpyArray, NpyReader, NpyValues, read_npy, read_npy_from, read_npz, read_npz_from};
pub use options::{
    ExtraColumns, KindChoice, Labels, NewLevels, NonNumeric, Overrides, TableOptions, Unlabeled,
    missing_markers,
};
pub use recognize::FileFormat;
pub use svmlight::{QueryIds, Svmlight, SvmlightReader};
#[cfg(feature = "csv")]
pub use table::Loaded;
pub use table::{Chunk, SparseTable, Table};
pub use train::{TrainError, train, train_within};

use crate::Schema;

/// The name that a misspelt one was probably meant to be; none in a build without readers that look for names.
pub(crate) fn nearest_name<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    #[cfg(any(feature = "csv", feature = "npy", feature = "arrow"))]
    {
        nearest::nearest(name, candidates)
    }
    #[cfg(not(any(feature = "csv", feature = "npy", feature = "arrow")))]
    {
        let _ = (name, candidates);
        None
    }
}

/// A file that can be read chunk by chunk.
pub trait ReadChunks {
    /// The next rows; `None` after the last. A chunk has at least one row.
    ///
    /// # Errors
    /// [`ReadError`] names what is wrong with the file, which is at its end then: the next call returns `None`.
    fn next_chunk(&mut self) -> Result<Option<Chunk>, ReadError>;

    /// The columns of the chunks. Its categories may grow with every chunk, if new ones are
    /// [interned](NewLevels::Intern).
    fn schema(&self) -> &Schema;

    /// What messages call the file.
    fn name(&self) -> &str;
}
