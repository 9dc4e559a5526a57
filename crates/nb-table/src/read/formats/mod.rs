//! The readers, one for each format.
//!
//! JSON, ARFF, workbooks and mails present their rows as delimited text (`as_csv`), so that their columns are
//! found, judged and refused where those of CSV are.

#[cfg(feature = "csv")]
pub(super) mod arff;
#[cfg(feature = "arrow")]
pub(super) mod arrow;
#[cfg(feature = "csv")]
pub(super) mod as_csv;
#[cfg(any(feature = "csv", feature = "npy", feature = "arrow"))]
#[cfg_attr(
    not(all(feature = "csv", feature = "npy")),
    allow(dead_code, reason = "not every reader needs all of it")
)]
pub(super) mod collect;
#[cfg(feature = "csv")]
pub(super) mod csv;
#[cfg(any(feature = "arrow", feature = "excel", feature = "mail"))]
mod decoders;
#[cfg(feature = "mail")]
pub(super) mod documents;
#[cfg(feature = "excel")]
pub(super) mod excel;
#[cfg(feature = "csv")]
pub(super) mod json;
#[cfg(feature = "npy")]
pub(super) mod npy;
pub(super) mod svmlight;
