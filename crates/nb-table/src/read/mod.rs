//! Readers of data files: rows in chunks, in bounded memory.
//!
//! ```text
//!  CSV, TSV, JSON, ARFF ──┐
//!  mails, texts ──────────┤
//!  svmlight ──────────────┼──▶ ReadChunks ──next_chunk──▶ Chunk { rows, labels, weights } ──▶ update, predict
//!  .npy, .npz ────────────┤
//!  Parquet, Arrow IPC ────┤
//!  Excel, OpenDocument ───┘
//! ```
//!
//! Text may be compressed by gzip, bzip2, xz or zstd, each a feature. [`FileFormat`] tells the format of a
//! file from its first bytes, and with the feature `files`, `FoundFiles` finds the files of a folder or a
//! pattern.
//!
//! Where columns have names (all but svmlight and NumPy), a [`Schema`] is learnt from one file and
//! applied to others, whose columns may be in another order or among further ones: they are found by name.
//! Categories become the codes of their names in the schema, missing cells NaN.
//!
//! Every error names the file, the line or row, the column and the value, and says what to do. No file makes
//! a reader panic, and none makes it take more memory than a chunk and the longest record allowed; see
//! `Arrow`, `Excel` and `Npy` for what cannot be read in pieces.

mod ahead;
mod bad_rows;
pub(crate) mod cells;
mod columns;
mod error;
mod file;
mod formats;
mod options;
mod partitions;
mod table;

pub use ahead::ReadAhead;
pub use bad_rows::{BadRows, SkippedRow, SkippedRows};
pub use columns::inferred::{Inference, Inferred, Reason};
pub use columns::written_dates::WrittenDates;
pub(crate) use error::shortened;
pub use error::{CellProblem, FileProblem, OtherDateOrder, Place, ReadError, RecordProblem};
#[cfg(feature = "csv")]
pub use file::encoding::{Encoding, UnknownEncoding};
#[cfg(feature = "files")]
pub use file::find::{FindFilesError, FoundFiles, NamedBy};
pub use file::recognize::FileFormat;
#[cfg(feature = "csv")]
pub use formats::arff::Arff;
#[cfg(feature = "arrow")]
pub use formats::arrow::{Arrow, ArrowReader, BatchRows};
#[cfg(feature = "csv")]
pub use formats::csv::{
    Csv, CsvFormat, CsvHeader, CsvReader, CsvRow, CsvRows, OrangeColumn, OrangeHeader, OrangeRole,
    RepeatedHeader, TotalRow,
};
#[cfg(feature = "mail")]
pub use formats::documents::{DocumentKind, Documents};
#[cfg(feature = "excel")]
pub use formats::excel::Excel;
#[cfg(feature = "csv")]
pub use formats::json::Json;
#[cfg(feature = "npy")]
pub use formats::npy::{
    Npy, NpyArray, NpyReader, NpyValues, read_npy, read_npy_from, read_npz, read_npz_from,
};
pub use formats::svmlight::{QueryIds, Svmlight, SvmlightReader};
pub use options::{
    ExtraColumns, KindChoice, Labels, NewLevels, NonNumeric, Overrides, TableOptions, Unlabeled,
    UnlabeledRows, missing_markers,
};
#[cfg(feature = "csv")]
pub use partitions::infer_partitions;
pub use partitions::{PartitionFile, partition_columns};
#[cfg(feature = "csv")]
pub use table::Loaded;
pub use table::{Chunk, SparseTable, Table};

use crate::Schema;

/// Writes [`ReadChunks`] for a reader that has `read_chunk`, `schema` and `done`: after an error it is at its
/// end.
macro_rules! reads_chunks {
    ($reader:ty, $($file:ident).+ $(, { $($more:item)+ })?) => {
        impl $crate::read::ReadChunks for $reader {
            fn next_chunk(&mut self) -> Result<Option<$crate::read::Chunk>, $crate::read::ReadError> {
                if self.done {
                    return Ok(None);
                }
                self.read_chunk().inspect_err(|_| self.done = true)
            }

            fn schema(&self) -> &$crate::Schema {
                &self.schema
            }

            fn name(&self) -> &str {
                &self.$($file).+
            }

            $($($more)+)?
        }
    };
}
use reads_chunks;

/// A file that can be read chunk by chunk.
pub trait ReadChunks {
    /// The next rows; `None` after the last. A chunk has at least one row.
    ///
    /// # Errors
    /// [`ReadError`] names what is wrong with the file, which is at its end then: the next call returns
    /// `None`.
    fn next_chunk(&mut self) -> Result<Option<Chunk>, ReadError>;

    /// The columns of the chunks. Its categories may grow with every chunk, if new ones are
    /// [interned](NewLevels::Intern).
    fn schema(&self) -> &Schema;

    /// What messages call the file.
    fn name(&self) -> &str;

    /// The rows that were skipped so far because their label is missing.
    fn unlabeled_rows(&self) -> Option<&UnlabeledRows> {
        None
    }

    /// The rows that were skipped so far because they cannot be read; `None` unless that is allowed
    /// ([`TableOptions::bad_rows`]).
    fn skipped_rows(&self) -> Option<SkippedRows> {
        None
    }

    /// The lines so far that repeat the names of the columns, and are no rows.
    #[cfg(feature = "csv")]
    fn repeated_header(&self) -> Option<RepeatedHeader> {
        None
    }
}
