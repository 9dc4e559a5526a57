//! What the readers of data files promise, tested through their public interface.

#[cfg(feature = "csv")]
mod ahead;
#[cfg(feature = "csv")]
mod arff;
#[cfg(all(feature = "arrow", feature = "csv"))]
mod arrow;
#[cfg(feature = "arrow")]
mod arrow_types;
#[cfg(feature = "arrow")]
mod bad_rows;
mod batches;
#[cfg(all(feature = "csv", feature = "bzip2", feature = "xz"))]
mod compressed;
#[cfg(all(feature = "csv", feature = "npy"))]
mod corpus;
#[cfg(feature = "csv")]
mod csv;
#[cfg(feature = "csv")]
mod date_orders;
#[cfg(feature = "csv")]
mod dates;
#[cfg(feature = "mail")]
mod documents;
#[cfg(feature = "excel")]
mod excel;
#[cfg(all(feature = "csv", feature = "npy"))]
mod exercise;
#[cfg(feature = "csv")]
mod inference;
#[cfg(feature = "csv")]
mod json;
#[cfg(feature = "csv")]
mod load;
#[cfg(feature = "csv")]
mod malformed;
#[cfg(feature = "csv")]
#[cfg_attr(
    not(all(feature = "bzip2", feature = "xz")),
    allow(dead_code, reason = "not every build reads damaged files")
)]
mod mutations;
#[cfg(feature = "npy")]
mod npy;
mod svmlight;
#[cfg(any(feature = "csv", feature = "npy"))]
mod tables;
#[cfg(feature = "csv")]
mod text;
#[cfg(feature = "csv")]
mod training;

use nb_io::read::{Chunk, ReadChunks, ReadError};
#[cfg(any(feature = "csv", feature = "npy"))]
use tables::{assert_same, dense};

/// All chunks of a reader.
fn chunks(reader: &mut dyn ReadChunks) -> Result<Vec<Chunk>, ReadError> {
    std::iter::from_fn(|| reader.next_chunk().transpose()).collect()
}

/// The only chunk of a reader.
fn only_chunk(reader: &mut dyn ReadChunks) -> Chunk {
    let mut chunks = chunks(reader).unwrap();
    assert_eq!(chunks.len(), 1, "{chunks:?}");
    chunks.remove(0)
}
