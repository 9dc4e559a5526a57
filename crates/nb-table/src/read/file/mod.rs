//! A file before it has rows: its format, compression, encoding and lines.

#[cfg(feature = "csv")]
pub(super) mod encoding;
#[cfg(feature = "files")]
pub(super) mod find;
pub(super) mod line;
pub(super) mod recognize;
pub(super) mod source;
