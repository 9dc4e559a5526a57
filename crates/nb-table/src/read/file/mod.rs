//! A file before it has rows: its format, compression, encoding and lines.

#[cfg(feature = "csv")]
pub(super) mod encoding;
#[cfg(feature = "files")]
pub(in crate::read) mod find;
pub(super) mod line;
pub(super) mod recognize;
pub(super) mod source;
