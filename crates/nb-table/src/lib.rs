//! Tables: readers of data files, schemas, profiles of columns, and columns of texts.
//!
//! # Should I be using this crate?
//!
//! Yes, to read rows of numbers, categories, dates and texts from data files in bounded memory, or to know
//! what their columns hold, without models. `nb-io` has all of it beside its model files, under the same
//! names.
//!
//! ```
//! use nb_table::read::{Csv, Overrides, ReadChunks};
//!
//! let text = "length,colour,species\n1.5,red,a\n2.5,blue,b\n";
//! let inferred = Csv::default().infer_from(|| Ok(text.as_bytes()), "flowers", "species", &Overrides::default())?;
//! assert_eq!(inferred.columns[1].reason.to_string(), "no cell is a number");
//! let mut reader = Csv::default().read_from(text.as_bytes(), "flowers", &inferred.schema)?;
//! assert_eq!(reader.next_chunk()?.unwrap().labels.unwrap(), ["a", "b"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The decoders of Apache Arrow, of workbooks and of mails may panic on some damaged files. The readers of
//! this crate make errors of these panics, and keep them from being printed by a panic hook that they put
//! before that of the process. Neither is possible in a program built with `panic = "abort"`, which such a
//! file ends.
//!
//! # Features
//!
//! `csv`, `gzip` and `npy` (all on by default), `bzip2`, `xz`, `zstd`, `arrow`, `excel` and `mail` add
//! readers and decompressors, `files` the files of folders and patterns; svmlight files, schemas, texts and
//! profiles are always there.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[doc(hidden)]
pub mod hash;
mod limits;
pub mod profile;
pub mod read;
mod schema;
pub mod text;
mod with;

pub use limits::Limits;
pub use schema::{
    Column, DateOrder, DatePart, DateParts, EncodeError, Feature, Kind, Schema, SchemaError,
    UnknownDateOrder, UnknownDatePart, Value, category_name,
};
pub use text::{Text, TextOptions};

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
